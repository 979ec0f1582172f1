// Grace, its deadline, the final save, and that nobody is left without an answer.

#include "core/actor/live_actor.h"

#include "async/wait.h"

using namespace terrarium;
using namespace std::chrono_literals;
using terrarium::testing::Events;
using terrarium::testing::LiveActor;

namespace {

struct WorkState {
    int total = 0;
    ACTOR_FIELDS(WorkState, total)
};

/// Counts how many of its frames are alive.
struct Alive {
    static inline int count = 0;
    Alive() { ++count; }
    Alive(const Alive &) = delete;
    ~Alive() { --count; }
};

class Worker : public Actor<WorkState> {
public:
    using Actor::Actor;
    static inline QStringList hooks;
    static inline Replies mode = Replies::Durable;

    int add(int by) { return state().total += by; }
    Task<> stuck()
    {
        const Alive alive;
        co_await delay(24h * 365);
    }
    Task<> slow()
    {
        const Alive alive;
        co_await delay(100ms);
        state().total += 100;
    }
    Task<> deaf() // catches what it should not
    {
        const Alive alive;
        for (int i = 0; i < 3; ++i) {
            try {
                co_await delay(24h);
            } catch (const ActorStopped &) {
                hooks << QStringLiteral("caught");
            }
        }
    }
    void detachStuck() { waitUntil(stuck(), QStringLiteral("stuck work")); }
    Task<> onSleep()
    {
        hooks << QStringLiteral("onSleep");
        state().total += 1;
        co_await delay(20ms);
        state().total += 1;
        hooks << QStringLiteral("slept");
    }
    void onDestroy() { hooks << QStringLiteral("onDestroy"); }
    Task<> onDisconnect(const ConnectionInfo &)
    {
        co_await delay(10ms);
        hooks << QStringLiteral("onDisconnect");
    }
    static auto type()
    {
        return ActorType<Worker>("worker")
            .action("add", &Worker::add, {"by"})
            .action("stuck", &Worker::stuck)
            .action("slow", &Worker::slow)
            .action("deaf", &Worker::deaf)
            .action("detachStuck", &Worker::detachStuck)
            .replies(mode)
            .gracePeriod(500ms);
    }
};

class Plain : public Actor<WorkState> {
public:
    using Actor::Actor;
    int add(int by) { return state().total += by; }
    static auto type() { return ActorType<Plain>("plain").action("add", &Plain::add, {"by"}); }
};

class Stubborn : public Actor<> {
public:
    using Actor::Actor;
    Task<> run(Context context)
    {
        const Alive alive;
        while (true)
            co_await context.sleepFor(1h); // ignores what it is told
    }
    static auto type() { return ActorType<Stubborn>("stubborn").gracePeriod(300ms); }
};

class Polite : public Actor<WorkState> {
public:
    using Actor::Actor;
    Task<> run(Context context)
    {
        while (co_await context.sleepFor(1h)) {}
        state().total = 77;
    }
    static auto type() { return ActorType<Polite>("polite"); }
};

} // namespace

class tst_Shutdown : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        Worker::hooks.clear();
        Worker::mode = Replies::Durable;
        Alive::count = 0;
    }

    void nothingInFlightStopsWithoutTimePassing();
    void finalSaveHoldsWhatTheHooksChanged();
    void throttledStateIsSavedAtTheEnd();
    void runningActionHoldsGraceAndItsChangeIsSaved();
    void stuckActionIsCutOffAtTheDeadline();
    void stuckTaskIsCutOffAtTheDeadline();
    void destroyWithStuckWorkEndsAtItsDeadline();
    void handlerThatCatchesTheStopStillEnds();
    void stubbornRunIsCutOff();
    void politeRunEndsInGraceAndIsSaved();
    void destroyDoesNotWaitForRun();
    void connectionsAreClosedAndTheirHooksRun();
    void failingFinalSaveStillCleansUp();
    void heldRepliesOfAFailedFinalSaveGetTheError();
    void callsDuringFinalSaveAreRefused();
    void stopReplyComesAfterTheFinalSave();
    void hookTimesAreToldWithTheTransition();
    void hostCapsTheGrace();
    void everyCallIsAnsweredExactlyOnce();
    void foreignWaitDoesNotHoldTheStop();
};

