// The first ready source in the fixed order wins, also when it came last.

#include "async/channel.h"
#include "async/deadline.h"
#include "async/notice.h"
#include "async/select.h"
#include "testing/simulated_environment.h"

#include <QtTest>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;
using namespace std::chrono_literals;

class tst_Select : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void earlierSourceWins();
    void moreUrgentThatCameMeanwhileGoesFirst();
    void disabledSourceIsNotReported();
    void enablingAReadySourceWakes();
    void emptiedSourceLetsTheWaitGoOn();
    void deadlineFires();
    void deadlineMovedLaterFiresOnlyThen();
    void clearedDeadlineDoesNotFire();
    void destroyedSourceIsForgotten();
    void stopThrows();
    void twoSelectsOnOneSourceBothWake();
    void sleepingHundredThousandAreWokenByTheirDeadlines();
};

namespace {

Task<> record(Select &select, QList<int> &log)
{
    try {
        log << co_await select.next();
    } catch (const ActorStopped &) {
        log << -100;
    }
}

} // namespace

void tst_Select::earlierSourceWins()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Notice a, b, c;
    Select select(slot, {&a, &b, &c});
    QList<int> log;
    c.raise();
    b.raise();

    const auto task = record(select, log);

    QCOMPARE(log, QList<int>{1});
}

void tst_Select::moreUrgentThatCameMeanwhileGoesFirst()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Notice a, b;
    Select select(slot, {&a, &b});
    QList<int> log;
    const auto task = record(select, log);

    b.raise();
    a.raise();
    env.runUntilIdle();

    QCOMPARE(log, QList<int>{0});
}

void tst_Select::disabledSourceIsNotReported()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Notice a, b;
    Select select(slot, {&a, &b});
    select.setEnabled(0, false);
    QList<int> log;
    const auto task = record(select, log);

    a.raise();
    env.runUntilIdle();
    QVERIFY(log.isEmpty());
    b.raise();
    env.runUntilIdle();

    QCOMPARE(log, QList<int>{1});
}

void tst_Select::enablingAReadySourceWakes()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Notice a;
    Select select(slot, {&a});
    select.setEnabled(0, false);
    a.raise();
    QList<int> log;
    const auto task = record(select, log);
    QVERIFY(log.isEmpty());

    select.setEnabled(0, true);
    env.runUntilIdle();

    QCOMPARE(log, QList<int>{0});
}

void tst_Select::emptiedSourceLetsTheWaitGoOn()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Channel<int> channel;
    Select select(slot, {&channel});
    QList<int> log;
    const auto task = record(select, log);

    channel.push(1);
    QCOMPARE(channel.tryPop().value_or(-1), 1); // somebody else was faster
    env.runUntilIdle();
    QVERIFY(log.isEmpty());
    channel.push(2);
    env.runUntilIdle();

    QCOMPARE(log, QList<int>{0});
}

void tst_Select::deadlineFires()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Notice a;
    Deadline deadline(env.clock());
    deadline.set(env.clock().now() + 10s);
    Select select(slot, {&a, &deadline});
    QList<int> log;
    const auto task = record(select, log);

    env.advance(9s);
    QVERIFY(log.isEmpty());
    env.advance(1s);

    QCOMPARE(log, QList<int>{1});
}

void tst_Select::deadlineMovedLaterFiresOnlyThen()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Deadline deadline(env.clock());
    const Instant start = env.clock().now();
    deadline.set(start + 10s);
    Select select(slot, {&deadline});
    QList<int> log;
    const auto task = record(select, log);

    deadline.set(start + 30s);
    deadline.setAtMost(start + 40s);
    env.advance(29s);
    QVERIFY(log.isEmpty());
    QCOMPARE(*deadline.at(), start + 30s);
    deadline.set(start + 29s + 1ms);
    env.advance(1ms);

    QCOMPARE(log, QList<int>{0});
}

void tst_Select::clearedDeadlineDoesNotFire()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Notice a;
    Deadline deadline(env.clock());
    deadline.set(env.clock().now() + 10s);
    Select select(slot, {&a, &deadline});
    QList<int> log;
    const auto task = record(select, log);

    deadline.clear();
    env.advance(24h);
    QVERIFY(log.isEmpty());
    QVERIFY(!deadline.isSet());
    a.raise();
    env.runUntilIdle();

    QCOMPARE(log, QList<int>{0});
}

void tst_Select::destroyedSourceIsForgotten()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    auto gone = std::make_unique<Notice>();
    Notice stays;
    Select select(slot, {gone.get(), &stays});
    QList<int> log;
    const auto task = record(select, log);

    gone->raise();
    gone.reset();
    env.runUntilIdle();
    QVERIFY(log.isEmpty());
    stays.raise();
    env.runUntilIdle();

    QCOMPARE(log, QList<int>{1});
}

void tst_Select::stopThrows()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Notice a;
    Select select(slot, {&a});
    QList<int> log;
    const auto task = record(select, log);

    slot.stop();
    a.raise();
    env.runUntilIdle();

    QCOMPARE(log, QList<int>{-100});
}

void tst_Select::twoSelectsOnOneSourceBothWake()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Notice a;
    Select one(slot, {&a});
    Select two(slot, {&a});
    QList<int> log;
    const auto first = record(one, log);
    const auto second = record(two, log);

    a.raise();
    env.runUntilIdle();

    QCOMPARE(log, (QList<int>{0, 0}));
}

void tst_Select::sleepingHundredThousandAreWokenByTheirDeadlines()
{
    constexpr int count = 100'000;
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    const auto sleeper = [](TurnSlot &slot, Clock &clock, int seconds, int &woken) -> Task<> {
        Notice a, b;
        Deadline deadline(clock);
        deadline.set(clock.now() + std::chrono::seconds(seconds));
        Select select(slot, {&a, &b, &deadline});
        if (co_await select.next() == 2)
            ++woken;
    };
    int woken = 0;
    for (int i = 0; i < count; ++i)
        sleeper(slot, env.clock(), 1 + i % 100, woken);
    QCOMPARE(slot.waiting(), count);

    env.advance(50s);
    QCOMPARE(woken, count / 2);
    env.advance(50s);
    QCOMPARE(woken, count);
}

QTEST_GUILESS_MAIN(tst_Select)
#include "tst_select.moc"
