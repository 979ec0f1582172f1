// The program as a script meets it: commands, output, exit codes, one host per data folder.

#include "host_process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

class tst_Program : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void readyLineNamesTheAddress();
    void callPrintsTheResult();
    void callOfAnUnknownActionFails();
    void inspectShowsASleepingActorWithoutWakingIt();
    void inspectListsActors();
    void noHostGivesItsOwnExitCode();
    void secondHostOnTheFolderIsRefusedNamingTheOwner();
    void folderOfANewerVersionIsRefusedUntouched();
    void stopKeepsStateAndLeavesNoWalBehind();
    void exampleActorsAnswer();
    void missingPluginIsOneClearLine();

private:
    QString data() const { return m_folder->filePath(QStringLiteral("data")); }
    QString url(const HostProcess &host) const { return QStringLiteral("ws://127.0.0.1:%1").arg(host.port()); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_Program::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void tst_Program::readyLineNamesTheAddress()
{
    HostProcess host({"--data", data()});
    QVERIFY2(host.isReady(), host.errorText().constData());

    QCOMPARE(host.readyLine().value("url").toString(), QStringLiteral("http://127.0.0.1:%1").arg(host.port()));
    QCOMPARE(host.readyLine().value("pid").toInteger(), host.pid());
    QCOMPARE(host.stopCleanly(), 0);
}

void tst_Program::callPrintsTheResult()
{
    HostProcess host({"--data", data()});
    QVERIFY2(host.isReady(), host.errorText().constData());

    const ProgramResult first = runTerrarium({"call", "counter/a", "increment", "2", "me", "--url", url(host)});
    const ProgramResult second = runTerrarium({"call", "counter/a", "increment", "40", "\"me\"", "--url", url(host)});

    QCOMPARE(first.exitCode, 0);
    QCOMPARE(first.out, QByteArray("2\n"));
    QCOMPARE(second.out, QByteArray("42\n"));
}

void tst_Program::callOfAnUnknownActionFails()
{
    HostProcess host({"--data", data()});
    QVERIFY2(host.isReady(), host.errorText().constData());

    const ProgramResult result = runTerrarium({"call", "counter/a", "incremnt", "--url", url(host)});

    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("action_not_found") && result.err.contains("incremnt"), result.err.constData());
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY(result.out.isEmpty());
}

void tst_Program::inspectShowsASleepingActorWithoutWakingIt()
{
    HostProcess host({"--data", data()});
    QVERIFY2(host.isReady(), host.errorText().constData());
    QCOMPARE(runTerrarium({"call", "counter/a", "increment", "5", "me", "--url", url(host)}).exitCode, 0);
    HttpConnection http(host.port());
    const QJsonObject actor =
        QJsonDocument::fromJson(http.request("GET", "/actors?namespace=default&name=counter&key=a").body)
            .object()
            .value("actors")
            .toArray()
            .at(0)
            .toObject();
    const QByteArray id = actor.value("actor_id").toString().toLatin1();
    QCOMPARE(http.request("POST", "/actors/" + id + "/sleep?namespace=default", "{}").status, 200);

    ProgramResult result;
    for (int i = 0; i < 3; ++i) // looking again and again does not wake it
        result = runTerrarium({"inspect", "counter/a", "--json", "--url", url(host)});

    QCOMPARE(result.exitCode, 0);
    const QJsonObject shown = QJsonDocument::fromJson(result.out).object();
    QCOMPARE(shown.value("status").toString(), QStringLiteral("sleeping"));
    QCOMPARE(shown.value("state").toObject().value("count").toInteger(), 5);
}

void tst_Program::inspectListsActors()
{
    HostProcess host({"--data", data()});
    QVERIFY2(host.isReady(), host.errorText().constData());
    QCOMPARE(runTerrarium({"call", "counter/listed", "value", "--url", url(host)}).exitCode, 0);

    const ProgramResult plain = runTerrarium({"inspect", "--url", url(host)});
    const ProgramResult missing = runTerrarium({"inspect", "counter/nobody", "--url", url(host)});

    QVERIFY2(plain.out.contains("counter/listed"), plain.out.constData());
    QCOMPARE(missing.exitCode, 4);
    QVERIFY2(missing.err.contains("counter/nobody"), missing.err.constData());
}

