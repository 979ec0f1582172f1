// What an author's class is given and what callers get from it.

#include "core/actor/live_actor.h"
#include "core/adapter/counter.h"

#include "async/wait.h"

using namespace terrarium;
using namespace std::chrono_literals;
using terrarium::testing::Events;
using terrarium::testing::LiveActor;

namespace {

struct DeskState {
    int total = 0;
    QStringList seen;
    ACTOR_FIELDS(DeskState, total, seen)
};

struct DeskInput {
    int start = 0;
    ACTOR_FIELDS(DeskInput, start)
};

/// Does one of everything; tests reach what it waits for through `gate`.
class Desk : public Actor<DeskState> {
public:
    using Actor::Actor;
    static inline QStringList hooks;
    static inline std::vector<int> stateChanges;
    static inline bool refusesClients = false;
    static inline bool failsToSleep = false;

    void onCreate(std::optional<DeskInput> input)
    {
        hooks << QStringLiteral("onCreate %1").arg(input ? input->start : -1);
        if (input)
            state().total = input->start;
    }
    Task<> onWake()
    {
        hooks << QStringLiteral("onWake");
        co_await delay(10ms);
        hooks << QStringLiteral("awake");
    }
    void onSleep()
    {
        hooks << QStringLiteral("onSleep");
        if (failsToSleep)
            throw Error(QStringLiteral("user"), QStringLiteral("no"), QStringLiteral("not tired"));
    }
    void onDestroy() { hooks << QStringLiteral("onDestroy"); }
    void onConnect(const ConnectionInfo &connection)
    {
        if (refusesClients)
            throw Error(QStringLiteral("user"), QStringLiteral("unwelcome"), QStringLiteral("nobody may connect"));
        hooks << QStringLiteral("onConnect %1").arg(connection.params.toText());
    }
    Task<> onDisconnect(const ConnectionInfo &connection)
    {
        co_await delay(5ms);
        hooks << QStringLiteral("onDisconnect %1").arg(connection.params.toText());
    }
    void onStateChange(const DeskState &state) { stateChanges.push_back(state.total); }

    Task<int> addLater(int by, const QString &note)
    {
        state().total += by;
        co_await delay(100ms);
        state().seen << note;
        co_return state().total;
    }
    void addAndThrow(int by)
    {
        state().total += by;
        throw Error(QStringLiteral("user"), QStringLiteral("broken"), QStringLiteral("after adding"));
    }
    void throwSomethingElse() { throw std::runtime_error("plain"); }
    QString maybe(const QString &a, std::optional<int> b) const { return b ? a + QString::number(*b) : a; }
    Task<> forever() { co_await delay(24h * 365); }
    Task<int> saved(int by)
    {
        state().total += by;
        co_await saveNow();
        co_return by;
    }
    QString who() const { return caller().params.toText(); }
    void remindIn(qint64 ms, int by)
    {
        after(std::chrono::milliseconds(ms), &Desk::addLater, by, QStringLiteral("reminded"));
    }
    void scheduleUnknown() { after(1s, &Desk::notAnAction); }
    void notAnAction() {}

    static auto type()
    {
        return ActorType<Desk>("desk")
            .action("addLater", &Desk::addLater, {"by", "note"})
            .help("Adds after a while.")
            .action("addAndThrow", &Desk::addAndThrow, {"by"})
            .action("throwSomethingElse", &Desk::throwSomethingElse)
            .action("maybe", &Desk::maybe, {"a", "b"})
            .action("forever", &Desk::forever)
            .action("saved", &Desk::saved, {"by"})
            .action("who", &Desk::who)
            .action("remindIn", &Desk::remindIn, {"ms", "by"})
            .action("scheduleUnknown", &Desk::scheduleUnknown)
            .actionTimeout(2s);
    }
};

class Runner : public Actor<> {
public:
    using Actor::Actor;
    static inline QStringList log;
    static inline bool fails = false;

