// The ladder: every version is reached step by step, a newer one is refused without a byte written.

#include "storage/schema.h"
#include "storage_support.h"

#include <QtTest>

using namespace terrarium;
using storage_support::thrown;
using storage_support::thrownError;

class tst_Schema : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void freshFileReachesTheCurrentVersion();
    void laterStepsAreAddedToAnOlderFile();
    void failedStepResumesWhereItStopped();
    void newerVersionIsRefusedWithoutAByte();
    void newerVersionInTheLogAloneIsSeen();
    void abandonedTransactionInTheLogDoesNotCount();
    void databaseOfAnotherProgramIsRefused();
    void fileThatIsNoDatabaseIsRefused();
    void absentAndEmptyFilesAreVersionZero();
    void hotQueriesUseTheirIndexes_data();
    void hotQueriesUseTheirIndexes();
};

namespace {

QMap<QString, QByteArray> contentOf(const QString &folder)
{
    QMap<QString, QByteArray> result;
    for (const QString &name : QDir(folder).entryList(QDir::Files | QDir::Hidden)) {
        QFile file(folder + QLatin1Char('/') + name);
        if (file.open(QIODevice::ReadOnly))
            result.insert(name, file.readAll());
    }
    return result;
}

QStringList tablesOf(SqlConnection &connection)
{
    return connection
        .text(QStringLiteral("SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema"
                             " WHERE type = 'table' ORDER BY name)"))
        .split(QLatin1Char(' '));
}

} // namespace

void tst_Schema::freshFileReachesTheCurrentVersion()
{
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    {
        SqlConnection connection(file, {});
        schema::upgrade(connection);
        for (const QString &table : tablesOf(connection))
            QVERIFY2(table.startsWith(QLatin1String("_terrarium_")), qPrintable(table));
    }

    QCOMPARE(schema::storedVersion(file), schema::currentVersion());
    QVERIFY(schema::currentVersion() >= 1);
}

void tst_Schema::laterStepsAreAddedToAnOlderFile()
{
    QTemporaryDir dir;
    SqlConnection connection(dir.filePath(QStringLiteral("a")), {});
    const schema::Ladder one{{"CREATE TABLE _terrarium_a (x INTEGER)"}};
    schema::Ladder three = one;
    three.push_back({"ALTER TABLE _terrarium_a ADD COLUMN y INTEGER", "CREATE TABLE _terrarium_b (x INTEGER)"});
    three.push_back({"DROP TABLE _terrarium_b"});

    schema::upgrade(connection, one);
    connection.execute(QStringLiteral("INSERT INTO _terrarium_a (x) VALUES (7)"));
    schema::upgrade(connection, three);

    QCOMPARE(connection.integer(QStringLiteral("PRAGMA user_version")), 3);
    QCOMPARE(connection.integer(QStringLiteral("SELECT x FROM _terrarium_a WHERE y IS NULL")), 7);
    QCOMPARE(tablesOf(connection), QStringList{"_terrarium_a"});
    schema::upgrade(connection, three); // nothing left to do
    QCOMPARE(connection.integer(QStringLiteral("PRAGMA user_version")), 3);
}

void tst_Schema::failedStepResumesWhereItStopped()
{
    QTemporaryDir dir;
    SqlConnection connection(dir.filePath(QStringLiteral("a")), {});
    schema::Ladder ladder{{"CREATE TABLE _terrarium_a (x INTEGER)"},
                          {"CREATE TABLE _terrarium_b (x INTEGER)", "NO SUCH STATEMENT"}};

    QCOMPARE(thrown([&] { schema::upgrade(connection, ladder); }), QStringLiteral("storage/failed"));
    QCOMPARE(connection.integer(QStringLiteral("PRAGMA user_version")), 1);
    QCOMPARE(tablesOf(connection), QStringList{"_terrarium_a"});
    ladder[1].pop_back();
    schema::upgrade(connection, ladder);

    QCOMPARE(connection.integer(QStringLiteral("PRAGMA user_version")), 2);
    QCOMPARE(tablesOf(connection), (QStringList{"_terrarium_a", "_terrarium_b"}));
}

void tst_Schema::newerVersionIsRefusedWithoutAByte()
{
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    {
        SqlConnection connection(file, {});
        connection.execute(QStringLiteral("PRAGMA journal_mode = WAL"));
        schema::upgrade(connection);
        connection.execute(QStringLiteral("PRAGMA user_version = 99"));
    }
    const auto before = contentOf(dir.path());

    const auto error = thrownError([&] { schema::refuseNewer(file); });

    QVERIFY(error);
    QCOMPARE(error->code(), QStringLiteral("newer_version"));
    QCOMPARE(error->metadata()["found"].toInt(), 99);
    QCOMPARE(error->metadata()["supported"].toInt(), schema::currentVersion());
    QCOMPARE(contentOf(dir.path()), before);
    SqlConnection connection(file, {});
    QCOMPARE(thrown([&] { schema::upgrade(connection); }), QStringLiteral("storage/newer_version"));
}