void tst_Shutdown::nothingInFlightStopsWithoutTimePassing()
{
    LiveActor actor(Plain::type());
    actor.start();
    actor.stop();
    actor.env.runUntilIdle();

    QVERIFY(actor.stopAnswered);
    QVERIFY(!actor.stopError);
}

void tst_Shutdown::finalSaveHoldsWhatTheHooksChanged()
{
    LiveActor actor(Worker::type());
    actor.start();
    actor.stop();
    actor.env.advance(20ms);

    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.stored()["total"], Value(2));
    QCOMPARE(Worker::hooks, (QStringList{QStringLiteral("onSleep"), QStringLiteral("slept")}));
}

void tst_Shutdown::throttledStateIsSavedAtTheEnd()
{
    Worker::mode = Replies::Immediate;
    LiveActor actor(Worker::type());
    actor.start();
    actor.call(QStringLiteral("add"), {5});
    QCOMPARE(actor.stored()["total"], Value(0));
    actor.stop();
    actor.env.advance(20ms);

    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.stored()["total"], Value(7));
}

void tst_Shutdown::runningActionHoldsGraceAndItsChangeIsSaved()
{
    LiveActor actor(Worker::type());
    actor.start();
    const auto answer = actor.call(QStringLiteral("slow"));
    actor.stop();
    actor.env.advance(99ms);
    QVERIFY(!actor.stopAnswered);
    actor.env.advance(1ms);

    QVERIFY(answer->isIn());
    QCOMPARE(answer->error(), QString());
    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.stored()["total"], Value(102));
    QCOMPARE(Alive::count, 0);
}

void tst_Shutdown::stuckActionIsCutOffAtTheDeadline()
{
    LiveActor actor(Worker::type());
    actor.start();
    const auto answer = actor.call(QStringLiteral("stuck"));
    actor.stop();
    actor.env.advance(499ms);
    QVERIFY(!actor.stopAnswered);
    QVERIFY(!answer->isIn());
    actor.env.advance(1ms);

    QVERIFY(actor.stopAnswered);
    QVERIFY(!actor.stopError);
    QCOMPARE(answer->error(), QStringLiteral("actor/stopping"));
    QCOMPARE(Alive::count, 0);
    QVERIFY(actor.seen.transitions.contains(QStringLiteral("sleepGrace>sleepFinalize deadline")));
    QCOMPARE(actor.seen.fullTransitions.at(4).cutOff, QStringList{QStringLiteral("stuck")});
    QCOMPARE(actor.stored()["total"], Value(2)); // what onSleep changed is not lost
}

void tst_Shutdown::stuckTaskIsCutOffAtTheDeadline()
{
    LiveActor actor(Worker::type());
    actor.start();
    actor.call(QStringLiteral("detachStuck"));
    actor.stop();
    actor.env.advance(500ms);

    QVERIFY(actor.stopAnswered);
    QCOMPARE(Alive::count, 0);
    QCOMPARE(actor.seen.fullTransitions.at(4).cutOff, QStringList{QStringLiteral("stuck work")});
}

void tst_Shutdown::destroyWithStuckWorkEndsAtItsDeadline()
{
    LiveActor actor(Worker::type());
    actor.start();
    actor.call(QStringLiteral("detachStuck"));
    actor.stop(StopReason::Destroy);
    actor.env.advance(499ms);
    QVERIFY(!actor.stopAnswered);
    actor.env.advance(1ms);

    QVERIFY(actor.stopAnswered);
    QVERIFY(!actor.stopError);
    QVERIFY(actor.disk.destroyed);
    QCOMPARE(Alive::count, 0);
}

