#include "actor/schedules.h"

#include <terrarium/error.h>

#include <algorithm>

namespace terrarium {

namespace {

bool comesBefore(const ScheduleRow &a, const ScheduleRow &b)
{
    return a.triggerAt != b.triggerAt ? a.triggerAt < b.triggerAt : a.eventId < b.eventId;
}

QString recurringId(const QString &name)
{
    return QStringLiteral("cron:") + name;
}

void refuseSchedulesOver(int count, int maximum)
{
    if (count < maximum)
        return;
    throw Error(QStringLiteral("schedule"), QStringLiteral("max_schedules_exceeded"),
                QStringLiteral("an actor of this type may have %1 pending schedules").arg(maximum),
                Value::map({{QStringLiteral("maximum"), Value(maximum)}}));
}

} // namespace

void Schedules::load(QList<ScheduleRow> rows)
{
    m_rows = std::move(rows);
    std::sort(m_rows.begin(), m_rows.end(), comesBefore);
}

std::optional<qint64> Schedules::next() const
{
    if (m_rows.isEmpty())
        return std::nullopt;
    return m_rows.constFirst().triggerAt;
}

void Schedules::insert(ScheduleRow row)
{
    const auto at = std::upper_bound(m_rows.begin(), m_rows.end(), row, comesBefore);
    m_rows.insert(at, std::move(row));
}

const ScheduleRow &Schedules::addOneShot(QString id, qint64 at, QString action, QByteArray args, int maximum)
{
    refuseSchedulesOver(count(), maximum);
    ScheduleRow row;
    row.eventId = id;
    row.triggerAt = at;
    row.action = std::move(action);
    row.args = std::move(args);
    insert(std::move(row));
    return *find(id);
}

const ScheduleRow &Schedules::setEvery(const QString &name, qint64 intervalMs, QString action, QByteArray args,
                                       qint64 now, int maximum)
{
    if (name.isEmpty() || name.toUtf8().size() > longestName) {
        throw Error(QStringLiteral("schedule"), QStringLiteral("invalid_name"),
                    QStringLiteral("the name of a schedule has 1 to %1 bytes, not %2")
                        .arg(longestName)
                        .arg(name.toUtf8().size()),
                    Value::map({{QStringLiteral("reason"), Value(name.isEmpty() ? "empty" : "too long")}}));
    }
    if (intervalMs < shortestIntervalMs) {
        throw Error(QStringLiteral("schedule"), QStringLiteral("invalid_interval"),
                    QStringLiteral("schedule \"%1\": an interval of %2 ms is shorter than %3 ms")
                        .arg(name)
                        .arg(intervalMs)
                        .arg(shortestIntervalMs),
                    Value::map({{QStringLiteral("interval_ms"), Value(intervalMs)},
                                {QStringLiteral("minimum_ms"), Value(shortestIntervalMs)}}));
    }
    const QString id = recurringId(name);
    ScheduleRow row;
    const auto old = std::find_if(m_rows.begin(), m_rows.end(), [&](const ScheduleRow &r) { return r.eventId == id; });
    if (old != m_rows.end()) {
        row = *old;
        m_rows.erase(old);
    } else {
        refuseSchedulesOver(count(), maximum);
    }
    if (row.kind != ScheduleKind::Every || row.intervalMs != intervalMs)
        row.triggerAt = now + intervalMs;
    row.eventId = id;
    row.kind = ScheduleKind::Every;
    row.intervalMs = intervalMs;
    row.action = std::move(action);
    row.args = std::move(args);
    insert(std::move(row));
    return *find(id);
}

std::optional<QString> Schedules::cancel(const QString &idOrName)
{
    const QString recurring = recurringId(idOrName);
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](const ScheduleRow &row) {
        return row.kind == ScheduleKind::At ? row.eventId == idOrName : row.eventId == recurring;
    });
    if (at == m_rows.end())
        return std::nullopt;
    QString id = at->eventId;
    m_rows.erase(at);
    return id;
}

QList<Schedules::Fire> Schedules::claim(qint64 now)
{
    QList<Fire> fires;
    while (!m_rows.isEmpty() && m_rows.constFirst().triggerAt <= now) {
        ScheduleRow row = m_rows.takeFirst();
        const bool skipped = row.kind != ScheduleKind::At && m_runningIds.contains(row.eventId);
        fires.append(Fire(row, skipped));
        if (row.kind == ScheduleKind::Every && row.intervalMs > 0) {
            const qint64 elapsed = now - row.triggerAt;
            row.lastStartedAt = now;
            row.triggerAt += row.intervalMs * (elapsed / row.intervalMs + 1);
            insert(std::move(row));
        }
    }
    return fires;
}

const ScheduleRow *Schedules::find(const QString &eventId) const
{
    for (const ScheduleRow &row : m_rows) {
        if (row.eventId == eventId)
            return &row;
    }
    return nullptr;
}

void Schedules::setRunning(const QString &eventId, bool running)
{
    if (running)
        m_runningIds.append(eventId);
    else
        m_runningIds.removeOne(eventId);
}

bool Schedules::dropIfAction(const QString &eventId, const QString &action)
{
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](const ScheduleRow &row) {
        return row.eventId == eventId && row.action == action;
    });
    if (at == m_rows.end())
        return false;
    m_rows.erase(at);
    return true;
}

} // namespace terrarium
