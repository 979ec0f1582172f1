#pragma once
// The event dispatcher of threads that host actors (Linux): one epoll set instead of polling every socket each turn,
// so that thousands of idle sockets cost nothing.
//
// It keeps the promises of Qt's own: awake() is emitted first in every pass, then posted events are sent, then
// aboutToBlock() right before it may wait, then sockets and timers are served. QTcpSocket, QWebSocket, QTimer and
// nested event loops work on it unchanged. Posting an event from the thread itself costs no system call.
//
//     QThread thread;
//     thread.setEventDispatcher(makeHostDispatcher().release());  // before start()

#include <QAbstractEventDispatcher>

#include <memory>

namespace terrarium {

/// The dispatcher for a thread that hosts actors: ours on Linux, else null, which leaves Qt's own.
std::unique_ptr<QAbstractEventDispatcher> makeHostDispatcher();

#ifdef Q_OS_LINUX

class EpollDispatcher final : public QAbstractEventDispatcher {
public:
    explicit EpollDispatcher(QObject *parent = nullptr);
    ~EpollDispatcher() override;

    bool processEvents(QEventLoop::ProcessEventsFlags flags) override;

    void registerSocketNotifier(QSocketNotifier *notifier) override;
    void unregisterSocketNotifier(QSocketNotifier *notifier) override;

    void registerTimer(int timerId, qint64 interval, Qt::TimerType timerType, QObject *object) override;
    bool unregisterTimer(int timerId) override;
    bool unregisterTimers(QObject *object) override;
    QList<TimerInfo> registeredTimers(QObject *object) const override;
    int remainingTime(int timerId) override;

    void wakeUp() override;
    void interrupt() override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

#endif

} // namespace terrarium
