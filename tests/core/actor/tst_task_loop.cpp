// What an actor serves first, how replies wait for saves, and what each turn's change is put down to.

#include "core/actor/live_actor.h"
#include "core/adapter/counter.h"

#include <QRandomGenerator>

using namespace terrarium;
using namespace std::chrono_literals;
using terrarium::testing::Answer;
using terrarium::testing::Events;
using terrarium::testing::LiveActor;

namespace {

struct LoopState {
    int total = 0;
    ACTOR_FIELDS(LoopState, total)
};

class Looper : public Actor<LoopState> {
public:
    using Actor::Actor;
    static constexpr Event<int> changed{"changed"};
    static constexpr Event<int> said{"said"};
    static inline Replies mode = Replies::Durable;

    int add(int by)
    {
        state().total += by;
        broadcast(changed, state().total);
        return state().total;
    }
    int touch()
    {
        state().total += 0;
        return std::as_const(*this).state().total;
    }
    int value() const { return state().total; }
    void say(int what) { broadcast(said, what); }
    Task<int> addSlowly(int by)
    {
        state().total += by;
        co_await delay(50ms);
        state().total += by;
        co_return state().total;
    }
    Task<int> addAfter(int by)
    {
        co_await delay(50ms);
        co_return by;
    }
    void kick(const QString &connection) { disconnect(connection, QStringLiteral("enough")); }

    static auto type()
    {
        return ActorType<Looper>("looper")
            .action("add", &Looper::add, {"by"})
            .action("touch", &Looper::touch)
            .action("value", &Looper::value)
            .action("say", &Looper::say, {"what"})
            .action("addSlowly", &Looper::addSlowly, {"by"})
            .action("addAfter", &Looper::addAfter, {"by"})
            .action("kick", &Looper::kick, {"connection"})
            .event(changed)
            .event(said)
            .replies(mode);
    }
};

} // namespace

class tst_TaskLoop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { Looper::mode = Replies::Durable; }

    void sourcesAreServedInTheirOrder();
    void stopIsServedBeforeCallsButDrainsThem();
    void callsWaitWhileTheActorStarts();
    void replyWaitsForItsSave();
    void broadcastComesBeforeItsReply();
    void queryRepliesAtOnceWhileASaveIsHeldBack();
    void queryNeverOvertakesOnItsOwnConnection();
    void touchedButUnchangedRepliesWithoutASave();
    void manyCallsOfOneTurnAreOneSave();
    void callsWhileASaveIsUnderWayRideTheNext();
    void failedSaveAnswersItsCallersAndIsTriedAgain();
    void handlerThatEndsAfterItsSaveFailedGetsTheError();
    void eventsOfAFailedSaveLeaveOnceItIsDurable();
    void queriesAreServedWhileSavesFail();
    void immediateRepliesDoNotWait();
    void immediateSavesAreThrottled();
    void eachTurnIsOneChangeWhileWatched();
    void unwatchedTurnsOfOneSaveAreOneChangeWithAllCauses();
    void unwatchedCallsKnowTheirChangeToo();
    void slowHandlerKnowsItsChanges();
    void overlayTellsChangesWithin50msWhileWatched();
    void savingCancelsTheOverlay();
    void overlayStopsWithTheWatcher();
    void eventWithoutSubscriberGoesNowhere();
    void unsubscribedConnectionGetsNothing();
    void kickedConnectionIsClosedWithItsReason();
    void changeAfterAForeignWaitIsSaved();
    void stateThatCannotBeEncodedIsAnErrorOfItsSave();
    void runHoldsTheTaskOnlyWhilePosted();
    void randomCallsNeverAcknowledgeWhatIsNotDurable();
};

