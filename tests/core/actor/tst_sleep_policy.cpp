// Whether an actor may sleep, why not, and when it does.

#include "core/actor/live_actor.h"

#include "async/wait.h"

using namespace terrarium;
using namespace std::chrono_literals;
using terrarium::testing::LiveActor;

namespace {

struct SleeperState {
    int total = 0;
    ACTOR_FIELDS(SleeperState, total)
};

class Sleeper : public Actor<SleeperState> {
public:
    using Actor::Actor;
    static inline std::vector<KeepAwake> regions;

    void add(int by) { state().total += by; }
    int value() const { return state().total; }
    void hold(const QString &label) { regions.push_back(keepAwake(label)); }
    Task<> work() { co_await delay(10s); }
    void detachWork() { waitUntil(work(), QStringLiteral("upload")); }

    static auto type()
    {
        return ActorType<Sleeper>("sleeper")
            .action("add", &Sleeper::add, {"by"})
            .action("value", &Sleeper::value)
            .action("hold", &Sleeper::hold, {"label"})
            .action("work", &Sleeper::work)
            .action("detachWork", &Sleeper::detachWork)
            .sleepTimeout(2s);
    }
};

} // namespace

class tst_SleepPolicy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { Sleeper::regions.clear(); }

    void firstReasonInTheFixedOrderWins();
    void eachFactAloneBlocks();
    void parkedRunHandlerDoesNotBlock();
    void idleActorSleepsAfterItsTimeout();
    void eachActivityRestartsTheTimer();
    void watchingChangesNothing();
    void connectionKeepsItAwake();
    void actionKeepsItAwakeUntilItAnswers();
    void keepAwakeRegionKeepsItAwakeAndSaysWhy();
    void waitUntilDoesNotKeepItAwakeButHoldsGrace();
    void noSleepNeverSleeps();
    void allReasonsAreListedInOrder();
    void outlookCountsDown();
    void outlookIsBlockedWhileWorking();
    void outlookInGraceNamesTheDeadline();
    void sleepIsAskedForOnce();
    void movedKeepAwakeEndsOnce();
    void heldSaveDoesNotStopTheTimerButTheStopWaitsForIt();
};

void tst_SleepPolicy::firstReasonInTheFixedOrderWins()
{
    SleepFacts facts;
    facts.noSleep = true;
    facts.httpRequests = facts.keepAwake = facts.internalKeepAwake = facts.disconnectCallbacks = facts.connections =
        facts.socketCallbacks = 1;
    facts.runHandler = true;
    QCOMPARE(canSleep(facts), CanSleep::NotReady);
    facts.started = true;
    QCOMPARE(canSleep(facts), CanSleep::NoSleep);
    facts.noSleep = false;
    QCOMPARE(canSleep(facts), CanSleep::ActiveHttpRequests);
    facts.httpRequests = 0;
    QCOMPARE(canSleep(facts), CanSleep::ActiveKeepAwake);
    facts.keepAwake = 0;
    QCOMPARE(canSleep(facts), CanSleep::ActiveInternalKeepAwake);
    facts.internalKeepAwake = 0;
    QCOMPARE(canSleep(facts), CanSleep::ActiveRunHandler);
    facts.runHandler = false;
    QCOMPARE(canSleep(facts), CanSleep::ActiveDisconnectCallbacks);
    facts.disconnectCallbacks = 0;
    QCOMPARE(canSleep(facts), CanSleep::ActiveConnections);
    facts.connections = 0;
    QCOMPARE(canSleep(facts), CanSleep::ActiveSocketCallbacks);
    facts.socketCallbacks = 0;
    QCOMPARE(canSleep(facts), CanSleep::Yes);
}

void tst_SleepPolicy::eachFactAloneBlocks()
{
    const QList<int SleepFacts::*> counts{&SleepFacts::httpRequests,      &SleepFacts::keepAwake,
                                          &SleepFacts::internalKeepAwake, &SleepFacts::actions,
                                          &SleepFacts::scheduledHandlers, &SleepFacts::disconnectCallbacks,
                                          &SleepFacts::connections,       &SleepFacts::socketCallbacks};
    for (const auto count : counts) {
        SleepFacts facts;
        facts.started = true;
        facts.*count = 1;
        QVERIFY(canSleep(facts) != CanSleep::Yes);
        QVERIFY(!canSleepText(canSleep(facts)).isEmpty());
    }
}

