#include "client/host_directory.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace terrarium;

class tst_HostDirectory : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<QTemporaryDir> m_runtime;

    void write(const QString &name, const QByteArray &bytes)
    {
        QFile file(host_directory::folder() + QLatin1Char('/') + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

private Q_SLOTS:
    void init()
    {
        m_runtime = std::make_unique<QTemporaryDir>();
        QVERIFY(qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_runtime->path())));
        QVERIFY(QDir().mkpath(host_directory::folder()));
    }

    void theFolderIsOfTheUser()
    {
        QCOMPARE(host_directory::folder(), m_runtime->path() + QStringLiteral("/terrarium"));
        qunsetenv("XDG_RUNTIME_DIR");
        QVERIFY(host_directory::folder().startsWith(QDir::tempPath() + QStringLiteral("/terrarium-")));
    }

    void aRunningHostIsListedWithItsToken()
    {
        const QString token = m_runtime->filePath(QStringLiteral("token"));
        QFile tokenFile(token);
        QVERIFY(tokenFile.open(QIODevice::WriteOnly));
        tokenFile.write("s3cret\n");
        tokenFile.close();
        write(QStringLiteral("b.json"),
              QStringLiteral(R"({"pid":%1,"port":6421,"address":"127.0.0.1","name":"shop","startedAt":1800000000000,)"
                             R"("version":"0.1.0","bootId":"b1","dataDir":"/data","tokenFile":"%2","actors":214})")
                  .arg(QCoreApplication::applicationPid())
                  .arg(token)
                  .toUtf8());

        const QList<DiscoveredHost> hosts = host_directory::hosts();

        QCOMPARE(hosts.size(), 1);
        QCOMPARE(hosts[0].name, QStringLiteral("shop"));
        QCOMPARE(hosts[0].url, QUrl(QStringLiteral("ws://127.0.0.1:6421")));
        QCOMPARE(hosts[0].startedAt, qint64(1800000000000));
        QCOMPARE(hosts[0].token, QStringLiteral("s3cret"));
        QVERIFY(hosts[0].needsToken);
        QCOMPARE(hosts[0].actors, 214);
        QCOMPARE(hosts[0].dataDir, QStringLiteral("/data"));
        QCOMPARE(hosts[0].bootId, QStringLiteral("b1"));
    }

    void aHostWhoseTokenCannotBeReadNeedsOne()
    {
        write(QStringLiteral("a.json"), QStringLiteral(R"({"pid":%1,"port":6420,"tokenFile":"/nowhere/token"})")
                                            .arg(QCoreApplication::applicationPid())
                                            .toUtf8());
        const QList<DiscoveredHost> hosts = host_directory::hosts();
        QCOMPARE(hosts.size(), 1);
        QVERIFY(hosts[0].needsToken);
        QVERIFY(hosts[0].token.isEmpty());
        QCOMPARE(hosts[0].actors, -1);
    }

    void filesOfProcessesThatAreGoneAreRemoved()
    {
        // Above the kernel's largest process id.
        write(QStringLiteral("gone.json"), R"({"pid":2000000000,"port":6420})");

        QVERIFY(host_directory::hosts().isEmpty());

        QVERIFY(!QFile::exists(host_directory::folder() + QStringLiteral("/gone.json")));
    }

    void whatIsNotARegistryFileIsSkippedAndKept()
    {
        write(QStringLiteral("half.json"), R"({"pid":12)");
        write(QStringLiteral("port.json"),
              QStringLiteral(R"({"pid":%1,"port":70000})").arg(QCoreApplication::applicationPid()).toUtf8());
        write(QStringLiteral("note.txt"), "hello");

        QVERIFY(host_directory::hosts().isEmpty());

        QVERIFY(QFile::exists(host_directory::folder() + QStringLiteral("/half.json")));
    }

    void hostsAreInOrderOfTheirPorts()
    {
        for (const int port : {6429, 6420, 6425})
            write(QStringLiteral("h%1.json").arg(port),
                  QStringLiteral(R"({"pid":%1,"port":%2})").arg(QCoreApplication::applicationPid()).arg(port).toUtf8());
        QList<int> ports;
        for (const DiscoveredHost &host : host_directory::hosts())
            ports.append(host.url.port());
        QCOMPARE(ports, (QList<int>{6420, 6425, 6429}));
    }

    void noFolderIsNoHost()
    {
        QVERIFY(QDir(host_directory::folder()).removeRecursively());
        QVERIFY(host_directory::hosts().isEmpty());
    }
};

QTEST_GUILESS_MAIN(tst_HostDirectory)
#include "tst_host_directory.moc"