void tst_TaskLoop::sourcesAreServedInTheirOrder()
{
    using Served = ActorTask::Served;
    LiveActor actor(Looper::type());
    actor.start();
    QCOMPARE(actor.task->nextSource(), Served::Nothing);

    actor.post(QStringLiteral("value"));
    QCOMPARE(actor.task->nextSource(), Served::Dispatch);
    actor.task->workChanged();
    QCOMPARE(actor.task->nextSource(), Served::Activity);
    actor.task->setWatched(true);
    QCOMPARE(actor.task->nextSource(), Served::Events);
    actor.task->fireAlarm([](const std::optional<Error> &) {});
    QCOMPARE(actor.task->nextSource(), Served::Lifecycle);

    actor.env.runUntilIdle();
    QCOMPARE(actor.task->nextSource(), Served::Nothing);
    QVERIFY(Served::Lifecycle < Served::Events && Served::Events < Served::Activity
            && Served::Activity < Served::GraceDeadline && Served::GraceDeadline < Served::Dispatch
            && Served::Dispatch < Served::SaveDeadline && Served::SaveDeadline < Served::OverlayDeadline
            && Served::OverlayDeadline < Served::SleepDeadline);
}

void tst_TaskLoop::stopIsServedBeforeCallsButDrainsThem()
{
    LiveActor actor(Looper::type());
    actor.start();
    const auto answer = actor.post(QStringLiteral("add"), {2});
    actor.stop();
    actor.env.runUntilIdle();

    QCOMPARE(answer->value(), Value(2));
    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.stored()["total"], Value(2));
}

void tst_TaskLoop::callsWaitWhileTheActorStarts()
{
    LiveActor actor(Looper::type());
    actor.make();
    const auto answer = actor.call(QStringLiteral("add"), {2});
    QVERIFY(!answer->isIn());
    QCOMPARE(actor.task->pendingDispatch(), 1);

    actor.begin();
    actor.env.runUntilIdle();
    QCOMPARE(answer->value(), Value(2));
}

void tst_TaskLoop::replyWaitsForItsSave()
{
    LiveActor actor(Looper::type());
    actor.start();
    actor.disk.holdsBack = true;
    const auto answer = actor.call(QStringLiteral("add"), {2});

    QVERIFY(!answer->isIn());
    QVERIFY(actor.seen.log.contains(QStringLiteral("call add ok"))); // the handler is done
    QVERIFY(actor.task->unsavedSince() != 0);

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);
    QCOMPARE(answer->value(), Value(2));
    QCOMPARE(actor.task->unsavedSince(), 0);
}

void tst_TaskLoop::broadcastComesBeforeItsReply()
{
    LiveActor actor(Looper::type());
    actor.start();
    Events events;
    const auto client = actor.connect(&events);
    client->subscribe(QStringLiteral("changed"), true);
    actor.disk.holdsBack = true;
    ActionCommand command;
    command.name = QStringLiteral("add");
    command.args = Value::array({2});
    command.connection = client;
    command.reply = [&events](ActionOutcome &&) { events.log << QStringLiteral("reply"); };
    actor.task->dispatch(std::move(command));
    actor.env.runUntilIdle();
    QVERIFY(events.log.isEmpty());

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);
    QCOMPARE(events.log, (QStringList{QStringLiteral("changed 2"), QStringLiteral("reply")}));
}

void tst_TaskLoop::queryRepliesAtOnceWhileASaveIsHeldBack()
{
    LiveActor actor(Looper::type());
    actor.start();
    actor.disk.holdsBack = true;
    const auto first = actor.call(QStringLiteral("add"), {2});
    const auto query = actor.call(QStringLiteral("value"));

    QVERIFY(!first->isIn());
    QCOMPARE(query->value(), Value(2));
}

void tst_TaskLoop::queryNeverOvertakesOnItsOwnConnection()
{
    LiveActor actor(Looper::type());
    actor.start();
    const auto client = actor.connect(nullptr);
    const auto other = actor.connect(nullptr);
    actor.disk.holdsBack = true;
    actor.call(QStringLiteral("add"), {2}, client);
    const auto query = actor.call(QStringLiteral("value"), {}, client);
    const auto elsewhere = actor.call(QStringLiteral("value"), {}, other);
    QVERIFY(!query->isIn());
    QVERIFY(elsewhere->isIn());

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);
    QCOMPARE(actor.answers, (QList<int>{3, 1, 2}));
}