void tst_Program::noHostGivesItsOwnExitCode()
{
    // Port 1 is never a host of ours.
    const ProgramResult call = runTerrarium({"call", "counter/a", "value", "--url", "ws://127.0.0.1:1"});
    const ProgramResult inspect = runTerrarium({"inspect", "--url", "ws://127.0.0.1:1"});

    QCOMPARE(call.exitCode, 3);
    QCOMPARE(inspect.exitCode, 3);
    QVERIFY2(call.err.contains("127.0.0.1:1"), call.err.constData());
}

void tst_Program::secondHostOnTheFolderIsRefusedNamingTheOwner()
{
    HostProcess first({"--data", data()});
    QVERIFY2(first.isReady(), first.errorText().constData());

    const ProgramResult second = runTerrarium({"host", "--port", "0", "--data", data()});

    QCOMPARE(second.exitCode, 1);
    QVERIFY2(second.err.contains(QByteArray::number(first.pid())), second.err.constData());
    QVERIFY2(second.err.contains("data_in_use"), second.err.constData());
}

void tst_Program::folderOfANewerVersionIsRefusedUntouched()
{
    {
        HostProcess host({"--data", data()});
        QVERIFY2(host.isReady(), host.errorText().constData());
        QCOMPARE(runTerrarium({"call", "counter/a", "increment", "1", "me", "--url", url(host)}).exitCode, 0);
        QCOMPARE(host.stopCleanly(), 0);
    }
    QDir folder(data());
    const QStringList files = folder.entryList({QStringLiteral("*.sqlite"), QStringLiteral("*.db")}, QDir::Files);
    QCOMPARE(files.size(), 1);
    QProcess bump;
    bump.start(QStringLiteral("python3"), {"-c",
                                           "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('pragma "
                                           "user_version=99'); c.commit(); c.close()",
                                           folder.filePath(files.first())});
    QVERIFY(bump.waitForFinished());
    QCOMPARE(bump.exitCode(), 0);
    const auto contents = [&folder] {
        QMap<QString, QByteArray> all;
        for (const QString &name : folder.entryList(QDir::Files | QDir::Hidden)) {
            QFile file(folder.filePath(name));
            if (!name.contains(QLatin1String("lock")) && file.open(QIODevice::ReadOnly))
                all.insert(name, file.readAll());
        }
        return all;
    };
    const auto before = contents();

    const ProgramResult result = runTerrarium({"host", "--port", "0", "--data", data()});

    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("newer_version") && result.err.contains("99"), result.err.constData());
    QCOMPARE(contents(), before);
}

void tst_Program::stopKeepsStateAndLeavesNoWalBehind()
{
    {
        HostProcess host({"--data", data()});
        QVERIFY2(host.isReady(), host.errorText().constData());
        QCOMPARE(runTerrarium({"call", "counter/a", "increment", "7", "me", "--url", url(host)}).exitCode, 0);
        QCOMPARE(host.stopCleanly(), 0);
    }
    for (const QFileInfo &file : QDir(data()).entryInfoList({QStringLiteral("*-wal")}, QDir::Files))
        QCOMPARE(file.size(), 0);

    HostProcess host({"--data", data()});
    QVERIFY2(host.isReady(), host.errorText().constData());
    QCOMPARE(runTerrarium({"call", "counter/a", "value", "--url", url(host)}).out, QByteArray("7\n"));
}

void tst_Program::exampleActorsAnswer()
{
    HostProcess host({"--data", data()});
    QVERIFY2(host.isReady(), host.errorText().constData());

    QCOMPARE(runTerrarium({"call", "chatRoom/lobby", "join", "ada", "--url", url(host)}).exitCode, 0);
    QCOMPARE(runTerrarium({"call", "chatRoom/lobby", "say", "ada", "hello", "--url", url(host)}).exitCode, 0);
    QCOMPARE(runTerrarium({"call", "archive/2026", "store", "note", "text", "--url", url(host)}).exitCode, 0);
    QCOMPARE(runTerrarium({"call", "checkout/1842", "addItem", "lamp", "1200", "--url", url(host)}).exitCode, 0);
    const ProgramResult pay = runTerrarium({"call", "checkout/1842", "pay", "--url", url(host)});
    QCOMPARE(pay.exitCode, 1);
    QVERIFY2(pay.err.contains("declined"), pay.err.constData());
}

void tst_Program::missingPluginIsOneClearLine()
{
    const ProgramResult result =
        runTerrarium({"host", "--port", "0", "--data", data(), "--plugin", "/nowhere/libmine.so"});

    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("/nowhere/libmine.so"), result.err.constData());
    QCOMPARE(result.err.count('\n'), 1);
}

QTEST_GUILESS_MAIN(tst_Program)
#include "tst_program.moc"
