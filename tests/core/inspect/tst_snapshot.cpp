#include "inspect/change_logs.h"
#include "inspect/snapshot.h"
#include "testing/actor_test.h"
#include "testing/simulated_environment.h"
#include "value/cbor.h"

#include <QtTest>

using namespace terrarium;
using namespace std::chrono_literals;
using terrarium::testing::ActorTest;
using terrarium::testing::SimulatedEnvironment;
using wire::ActorStatus;

namespace {

struct TimerState {
    int ticks = 0;
    ACTOR_FIELDS(TimerState, ticks)
};

class SnapshotTimer : public terrarium::Actor<TimerState> {
public:
    using Actor::Actor;
    void start() { after(1h, &SnapshotTimer::tick); }
    void tick() { ++state().ticks; }
    Task<> work()
    {
        const auto region = keepAwake("counting sheep");
        co_await delay(10s);
    }
    static auto type()
    {
        return terrarium::ActorType<SnapshotTimer>("timer")
            .action("start", &SnapshotTimer::start)
            .action("tick", &SnapshotTimer::tick)
            .action("work", &SnapshotTimer::work)
            .sleepTimeout(5s);
    }
};

const wire::Blocker *blockerOf(const QList<wire::Blocker> &blockers, const QString &kind)
{
    for (const wire::Blocker &blocker : blockers) {
        if (blocker.kind == kind)
            return &blocker;
    }
    return nullptr;
}

} // namespace

class tst_Snapshot : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLiveActorIsReadFromMemory()
    {
        ActorTest<SnapshotTimer> timer;
        timer.call(&SnapshotTimer::tick);

        const wire::Snapshot snapshot = timer.host().snapshot(timer.id());

        QVERIFY(snapshot.live);
        QCOMPARE(cbor::decode(snapshot.state)["ticks"], Value(1));
        QCOMPARE(snapshot.summary.status, ActorStatus::running);
        QCOMPARE(snapshot.summary.sequence, snapshot.sequence);
        QCOMPARE(snapshot.savedSequence, snapshot.sequence);
        QCOMPARE(snapshot.summary.stateBytes, snapshot.state.size());
        QCOMPARE(snapshot.summary.createdBy.kind, QString("create"));
        QCOMPARE(snapshot.summary.forecast.kind, QString("countdown"));
        QCOMPARE(snapshot.summary.forecast.at, timer.environment().clock().wallMs() + 5'000);
        QCOMPARE(snapshot.type.actions.size(), 3);
        QCOMPARE(snapshot.blockers.size(), 10);
        for (const wire::Blocker &blocker : snapshot.blockers)
            QVERIFY2(!blocker.on, qPrintable(blocker.kind));
        QVERIFY(snapshot.summary.blockers.isEmpty());
    }

    void aSleepingActorIsReadFromItsRows()
    {
        ActorTest<SnapshotTimer> timer;
        timer.call(&SnapshotTimer::start);
        timer.call(&SnapshotTimer::tick);
        timer.advance(10s);
        const qint64 alarm = timer.environment().clock().wallMs() + 3'600'000 - 10'000;

        const wire::Snapshot snapshot = timer.host().snapshot(timer.id());

        QVERIFY(!snapshot.live);
        QCOMPARE(snapshot.summary.status, ActorStatus::sleeping);
        QCOMPARE(cbor::decode(snapshot.state)["ticks"], Value(1));
        QCOMPARE(snapshot.summary.schedules, 1);
        QCOMPARE(snapshot.summary.nextAlarmAt, alarm);
        QCOMPARE(snapshot.summary.nextAlarmName, QString("tick"));
        QCOMPARE(snapshot.summary.forecast.kind, QString("asleep"));
        QCOMPARE(snapshot.summary.forecast.at, alarm);
        QVERIFY(snapshot.savedAt > 0);
        QVERIFY(timer.isAsleep());
        timer.advance(1h);
        QCOMPARE(timer.state().ticks, 2);
    }

    void whatKeepsItAwakeIsNamed()
    {
        ActorTest<SnapshotTimer> timer;
        timer.host().call(timer.id(), "work", Value::array(), Value(), Cause("action", "work"), 0,
                          [](CallOutcome &&) {});
        timer.advance(6s);

        const wire::Snapshot snapshot = timer.host().snapshot(timer.id());

        QCOMPARE(snapshot.summary.status, ActorStatus::running);
        QCOMPARE(snapshot.summary.forecast.kind, QString("blocked"));
        const wire::Blocker *awake = blockerOf(snapshot.summary.blockers, "keepAwake");
        QVERIFY(awake != nullptr);
        QCOMPARE(awake->label, QString("counting sheep"));
        QCOMPARE(awake->count, 1);
        QVERIFY(awake->since > 0);
        QVERIFY(blockerOf(snapshot.summary.blockers, "actions") != nullptr);
        QVERIFY(blockerOf(snapshot.summary.blockers, "connections") == nullptr);
        QVERIFY(blockerOf(snapshot.blockers, "connections") != nullptr);
    }

    void aDestroyedActorIsStillDescribed()
    {
        ActorTest<SnapshotTimer> timer;
        timer.call(&SnapshotTimer::tick);
        bool done = false;
        timer.host().destroy(timer.id(), Cause("inspector"), [&](std::optional<Error>) { done = true; });
        timer.advance(1s);
        QVERIFY(done);

        const wire::Snapshot snapshot = timer.host().snapshot(timer.id());

        QCOMPARE(snapshot.summary.status, ActorStatus::destroyed);
        QVERIFY(!snapshot.live);
        QCOMPARE(cbor::decode(snapshot.state)["ticks"], Value(1)); // as last known
        QVERIFY_THROWS_EXCEPTION(Error, timer.host().snapshot("nobody"));
    }

    void anActorWithoutALogIsSummarized()
    {
        ActorRow row;
        row.id = "x";
        row.type = "timer";
        row.key = ActorKey("k");
        wire::TypeInfo type;
        type.hasState = false;

        QCOMPARE(summarize(row, type, 0).status, ActorStatus::pending);
        row.generation = 2;
        const wire::ActorSummary sleeping = summarize(row, type, 77);
        QCOMPARE(sleeping.status, ActorStatus::sleeping);
        QCOMPARE(sleeping.forecast.at, 77);
        QVERIFY(!sleeping.hasState);
        row.destroyedAt = 5;
        QCOMPARE(summarize(row, type, 0).status, ActorStatus::destroyed);
        QCOMPARE(summarize(row, type, 0).since, 5);
    }
};

QTEST_GUILESS_MAIN(tst_Snapshot)
#include "tst_snapshot.moc"