void tst_TaskLoop::touchedButUnchangedRepliesWithoutASave()
{
    LiveActor actor(Looper::type());
    actor.start();
    actor.disk.holdsBack = true;
    const int changes = int(actor.seen.changes.size());

    QCOMPARE(actor.call(QStringLiteral("touch"))->value(), Value(0));
    QCOMPARE(int(actor.seen.changes.size()), changes);
    QVERIFY(actor.disk.pending.empty());
    QCOMPARE(actor.task->unsavedSince(), 0);
}

void tst_TaskLoop::manyCallsOfOneTurnAreOneSave()
{
    LiveActor actor(Looper::type());
    actor.start();
    const int writes = actor.disk.stateWrites;
    QList<std::shared_ptr<Answer>> answers;
    for (int i = 0; i < 20; ++i)
        answers << actor.post(QStringLiteral("add"), {1});
    actor.env.runUntilIdle();

    QCOMPARE(actor.disk.stateWrites, writes + 1);
    QCOMPARE(answers.constLast()->value(), Value(20));
}

void tst_TaskLoop::callsWhileASaveIsUnderWayRideTheNext()
{
    LiveActor actor(Looper::type());
    actor.start();
    actor.disk.holdsBack = true;
    const int writes = actor.disk.stateWrites;
    actor.call(QStringLiteral("add"), {1});
    for (int i = 0; i < 5; ++i)
        actor.call(QStringLiteral("add"), {1});
    QCOMPARE(actor.disk.pending.size(), std::size_t(1)); // one save at a time
    QVERIFY(actor.answers.isEmpty());

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);
    QCOMPARE(actor.disk.stateWrites, writes + 2);
    QCOMPARE(actor.answers.size(), 6);
    QCOMPARE(actor.stored()["total"], Value(6));
}

void tst_TaskLoop::failedSaveAnswersItsCallersAndIsTriedAgain()
{
    LiveActor actor(Looper::type());
    actor.start();
    actor.disk.fault = Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("no space"));
    const auto answer = actor.call(QStringLiteral("add"), {2});

    QCOMPARE(answer->error(), QStringLiteral("storage/full"));
    QCOMPARE(answer->fullError().actor()->actorId, QStringLiteral("actor1"));
    QCOMPARE(actor.call(QStringLiteral("value"))->value(), Value(2)); // memory stays ahead
    QVERIFY(actor.task->unsavedSince() != 0);
    QVERIFY(actor.seen.log.contains(QStringLiteral("note saveFailed")));
    const auto attempts = actor.seen.log.count(QStringLiteral("note saveFailed"));

    actor.env.advance(3500ms);
    QCOMPARE(actor.seen.log.count(QStringLiteral("note saveFailed")), attempts + 3); // once per interval
    actor.disk.fault.reset();
    actor.env.advance(1s);
    QCOMPARE(actor.stored()["total"], Value(2));
    QCOMPARE(actor.task->unsavedSince(), 0);
}

void tst_TaskLoop::handlerThatEndsAfterItsSaveFailedGetsTheError()
{
    LiveActor actor(Looper::type());
    actor.start();
    actor.disk.fault = Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("no space"));
    const auto answer = actor.call(QStringLiteral("addSlowly"), {2});
    QVERIFY(!answer->isIn());
    actor.env.advance(50ms);

    QCOMPARE(answer->error(), QStringLiteral("storage/full"));
}

void tst_TaskLoop::eventsOfAFailedSaveLeaveOnceItIsDurable()
{
    LiveActor actor(Looper::type());
    actor.start();
    Events events;
    const auto client = actor.connect(&events);
    client->subscribe(QStringLiteral("changed"), true);
    actor.disk.fault = Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("no space"));
    actor.call(QStringLiteral("add"), {2}, client);
    QVERIFY(events.log.isEmpty());

    actor.disk.fault.reset();
    actor.env.advance(1s);
    QCOMPARE(events.log, QStringList{QStringLiteral("changed 2")});
}

void tst_TaskLoop::queriesAreServedWhileSavesFail()
{
    LiveActor actor(Looper::type());
    actor.start();
    Events events;
    const auto client = actor.connect(&events);
    client->subscribe(QStringLiteral("changed"), true);
    actor.disk.fault = Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("no space"));
    actor.call(QStringLiteral("add"), {2}, client);

    QCOMPARE(actor.call(QStringLiteral("value"), {}, client)->value(), Value(2));
}

