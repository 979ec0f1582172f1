#include "client/actor_tracker.h"

#include "client/replay.h"
#include "random_values.h"
#include "value/cbor.h"

#include <QTest>

using namespace terrarium;

namespace {

/// A host's log of one actor.
struct Log {
    Value state = Value::map({{QStringLiteral("count"), 0}});
    QList<wire::Record> records;
    quint64 sequence = 0;

    void put(qint64 count)
    {
        wire::DeltaRecord delta;
        delta.base = sequence++;
        delta.sequence = sequence;
        delta.ops = {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("count")), Value(count), state["count"])};
        QVERIFY(replay::apply(state, delta.ops));
        wire::Record record;
        record.position = quint64(records.size()) + 1;
        record.at = qint64(record.position) * 100;
        record.body = delta;
        records.append(record);
    }
    wire::Snapshot snapshot(qsizetype records = 0) const
    {
        wire::Snapshot snapshot;
        snapshot.position = quint64(this->records.size());
        snapshot.sequence = sequence;
        snapshot.state = cbor::encode(state);
        snapshot.records = this->records.mid(this->records.size() - records);
        return snapshot;
    }
};

ActorTracker::Reason reasonOf(const char *text, qint64 to = 9000)
{
    ActorTracker::Reason reason;
    reason.reason = QString::fromLatin1(text);
    reason.to = to;
    return reason;
}

} // namespace

