// A folder is looked at before it is touched, has one owner, and gives back what was committed.

#include "async/qt_environment.h"
#include "storage/data_folder.h"
#include "storage/schema.h"
#include "storage/shard.h"
#include "storage_support.h"
#include "testing/simulated_environment.h"

#include <QtTest>

using namespace terrarium;
using storage_support::Answer;
using storage_support::thrown;
using terrarium::testing::SimulatedEnvironment;

class tst_DataFolder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isCreatedWhenAbsent();
    void secondOneIsRefusedUntilTheFirstCloses();
    void newerFolderIsRefusedWithoutAByte();
    void memoryKeepsNothingOnDisk();
    void closeCommitsWhatIsWaiting_data();
    void closeCommitsWhatIsWaiting();
    void committedWritesSurviveWithoutClose();
    void uncommittedWritesDoNot();
    void folderThatIsAFileIsUnavailable();
};

namespace {

DataFolderOptions at(const QString &path, Durability durability = Durability::Process)
{
    DataFolderOptions options;
    options.path = path;
    options.durability = durability;
    options.ownerName = QStringLiteral("test");
    return options;
}

} // namespace

void tst_DataFolder::isCreatedWhenAbsent()
{
    SimulatedEnvironment env;
    QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("deep/er/.terrarium"));

    DataFolder folder(env, at(path));

    QVERIFY(QFileInfo::exists(path));
    QCOMPARE(folder.path(), QDir(path).absolutePath());
    QCOMPARE(folder.index().count(), 0);
    folder.close();
}

void tst_DataFolder::secondOneIsRefusedUntilTheFirstCloses()
{
    SimulatedEnvironment env;
    QTemporaryDir dir;
    DataFolder first(env, at(dir.path()));

    QCOMPARE(thrown([&] { DataFolder second(env, at(dir.path())); }), QStringLiteral("host/data_in_use"));
    first.close();
    QCOMPARE(thrown([&] { DataFolder second(env, at(dir.path())); }), QStringLiteral("nothing"));
}

void tst_DataFolder::newerFolderIsRefusedWithoutAByte()
{
    SimulatedEnvironment env;
    QTemporaryDir dir;
    {
        DataFolder folder(env, at(dir.path()));
        folder.close();
    }
    const QString file = dir.filePath(QStringLiteral("shared.sqlite"));
    {
        SqlConnection connection(file, {});
        connection.execute(QStringLiteral("PRAGMA user_version = %1").arg(schema::currentVersion() + 1));
    }
    QVERIFY(QFile::remove(dir.filePath(QStringLiteral("owner.lock"))));
    const QStringList names = QDir(dir.path()).entryList(QDir::Files | QDir::Hidden);
    QFile before(file);
    QVERIFY(before.open(QIODevice::ReadOnly));
    const QByteArray bytes = before.readAll();

    QCOMPARE(thrown([&] { DataFolder folder(env, at(dir.path())); }), QStringLiteral("storage/newer_version"));

    QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden), names);
    QFile after(file);
    QVERIFY(after.open(QIODevice::ReadOnly));
    QCOMPARE(after.readAll(), bytes);
}

void tst_DataFolder::memoryKeepsNothingOnDisk()
{
    SimulatedEnvironment env;
    const QString before = QDir::currentPath();
    QTemporaryDir dir;
    QVERIFY(QDir::setCurrent(dir.path()));
    {
        DataFolder one(env, at(QStringLiteral(":memory:"), Durability::Power));
        DataFolder two(env, at(QStringLiteral(":memory:")));
        Answer answer;
        one.index().create(QStringLiteral("t"), ActorKey("k"), std::nullopt, 1, answer.taker());
        one.commitTurn();
        QCOMPARE(answer.text, QStringLiteral("ok"));
        QCOMPARE(one.index().count(), 1);
        QCOMPARE(two.index().count(), 0);
        one.close();
    }
    QVERIFY(QDir(dir.path()).isEmpty());
    QVERIFY(QDir::setCurrent(before));
}

void tst_DataFolder::closeCommitsWhatIsWaiting_data()
{
    QTest::addColumn<Durability>("durability");
    QTest::newRow("process") << Durability::Process;
    QTest::newRow("power") << Durability::Power;
}

void tst_DataFolder::closeCommitsWhatIsWaiting()
{
    QFETCH(Durability, durability);
    QtEnvironment env; // real threads
    QTemporaryDir dir;
    Answer answer;
    {
        DataFolder folder(env, at(dir.path(), durability));
        const QString id = folder.index().create(QStringLiteral("t"), ActorKey("k"), std::nullopt, 1, {}).id;
        folder.commitTurn();
        const auto storage = folder.index().begin(id);
        WriteBatch batch;
        batch.saveState("last words", 2);
        storage->commit(batch, answer.taker());
        QVERIFY(!folder.isSettled());
        folder.close();
    }

    QCOMPARE(answer.text, QStringLiteral("ok"));
    DataFolder folder(env, at(dir.path(), durability));
    const auto row = folder.index().find(QStringLiteral("t"), ActorKey("k"));
    QVERIFY(row);
    QCOMPARE(folder.index().read(row->id).state, QByteArray("last words"));
    folder.close();
}

void tst_DataFolder::committedWritesSurviveWithoutClose()
{
    SimulatedEnvironment env;
    QTemporaryDir dir;
    {
        DataFolder folder(env, at(dir.path()));
        folder.index().create(QStringLiteral("t"), ActorKey("k"), std::nullopt, 1, {});
        folder.commitTurn();
        QVERIFY(folder.isSettled());
    }

    DataFolder folder(env, at(dir.path()));
    QVERIFY(folder.index().find(QStringLiteral("t"), ActorKey("k")));
}

void tst_DataFolder::uncommittedWritesDoNot()
{
    SimulatedEnvironment env;
    QTemporaryDir dir;
    Answer answer;
    {
        DataFolder folder(env, at(dir.path()));
        folder.index().create(QStringLiteral("t"), ActorKey("k"), std::nullopt, 1, answer.taker());
    }

    QCOMPARE(answer.text, QStringLiteral("none"));
    DataFolder folder(env, at(dir.path()));
    QVERIFY(!folder.index().find(QStringLiteral("t"), ActorKey("k")));
}

void tst_DataFolder::folderThatIsAFileIsUnavailable()
{
    SimulatedEnvironment env;
    QTemporaryFile file;
    QVERIFY(file.open());

    QCOMPARE(thrown([&] { DataFolder folder(env, at(file.fileName())); }), QStringLiteral("storage/unavailable"));
}

QTEST_GUILESS_MAIN(tst_DataFolder)
#include "tst_data_folder.moc"