void tst_TaskLoop::immediateRepliesDoNotWait()
{
    Looper::mode = Replies::Immediate;
    LiveActor actor(Looper::type());
    actor.start();
    Events events;
    const auto client = actor.connect(&events);
    client->subscribe(QStringLiteral("changed"), true);
    actor.disk.holdsBack = true;

    QCOMPARE(actor.call(QStringLiteral("add"), {2}, client)->value(), Value(2));
    QCOMPARE(events.log, QStringList{QStringLiteral("changed 2")});
    QVERIFY(actor.task->unsavedSince() != 0);
}

void tst_TaskLoop::immediateSavesAreThrottled()
{
    Looper::mode = Replies::Immediate;
    LiveActor actor(Looper::type());
    actor.start();
    actor.env.advance(5s);
    const int writes = actor.disk.stateWrites;
    actor.call(QStringLiteral("add"), {1}); // an interval since the last save: now
    actor.env.advance(0ms);
    QCOMPARE(actor.disk.stateWrites, writes + 1);

    actor.call(QStringLiteral("add"), {1});
    actor.env.advance(999ms);
    QCOMPARE(actor.disk.stateWrites, writes + 1);
    actor.env.advance(1ms);
    QCOMPARE(actor.disk.stateWrites, writes + 2);
    QCOMPARE(actor.stored()["total"], Value(2));
}

void tst_TaskLoop::eachTurnIsOneChangeWhileWatched()
{
    LiveActor actor(Looper::type());
    actor.start();
    actor.task->setWatched(true);
    const auto before = actor.seen.changes.size();
    const auto first = actor.post(QStringLiteral("add"), {1});
    const auto second = actor.post(QStringLiteral("add"), {1});
    actor.env.runUntilIdle();

    QCOMPARE(actor.seen.changes.size(), before + 2);
    QCOMPARE(actor.seen.changes.back().causes.size(), 1);
    QCOMPARE(first->outcome->lastSequence + 1, second->outcome->firstSequence);
    QCOMPARE(actor.disk.stateWrites, 2); // the start's and one for both
}

void tst_TaskLoop::unwatchedTurnsOfOneSaveAreOneChangeWithAllCauses()
{
    LiveActor actor(Looper::type());
    actor.start();
    const auto before = actor.seen.changes.size();
    actor.post(QStringLiteral("add"), {1});
    actor.post(QStringLiteral("touch"));
    actor.post(QStringLiteral("add"), {1});
    actor.env.runUntilIdle();

    QCOMPARE(actor.seen.changes.size(), before + 1);
    QCOMPARE(actor.seen.causes(actor.seen.changes.back()), QStringLiteral("action add, action touch, action add"));
    QVERIFY(actor.seen.savedRevision >= actor.seen.changes.back().saveRevision);
}

void tst_TaskLoop::unwatchedCallsKnowTheirChangeToo()
{
    LiveActor actor(Looper::type());
    actor.start();
    const auto answer = actor.call(QStringLiteral("add"), {1});
    const auto query = actor.call(QStringLiteral("value"));

    QCOMPARE(answer->outcome->firstSequence, actor.seen.sequence);
    QCOMPARE(answer->outcome->lastSequence, actor.seen.sequence);
    QCOMPARE(query->outcome->firstSequence, quint64(0));
}

void tst_TaskLoop::slowHandlerKnowsItsChanges()
{
    LiveActor actor(Looper::type());
    actor.start();
    const quint64 before = actor.seen.sequence;
    const auto answer = actor.call(QStringLiteral("addSlowly"), {2});
    actor.env.advance(50ms);

    QCOMPARE(answer->outcome->firstSequence, before + 1);
    QCOMPARE(answer->outcome->lastSequence, before + 2);
}

