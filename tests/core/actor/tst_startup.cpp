// From nothing or from disk to an actor that answers, and what a failed start leaves behind.

#include "core/actor/live_actor.h"

using namespace terrarium;
using namespace std::chrono_literals;
using terrarium::testing::Events;
using terrarium::testing::LiveActor;

namespace {

struct BootState {
    int total = 10;
    ACTOR_FIELDS(BootState, total)
};

class Boot : public Actor<BootState> {
public:
    using Actor::Actor;
    static inline QStringList log;
    static inline bool failsToCreate = false;
    static inline bool failsToWake = false;
    static inline bool neverWakes = false;
    static inline bool sleepsInWake = false;

    void onCreate()
    {
        log << QStringLiteral("onCreate %1").arg(state().total);
        state().total += 1;
        if (failsToCreate)
            throw Error(QStringLiteral("user"), QStringLiteral("no"), QStringLiteral("not today"));
    }
    Task<> onWake()
    {
        log << QStringLiteral("onWake %1").arg(std::as_const(*this).state().total);
        if (failsToWake)
            throw Error(QStringLiteral("user"), QStringLiteral("sick"), QStringLiteral("cannot get up"));
        if (sleepsInWake)
            sleep();
        if (neverWakes)
            co_await delay(24h);
    }
    int value() const { return state().total; }
    int add(int by) { return state().total += by; }
    static auto type()
    {
        ActorType<Boot> type("boot");
        type.action("value", &Boot::value).action("add", &Boot::add, {"by"});
        return type;
    }
};

class ThrowsInConstructor : public Actor<> {
public:
    explicit ThrowsInConstructor(ActorInit init) : Actor(init)
    {
        throw Error(QStringLiteral("user"), QStringLiteral("built"), QStringLiteral("wrongly"));
    }
    static auto type() { return ActorType<ThrowsInConstructor>("throws"); }
};

} // namespace

class tst_Startup : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        Boot::log.clear();
        Boot::failsToCreate = Boot::failsToWake = Boot::neverWakes = Boot::sleepsInWake = false;
    }

    void newActorIsCreatedThenWoken();
    void storedActorIsWokenWithItsState();
    void firstStateAndMarkAreOneSave();
    void repliesOfANewActorWaitForItsFirstSave();
    void startAndFirstCallAreOneCommit();
    void oneReadIsEnough();
    void failedCreateStoresNothingAndIsTriedAgain();
    void failedWakeLeavesTheStateAlone();
    void failedStartAnswersEverybody();
    void hookOverItsLimitFailsTheStart();
    void brokenStateFailsTheStart();
    void constructorThatThrowsFailsTheStart();
    void destroyedActorCannotStart();
    void sleepIsAllowedWhileStarting();
    void runningHookIsShown();
    void nextGenerationSeesWhatTheLastSaved();
    void initializedActorWithoutStateIsNotCreatedAgain();
};

void tst_Startup::newActorIsCreatedThenWoken()
{
    LiveActor actor(Boot::type());
    actor.start();

    QCOMPARE(Boot::log, (QStringList{QStringLiteral("onCreate 10"), QStringLiteral("onWake 11")}));
    QVERIFY(actor.startAnswered);
    QCOMPARE(actor.stored()["total"], Value(11));
    QVERIFY(actor.disk.rows.hasInitialized);
    QCOMPARE(actor.seen.causes(actor.seen.changes.at(0)), QStringLiteral("create"));
}

void tst_Startup::storedActorIsWokenWithItsState()
{
    LiveActor actor(Boot::type());
    actor.disk.rows.hasInitialized = true;
    actor.disk.rows.state = encodeCbor<Value>(Value::map({{QStringLiteral("total"), Value(70)}}));
    actor.start();

    QCOMPARE(Boot::log, QStringList{QStringLiteral("onWake 70")});
    QCOMPARE(actor.disk.commits, 0); // nothing changed, nothing is written
    QVERIFY(actor.seen.changes.empty());
    QCOMPARE(actor.call(QStringLiteral("value"))->value(), Value(70));
}

void tst_Startup::firstStateAndMarkAreOneSave()
{
    LiveActor actor(Boot::type());
    actor.start();
    QCOMPARE(actor.disk.commits, 1);
    QCOMPARE(actor.disk.stateWrites, 1);
}

void tst_Startup::repliesOfANewActorWaitForItsFirstSave()
{
    LiveActor actor(Boot::type());
    actor.disk.holdsBack = true;
    actor.start();
    QVERIFY(actor.startAnswered);
    const auto query = actor.call(QStringLiteral("value"));
    QVERIFY(!query->isIn());

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);
    QCOMPARE(query->value(), Value(11));
}

void tst_Startup::startAndFirstCallAreOneCommit()
{
    LiveActor actor(Boot::type());
    actor.make();
    actor.begin();
    const auto answer = actor.post(QStringLiteral("add"), {5});
    actor.env.runUntilIdle();

    QCOMPARE(answer->value(), Value(16));
    QCOMPARE(actor.disk.commits, 1);
}

void tst_Startup::oneReadIsEnough()
{
    LiveActor actor(Boot::type());
    actor.start();
    actor.call(QStringLiteral("value"));
    actor.call(QStringLiteral("add"), {1});
    QCOMPARE(actor.disk.reads, 1);
}

