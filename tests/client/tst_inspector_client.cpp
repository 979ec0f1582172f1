#include "client/inspector_client.h"

#include "async/qt_environment.h"
#include "link_fixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace terrarium;
using namespace std::chrono_literals;

namespace {
template <typename T>
struct Caught {
    QList<Outcome<T>> outcomes;
    InspectorClient::Handler<T> handler()
    {
        return [this](const Outcome<T> &outcome) { outcomes.append(outcome); };
    }
};
} // namespace

class tst_InspectorClient : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void attachingShowsTheListAndIsLive()
    {
        testing::LinkFixture link;
        link.host->addActors(3, {QStringLiteral("counter")});
        InspectorClient &client = link.attach();

        QCOMPARE(client.state(), LinkState::Live);
        QCOMPARE(linkStateName(client.state()), QStringLiteral("live"));
        QVERIFY(client.store().isLoaded());
        QCOMPARE(client.store().size(), 3);
        QCOMPARE(client.name(), QStringLiteral("fake"));
        QVERIFY(client.can(QLatin1String("call")));
        QVERIFY(!client.can(QLatin1String("patch")));
        QCOMPARE(client.attempt(), 0);
        QCOMPARE(client.retryInMs(), qint64(-1));
        QCOMPARE(client.dataAsOf(), link.environment.clock().wallMs());
    }

    void nothingIsShownBeforeTheBeat()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        QSignalSpy pending(&client, &InspectorClient::pending);
        QSignalSpy changed(feed.get(), &ActorFeed::changed);

        link.host->flood(id, 3);
        link.environment.runUntilIdle();
        link.host->flood(id, 3);
        link.environment.runUntilIdle();

        QCOMPARE(pending.size(), 1);
        QVERIFY(client.hasPending());
        QCOMPARE(feed->newestSequence(), quint64(0));
        client.beat();
        QCOMPARE(changed.size(), 1);
        QCOMPARE(feed->newestSequence(), quint64(6));
        QVERIFY(!client.hasPending());
        client.beat();
        QCOMPARE(changed.size(), 1);
    }

    void everyDeltaComesInOrderWithItsCause()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        link.attach();
        const auto feed = link.watch(id);
        for (int i = 1; i <= 300; ++i) {
            link.host->change(id, Cause(QStringLiteral("action"), QStringLiteral("step%1").arg(i), QStringLiteral("c")),
                              testing::setCount(i));
            if (i % 7 == 0)
                link.settle();
        }
        link.settle();

        QCOMPARE(feed->deltas().size(), size_t(300));
        for (int i = 1; i <= 300; ++i) {
            const wire::DeltaRecord &delta = feed->deltas()[size_t(i - 1)].delta;
            QCOMPARE(delta.sequence, quint64(i));
            QCOMPARE(delta.base, quint64(i - 1));
            QCOMPARE(delta.causes[0].name, QStringLiteral("step%1").arg(i));
            QVERIFY(delta.ops[0].value == Value(i));
            QVERIFY(delta.ops[0].old == Value(i - 1));
        }
        QVERIFY(feed->state() == link.host->state(id));
        QVERIFY(feed->isCurrent());
        QVERIFY(feed->gaps().isEmpty());
    }

    void savesBecomeTimesOfDeltas()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        link.attach();
        const auto feed = link.watch(id);
        link.host->flood(id, 2);
        link.host->saved(id, 1, 8200);
        link.settle();

        QCOMPARE(feed->deltas()[0].savedUs, qint64(8200));
        QCOMPARE(feed->deltas()[1].savedUs, qint64(-1));
        QVERIFY(feed->records().empty());
    }

    void oneHoldersFeedIsTheOthersToo()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        auto first = client.feed(id);
        auto second = client.feed(id);
        link.settle();
        QCOMPARE(first, second);
        QCOMPARE(link.host->count<wire::Subscribe>(), 1);

        first.reset();
        link.settle();
        QCOMPARE(link.host->count<wire::Unsubscribe>(), 0);
        second.reset();
        link.settle();
        QCOMPARE(link.host->count<wire::Unsubscribe>(), 1);

        const auto again = link.watch(id);
        QVERIFY(again->isLoaded());
        QCOMPARE(link.host->count<wire::Subscribe>(), 2);
    }

    void watchingSendsNothingThatChangesAnActor()
    {
        testing::LinkFixture link;
        const QString id = link.host->addActor(QStringLiteral("counter"), ActorKey("asleep"),
                                               wire::ActorStatus::sleeping, Value::map({{QStringLiteral("count"), 7}}));
        link.attach();
        const auto feed = link.watch(id);
        QVERIFY(feed->isLoaded());
        QVERIFY(!feed->isIncarnationLive());
        QVERIFY(feed->state()["count"] == Value(7));
        link.host->clearCounts();
        Value travelled;
        feed->stateAt(0, this, [&](quint64, const Value &value) { travelled = value; });
        link.advance(10s);

        QCOMPARE(link.host->framesReceived(), 0);
        QCOMPARE(link.host->wakeCount(), 0);
        QCOMPARE(link.host->summary(id).status, wire::ActorStatus::sleeping);
    }

    void aCallAnswersWithWhatItChangedAlreadyInTheFeed()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        link.host->answerCalls([&](const wire::CallAction &call) -> wire::ReplyBody {
            link.host->change(call.actor, Cause(QStringLiteral("action"), call.action),
                              testing::setCount(call.args.at(0).toInt()));
            wire::CallResult result;
            result.result = call.args.at(0);
            return result;
        });
        quint64 newestWhenAnswered = 0;
        Outcome<wire::CallResult> outcome;
        client.callAction(id, QStringLiteral("set"), Value::array({9007199254740993LL}), 0, this,
                          [&](const Outcome<wire::CallResult> &answer) {
                              outcome = answer;
                              newestWhenAnswered = feed->newestSequence();
                          });
        link.settle();

        QCOMPARE(outcome.kind, Outcome<wire::CallResult>::Ok);
        QVERIFY(outcome.value.result == Value(9007199254740993LL));
        QCOMPARE(outcome.value.firstSequence, quint64(1));
        QCOMPARE(newestWhenAnswered, quint64(1));
        const auto *seen = std::get_if<wire::CallAction>(&link.host->requests().back());
        QVERIFY(seen);
        QVERIFY(seen->args.at(0) == Value(9007199254740993LL));
    }

    void aFailedCallCarriesTheHostsError()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        link.host->answerCalls([](const wire::CallAction &) -> wire::ReplyBody {
            wire::Failure failure;
            failure.group = QStringLiteral("actor");
            failure.code = QStringLiteral("not_member");
            failure.message = QStringLiteral("grace is not in this room");
            return failure;
        });
        Caught<wire::CallResult> caught;
        client.callAction(id, QStringLiteral("leave"), Value::array(), 0, this, caught.handler());
        link.settle();

        QCOMPARE(caught.outcomes.size(), 1);
        QCOMPARE(caught.outcomes[0].kind, Outcome<wire::CallResult>::Failed);
        QCOMPARE(caught.outcomes[0].error.code(), QStringLiteral("not_member"));
    }

    void commandsFailAtOnceWhileNotLiveAndAreNeverSent()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        link.host->cut(false);
        link.settle();
        QCOMPARE(client.state(), LinkState::Lost);
        link.host->clearCounts();
        Caught<wire::CallResult> call;
        Caught<wire::Done> wake;

        client.callAction(id, QStringLiteral("increment"), Value::array(), 0, this, call.handler());
        client.wakeActor(id, this, wake.handler());
        QVERIFY(call.outcomes.isEmpty()); // later, never inside
        link.settle();

        QCOMPARE(call.outcomes.size(), 1);
        QCOMPARE(call.outcomes[0].kind, Outcome<wire::CallResult>::Failed);
        QVERIFY(call.outcomes[0].error.is(QLatin1String("client"), QLatin1String("not_connected")));
        QCOMPARE(wake.outcomes.size(), 1);

        link.host->setReachable(true);
        link.advance(60s);
        QCOMPARE(client.state(), LinkState::Live);
        QCOMPARE(link.host->count<wire::CallAction>(), 0);
        QCOMPARE(link.host->count<wire::WakeActor>(), 0);
    }

    void aCallInFlightAtTheLossIsUnconfirmedOnceAndNotResent()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        link.host->holdReplies(true);
        Caught<wire::CallResult> caught;
        client.callAction(id, QStringLiteral("increment"), Value::array(), 0, this, caught.handler());
        link.settle();
        QCOMPARE(link.host->count<wire::CallAction>(), 1);
        QVERIFY(caught.outcomes.isEmpty());

        link.host->cut();
        link.settle();
        QCOMPARE(caught.outcomes.size(), 1);
        QCOMPARE(caught.outcomes[0].kind, Outcome<wire::CallResult>::Unconfirmed);
        link.host->holdReplies(false);
        link.advance(5s);

        QCOMPARE(client.state(), LinkState::Live);
        QCOMPARE(caught.outcomes.size(), 1);
        QCOMPARE(link.host->count<wire::CallAction>(), 1);
    }

    void aHandlerWhoseContextIsGoneDoesNotRun()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        Caught<wire::CallResult> sent;
        Caught<wire::CallResult> unsent;
        auto context = std::make_unique<QObject>();
        client.callAction(id, QStringLiteral("a"), Value::array(), 0, context.get(), sent.handler());
        link.environment.runUntilIdle();
        context.reset();
        link.settle();
        QVERIFY(sent.outcomes.isEmpty());

        link.host->cut(false);
        link.settle();
        context = std::make_unique<QObject>();
        client.callAction(id, QStringLiteral("a"), Value::array(), 0, context.get(), unsent.handler());
        context.reset();
        link.settle();
        QVERIFY(unsent.outcomes.isEmpty());
    }

    void readOnlyRefusesHereWithoutAsking()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        HostAddress address = link.host->address();
        address.readOnly = true;
        InspectorClient &client = link.attach(address);
        QVERIFY(client.isReadOnly());
        Caught<wire::Done> caught;
        Caught<wire::Types> types;

        client.destroyActor(id, this, caught.handler());
        client.listTypes(this, types.handler());
        link.settle();

        QCOMPARE(caught.outcomes.size(), 1);
        QVERIFY(caught.outcomes[0].error.is(QLatin1String("client"), QLatin1String("read_only")));
        QCOMPARE(link.host->count<wire::DestroyActor>(), 0);
        QCOMPARE(types.outcomes[0].kind, Outcome<wire::Types>::Ok);
        QVERIFY(std::get<wire::Hello>(link.host->requests()[0]).readOnly);
    }

    void whatTheHostCannotDoIsSaidWithoutAsking()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        link.host->setCapabilities({QStringLiteral("actors"), QStringLiteral("deltas")});
        InspectorClient &client = link.attach();
        Caught<wire::Done> caught;

        client.sleepActor(id, this, caught.handler());
        link.settle();

        QVERIFY(caught.outcomes[0].error.is(QLatin1String("client"), QLatin1String("not_supported")));
        QCOMPARE(link.host->count<wire::SleepActor>(), 0);
    }

    void everyCommandReachesTheHost()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        Caught<wire::Done> done;
        Caught<wire::Created> created;
        client.sleepActor(id, this, done.handler());
        client.wakeActor(id, this, done.handler());
        client.restartActor(id, this, done.handler());
        client.createActor(QStringLiteral("counter"), ActorKey("new"), Value::map(), true, this, created.handler());
        client.destroyActor(id, this, done.handler());
        link.settle();

        QCOMPARE(done.outcomes.size(), 4);
        for (const Outcome<wire::Done> &outcome : done.outcomes)
            QCOMPARE(outcome.kind, Outcome<wire::Done>::Ok);
        QVERIFY(created.outcomes[0].value.created);
        QCOMPARE(client.store().size(), 2);
        QVERIFY(client.store().find(QStringLiteral("counter"), ActorKey("new")));
        QCOMPARE(client.store().actor(id)->status, wire::ActorStatus::destroyed);
    }

    void aRunningCallCanBeCancelled()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        link.host->holdReplies(true);
        Caught<wire::CallResult> caught;
        const quint32 call = client.callAction(id, QStringLiteral("slow"), Value::array(), 0, this, caught.handler());
        link.settle();

        client.cancelCall(call);
        client.cancelCall(call + 1000); // nobody's
        link.settle();

        QCOMPARE(link.host->count<wire::CancelCall>(), 1);
        QCOMPARE(std::get<wire::CancelCall>(link.host->requests().back()).call, call);
    }

    void aWrongTokenIsRefusedAndNotTriedAgain()
    {
        testing::LinkFixture link;
        link.host->setToken(QStringLiteral("right"));
        HostAddress address = link.host->address();
        address.token = QStringLiteral("wrong");
        InspectorClient &client = link.attach(address);

        QCOMPARE(client.state(), LinkState::Refused);
        QCOMPARE(client.problem(), LinkProblem::TokenWrong);
        QCOMPARE(client.retryInMs(), qint64(-1));
        link.advance(120s);
        QCOMPARE(link.host->count<wire::Hello>(), 1);
    }

    void aMissingTokenIsToldApart()
    {
        testing::LinkFixture link;
        link.host->setToken(QStringLiteral("right"));
        HostAddress address = link.host->address();
        address.token.clear();
        QCOMPARE(link.attach(address).problem(), LinkProblem::TokenMissing);
    }

    void aLinkThatComesBackWithHistoryHasNoGap()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        link.host->flood(id, 5);
        link.settle();

        link.host->cut(false);
        link.settle();
        QCOMPARE(client.state(), LinkState::Lost);
        QCOMPARE(client.problem(), LinkProblem::Cut);
        QVERIFY(!feed->isCurrent());
        QVERIFY(feed->state()["count"] == Value(5)); // the data stays
        link.host->flood(id, 20);
        link.host->setReachable(true);
        link.advance(30s);

        QCOMPARE(client.state(), LinkState::Live);
        QVERIFY(feed->isCurrent());
        QVERIFY(client.gaps().isEmpty());
        QCOMPARE(feed->deltas().size(), size_t(25));
        QVERIFY(feed->state() == link.host->state(id));
        QCOMPARE(client.epoch(), 0);
    }

    void aLinkThatComesBackWithoutHistoryHasExactlyOneGap()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        link.host->flood(id, 5);
        link.advance(10s);
        const qint64 lostAt = link.environment.clock().wallMs();
        QSignalSpy gapsChanged(&client, &InspectorClient::gapsChanged);

        link.host->cut(false);
        link.advance(1s);
        QVERIFY(client.dataAsOf() >= lostAt - 1000 && client.dataAsOf() <= lostAt);
        QCOMPARE(feed->currentAsOf(), client.dataAsOf());
        link.host->flood(id, 20);
        link.host->forgetHistory();
        link.advance(12s);
        link.host->setReachable(true);
        link.advance(16s);

        QCOMPARE(client.state(), LinkState::Live);
        QCOMPARE(client.gaps().size(), 1);
        QCOMPARE(gapsChanged.size(), 1);
        const FeedGap &gap = client.gaps()[0];
        QCOMPARE(gap.actorId, id);
        QCOMPARE(gap.afterSequence, quint64(5));
        QCOMPARE(gap.resyncSequence, quint64(25));
        QCOMPARE(gap.count, quint64(20));
        QCOMPARE(gap.reason, QStringLiteral("linkLost"));
        QVERIFY(gap.from >= lostAt - 1000 && gap.from <= lostAt);
        QVERIFY(gap.to > lostAt + 13'000);
        QCOMPARE(feed->gaps(), client.gaps());
        QVERIFY(feed->state() == link.host->state(id));
        QVERIFY(feed->stateAtNow(3)["count"] == Value(3)); // what was known stays known
        link.host->flood(id, 1);
        link.settle();
        QVERIFY(feed->stateAtNow(26)["count"] == Value(26));
    }

    void aRestartedHostIsANewEpochWithADivider()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        link.host->flood(id, 5);
        link.settle();

        link.host->restart();
        link.advance(2s);

        QCOMPARE(client.state(), LinkState::Live);
        QCOMPARE(client.epoch(), 1);
        QCOMPARE(client.gaps().size(), 1);
        QCOMPARE(client.gaps()[0].reason, QStringLiteral("hostRestarted"));
        QVERIFY(feed->state()["count"] == Value(5));
        QCOMPARE(feed->newestSequence(), quint64(0));
        link.host->flood(id, 2);
        link.settle();
        QCOMPARE(feed->newestSequence(), quint64(2));
        QVERIFY(feed->isCurrent());
    }

    void aGoodbyeIsToldApartFromACut()
    {
        testing::LinkFixture link;
        InspectorClient &client = link.attach();

        link.host->stop(QStringLiteral("stopped by Ctrl+C"));
        link.settle();

        QCOMPARE(client.state(), LinkState::Lost);
        QCOMPARE(client.problem(), LinkProblem::HostStopped);
        QCOMPARE(client.problemText(), QStringLiteral("stopped by Ctrl+C"));
        link.advance(3s);
        QCOMPARE(client.problem(), LinkProblem::HostStopped); // that nothing listens now is no news
    }

    void retriesFollowTheSchedule()
    {
        testing::LinkFixture link(11);
        InspectorClient &client = link.attach();
        link.host->cut(false);
        link.settle();
        const QList<int> expected{250, 500, 1000, 2000, 4000, 8000, 15000, 15000};
        for (int i = 0; i < expected.size(); ++i) {
            QCOMPARE(client.attempt(), i + 1);
            const qint64 wait = client.retryInMs();
            QVERIFY2(wait >= expected[i] * 8 / 10 - 1 && wait <= expected[i] * 12 / 10,
                     qPrintable(QStringLiteral("try %1 waits %2").arg(i).arg(wait)));
            link.advance(std::chrono::milliseconds(wait + 1));
        }
    }

    void reconnectNowDoesNotWait()
    {
        testing::LinkFixture link;
        InspectorClient &client = link.attach();
        link.host->cut(false);
        link.advance(40s);
        QCOMPARE(client.state(), LinkState::Lost);
        link.host->setReachable(true);

        client.reconnectNow();
        link.settle();

        QCOMPARE(client.state(), LinkState::Live);
        QCOMPARE(client.attempt(), 0);
    }

    void aHostThatWasNeverThereIsLostWithAReason()
    {
        testing::LinkFixture link;
        link.host->setReachable(false);
        InspectorClient &client = link.attach();

        QCOMPARE(client.state(), LinkState::Lost);
        QCOMPARE(client.problem(), LinkProblem::NothingListens);
        QCOMPARE(client.dataAsOf(), qint64(0));
        link.host->setReachable(true);
        link.advance(1s);
        QCOMPARE(client.state(), LinkState::Live);
    }

    void closingKeepsTheData()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter(3);
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);

        client.close();
        link.settle();

        QCOMPARE(client.state(), LinkState::Closed);
        QCOMPARE(client.store().size(), 1);
        QVERIFY(feed->state()["count"] == Value(3));
        QVERIFY(!feed->isCurrent());
        QCOMPARE(link.host->linkCount(), 0);
        link.advance(60s);
        QCOMPARE(client.state(), LinkState::Closed);
        client.open();
        link.settle();
        QCOMPARE(client.state(), LinkState::Live);
        QVERIFY(feed->isCurrent());
    }

    void aBeatThatIsLateIsNotLive()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        link.host->flood(id, 1);
        link.environment.advance(1500ms);

        QCOMPARE(client.state(), LinkState::Behind);
        QVERIFY(!feed->isCurrent());
        client.beat();
        QCOMPARE(client.state(), LinkState::Live);
        QVERIFY(feed->isCurrent());
    }

    void aResyncInProgressIsNotLive()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        link.host->holdSnapshots(true);
        link.host->lose(id, 1);
        link.host->flood(id, 2);
        link.settle();

        QCOMPARE(client.state(), LinkState::Resyncing);
        QVERIFY(!feed->isCurrent());
        link.host->holdSnapshots(false);
        link.settle();
        QCOMPARE(client.state(), LinkState::Live);
        QVERIFY(feed->isCurrent());
    }

    void lagIsTheAgeOfTheNewestRecordWhenShown()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        QSignalSpy meters(&client, &InspectorClient::metersChanged);

        link.host->change(id, Cause(QStringLiteral("action")), testing::setCount(1),
                          link.environment.clock().wallMs() - 240);
        link.settle();

        QCOMPARE(client.lagMs(), qint64(240));
        QCOMPARE(meters.size(), 1);
    }

    void theLagIsOverWhenTheHostGoesQuiet()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        const auto feed = link.watch(id);
        link.host->change(id, Cause(QStringLiteral("action")), testing::setCount(1),
                          link.environment.clock().wallMs() - 3000);
        link.settle();
        QCOMPARE(client.lagMs(), qint64(3000));

        link.advance(400ms);

        QVERIFY2(client.lagMs() < 100, qPrintable(QString::number(client.lagMs())));
        QSignalSpy pending(&client, &InspectorClient::pending);
        link.advance(10s);
        QCOMPARE(pending.size(), 0); // and nothing repeats it
    }

    void argumentsTheWireCannotCarryFailTheCallOnly()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter();
        InspectorClient &client = link.attach();
        Value deep = Value::array();
        for (int i = 0; i < 1200; ++i)
            deep = Value::array({deep});
        Caught<wire::CallResult> caught;

        client.callAction(id, QStringLiteral("deep"), Value::array({deep}), 0, this, caught.handler());
        link.settle();

        QCOMPARE(caught.outcomes.size(), 1);
        QCOMPARE(caught.outcomes[0].kind, Outcome<wire::CallResult>::Failed);
        QCOMPARE(caught.outcomes[0].error.code(), QStringLiteral("too_deep"));
        QCOMPARE(client.state(), LinkState::Live);
    }

    void aClientMayGoBeforeItsFeedsAndBeforeItsHost()
    {
        testing::LinkFixture link;
        const QString id = link.addCounter(4);
        link.attach();
        auto feed = link.watch(id);
        link.client.reset();
        link.environment.runUntilIdle();

        QVERIFY(feed->state()["count"] == Value(4));
        QVERIFY(!feed->isCurrent() || feed->currentAsOf() > 0);
        feed.reset();
        link.environment.runUntilIdle();
        QCOMPARE(link.host->linkCount(), 0);
    }

    void theMockSceneHasTheGapOfThePictures()
    {
        testing::SimulatedEnvironment environment;
        environment.jumpWallClock(std::chrono::milliseconds(FakeHost::mockNow() - environment.clock().wallMs()));
        const auto shop = FakeHost::mockShop(environment);
        InspectorClient client(environment, shop->address(), QStringLiteral("me"));
        client.open();
        environment.runUntilIdle();
        client.beat();
        QCOMPARE(client.state(), LinkState::Live);
        const wire::ActorSummary *lobby = client.store().find(QStringLiteral("chatRoom"), ActorKey("lobby"));
        QVERIFY(lobby);
        const auto feed = client.feed(lobby->id);
        environment.runUntilIdle();
        client.beat();

        QCOMPARE(feed->newestSequence(), quint64(1284));
        QCOMPARE(feed->deltas().size(), size_t(1283));
        QCOMPARE(feed->gaps().size(), 1);
        QCOMPARE(feed->gaps()[0].count, quint64(37));
        QCOMPARE(feed->gaps()[0].afterSequence, quint64(1278));
        QCOMPARE(feed->gaps()[0].resyncSequence, quint64(1279));
        const wire::DeltaRecord &newest = feed->deltas().back().delta;
        QCOMPARE(newest.ops[0].path.toText(), QStringLiteral("members.linus.cursor.x"));
        QVERIFY(newest.ops[0].old == Value(112));
        QVERIFY(newest.ops[0].value == Value(118));
        QCOMPARE(feed->deltas().back().savedUs, qint64(-1));
        QVERIFY(feed->state() == shop->state(lobby->id));
        QCOMPARE(feed->state()["messages"].size(), 128);
        QCOMPARE(feed->state().size(), 8);
        QVERIFY(feed->stateAtNow(1278)["title"] == Value("Lobby 2"));
        QVERIFY(feed->stateAtNow(1278)["members"].contains(u"grace"));
        QVERIFY(feed->stateAtNow(1189)["total"] != Value(-1));
        QVERIFY(feed->stateAtNow(1190)["total"] == Value(-1));
        for (const FeedDelta &delta : feed->deltas())
            QVERIFY2(!feed->stateAtNow(delta.delta.sequence).isUndefined(),
                     qPrintable(QString::number(delta.delta.sequence)));
        for (size_t i = 1; i < feed->deltas().size(); ++i)
            QVERIFY(feed->deltas()[i].at >= feed->deltas()[i - 1].at);
        QCOMPARE(client.store().size(), 17);
        QVERIFY(feed->type().actions.size() == 8);
        QVERIFY(feed->state()["members"]["mei"].isMap());
    }

    void withAThreadOfItsOwnTheSameComesOut()
    {
        QtEnvironment environment;
        FakeHost host(environment, QStringLiteral("fake"));
        const QString id = host.addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                                         Value::map({{QStringLiteral("count"), 0}}));
        InspectorClient client(environment, host.address(), QStringLiteral("me"));
        connect(&client, &InspectorClient::pending, &client, &InspectorClient::beat, Qt::QueuedConnection);
        client.open();
        QTRY_COMPARE(client.state(), LinkState::Live);
        const auto feed = client.feed(id);
        QTRY_VERIFY(feed->isLoaded());

        for (int i = 0; i < 40; ++i)
            host.flood(id, 500);
        QTRY_COMPARE(feed->newestSequence(), quint64(20'000));
        QVERIFY(feed->state() == host.state(id));
        QCOMPARE(feed->deltas().size(), size_t(20'000));
        QVERIFY(feed->gaps().isEmpty());

        Caught<wire::CallResult> caught;
        client.callAction(id, QStringLiteral("increment"), Value::array(), 0, this, caught.handler());
        QTRY_COMPARE(caught.outcomes.size(), 1);
        QCOMPARE(caught.outcomes[0].kind, Outcome<wire::CallResult>::Ok);

        Value travelled;
        feed->stateAt(777, this, [&](quint64, const Value &value) { travelled = value; });
        QTRY_VERIFY(travelled["count"] == Value(777));

        host.cut();
        QTRY_COMPARE(client.state(), LinkState::Lost);
        QTRY_COMPARE(client.state(), LinkState::Live);
        QVERIFY(feed->gaps().isEmpty());
    }
};

QTEST_GUILESS_MAIN(tst_InspectorClient)
#include "tst_inspector_client.moc"
