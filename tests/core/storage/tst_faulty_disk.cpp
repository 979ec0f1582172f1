// What was acknowledged survives: a kill always, a power cut with Durability::Power; and a disk that fails is told of.

#include "storage/data_folder.h"
#include "storage/shard.h"
#include "storage_support.h"
#include "testing/faulty_vfs.h"
#include "testing/simulated_environment.h"

#include <QtTest>

#include <numeric>
#include <random>

using namespace terrarium;
using storage_support::Answer;
using terrarium::testing::FaultyVfs;
using terrarium::testing::SimulatedEnvironment;

class tst_FaultyDisk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void powerCutLosesNothingAcknowledged();
    void killLosesNothingAcknowledged();
    void powerCutWithProcessDurabilityLeavesASoundFile();
    void processDurabilityDoesNotSyncPerCommit();
    void failedWriteIsToldAndCanBeTriedAgain_data();
    void failedWriteIsToldAndCanBeTriedAgain();
    void failedSyncIsNotAcknowledged();
    void failedCheckpointLosesNothing();
};

namespace {

/// A few actors whose states are numbers that only grow, saved at random; knows which were acknowledged.
struct Workload {
    Workload(Durability durability, quint64 seed) : random(seed), disk(seed), env(seed)
    {
        env.environment().sqliteVfs = disk.name();
        DataFolderOptions options;
        options.path = dir.path();
        options.durability = durability;
        folder = std::make_unique<DataFolder>(env, options);
        hook = env.environment().executor.onTurnEnd([this] { folder->commitTurn(); });
        for (int i = 0; i < 5; ++i) {
            const ActorRow row =
                folder->index().create(QStringLiteral("n"), ActorKey(QString::number(i)), std::nullopt, 1, {});
            live.push_back(folder->index().begin(row.id));
            acknowledged.push_back(0);
            asked.push_back(0);
        }
        env.runUntilIdle();
    }

