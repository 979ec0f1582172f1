// The transition table, and what an actor does with commands and calls in each state.

#include "core/actor/live_actor.h"
#include "core/adapter/counter.h"

using namespace terrarium;
using namespace std::chrono_literals;
using terrarium::testing::LiveActor;

namespace {

using S = LifecycleState;

const QList<S> allStates{S::Loading,       S::Starting,     S::Started,    S::SleepGrace,
                         S::SleepFinalize, S::DestroyGrace, S::Destroying, S::Terminated};

/// Holds its grace and may destroy itself.
class Holder : public Actor<CounterState> {
public:
    using Actor::Actor;
    static inline std::vector<KeepAwake> *regions = nullptr;
    static inline QStringList hooks;
    void hold() { regions->push_back(keepAwake(QStringLiteral("work"))); }
    void add(int by) { state().count += by; }
    void sleepNow() { sleep(); }
    void destroyNow() { destroy(); }
    void onSleep() { hooks << QStringLiteral("onSleep"); }
    void onDestroy() { hooks << QStringLiteral("onDestroy"); }
    static auto type()
    {
        return ActorType<Holder>("holder")
            .action("hold", &Holder::hold)
            .action("add", &Holder::add, {"by"})
            .action("sleepNow", &Holder::sleepNow)
            .action("destroyNow", &Holder::destroyNow)
            .gracePeriod(5s);
    }
};

} // namespace

class tst_Lifecycle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_regions.clear();
        Holder::regions = &m_regions;
        Holder::hooks.clear();
    }
    void cleanup() { m_regions.clear(); }

    void onlyTheTableTransitionsAreAllowed();
    void everyStateIsReachableAndLeadsToTerminated();
    void startIsAnsweredByState();
    void stopIsAnsweredByState();
    void dispatchIsAnsweredByState();
    void destroyRequestRefusesDispatchInEveryState();
    void wholeLifeIsToldInOrder();
    void stopBeforeStartIsNotReady();
    void secondStartIsAcknowledgedWithoutEffect();
    void startDuringGraceIsStopping();
    void secondStopIsAcknowledgedAtOnce();
    void otherStopDuringGraceIsAcknowledgedAndIgnored();
    void stopDuringStartWaitsForTheStart();
    void callsAfterTheEndAreRefused();
    void graceKeepsServingCalls();
    void destroyGraceRefusesCalls();
    void selfSleepAsksTheOwnerOnce();
    void selfDestroyRefusesLaterCallsAtOnce();
    void secondDestroyAnswersStopping();
    void destroyRemovesTheRows();
    void abandonedActorAnswersEverything();
    void droppedTaskAnswersEverything();

private:
    std::vector<KeepAwake> m_regions;
};

void tst_Lifecycle::onlyTheTableTransitionsAreAllowed()
{
    const QList<std::pair<S, S>> allowed{
        {S::Loading, S::Starting},         {S::Loading, S::Terminated},       {S::Starting, S::Started},
        {S::Starting, S::Terminated},      {S::Started, S::SleepGrace},       {S::Started, S::DestroyGrace},
        {S::Started, S::Terminated},       {S::SleepGrace, S::SleepFinalize}, {S::DestroyGrace, S::Destroying},
        {S::SleepFinalize, S::Terminated}, {S::Destroying, S::Terminated},
    };
    for (const S from : allStates) {
        for (const S to : allStates)
            QCOMPARE(mayTransition(from, to), allowed.contains(std::pair(from, to)));
    }
}

void tst_Lifecycle::everyStateIsReachableAndLeadsToTerminated()
{
    for (const S state : allStates) {
        if (state == S::Terminated)
            continue;
        QList<S> reached{state};
        for (qsizetype i = 0; i < reached.size(); ++i) {
            for (const S to : allStates) {
                if (mayTransition(reached.at(i), to) && !reached.contains(to))
                    reached << to;
            }
        }
        QVERIFY(reached.contains(S::Terminated));
    }
    QCOMPARE(lifecycleName(S::SleepGrace), QStringLiteral("sleepGrace"));
    QCOMPARE(stopReasonName(StopReason::Destroy), QStringLiteral("destroy"));
}

