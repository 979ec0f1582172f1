#include "inspect/change_logs.h"
#include "testing/simulated_environment.h"
#include "value/cbor.h"

#include <QtTest>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;
using wire::ActorStatus;

namespace {

ActorRow logRow(const QString &id)
{
    ActorRow row;
    row.id = id;
    row.type = QStringLiteral("counter");
    row.key = ActorKey(id);
    row.createdAt = 1;
    return row;
}

QByteArray logState(int count, int padding = 0)
{
    Value state;
    state.set(QStringLiteral("count"), count);
    if (padding > 0)
        state.set(QStringLiteral("padding"), QByteArray(padding, char('a' + count % 26)));
    return cbor::encode(state);
}

StateChange logChange(int count, quint64 revision, int padding = 0)
{
    StateChange change;
    change.state = logState(count, padding);
    change.causes = {Cause(QStringLiteral("action"), QStringLiteral("increment"))};
    change.saveRevision = revision;
    return change;
}

Transition logTransition(LifecycleState from, LifecycleState to, const QString &reason)
{
    Transition transition;
    transition.from = from;
    transition.to = to;
    transition.reason = reason;
    return transition;
}

template <typename Body>
QList<Body> bodiesOf(const QList<wire::Record> &records)
{
    QList<Body> found;
    for (const wire::Record &record : records) {
        if (const auto *body = std::get_if<Body>(&record.body))
            found.append(*body);
    }
    return found;
}

} // namespace