void tst_SleepPolicy::parkedRunHandlerDoesNotBlock()
{
    SleepFacts facts;
    facts.started = true;
    facts.runHandler = true;
    QCOMPARE(canSleep(facts), CanSleep::ActiveRunHandler);
    facts.runHandlerParked = true;
    QCOMPARE(canSleep(facts), CanSleep::Yes);
}

void tst_SleepPolicy::idleActorSleepsAfterItsTimeout()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    actor.env.advance(1999ms);
    QVERIFY(actor.wishes.isEmpty());
    actor.env.advance(1ms);

    QCOMPARE(actor.wishes, (QStringList{QStringLiteral("sleep idle"), QStringLiteral("ended")}));
    QVERIFY(actor.seen.transitions.contains(QStringLiteral("started>sleepGrace idle")));
    QCOMPARE(actor.seen.fullTransitions.at(3).detail, QStringLiteral("idle for 2 s"));
    QVERIFY(!actor.seen.log.contains(QStringLiteral("note idleTimerStayedUp")));
}

void tst_SleepPolicy::eachActivityRestartsTheTimer()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    for (int i = 0; i < 5; ++i) {
        actor.env.advance(1900ms);
        actor.call(QStringLiteral("value"));
    }
    QVERIFY(actor.wishes.isEmpty());
    actor.env.advance(2s);
    QVERIFY(!actor.wishes.isEmpty());
}

void tst_SleepPolicy::watchingChangesNothing()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    for (int i = 0; i < 19; ++i) {
        actor.env.advance(100ms);
        actor.task->setWatched(i % 2 == 0);
        QVERIFY(actor.task->awakeReasons().size() > 5);
        QCOMPARE(actor.task->sleepOutlook().kind, QStringLiteral("countdown"));
        actor.task->refreshState();
        actor.env.runUntilIdle();
    }
    QVERIFY(actor.wishes.isEmpty());
    actor.env.advance(100ms);
    QCOMPARE(actor.wishes.value(0), QStringLiteral("sleep idle"));
}

void tst_SleepPolicy::connectionKeepsItAwake()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    const auto client = actor.connect(nullptr);
    actor.env.advance(1h);
    QVERIFY(actor.wishes.isEmpty());
    QCOMPARE(actor.awake(QStringLiteral("connections")), QStringLiteral("1 on %1").arg(client->id()));
    QCOMPARE(client->openedAt(), actor.env.clock().wallMs() - 3'600'000);

    actor.close(client);
    actor.env.advance(2s);
    QCOMPARE(actor.wishes.value(0), QStringLiteral("sleep idle"));
}

void tst_SleepPolicy::actionKeepsItAwakeUntilItAnswers()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    const auto answer = actor.call(QStringLiteral("work"));
    QCOMPARE(actor.task->sleepFacts().actions, 1);
    QCOMPARE(canSleep(actor.task->sleepFacts()), CanSleep::ActiveInternalKeepAwake);
    actor.env.advance(9900ms);
    QVERIFY(actor.wishes.isEmpty());
    actor.env.advance(100ms);
    QVERIFY(answer->isIn());
    QCOMPARE(canSleep(actor.task->sleepFacts()), CanSleep::Yes);
    actor.env.advance(1999ms);
    QVERIFY(actor.wishes.isEmpty());
    actor.env.advance(1ms);
    QVERIFY(!actor.wishes.isEmpty());
}

void tst_SleepPolicy::keepAwakeRegionKeepsItAwakeAndSaysWhy()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    actor.call(QStringLiteral("hold"), {"charging"});
    actor.env.advance(10s);
    QVERIFY(actor.wishes.isEmpty());
    for (const AwakeReason &reason : actor.task->awakeReasons()) {
        if (reason.kind != QLatin1String("keepAwake"))
            continue;
        QVERIFY(reason.on);
        QCOMPARE(reason.label, QStringLiteral("charging"));
        QVERIFY(reason.origin.contains(QStringLiteral("tst_sleep_policy.cpp:")));
        QCOMPARE(reason.since, actor.env.clock().wallMs() - 10'000);
    }
    QVERIFY(actor.seen.log.contains(QStringLiteral("awake charging")));

    Sleeper::regions.clear();
    actor.env.advance(2s);
    QVERIFY(!actor.wishes.isEmpty());
}

void tst_SleepPolicy::waitUntilDoesNotKeepItAwakeButHoldsGrace()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    actor.call(QStringLiteral("detachWork"));
    actor.env.advance(2s);
    QCOMPARE(actor.wishes, QStringList{QStringLiteral("sleep idle")});
    QCOMPARE(actor.task->state(), LifecycleState::SleepGrace);
    actor.env.advance(8s);
    QCOMPARE(actor.wishes.constLast(), QStringLiteral("ended"));
    QVERIFY(actor.seen.transitions.contains(QStringLiteral("sleepGrace>sleepFinalize drained")));
}