void tst_Lifecycle::startIsAnsweredByState()
{
    QCOMPARE(answerStart(S::Loading), StartAnswer::Run);
    QCOMPARE(answerStart(S::Starting), StartAnswer::AlreadyStarted);
    QCOMPARE(answerStart(S::Started), StartAnswer::AlreadyStarted);
    for (const S state : {S::SleepGrace, S::SleepFinalize, S::DestroyGrace, S::Destroying, S::Terminated})
        QCOMPARE(answerStart(state), StartAnswer::Stopping);
}

void tst_Lifecycle::stopIsAnsweredByState()
{
    QCOMPARE(answerStop(S::Loading), StopAnswer::NotReady);
    QCOMPARE(answerStop(S::Started), StopAnswer::Begin);
    for (const S state : {S::SleepGrace, S::SleepFinalize, S::DestroyGrace, S::Destroying, S::Terminated})
        QCOMPARE(answerStop(state), StopAnswer::Acknowledge);
}

void tst_Lifecycle::dispatchIsAnsweredByState()
{
    QCOMPARE(answerDispatch(S::Loading, false), DispatchAnswer::NotReady);
    QCOMPARE(answerDispatch(S::Starting, false), DispatchAnswer::NotReady);
    QCOMPARE(answerDispatch(S::Started, false), DispatchAnswer::Accept);
    QCOMPARE(answerDispatch(S::SleepGrace, false), DispatchAnswer::Accept);
    QCOMPARE(answerDispatch(S::SleepFinalize, false), DispatchAnswer::Stopping);
    QCOMPARE(answerDispatch(S::DestroyGrace, false), DispatchAnswer::Stopping);
    QCOMPARE(answerDispatch(S::Destroying, false), DispatchAnswer::Destroying);
    QCOMPARE(answerDispatch(S::Terminated, false), DispatchAnswer::Destroying);
}

void tst_Lifecycle::destroyRequestRefusesDispatchInEveryState()
{
    for (const S state : allStates)
        QCOMPARE(answerDispatch(state, true), DispatchAnswer::Destroying);
}

void tst_Lifecycle::wholeLifeIsToldInOrder()
{
    LiveActor actor(Counter::type());
    actor.start();
    actor.stop(StopReason::Sleep, QStringLiteral("inspector"));
    actor.env.runUntilIdle();

    QCOMPARE(
        actor.seen.transitions,
        (QStringList{QStringLiteral("terminated>loading request"), QStringLiteral("loading>starting loaded"),
                     QStringLiteral("starting>started hookFinished"), QStringLiteral("started>sleepGrace inspector"),
                     QStringLiteral("sleepGrace>sleepFinalize drained"),
                     QStringLiteral("sleepFinalize>terminated saved")}));
    QCOMPARE(actor.wishes, QStringList{QStringLiteral("ended")});
    QVERIFY(!actor.endedWith);
}

void tst_Lifecycle::stopBeforeStartIsNotReady()
{
    LiveActor actor(Counter::type());
    actor.make();
    actor.stop();
    actor.env.runUntilIdle();

    QCOMPARE(actor.stopError->code(), QStringLiteral("not_ready"));
    QCOMPARE(actor.stopError->actor()->generation, 1u);
    QCOMPARE(actor.task->state(), S::Loading);
}

void tst_Lifecycle::secondStartIsAcknowledgedWithoutEffect()
{
    LiveActor actor(Counter::type());
    actor.start();
    const int reads = actor.disk.reads;
    actor.begin();
    actor.env.runUntilIdle();

    QVERIFY(actor.startAnswered);
    QVERIFY(!actor.startError);
    QCOMPARE(actor.disk.reads, reads);
}

