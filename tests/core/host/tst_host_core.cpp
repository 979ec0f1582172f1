#include "host_fixture.h"

#include <QTemporaryDir>

using namespace terrarium;
using namespace hosttest;
using terrarium::testing::SimulatedEnvironment;
using wire::ActorStatus;

namespace {

/// The next piece of work, or, when there is none, to the next deadline without running anything yet.
void runOneOrMoveOn(SimulatedEnvironment &env)
{
    if (env.runOne())
        return;
    if (const auto next = env.clock().timers().next())
        env.clock().moveTo(*next);
}

} // namespace

class tst_HostCore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        Brittle::startsToRefuse = 0;
        Brittle::starts = 0;
        Brittle::runsToFail = 0;
        Slow::destroys = 0;
    }

    void getOrCreateFindsWhatItMade()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();

        const auto [first, created] = host->getOrCreate("counter", ActorKey("a"), std::nullopt, Cause("create"));
        const auto [second, createdAgain] = host->getOrCreate("counter", ActorKey("a"), std::nullopt, Cause("create"));

        QVERIFY(created);
        QVERIFY(!createdAgain);
        QCOMPARE(first.id, second.id);
        QCOMPARE(first.id.size(), 30);
        QCOMPARE(host->actorCount(), 1);
        QCOMPARE(host->find("counter", ActorKey("a"))->id, first.id);
        QVERIFY(!host->find("counter", ActorKey("b")));
        QVERIFY_THROWS_EXCEPTION(Error, host->create("counter", ActorKey("a"), std::nullopt, Cause("create")));
        QVERIFY_THROWS_EXCEPTION(Error, host->getOrCreate("unknown", ActorKey("a"), std::nullopt, Cause("create")));
        QVERIFY_THROWS_EXCEPTION(
            Error, host->getOrCreate("counter", ActorKey(QString(129, 'x')), std::nullopt, Cause("create")));
    }

    void twoCallsToOneNewActorMeetTheSameActor()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();

        const int first = host.begin(host.actor("counter", "a").id, "increment", {1});
        const int second = host.begin(host.actor("counter", "a").id, "increment", {1});
        env.runUntilIdle();

        QVERIFY(host.outcomes[first]->ok());
        QVERIFY(host.outcomes[second]->ok());
        QCOMPARE(host.number(host.actor("counter", "a").id, "value"), 2);
        QVERIFY(host.outcomes[first]->woke);
        QCOMPARE(host->actorCount(), 1);
    }

    void aCallNeverAnswersInsideItself()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        host.call(id, "value");

        const int number = host.begin(id, "value");
        const int missing = host.begin("nobody", "value");

        QVERIFY(!host.outcomes[number]);
        QVERIFY(!host.outcomes[missing]);
        env.runUntilIdle();
        QCOMPARE(Host::codeOf(*host.outcomes[missing]), QString("actor/not_found"));
    }

    void aCallWakesASleepingActorWithItsState()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        QCOMPARE(host.number(id, "increment", {3}), 3);
        env.advance(3s);
        QCOMPARE(host.status(id), ActorStatus::sleeping);

        const CallOutcome outcome = host.call(id, "value");

        QVERIFY(outcome.woke);
        QCOMPARE(std::get<Value>(outcome.result), Value(3));
        QCOMPARE(host.status(id), ActorStatus::running);
        QCOMPARE(host->findById(id)->generation, 2u);
        QVERIFY(!host.call(id, "value").woke);
    }

    void sleepsAtTwoSecondsWhileEverySectionWatches()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        host.call(id, "increment", {1});
        Watcher watcher;
        host->addWatcher(&watcher);
        host->subscribe(&watcher, id);

        for (int i = 0; i < 19; ++i) {
            env.advance(100ms);
            host->snapshot(id);
            host->summaries();
        }
        QCOMPARE(host.status(id), ActorStatus::running);
        env.advance(200ms);

        QCOMPARE(host.status(id), ActorStatus::sleeping);
        env.advance(1s);
        QCOMPARE(watcher.actors.value(id).status, ActorStatus::sleeping);
        QCOMPARE(watcher.forecast.kind, QString("asleep"));
        host->removeWatcher(&watcher);
    }

    void lookingAtASleepingActorDoesNotWakeIt()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        host.call(id, "increment", {7});
        env.advance(3s);
        Watcher watcher;
        host->addWatcher(&watcher);

        const wire::Snapshot snapshot = host->subscribe(&watcher, id).snapshot;
        env.advance(10s);

        QVERIFY(!snapshot.live);
        QCOMPARE(cbor::decode(snapshot.state)["count"], Value(7));
        QVERIFY(snapshot.savedAt > 0);
        QCOMPARE(host.status(id), ActorStatus::sleeping);
        QCOMPARE(host->findById(id)->generation, 1u);
        host->removeWatcher(&watcher);
    }

    void aWatcherSeesEveryChangeInOrderWithItsCause()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        host.call(id, "increment", {1});
        Watcher watcher;
        host->addWatcher(&watcher);
        const wire::Snapshot snapshot = host->subscribe(&watcher, id).snapshot;
        Value state = cbor::decode(snapshot.state);

        host.begin(id, "increment", {1});
        host.begin(id, "increment", {2});
        env.runUntilIdle();

        const auto deltas = watcher.bodies<wire::DeltaRecord>();
        QCOMPARE(deltas.size(), 2);
        quint64 sequence = snapshot.sequence;
        for (const wire::DeltaRecord &record : deltas) {
            QCOMPARE(record.base, sequence);
            QCOMPARE(record.sequence, ++sequence);
            QCOMPARE(record.causes, QList<Cause>{Cause("action", "increment")});
            state = delta::apply(state, record.ops);
        }
        QCOMPARE(state["count"], Value(4));
        quint64 position = snapshot.position;
        for (const wire::Record &record : watcher.records)
            QCOMPARE(record.position, ++position);
        QCOMPARE(watcher.bodies<wire::CallRecord>().size(), 2);
        QCOMPARE(watcher.bodies<wire::CallRecord>().constLast().lastSequence, sequence);
        QCOMPARE(watcher.bodies<wire::SavedRecord>().constLast().sequence, sequence);
        host->removeWatcher(&watcher);
    }

    void theListIsToldAtMostEvery50Milliseconds()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        host.call(id, "increment", {1});
        Watcher watcher;
        host->addWatcher(&watcher);

        for (int i = 0; i < 100; ++i) {
            host.begin(id, "increment", {1});
            env.advance(1ms);
        }

        QVERIFY2(watcher.beats <= 3, qPrintable(QString::number(watcher.beats)));
        QVERIFY(watcher.beats >= 1);
        env.advance(60ms);
        QVERIFY(watcher.actors.value(id).actionRate > 10);
        const int beats = watcher.beats;
        env.advance(1500ms);
        host->removeWatcher(&watcher);
        const int last = watcher.beats;
        host.call(id, "increment", {1});
        env.advance(1s);
        QCOMPARE(watcher.beats, last);
        QVERIFY(last >= beats);
    }

    void aReconnectingWatcherGetsWhatItMissed()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        host.call(id, "increment", {1});
        Watcher first;
        host->addWatcher(&first);
        host->subscribe(&first, id);
        host.call(id, "increment", {1});
        const quint64 seen = first.records.constLast().position;
        host->removeWatcher(&first);
        host.call(id, "increment", {1});
        Watcher second;
        host->addWatcher(&second);

        const wire::Subscribed subscribed = host->subscribe(&second, id, seen);

        QVERIFY(subscribed.resumed);
        QCOMPARE(subscribed.snapshot.records.constFirst().position, seen + 1);
        QCOMPARE(subscribed.snapshot.records.constLast().position, subscribed.snapshot.position);
        QVERIFY(!host->subscribe(&second, id, seen + 1000).resumed);
        host->removeWatcher(&second);
    }

    void requestsToAStoppingActorReachTheNextIncarnation()
    {
        for (quint64 seed = 1; seed <= 20; ++seed) {
            SimulatedEnvironment env(seed);
            Host host(env);
            host->open();
            const QString id = host.actor("slow", "a").id;
            QCOMPARE(host.number(id, "increment"), 1);
            host->sleep(id, Cause("inspector"), [](std::optional<Error>) {});

            // At any step of the way down somebody may ask.
            QList<int> asked;
            for (int i = 0; i < 200; ++i) {
                if (env.environment().random.below(6) == 0)
                    asked.append(host.begin(id, "increment"));
                runOneOrMoveOn(env);
            }
            env.advance(10s);
            env.runUntilIdle();

            for (const int number : asked) {
                QVERIFY2(host.outcomes[number], qPrintable(QString("seed %1, call %2").arg(seed).arg(number)));
                QVERIFY2(host.outcomes[number]->ok(),
                         qPrintable(QString("seed %1: %2").arg(seed).arg(Host::codeOf(*host.outcomes[number]))));
            }
            QCOMPARE(host.number(id, "increment"), int(asked.size()) + 2);
        }
    }

    void aCallAtAnyStepOfAStopIsDoneOnce()
    {
        for (int asking = 0; asking < 60; ++asking) {
            SimulatedEnvironment env;
            Host host(env);
            host->open();
            const QString id = host.actor("slow", "a").id;
            QCOMPARE(host.number(id, "increment"), 1);
            host->sleep(id, Cause("inspector"), [](std::optional<Error>) {});

            int asked = -1;
            for (int step = 0; step < 60; ++step) {
                if (step == asking)
                    asked = host.begin(id, "increment");
                runOneOrMoveOn(env);
            }
            env.advance(10s);

            QVERIFY2(host.outcomes[asked] && host.outcomes[asked]->ok(),
                     qPrintable(QString("asked at step %1").arg(asking)));
            QCOMPARE(std::get<Value>(host.outcomes[asked]->result), Value(2));
            QCOMPARE(host.storedCount(id), 2);
        }
    }

    void anActorCanAskForItsOwnSleep()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;

        QVERIFY(host.call(id, "goToSleep").ok());

        QCOMPARE(host.status(id), ActorStatus::sleeping);
        const auto records = host->snapshot(id).records;
        bool said = false;
        for (const auto &record : records) {
            const auto *transition = std::get_if<wire::TransitionRecord>(&record.body);
            said = said || (transition != nullptr && transition->reason == QLatin1String("self"));
        }
        QVERIFY(said);
    }

    void sleepWakeAndRestartAnswerWhenDone()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("slow", "a").id;
        const Cause cause("inspector", "me");

        QCOMPARE(host.wait([&](DoneReply done) { host->sleep(id, cause, done); }), QString());
        QCOMPARE(host.wait([&](DoneReply done) { host->wake(id, cause, done); }), QString());
        QCOMPARE(host.status(id), ActorStatus::running);
        QCOMPARE(host.wait([&](DoneReply done) { host->sleep(id, cause, done); }), QString());
        QCOMPARE(host.status(id), ActorStatus::sleeping);
        QCOMPARE(host.wait([&](DoneReply done) { host->restart(id, cause, done); }), QString());
        QCOMPARE(host.status(id), ActorStatus::running);
        QCOMPARE(host->findById(id)->generation, 2u);
        QCOMPARE(host.wait([&](DoneReply done) { host->restart(id, cause, done); }), QString());
        QCOMPARE(host->findById(id)->generation, 3u);
        QCOMPARE(host.wait([&](DoneReply done) { host->wake("nobody", cause, done); }), QString("actor/not_found"));
        QCOMPARE(host.wait([&](DoneReply done) { host->sleep("nobody", cause, done); }), QString("actor/not_found"));
    }

    void destroyRemovesTheActorAndAnswersTwice()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("slow", "a").id;
        host.call(id, "increment");

        QCOMPARE(host.wait([&](DoneReply done) { host->destroy(id, Cause("inspector"), done); }), QString());

        QCOMPARE(Slow::destroys, 1);
        QVERIFY(!host->find("slow", ActorKey("a")));
        QCOMPARE(host->actorCount(), 0);
        QCOMPARE(host.status(id), ActorStatus::destroyed);
        QCOMPARE(host.error(id, "increment"), QString("actor/not_found"));
        QCOMPARE(host.wait([&](DoneReply done) { host->destroy(id, Cause("inspector"), done); }), QString());
        QVERIFY(host.actor("slow", "a").id != id);
    }

    void destroyOfASleepingActorRunsItsHook()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString slow = host.actor("slow", "a").id;
        const QString counter = host.actor("counter", "a").id;
        host.call(slow, "increment");
        host.call(counter, "increment", {1});
        env.advance(10s);
        QCOMPARE(host.status(slow), ActorStatus::sleeping);

        QCOMPARE(host.wait([&](DoneReply done) { host->destroy(slow, Cause("inspector"), done); }), QString());
        QCOMPARE(host.wait([&](DoneReply done) { host->destroy(counter, Cause("inspector"), done); }), QString());

        QCOMPARE(Slow::destroys, 1);
        QCOMPARE(host->actorCount(), 0);
        QCOMPARE(host->findById(counter)->generation, 1u);
    }

    void aDestroyDuringSleepIsRemembered()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("slow", "a").id;
        host.call(id, "increment");
        host->sleep(id, Cause("inspector"), [](std::optional<Error>) {});
        env.runUntilIdle();
        QCOMPARE(host.status(id), ActorStatus::sleepGrace);

        const QString answer = host.wait([&](DoneReply done) { host->destroy(id, Cause("inspector"), done); });

        QCOMPARE(answer, QString());
        QCOMPARE(host->actorCount(), 0);
        QCOMPARE(host.status(id), ActorStatus::destroyed);
    }

    void anActorCanDestroyItself()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;

        host.call(id, "vanish");

        QCOMPARE(host->actorCount(), 0);
        QCOMPARE(host.status(id), ActorStatus::destroyed);
    }

    void aFailedStartAnswersTheCallAndIsShownAsCrashed()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("brittle", "a").id;
        Brittle::startsToRefuse = 1;

        QCOMPARE(host.error(id, "value"), QString("brittle/start"));

        QCOMPARE(host.status(id), ActorStatus::crashed);
        QCOMPARE(host->snapshot(id).summary.lastError->code, QString("start"));
        env.advance(1min);
        QCOMPARE(Brittle::starts, 1); // only when somebody asks
    }

    void afterACrashTheNextStartWaits()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("brittle", "a").id;
        Brittle::startsToRefuse = 2;
        host.call(id, "value");

        const int second = host.begin(id, "value");
        env.runUntilIdle();
        QCOMPARE(host.status(id), ActorStatus::backoff);
        QVERIFY(host->snapshot(id).summary.deadline > env.clock().wallMs());
        env.advance(500ms);
        QCOMPARE(Host::codeOf(*host.outcomes[second]), QString("brittle/start"));
        const int third = host.begin(id, "value");
        env.advance(500ms);
        QVERIFY(!host.outcomes[third]); // twice as long
        env.advance(500ms);

        QVERIFY(host.outcomes[third]->ok());
        QCOMPARE(Brittle::starts, 3);
    }

    void anInspectorsWakeDoesNotWaitForTheRetry()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("brittle", "a").id;
        Brittle::startsToRefuse = 1;
        host.call(id, "value");
        const int waiting = host.begin(id, "value");
        env.runUntilIdle();
        QVERIFY(!host.outcomes[waiting]);

        host->wake(id, Cause("inspector"), [](std::optional<Error>) {});
        env.runUntilIdle();

        QVERIFY(host.outcomes[waiting]->ok());
    }

    void aFailingRunStopsTheActorAsCrashed()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("brittle", "a").id;
        Brittle::runsToFail = 1;

        host.begin(id, "value");
        env.advance(10ms);

        QCOMPARE(host.status(id), ActorStatus::crashed);
        QCOMPARE(host->snapshot(id).summary.lastError->code, QString("run"));
        env.advance(1s);
        QCOMPARE(host.number(id, "value"), 0);
        QCOMPARE(host.status(id), ActorStatus::running);
    }

    void stopLetsEveryActorSleepAndKeepsTheirState()
    {
        QTemporaryDir folder;
        SimulatedEnvironment env;
        QString counter;
        QString slow;
        {
            Host host(env, folder.path());
            host->open();
            counter = host.actor("counter", "a").id;
            slow = host.actor("slow", "a").id;
            host.call(counter, "increment", {5});
            host.call(slow, "increment");
            QSignalSpy stopping(host.core.get(), &HostCore::stopping);

            QCOMPARE(host.stop(), QString());

            QCOMPARE(stopping.size(), 1);
            QVERIFY(!host->isOpen());
            QCOMPARE(host.stop(), QString());
            QVERIFY_THROWS_EXCEPTION(Error, host->getOrCreate("counter", ActorKey("b"), std::nullopt, Cause("create")));
        }
        Host host(env, folder.path());
        host->open();
        QCOMPARE(host->find("counter", ActorKey("a"))->id, counter);
        QCOMPARE(host.storedCount(counter), 5);
        QCOMPARE(host.number(slow, "increment"), 2);
        QCOMPARE(host->actorCount(), 2);
    }

    void stopAnswersWhatStillWaits()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        host.call(id, "value");
        const int slow = host.begin(id, "slow", {1'000});
        env.runUntilIdle();
        const int fresh = host.begin(host.actor("counter", "b").id, "increment", {1});

        QCOMPARE(host.stop(), QString());

        QVERIFY(host.outcomes[slow]->ok()); // within its grace
        QVERIFY(host.outcomes[fresh]);
        const int late = host.begin(id, "value");
        env.runUntilIdle();
        QVERIFY(!host.outcomes[late]->ok());
    }

    void aReplyLeavesOnlyAfterItsChangeIsOnDisk()
    {
        // Many hosts killed at every step of an increment: what was answered is there afterwards.
        for (const Durability durability : {Durability::Process, Durability::Power}) {
            for (int steps = 0; steps < 40; ++steps) {
                QTemporaryDir folder;
                SimulatedEnvironment env(quint64(steps) + 1);
                bool answered = false;
                QString id;
                {
                    Host host(env, folder.path(), durability);
                    host->open();
                    id = host.actor("counter", "a").id;
                    const int number = host.begin(id, "increment", {1});
                    for (int i = 0; i < steps && env.runOne(); ++i) {}
                    answered = host.outcomes[number] && host.outcomes[number]->ok();
                    host.core.reset(); // without a stop
                }
                SimulatedEnvironment next;
                Host host(next, folder.path(), durability);
                host->open();
                if (answered) {
                    QVERIFY(host->find("counter", ActorKey("a")));
                    QCOMPARE(host.storedCount(id), 1);
                }
                if (steps == 39)
                    QVERIFY(answered);
            }
        }
    }

    void alarmsFireWhileAsleepAndAfterTheHostWasOff()
    {
        QTemporaryDir folder;
        SimulatedEnvironment env;
        QString id;
        {
            Host host(env, folder.path());
            host->open();
            id = host.actor("counter", "a").id;
            host.call(id, "later", {10'000});
            env.advance(5s);
            QCOMPARE(host.status(id), ActorStatus::sleeping);
            QVERIFY(host->snapshot(id).summary.nextAlarmAt > env.clock().wallMs());
            env.advance(5'100ms);
            QCOMPARE(host.storedCount(id), 100);
            QCOMPARE(host->findById(id)->generation, 2u);
            host.call(id, "later", {10'000});
            QCOMPARE(host.stop(), QString());
        }
        env.advance(1h);

        Host host(env, folder.path());
        host->open();
        env.advance(100ms);

        QCOMPARE(host.storedCount(id), 200);
    }

    void aSecondHostOnTheFolderIsRefused()
    {
        QTemporaryDir folder;
        SimulatedEnvironment env;
        Host first(env, folder.path());
        first->open();
        Host second(env, folder.path());
        try {
            second->open();
            QFAIL("it was let in");
        } catch (const Error &error) {
            QCOMPARE(error.text().left(16), QString("host/data_in_use"));
            QCOMPARE(error.metadata()["owner"]["name"], Value("test"));
        }
        QVERIFY(!second->isOpen());
        QCOMPARE(first.stop(), QString());
        Host third(env, folder.path());
        third->open();
        QVERIFY(third->isOpen());
    }

    void aFolderOfANewerVersionIsRefusedUntouched()
    {
        QTemporaryDir folder;
        SimulatedEnvironment env;
        {
            Host host(env, folder.path());
            host->open();
            QCOMPARE(host.stop(), QString());
        }
        QFile file(folder.filePath("shared.sqlite"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        file.seek(60); // the user version in SQLite's header, big endian
        file.write(QByteArray("\x00\x00\x03\xe7", 4));
        file.close();
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray before = file.readAll();
        file.close();

        Host host(env, folder.path());
        try {
            host->open();
            QFAIL("it was opened");
        } catch (const Error &error) {
            QCOMPARE(error.code(), QString("newer_version"));
            QCOMPARE(error.metadata()["found"], Value(999));
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), before);
    }

    void actorsOfAForgottenTypeAreListedReadAndDestroyed()
    {
        QTemporaryDir folder;
        SimulatedEnvironment env;
        QString id;
        {
            Host host(env, folder.path());
            host->open();
            id = host.actor("counter", "a").id;
            host.call(id, "increment", {4});
            QCOMPARE(host.stop(), QString());
        }
        HostOptions options;
        options.dataDir = folder.path();
        HostCore host(env.environment(), options);
        host.add(Slow::type());
        host.open();

        QCOMPARE(host.summaries().size(), 1);
        QCOMPARE(host.summaries().constFirst().type, QString("counter"));
        QCOMPARE(cbor::decode(host.snapshot(id).state)["count"], Value(4));
        QString code;
        host.call(id, "value", Value::array(), Value(), Cause("action"), 0,
                  [&](CallOutcome &&outcome) { code = Host::codeOf(outcome); });
        env.runUntilIdle();
        QCOMPARE(code, QString("actor/not_registered"));
        bool destroyed = false;
        host.destroy(id, Cause("inspector"), [&](std::optional<Error> error) { destroyed = !error; });
        env.runUntilIdle();
        QVERIFY(destroyed);
        QCOMPARE(host.actorCount(), 0);
    }

    void connectionsGetEventsAndKeepTheActorAwake()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        Sink sink;
        std::unique_ptr<HostConnection> connection;
        ConnectRequest request;
        request.sink = &sink;
        host->connect(id, std::move(request), [&](std::variant<std::unique_ptr<HostConnection>, Error> &&opened) {
            connection = std::get<std::unique_ptr<HostConnection>>(std::move(opened));
        });
        QVERIFY(!connection);
        env.runUntilIdle();
        QVERIFY(connection);
        connection->subscribe("changed", true);
        std::optional<CallOutcome> outcome;
        qsizetype eventsBefore = -1;
        connection->call("increment", Value::array({2}), [&](CallOutcome &&ended) {
            eventsBefore = sink.events.size();
            outcome = std::move(ended);
        });
        env.runUntilIdle();

        QVERIFY(outcome->ok());
        QCOMPARE(eventsBefore, 1); // the event comes before the reply
        QCOMPARE(sink.events.constFirst().first, QString("changed"));
        QCOMPARE(sink.events.constFirst().second.at(0), Value(2));
        env.advance(10s);
        QCOMPARE(host.status(id), ActorStatus::running);
        connection.reset();
        env.advance(3s);
        QCOMPARE(host.status(id), ActorStatus::sleeping);
        QCOMPARE(sink.closeCode, 0);
    }

    void aStopClosesConnections()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        const QString id = host.actor("counter", "a").id;
        Sink sink;
        std::unique_ptr<HostConnection> connection;
        ConnectRequest request;
        request.sink = &sink;
        host->connect(id, std::move(request), [&](std::variant<std::unique_ptr<HostConnection>, Error> &&opened) {
            connection = std::get<std::unique_ptr<HostConnection>>(std::move(opened));
        });
        env.runUntilIdle();

        QCOMPARE(host.wait([&](DoneReply done) { host->sleep(id, Cause("inspector"), done); }), QString());

        QCOMPARE(sink.closeCode, 1011);
        std::optional<CallOutcome> outcome;
        connection->call("value", Value::array(), [&](CallOutcome &&ended) { outcome = std::move(ended); });
        QVERIFY(!outcome);
        env.runUntilIdle();
        QCOMPARE(Host::codeOf(*outcome), QString("actor/stopping"));
    }

    void theTokenOfAFolderStays()
    {
        QTemporaryDir folder;
        SimulatedEnvironment env;
        QString token;
        {
            Host host(env, folder.path());
            host->open();
            token = host->inspectorToken();
            QVERIFY(token.size() >= 32);
            QCOMPARE(host.stop(), QString());
        }
        Host host(env, folder.path());
        host->open();
        QCOMPARE(host->inspectorToken(), token);
    }

    void manyActorsSleepAndOnlyTheirRowsRemain()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        for (int i = 0; i < 2'000; ++i)
            host.begin(host.actor("counter", QString::number(i)).id, "increment", {i});
        env.runUntilIdle();
        env.advance(5s);

        QCOMPARE(host->actorCount(), 2'000);
        int asleep = 0;
        for (const wire::ActorSummary &summary : host->summaries())
            asleep += summary.status == ActorStatus::sleeping ? 1 : 0;
        QCOMPARE(asleep, 2'000);
        QCOMPARE(host.number(host.actor("counter", "1234").id, "value"), 1'234);
    }
};

QTEST_GUILESS_MAIN(tst_HostCore)
#include "tst_host_core.moc"