    Task<> run(Context context)
    {
        log << QStringLiteral("begin");
        while (co_await context.sleepFor(1s)) {
            log << QStringLiteral("tick");
            if (fails)
                throw Error(QStringLiteral("user"), QStringLiteral("tired"), QStringLiteral("run gave up"));
        }
        log << QStringLiteral("end");
    }
    void ping() {}
    static auto type() { return ActorType<Runner>("runner").action("ping", &Runner::ping).sleepTimeout(2s); }
};

class NeedsInput : public Actor<DeskState> {
public:
    using Actor::Actor;
    void onCreate(const DeskInput &input) { state().total = input.start; }
    static auto type() { return ActorType<NeedsInput>("needsInput"); }
};

class Mutator : public Actor<DeskState> {
public:
    using Actor::Actor;
    static inline QString refused;
    void add(int by) { state().total += by; }
    void onStateChange(const DeskState &)
    {
        try {
            state().total = 1000;
        } catch (const Error &error) {
            refused = error.code();
        }
    }
    static auto type() { return ActorType<Mutator>("mutator").action("add", &Mutator::add, {"by"}); }
};

} // namespace

class tst_TypedActor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        Desk::hooks.clear();
        Desk::stateChanges.clear();
        Desk::refusesClients = false;
        Desk::failsToSleep = false;
        Runner::log.clear();
        Runner::fails = false;
    }

    void readmeCounterCounts();
    void typeDescribesItsActions();
    void missingArgumentNamesTheParameter();
    void tooManyArgumentsAreRefused();
    void wrongKindNamesTheParameter();
    void argumentsThatAreNoListAreRefused();
    void optionalArgumentAtTheEndMayBeLeftOut();
    void unknownActionIsNotFound();
    void queryNeverSaves();
    void handlerThatWaitsKeepsItsArgumentsAndItsCause();
    void handlersRunSideBySide();
    void throwingHandlerKeepsItsChanges();
    void otherExceptionsAreInternalErrors();
    void slowActionIsAnsweredWithATimeout();
    void hooksRunInOrder();
    void inputReachesOnCreate();
    void missingInputFailsTheStart();
    void refusedClientGetsTheActorsError();
    void callWithoutConnectionPassesTheHooks();
    void failingOnSleepStillSleeps();
    void stateChangeHookSeesEachChangedTurn();
    void stateCannotBeChangedInItsOwnHook();
    void saveNowReturnsWhenDurable();
    void saveNowThrowsWhatTheStorageSays();
    void runTicksUntilAskedToFinish();
    void failedRunIsACrash();
    void schedulingWhatIsNoActionThrows();
    void callerIsTheConnection();
};

void tst_TypedActor::readmeCounterCounts()
{
    LiveActor actor(Counter::type());
    actor.start();
    Events events;
    const auto client = actor.connect(&events);
    client->subscribe(QStringLiteral("changed"), true);

    const auto answer = actor.call(QStringLiteral("increment"), {3, "ann"}, client);

    QCOMPARE(answer->value(), Value(3));
    QCOMPARE(events.log, QStringList{QStringLiteral("changed 3")});
    QCOMPARE(actor.call(QStringLiteral("value"))->value(), Value(3));
    QCOMPARE(actor.stored()["lastBy"], Value("ann"));
    QVERIFY(actor.call(QStringLiteral("reset"))->value().isUndefined());
    QCOMPARE(actor.stored()["count"], Value(0));
}

void tst_TypedActor::typeDescribesItsActions()
{
    const TypeDefinition type = Desk::type();

    const ActionDefinition *action = type.find(QStringLiteral("addLater"));
    QVERIFY(action != nullptr);
    QCOMPARE(action->parameters.size(), 2);
    QCOMPARE(action->parameters.at(0).name, QStringLiteral("by"));
    QCOMPARE(action->parameters.at(0).type, QStringLiteral("int"));
    QCOMPARE(action->parameters.at(1).type, QStringLiteral("text"));
    QCOMPARE(action->result, QStringLiteral("int"));
    QCOMPARE(action->help, QStringLiteral("Adds after a while."));
    QVERIFY(!action->query);
    QVERIFY(type.find(QStringLiteral("maybe"))->query);
    QVERIFY(type.find(QStringLiteral("maybe"))->parameters.at(1).optional);
    QCOMPARE(type.find(QStringLiteral("forever"))->result, QStringLiteral("none"));
    QCOMPARE(type.find(QStringLiteral("nothing")), nullptr);
    QCOMPARE(TypeDefinition(Counter::type()).events.at(0).types, QStringList{QStringLiteral("int")});
    QVERIFY(!TypeDefinition(Runner::type()).hasState);
}

