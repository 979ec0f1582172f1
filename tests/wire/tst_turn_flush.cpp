#include "wire/turn_flush.h"
#include "wire/websocket_frame.h"

#include <QTest>

#include <memory>

using namespace terrarium;

namespace {

class Member final : public TurnFlush::Member {
public:
    explicit Member(std::function<void()> onFlush = {}) : m_onFlush(std::move(onFlush)) {}
    ~Member() override = default;

    int flushes = 0;

private:
    void flushTurn() override
    {
        ++flushes;
        if (m_onFlush)
            m_onFlush();
    }

    std::function<void()> m_onFlush;
};

} // namespace

class tst_TurnFlush : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void flushesOncePerTurn();
    void asksForATurnOnce();
    void memberMarkedWhileFlushingIsFlushedToo();
    void destroyedMemberIsForgotten();
    void memberMayOutliveTheList();
    void frameHeadsFollowTheSize_data();
    void frameHeadsFollowTheSize();
    void longReasonsAreCutAtACharacter();
};

void tst_TurnFlush::flushesOncePerTurn()
{
    TurnFlush turn;
    Member member;

    turn.mark(member);
    turn.mark(member);
    turn.flush();
    turn.flush();
    QCOMPARE(member.flushes, 1);

    turn.mark(member);
    turn.flush();
    QCOMPARE(member.flushes, 2);
}

void tst_TurnFlush::asksForATurnOnce()
{
    int asked = 0;
    TurnFlush turn([&asked] { ++asked; });
    Member a;
    Member b;

    turn.mark(a);
    turn.mark(b);
    QCOMPARE(asked, 1);
    turn.flush();
    turn.mark(b);

    QCOMPARE(asked, 2);
}

void tst_TurnFlush::memberMarkedWhileFlushingIsFlushedToo()
{
    TurnFlush turn;
    Member second;
    Member first([&] { turn.mark(second); });

    turn.mark(first);
    turn.flush();

    QCOMPARE(second.flushes, 1);
}

void tst_TurnFlush::destroyedMemberIsForgotten()
{
    TurnFlush turn;
    auto second = std::make_unique<Member>();
    Member first([&] { second.reset(); });
    {
        Member gone;
        turn.mark(gone);
    }
    turn.mark(first);
    turn.mark(*second);

    turn.flush();

    QCOMPARE(first.flushes, 1);
    QVERIFY(!second);
}

void tst_TurnFlush::memberMayOutliveTheList()
{
    Member member;
    {
        TurnFlush turn;
        turn.mark(member);
    }

    QCOMPARE(member.flushes, 0);
}

void tst_TurnFlush::frameHeadsFollowTheSize_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<QByteArray>("head");
    QTest::newRow("empty") << 0 << QByteArray::fromHex("8200");
    QTest::newRow("125") << 125 << QByteArray::fromHex("827d");
    QTest::newRow("126") << 126 << QByteArray::fromHex("827e007e");
    QTest::newRow("65535") << 65535 << QByteArray::fromHex("827effff");
    QTest::newRow("65536") << 65536 << QByteArray::fromHex("827f0000000000010000");
}

void tst_TurnFlush::frameHeadsFollowTheSize()
{
    QFETCH(int, size);
    QFETCH(QByteArray, head);

    const QByteArray frame = websocketFrame(FrameKind::Binary, QByteArray(size, 'x'));

    QCOMPARE(frame.left(head.size()), head);
    QCOMPARE(frame.size(), head.size() + size);
}

void tst_TurnFlush::longReasonsAreCutAtACharacter()
{
    const QString rocket = QString::fromUcs4(U"\U0001F680");
    const QString reason = rocket.repeated(40);

    const QString fits = closeReasonThatFits(reason);

    QCOMPARE(fits.toUtf8().size(), 120);
    QCOMPARE(fits, rocket.repeated(30));
    QCOMPARE(closeReasonThatFits(QStringLiteral("kicked")), QStringLiteral("kicked"));
}

QTEST_APPLESS_MAIN(tst_TurnFlush)
#include "tst_turn_flush.moc"
