// One transaction per turn, every unit answered once and in order, one bad unit fails alone.

#include "async/qt_environment.h"
#include "storage/commit_group.h"
#include "storage_support.h"
#include "testing/simulated_environment.h"

#include <QtTest>

using namespace terrarium;
using storage_support::Answer;
using terrarium::testing::SimulatedEnvironment;

class tst_CommitGroup : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void turnIsOneTransaction_data();
    void turnIsOneTransaction();
    void processIsDurableOnReturn();
    void powerAnswersLaterAndInOrder();
    void whatQueuesDuringACommitSharesTheNext();
    void badUnitFailsAlone_data() { turnIsOneTransaction_data(); }
    void badUnitFailsAlone();
    void unitIsAllOrNothing();
    void lockedFileIsWaitedFor();
    void fileLockedForLongFailsEveryUnitAndLosesNone();
    void fullDiskFailsEveryUnitAndIsOverWhenThereIsRoom_data() { turnIsOneTransaction_data(); }
    void fullDiskFailsEveryUnitAndIsOverWhenThereIsRoom();
    void callbackMayAddMore();
    void heldTurnsPileUp();
    void beforeCommitMayAdd();
    void flushWaitsForTheStorageThread();
    void storageThreadAnswersOnTheHostThread();
    void unitWithoutWritesIsAnsweredInOrder();
};

namespace {

constexpr const char *put = "INSERT OR REPLACE INTO t (k, v) VALUES (?, ?)";
constexpr const char *blob = "INSERT OR REPLACE INTO t (k, v) VALUES (?, ?)";
constexpr const char *fewPages = "PRAGMA max_page_count = 10";
constexpr const char *manyPages = "PRAGMA max_page_count = 100000";
constexpr const char *fenced = "UPDATE t SET v = ? WHERE k = ?";

struct Place {
    explicit Place(bool inMemory = false)
        : file(inMemory ? QStringLiteral(":memory:") : dir.filePath(QStringLiteral("a"))),
          connection(file, {})
    {
        if (!inMemory)
            connection.execute(QStringLiteral("PRAGMA journal_mode = WAL"));
        connection.execute(QStringLiteral("CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER)"));
    }
    qint64 count() { return connection.integer(QStringLiteral("SELECT count(*) FROM t")); }
    qint64 value(int key)
    {
        return connection.integer(QStringLiteral("SELECT ifnull((SELECT v FROM t WHERE k = %1), -1)").arg(key));
    }

    QTemporaryDir dir;
    QString file;
    SqlConnection connection;
};

CommitUnit unit(int key, int value, CommitDone done)
{
    CommitUnit unit;
    unit.writes.emplace_back(put, QVariantList{key, value});
    unit.done = std::move(done);
    unit.subject = QString::number(key);
    return unit;
}

CommitUnit fencedUnit(int key, int value, CommitDone done)
{
    CommitUnit unit;
    unit.writes.emplace_back(fenced, QVariantList{value, key}, SqlWrite::Expect::Fence);
    unit.done = std::move(done);
    unit.subject = QString::number(key);
    return unit;
}

} // namespace

void tst_CommitGroup::turnIsOneTransaction_data()
{
    QTest::addColumn<Durability>("durability");
    QTest::newRow("process") << Durability::Process;
    QTest::newRow("power") << Durability::Power;
}

void tst_CommitGroup::turnIsOneTransaction()
{
    QFETCH(Durability, durability);
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, durability);
    int transactions = 0;
    group.committed = [&](int pages) {
        ++transactions;
        QVERIFY(pages > 0);
    };
    QList<int> answered;
    for (int i = 0; i < 50; ++i)
        group.add(unit(i, i, [&answered, i](const auto &error) { answered << (error ? -1 : i); }));

    group.commitTurn();
    env.runUntilIdle();

    QCOMPARE(transactions, 1);
    QCOMPARE(answered.size(), 50);
    QVERIFY(std::is_sorted(answered.begin(), answered.end()));
    QCOMPARE(answered.first(), 0);
    QCOMPARE(place.count(), 50);
    QVERIFY(group.isSettled());
}

void tst_CommitGroup::processIsDurableOnReturn()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Process);
    Answer answer;
    group.add(unit(1, 7, answer.taker()));
    QCOMPARE(answer.text, QStringLiteral("none"));

    group.commitTurn();

    QCOMPARE(answer.text, QStringLiteral("ok"));
    SqlConnection other(place.file, {});
    QCOMPARE(other.integer(QStringLiteral("SELECT v FROM t WHERE k = 1")), 7);
}

