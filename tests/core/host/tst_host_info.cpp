#include "host_fixture.h"

#include "client/host_directory.h"
#include "host/host_info.h"

#include <QFileInfo>
#include <QTemporaryDir>

using namespace terrarium;
using namespace hosttest;
using terrarium::testing::SimulatedEnvironment;

class tst_HostInfo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_runtime.isValid());
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_runtime.path()));
    }

    void aRunningHostIsFoundWithItsToken()
    {
        SimulatedEnvironment env;
        Host host(env);
        host->open();
        host.actor("counter", "a");

        host->announce(QUrl("http://127.0.0.1:6429"));

        const QList<DiscoveredHost> found = host_directory::hosts();
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.constFirst().url.port(), 6429);
        QCOMPARE(found.constFirst().name, QString("test"));
        QCOMPARE(found.constFirst().bootId, host->bootId());
        QCOMPARE(found.constFirst().startedAt, host->startedAt());
        QCOMPARE(found.constFirst().token, host->inspectorToken());
        QCOMPARE(found.constFirst().pid, QCoreApplication::applicationPid());
        QCOMPARE(found.constFirst().actors, 1);

        host.actor("counter", "b");
        env.advance(6s);
        QCOMPARE(host_directory::hosts().constFirst().actors, 2);
        QCOMPARE(host.stop(), QString());
        QVERIFY(host_directory::hosts().isEmpty());
        QVERIFY(QDir(HostInfo::usualFolder()).isEmpty());
    }

    void theFilesAreTheOwnersAlone()
    {
        QTemporaryDir parent;
        HostInfo info(parent.filePath("hosts"));
        HostInfo::Facts facts;
        facts.url = QUrl("http://127.0.0.1:6420");
        facts.token = "secret";
        info.write(facts);

        const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ExeGroup
                            | QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeOther;
        for (const QString &path : {info.file(), info.tokenFile(), parent.filePath("hosts")})
            QCOMPARE(QFileInfo(path).permissions() & others, QFileDevice::Permissions());
        QFile file(info.file());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("secret"));
        info.remove();
        QVERIFY(QDir(parent.filePath("hosts")).isEmpty());
    }

    void aFolderThatCannotBeMadeIsSaid()
    {
        QTemporaryDir parent;
        QFile inTheWay(parent.filePath("file"));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        HostInfo info(parent.filePath("file"));
        HostInfo::Facts facts;
        facts.url = QUrl("http://127.0.0.1:6420");

        QVERIFY_THROWS_EXCEPTION(Error, info.write(facts));
        QVERIFY(!info.isWritten());
    }

    void tokensDiffer()
    {
        SimulatedEnvironment env;
        Random &random = env.environment().random;
        const QString first = HostInfo::makeToken(random);

        QCOMPARE(first.size(), 32);
        QVERIFY(first != HostInfo::makeToken(random));
    }

private:
    QTemporaryDir m_runtime;
};

QTEST_GUILESS_MAIN(tst_HostInfo)
#include "tst_host_info.moc"
