#pragma once
// A window on fake hosts, with time, order and settings owned by the test.

#include "list/actor_list_panel.h"
#include "shell/main_window.h"
#include "shell/settings.h"
#include "style/theme.h"

#include "testing/fake_host.h"
#include "testing/simulated_environment.h"

#include <QCoreApplication>
#include <QEvent>
#include <QTemporaryDir>

#include <chrono>
#include <memory>

namespace terrarium::ui {

class WindowFixture {
public:
    explicit WindowFixture(ThemeMode mode = ThemeMode::Light)
    {
        settings = std::make_unique<Settings>(folder.filePath(QStringLiteral("window.ini")));
        settings->setTheme(mode);
        theme().setMode(mode);
        environment.jumpWallClock(std::chrono::milliseconds(FakeHost::mockNow() - environment.clock().wallMs()));
        window = std::make_unique<MainWindow>(environment.environment(), *settings);
        window->setDiscovery([] { return QList<DiscoveredHost>(); });
    }
    ~WindowFixture()
    {
        window.reset();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    /// The two hosts of the pictures.
    void attachMockHosts()
    {
        shop = FakeHost::mockShop(environment);
        worker = FakeHost::mockWorker(environment);
        shopClient = window->attach(shop->address());
        workerClient = window->attach(worker->address());
        settle();
    }
    InspectorClient *attach(FakeHost &host)
    {
        InspectorClient *client = window->attach(host.address());
        settle();
        return client;
    }

    /// Runs links and beats until nothing is left, without moving time.
    void settle()
    {
        for (int round = 0; round < 20; ++round) {
            environment.runUntilIdle();
            QCoreApplication::sendPostedEvents();
            window->tick().beatNow();
            if (!window->links().anyPending() && round > 2)
                break;
        }
        QCoreApplication::processEvents();
    }
    void advance(std::chrono::nanoseconds by)
    {
        environment.advance(by);
        settle();
    }

    QTemporaryDir folder;
    testing::SimulatedEnvironment environment;
    std::unique_ptr<Settings> settings;
    std::unique_ptr<FakeHost> shop;
    std::unique_ptr<FakeHost> worker;
    std::unique_ptr<MainWindow> window;
    InspectorClient *shopClient = nullptr;
    InspectorClient *workerClient = nullptr;
};

} // namespace terrarium::ui