void tst_SleepPolicy::noSleepNeverSleeps()
{
    LiveActor actor(ActorType<Sleeper>("sleeper").noSleep());
    actor.start();
    actor.env.advance(24h);
    QVERIFY(actor.wishes.isEmpty());
    QCOMPARE(actor.task->sleepOutlook().kind, QStringLiteral("never"));
    QCOMPARE(actor.awake(QStringLiteral("noSleep")), QStringLiteral("1 on"));
}

void tst_SleepPolicy::allReasonsAreListedInOrder()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    QStringList kinds;
    for (const AwakeReason &reason : actor.task->awakeReasons()) {
        kinds << reason.kind;
        QVERIFY(!reason.on);
        QCOMPARE(reason.since, 0);
    }
    QCOMPARE(kinds, (QStringList{QStringLiteral("noSleep"), QStringLiteral("httpRequests"), QStringLiteral("keepAwake"),
                                 QStringLiteral("internalKeepAwake"), QStringLiteral("actions"),
                                 QStringLiteral("scheduledHandler"), QStringLiteral("runHandler"),
                                 QStringLiteral("disconnectCallbacks"), QStringLiteral("connections"),
                                 QStringLiteral("socketCallbacks")}));
}

void tst_SleepPolicy::outlookCountsDown()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    actor.env.advance(500ms);
    actor.call(QStringLiteral("value"));
    const qint64 now = actor.env.clock().wallMs();
    actor.env.advance(300ms);

    const SleepOutlook outlook = actor.task->sleepOutlook();
    QCOMPARE(outlook.kind, QStringLiteral("countdown"));
    QCOMPARE(outlook.at, now + 2000);
    QCOMPARE(outlook.resetBy, Cause(QStringLiteral("action"), QStringLiteral("value")));
    QCOMPARE(actor.task->lastActivityAt(), now);
}

void tst_SleepPolicy::outlookIsBlockedWhileWorking()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    actor.call(QStringLiteral("work"));
    QCOMPARE(actor.task->sleepOutlook().kind, QStringLiteral("blocked"));
}

void tst_SleepPolicy::outlookInGraceNamesTheDeadline()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    actor.call(QStringLiteral("work"));
    actor.stop();
    actor.env.runUntilIdle();
    QCOMPARE(actor.task->sleepOutlook().kind, QStringLiteral("grace"));
    QCOMPARE(actor.task->sleepOutlook().at, actor.env.clock().wallMs() + 15'000);
    QCOMPARE(actor.task->graceDeadline(), actor.task->sleepOutlook().at);
}

void tst_SleepPolicy::sleepIsAskedForOnce()
{
    LiveActor actor(Sleeper::type());
    actor.answersWishes = false;
    actor.start();
    actor.env.advance(1min);
    QCOMPARE(actor.wishes, QStringList{QStringLiteral("sleep idle")});
}

void tst_SleepPolicy::movedKeepAwakeEndsOnce()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    actor.call(QStringLiteral("hold"), {"a"});
    actor.call(QStringLiteral("hold"), {"b"}); // the vector moves the first
    QCOMPARE(actor.awake(QStringLiteral("keepAwake")), QStringLiteral("2 on b"));
    Sleeper::regions.pop_back();
    QCOMPARE(actor.awake(QStringLiteral("keepAwake")), QStringLiteral("1 on a"));
    Sleeper::regions.front().end();
    Sleeper::regions.front().end();
    QCOMPARE(actor.awake(QStringLiteral("keepAwake")), QStringLiteral("0 off"));
}

void tst_SleepPolicy::heldSaveDoesNotStopTheTimerButTheStopWaitsForIt()
{
    LiveActor actor(Sleeper::type());
    actor.start();
    actor.disk.holdsBack = true;
    const auto answer = actor.call(QStringLiteral("add"), {1});
    actor.env.advance(3s);
    QCOMPARE(actor.wishes, QStringList{QStringLiteral("sleep idle")});
    QCOMPARE(actor.task->state(), LifecycleState::SleepGrace);

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);
    QVERIFY(answer->isIn());
    QCOMPARE(actor.wishes.constLast(), QStringLiteral("ended"));
}

QTEST_GUILESS_MAIN(tst_SleepPolicy)
#include "tst_sleep_policy.moc"