class tst_ActorTracker : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstSnapshotIsNoGap()
    {
        Log log;
        log.put(1);
        ActorTracker tracker(QStringLiteral("a"));

        tracker.takeSnapshot(log.snapshot(), reasonOf(""));

        QVERIFY(tracker.isLoaded());
        const ActorFeed::Update update = tracker.takeUpdate();
        QVERIFY(update.reset);
        QVERIFY(update.gaps.isEmpty());
        QVERIFY(update.newest->state == log.state);
        QCOMPARE(update.newest->sequence, quint64(1));
    }

    void olderRecordsOfTheSnapshotCanBeTravelledTo()
    {
        Log log;
        std::vector<Value> states;
        for (int i = 1; i <= 900; ++i) {
            log.put(i * 3);
            states.push_back(log.state);
        }
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(log.snapshot(700), reasonOf(""));

        ActorFeed feed(QStringLiteral("a"));
        feed.apply(tracker.takeUpdate());

        QCOMPARE(feed.deltas().size(), size_t(700));
        for (quint64 sequence = 200; sequence <= 900; ++sequence)
            QVERIFY(feed.stateAtNow(sequence) == states[size_t(sequence - 1)]);
        QVERIFY(feed.stateAtNow(199).isUndefined());
    }

    void aMissingPositionIsAHoleAndNothingAfterItIsTaken()
    {
        Log log;
        for (int i = 1; i <= 5; ++i)
            log.put(i);
        Log early;
        early.put(1);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(early.snapshot(), reasonOf(""));

        QCOMPARE(tracker.append({log.records[1], log.records[3], log.records[4]}), ActorTracker::Verdict::Hole);

        QCOMPARE(tracker.position(), quint64(2));
        QVERIFY(tracker.state()["count"] == Value(2));
    }

    void recordsSeenBeforeAreSkipped()
    {
        Log log;
        for (int i = 1; i <= 3; ++i)
            log.put(i);
        Log early;
        early.put(1);
        early.put(2);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(early.snapshot(), reasonOf(""));

        QCOMPARE(tracker.append(log.records), ActorTracker::Verdict::Taken);

        QCOMPARE(tracker.sequence(), quint64(3));
        QCOMPARE(tracker.takeUpdate().deltas.size(), size_t(1));
    }

    void aDeltaThatDoesNotFitIsAConflict()
    {
        Log log;
        log.put(1);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(log.snapshot(), reasonOf(""));
        wire::DeltaRecord wrong;
        wrong.base = 1;
        wrong.sequence = 2;
        wrong.ops = {DeltaOp(DeltaOp::Kind::Remove, Path().child(QStringLiteral("absent")))};
        wire::Record record;
        record.position = 2;
        record.body = wrong;

        QCOMPARE(tracker.append({record}), ActorTracker::Verdict::Conflict);
    }

    void aSnapshotAfterLostRecordsLeavesOneGapWithTheirNumber()
    {
        Log log;
        log.put(1);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(log.snapshot(), reasonOf("", 100));
        (void)tracker.takeUpdate();
        for (int i = 2; i <= 8; ++i)
            log.put(i);

        tracker.takeSnapshot(log.snapshot(2), reasonOf("linkLost"));

        const ActorFeed::Update update = tracker.takeUpdate();
        QVERIFY(!update.reset);
        QCOMPARE(update.gaps.size(), 1);
        QCOMPARE(update.gaps[0].afterSequence, quint64(1));
        QCOMPARE(update.gaps[0].resyncSequence, quint64(6));
        QCOMPARE(update.gaps[0].count, quint64(5));
        QCOMPARE(update.gaps[0].reason, QStringLiteral("linkLost"));
        QCOMPARE(update.gaps[0].from, qint64(100));
        QCOMPARE(update.gaps[0].to, qint64(700));  // the oldest record that came along
        QCOMPARE(update.deltas.size(), size_t(2)); // the two the host still had
        QVERIFY(tracker.state() == log.state);
    }

    void theHostsCountIsLessWhatTheSnapshotBrings()
    {
        Log log;
        log.put(1);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(log.snapshot(), reasonOf("", 100));
        (void)tracker.takeUpdate();
        for (int i = 2; i <= 31; ++i)
            log.put(i);
        ActorTracker::Reason reason = reasonOf("hostDropped");
        reason.count = 30;

        tracker.takeSnapshot(log.snapshot(10), reason);

        const ActorFeed::Update update = tracker.takeUpdate();
        QCOMPARE(update.gaps[0].count, quint64(20));
        QCOMPARE(update.gaps[0].to, log.records[21].at);
    }

    void aSnapshotThatFillsEverythingIsNoGap()
    {
        Log log;
        log.put(1);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(log.snapshot(), reasonOf(""));
        (void)tracker.takeUpdate();
        for (int i = 2; i <= 8; ++i)
            log.put(i);

        tracker.takeSnapshot(log.snapshot(8), reasonOf("linkLost"));

        const ActorFeed::Update update = tracker.takeUpdate();
        QVERIFY(update.gaps.isEmpty());
        QCOMPARE(update.deltas.size(), size_t(7));
        QVERIFY(tracker.state() == log.state);
    }

    void aResumedAnswerAppends()
    {
        Log log;
        log.put(1);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(log.snapshot(), reasonOf(""));
        (void)tracker.takeUpdate();
        log.put(2);
        wire::Subscribed subscribed;
        subscribed.resumed = true;
        subscribed.snapshot = log.snapshot(1);

        QCOMPARE(tracker.takeSubscribed(subscribed, reasonOf("linkLost")), ActorTracker::Verdict::Taken);

        const ActorFeed::Update update = tracker.takeUpdate();
        QVERIFY(update.gaps.isEmpty());
        QCOMPARE(update.deltas.size(), size_t(1));
    }

    void anotherHostRunStartsOverAndSaysSo()
    {
        Log log;
        for (int i = 1; i <= 4; ++i)
            log.put(i);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(log.snapshot(), reasonOf(""));
        (void)tracker.takeUpdate();
        Log next;
        next.put(77);

        tracker.forgetRun();
        QCOMPARE(tracker.position(), quint64(0));
        tracker.takeSnapshot(next.snapshot(1), reasonOf("linkLost"));

        const ActorFeed::Update update = tracker.takeUpdate();
        QVERIFY(update.reset);
        QCOMPARE(update.gaps.size(), 1);
        QCOMPARE(update.gaps[0].reason, QStringLiteral("hostRestarted"));
        QCOMPARE(tracker.sequence(), quint64(1));
    }

    void bytesThatAreNoStateAreReportedAndFollowedByNumber()
    {
        Log log;
        log.put(1);
        wire::Snapshot snapshot = log.snapshot();
        snapshot.state = QByteArray("\xff\xff", 2);
        ActorTracker tracker(QStringLiteral("a"));

        tracker.takeSnapshot(snapshot, reasonOf(""));
        log.put(2);
        QCOMPARE(tracker.append({log.records[1]}), ActorTracker::Verdict::Taken);

        const ActorFeed::Update update = tracker.takeUpdate();
        QVERIFY(update.facts->stateError.has_value());
        QCOMPARE(update.facts->stateBytes, snapshot.state);
        QVERIFY(update.newest->state.isUndefined());
        QCOMPARE(tracker.sequence(), quint64(2));
    }

    void anUpdateNobodyTakesStaysBounded()
    {
        Log log;
        log.put(0);
        ActorTracker tracker(QStringLiteral("a"));
        tracker.takeSnapshot(log.snapshot(), reasonOf(""));
        ActorFeed::Update waiting = tracker.takeUpdate();
        Value state = log.state;
        quint64 sequence = 1;
        for (int batch = 0; batch < 150; ++batch) {
            QList<wire::Record> records;
            for (int i = 0; i < 1000; ++i) {
                wire::DeltaRecord delta;
                delta.base = sequence++;
                delta.sequence = sequence;
                delta.ops = {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("count")), Value(qint64(sequence)),
                                     Value(qint64(sequence - 1)))};
                wire::Record record;
                record.position = sequence;
                record.body = delta;
                records.append(record);
            }
            QCOMPARE(tracker.append(records), ActorTracker::Verdict::Taken);
            waiting.merge(tracker.takeUpdate());
            QVERIFY(waiting.deltas.size() <= 100'000);
            QVERIFY(waiting.deltaBytes <= 64LL * 1024 * 1024);
        }

        ActorFeed feed(QStringLiteral("a"));
        feed.apply(waiting);
        QCOMPARE(feed.newestSequence(), sequence);
        QVERIFY(feed.state()["count"] == Value(qint64(sequence)));
        const quint64 oldest = feed.deltas().front().delta.sequence;
        QVERIFY(feed.stateAtNow(oldest)["count"] == Value(qint64(oldest)));
    }
};

QTEST_GUILESS_MAIN(tst_ActorTracker)
#include "tst_actor_tracker.moc"