void tst_TypedActor::missingArgumentNamesTheParameter()
{
    LiveActor actor(Counter::type());
    actor.start();

    const auto answer = actor.call(QStringLiteral("increment"), {3});

    QCOMPARE(answer->error(), QStringLiteral("actor/invalid_request"));
    QCOMPARE(answer->fullError().metadata()["parameter"], Value("who"));
    QVERIFY(answer->fullError().message().contains(QStringLiteral("\"who\" (text) is missing")));
    QCOMPARE(answer->fullError().actor()->actorId, QStringLiteral("actor1"));
}

void tst_TypedActor::tooManyArgumentsAreRefused()
{
    LiveActor actor(Counter::type());
    actor.start();

    const auto answer = actor.call(QStringLiteral("increment"), {3, "ann", 4});

    QCOMPARE(answer->error(), QStringLiteral("actor/invalid_request"));
    QVERIFY(answer->fullError().message().contains(QStringLiteral("takes 2 arguments (by, who), got 3")));
}

void tst_TypedActor::wrongKindNamesTheParameter()
{
    LiveActor actor(Counter::type());
    actor.start();

    const auto answer = actor.call(QStringLiteral("increment"), {"three", "ann"});

    QCOMPARE(answer->error(), QStringLiteral("actor/invalid_request"));
    QCOMPARE(answer->fullError().metadata()["parameter"], Value("by"));
    QCOMPARE(actor.call(QStringLiteral("value"))->value(), Value(0));
}

void tst_TypedActor::argumentsThatAreNoListAreRefused()
{
    LiveActor actor(Counter::type());
    actor.start();
    ActionCommand command;
    command.name = QStringLiteral("value");
    command.args = Value(1);
    QString code;
    command.reply = [&code](ActionOutcome &&outcome) { code = std::get<Error>(outcome.result).code(); };
    actor.task->dispatch(std::move(command));
    actor.env.runUntilIdle();

    QCOMPARE(code, QStringLiteral("invalid_request"));
}

void tst_TypedActor::optionalArgumentAtTheEndMayBeLeftOut()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);

    QCOMPARE(actor.call(QStringLiteral("maybe"), {"a"})->value(), Value("a"));
    QCOMPARE(actor.call(QStringLiteral("maybe"), {"a", nullptr})->value(), Value("a"));
    QCOMPARE(actor.call(QStringLiteral("maybe"), {"a", 7})->value(), Value("a7"));
}

void tst_TypedActor::unknownActionIsNotFound()
{
    LiveActor actor(Counter::type());
    actor.start();

    const auto answer = actor.call(QStringLiteral("incremnt"));

    QCOMPARE(answer->error(), QStringLiteral("actor/action_not_found"));
    QCOMPARE(answer->fullError().message(), QStringLiteral("action \"incremnt\" is not registered for \"counter\""));
}

void tst_TypedActor::queryNeverSaves()
{
    LiveActor actor(Counter::type());
    actor.start();
    const int commits = actor.disk.commits;

    actor.call(QStringLiteral("value"));

    QCOMPARE(actor.disk.commits, commits);
}

void tst_TypedActor::handlerThatWaitsKeepsItsArgumentsAndItsCause()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    actor.task->setWatched(true);
    const auto answer = actor.call(QStringLiteral("addLater"), {2, "a note that is longer than a small string"});
    QVERIFY(!answer->isIn());

    actor.env.advance(100ms);

    QCOMPARE(answer->value(), Value(2));
    QCOMPARE(actor.stored()["seen"].at(0), Value("a note that is longer than a small string"));
    QCOMPARE(actor.seen.changes.size(), std::size_t(3)); // created, before the wait, after it
    QCOMPARE(actor.seen.causes(actor.seen.changes.at(1)), QStringLiteral("action addLater"));
    QCOMPARE(actor.seen.causes(actor.seen.changes.at(2)), QStringLiteral("action addLater"));
    QCOMPARE(answer->outcome->firstSequence, quint64(2));
    QCOMPARE(answer->outcome->lastSequence, quint64(3));
}

void tst_TypedActor::handlersRunSideBySide()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    const auto first = actor.call(QStringLiteral("addLater"), {1, "a"});
    actor.env.advance(50ms);
    const auto second = actor.call(QStringLiteral("addLater"), {10, "b"});
    QCOMPARE(actor.awake(QStringLiteral("actions")), QStringLiteral("2 on addLater"));

    actor.env.advance(50ms);
    QVERIFY(first->isIn());
    QVERIFY(!second->isIn());
    actor.env.advance(50ms);

    QCOMPARE(first->value(), Value(11));
    QCOMPARE(second->value(), Value(11));
    QCOMPARE(actor.awake(QStringLiteral("actions")), QStringLiteral("0 off"));
}