void tst_CommitGroup::powerAnswersLaterAndInOrder()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Power);
    Answer answer;
    group.add(unit(1, 7, answer.taker()));

    group.commitTurn();
    QCOMPARE(answer.text, QStringLiteral("none"));
    QVERIFY(!group.isSettled());
    env.runUntilIdle();

    QCOMPARE(answer.text, QStringLiteral("ok"));
    QCOMPARE(answer.times, 1);
    QVERIFY(group.isSettled());
}

void tst_CommitGroup::whatQueuesDuringACommitSharesTheNext()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Power);
    int transactions = 0;
    group.committed = [&](int) { ++transactions; };

    // Ten turns before the storage side gets to work.
    for (int i = 0; i < 10; ++i) {
        group.add(unit(i, i, {}));
        group.commitTurn();
    }
    env.runUntilIdle();

    QCOMPARE(transactions, 1);
    QCOMPARE(place.count(), 10);
}

void tst_CommitGroup::badUnitFailsAlone()
{
    QFETCH(Durability, durability);
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, durability);
    Answer good, bad, later;
    group.add(unit(1, 1, good.taker()));
    group.add(fencedUnit(99, 1, bad.taker()));
    group.add(fencedUnit(1, 5, later.taker()));

    group.commitTurn();
    env.runUntilIdle();

    QCOMPARE(good.text, QStringLiteral("ok"));
    QCOMPARE(bad.text, QStringLiteral("storage/stale_generation"));
    QCOMPARE(later.text, QStringLiteral("ok"));
    QCOMPARE(place.value(1), 5);
}

void tst_CommitGroup::unitIsAllOrNothing()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Process);
    Answer answer;
    CommitUnit both = unit(1, 1, answer.taker());
    both.writes.emplace_back(fenced, QVariantList{1, 99}, SqlWrite::Expect::OneRow);
    group.add(std::move(both));

    group.commitTurn();

    QCOMPARE(answer.text, QStringLiteral("storage/lost_row"));
    QCOMPARE(place.count(), 0);
}

void tst_CommitGroup::lockedFileIsWaitedFor()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Process);
    env.onTurnEnd([&] { group.commitTurn(); });
    Answer one, two;
    {
        SqlConnection other(place.file, {});
        const SqlTransaction locked(other);
        group.add(unit(1, 1, one.taker()));
        env.advance(std::chrono::milliseconds(500));
        group.add(unit(2, 2, two.taker()));
        env.advance(std::chrono::milliseconds(500));
        QCOMPARE(one.text, QStringLiteral("none"));
        QVERIFY(!group.isSettled());
    }
    env.advance(std::chrono::milliseconds(10));

    QCOMPARE(one.text, QStringLiteral("ok"));
    QCOMPARE(two.text, QStringLiteral("ok"));
    QCOMPARE(place.count(), 2);
}

void tst_CommitGroup::fileLockedForLongFailsEveryUnitAndLosesNone()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Process);
    env.onTurnEnd([&] { group.commitTurn(); });
    Answer one, two, again;
    {
        SqlConnection other(place.file, {});
        const SqlTransaction locked(other);
        group.add(unit(1, 1, one.taker()));
        group.add(unit(2, 2, two.taker()));
        env.advance(std::chrono::seconds(3));
    }
    QCOMPARE(one.text, QStringLiteral("storage/busy"));
    QCOMPARE(two.text, QStringLiteral("storage/busy"));
    QCOMPARE(one.times, 1);

    group.add(unit(1, 1, again.taker()));
    env.runUntilIdle();

    QCOMPARE(again.text, QStringLiteral("ok"));
    QCOMPARE(place.count(), 1);
}

