// Statements are prepared once, bound in order, read to the end; failures say what failed.

#include "storage/sql.h"
#include "storage/sqlite_handle.h"
#include "storage_support.h"

#include <QtTest>

using namespace terrarium;
using storage_support::thrown;
using storage_support::thrownError;

class tst_Sql : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsEveryKindOfValueExactly();
    void statementIsPreparedOnce();
    void failureNamesTheStatement();
    void transactionRollsBackUnlessCommitted();
    void droppedReadingDoesNotPinTheLog();
    void lockedFileAnswersBusy();
    void fileThatCannotBeOpenedIsUnavailable();
    void readOnlyConnectionRefusesToWrite();
    void twoConnectionsInMemoryAreTwoDatabases();
};

namespace {
constexpr const char *insertRow = "INSERT INTO t (a, b, c) VALUES (?, ?, ?)";
constexpr const char *selectRow = "SELECT a, b, c FROM t ORDER BY rowid";
constexpr const char *broken = "SELECT nothing FROM nowhere";
} // namespace

void tst_Sql::keepsEveryKindOfValueExactly()
{
    SqlConnection connection(QStringLiteral(":memory:"), {});
    connection.execute(QStringLiteral("CREATE TABLE t (a INTEGER, b TEXT, c BLOB) STRICT"));
    const QByteArray bytes("\0\xff\x01", 3);
    const QString text = QStringLiteral("größe \u4e2d");

    QCOMPARE(connection.statement(insertRow).run({qint64(INT64_MIN), text, bytes}), 1);
    QCOMPARE(connection.statement(insertRow).run({qint64(INT64_MAX), QString(), QByteArray("")}), 1);

    auto rows = connection.statement(selectRow).query();
    QVERIFY(rows.next());
    QCOMPARE(rows.integer(0), INT64_MIN);
    QCOMPARE(rows.text(1), text);
    QCOMPARE(rows.bytes(2), bytes);
    QVERIFY(rows.next());
    QCOMPARE(rows.integer(0), INT64_MAX);
    QVERIFY(rows.isNull(1));
    QVERIFY(!rows.isNull(2));
    QVERIFY(!rows.next());
}

void tst_Sql::statementIsPreparedOnce()
{
    SqlConnection connection(QStringLiteral(":memory:"), {});
    connection.execute(QStringLiteral("CREATE TABLE t (a INTEGER, b TEXT, c BLOB)"));

    SqlStatement *first = &connection.statement(insertRow);
    for (int i = 0; i < 10; ++i)
        connection.statement(insertRow).run({i, QVariant(), QVariant()});

    QCOMPARE(&connection.statement(insertRow), first);
    QCOMPARE(connection.integer(QStringLiteral("SELECT count(*) FROM t")), 10);
}

void tst_Sql::failureNamesTheStatement()
{
    SqlConnection connection(QStringLiteral(":memory:"), {});

    const auto error = thrownError([&] { connection.statement(broken).run(); });

    QVERIFY(error);
    QCOMPARE(error->group(), QStringLiteral("storage"));
    QVERIFY(error->message().contains(QLatin1String("nowhere")));
    // A text that failed once can be tried again.
    QCOMPARE(thrown([&] { connection.statement(broken).run(); }), QStringLiteral("storage/failed"));
}

void tst_Sql::transactionRollsBackUnlessCommitted()
{
    SqlConnection connection(QStringLiteral(":memory:"), {});
    connection.execute(QStringLiteral("CREATE TABLE t (a INTEGER, b TEXT, c BLOB)"));
    {
        const SqlTransaction transaction(connection);
        connection.statement(insertRow).run({1, QVariant(), QVariant()});
        QVERIFY(!SqliteHandle(connection).isAutocommit());
    }
    QVERIFY(SqliteHandle(connection).isAutocommit());
    QCOMPARE(connection.integer(QStringLiteral("SELECT count(*) FROM t")), 0);
    {
        SqlTransaction transaction(connection);
        connection.statement(insertRow).run({1, QVariant(), QVariant()});
        transaction.commit();
    }

    QCOMPARE(connection.integer(QStringLiteral("SELECT count(*) FROM t")), 1);
}

void tst_Sql::droppedReadingDoesNotPinTheLog()
{
    QTemporaryDir dir;
    SqlConnection writer(dir.filePath(QStringLiteral("a")), {});
    writer.execute(QStringLiteral("PRAGMA journal_mode = WAL"));
    writer.execute(QStringLiteral("CREATE TABLE t (a INTEGER, b TEXT, c BLOB)"));
    for (int i = 0; i < 3; ++i)
        writer.statement(insertRow).run({i, QVariant(), QVariant()});
    {
        auto rows = writer.statement(selectRow).query();
        QVERIFY(rows.next()); // two are left unread
    }

    const auto done = SqliteHandle(writer).checkpoint(SqliteHandle::CheckpointMode::Truncate);

    QVERIFY(done.isComplete());
    QCOMPARE(QFileInfo(dir.filePath(QStringLiteral("a-wal"))).size(), 0);
}

void tst_Sql::lockedFileAnswersBusy()
{
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    SqlConnection one(file, {});
    one.execute(QStringLiteral("PRAGMA journal_mode = WAL"));
    one.execute(QStringLiteral("CREATE TABLE t (a INTEGER, b TEXT, c BLOB)"));
    SqlConnection two(file, {});
    const SqlTransaction transaction(one);

    QCOMPARE(thrown([&] {
                 two.statement(insertRow).run({1, QVariant(), QVariant()});
             }),
             QStringLiteral("storage/busy"));
}

void tst_Sql::fileThatCannotBeOpenedIsUnavailable()
{
    QTemporaryDir dir;

    QCOMPARE(thrown([&] { SqlConnection connection(dir.filePath(QStringLiteral("no/such/folder/a")), {}); }),
             QStringLiteral("storage/unavailable"));
}

void tst_Sql::readOnlyConnectionRefusesToWrite()
{
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    {
        SqlConnection writer(file, {});
        writer.execute(QStringLiteral("CREATE TABLE t (a INTEGER, b TEXT, c BLOB)"));
    }
    SqlConnection::Options options;
    options.access = SqlConnection::Access::ReadOnly;
    SqlConnection reader(file, options);

    QCOMPARE(reader.integer(QStringLiteral("SELECT count(*) FROM t")), 0);
    QCOMPARE(thrown([&] { reader.execute(QStringLiteral("INSERT INTO t (a) VALUES (1)")); }),
             QStringLiteral("storage/read_only"));
}

void tst_Sql::twoConnectionsInMemoryAreTwoDatabases()
{
    SqlConnection one(QStringLiteral(":memory:"), {});
    SqlConnection two(QStringLiteral(":memory:"), {});
    one.execute(QStringLiteral("CREATE TABLE t (a INTEGER)"));

    QCOMPARE(two.integer(QStringLiteral("SELECT count(*) FROM sqlite_schema")), 0);
}

QTEST_GUILESS_MAIN(tst_Sql)
#include "tst_sql.moc"