void tst_Startup::failedCreateStoresNothingAndIsTriedAgain()
{
    LiveActor actor(Boot::type());
    Boot::failsToCreate = true;
    actor.tryStart();
    QCOMPARE(actor.startError->code(), QStringLiteral("no"));
    QCOMPARE(actor.disk.commits, 0);
    QVERIFY(!actor.disk.rows.hasInitialized);
    QCOMPARE(actor.wishes, QStringList{QStringLiteral("ended")});
    QCOMPARE(actor.seen.transitions.constLast(), QStringLiteral("starting>terminated crash"));

    Boot::failsToCreate = false;
    Boot::log.clear();
    actor.start();
    QCOMPARE(Boot::log.constFirst(), QStringLiteral("onCreate 10"));
    QCOMPARE(actor.stored()["total"], Value(11));
}

void tst_Startup::failedWakeLeavesTheStateAlone()
{
    LiveActor actor(Boot::type());
    actor.disk.rows.hasInitialized = true;
    actor.disk.rows.state = encodeCbor<Value>(Value::map({{QStringLiteral("total"), Value(70)}}));
    const QByteArray before = actor.disk.rows.state;
    Boot::failsToWake = true;
    actor.tryStart();

    QCOMPARE(actor.startError->code(), QStringLiteral("sick"));
    QCOMPARE(actor.disk.rows.state, before);
    QVERIFY(actor.seen.log.contains(QStringLiteral("note hookFailed")));
    QCOMPARE(actor.seen.fullTransitions.back().hooks.at(0).outcome, QStringLiteral("failed"));
    QCOMPARE(actor.seen.fullTransitions.back().error->code(), QStringLiteral("sick"));
}

void tst_Startup::failedStartAnswersEverybody()
{
    LiveActor actor(Boot::type());
    Boot::failsToWake = true;
    actor.make();
    actor.begin();
    const auto call = actor.post(QStringLiteral("value"));
    OpenCommand open;
    QString refused;
    open.reply = [&refused](std::variant<std::shared_ptr<ActorConnection>, Error> &&result) {
        refused = std::get<Error>(result).code();
    };
    actor.task->dispatch(std::move(open));
    actor.stop();
    actor.env.runUntilIdle();

    QCOMPARE(call->error(), QStringLiteral("user/sick"));
    QCOMPARE(refused, QStringLiteral("sick"));
    QVERIFY(actor.stopAnswered);
    QVERIFY(!actor.stopError);
}

void tst_Startup::hookOverItsLimitFailsTheStart()
{
    LiveActor actor(Boot::type());
    Boot::neverWakes = true;
    actor.make();
    actor.begin();
    actor.env.advance(29'999ms);
    QVERIFY(!actor.startAnswered);
    actor.env.advance(1ms);

    QCOMPARE(actor.startError->code(), QStringLiteral("callback_timed_out"));
    QCOMPARE(actor.startError->metadata()["callback_name"], Value("onWake"));
    QCOMPARE(actor.startError->metadata()["duration_ms"], Value(30'000));
    QCOMPARE(actor.seen.fullTransitions.back().hooks.constLast().outcome, QStringLiteral("timedOut"));
}

void tst_Startup::brokenStateFailsTheStart()
{
    LiveActor actor(Boot::type());
    actor.disk.rows.hasInitialized = true;
    actor.disk.rows.state = QByteArray("\xff\xff");
    actor.tryStart();

    QVERIFY(actor.startError);
    QCOMPARE(actor.startError->group(), QStringLiteral("value"));
    QCOMPARE(actor.disk.rows.state, QByteArray("\xff\xff"));
}

void tst_Startup::constructorThatThrowsFailsTheStart()
{
    LiveActor actor(ThrowsInConstructor::type());
    actor.tryStart();
    QCOMPARE(actor.startError->code(), QStringLiteral("built"));
}

void tst_Startup::destroyedActorCannotStart()
{
    LiveActor actor(Boot::type());
    actor.disk.destroyed = true;
    actor.tryStart();
    QCOMPARE(actor.startError->code(), QStringLiteral("not_found"));
    QCOMPARE(actor.seen.transitions.constLast(), QStringLiteral("loading>terminated crash"));
}

void tst_Startup::sleepIsAllowedWhileStarting()
{
    LiveActor actor(Boot::type());
    Boot::sleepsInWake = true;
    actor.tryStart();

    QVERIFY(actor.startAnswered);
    QVERIFY(!actor.startError);
    QCOMPARE(actor.wishes, (QStringList{QStringLiteral("sleep self"), QStringLiteral("ended")}));
    QCOMPARE(actor.stored()["total"], Value(11));
}

void tst_Startup::runningHookIsShown()
{
    LiveActor actor(Boot::type());
    Boot::neverWakes = true;
    actor.start();
    QCOMPARE(actor.task->runningHook(), QStringLiteral("onWake"));
    QCOMPARE(actor.task->state(), LifecycleState::Starting);
    QVERIFY(actor.seen.log.contains(QStringLiteral("hook onCreate")));
}

void tst_Startup::nextGenerationSeesWhatTheLastSaved()
{
    LiveActor actor(Boot::type());
    actor.start();
    actor.call(QStringLiteral("add"), {5});
    actor.stop();
    actor.env.runUntilIdle();
    QVERIFY(!actor.task);
    actor.start();

    QCOMPARE(actor.call(QStringLiteral("value"))->value(), Value(16));
    QCOMPARE(actor.task->identity().generation, 2u);
}

void tst_Startup::initializedActorWithoutStateIsNotCreatedAgain()
{
    LiveActor actor(Boot::type());
    actor.disk.rows.hasInitialized = true;
    actor.start();
    QCOMPARE(Boot::log, QStringList{QStringLiteral("onWake 10")});
}

QTEST_GUILESS_MAIN(tst_Startup)
#include "tst_startup.moc"
