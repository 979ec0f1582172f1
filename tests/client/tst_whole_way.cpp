// From an actor to the window's client and back: a real host, its inspector door, a loopback link, on one simulated
// thread. What the window may claim and what watching must not do.

#include "client/inspector_client.h"
#include "server/host_server.h"
#include "testing/simulated_environment.h"
#include "wire/loopback_transport.h"

#include <terrarium/terrarium.h>

#include <QTest>

using namespace terrarium;
using namespace std::chrono_literals;

namespace {

struct WholeWayState {
    int count = 0;
    QString title = QStringLiteral("new");
    ACTOR_FIELDS(WholeWayState, count, title)
};

class WholeWayCounter final : public Actor<WholeWayState> {
public:
    using Actor::Actor;

    int increment(int by)
    {
        state().count += by;
        return std::as_const(*this).state().count;
    }
    void rename(const QString &title) { state().title = title; }
    WholeWayState get() const { return state(); }
};

/// A host, and clients attached to it.
struct WholeWay {
    WholeWay()
    {
        HostOptions options;
        options.dataDir = QStringLiteral(":memory:");
        options.name = QStringLiteral("real");
        host = std::make_unique<HostCore>(environment.environment(), options);
        host->add(ActorType<WholeWayCounter>("counter")
                      .action("increment", &WholeWayCounter::increment, {"by"})
                      .action("rename", &WholeWayCounter::rename, {"title"})
                      .action("get", &WholeWayCounter::get)
                      .sleepTimeout(2s));
        host->open();
        server = std::make_unique<HostServer>(*host, ServerOptions{});
    }
    ~WholeWay()
    {
        client.reset();
        settle();
        server.reset();
        bool isStopped = false;
        host->stop([&](const std::optional<Error> &) { isStopped = true; });
        for (int i = 0; i < 600 && !isStopped; ++i)
            environment.advance(100ms);
    }

    InspectorClient &attach()
    {
        HostAddress address;
        address.url = QUrl(QStringLiteral("ws://127.0.0.1:6420"));
        address.connect = [this]() -> std::unique_ptr<Transport> {
            Executor &executor = environment.environment().executor;
            auto [mine, hosts] = LoopbackTransport::pair(&executor, &executor);
            windowEnd = mine.get();
            hostEnd = hosts.get();
            server->attachLoopback(std::move(hosts));
            return std::move(mine);
        };
        client = std::make_unique<InspectorClient>(environment, address, QStringLiteral("tester"));
        client->open();
        settle();
        return *client;
    }
    void settle()
    {
        do {
            environment.runUntilIdle();
            if (client)
                client->beat();
            environment.runUntilIdle();
        } while (client && client->hasPending());
    }
    void advance(std::chrono::milliseconds duration)
    {
        for (auto left = duration; left > 0ms; left -= 50ms) {
            environment.advance(std::min<std::chrono::milliseconds>(left, 50ms));
            settle();
        }
    }
    QString make(const char *key)
    {
        return host->getOrCreate(QStringLiteral("counter"), ActorKey(key), std::nullopt, Cause(QStringLiteral("host")))
            .first.id;
    }
    /// A client's call, not the window's.
    void increment(const QString &id, int times = 1)
    {
        for (int i = 0; i < times; ++i) {
            host->call(id, QStringLiteral("increment"), Value::array({1}), Value(),
                       Cause(QStringLiteral("action"), QStringLiteral("increment"), QStringLiteral("c")), 0,
                       [this](CallOutcome &&outcome) { answered += outcome.ok() ? 1 : 0; });
        }
    }

    testing::SimulatedEnvironment environment;
    std::unique_ptr<HostCore> host;
    std::unique_ptr<HostServer> server;
    std::unique_ptr<InspectorClient> client;
    LoopbackTransport *windowEnd = nullptr;
    LoopbackTransport *hostEnd = nullptr;
    int answered = 0;
};

} // namespace

