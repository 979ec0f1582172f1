#include "host/local_driver.h"

namespace terrarium {

LocalDriver::LocalDriver(Environment &environment, DataFolder &folder, DriverEvents &events)
    : m_environment(environment),
      m_folder(folder),
      m_events(events),
      m_alarms(environment, folder.index(), [this](const ActorRow &actor) { m_events.alarmDue(actor); }),
      m_running(std::make_shared<bool>(true))
{}

LocalDriver::~LocalDriver()
{
    stop();
}

void LocalDriver::start()
{
    m_alarms.start();
}

void LocalDriver::stop()
{
    m_alarms.stop();
    *m_running = false;
}

void LocalDriver::later(std::function<void()> work)
{
    m_environment.executor.post([running = m_running, work = std::move(work)] {
        if (*running)
            work();
    });
}

std::optional<ActorRow> LocalDriver::find(const QString &type, const ActorKey &key) const
{
    return m_folder.index().find(type, key);
}

std::optional<ActorRow> LocalDriver::findById(const QString &actor) const
{
    return m_folder.index().findById(actor);
}

QList<ActorRow> LocalDriver::list(const QString &type, int limit, const QString &afterId) const
{
    return m_folder.index().list(type, limit, afterId);
}

qsizetype LocalDriver::count() const
{
    return m_folder.index().count();
}

ActorRow LocalDriver::create(const QString &type, const ActorKey &key, const std::optional<QByteArray> &input,
                             std::function<void(const Error &)> failed)
{
    return m_folder.index().create(
        type, key, input, m_environment.clock.wallMs(),
        [running = m_running, failed = std::move(failed)](const std::optional<Error> &error) {
            if (error && *running)
                failed(*error);
        });
}

StoredActor LocalDriver::read(const QString &actor) const
{
    return m_folder.index().read(actor);
}

void LocalDriver::wake(const QString &actor, const QString &why, const Cause &cause)
{
    if (m_waking.contains(actor))
        return;
    m_waking.insert(actor);
    later([this, actor, why, cause] {
        m_waking.remove(actor);
        StartOrder order;
        order.why = why;
        order.cause = cause;
        try {
            order.storage = m_folder.index().begin(actor);
        } catch (...) {
            m_events.startFailed(actor, Error::fromException(std::current_exception()));
            return;
        }
        m_events.start(std::move(order));
    });
}

void LocalDriver::askStop(const Incarnation &who, StopReason reason, const QString &why, const Cause &cause)
{
    later([this, who, reason, why, cause] { m_events.stop(who, reason, why, cause); });
}

void LocalDriver::destroy(const QString &actor, CommitDone done)
{
    try {
        m_folder.index().destroy(actor, m_environment.clock.wallMs(), std::move(done));
    } catch (...) {
        const Error error = Error::fromException(std::current_exception());
        later([done = std::move(done), error] { done(error); });
    }
}

void LocalDriver::ended(const Incarnation &who, std::optional<qint64> nextAlarm)
{
    Q_UNUSED(who)
    if (nextAlarm)
        m_alarms.consider(*nextAlarm);
}

} // namespace terrarium
