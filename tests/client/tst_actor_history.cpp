#include "client/actor_history.h"

#include "client/replay.h"
#include "random_values.h"

#include <QTest>

using namespace terrarium;

namespace {
/// A chain of random deltas with the state after each.
struct Chain {
    std::vector<FeedDelta> deltas;
    std::vector<Value> states; ///< states[i]: after deltas[i]
    Value start = Value::map();

    void grow(std::mt19937_64 &random, int count)
    {
        Value state = states.empty() ? start : states.back();
        for (int i = 0; i < count; ++i) {
            FeedDelta delta;
            delta.delta.base = deltas.empty() ? 0 : deltas.back().delta.sequence;
            delta.delta.sequence = delta.delta.base + 1;
            delta.delta.ops = {testing::randomOp(random, state)};
            delta.at = qint64(delta.delta.sequence) * 10;
            QVERIFY(replay::apply(state, delta.delta.ops));
            deltas.push_back(delta);
            states.push_back(state);
        }
    }
};

quint64 seedOfRun()
{
    const quint64 seed = qEnvironmentVariableIsSet("TERRARIUM_SEED")
                             ? qEnvironmentVariable("TERRARIUM_SEED").toULongLong()
                             : std::random_device{}();
    qInfo("seed %llu (run again with TERRARIUM_SEED)", static_cast<unsigned long long>(seed));
    return seed;
}
} // namespace