    void run(int steps)
    {
        for (int step = 0; step < steps; ++step) {
            const size_t i = random() % live.size();
            const int number = ++asked[i];
            WriteBatch batch;
            // Sizes from a few bytes to many pages.
            batch.saveState(QByteArray::number(number).leftJustified(20 + int(random() % 20'000), '.'), number);
            live[i]->commit(std::move(batch), [this, i, number](const std::optional<Error> &error) {
                if (!error)
                    acknowledged[i] = std::max(acknowledged[i], number);
            });
            env.environment().executor.post([] {}); // an event made it
            if (random() % 3 == 0) {
                for (int n = int(random() % 6); n > 0; --n)
                    env.runOne();
            }
        }
    }

    /// What is wrong with the files in `path`; empty when every acknowledged number is there.
    QString check(const QString &path) const
    {
        SimulatedEnvironment fresh;
        DataFolderOptions options;
        options.path = path;
        DataFolder copy(fresh, options);
        const QString sound = copy.shard().reader().text(QStringLiteral("PRAGMA integrity_check"));
        if (sound != QLatin1String("ok"))
            return sound;
        for (size_t i = 0; i < acknowledged.size(); ++i) {
            const auto row = copy.index().find(QStringLiteral("n"), ActorKey(QString::number(i)));
            const int stored =
                row ? QString::fromUtf8(copy.index().read(row->id).state).section(QLatin1Char('.'), 0, 0).toInt() : -1;
            if (stored < acknowledged[i] || stored > asked[i])
                return QStringLiteral("actor %1: %2 stored, %3 acknowledged, %4 asked")
                    .arg(i)
                    .arg(stored)
                    .arg(acknowledged[i])
                    .arg(asked[i]);
        }
        return {};
    }

    int acknowledgedInAll() const { return std::accumulate(acknowledged.begin(), acknowledged.end(), 0); }

    std::mt19937_64 random;
    QTemporaryDir dir;
    FaultyVfs disk;
    SimulatedEnvironment env;
    std::unique_ptr<DataFolder> folder;
    Executor::TurnHook hook;
    std::vector<std::unique_ptr<ActorStorage>> live;
    std::vector<int> acknowledged;
    std::vector<int> asked;
};

quint64 freshSeed()
{
    const quint64 seed = QRandomGenerator::global()->generate64();
    qInfo("seed %llu", seed);
    return seed;
}

} // namespace

void tst_FaultyDisk::powerCutLosesNothingAcknowledged()
{
    const quint64 seed = freshSeed();
    int acknowledged = 0;
    for (quint64 round = 0; round < 20; ++round) {
        Workload load(Durability::Power, seed + round);
        for (int cut = 0; cut < 5; ++cut) {
            load.run(int(20 + load.random() % 200)); // now and then through a checkpoint
            QTemporaryDir after;
            load.disk.powerCut(load.dir.path(), after.path());
            const QString wrong = load.check(after.path());
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(QStringLiteral("round %1, cut %2: %3").arg(round).arg(cut).arg(wrong)));
        }
        acknowledged += load.acknowledgedInAll();
    }
    QVERIFY(acknowledged > 1000);
}

void tst_FaultyDisk::killLosesNothingAcknowledged()
{
    const quint64 seed = freshSeed();
    for (const Durability durability : {Durability::Process, Durability::Power}) {
        Workload load(durability, seed);
        for (int kill = 0; kill < 10; ++kill) {
            load.run(50);
            QTemporaryDir after; // files as they are, without the shared memory
            for (const char *name : {"shared.sqlite", "shared.sqlite-wal"})
                QFile::copy(load.dir.filePath(QLatin1String(name)), after.filePath(QLatin1String(name)));
            const QString wrong = load.check(after.path());
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
        QVERIFY(load.acknowledgedInAll() > 50);
    }
}

void tst_FaultyDisk::powerCutWithProcessDurabilityLeavesASoundFile()
{
    const quint64 seed = freshSeed();
    for (quint64 round = 0; round < 10; ++round) {
        Workload load(Durability::Process, seed + round);
        load.run(150);
        QTemporaryDir after;
        load.disk.powerCut(load.dir.path(), after.path());

        SimulatedEnvironment fresh;
        DataFolderOptions options;
        options.path = after.path();
        DataFolder copy(fresh, options);
        QCOMPARE(copy.shard().reader().text(QStringLiteral("PRAGMA integrity_check")), QStringLiteral("ok"));
    }
}

void tst_FaultyDisk::processDurabilityDoesNotSyncPerCommit()
{
    Workload process(Durability::Process, 1);
    Workload power(Durability::Power, 1);
    const int processBefore = process.disk.syncs();
    const int powerBefore = power.disk.syncs();
    for (Workload *load : {&process, &power}) {
        for (int i = 0; i < 20; ++i) {
            load->run(1);
            load->env.runUntilIdle();
        }
        QCOMPARE(load->acknowledgedInAll(), 20);
    }

    QCOMPARE(process.disk.syncs(), processBefore);
    QVERIFY(power.disk.syncs() >= powerBefore + 20);
}

void tst_FaultyDisk::failedWriteIsToldAndCanBeTriedAgain_data()
{
    QTest::addColumn<Durability>("durability");
    QTest::addColumn<FaultyVfs::Fault>("fault");
    QTest::addColumn<QString>("code");
    QTest::newRow("process, I/O error") << Durability::Process << FaultyVfs::Fault::IoError << "storage/io_error";
    QTest::newRow("process, disk full") << Durability::Process << FaultyVfs::Fault::DiskFull << "storage/disk_full";
    QTest::newRow("power, I/O error") << Durability::Power << FaultyVfs::Fault::IoError << "storage/io_error";
    QTest::newRow("power, disk full") << Durability::Power << FaultyVfs::Fault::DiskFull << "storage/disk_full";
}

void tst_FaultyDisk::failedWriteIsToldAndCanBeTriedAgain()
{
    QFETCH(Durability, durability);
    QFETCH(FaultyVfs::Fault, fault);
    QFETCH(QString, code);
    Workload load(durability, 1);
    Answer one, two, again;
    WriteBatch first, second;
    first.saveState("one", 1);
    second.saveState(QByteArray(50'000, 'x'), 2);
    load.disk.fail(FaultyVfs::Operation::Write, fault, 3, 1, QStringLiteral("-wal"));

    load.live[0]->commit(first, one.taker());
    load.live[1]->commit(second, two.taker());
    load.env.runUntilIdle();
    QCOMPARE(load.disk.failures(), 1);
    QCOMPARE(one.text, code);
    QCOMPARE(two.text, code);
    load.live[0]->commit(first, again.taker());
    load.env.runUntilIdle();

    QCOMPARE(again.text, QStringLiteral("ok"));
    QCOMPARE(load.folder->index().read(load.live[0]->actor().id).state, QByteArray("one"));
    QVERIFY(load.folder->index().read(load.live[1]->actor().id).state.isEmpty());
}

void tst_FaultyDisk::failedSyncIsNotAcknowledged()
{
    Workload load(Durability::Power, 1);
    Answer one, again;
    WriteBatch batch;
    batch.saveState("one", 1);
    load.disk.fail(FaultyVfs::Operation::Sync, FaultyVfs::Fault::IoError);

    load.live[0]->commit(batch, one.taker());
    load.env.runUntilIdle();
    QCOMPARE(one.text, QStringLiteral("storage/io_error"));
    load.live[0]->commit(batch, again.taker());
    load.env.runUntilIdle();

    QCOMPARE(again.text, QStringLiteral("ok"));
    QTemporaryDir after;
    load.disk.powerCut(load.dir.path(), after.path());
    SimulatedEnvironment fresh;
    DataFolderOptions options;
    options.path = after.path();
    DataFolder copy(fresh, options);
    QCOMPARE(copy.index().read(load.live[0]->actor().id).state, QByteArray("one"));
}

void tst_FaultyDisk::failedCheckpointLosesNothing()
{
    Workload load(Durability::Process, 3);
    load.disk.fail(FaultyVfs::Operation::Write, FaultyVfs::Fault::IoError, 0, 1, QStringLiteral("shared.sqlite"));

    for (int i = 0; i < 120; ++i) {
        load.run(20);
        load.env.runUntilIdle();
    }

    QVERIFY(load.folder->shard().checkpointer()->counters().failures >= 1);
    QVERIFY(load.folder->shard().checkpointer()->counters().passes >= 1);
    QCOMPARE(load.acknowledgedInAll(), std::accumulate(load.asked.begin(), load.asked.end(), 0));
    load.hook.reset();
    load.folder->close();
    const QString wrong = load.check(load.dir.path());
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

QTEST_GUILESS_MAIN(tst_FaultyDisk)
#include "tst_faulty_disk.moc"