void tst_Shutdown::handlerThatCatchesTheStopStillEnds()
{
    LiveActor actor(Worker::type());
    actor.start();
    const auto answer = actor.call(QStringLiteral("deaf"));
    actor.stop();
    actor.env.advance(2s);

    QVERIFY(actor.stopAnswered);
    QCOMPARE(Worker::hooks.count(QStringLiteral("caught")), 3);
    QVERIFY(answer->isIn());
    QCOMPARE(Alive::count, 0);
}

void tst_Shutdown::stubbornRunIsCutOff()
{
    LiveActor actor(Stubborn::type());
    actor.start();
    QCOMPARE(Alive::count, 1);
    actor.stop();
    actor.env.advance(299ms);
    QVERIFY(!actor.stopAnswered);
    actor.env.advance(1ms);

    QVERIFY(actor.stopAnswered);
    QCOMPARE(Alive::count, 0);
}

void tst_Shutdown::politeRunEndsInGraceAndIsSaved()
{
    LiveActor actor(Polite::type());
    actor.start();
    actor.stop();
    actor.env.runUntilIdle();

    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.stored()["total"], Value(77));
}

void tst_Shutdown::destroyDoesNotWaitForRun()
{
    LiveActor actor(Stubborn::type());
    actor.start();
    actor.stop(StopReason::Destroy);
    actor.env.runUntilIdle();

    QVERIFY(actor.stopAnswered);
    QCOMPARE(Alive::count, 0);
    QVERIFY(actor.disk.destroyed);
}

void tst_Shutdown::connectionsAreClosedAndTheirHooksRun()
{
    LiveActor actor(Worker::type());
    actor.start();
    Events first;
    Events second;
    actor.connect(&first);
    actor.connect(&second);
    QCOMPARE(actor.task->connectionCount(), 2);
    actor.stop();
    actor.env.advance(20ms);

    QVERIFY(actor.stopAnswered);
    QCOMPARE(first.log, QStringList{QStringLiteral("closed 1011 actor.stopping")});
    QCOMPARE(second.log, first.log);
    QCOMPARE(Worker::hooks.count(QStringLiteral("onDisconnect")), 2);
}

void tst_Shutdown::failingFinalSaveStillCleansUp()
{
    Worker::mode = Replies::Immediate;
    LiveActor actor(Worker::type());
    actor.start();
    actor.disk.fault = Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("no space"));
    actor.stop();
    actor.env.advance(20ms);

    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.stopError->code(), QStringLiteral("full"));
    QCOMPARE(actor.endedWith->code(), QStringLiteral("full"));
    QCOMPARE(actor.seen.transitions.constLast(), QStringLiteral("sleepFinalize>terminated saved"));
    QVERIFY(!actor.task);
}

void tst_Shutdown::heldRepliesOfAFailedFinalSaveGetTheError()
{
    LiveActor actor(Plain::type());
    actor.start();
    actor.disk.holdsBack = true;
    const auto first = actor.call(QStringLiteral("add"), {1});
    const auto second = actor.call(QStringLiteral("add"), {1});
    actor.stop();
    actor.env.runUntilIdle();
    actor.disk.fault = Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("no space"));
    actor.disk.holdsBack = false;
    actor.env.advance(2s);

    QCOMPARE(first->error(), QStringLiteral("storage/full"));
    QCOMPARE(second->error(), QStringLiteral("storage/full"));
    QVERIFY(actor.stopAnswered);
}

void tst_Shutdown::callsDuringFinalSaveAreRefused()
{
    Worker::mode = Replies::Immediate;
    LiveActor actor(Worker::type());
    actor.start();
    actor.disk.holdsBack = true;
    actor.stop();
    actor.env.advance(20ms);
    QCOMPARE(actor.task->state(), LifecycleState::SleepFinalize);
    const auto late = actor.call(QStringLiteral("add"), {1});
    actor.disk.holdsBack = false;
    actor.env.advance(1ms);

    QCOMPARE(late->error(), QStringLiteral("actor/stopping"));
    QVERIFY(actor.stopAnswered);
}

