// The worker itself: what it asks, when it asks again, what it leaves in the inbox, and that it stays bounded.

#include "client/link_worker.h"

#include "link_fixture.h"
#include "wire/loopback_transport.h"

#include <QTest>

using namespace terrarium;
using namespace std::chrono_literals;

namespace {
/// A worker without a window.
struct Worker {
    explicit Worker(const HostAddress *other = nullptr)
        : environment(7),
          host(environment, QStringLiteral("fake")),
          inbox(std::make_shared<LinkInbox>(nullptr))
    {
        worker = std::make_unique<LinkWorker>(environment.environment(), other ? *other : host.address(),
                                              QStringLiteral("tester"), inbox);
    }
    void open()
    {
        worker->open();
        environment.runUntilIdle();
    }
    LinkStatus status()
    {
        take();
        return lastStatus;
    }
    ActorFeed::Update &feed(const QString &id)
    {
        take();
        return feeds[id];
    }
    void take()
    {
        LinkBatch batch = inbox->take();
        if (batch.status) {
            lastStatus = *batch.status;
            states.append(batch.status->state);
        }
        for (auto &[id, update] : batch.feeds)
            feeds[id].merge(std::move(update));
        for (auto &answer : batch.answers)
            answers.push_back(std::move(answer));
    }

    testing::SimulatedEnvironment environment;
    FakeHost host;
    std::shared_ptr<LinkInbox> inbox;
    std::unique_ptr<LinkWorker> worker;
    LinkStatus lastStatus;
    QList<LinkState> states;
    std::map<QString, ActorFeed::Update> feeds;
    std::vector<std::pair<quint32, LinkAnswer>> answers;
};

QString addCounter(FakeHost &host)
{
    return host.addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                         Value::map({{QStringLiteral("count"), 0}}));
}
} // namespace