void tst_TypedActor::throwingHandlerKeepsItsChanges()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);

    const auto answer = actor.call(QStringLiteral("addAndThrow"), {5});

    QCOMPARE(answer->error(), QStringLiteral("user/broken"));
    QCOMPARE(actor.stored()["total"], Value(5));
}

void tst_TypedActor::otherExceptionsAreInternalErrors()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);

    const auto answer = actor.call(QStringLiteral("throwSomethingElse"));

    QCOMPARE(answer->error(), QStringLiteral("core/internal_error"));
    QCOMPARE(answer->fullError().metadata()["error"], Value("plain"));
}

void tst_TypedActor::slowActionIsAnsweredWithATimeout()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    const auto answer = actor.call(QStringLiteral("forever"));

    actor.env.advance(1999ms);
    QVERIFY(!answer->isIn());
    actor.env.advance(1ms);

    QCOMPARE(answer->error(), QStringLiteral("actor/action_timed_out"));
    QCOMPARE(actor.awake(QStringLiteral("actions")), QStringLiteral("1 on forever")); // it still runs
}

void tst_TypedActor::hooksRunInOrder()
{
    LiveActor actor(Desk::type());
    actor.make();
    actor.begin();
    actor.env.runUntilIdle();
    QCOMPARE(actor.task->state(), LifecycleState::Starting);
    QCOMPARE(actor.task->runningHook(), QStringLiteral("onWake"));
    QVERIFY(!actor.startAnswered);
    const auto early = actor.call(QStringLiteral("who"));
    QVERIFY(!early->isIn());

    actor.env.advance(10ms);
    QVERIFY(actor.startAnswered);
    QVERIFY(early->isIn());
    const auto client = actor.connect(nullptr, Value("bob"));
    actor.close(client);
    actor.stop();
    actor.env.advance(100ms);
    QVERIFY(actor.stopAnswered);

    QStringList expected{QStringLiteral("onCreate -1"),   QStringLiteral("onWake"),          QStringLiteral("awake"),
                         QStringLiteral("onConnect "),    QStringLiteral("onConnect bob"),   QStringLiteral("onSleep"),
                         QStringLiteral("onDisconnect "), QStringLiteral("onDisconnect bob")};
    QStringList seen = Desk::hooks;
    expected.sort();
    seen.sort();
    QCOMPARE(seen, expected);
    QCOMPARE(Desk::hooks.first(), QStringLiteral("onCreate -1"));
    Desk::hooks.clear();
    actor.start();
    actor.env.advance(20ms);
    QCOMPARE(Desk::hooks, (QStringList{QStringLiteral("onWake"), QStringLiteral("awake")}));
}

void tst_TypedActor::inputReachesOnCreate()
{
    LiveActor actor(Desk::type());
    actor.disk.rows.input = encodeCbor<Value>(Value::map({{QStringLiteral("start"), Value(40)}}));
    actor.start();
    actor.env.advance(20ms);

    QCOMPARE(Desk::hooks.first(), QStringLiteral("onCreate 40"));
    QCOMPARE(actor.stored()["total"], Value(40));
    QVERIFY(actor.disk.rows.hasInitialized);
}

void tst_TypedActor::missingInputFailsTheStart()
{
    LiveActor actor(NeedsInput::type());
    actor.make();
    actor.begin();
    const auto waiting = actor.post(QStringLiteral("x"));
    actor.env.runUntilIdle();

    QCOMPARE(actor.startError->code(), QStringLiteral("missing_input"));
    QCOMPARE(actor.startError->actor()->actorId, QStringLiteral("actor1"));
    QCOMPARE(waiting->error(), QStringLiteral("actor/missing_input"));
    QVERIFY(!actor.disk.rows.hasInitialized);
    QCOMPARE(actor.disk.commits, 0);
    QVERIFY(actor.wishes.contains(QStringLiteral("ended")));
}

void tst_TypedActor::refusedClientGetsTheActorsError()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    Desk::refusesClients = true;

    const auto client = actor.connect(nullptr);

    QVERIFY(!client);
    QCOMPARE(actor.connectError->code(), QStringLiteral("unwelcome"));
    QCOMPARE(actor.task->connectionCount(), 0);
    QVERIFY(!Desk::hooks.contains(QStringLiteral("onDisconnect ")));
}