void tst_TaskLoop::overlayTellsChangesWithin50msWhileWatched()
{
    Looper::mode = Replies::Immediate;
    LiveActor actor(Looper::type());
    actor.start();
    actor.call(QStringLiteral("add"), {1}); // its save is a second away
    actor.task->setWatched(true);
    actor.env.runUntilIdle();
    const auto before = actor.seen.changes.size();
    const int writes = actor.disk.stateWrites;
    actor.call(QStringLiteral("add"), {1});
    actor.env.advance(30ms);
    actor.call(QStringLiteral("add"), {1});
    QCOMPARE(actor.seen.changes.size(), before);
    actor.env.advance(20ms); // never extended

    QCOMPARE(actor.seen.changes.size(), before + 1);
    QCOMPARE(decodeCbor<Value>(actor.seen.changes.back().state)["total"], Value(3));
    QCOMPARE(actor.disk.stateWrites, writes); // nothing is written for it
    QVERIFY(actor.task->unsavedSince() != 0);
}

void tst_TaskLoop::savingCancelsTheOverlay()
{
    Looper::mode = Replies::Immediate;
    LiveActor actor(Looper::type());
    actor.start();
    actor.task->setWatched(true);
    actor.env.advance(5s);
    const auto before = actor.seen.changes.size();
    actor.call(QStringLiteral("add"), {1});
    actor.env.advance(200ms);

    QCOMPARE(actor.seen.changes.size(), before + 1); // told by the save alone
    QCOMPARE(actor.stored()["total"], Value(1));
}

void tst_TaskLoop::overlayStopsWithTheWatcher()
{
    Looper::mode = Replies::Immediate;
    LiveActor actor(Looper::type());
    actor.start();
    actor.task->setWatched(true);
    const auto before = actor.seen.changes.size();
    actor.call(QStringLiteral("add"), {1});
    actor.task->setWatched(false);
    actor.env.advance(200ms);
    QCOMPARE(actor.seen.changes.size(), before);
    actor.env.advance(1s);
    QCOMPARE(actor.seen.changes.size(), before + 1);
}

void tst_TaskLoop::eventWithoutSubscriberGoesNowhere()
{
    LiveActor actor(Looper::type());
    actor.start();
    Events events;
    actor.connect(&events);
    actor.call(QStringLiteral("say"), {1});
    QVERIFY(events.log.isEmpty());
}

void tst_TaskLoop::unsubscribedConnectionGetsNothing()
{
    LiveActor actor(Looper::type());
    actor.start();
    Events events;
    const auto client = actor.connect(&events);
    QVERIFY(client->subscribe(QStringLiteral("said"), true));
    QVERIFY(!client->subscribe(QStringLiteral("said"), true));
    actor.call(QStringLiteral("say"), {1});
    QVERIFY(client->subscribe(QStringLiteral("said"), false));
    actor.call(QStringLiteral("say"), {2});

    QCOMPARE(events.log, QStringList{QStringLiteral("said 1")});
}

void tst_TaskLoop::kickedConnectionIsClosedWithItsReason()
{
    LiveActor actor(Looper::type());
    actor.start();
    Events events;
    const auto client = actor.connect(&events);
    QCOMPARE(actor.task->connectionCount(), 1);
    actor.call(QStringLiteral("kick"), {client->id()});

    QCOMPARE(events.log, QStringList{QStringLiteral("closed 1000 enough")});
    QCOMPARE(actor.task->connectionCount(), 0);
    QVERIFY(!client->isOpen());
}

void tst_TaskLoop::changeAfterAForeignWaitIsSaved()
{
    // A wait that is not ours: it resumes the handler from wherever it ends, outside of the actor's turns.
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
    class Abroad : public Actor<LoopState> {
    public:
        using Actor::Actor;
        Task<int> fetch()
        {
            Foreign::Awaiter away{&foreign};
            co_await away;
            state().total = 42;
            co_return 42;
        }
        static auto type() { return ActorType<Abroad>("abroad").action("fetch", &Abroad::fetch); }
    };
    LiveActor actor(Abroad::type());
    actor.start();
    actor.disk.holdsBack = true;
    const auto answer = actor.call(QStringLiteral("fetch"));
    foreign.handle.resume();
    actor.env.runUntilIdle();
    QVERIFY(!answer->isIn());

    actor.disk.holdsBack = false;
    actor.env.advance(1ms);
    QCOMPARE(answer->value(), Value(42));
    QCOMPARE(actor.stored()["total"], Value(42));
    QCOMPARE(actor.seen.causes(actor.seen.changes.back()), QStringLiteral("action fetch"));
}

