// A wait ends once, later, through the executor, and keeps its context.

#include "async/wait.h"
#include "async/sleep.h"
#include "testing/simulated_environment.h"

#include <QtTest>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;

class tst_Wait : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void endsWithAValue();
    void endsWithAnError();
    void finishedBeforeAwaitedDoesNotSuspend();
    void neverResumesInsideTheCompleter();
    void onlyTheFirstEndCounts();
    void stopEndsEveryWaitInOrder();
    void waitBegunAfterStopEndsAtOnce();
    void valueThatArrivedBeforeTheStopIsKept();
    void contextIsCapturedAndRestored();
    void nestedTurnClosesTheOuterOneFirst();
    void turnEndSeesTheTurnsContext();
    void sleepEndsAtItsTime();
    void movesAValueThatCannotBeCopied();
};

namespace {

Task<> waitInto(Wait<int> &wait, QStringList &log)
{
    try {
        const int value = co_await wait.done();
        log << QStringLiteral("value %1").arg(value);
    } catch (const Error &error) {
        log << QStringLiteral("error %1").arg(error.code());
    } catch (const ActorStopped &) {
        log << QStringLiteral("stopped");
    }
}

TurnSlot::Context text(const char *text)
{
    return std::make_shared<const QByteArray>(text);
}

QByteArray textOf(const TurnSlot::Context &context)
{
    return context ? *static_cast<const QByteArray *>(context.get()) : QByteArray("none");
}

} // namespace

void tst_Wait::endsWithAValue()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Wait<int> wait(slot);
    QStringList log;

    const auto task = waitInto(wait, log);
    wait.finish(3);
    env.runUntilIdle();

    QCOMPARE(log, QStringList{"value 3"});
}

void tst_Wait::endsWithAnError()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Wait<int> wait(slot);
    QStringList log;

    const auto task = waitInto(wait, log);
    wait.fail(Error(QStringLiteral("test"), QStringLiteral("broken"), QStringLiteral("it broke")));
    env.runUntilIdle();

    QCOMPARE(log, QStringList{"error broken"});
}

void tst_Wait::finishedBeforeAwaitedDoesNotSuspend()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Wait<int> wait(slot);
    QStringList log;

    wait.finish(7);
    const auto task = waitInto(wait, log);

    QCOMPARE(log, QStringList{"value 7"});
}

void tst_Wait::neverResumesInsideTheCompleter()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Wait<int> wait(slot);
    QStringList log;

    const auto task = waitInto(wait, log);
    wait.finish(1);

    QVERIFY(log.isEmpty());
    QCOMPARE(slot.waiting(), 1);
    env.runUntilIdle();
    QCOMPARE(log.size(), 1);
    QCOMPARE(slot.waiting(), 0);
}

void tst_Wait::onlyTheFirstEndCounts()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Wait<int> wait(slot);
    QStringList log;

    const auto task = waitInto(wait, log);
    wait.finish(1);
    wait.finish(2);
    wait.fail(Error::internal(QStringLiteral("late")));
    wait.stop();
    env.runUntilIdle();

    QCOMPARE(log, QStringList{"value 1"});
}

void tst_Wait::stopEndsEveryWaitInOrder()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    std::vector<int> order;
    const auto one = [](TurnSlot &slot, Wait<> &wait, std::vector<int> &order, int number) -> Task<> {
        try {
            co_await wait.done();
        } catch (const ActorStopped &) {
            order.push_back(number);
        }
        Q_UNUSED(slot)
    };
    Wait<> a(slot);
    Wait<> b(slot);
    Wait<> c(slot);
    const auto first = one(slot, a, order, 1);
    const auto second = one(slot, b, order, 2);
    const auto third = one(slot, c, order, 3);

    slot.stop();
    QVERIFY(order.empty());
    env.runUntilIdle();

    QCOMPARE(order, (std::vector<int>{1, 2, 3}));
}

void tst_Wait::waitBegunAfterStopEndsAtOnce()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    slot.stop();
    Wait<int> wait(slot);
    QStringList log;

    const auto task = waitInto(wait, log);

    QCOMPARE(log, QStringList{"stopped"});
}

void tst_Wait::valueThatArrivedBeforeTheStopIsKept()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Wait<int> wait(slot);
    QStringList log;

    const auto task = waitInto(wait, log);
    wait.finish(5);
    slot.stop();
    env.runUntilIdle();

    QCOMPARE(log, QStringList{"value 5"});
}

void tst_Wait::contextIsCapturedAndRestored()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Wait<> first(slot);
    Wait<> second(slot);
    QList<QByteArray> seen;
    const auto handler = [](TurnSlot &slot, Wait<> &wait, QList<QByteArray> &seen) -> Task<> {
        seen << textOf(slot.context());
        co_await wait.done();
        seen << textOf(slot.context());
    };
    std::vector<Task<>> tasks;
    {
        const TurnSlot::Scope turn(slot, text("one"));
        tasks.push_back(handler(slot, first, seen));
    }
    {
        const TurnSlot::Scope turn(slot, text("two"));
        tasks.push_back(handler(slot, second, seen));
    }
    QCOMPARE(textOf(slot.context()), QByteArray("none"));

    second.finish();
    first.finish();
    env.runUntilIdle();

    QCOMPARE(seen, (QList<QByteArray>{"one", "two", "two", "one"}));
    QCOMPARE(textOf(slot.context()), QByteArray("none"));
}

void tst_Wait::nestedTurnClosesTheOuterOneFirst()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    QList<QByteArray> ended;
    slot.onTurnEnded([&] { ended << textOf(slot.context()); });
    {
        const TurnSlot::Scope outer(slot, text("outer"));
        {
            const TurnSlot::Scope inner(slot, text("inner"));
        }
        QCOMPARE(textOf(slot.context()), QByteArray("outer"));
    }

    QCOMPARE(ended, (QList<QByteArray>{"outer", "inner", "outer"}));
}

void tst_Wait::turnEndSeesTheTurnsContext()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    QList<QByteArray> ended;
    slot.onTurnEnded([&] { ended << textOf(slot.context()); });
    Wait<int> wait(slot);
    QStringList log;
    std::optional<Task<>> task;
    {
        const TurnSlot::Scope turn(slot, text("call"));
        task.emplace(waitInto(wait, log));
    }
    QVERIFY(!slot.isInTurn());
    wait.finish(1);
    env.runUntilIdle();

    QCOMPARE(ended, (QList<QByteArray>{"call", "call"}));
}

void tst_Wait::sleepEndsAtItsTime()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    bool woke = false;
    const auto nap = [](TurnSlot &slot, Clock &clock, bool &woke) -> Task<> {
        co_await sleepFor(slot, clock, std::chrono::seconds(5));
        woke = true;
    };
    const auto task = nap(slot, env.clock(), woke);

    env.advance(std::chrono::milliseconds(4999));
    QVERIFY(!woke);
    env.advance(std::chrono::milliseconds(1));
    QVERIFY(woke);
}

void tst_Wait::movesAValueThatCannotBeCopied()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Wait<std::unique_ptr<int>> wait(slot);
    int got = 0;
    const auto taker = [](Wait<std::unique_ptr<int>> &wait, int &got) -> Task<> {
        const auto value = co_await wait.done();
        got = *value;
    };
    const auto task = taker(wait, got);

    wait.finish(std::make_unique<int>(42));
    env.runUntilIdle();

    QCOMPARE(got, 42);
}

QTEST_GUILESS_MAIN(tst_Wait)
#include "tst_wait.moc"