void tst_Lifecycle::startDuringGraceIsStopping()
{
    LiveActor actor(Holder::type());
    actor.start();
    actor.call(QStringLiteral("hold"));
    actor.stop();
    actor.env.runUntilIdle();
    actor.begin();
    actor.env.runUntilIdle();

    QCOMPARE(actor.startError->code(), QStringLiteral("stopping"));
}

void tst_Lifecycle::secondStopIsAcknowledgedAtOnce()
{
    LiveActor actor(Holder::type());
    actor.start();
    actor.call(QStringLiteral("hold"));
    bool first = false;
    StopCommand stop;
    stop.reply = [&first](const std::optional<Error> &) { first = true; };
    actor.task->stop(std::move(stop));
    actor.env.runUntilIdle();
    actor.stop();
    actor.env.runUntilIdle();
    QVERIFY(actor.stopAnswered);
    QVERIFY(!actor.stopError);
    QVERIFY(!first);

    m_regions.clear();
    actor.env.runUntilIdle();
    QVERIFY(first);
    QCOMPARE(Holder::hooks, QStringList{QStringLiteral("onSleep")});
}

void tst_Lifecycle::otherStopDuringGraceIsAcknowledgedAndIgnored()
{
    LiveActor actor(Holder::type());
    actor.start();
    actor.call(QStringLiteral("hold"));
    actor.stop(StopReason::Sleep);
    actor.env.runUntilIdle();
    actor.stop(StopReason::Destroy);
    actor.env.runUntilIdle();
    QVERIFY(actor.stopAnswered);
    QVERIFY(actor.seen.log.contains(QStringLiteral("note stopIgnored")));

    m_regions.clear();
    actor.env.runUntilIdle();
    QCOMPARE(Holder::hooks, QStringList{QStringLiteral("onSleep")});
    QVERIFY(!actor.disk.destroyed);
}

void tst_Lifecycle::stopDuringStartWaitsForTheStart()
{
    class Slow : public Actor<> {
    public:
        using Actor::Actor;
        Task<> onWake() { co_await delay(100ms); }
        static auto type() { return ActorType<Slow>("slow"); }
    };
    LiveActor actor(Slow::type());
    actor.make();
    actor.begin();
    actor.env.runUntilIdle();
    actor.stop();
    actor.env.runUntilIdle();
    QVERIFY(!actor.stopAnswered);

    actor.env.advance(100ms);
    QVERIFY(actor.startAnswered);
    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.seen.transitions.constLast(), QStringLiteral("sleepFinalize>terminated saved"));
}

void tst_Lifecycle::callsAfterTheEndAreRefused()
{
    LiveActor actor(Counter::type());
    actor.start();
    const auto task = actor.task;
    actor.stop();
    actor.env.runUntilIdle();
    QString code;
    ActionCommand command;
    command.name = QStringLiteral("value");
    command.args = Value::array();
    command.reply = [&code](ActionOutcome &&outcome) { code = std::get<Error>(outcome.result).code(); };
    task->dispatch(std::move(command));

    QCOMPARE(code, QStringLiteral("destroying"));
    QCOMPARE(task->nextSource(), ActorTask::Served::Nothing);
}

void tst_Lifecycle::graceKeepsServingCalls()
{
    LiveActor actor(Holder::type());
    actor.start();
    actor.call(QStringLiteral("hold"));
    actor.stop();
    actor.env.runUntilIdle();

    const auto answer = actor.call(QStringLiteral("add"), {7});

    QVERIFY(answer->isIn());
    QCOMPARE(answer->error(), QString());
    QCOMPARE(actor.stored()["count"], Value(7));
}

void tst_Lifecycle::destroyGraceRefusesCalls()
{
    LiveActor actor(Holder::type());
    actor.start();
    actor.call(QStringLiteral("hold"));
    actor.stop(StopReason::Destroy);
    actor.env.runUntilIdle();

    QCOMPARE(actor.call(QStringLiteral("add"), {7})->error(), QStringLiteral("actor/stopping"));
    actor.task->markDestroyRequested();
    QCOMPARE(actor.call(QStringLiteral("add"), {7})->error(), QStringLiteral("actor/destroying"));
}