void tst_TaskLoop::stateThatCannotBeEncodedIsAnErrorOfItsSave()
{
    struct Endless {
        std::chrono::hours span{0};
        ACTOR_FIELDS(Endless, span)
    };
    class Clock : public Actor<Endless> {
    public:
        using Actor::Actor;
        void set(qint64 hours) { state().span = std::chrono::hours(hours); }
        static auto type() { return ActorType<Clock>("clock").action("set", &Clock::set, {"hours"}); }
    };
    LiveActor actor(Clock::type());
    actor.start();
    actor.task->setWatched(true);
    const QByteArray before = actor.disk.rows.state;

    const auto answer = actor.call(QStringLiteral("set"), {qint64(INT64_MAX)});
    QCOMPARE(answer->error(), QStringLiteral("value/out_of_range"));
    QCOMPARE(actor.disk.rows.state, before);
    QVERIFY(actor.task->unsavedSince() != 0);

    QCOMPARE(actor.call(QStringLiteral("set"), {2})->error(), QString());
    QCOMPARE(actor.stored()["span"], Value(7'200'000));
}

void tst_TaskLoop::runHoldsTheTaskOnlyWhilePosted()
{
    LiveActor actor(Looper::type());
    actor.start();
    std::weak_ptr<ActorTask> weak = actor.task;
    actor.post(QStringLiteral("value"));
    actor.task.reset();
    QVERIFY(!weak.expired());
    actor.env.runUntilIdle();
    QVERIFY(weak.expired());
}

// Calls, saves that are held back or fail, and stops at random. Whatever is acknowledged is on disk; whatever is on
// disk was asked for.
void tst_TaskLoop::randomCallsNeverAcknowledgeWhatIsNotDurable()
{
    const QByteArray given = qgetenv("TERRARIUM_SEED");
    const quint64 base = given.isEmpty() ? 20260101 : given.toULongLong();
    for (quint64 round = 0; round < 40; ++round) {
        const quint64 seed = base + round;
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        QRandomGenerator chance{quint32(seed)};
        LiveActor actor(Looper::type(), seed);
        actor.start();
        int asked = 0;
        for (int step = 0; step < 200; ++step) {
            switch (chance.bounded(8)) {
            case 0: actor.disk.holdsBack = !actor.disk.holdsBack; break;
            case 1:
                actor.disk.fault = chance.bounded(2) == 0 ? std::optional<Error>(
                                       Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("x")))
                                                          : std::nullopt;
                break;
            case 2: actor.env.advance(std::chrono::milliseconds(chance.bounded(700))); break;
            case 3: actor.env.runOne(); break;
            default: {
                ++asked;
                ActionCommand command;
                command.name = chance.bounded(3) == 0 ? QStringLiteral("addSlowly") : QStringLiteral("add");
                command.args = Value::array({1});
                const bool slow = command.name != QLatin1String("add");
                asked += slow ? 1 : 0;
                command.reply = [&actor, seed](ActionOutcome &&outcome) {
                    const auto *value = std::get_if<Value>(&outcome.result);
                    if (value == nullptr)
                        return;
                    if (actor.stored()["total"].toInt() < value->toInt())
                        QFAIL(qPrintable(QStringLiteral("seed %1: %2 acknowledged, %3 on disk")
                                             .arg(seed)
                                             .arg(value->toInt())
                                             .arg(actor.stored()["total"].toInt())));
                };
                actor.task->dispatch(std::move(command));
                break;
            }
            }
            if (QTest::currentTestFailed())
                return;
        }
        actor.disk.fault.reset();
        actor.disk.holdsBack = false;
        actor.env.advance(5s);
        actor.stop();
        actor.env.runUntilIdle();
        QVERIFY(actor.stopAnswered);
        QCOMPARE(actor.stored()["total"], Value(asked));
    }
}

QTEST_GUILESS_MAIN(tst_TaskLoop)
#include "tst_task_loop.moc"