class tst_ChangeLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsChangesAndSaysWhichAreSaved()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));

        QCOMPARE(log.stateChanged(logChange(1, 1)), 1u);
        QCOMPARE(log.stateChanged(logChange(2, 2)), 2u);
        QCOMPARE(log.stateChanged(logChange(3, 3)), 3u);
        QCOMPARE(log.savedSequence(), 0u);
        log.saved(2, 100);

        QCOMPARE(log.savedSequence(), 2u);
        QCOMPARE(log.sequence(), 3u);
        log.saved(3, 100);
        QCOMPARE(log.savedSequence(), 3u);
    }

    void positionsHaveNoHolesWhileWatched()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        log.stateChanged(logChange(1, 1));
        log.watch();
        const quint64 start = log.position();

        log.transition(logTransition(LifecycleState::Terminated, LifecycleState::Loading, "action"));
        log.stateChanged(logChange(2, 2));
        log.saved(2, 10);
        log.connectionsChanged(1);
        log.awakeBegan(1, "keepAwake", "x");
        log.awakeEnded(1);
        log.note("hookFailed", "onWake: no", nullptr);
        FinishedCall call;
        call.cause = Cause("action", "increment");
        log.callFinished(call);

        const QList<wire::Record> news = log.takeNews();
        QCOMPARE(news.size(), 8);
        for (qsizetype i = 0; i < news.size(); ++i)
            QCOMPARE(news.at(i).position, start + 1 + quint64(i));
        QCOMPARE(log.takeNews().size(), 0);
        QCOMPARE(log.recordsAfter(start)->size(), 8);
        QCOMPARE(log.recordsAfter(start + 7)->size(), 1);
        QVERIFY(!log.recordsAfter(start + 9));
        QVERIFY(!log.recordsAfter(start - 1)); // from before anybody watched
    }

    void changesFromBeforeTheFirstWatcherAreToldApartForIt()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        log.setStoredState(logState(0));
        for (int i = 1; i <= 5; ++i)
            log.stateChanged(logChange(i, quint64(i)));
        QVERIFY(bodiesOf<wire::DeltaRecord>(log.records()).isEmpty());

        log.watch();

        const auto deltas = bodiesOf<wire::DeltaRecord>(log.records());
        QCOMPARE(deltas.size(), 5);
        Value state = cbor::decode(logState(0));
        for (const wire::DeltaRecord &record : deltas) {
            QCOMPARE(record.base + 1, record.sequence);
            QCOMPARE(record.causes.constFirst().name, QString("increment"));
            state = delta::apply(state, record.ops);
        }
        QCOMPARE(state, cbor::decode(log.state()));
        QCOMPARE(deltas.constFirst().ops.size(), 1);
        QCOMPARE(log.changedPaths(1, 5), 1);
    }

    void aFirstStateWithoutAnythingBeforeIsTheWholeState()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        log.setStoredState(QByteArray());
        log.watch();

        log.stateChanged(logChange(1, 1));

        const auto deltas = bodiesOf<wire::DeltaRecord>(log.takeNews());
        QCOMPARE(deltas.size(), 1);
        QCOMPARE(delta::apply(Value::undefined(), deltas.constFirst().ops), cbor::decode(logState(1)));
    }

    void withoutWatcherLittleIsKept()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        log.setStoredState(logState(0));
        for (int i = 1; i <= 1'000; ++i) {
            log.stateChanged(logChange(i, quint64(i), 4'000));
            FinishedCall call;
            call.cause = Cause("action", "increment");
            log.callFinished(call);
        }

        QVERIFY2(log.bytes() <= ChangeLog::flightBytes, qPrintable(QString::number(log.bytes())));
        log.watch();
        const auto records = log.records();
        QCOMPARE(bodiesOf<wire::CallRecord>(records).size(), ChangeLog::flightRecords);
        const auto deltas = bodiesOf<wire::DeltaRecord>(records);
        QVERIFY(deltas.size() >= 10);
        QVERIFY(deltas.size() <= ChangeLog::flightRecords);
        QCOMPARE(deltas.constLast().sequence, 1'000u);
        QVERIFY(log.keptSince() > 0);
    }

    void aLargeStateKeepsNoHistoryWhileNobodyWatches()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        for (int i = 1; i <= 5; ++i)
            log.stateChanged(logChange(i, quint64(i), 200'000));

        log.watch();
        log.stateChanged(logChange(6, 6, 200'000));

        const auto deltas = bodiesOf<wire::DeltaRecord>(log.records());
        QCOMPARE(deltas.size(), 1);
        QCOMPARE(delta::apply(cbor::decode(logState(5, 200'000)), deltas.constFirst().ops),
                 cbor::decode(logState(6, 200'000)));
    }

    void aWatchedLogIsARing()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        log.setStoredState(logState(0));
        log.watch();
        for (int i = 1; i <= 2'500; ++i)
            log.stateChanged(logChange(i, quint64(i)));

        const auto deltas = bodiesOf<wire::DeltaRecord>(log.records());

        QCOMPARE(deltas.size(), ChangeLog::watchedRecords);
        QCOMPARE(deltas.constFirst().sequence, 1'501u);
        QVERIFY(!log.recordsAfter(100));
        QVERIFY(log.recordsAfter(2'000));
    }

    void theLogGoesOnForAWhileAfterTheLastWatcher()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        log.setStoredState(logState(0));
        log.watch();
        log.stateChanged(logChange(1, 1));
        const quint64 seen = log.position();
        log.unwatch();
        log.stateChanged(logChange(2, 2));
        env.advance(std::chrono::seconds(30));
        log.watch();
        QCOMPARE(log.recordsAfter(seen)->size(), 1);
        log.unwatch();
        env.advance(std::chrono::seconds(61));
        log.stateChanged(logChange(3, 3));
        QVERIFY(!log.recordsAfter(seen));

        log.watch();
        QVERIFY(!log.recordsAfter(seen));
        const auto deltas = bodiesOf<wire::DeltaRecord>(log.records());
        QCOMPARE(deltas.constLast().sequence, 3u);
        QCOMPARE(delta::apply(cbor::decode(logState(2)), deltas.constLast().ops), cbor::decode(logState(3)));
    }

    void transitionsBecomeWhatPeopleSee()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        QCOMPARE(log.status(), ActorStatus::pending);

        log.transition(logTransition(LifecycleState::Terminated, LifecycleState::Loading, "created"));
        log.transition(logTransition(LifecycleState::Loading, LifecycleState::Starting, "loaded"));
        log.hookRunning("onWake");
        QCOMPARE(log.status(), ActorStatus::starting);
        Transition started = logTransition(LifecycleState::Starting, LifecycleState::Started, "hookFinished");
        started.hooks = {HookTime("onWake", 1'200, "ok")};
        log.transition(started);
        log.transition(logTransition(LifecycleState::Started, LifecycleState::SleepGrace, "idle"));
        log.transition(logTransition(LifecycleState::SleepGrace, LifecycleState::SleepFinalize, "drained"));
        log.transition(logTransition(LifecycleState::SleepFinalize, LifecycleState::Terminated, "saved"));

        const auto transitions = bodiesOf<wire::TransitionRecord>(log.records());
        QCOMPARE(transitions.size(), 6);
        QCOMPARE(transitions.at(0).from, ActorStatus::pending);
        QCOMPARE(transitions.at(2).to, ActorStatus::running);
        QCOMPARE(transitions.at(2).hooks.constFirst().name, QString("onWake"));
        for (qsizetype i = 1; i < transitions.size(); ++i)
            QCOMPARE(transitions.at(i).from, transitions.at(i - 1).to);
        QCOMPARE(log.status(), ActorStatus::sleeping);
    }

    void aFailedStartIsACrashAndAFinishedDestroyIsDestroyed()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &crashed = logs.obtain(logRow("a"));
        Transition failed = logTransition(LifecycleState::Starting, LifecycleState::Terminated, "crash");
        failed.error = Error("a", "b", "c");
        crashed.transition(failed);
        QCOMPARE(crashed.status(), ActorStatus::crashed);
        QCOMPARE(crashed.summary().lastError->code, QString("b"));

        ChangeLog &expected = logs.obtain(logRow("b"));
        expected.expectCrash(Error("run", "broke", "it broke"));
        expected.transition(logTransition(LifecycleState::SleepFinalize, LifecycleState::Terminated, "saved"));
        QCOMPARE(expected.status(), ActorStatus::crashed);
        QCOMPARE(expected.summary().lastError->code, QString("broke"));

        ChangeLog &destroyed = logs.obtain(logRow("c"));
        destroyed.transition(logTransition(LifecycleState::Destroying, LifecycleState::Terminated, "saved"));
        QCOMPARE(destroyed.status(), ActorStatus::destroyed);
    }

    void ratesFadeByThemselves()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        ChangeLog &log = logs.obtain(logRow("a"));
        const Error error("a", "b", "c");
        FinishedCall call;
        call.error = &error;
        for (int i = 0; i < 10; ++i) {
            log.stateChanged(logChange(i, quint64(i)));
            log.callFinished(call);
        }

        QCOMPARE(log.figures().rate, 2.0);
        QCOMPARE(log.figures().actionRate, 2.0);
        QCOMPARE(log.figures().errors5m, 10);
        env.advance(std::chrono::seconds(5));
        QCOMPARE(log.figures().rate, 0.0);
        QCOMPARE(log.figures().errors5m, 10);
        env.advance(std::chrono::minutes(5));
        QCOMPARE(log.figures(), ChangeLog::Figures());
    }

    void changesAreCollectedOnlyWhileSomebodyListens()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        int calls = 0;
        logs.onChanged = [&] { ++calls; };
        ChangeLog &log = logs.obtain(logRow("a"));
        log.summaryChanged();
        QCOMPARE(calls, 0);

        logs.setListening(true);
        log.summaryChanged();
        log.summaryChanged();
        QCOMPARE(calls, 1);
        QCOMPARE(logs.takeChanged().size(), std::size_t(1));
        log.summaryChanged();
        QCOMPARE(calls, 2);
        logs.setListening(false);
        QCOMPARE(logs.takeChanged().size(), std::size_t(0));
    }

    void sleepersAreForgottenOldestFirstAndNumbersNeverRepeat()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        QStringList forgotten;
        logs.onForgotten = [&](const ChangeLog &log) { forgotten.append(log.id()); };
        const int extra = 10;
        for (int i = 0; i < ChangeLogs::idleLogs + extra; ++i) {
            ChangeLog &log = logs.obtain(logRow(QString::number(i)));
            log.stateChanged(logChange(i, 1));
            if (i == 3)
                log.watch();
            logs.setIdle(log, true);
        }

        QCOMPARE(logs.count(), std::size_t(ChangeLogs::idleLogs));
        QCOMPARE(forgotten.size(), extra);
        QCOMPARE(forgotten.constFirst(), QString("0"));
        QVERIFY(!forgotten.contains("3")); // somebody watches it
        ChangeLog &again = logs.obtain(logRow("0"));
        QVERIFY(again.position() > 1);
        again.watch();
        QVERIFY(!again.recordsAfter(1));
        QVERIFY(again.stateChanged(logChange(1, 1)) > 1u);
    }

    void allFlightRecordersTogetherStayWithinTheirBudget()
    {
        SimulatedEnvironment env;
        ChangeLogs logs(env.environment());
        // 2,000 actors of 60 KB would be 120 MB.
        for (int i = 0; i < 2'000; ++i) {
            ChangeLog &log = logs.obtain(logRow(QString::number(i)));
            log.setStoredState(logState(0, 20'000));
            log.stateChanged(logChange(1, 1, 20'000));
            log.stateChanged(logChange(2, 2, 20'000));
            env.advance(std::chrono::milliseconds(1));
        }

        qint64 bytes = 0;
        logs.forEach([&](const ChangeLog &log) { bytes += log.bytes(); });
        QVERIFY2(bytes <= ChangeLogs::flightBytes, qPrintable(QString::number(bytes)));
        ChangeLog *newest = logs.find("1999");
        newest->watch();
        QCOMPARE(bodiesOf<wire::DeltaRecord>(newest->records()).size(), 2);
    }
};

QTEST_GUILESS_MAIN(tst_ChangeLog)
#include "tst_change_log.moc"