void tst_Schema::newerVersionInTheLogAloneIsSeen()
{
    QTemporaryDir dir;
    QTemporaryDir copy;
    const QString file = dir.filePath(QStringLiteral("a"));
    SqlConnection connection(file, {});
    connection.execute(QStringLiteral("PRAGMA journal_mode = WAL"));
    schema::upgrade(connection);
    connection.execute(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    connection.execute(QStringLiteral("PRAGMA user_version = 42"));
    // As a kill would leave it.
    const QString killed = copy.filePath(QStringLiteral("a"));
    QVERIFY(QFile::copy(file, killed));
    QVERIFY(QFile::copy(file + QStringLiteral("-wal"), killed + QStringLiteral("-wal")));
    const auto before = contentOf(copy.path());

    QCOMPARE(schema::storedVersion(killed), 42);
    QCOMPARE(thrown([&] { schema::refuseNewer(killed); }), QStringLiteral("storage/newer_version"));
    QCOMPARE(contentOf(copy.path()), before);
}

void tst_Schema::abandonedTransactionInTheLogDoesNotCount()
{
    QTemporaryDir dir;
    QTemporaryDir copy;
    const QString file = dir.filePath(QStringLiteral("a"));
    SqlConnection connection(file, {});
    connection.execute(QStringLiteral("PRAGMA journal_mode = WAL"));
    schema::upgrade(connection);
    connection.execute(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
    connection.execute(QStringLiteral("PRAGMA user_version = 42"));
    const QString killed = copy.filePath(QStringLiteral("a"));
    QVERIFY(QFile::copy(file, killed));
    QFile log(file + QStringLiteral("-wal"));
    QVERIFY(log.open(QIODevice::ReadOnly));
    QByteArray bytes = log.readAll();
    bytes.replace(32 + 4, 4, QByteArray(4, '\0')); // the frame does not end its transaction
    QFile cut(killed + QStringLiteral("-wal"));
    QVERIFY(cut.open(QIODevice::WriteOnly));
    cut.write(bytes);
    cut.close();

    QCOMPARE(schema::storedVersion(killed), schema::currentVersion());
}

void tst_Schema::databaseOfAnotherProgramIsRefused()
{
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a"));
    {
        SqlConnection connection(file, {});
        connection.execute(QStringLiteral("CREATE TABLE bookmarks (url TEXT)"));
        QCOMPARE(thrown([&] { schema::upgrade(connection); }), QStringLiteral("storage/not_a_shard"));
        connection.execute(QStringLiteral("PRAGMA application_id = 252006674"));
    }

    QCOMPARE(thrown([&] { schema::storedVersion(file); }), QStringLiteral("storage/not_a_shard"));
}

void tst_Schema::fileThatIsNoDatabaseIsRefused()
{
    QTemporaryDir dir;
    QFile file(dir.filePath(QStringLiteral("a")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(5000, 'x'));
    file.close();

    QCOMPARE(thrown([&] { schema::storedVersion(file.fileName()); }), QStringLiteral("storage/not_a_shard"));
}

void tst_Schema::absentAndEmptyFilesAreVersionZero()
{
    QTemporaryDir dir;
    QFile empty(dir.filePath(QStringLiteral("a")));
    QVERIFY(empty.open(QIODevice::WriteOnly));

    QCOMPARE(schema::storedVersion(empty.fileName()), 0);
    QCOMPARE(schema::storedVersion(dir.filePath(QStringLiteral("absent"))), 0);
}

void tst_Schema::hotQueriesUseTheirIndexes_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("by key") << "SELECT actor, id FROM _terrarium_actor WHERE type = 'a' AND key = 'b'";
    QTest::newRow("save") << "UPDATE _terrarium_actor SET state = x'00' WHERE actor = 1 AND generation <= 2";
    QTest::newRow("schedules of one") << "SELECT * FROM _terrarium_schedule_events WHERE actor = 1";
    QTest::newRow("delete schedule") << "DELETE FROM _terrarium_schedule_events WHERE actor = 1 AND event_id = 'x'";
    QTest::newRow("due") << "SELECT trigger_at, actor FROM _terrarium_schedule_events WHERE trigger_at <= 5"
                            " ORDER BY trigger_at, actor";
    QTest::newRow("next") << "SELECT trigger_at, actor FROM _terrarium_schedule_events WHERE trigger_at > 5"
                             " ORDER BY trigger_at, actor LIMIT 1";
    QTest::newRow("list") << "SELECT actor, id FROM _terrarium_actor WHERE actor > 7 ORDER BY actor";
    QTest::newRow("prune") << "DELETE FROM _terrarium_destroyed WHERE actor = 4";
}

void tst_Schema::hotQueriesUseTheirIndexes()
{
    QFETCH(QString, sql);
    SqlConnection connection(QStringLiteral(":memory:"), {});
    schema::upgrade(connection);

    const QByteArray explain = "EXPLAIN QUERY PLAN " + sql.toUtf8();
    auto rows = connection.statement(explain.constData()).query();
    QStringList plan;
    while (rows.next())
        plan << rows.text(3);

    QVERIFY(!plan.isEmpty());
    for (const QString &line : std::as_const(plan)) {
        QVERIFY2(!line.startsWith(QLatin1String("SCAN")), qPrintable(line));
        QVERIFY2(!line.contains(QLatin1String("TEMP B-TREE")), qPrintable(line));
        QVERIFY2(!line.contains(QLatin1String("AUTOMATIC")), qPrintable(line));
    }
}

QTEST_GUILESS_MAIN(tst_Schema)
#include "tst_schema.moc"