class tst_LinkWorker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void helloComesFirstThenTheListIsWatched()
    {
        Worker link;
        link.host.setToken(QStringLiteral("t"));
        const HostAddress address = link.host.address();
        link.worker =
            std::make_unique<LinkWorker>(link.environment.environment(), address, QStringLiteral("me"), link.inbox);
        link.open();

        QVERIFY(link.host.requests().size() >= 2);
        const auto *hello = std::get_if<wire::Hello>(&link.host.requests()[0]);
        QVERIFY(hello);
        QCOMPARE(hello->token, QStringLiteral("t"));
        QCOMPARE(hello->name, QStringLiteral("me"));
        QCOMPARE(hello->version, wire::inspectorProtocolVersion);
        QVERIFY(std::holds_alternative<wire::WatchActors>(link.host.requests()[1]));
        QCOMPARE(link.status().state, LinkState::Live);
        QCOMPARE(link.status().welcome.hostName, QStringLiteral("fake"));
    }

    void aFloodArrivesWholeInOneUpdateAndTheStateIsTheHosts()
    {
        Worker link;
        const QString id = addCounter(link.host);
        link.open();
        link.worker->subscribe(id);
        link.environment.runUntilIdle();
        (void)link.feed(id);
        for (int beat = 0; beat < 20; ++beat) {
            link.host.flood(id, 250);
            link.environment.runUntilIdle();
        }

        ActorFeed::Update &update = link.feed(id);

        QCOMPARE(update.newest->sequence, quint64(5000));
        QVERIFY(update.newest->state == link.host.state(id));
        QCOMPARE(update.deltas.size(), size_t(5000));
        QVERIFY(update.gaps.isEmpty());
        QVERIFY(update.keyframes.size() >= 19);
        QCOMPARE(link.host.subscribeCount(id), 1);
    }

    void aDropNoticeIsOneGapAndNeedsNoQuestion()
    {
        Worker link;
        const QString id = addCounter(link.host);
        link.open();
        link.worker->subscribe(id);
        link.environment.runUntilIdle();
        link.host.flood(id, 3);
        link.environment.runUntilIdle();
        link.host.withhold(id);
        link.host.flood(id, 37);
        link.environment.runUntilIdle();
        link.host.release(id);
        link.host.flood(id, 2);
        link.environment.runUntilIdle();

        ActorFeed::Update &update = link.feed(id);

        QCOMPARE(update.gaps.size(), 1);
        QCOMPARE(update.gaps[0].count, quint64(37));
        QCOMPARE(update.gaps[0].afterSequence, quint64(3));
        QCOMPARE(update.gaps[0].resyncSequence, quint64(40));
        QCOMPARE(update.gaps[0].reason, QStringLiteral("hostDropped"));
        QCOMPARE(update.newest->sequence, quint64(42));
        QVERIFY(update.newest->state == link.host.state(id));
        QCOMPARE(link.host.subscribeCount(id), 1);
        QCOMPARE(link.status().state, LinkState::Live);
    }

    void aHoleIsAskedForAndFilledWithoutAGap()
    {
        Worker link;
        const QString id = addCounter(link.host);
        link.open();
        link.worker->subscribe(id);
        link.environment.runUntilIdle();
        link.host.lose(id, 4);
        link.host.flood(id, 10);
        link.environment.runUntilIdle();

        ActorFeed::Update &update = link.feed(id);

        QCOMPARE(link.host.subscribeCount(id), 2);
        QVERIFY(update.gaps.isEmpty());
        QCOMPARE(update.deltas.size(), size_t(10));
        QVERIFY(update.newest->state == link.host.state(id));
    }

    void aHoleTheHostCannotFillIsAGap()
    {
        Worker link;
        const QString id = addCounter(link.host);
        link.open();
        link.worker->subscribe(id);
        link.environment.runUntilIdle();
        link.host.flood(id, 1);
        link.environment.runUntilIdle();
        link.host.lose(id, 4);
        link.host.flood(id, 4);
        link.environment.runUntilIdle();
        link.host.forgetHistory();
        link.host.flood(id, 1);
        link.environment.runUntilIdle();

        ActorFeed::Update &update = link.feed(id);

        QCOMPARE(update.gaps.size(), 1);
        QCOMPARE(update.gaps[0].afterSequence, quint64(1));
        QVERIFY(update.newest->state == link.host.state(id));
    }

    void resynchronisationsOfOneActorKeepTheirDistance()
    {
        Worker link;
        const QString id = addCounter(link.host);
        link.open();
        link.worker->subscribe(id);
        link.environment.runUntilIdle();
        QCOMPARE(link.host.subscribeCount(id), 1);

        // Holes without end: every 20 ms one record is lost.
        QList<int> asked;
        for (int i = 0; i < 500; ++i) {
            link.host.lose(id, 1);
            link.host.flood(id, 2);
            link.environment.advance(20ms);
            asked.append(link.host.subscribeCount(id) - 1);
        }

        QCOMPARE(asked[20], 1);                                             // 420 ms: only the first
        QVERIFY2(asked[499] <= 6, qPrintable(QString::number(asked[499]))); // 0, .5, 1.5, 3.5, 7.5 s
        QVERIFY(asked[499] >= 4);
        link.environment.advance(6s);
        QVERIFY(link.feed(id).newest->state == link.host.state(id));
        QCOMPARE(link.status().state, LinkState::Live);
    }

    void anInboxNobodyTakesStaysBounded()
    {
        Worker link;
        const QString id = addCounter(link.host);
        link.open();
        link.worker->subscribe(id);
        link.environment.runUntilIdle();
        for (int beat = 0; beat < 130; ++beat) {
            link.host.flood(id, 1000);
            link.environment.runUntilIdle();
        }

        const LinkBatch batch = link.inbox->take();

        QCOMPARE(batch.feeds.size(), size_t(1));
        QVERIFY(batch.feeds[0].second.deltas.size() <= 100'000);
        QCOMPARE(batch.feeds[0].second.newest->sequence, quint64(130'000));
        qsizetype summaries = 0;
        for (const wire::ActorsChanged &change : batch.actors)
            summaries += change.upserts.size();
        QVERIFY2(summaries <= 2, qPrintable(QString::number(summaries)));
    }

    void aHostThatStopsAnsweringIsBehindThenLost()
    {
        Worker link;
        link.open();
        link.environment.advance(2s);
        QCOMPARE(link.status().state, LinkState::Live);

        link.host.setMute(true);
        link.environment.advance(1600ms);
        QCOMPARE(link.status().state, LinkState::Behind);
        link.environment.advance(20s);
        link.take();
        QVERIFY(link.states.contains(LinkState::Lost));
        QCOMPARE(link.lastStatus.problem, LinkProblem::TimedOut);

        link.host.setMute(false);
        link.environment.advance(20s);
        QCOMPARE(link.status().state, LinkState::Live);
        QCOMPARE(link.lastStatus.problem, LinkProblem::None);
    }

    void whileLiveTheAgeOfTheDataIsAlwaysUnderASecond()
    {
        Worker link;
        link.open();
        (void)link.status();
        link.states.clear();

        for (int i = 0; i < 200; ++i) {
            link.environment.advance(37ms);
            link.take();
        }

        QVERIFY(link.states.isEmpty()); // no change: live all the time
        QVERIFY(link.host.pingsReceived() >= 15 && link.host.pingsReceived() <= 20);
    }

    void aTransportThatNeverOpensTimesOut()
    {
        HostAddress address;
        testing::SimulatedEnvironment *environment = nullptr;
        std::vector<std::unique_ptr<Transport>> far;
        address.connect = [&]() -> std::unique_ptr<Transport> {
            auto ends =
                LoopbackTransport::pair(&environment->environment().executor, &environment->environment().executor);
            far.push_back(std::move(ends.second));
            return std::move(ends.first);
        };
        Worker link(&address);
        environment = &link.environment;
        link.open();

        link.environment.advance(5001ms);

        QCOMPARE(link.status().problem, LinkProblem::TimedOut);
        QCOMPARE(link.status().state, LinkState::Lost);
    }

    void bytesThatAreNoMessageAreNotAHost()
    {
        HostAddress address;
        testing::SimulatedEnvironment *environment = nullptr;
        std::vector<std::unique_ptr<Transport>> far;
        address.connect = [&]() -> std::unique_ptr<Transport> {
            auto ends =
                LoopbackTransport::pair(&environment->environment().executor, &environment->environment().executor);
            ends.second->send("SSH-2.0");
            far.push_back(std::move(ends.second));
            return std::move(ends.first);
        };
        Worker link(&address);
        environment = &link.environment;
        link.open();

        QCOMPARE(link.status().problem, LinkProblem::NotAHost);
    }

    void olderAndNewerHostsAreToldApart()
    {
        for (const int version : {wire::inspectorProtocolVersion + 1, wire::inspectorProtocolVersion - 1}) {
            Worker link;
            link.host.setVersion(version);
            link.open();
            QCOMPARE(link.status().state, LinkState::Refused);
            QCOMPARE(link.status().problem, version > wire::inspectorProtocolVersion ? LinkProblem::VersionTooNew
                                                                                     : LinkProblem::VersionTooOld);
            link.environment.advance(60s);
            QCOMPARE(link.host.count<wire::Hello>(), 1);
        }
    }

    void tenThousandActorsComeInOneList()
    {
        Worker link;
        link.host.addActors(10'000, {QStringLiteral("chatRoom"), QStringLiteral("counter")});
        link.open();

        const LinkBatch batch = link.inbox->take();

        QCOMPARE(batch.actors.size(), 1);
        QVERIFY(batch.actors[0].full);
        QCOMPARE(batch.actors[0].upserts.size(), 10'000);
    }

    void anActorTheHostDoesNotHaveDoesNotHoldUpTheLink()
    {
        Worker link;
        link.open();
        link.worker->subscribe(QStringLiteral("nobody"));
        link.environment.runUntilIdle();

        QCOMPARE(link.status().state, LinkState::Live);
        QCOMPARE(link.host.subscribeCount(QStringLiteral("nobody")), 1);
    }

    void unsubscribingStopsTheFeed()
    {
        Worker link;
        const QString id = addCounter(link.host);
        link.open();
        link.worker->subscribe(id);
        link.environment.runUntilIdle();
        (void)link.inbox->take();

        link.worker->unsubscribe(id);
        link.environment.runUntilIdle();
        link.host.flood(id, 10);
        link.environment.runUntilIdle();

        QVERIFY(link.inbox->take().feeds.empty());
        QCOMPARE(link.host.count<wire::Unsubscribe>(), 1);
    }
};

QTEST_GUILESS_MAIN(tst_LinkWorker)
#include "tst_link_worker.moc"