class tst_ActorHistory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void revertUndoesApplyForRandomChanges()
    {
        std::mt19937_64 random(seedOfRun());
        for (int round = 0; round < 2000; ++round) {
            const Value before = testing::randomValue(random, 4);
            Value state = before;
            Delta delta;
            for (int i = 0; i < 4; ++i) {
                const DeltaOp op = testing::randomOp(random, state);
                QVERIFY(replay::apply(state, {op}));
                delta.append(op);
            }
            QVERIFY(state == delta::apply(before, delta));
            QVERIFY(replay::revert(state, delta));
            QVERIFY(state == before);
        }
    }

    void aDeltaThatDoesNotFitIsRefused()
    {
        Value state = Value::map({{QStringLiteral("list"), Value::array({1})}});
        const Path list = Path().child(QStringLiteral("list"));

        QVERIFY(!replay::apply(state, {DeltaOp(DeltaOp::Kind::Set, list.child(3), 1)}));
        QVERIFY(!replay::apply(state, {DeltaOp(DeltaOp::Kind::Insert, list.child(2), 1)}));
        QVERIFY(!replay::apply(state, {DeltaOp(DeltaOp::Kind::Remove, Path().child(QStringLiteral("gone")))}));
        QVERIFY(!replay::apply(
            state, {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("no")).child(QStringLiteral("way")), 1)}));
        QVERIFY(replay::apply(state, {DeltaOp(DeltaOp::Kind::Insert, list.child(1), 2)}));
    }

    void stateAtEveryKeptDeltaEqualsReplay()
    {
        std::mt19937_64 random(seedOfRun());
        Chain chain;
        chain.grow(random, 1500);
        ActorHistory history;
        history.addKeyframe({0, chain.start, 64});
        for (size_t i = 255; i < chain.deltas.size(); i += 256)
            history.addKeyframe({chain.deltas[i].delta.sequence, chain.states[i], 64});
        history.append(chain.deltas, {});

        for (size_t i = 0; i < chain.deltas.size(); ++i) {
            const auto replay = history.replayTo(chain.deltas[i].delta.sequence);
            QVERIFY(replay.has_value());
            QVERIFY(replay->deltas.size() <= 256);
            QVERIFY2(replay->run() == chain.states[i], qPrintable(QString::number(i)));
        }
        QVERIFY(!history.replayTo(chain.deltas.back().delta.sequence + 1));
    }

    void theOldestDeltasGoUpToAKeyframeAndTheRestStaysExact()
    {
        std::mt19937_64 random(seedOfRun());
        Chain chain;
        chain.grow(random, 3000);
        ActorHistory history(ActorHistory::Limits{1000, 64 * 1024 * 1024});
        history.addKeyframe({0, chain.start, 64});
        int dropped = 0;
        for (size_t i = 0; i < chain.deltas.size(); ++i) {
            history.append({chain.deltas[i]}, {});
            if (i % 100 == 99)
                history.addKeyframe({chain.deltas[i].delta.sequence, chain.states[i], 64});
            dropped += history.trim();
            QVERIFY(history.deltas().size() <= 1000);
        }

        QCOMPARE(dropped + int(history.deltas().size()), 3000);
        QVERIFY(history.deltas().size() >= 800);
        for (const FeedDelta &delta : history.deltas()) {
            const auto replay = history.replayTo(delta.delta.sequence);
            QVERIFY(replay.has_value());
            QVERIFY(replay->run() == chain.states[size_t(delta.delta.sequence - 1)]);
        }
        QVERIFY(!history.replayTo(1));
    }

    void bytesAreBoundedToo()
    {
        ActorHistory history(ActorHistory::Limits{100'000, 1024 * 1024});
        Value state = Value::map({{QStringLiteral("blob"), Value(QByteArray(2000, 'a'))}});
        history.addKeyframe({0, state, 2100});
        for (quint64 sequence = 1; sequence <= 2000; ++sequence) {
            FeedDelta delta;
            delta.delta.base = sequence - 1;
            delta.delta.sequence = sequence;
            delta.delta.ops = {
                DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("blob")), Value(QByteArray(2000, 'b')))};
            QVERIFY(replay::apply(state, delta.delta.ops));
            history.append({delta}, {});
            if (sequence % 64 == 0)
                history.addKeyframe({sequence, state, 2100});
            history.trim();
            QVERIFY2(history.bytes() <= 1024 * 1024, qPrintable(QString::number(history.bytes())));
        }
        QVERIFY(history.deltas().size() > 100);
        const quint64 oldest = history.deltas().front().delta.sequence;
        QVERIFY(history.replayTo(oldest).has_value());
        QVERIFY(history.replayTo(2000).has_value());
    }

    void keyframesOfALargeStateAreThinnedBeforeDeltasGo()
    {
        std::mt19937_64 random(seedOfRun());
        Chain chain;
        chain.grow(random, 2000);
        ActorHistory history(ActorHistory::Limits{100'000, 4 * 1024 * 1024});
        history.addKeyframe({0, chain.start, 300'000});
        for (size_t i = 0; i < chain.deltas.size(); ++i) {
            history.append({chain.deltas[i]}, {});
            if (i % 100 == 99)
                history.addKeyframe({chain.deltas[i].delta.sequence, chain.states[i], 300'000});
            QCOMPARE(history.trim(), 0);
        }
        QVERIFY(history.keyframeCount() < 12);
        for (size_t i = 0; i < chain.deltas.size(); i += 37)
            QVERIFY(history.replayTo(i + 1)->run() == chain.states[i]);
    }

    void nothingIsReplayedAcrossAHole()
    {
        ActorHistory history;
        history.addKeyframe({0, Value::map(), 64});
        FeedDelta first;
        first.delta.sequence = 1;
        first.delta.ops = {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("a")), 1)};
        FeedDelta later;
        later.delta.base = 10;
        later.delta.sequence = 11;
        later.delta.ops = {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("b")), 2)};
        history.append({first, later}, {});

        QVERIFY(history.replayTo(1).has_value());
        QVERIFY(!history.replayTo(11).has_value());

        ActorHistory resynchronised;
        resynchronised.addKeyframe({0, Value::map(), 64});
        resynchronised.addKeyframe({10, Value::map({{QStringLiteral("z"), 0}}), 64});
        resynchronised.append({first, later}, {});
        QVERIFY(resynchronised.replayTo(11)->run()["b"] == Value(2));
        QVERIFY(resynchronised.replayTo(10).has_value());
        QVERIFY(!resynchronised.replayTo(5).has_value());
    }

    void aSaveCoversAllDeltasBeforeIt()
    {
        std::mt19937_64 random(1);
        Chain chain;
        chain.grow(random, 4);
        ActorHistory history;
        history.append(chain.deltas, {});

        QVERIFY(history.setSaved(3, 900, 35));
        QVERIFY(!history.setSaved(2, 1, 1));

        QCOMPARE(history.deltas()[0].savedUs, qint64(25'000)); // changed at 10, durable at 35
        QCOMPARE(history.deltas()[1].savedUs, qint64(15'000));
        QCOMPARE(history.deltas()[2].savedUs, qint64(900));
        QCOMPARE(history.deltas()[3].savedUs, qint64(-1));
    }
};

QTEST_GUILESS_MAIN(tst_ActorHistory)
#include "tst_actor_history.moc"