void tst_Lifecycle::selfSleepAsksTheOwnerOnce()
{
    LiveActor actor(Holder::type());
    actor.answersWishes = false;
    actor.start();
    actor.call(QStringLiteral("sleepNow"));
    actor.call(QStringLiteral("sleepNow"));

    QCOMPARE(actor.wishes, QStringList{QStringLiteral("sleep self")});
    QCOMPARE(actor.task->state(), S::Started); // until the owner answers
    QVERIFY(actor.task->isSleepRequested());
    actor.stop(StopReason::Sleep, QStringLiteral("self"));
    actor.env.runUntilIdle();
    QVERIFY(actor.stopAnswered);
    QCOMPARE(Holder::hooks, QStringList{QStringLiteral("onSleep")});
}

void tst_Lifecycle::selfDestroyRefusesLaterCallsAtOnce()
{
    LiveActor actor(Holder::type());
    actor.answersWishes = false;
    actor.start();
    const auto first = actor.post(QStringLiteral("destroyNow"));
    const auto second = actor.post(QStringLiteral("add"), {1});
    actor.env.runUntilIdle();

    QCOMPARE(first->error(), QString());
    QCOMPARE(second->error(), QStringLiteral("actor/destroying"));
    QCOMPARE(actor.wishes, QStringList{QStringLiteral("destroy")});
}

void tst_Lifecycle::secondDestroyAnswersStopping()
{
    LiveActor actor(Holder::type());
    actor.answersWishes = false;
    actor.start();
    actor.task->requestDestroy(Cause(QStringLiteral("inspector")));
    try {
        actor.task->requestDestroy(Cause(QStringLiteral("inspector")));
        QFAIL("the second destroy was accepted");
    } catch (const Error &error) {
        QCOMPARE(error.code(), QStringLiteral("stopping"));
    }
}

void tst_Lifecycle::destroyRemovesTheRows()
{
    LiveActor actor(Holder::type());
    actor.start();
    actor.call(QStringLiteral("destroyNow"));
    actor.env.runUntilIdle();

    QVERIFY(actor.disk.destroyed);
    QCOMPARE(Holder::hooks, QStringList{QStringLiteral("onDestroy")});
    QCOMPARE(actor.wishes, (QStringList{QStringLiteral("destroy"), QStringLiteral("ended")}));
    QCOMPARE(actor.seen.transitions.constLast(), QStringLiteral("destroying>terminated saved"));
}

void tst_Lifecycle::abandonedActorAnswersEverything()
{
    LiveActor actor(Holder::type());
    actor.start();
    actor.disk.holdsBack = true;
    const auto held = actor.call(QStringLiteral("add"), {1});
    const auto queued = actor.post(QStringLiteral("add"), {1});
    QVERIFY(!held->isIn());

    const auto task = actor.task;
    task->abandon();

    QCOMPARE(held->error(), QStringLiteral("actor/stopping"));
    QCOMPARE(queued->error(), QStringLiteral("actor/stopping"));
    QVERIFY(actor.wishes.contains(QStringLiteral("ended")));
    actor.env.runUntilIdle();
}

void tst_Lifecycle::droppedTaskAnswersEverything()
{
    LiveActor actor(Holder::type());
    actor.start();
    actor.call(QStringLiteral("hold"));
    actor.stop();
    actor.env.runUntilIdle();
    QVERIFY(!actor.stopAnswered);
    actor.disk.holdsBack = true;
    const auto held = actor.call(QStringLiteral("add"), {1});

    actor.task.reset();

    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.stopError->code(), QStringLiteral("dropped_reply"));
    QCOMPARE(held->error(), QStringLiteral("actor/dropped_reply"));
}

QTEST_GUILESS_MAIN(tst_Lifecycle)
#include "tst_lifecycle.moc"