void tst_TypedActor::callWithoutConnectionPassesTheHooks()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);

    QCOMPARE(actor.call(QStringLiteral("maybe"), {"a"})->value(), Value("a"));
    actor.env.advance(20ms);
    QVERIFY(Desk::hooks.contains(QStringLiteral("onConnect ")));
    QVERIFY(Desk::hooks.contains(QStringLiteral("onDisconnect ")));

    Desk::refusesClients = true;
    QCOMPARE(actor.call(QStringLiteral("maybe"), {"a"})->error(), QStringLiteral("user/unwelcome"));
    QCOMPARE(actor.task->connectionCount(), 0);
}

void tst_TypedActor::failingOnSleepStillSleeps()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    Desk::failsToSleep = true;
    actor.stop();
    actor.env.runUntilIdle();

    QVERIFY(actor.stopAnswered);
    QVERIFY(!actor.stopError);
    QVERIFY(actor.seen.log.contains(QStringLiteral("note hookFailed")));
    QCOMPARE(actor.seen.transitions.constLast(), QStringLiteral("sleepFinalize>terminated saved"));
}

void tst_TypedActor::stateChangeHookSeesEachChangedTurn()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    Desk::stateChanges.clear();
    actor.post(QStringLiteral("addLater"), {1, "a"});
    actor.post(QStringLiteral("addLater"), {2, "b"});
    actor.env.runUntilIdle();

    QCOMPARE(Desk::stateChanges, (std::vector<int>{1, 3}));
}

void tst_TypedActor::stateCannotBeChangedInItsOwnHook()
{
    LiveActor actor(Mutator::type());
    actor.start();

    actor.call(QStringLiteral("add"), {2});

    QCOMPARE(Mutator::refused, QStringLiteral("state_mutation_reentrant"));
    QCOMPARE(actor.stored()["total"], Value(2));
}

void tst_TypedActor::saveNowReturnsWhenDurable()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    actor.disk.holdsBack = true;
    const auto answer = actor.call(QStringLiteral("saved"), {6});
    QVERIFY(!answer->isIn());

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);

    QCOMPARE(answer->value(), Value(6));
    QCOMPARE(actor.stored()["total"], Value(6));
}

void tst_TypedActor::saveNowThrowsWhatTheStorageSays()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    actor.disk.fault = Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("no space"));

    QCOMPARE(actor.call(QStringLiteral("saved"), {6})->error(), QStringLiteral("storage/full"));
}

void tst_TypedActor::runTicksUntilAskedToFinish()
{
    LiveActor actor(Runner::type());
    actor.start();
    actor.env.advance(3500ms);
    QCOMPARE(Runner::log, (QStringList{QStringLiteral("begin"), QStringLiteral("tick"), QStringLiteral("tick"),
                                       QStringLiteral("tick")}));
    QCOMPARE(actor.awake(QStringLiteral("runHandler")), QStringLiteral("1 on run"));
    QVERIFY(actor.wishes.isEmpty()); // it keeps the actor awake

    actor.stop();
    actor.env.runUntilIdle();

    QCOMPARE(Runner::log.constLast(), QStringLiteral("end"));
    QVERIFY(actor.stopAnswered);
}

void tst_TypedActor::failedRunIsACrash()
{
    LiveActor actor(Runner::type());
    Runner::fails = true;
    actor.start();
    actor.env.advance(1s);
    actor.env.runUntilIdle();

    QCOMPARE(actor.wishes, (QStringList{QStringLiteral("crashed: run gave up"), QStringLiteral("ended")}));
    QVERIFY(actor.seen.transitions.contains(QStringLiteral("started>sleepGrace crash")));
}

void tst_TypedActor::schedulingWhatIsNoActionThrows()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);

    QCOMPARE(actor.call(QStringLiteral("scheduleUnknown"))->error(), QStringLiteral("actor/action_not_found"));
}

void tst_TypedActor::callerIsTheConnection()
{
    LiveActor actor(Desk::type());
    actor.start();
    actor.env.advance(20ms);
    const auto client = actor.connect(nullptr, Value("zoe"));

    QCOMPARE(actor.call(QStringLiteral("who"), {}, client)->value(), Value("zoe"));
}

QTEST_GUILESS_MAIN(tst_TypedActor)
#include "tst_typed_actor.moc"
