#include "client/actor_feed.h"
#include "client/feed_update.h"

#include <QSignalSpy>
#include <QTest>

using namespace terrarium;

namespace {
using Update = ActorFeed::Update;

FeedDelta feedDelta(quint64 sequence, qint64 stateBytes = 10)
{
    FeedDelta delta;
    delta.delta.base = sequence - 1;
    delta.delta.sequence = sequence;
    delta.delta.stateBytes = stateBytes;
    delta.delta.ops = {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("n")), Value(qint64(sequence)),
                               Value(qint64(sequence - 1)))};
    delta.at = qint64(sequence) * 10;
    return delta;
}

Value feedState(quint64 sequence)
{
    return Value::map({{QStringLiteral("n"), Value(qint64(sequence))}});
}

Update firstUpdate()
{
    Update update;
    update.reset = true;
    update.facts = Update::Facts{};
    update.facts->takenAt = 5000;
    update.facts->live = true;
    update.summary = wire::ActorSummary{};
    update.summary->type = QStringLiteral("counter");
    update.keyframes = {{0, feedState(0), 10}};
    update.newest = Update::Newest{0, feedState(0)};
    return update;
}

Update deltasUpdate(quint64 from, quint64 to)
{
    Update update;
    for (quint64 sequence = from; sequence <= to; ++sequence)
        update.deltas.push_back(feedDelta(sequence));
    update.newest = Update::Newest{to, feedState(to)};
    return update;
}

/// Collects what stateAt answers.
struct Answers {
    QList<quint64> sequences;
    QList<Value> values;
    std::function<void(quint64, const Value &)> handler()
    {
        return [this](quint64 sequence, const Value &value) {
            sequences.append(sequence);
            values.append(value);
        };
    }
};
} // namespace

class tst_ActorFeed : public QObject {
    Q_OBJECT
private:
    QList<FeedChange> m_changes;

    void listen(ActorFeed &feed)
    {
        m_changes.clear();
        connect(&feed, &ActorFeed::changed, this, [this](const FeedChange &change) { m_changes.append(change); });
    }

private Q_SLOTS:
    void aNewFeedIsEmptyAndNotCurrent()
    {
        ActorFeed feed(QStringLiteral("a"));

        QVERIFY(!feed.isLoaded());
        QVERIFY(!feed.isCurrent());
        QVERIFY(feed.state().isUndefined());
        QCOMPARE(feed.indexOf(1), -1);
        QVERIFY(feed.stateAtNow(7).isUndefined());
    }

    void oneUpdateIsOneSignalThatTellsWhatChanged()
    {
        ActorFeed feed(QStringLiteral("a"));
        listen(feed);
        feed.apply(firstUpdate());
        Update update = deltasUpdate(1, 3);
        update.saved = {{2, 900, 40}};
        update.records.push_back({});
        feed.apply(update);

        QCOMPARE(m_changes.size(), 2);
        QVERIFY(m_changes[0].reset);
        QVERIFY(m_changes[0].summaryChanged);
        QCOMPARE(m_changes[1].deltasAppended, 3);
        QCOMPARE(m_changes[1].deltasDropped, 0);
        QCOMPARE(m_changes[1].recordsAppended, 1);
        QVERIFY(m_changes[1].savedChanged);
        QVERIFY(!m_changes[1].summaryChanged);
        QCOMPARE(feed.attachedAt(), qint64(5000));
        QCOMPARE(feed.newestSequence(), quint64(3));
        QVERIFY(feed.state() == feedState(3));
        QCOMPARE(feed.indexOf(2), 1);
        QCOMPARE(feed.deltas()[1].savedUs, qint64(900));
        QCOMPARE(feed.deltas()[2].savedUs, qint64(-1));
    }

