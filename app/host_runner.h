#pragma once
// A whole host on the thread that makes it: environment, actors, doors. With or without a window.

#include "command_line.h"

#include "async/qt_environment.h"
#include "host/host_core.h"
#include "server/host_server.h"

#include <QUrl>

#include <functional>
#include <memory>

namespace terrarium::app {

class HostRunner final {
public:
    /// Loads plugins (or the example actors), opens the data folder and listens. Throws Error; nothing is left
    /// running then.
    explicit HostRunner(const HostSettings &settings);
    ~HostRunner();

    HostCore &core() { return *m_core; }
    HostServer &server() { return *m_server; }
    QUrl url() const { return m_server->url(); }
    QString name() const { return m_core->options().name; }

    /// An end of a new in-process link; the other end talks to this host. Only on the host's thread.
    void attach(std::unique_ptr<Transport> hostEnd) { m_server->attachLoopback(std::move(hostEnd)); }

    /// Lets all actors sleep, closes doors and files; then calls `done`, once.
    void stop(std::function<void()> done);

private:
    QtEnvironment m_environment;
    std::unique_ptr<HostCore> m_core;
    std::unique_ptr<HostServer> m_server;
    bool m_isStopping = false;
};

} // namespace terrarium::app
