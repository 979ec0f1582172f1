#pragma once
// The driver of a host by itself: every wish is granted, in the same event-loop turn, from its own data folder.

#include "async/environment.h"
#include "host/alarm_clock.h"
#include "host/driver.h"
#include "storage/data_folder.h"

#include <QSet>

namespace terrarium {

class LocalDriver final : public Driver {
public:
    LocalDriver(Environment &environment, DataFolder &folder, DriverEvents &events);
    ~LocalDriver() override;

    /// Alarms are told from now on, those that fell due before included.
    void start();
    /// Nothing is told any more.
    void stop();

    std::optional<ActorRow> find(const QString &type, const ActorKey &key) const override;
    std::optional<ActorRow> findById(const QString &actor) const override;
    QList<ActorRow> list(const QString &type, int limit, const QString &afterId) const override;
    qsizetype count() const override;
    ActorRow create(const QString &type, const ActorKey &key, const std::optional<QByteArray> &input,
                    std::function<void(const Error &)> failed) override;
    StoredActor read(const QString &actor) const override;
    void wake(const QString &actor, const QString &why, const Cause &cause) override;
    void askStop(const Incarnation &who, StopReason reason, const QString &why, const Cause &cause) override;
    void destroy(const QString &actor, CommitDone done) override;
    void ended(const Incarnation &who, std::optional<qint64> nextAlarm) override;

private:
    void later(std::function<void()> work);

    Environment &m_environment;
    DataFolder &m_folder;
    DriverEvents &m_events;
    AlarmClock m_alarms;
    QSet<QString> m_waking;
    std::shared_ptr<bool> m_running; // false: what was posted is dropped
};

} // namespace terrarium
