// The filter language, and that no text can hurt it.

#include "list/actor_list_filter.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QtTest>

using namespace terrarium;
using namespace terrarium::ui;

namespace {

wire::ActorSummary lobby()
{
    wire::ActorSummary actor;
    actor.id = QStringLiteral("id-1");
    actor.type = QStringLiteral("chatRoom");
    actor.key = ActorKey("lobby");
    actor.status = wire::ActorStatus::running;
    actor.rate = 38;
    actor.queueSize = 3;
    actor.queueCapacity = 100;
    actor.connections = 2;
    actor.stateBytes = 14'200;
    actor.createdAt = 1'000;
    actor.lastActivityAt = 60'000;
    actor.nextAlarmAt = 100'000;
    wire::Blocker blocker;
    blocker.kind = QStringLiteral("connections");
    blocker.on = true;
    actor.blockers = {blocker};
    return actor;
}

constexpr qint64 now = 65'000;

} // namespace

class tst_ActorListFilter final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void matches_data();
    void matches();
    void wrongQueriesSayWhatAndWhere_data();
    void wrongQueriesSayWhatAndWhere();
    void emptyMatchesEverything();
    void fuzzyFindsLettersInOrder();
    void evilExpressionsEndSoon();
    void partsNameTheTermsAsTyped();
    void randomTextNeverCrashes();
};

void tst_ActorListFilter::matches_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char *query, bool expected) {
        QTest::newRow(query) << QString::fromUtf8(query) << expected;
    };
    row("lobby", true);
    row("LOBBY", false); // a capital was typed
    row("chatroom", true);
    row("chatRoom/lob", true);
    row("nothing", false);
    row("type:chatRoom key:lobby", true);
    row("type:chat,check", true);
    row("type:checkout", false);
    row("-type:checkout", true);
    row("-lobby", false);
    row("status:running", true);
    row("status:running,grace", true);
    row("status:sleeping", false);
    row("status:awake", true);
    row("status:busy", true);
    row("status:dead", false);
    row("-status:destroyed", true);
    row("id:id-1", true);
    row("host:shop", true);
    row("host:worker", false);
    row("why:connection", true);
    row("why:keepAwake", false);
    row("why:keepAwake,connection", true);
    row("error:*", false);
    row("key:/^lob/", true);
    row("key:/^obby/", false);
    row("/lo.*y$/", true);
    row("\"chatRoom/lobby\"", true);
    row("\"two words\"", false);
    row("nothing OR lobby", true);
    row("nothing OR (type:chatRoom -key:dev)", true);
    row("lobby (nothing OR type:checkout)", false);
    row("-(nothing OR lobby)", false);
    row("rate>5", true);
    row("rate>5/s", true);
    row("rate>=38", true);
    row("rate<38", false);
    row("rate<=38", true);
    row("queue>10", false);
    row("conns>=2", true);
    row("size>14KB", true);
    row("size>1MB", false);
    row("idle<10s", true);
    row("idle<=5000ms", true);
    row("age>1m", true);
    row("next<1m", true);
    row("changed<5s", false);
    row("has:database", false);
    row("has:queue", true);
    row("TYPE:chatRoom", true);
    row("or", false); // lower case: a word
}

void tst_ActorListFilter::matches()
{
    QFETCH(QString, query);
    QFETCH(bool, expected);

    const ActorListFilter filter = ActorListFilter::parse(query);

    QVERIFY2(!filter.error(), filter.error() ? qPrintable(filter.error()->text) : "");
    QCOMPARE(filter.matches(lobby(), QStringLiteral("shop-dev"), now), expected);
}

void tst_ActorListFilter::wrongQueriesSayWhatAndWhere_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<int>("position");
    QTest::addColumn<QString>("suggestion");
    QTest::newRow("status") << QStringLiteral("lobby status:runing") << 6 << QStringLiteral("running");
    QTest::newRow("field") << QStringLiteral("tipe:chatRoom") << 0 << QStringLiteral("type");
    QTest::newRow("no value") << QStringLiteral("type:") << 0 << QString();
    QTest::newRow("no number") << QStringLiteral("rate>x") << 0 << QString();
    QTest::newRow("unit") << QStringLiteral("idle>5parsec") << 0 << QString();
    QTest::newRow("number field") << QStringLiteral("rate:5") << 0 << QStringLiteral("rate>");
    QTest::newRow("open") << QStringLiteral("a (b") << 2 << QString();
    QTest::newRow("close") << QStringLiteral("a) b") << 1 << QString();
    QTest::newRow("quote") << QStringLiteral("a \"b") << 2 << QString();
    QTest::newRow("regex end") << QStringLiteral("/ab") << 0 << QString();
    QTest::newRow("regex") << QStringLiteral("key:/(/") << 4 << QString();
    QTest::newRow("or end") << QStringLiteral("a OR") << 2 << QString();
    QTest::newRow("or begin") << QStringLiteral("OR a") << 0 << QString();
    QTest::newRow("minus") << QStringLiteral("a - b") << 2 << QString();
    QTest::newRow("empty parentheses") << QStringLiteral("()") << 0 << QString();
}

