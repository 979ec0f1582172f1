// The write-ahead log stays bounded while commits go on, and empty after a clean stop.

#include "async/qt_environment.h"
#include "storage/shard.h"
#include "storage/sqlite_handle.h"
#include "testing/simulated_environment.h"

#include <QtTest>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;

class tst_Checkpointer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void passIsMadeAfterEnoughPages();
    void longLogHoldsCommitsAndStartsOver();
    void logStaysBoundedUnderLoadOnARealThread();
    void stopLeavesAnEmptyLog();
    void openReaderDoesNotStopCommits();
};

namespace {

constexpr const char *put = "INSERT OR REPLACE INTO _terrarium_meta (key, value) VALUES (?, ?)";

CommitUnit big(int number)
{
    CommitUnit unit;
    // Several pages, other bytes each time: unchanged bytes would write nothing.
    unit.writes.emplace_back(put,
                             QVariantList{QStringLiteral("k%1").arg(number % 7),
                                          QByteArray(40'000, char('a' + number % 26)) + QByteArray::number(number)});
    return unit;
}

qint64 logSize(const QString &file)
{
    return QFileInfo(file + QStringLiteral("-wal")).size();
}

} // namespace

void tst_Checkpointer::passIsMadeAfterEnoughPages()
{
    SimulatedEnvironment env;
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    Shard shard(env, file, Durability::Process);
    env.onTurnEnd([&] { shard.commits().commitTurn(); });

    for (int i = 0; i < 150; ++i) { // about eleven pages each
        shard.commits().add(big(i));
        env.runUntilIdle();
    }

    QVERIFY(shard.checkpointer()->counters().passes >= 1);
    QVERIFY(shard.checkpointer()->counters().movedPages >= 900);
    QCOMPARE(shard.checkpointer()->counters().failures, 0u);
}

void tst_Checkpointer::longLogHoldsCommitsAndStartsOver()
{
    SimulatedEnvironment env;
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    SqlConnection connection(file, {});
    connection.execute(QStringLiteral("PRAGMA journal_mode = WAL"));
    connection.execute(QStringLiteral("CREATE TABLE t (v BLOB)"));
    int pages = 0;
    SqliteHandle(connection).countLogPages(&pages);
    QList<bool> holds;
    Checkpointer::Limits limits;
    limits.passPages = 20;
    limits.holdPages = 100;
    Checkpointer checkpointer(
        env, file, [&](bool held) { holds << held; }, limits);

    SqlConnection other(file, {});
    other.execute(QStringLiteral("BEGIN"));
    QCOMPARE(other.integer(QStringLiteral("SELECT count(*) FROM t")), 0); // a reader keeps the log from starting over
    const auto write = [&] {
        connection.execute(QStringLiteral("INSERT INTO t VALUES (zeroblob(9000))"));
        checkpointer.committed(pages);
    };

    while (!holds.contains(true)) {
        write();
        QVERIFY2(pages < 150, qPrintable(QString::number(pages)));
        if (!holds.contains(true))
            env.runUntilIdle();
    }
    QCOMPARE(holds, QList<bool>{true});
    QVERIFY(pages >= limits.holdPages);
    other.execute(QStringLiteral("COMMIT"));
    env.runUntilIdle();

    QCOMPARE(holds, (QList<bool>{true, false}));
    write();
    QVERIFY2(pages < limits.passPages, qPrintable(QString::number(pages)));
    QVERIFY(checkpointer.counters().passes >= 4);
    SqliteHandle(connection).countLogPages(nullptr);
}

void tst_Checkpointer::logStaysBoundedUnderLoadOnARealThread()
{
    QtEnvironment env;
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    Shard shard(env, file, Durability::Process);
    env.onTurnEnd([&] { shard.commits().commitTurn(); });
    QEventLoop loop;
    int number = 0;
    std::function<void()> more = [&] {
        CommitUnit unit = big(number);
        unit.done = [&](const std::optional<Error> &error) {
            QVERIFY(!error);
            if (++number == 2000)
                loop.quit();
            else
                QTimer::singleShot(0, &loop, more);
        };
        shard.commits().add(std::move(unit));
    };
    more();

    loop.exec();

    // 22,000 pages were written; without holding, the log would have all of them.
    QVERIFY(shard.checkpointer()->counters().passes >= 4);
    QVERIFY2(logSize(file) < 12'000 * 4120LL, qPrintable(QString::number(logSize(file))));
    shard.close();
}

void tst_Checkpointer::stopLeavesAnEmptyLog()
{
    for (const Durability durability : {Durability::Process, Durability::Power}) {
        QtEnvironment env;
        QTemporaryDir dir;
        const QString file = dir.filePath(QStringLiteral("a"));
        {
            Shard shard(env, file, durability);
            for (int i = 0; i < 20; ++i)
                shard.commits().add(big(i));
            shard.close();
        }

        QCOMPARE(logSize(file), 0);
        SqlConnection reader(file, {});
        QCOMPARE(reader.integer(QStringLiteral("SELECT count(*) FROM _terrarium_meta")), 7);
    }
}

void tst_Checkpointer::openReaderDoesNotStopCommits()
{
    SimulatedEnvironment env;
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    Shard shard(env, file, Durability::Process);
    env.onTurnEnd([&] { shard.commits().commitTurn(); });
    shard.commits().add(big(0));
    env.runUntilIdle();
    SqlConnection other(file, {});
    other.execute(QStringLiteral("BEGIN"));
    QVERIFY(other.integer(QStringLiteral("SELECT count(*) FROM _terrarium_meta")) > 0); // pins the log here
    int failed = 0;

    for (int i = 0; i < 800; ++i) {
        CommitUnit unit = big(i);
        unit.done = [&](const std::optional<Error> &error) { failed += error ? 1 : 0; };
        shard.commits().add(std::move(unit));
        env.runUntilIdle();
    }

    QCOMPARE(failed, 0);
    QVERIFY(shard.checkpointer()->counters().passes > 1);
    QCOMPARE(shard.checkpointer()->counters().failures, 0u);
}

QTEST_GUILESS_MAIN(tst_Checkpointer)
#include "tst_checkpointer.moc"
