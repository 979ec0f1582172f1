// The first promise: an answered change survives kill -9 at any moment, in both durabilities.

#include "host_process.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <random>

namespace {

qint64 outputOf(const HttpAnswer &answer)
{
    return QJsonDocument::fromJson(answer.body).object().value(QStringLiteral("output")).toInteger(-1);
}

} // namespace

class tst_KillNine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answeredIncrementsAreThereAfterEveryKill_data();
    void answeredIncrementsAreThereAfterEveryKill();
};

void tst_KillNine::answeredIncrementsAreThereAfterEveryKill_data()
{
    QTest::addColumn<QString>("durability");
    QTest::newRow("process") << QStringLiteral("process");
    QTest::newRow("power") << QStringLiteral("power");
}

void tst_KillNine::answeredIncrementsAreThereAfterEveryKill()
{
    QFETCH(const QString, durability);
    const uint seed = qEnvironmentVariableIsSet("TERRARIUM_SEED") ? qEnvironmentVariable("TERRARIUM_SEED").toUInt()
                                                                  : std::random_device()();
    qInfo("seed %u (TERRARIUM_SEED repeats it)", seed);
    std::mt19937 random(seed);
    const QTemporaryDir folder;
    const QStringList arguments{QStringLiteral("--data"), folder.filePath(QStringLiteral("data")),
                                QStringLiteral("--durability"), durability};
    const QByteArray increment = actionPath("counter", "kill", "increment");
    const QByteArray value = actionPath("counter", "kill", "value");

    qint64 answered = 0; // the highest count anybody was told
    qint64 asked = 0;    // increments sent so far
    for (int round = 0; round < 100; ++round) {
        HostProcess host(arguments);
        QVERIFY2(host.isReady(), host.errorText().constData());

        HttpConnection first(host.port());
        const qint64 found = outputOf(first.request("POST", value, R"({"args":[]})"));
        QVERIFY2(
            found >= answered,
            qPrintable(QStringLiteral("round %1: found %2, but %3 was answered").arg(round).arg(found).arg(answered)));
        QVERIFY2(
            found <= asked,
            qPrintable(QStringLiteral("round %1: found %2, but only %3 were asked").arg(round).arg(found).arg(asked)));
        answered = found;

        // Three connections keep one increment each in flight; the kill comes after a random number of answers.
        HttpConnection second(host.port());
        HttpConnection third(host.port());
        HttpConnection *const connections[] = {&first, &second, &third};
        const int wanted = std::uniform_int_distribution<int>(0, 20)(random);
        for (HttpConnection *connection : connections) {
            QVERIFY(connection->send("POST", increment, R"({"args":[1,"kill"]})"));
            ++asked;
        }
        for (int i = 0; i < wanted; ++i) {
            HttpConnection *const connection = connections[i % 3];
            const HttpAnswer answer = connection->receive();
            QCOMPARE(answer.status, 200);
            answered = qMax(answered, outputOf(answer));
            QVERIFY(connection->send("POST", increment, R"({"args":[1,"kill"]})"));
            ++asked;
        }
        host.killNow();
        // Answers that had already left the host count as well.
        for (HttpConnection *connection : connections) {
            const HttpAnswer answer = connection->receive();
            if (answer.status == 200)
                answered = qMax(answered, outputOf(answer));
        }
    }
    QVERIFY2(answered > 300, "hardly anything was answered: the test did not test much");
}

QTEST_GUILESS_MAIN(tst_KillNine)
#include "tst_kill_nine.moc"