    void droppedAndAppendedAlwaysAddUp()
    {
        ActorFeed feed(QStringLiteral("a"));
        feed.apply(firstUpdate());
        int shown = 0;
        connect(&feed, &ActorFeed::changed, this, [&](const FeedChange &change) {
            shown += change.deltasAppended - change.deltasDropped;
            QCOMPARE(shown, int(feed.deltas().size()));
        });
        quint64 next = 1;
        for (int batch = 0; batch < 60; ++batch) {
            Update update = deltasUpdate(next, next + 3999);
            next += 4000;
            update.keyframes = {{next - 1, feedState(next - 1), 10}};
            feed.apply(update);
            QVERIFY(feed.deltas().size() <= 100'000);
        }
        QVERIFY(feed.deltas().size() > 60'000);
        const quint64 oldest = feed.deltas().front().delta.sequence;
        QVERIFY(feed.stateAtNow(oldest) == feedState(oldest));
    }

    void recordsAreBounded()
    {
        ActorFeed feed(QStringLiteral("a"));
        int shown = 0;
        connect(&feed, &ActorFeed::changed, this,
                [&](const FeedChange &change) { shown += change.recordsAppended - change.recordsDropped; });
        for (int batch = 0; batch < 30; ++batch) {
            Update update;
            for (int i = 0; i < 1500; ++i) {
                FeedRecord record;
                record.record.position = quint64(batch * 1500 + i + 1);
                update.records.push_back(record);
            }
            feed.apply(update);
            QVERIFY(feed.records().size() <= 20'000);
            QCOMPARE(shown, int(feed.records().size()));
        }
        QCOMPARE(feed.records().back().record.position, quint64(45'000));
    }

    void cheapStatesAreAnsweredAtOnce()
    {
        ActorFeed feed(QStringLiteral("a"));
        ActorFeed::Hooks hooks;
        hooks.runLater = [](std::function<Value()>, std::function<void(const Value &)>) { QFAIL("not cheap"); };
        feed.setHooks(hooks);
        feed.apply(firstUpdate());
        feed.apply(deltasUpdate(1, 40));
        Answers answers;

        feed.stateAt(40, this, answers.handler());
        feed.stateAt(12, this, answers.handler());
        feed.stateAt(4000, this, answers.handler());

        QCOMPARE(answers.sequences, (QList<quint64>{40, 12, 4000}));
        QVERIFY(answers.values[0] == feedState(40));
        QVERIFY(answers.values[1] == feedState(12));
        QVERIFY(answers.values[2].isUndefined());
    }

    void aLongWayRunsOnTheWorkerAndTheLatestWins()
    {
        ActorFeed feed(QStringLiteral("a"));
        std::vector<std::pair<std::function<Value()>, std::function<void(const Value &)>>> jobs;
        ActorFeed::Hooks hooks;
        hooks.runLater = [&](std::function<Value()> job, std::function<void(const Value &)> done) {
            jobs.emplace_back(std::move(job), std::move(done));
        };
        feed.setHooks(hooks);
        feed.apply(firstUpdate());
        feed.apply(deltasUpdate(1, 1000));
        Answers answers;

        feed.stateAt(500, this, answers.handler());
        feed.stateAt(600, this, answers.handler());
        QCOMPARE(jobs.size(), size_t(2));
        for (const auto &[job, done] : jobs)
            done(job());

        QCOMPARE(answers.sequences, (QList<quint64>{600}));
        QVERIFY(answers.values[0] == feedState(600));
        feed.stateAt(600, this, answers.handler()); // remembered
        QCOMPARE(jobs.size(), size_t(2));
        QCOMPARE(answers.sequences.size(), 2);
    }

    void nobodyIsAnsweredWhoIsGone()
    {
        ActorFeed feed(QStringLiteral("a"));
        std::vector<std::function<void()>> jobs;
        ActorFeed::Hooks hooks;
        hooks.runLater = [&](std::function<Value()> job, std::function<void(const Value &)> done) {
            jobs.push_back([job, done] { done(job()); });
        };
        feed.setHooks(hooks);
        feed.apply(firstUpdate());
        feed.apply(deltasUpdate(1, 1000));
        Answers answers;
        auto context = std::make_unique<QObject>();

        feed.stateAt(500, context.get(), answers.handler());
        context.reset();
        jobs[0]();

        QVERIFY(answers.sequences.isEmpty());
    }

    void currentIsAClaimWithConditions()
    {
        ActorFeed feed(QStringLiteral("a"));
        bool late = false;
        ActorFeed::Hooks hooks;
        hooks.wallMs = [] { return qint64(777); };
        hooks.isBeatLate = [&] { return late; };
        feed.setHooks(hooks);
        Update current;
        current.freshness = Update::Freshness{true, 100};
        feed.apply(current);
        QVERIFY(!feed.isCurrent()); // not loaded
        feed.apply(firstUpdate());
        QVERIFY(feed.isCurrent());
        QCOMPARE(feed.currentAsOf(), qint64(777));
        late = true;
        QVERIFY(!feed.isCurrent());
        late = false;

        Update old;
        old.freshness = Update::Freshness{false, 300};
        listen(feed);
        feed.apply(old);

        QVERIFY(!feed.isCurrent());
        QCOMPARE(feed.currentAsOf(), qint64(300));
        QVERIFY(m_changes[0].freshnessChanged);
    }

    void gapsOfDroppedDeltasGoWithThem()
    {
        ActorFeed feed(QStringLiteral("a"));
        feed.apply(firstUpdate());
        Update gap;
        FeedGap row;
        row.afterSequence = 0;
        row.resyncSequence = 10;
        gap.gaps.append(row);
        gap.keyframes = {{10, feedState(10), 10}};
        feed.apply(gap);
        QCOMPARE(feed.gaps().size(), 1);

        quint64 next = 11;
        for (int batch = 0; batch < 30; ++batch) {
            Update update = deltasUpdate(next, next + 3999);
            next += 4000;
            update.keyframes = {{next - 1, feedState(next - 1), 10}};
            feed.apply(update);
        }

        QVERIFY(feed.gaps().isEmpty());
    }

    void mergedUpdatesGiveTheSameAsSeparateOnes()
    {
        ActorFeed separate(QStringLiteral("a"));
        ActorFeed merged(QStringLiteral("a"));
        Update all = firstUpdate();
        separate.apply(firstUpdate());
        for (quint64 next = 1; next < 400; next += 7) {
            Update update = deltasUpdate(next, next + 6);
            update.saved = {{next, 50, 0}};
            separate.apply(update);
            all.merge(std::move(update));
        }
        merged.apply(all);

        QCOMPARE(merged.deltas().size(), separate.deltas().size());
        QCOMPARE(merged.newestSequence(), separate.newestSequence());
        QVERIFY(merged.state() == separate.state());
        for (size_t i = 0; i < merged.deltas().size(); ++i) {
            QCOMPARE(merged.deltas()[i].savedUs, separate.deltas()[i].savedUs);
            const quint64 sequence = merged.deltas()[i].delta.sequence;
            QVERIFY(merged.stateAtNow(sequence) == separate.stateAtNow(sequence));
        }
    }
};

QTEST_GUILESS_MAIN(tst_ActorFeed)
#include "tst_actor_feed.moc"
