#pragma once
// A host on a thread of its own, beside the window. The window talks to it through frames only.

#include "command_line.h"

#include "wire/transport.h"

#include <QObject>
#include <QThread>
#include <QUrl>

#include <memory>

namespace terrarium::app {

class HostRunner;

class HostThread final : public QObject {
    Q_OBJECT
public:
    explicit HostThread(HostSettings settings, QObject *parent = nullptr);
    /// Stops the host and waits for it, at most as long as its actors' grace.
    ~HostThread() override;

    /// Starts the host and waits until it listens. Throws what went wrong.
    void start();
    /// Begins to stop; stopped() follows.
    void stop();

    QUrl url() const { return m_url; }
    QString name() const { return m_name; }

    /// A new in-process link to the host; from any thread. The returned end belongs to that thread.
    std::unique_ptr<Transport> connectInProcess();

Q_SIGNALS:
    void stopped();

private:
    HostSettings m_settings;
    QThread m_thread;
    QObject *m_worker = nullptr;          ///< lives in m_thread; gone when the thread ends
    std::unique_ptr<HostRunner> m_runner; ///< touched on m_thread only
    QUrl m_url;
    QString m_name;
};

} // namespace terrarium::app