class tst_WholeWay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyChangeIsShownInOrderWithItsCause()
    {
        WholeWay way;
        InspectorClient &client = way.attach();
        QCOMPARE(client.state(), LinkState::Live);
        QCOMPARE(client.name(), QStringLiteral("real"));
        const QString id = way.make("a");
        way.increment(id);
        way.advance(200ms);
        const auto feed = client.feed(id);
        way.settle();
        QVERIFY(feed->isLoaded());
        const quint64 first = feed->newestSequence();

        for (int i = 0; i < 200; ++i) {
            way.increment(id);
            way.advance(10ms);
        }
        way.advance(200ms);

        QCOMPARE(way.answered, 201);
        QVERIFY(feed->isCurrent());
        QVERIFY(feed->gaps().isEmpty());
        QVERIFY(feed->state()["count"] == Value(201));
        quint64 sequence = first;
        for (const FeedDelta &delta : feed->deltas()) {
            if (delta.delta.sequence <= first)
                continue;
            QCOMPARE(delta.delta.sequence, ++sequence);
            QVERIFY(!delta.delta.causes.isEmpty());
            QCOMPARE(delta.delta.causes.last().name, QStringLiteral("increment"));
            QVERIFY(delta.savedUs >= 0);
            QVERIFY(feed->stateAtNow(delta.delta.sequence)["count"] == delta.delta.ops.last().value);
        }
        QVERIFY(sequence > first);
    }

    void anActorSleepsOnTimeWhileItIsWatched()
    {
        WholeWay way;
        InspectorClient &client = way.attach();
        const QString id = way.make("a");
        way.increment(id);
        way.advance(100ms); // the list follows every 50 ms
        const auto feed = client.feed(id);
        way.settle();
        QVERIFY(client.store().actor(id));
        QCOMPARE(client.store().actor(id)->status, wire::ActorStatus::running);

        way.advance(1850ms);
        QCOMPARE(client.store().actor(id)->status, wire::ActorStatus::running);
        way.advance(200ms);

        QCOMPARE(client.store().actor(id)->status, wire::ActorStatus::sleeping);
        QVERIFY(feed->isCurrent());
        QVERIFY(feed->state()["count"] == Value(1));
        bool sawIdle = false;
        for (const FeedRecord &record : feed->records()) {
            const auto *transition = std::get_if<wire::TransitionRecord>(&record.record.body);
            sawIdle = sawIdle || (transition && transition->reason == QLatin1String("idle"));
        }
        QVERIFY(sawIdle);
    }

    void lookingAtASleepingActorDoesNotWakeIt()
    {
        WholeWay way;
        const QString id = way.make("a");
        way.increment(id, 3);
        way.advance(3s);
        InspectorClient &client = way.attach();
        QCOMPARE(client.store().actor(id)->status, wire::ActorStatus::sleeping);

        const auto feed = client.feed(id);
        way.advance(5s);

        QVERIFY(feed->isLoaded());
        QVERIFY(!feed->isIncarnationLive());
        QVERIFY(feed->state()["count"] == Value(3));
        QCOMPARE(client.store().actor(id)->status, wire::ActorStatus::sleeping);
        QCOMPARE(client.store().actor(id)->generation, way.host->findById(id)->generation);
    }

    void aCallFromTheWindowLinksToWhatItChanged()
    {
        WholeWay way;
        InspectorClient &client = way.attach();
        const QString id = way.make("a");
        const auto feed = client.feed(id);
        way.settle();
        Outcome<wire::CallResult> outcome;
        int answers = 0;

        client.callAction(id, QStringLiteral("rename"), Value::array({"hello"}), 0, this,
                          [&](const Outcome<wire::CallResult> &answer) {
                              outcome = answer;
                              ++answers;
                          });
        way.advance(200ms);

        QCOMPARE(answers, 1);
        QCOMPARE(outcome.kind, Outcome<wire::CallResult>::Ok);
        QVERIFY(outcome.value.lastSequence > 0);
        const int index = feed->indexOf(outcome.value.lastSequence);
        QVERIFY(index >= 0);
        QCOMPARE(feed->deltas()[size_t(index)].delta.causes.last().name, QStringLiteral("rename"));
        QVERIFY(feed->state()["title"] == Value("hello"));
        QVERIFY(client.store().actor(id));
        QCOMPARE(client.store().actor(id)->status, wire::ActorStatus::running);
    }

    void aFailedCallCarriesTheActorsError()
    {
        WholeWay way;
        InspectorClient &client = way.attach();
        const QString id = way.make("a");
        Outcome<wire::CallResult> outcome;
        client.callAction(id, QStringLiteral("incremnt"), Value::array(), 0, this,
                          [&](const Outcome<wire::CallResult> &answer) { outcome = answer; });
        way.advance(200ms);

        QCOMPARE(outcome.kind, Outcome<wire::CallResult>::Failed);
        QCOMPARE(outcome.error.code(), QStringLiteral("action_not_found"));
    }

    void aWindowThatStoppedShowsOneGapAndSaysLiveOnlyWhenItIs()
    {
        WholeWay way;
        InspectorClient &client = way.attach();
        const QString id = way.make("a");
        way.increment(id);
        way.settle();
        const auto feed = client.feed(id);
        way.settle();
        const quint64 before = feed->newestSequence();

        way.windowEnd->setPaused(true);
        qint64 mostPending = 0;
        for (int i = 0; i < 600; ++i) { // 20,000 changes in some ten seconds
            way.increment(id, 34);
            way.environment.advance(17ms);
            mostPending = std::max(mostPending, way.hostEnd->pendingBytes());
        }
        QVERIFY2(mostPending < 2 * 1024 * 1024, qPrintable(QString::number(mostPending)));
        client.beat();
        QVERIFY(client.state() != LinkState::Live);
        QVERIFY(!feed->isCurrent());

        way.windowEnd->setPaused(false);
        for (int i = 0; i < 200 && client.state() != LinkState::Live; ++i) {
            way.advance(50ms);
            if (client.state() == LinkState::Live) {
                QVERIFY(feed->state()["count"] == Value(1 + 600 * 34));
                QVERIFY(feed->isCurrent());
            }
        }

        QCOMPARE(client.state(), LinkState::Live);
        QCOMPARE(way.answered, 1 + 600 * 34);
        QCOMPARE(feed->gaps().size(), 1);
        QVERIFY(feed->gaps()[0].afterSequence >= before);
        QVERIFY(feed->gaps()[0].count > 0);
        QCOMPARE(client.gaps(), feed->gaps());
        for (const FeedDelta &delta : feed->deltas())
            QVERIFY(!feed->stateAtNow(delta.delta.sequence).isUndefined());
        way.increment(id);
        way.advance(200ms);
        QVERIFY(feed->state()["count"] == Value(2 + 600 * 34));
    }
};

QTEST_GUILESS_MAIN(tst_WholeWay)
#include "tst_whole_way.moc"