void tst_Shutdown::stopReplyComesAfterTheFinalSave()
{
    Worker::mode = Replies::Immediate;
    LiveActor actor(Worker::type());
    actor.start();
    actor.disk.holdsBack = true;
    actor.stop();
    actor.env.advance(400ms);
    QVERIFY(!actor.stopAnswered);

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);
    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.stored()["total"], Value(2));
}

void tst_Shutdown::hookTimesAreToldWithTheTransition()
{
    LiveActor actor(Worker::type());
    actor.start();
    actor.stop();
    actor.env.advance(20ms);

    const Transition &drained = actor.seen.fullTransitions.at(4);
    QCOMPARE(drained.to, LifecycleState::SleepFinalize);
    QCOMPARE(drained.hooks.size(), 1);
    QCOMPARE(drained.hooks.at(0).name, QStringLiteral("onSleep"));
    QCOMPARE(drained.hooks.at(0).tookUs, 20'000);
    QCOMPARE(drained.hooks.at(0).outcome, QStringLiteral("ok"));
    QCOMPARE(drained.tookUs, 20'000);
}

void tst_Shutdown::hostCapsTheGrace()
{
    LiveActor actor(Worker::type());
    auto config = std::make_shared<ActorConfig>(TypeDefinition(Worker::type()).options);
    config->graceCap = 100ms;
    actor.config = config;
    actor.start();
    actor.call(QStringLiteral("stuck"));
    actor.stop();
    actor.env.advance(100ms);
    QVERIFY(actor.stopAnswered);
}

void tst_Shutdown::everyCallIsAnsweredExactlyOnce()
{
    for (const StopReason reason : {StopReason::Sleep, StopReason::Destroy}) {
        LiveActor actor(Worker::type());
        actor.start();
        int answers = 0;
        const auto call = [&](const QString &name, std::vector<Value> args) {
            ActionCommand command;
            command.name = name;
            command.args = Value::array(std::move(args));
            command.reply = [&answers](ActionOutcome &&) { ++answers; };
            actor.task->dispatch(std::move(command));
        };
        call(QStringLiteral("stuck"), {});
        call(QStringLiteral("slow"), {});
        call(QStringLiteral("add"), {1});
        actor.env.runUntilIdle();
        call(QStringLiteral("add"), {1});
        actor.stop(reason);
        call(QStringLiteral("stuck"), {});
        actor.env.runUntilIdle();
        call(QStringLiteral("add"), {1});
        actor.env.advance(10s);

        QVERIFY(actor.stopAnswered);
        QCOMPARE(answers, 6);
    }
}

void tst_Shutdown::foreignWaitDoesNotHoldTheStop()
{
    struct Foreign {
        std::coroutine_handle<> handle;
        struct Awaiter {
            Foreign *foreign;
            bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> h) { foreign->handle = h; }
            void await_resume() const noexcept {}
        };
    };
    static Foreign foreign;
    class Abroad : public Actor<WorkState> {
    public:
        using Actor::Actor;
        Task<> fetch()
        {
            const Alive alive;
            Foreign::Awaiter away{&foreign};
            co_await away;
            state().total = 1; // too late: unwinds here
            Worker::hooks << QStringLiteral("never");
        }
        static auto type() { return ActorType<Abroad>("abroad").action("fetch", &Abroad::fetch).gracePeriod(100ms); }
    };
    {
        LiveActor actor(Abroad::type());
        actor.start();
        const auto answer = actor.call(QStringLiteral("fetch"));
        actor.stop();
        actor.env.advance(2s);
        QVERIFY(actor.stopAnswered);
        QCOMPARE(answer->error(), QStringLiteral("actor/stopping"));
        QCOMPARE(Alive::count, 1);
        foreign.handle.resume();
    }
    QCOMPARE(Alive::count, 0);
    QVERIFY(!Worker::hooks.contains(QStringLiteral("never")));
}

QTEST_GUILESS_MAIN(tst_Shutdown)
#include "tst_shutdown.moc"