void tst_CommitGroup::fullDiskFailsEveryUnitAndIsOverWhenThereIsRoom()
{
    QFETCH(Durability, durability);
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, durability);
    env.onTurnEnd([&] { group.commitTurn(); });
    group.add(unit(1, 1, {}));
    env.runUntilIdle();
    const auto large = [](int key, CommitDone done) {
        CommitUnit unit;
        unit.writes.emplace_back(blob, QVariantList{key, QByteArray(100'000, 'x')});
        unit.done = std::move(done);
        return unit;
    };
    // SQLite's own limit of pages stands in for the disk's.
    const auto limit = [&](int pages) {
        CommitUnit unit;
        unit.writes.emplace_back(pages < 1000 ? fewPages : manyPages, QVariantList());
        group.add(std::move(unit));
        env.runUntilIdle();
    };
    limit(10);
    Answer small, big, later;

    group.add(unit(2, 2, small.taker()));
    group.add(large(3, big.taker()));
    env.runUntilIdle();
    QCOMPARE(small.text, QStringLiteral("storage/disk_full"));
    QCOMPARE(big.text, QStringLiteral("storage/disk_full"));
    QCOMPARE(place.count(), 1);
    limit(100'000);
    group.add(large(3, later.taker()));
    env.runUntilIdle();

    QCOMPARE(later.text, QStringLiteral("ok"));
    QCOMPARE(place.count(), 2);
}

void tst_CommitGroup::callbackMayAddMore()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Process);
    env.onTurnEnd([&] { group.commitTurn(); });
    int left = 100;
    std::function<void(const std::optional<Error> &)> again = [&](const auto &) {
        if (--left > 0)
            group.add(unit(left, left, again));
    };
    group.add(unit(100, 100, again));

    env.runUntilIdle();

    QCOMPARE(left, 0);
    QCOMPARE(place.count(), 100);
}

void tst_CommitGroup::heldTurnsPileUp()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Process);
    env.onTurnEnd([&] { group.commitTurn(); });
    int transactions = 0;
    group.committed = [&](int) { ++transactions; };
    group.setHeld(true);
    for (int i = 0; i < 5; ++i) {
        group.add(unit(i, i, {}));
        env.runUntilIdle();
    }
    QCOMPARE(transactions, 0);

    group.setHeld(false);
    env.runUntilIdle();

    QCOMPARE(transactions, 1);
    QCOMPARE(place.count(), 5);
}

void tst_CommitGroup::beforeCommitMayAdd()
{
    SimulatedEnvironment env;
    Place place(true);
    CommitGroup group(env, place.connection, Durability::Process);
    bool added = false;
    group.beforeCommit = [&] {
        if (!std::exchange(added, true))
            group.add(unit(1, 1, {}));
    };

    group.commitTurn();

    QCOMPARE(place.count(), 1);
}

void tst_CommitGroup::flushWaitsForTheStorageThread()
{
    QtEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Power);
    Answer answer;
    for (int i = 0; i < 100; ++i)
        group.add(unit(i, i, i == 99 ? answer.taker() : CommitDone()));

    group.flush();

    QCOMPARE(answer.text, QStringLiteral("ok"));
    QVERIFY(group.isSettled());
    QCOMPARE(place.count(), 100);
}

void tst_CommitGroup::storageThreadAnswersOnTheHostThread()
{
    QtEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Power);
    env.onTurnEnd([&] { group.commitTurn(); });
    QEventLoop loop;
    int left = 500;
    bool wrongThread = false;
    int transactions = 0;
    group.committed = [&](int) { ++transactions; };
    const auto done = [&](const std::optional<Error> &error) {
        wrongThread = wrongThread || QThread::currentThread() != thread() || error.has_value();
        if (--left == 0)
            loop.quit();
    };
    // 20 units a turn, 25 turns.
    std::function<void(int)> turn = [&](int number) {
        for (int i = 0; i < 20; ++i)
            group.add(unit(number * 20 + i, i, done));
        if (number + 1 < 25)
            QTimer::singleShot(0, &loop, [&turn, number] { turn(number + 1); });
    };
    turn(0);

    loop.exec();

    QVERIFY(!wrongThread);
    QVERIFY(transactions <= 25);
    QCOMPARE(place.count(), 500);
}

void tst_CommitGroup::unitWithoutWritesIsAnsweredInOrder()
{
    SimulatedEnvironment env;
    Place place;
    CommitGroup group(env, place.connection, Durability::Power);
    QStringList order;
    group.add(unit(1, 1, [&](const auto &) { order << "write"; }));
    CommitUnit empty;
    empty.done = [&](const auto &error) { order << (error ? "error" : "empty"); };
    group.add(std::move(empty));

    group.commitTurn();
    env.runUntilIdle();

    QCOMPARE(order, (QStringList{"write", "empty"}));
}

QTEST_GUILESS_MAIN(tst_CommitGroup)
#include "tst_commit_group.moc"
