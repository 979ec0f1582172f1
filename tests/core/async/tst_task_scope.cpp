// A scope forgets no task and loses no exception.

#include "async/select.h"
#include "async/sleep.h"
#include "async/task_scope.h"
#include "async/wait.h"
#include "testing/simulated_environment.h"

#include <QtTest>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;
using namespace std::chrono_literals;

class tst_TaskScope : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void reportsWhatATaskThrows();
    void closeStopsAndJoins();
    void closeWaitsForATaskThatDoesNotListen();
    void joinWaitsWithoutStopping();
    void destroyedScopeStopsItsTasks();
    void idleTellsWhenTheLastTaskEnded();
};

namespace {

Task<> throwAfter(TurnSlot &slot, Clock &clock, Duration delay)
{
    co_await sleepFor(slot, clock, delay);
    throw Error(QStringLiteral("test"), QStringLiteral("late"), QStringLiteral("thrown after a wait"));
}

Task<> throwStandardNow()
{
    throw std::runtime_error("thrown at once");
    co_return;
}

struct Flagged {
    explicit Flagged(bool &flag) : flag(flag) {}
    ~Flagged() { flag = true; }
    bool &flag;
};

Task<> waitForEver(TurnSlot &slot, bool &unwound)
{
    const Flagged guard(unwound);
    Wait<> wait(slot);
    co_await wait.done();
}

Task<> flagWhenDone(Task<> task, bool &done)
{
    co_await task;
    done = true;
}

} // namespace

void tst_TaskScope::reportsWhatATaskThrows()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    QStringList reported;
    TaskScope scope(slot, [&](const Error &error) { reported << error.code(); });

    scope.spawn(throwStandardNow());
    scope.spawn(throwAfter(slot, env.clock(), 1s));
    QCOMPARE(reported, QStringList{"internal_error"});
    env.advance(1s);

    QCOMPARE(reported, (QStringList{"internal_error", "late"}));
    QCOMPARE(scope.running(), 0);
}

void tst_TaskScope::closeStopsAndJoins()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    TurnSlot mine(env.environment().executor);
    QStringList reported;
    TaskScope scope(slot, [&](const Error &error) { reported << error.code(); });
    bool unwound = false;
    scope.spawn(waitForEver(slot, unwound));

    bool closed = false;
    const auto task = flagWhenDone(scope.close(mine), closed);
    QVERIFY(!closed);
    env.runUntilIdle();

    QVERIFY(unwound);
    QVERIFY(closed);
    QVERIFY(reported.isEmpty());
}

void tst_TaskScope::closeWaitsForATaskThatDoesNotListen()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    TurnSlot elsewhere(env.environment().executor);
    TurnSlot mine(env.environment().executor);
    TaskScope scope(slot, {});
    Wait<> deaf(elsewhere);
    const auto body = [](Wait<> &wait) -> Task<> { co_await wait.done(); };
    scope.spawn(body(deaf));

    bool closed = false;
    const auto task = flagWhenDone(scope.close(mine), closed);
    env.runUntilIdle();
    QVERIFY(!closed);
    deaf.finish();
    env.runUntilIdle();

    QVERIFY(closed);
}

void tst_TaskScope::joinWaitsWithoutStopping()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    TurnSlot mine(env.environment().executor);
    TaskScope scope(slot, {});
    scope.spawn(sleepFor(slot, env.clock(), 3s));

    bool joined = false;
    const auto task = flagWhenDone(scope.join(mine), joined);
    env.advance(2s);
    QVERIFY(!joined);
    QVERIFY(!slot.isStopped());
    env.advance(1s);

    QVERIFY(joined);
}

void tst_TaskScope::destroyedScopeStopsItsTasks()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    bool unwound = false;
    {
        TaskScope scope(slot, {});
        scope.spawn(waitForEver(slot, unwound));
    }
    env.runUntilIdle();

    QVERIFY(unwound);
}

void tst_TaskScope::idleTellsWhenTheLastTaskEnded()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    TurnSlot mine(env.environment().executor);
    TaskScope scope(slot, {});
    QVERIFY(scope.idle().isReady());
    scope.spawn(sleepFor(slot, env.clock(), 1s));
    scope.spawn(sleepFor(slot, env.clock(), 2s));
    QVERIFY(!scope.idle().isReady());

    env.advance(1s);
    QCOMPARE(scope.running(), 1);
    env.advance(1s);

    QVERIFY(scope.idle().isReady());
}

QTEST_GUILESS_MAIN(tst_TaskScope)
#include "tst_task_scope.moc"
