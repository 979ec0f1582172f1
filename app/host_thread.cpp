#include "host_thread.h"

#include "host_runner.h"

#include "async/epoll_dispatcher.h"
#include "wire/loopback_transport.h"

#include <terrarium/error.h>

namespace terrarium::app {

HostThread::HostThread(HostSettings settings, QObject *parent) : QObject(parent), m_settings(std::move(settings))
{
    m_thread.setObjectName(QStringLiteral("host"));
    if (auto dispatcher = makeHostDispatcher())
        m_thread.setEventDispatcher(dispatcher.release());
}

HostThread::~HostThread()
{
    stop();
    m_thread.wait();
}

void HostThread::start()
{
    m_thread.start();
    m_worker = new QObject;
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(&m_thread, &QThread::finished, this, &HostThread::stopped);
    std::optional<Error> failure;
    QMetaObject::invokeMethod(
        m_worker,
        [this, &failure] {
            try {
                m_runner = std::make_unique<HostRunner>(m_settings);
                m_url = m_runner->url();
                m_name = m_runner->name();
            } catch (const Error &error) {
                failure = error;
            }
        },
        Qt::BlockingQueuedConnection);
    if (failure) {
        m_thread.quit();
        m_thread.wait();
        throw *failure;
    }
}

void HostThread::stop()
{
    if (!m_thread.isRunning() || !m_worker)
        return;
    QMetaObject::invokeMethod(m_worker, [this] {
        if (!m_runner) {
            m_thread.quit();
            return;
        }
        m_runner->stop([this] {
            // Not inside the host's own callback: the host goes away with the runner.
            QMetaObject::invokeMethod(
                m_worker,
                [this] {
                    m_runner.reset();
                    m_thread.quit();
                },
                Qt::QueuedConnection);
        });
    });
}

std::unique_ptr<Transport> HostThread::connectInProcess()
{
    auto [ours, theirs] = LoopbackTransport::pair();
    theirs->moveToThread(&m_thread);
    // A shared pointer, since the event may be dropped with the thread.
    const auto end = std::make_shared<std::unique_ptr<Transport>>(std::move(theirs));
    QMetaObject::invokeMethod(
        m_worker,
        [this, end] {
            if (m_runner)
                m_runner->attach(std::move(*end));
        },
        Qt::QueuedConnection);
    return std::move(ours);
}

} // namespace terrarium::app
