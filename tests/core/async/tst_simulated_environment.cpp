// The test's own world: the same seed is the same run, order within a strand holds, time moves by hand.

#include "testing/simulated_environment.h"

#include <QtTest>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;
using namespace std::chrono_literals;

class tst_SimulatedEnvironment : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameSeedIsTheSameRun();
    void workOfOneStrandKeepsItsOrder();
    void seedsDrawDifferentOrdersBetweenStrands();
    void advanceRunsDeadlinesAtTheirTime();
    void advanceToNextJumpsToTheDeadline();
    void wallClockJumpsLeaveTimersAlone();
    void turnEndsRunAfterTheWork();
    void workPostedByATurnEndRunsAndEndsAnotherTurn();
    void destroyedHookDoesNotRun();
};

namespace {

QList<int> runOrder(quint64 seed)
{
    SimulatedEnvironment env(seed);
    Executor &executor = env.environment().executor;
    QList<int> order;
    char strands[4] = {};
    for (int i = 0; i < 40; ++i)
        executor.postFor(&strands[i % 4], [&order, i] { order << i; });
    env.runUntilIdle();
    return order;
}

} // namespace

void tst_SimulatedEnvironment::sameSeedIsTheSameRun()
{
    QCOMPARE(runOrder(42), runOrder(42));

    SimulatedEnvironment a(7);
    SimulatedEnvironment b(7);
    QCOMPARE(a.environment().random.uuid(), b.environment().random.uuid());
    QCOMPARE(a.environment().random.bytes(20), b.environment().random.bytes(20));
}

void tst_SimulatedEnvironment::workOfOneStrandKeepsItsOrder()
{
    const QList<int> order = runOrder(3);

    QCOMPARE(order.size(), 40);
    for (int strand = 0; strand < 4; ++strand) {
        int last = -1;
        for (const int i : order) {
            if (i % 4 == strand) {
                QVERIFY(i > last);
                last = i;
            }
        }
    }
}

void tst_SimulatedEnvironment::seedsDrawDifferentOrdersBetweenStrands()
{
    QVERIFY(runOrder(1) != runOrder(2));
}

void tst_SimulatedEnvironment::advanceRunsDeadlinesAtTheirTime()
{
    SimulatedEnvironment env;
    Clock &clock = env.clock();
    const Instant start = clock.now();
    QList<qint64> at;
    const auto seen = [&] { at << std::chrono::duration_cast<std::chrono::seconds>(clock.now() - start).count(); };
    Timer later;
    const Timer one = clock.after(10s, [&] {
        seen();
        later = clock.after(5s, seen);
    });
    const Timer two = clock.after(12s, seen);

    env.advance(24h);

    QCOMPARE(at, (QList<qint64>{10, 12, 15}));
    QCOMPARE(clock.now() - start, Duration(24h));
}

void tst_SimulatedEnvironment::advanceToNextJumpsToTheDeadline()
{
    SimulatedEnvironment env;
    int ran = 0;
    const Timer timer = env.clock().after(3h, [&] { ++ran; });

    QVERIFY(env.advanceToNext());
    QCOMPARE(ran, 1);
    QVERIFY(!env.advanceToNext());
}

void tst_SimulatedEnvironment::wallClockJumpsLeaveTimersAlone()
{
    SimulatedEnvironment env;
    const qint64 before = env.clock().wallMs();
    int ran = 0;
    const Timer timer = env.clock().after(10s, [&] { ++ran; });

    env.jumpWallClock(1h);
    env.runUntilIdle();
    QCOMPARE(ran, 0);
    QCOMPARE(env.clock().wallMs() - before, 3'600'000);
    env.advance(10s);

    QCOMPARE(ran, 1);
    QCOMPARE(env.clock().wallMs() - before, 3'610'000);
}

void tst_SimulatedEnvironment::turnEndsRunAfterTheWork()
{
    SimulatedEnvironment env;
    QStringList log;
    env.onTurnEnd([&] {
        if (!log.isEmpty() && log.last() != "end")
            log << "end";
    });
    env.environment().executor.post([&] { log << "work"; });

    env.runUntilIdle();

    QCOMPARE(log, (QStringList{"work", "end"}));
}

void tst_SimulatedEnvironment::workPostedByATurnEndRunsAndEndsAnotherTurn()
{
    SimulatedEnvironment env;
    Executor &executor = env.environment().executor;
    int turns = 0;
    int work = 0;
    env.onTurnEnd([&] {
        if (++turns == 1)
            executor.post([&] { ++work; });
    });

    env.runUntilIdle();

    QCOMPARE(work, 1);
    QVERIFY(turns >= 2);
}

void tst_SimulatedEnvironment::destroyedHookDoesNotRun()
{
    SimulatedEnvironment env;
    int calls = 0;
    auto hook = env.environment().executor.onTurnEnd([&] { ++calls; });
    env.runUntilIdle();
    const int before = calls;
    QVERIFY(before > 0);

    hook.reset();
    env.runUntilIdle();

    QCOMPARE(calls, before);
}

QTEST_GUILESS_MAIN(tst_SimulatedEnvironment)
#include "tst_simulated_environment.moc"
