#pragma once
// SIGINT and SIGTERM as a Qt signal, so that Ctrl+C stops cleanly. A second one ends at once.

#include <QObject>

#include <memory>

class QSocketNotifier;

namespace terrarium::app {

class UnixSignals final : public QObject {
    Q_OBJECT
public:
    /// One per process.
    explicit UnixSignals(QObject *parent = nullptr);
    ~UnixSignals() override;

Q_SIGNALS:
    void stopAsked();

private:
    void readSignal();

    std::unique_ptr<QSocketNotifier> m_notifier;
    int m_received = 0;
};

} // namespace terrarium::app
