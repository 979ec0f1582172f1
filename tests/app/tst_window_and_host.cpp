// The window on a real host in the same process, as a first run shows it: live data at once, and an actor that
// sleeps on time while every page about it is open.

#include "host_thread.h"

#include "async/qt_environment.h"
#include "client/inspector_client.h"
#include "shell/main_window.h"
#include "shell/settings.h"
#include "style/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace terrarium;

class tst_WindowAndHost : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void firstRunShowsLiveData();
    void actorSleepsOnTimeWhileEverySectionIsOpen();

private:
    InspectorClient *startExample();
    QWidget *find(const char *name) const { return m_window->findChild<QWidget *>(QLatin1String(name)); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QtEnvironment> m_environment;
    std::unique_ptr<ui::Settings> m_settings;
    std::unique_ptr<app::HostThread> m_host;
    std::unique_ptr<ui::MainWindow> m_window;
};

void tst_WindowAndHost::initTestCase()
{
    ui::Theme::current().install(*qApp);
}

void tst_WindowAndHost::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_environment = std::make_unique<QtEnvironment>();
    m_settings = std::make_unique<ui::Settings>(m_folder->filePath(QStringLiteral("settings.ini")));
    m_window = std::make_unique<ui::MainWindow>(*m_environment, *m_settings);
    m_window->setDiscovery([] { return QList<DiscoveredHost>(); });
    m_window->resize(1280, 800);
    m_window->show();
}

void tst_WindowAndHost::cleanup()
{
    m_window.reset();
    m_host.reset();
    m_settings.reset();
    m_environment.reset();
}

InspectorClient *tst_WindowAndHost::startExample()
{
    app::HostSettings settings;
    settings.port = 0;
    settings.dataDir = QStringLiteral(":memory:");
    settings.name = QStringLiteral("example");
    m_host = std::make_unique<app::HostThread>(settings);
    m_host->start();
    HostAddress address;
    address.url = m_host->url();
    address.connect = [this] { return m_host->connectInProcess(); };
    return m_window->attach(address);
}

void tst_WindowAndHost::firstRunShowsLiveData()
{
    InspectorClient *client = nullptr;
    connect(m_window.get(), &ui::MainWindow::exampleHostRequested, m_window.get(), [&] { client = startExample(); });

    auto *button = qobject_cast<QPushButton *>(find("welcomeExampleButton"));
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(client);
    QTRY_VERIFY(client->store().find(QStringLiteral("counter"), ActorKey("a")) != nullptr);
    m_window->openActor(client, QStringLiteral("counter"), ActorKey("a"));

    QTRY_COMPARE(find("statusConnection")->property("linkState").toString(), QStringLiteral("live"));
    auto *changes = qobject_cast<QAbstractItemView *>(find("deltaTable"));
    QVERIFY(changes);
    QTRY_VERIFY(changes->model() && changes->model()->rowCount() > 0);
    const int rows = changes->model()->rowCount();
    QTRY_VERIFY_WITH_TIMEOUT(changes->model()->rowCount() >= rows + 2, 10'000); // it ticks once a second
    QCOMPARE(find("liveBadge")->property("live").toBool(), true);
    QCOMPARE(find("stateTree")->property("markedPaths").toStringList().contains(QStringLiteral("count")), true);
    QVERIFY(!QApplication::activeModalWidget());
}

void tst_WindowAndHost::actorSleepsOnTimeWhileEverySectionIsOpen()
{
    InspectorClient *client = startExample();
    const auto archive = [client] { return client->store().find(QStringLiteral("archive"), ActorKey("2026")); };
    QTRY_VERIFY(archive() != nullptr);
    m_window->openActor(client, QStringLiteral("archive"), ActorKey("2026"));
    QTRY_VERIFY(find("sectionRail"));
    const std::shared_ptr<ActorFeed> feed = client->feed(archive()->id);
    QTRY_VERIFY(feed->isLoaded());
    const qint64 lastActivity = archive()->lastActivityAt;

    const QStringList sections{"overview", "state",    "lifecycle", "connections", "actions", "queue",
                               "schedule", "database", "workflow",  "logs",        "metrics", "traffic"};
    int opened = 0;
    const auto openNext = [&] {
        m_window->showActor(client, archive()->id, sections.at(opened++ % sections.size()));
        return archive()->status == wire::ActorStatus::sleeping;
    };
    QTRY_VERIFY_WITH_TIMEOUT(openNext(), 20'000);

    QVERIFY2(opened > sections.size(), "it slept before every section had been opened");
    // Asleep five seconds (its sleepTimeout) after the last thing that counts, not later: looking does not count.
    qint64 idleAt = 0;
    QTRY_VERIFY([&] {
        for (const FeedRecord &record : feed->records()) {
            const auto *transition = std::get_if<wire::TransitionRecord>(&record.record.body);
            if (transition && transition->to == wire::ActorStatus::sleepGrace) {
                idleAt = record.record.at;
                return transition->reason == u"idle";
            }
        }
        return false;
    }());
    QVERIFY2(idleAt - lastActivity >= 5'000, qPrintable(QString::number(idleAt - lastActivity)));
    QVERIFY2(idleAt - lastActivity < 8'000, qPrintable(QString::number(idleAt - lastActivity)));
    QCOMPARE(archive()->generation, 1u);
}

QTEST_MAIN(tst_WindowAndHost)
#include "tst_window_and_host.moc"