void tst_ActorListFilter::wrongQueriesSayWhatAndWhere()
{
    QFETCH(QString, query);
    QFETCH(int, position);
    QFETCH(QString, suggestion);

    const ActorListFilter filter = ActorListFilter::parse(query);

    QVERIFY(filter.error());
    QCOMPARE(filter.error()->position, position);
    QVERIFY(filter.error()->position + filter.error()->length <= query.size());
    QVERIFY(!filter.error()->text.isEmpty());
    QCOMPARE(filter.error()->suggestion, suggestion);
    if (!suggestion.isEmpty())
        QVERIFY(filter.error()->whole().contains(suggestion));
}

void tst_ActorListFilter::emptyMatchesEverything()
{
    for (const char *query : {"", "   "}) {
        const ActorListFilter filter = ActorListFilter::parse(QLatin1String(query));
        QVERIFY(filter.isEmpty());
        QVERIFY(!filter.error());
        QVERIFY(filter.matches(lobby(), {}, now));
    }
}

void tst_ActorListFilter::fuzzyFindsLettersInOrder()
{
    const ActorListFilter filter = ActorListFilter::parse(QStringLiteral("crlb"));

    QVERIFY(filter.hasWords());
    QVERIFY(!filter.matches(lobby(), {}, now, false));
    QVERIFY(filter.matches(lobby(), {}, now, true));
}

void tst_ActorListFilter::evilExpressionsEndSoon()
{
    wire::ActorSummary actor = lobby();
    actor.key = ActorKey(QString(5000, QLatin1Char('a')) + QLatin1Char('!'));
    const ActorListFilter filter = ActorListFilter::parse(QStringLiteral("key:/^(a+)+$/"));
    QVERIFY(!filter.error());

    // Without a step limit this would run for longer than the universe.
    QVERIFY(!filter.matches(actor, {}, now));
}

void tst_ActorListFilter::partsNameTheTermsAsTyped()
{
    const ActorListFilter filter = ActorListFilter::parse(QStringLiteral("type:chatRoom -status:destroyed (a OR b)"));

    QStringList texts;
    for (const ActorListFilter::Part &part : filter.parts())
        texts.append(part.text);

    QCOMPARE(texts, QStringList({QStringLiteral("type:chatRoom"), QStringLiteral("-status:destroyed"),
                                 QStringLiteral("a OR b")}));
}

void tst_ActorListFilter::randomTextNeverCrashes()
{
    const quint32 seed = qEnvironmentVariableIsSet("TEST_SEED") ? qEnvironmentVariable("TEST_SEED").toUInt()
                                                                : QRandomGenerator::global()->generate();
    qInfo("TEST_SEED=%u", seed);
    QRandomGenerator random(seed);
    const QStringList pieces{
        QStringLiteral("type:"), QStringLiteral("OR"), QStringLiteral("("), QStringLiteral(")"),
        QStringLiteral("-"),     QStringLiteral("\""), QStringLiteral("/"), QStringLiteral("\\"),
        QStringLiteral("a"),     QStringLiteral(" "),  QStringLiteral(","), QStringLiteral("rate>"),
        QStringLiteral("5"),     QStringLiteral("ms"), QStringLiteral("*"), QString(QChar(0x202E)),
        QString(QChar(0xD800)),  QStringLiteral(":"),  QStringLiteral("<=")};
    int good = 0;
    for (int round = 0; round < 4000; ++round) {
        QString query;
        for (int i = random.bounded(12); i >= 0; --i)
            query += pieces[random.bounded(pieces.size())];
        const ActorListFilter filter = ActorListFilter::parse(query);
        if (filter.error())
            QVERIFY2(filter.error()->position >= 0 && filter.error()->position <= query.size(), qPrintable(query));
        else
            ++good;
        filter.matches(lobby(), QStringLiteral("h"), now, true);
    }
    QVERIFY(good > 100);
}

QTEST_APPLESS_MAIN(tst_ActorListFilter)
#include "tst_actor_list_filter.moc"
