#pragma once
// The pending schedules of one live actor, in memory, in the order in which they are due.
//
// Rows are kept as they are on disk; whoever changes them here writes the same change with the next save. A one-shot
// is claimed (gone from disk) before its action runs: it runs at most once. A recurring one moves to its next time,
// anchored to its first: ticks that were missed are made up by one. While its action still runs, a tick is skipped.

#include "storage/stored_actor.h"

#include <QList>
#include <QString>

#include <memory>
#include <optional>

namespace terrarium {

class Schedules final {
public:
    static constexpr qint64 shortestIntervalMs = 5'000;
    static constexpr int longestName = 128; ///< UTF-8 bytes

    void load(QList<ScheduleRow> rows);
    const QList<ScheduleRow> &rows() const noexcept { return m_rows; }
    int count() const noexcept { return int(m_rows.size()); }
    /// Wall ms of the earliest; nothing when there is none.
    std::optional<qint64> next() const;

    /// Throws `schedule/max_schedules_exceeded` {maximum}.
    const ScheduleRow &addOneShot(QString id, qint64 at, QString action, QByteArray args, int maximum);
    /// Keeps the next time when a schedule of this name and interval is there. Throws `schedule/invalid_name`,
    /// `schedule/invalid_interval` {interval_ms, minimum_ms}, `schedule/max_schedules_exceeded`.
    const ScheduleRow &setEvery(const QString &name, qint64 intervalMs, QString action, QByteArray args, qint64 now,
                                int maximum);
    /// By id of a one-shot or name of a recurring one: the id of the row that went; nothing when there was none.
    std::optional<QString> cancel(const QString &idOrName);

    /// One due schedule that was claimed.
    struct Fire {
        Fire(ScheduleRow row, bool skipped) : row(std::move(row)), skipped(skipped) {}

        ScheduleRow row; ///< as it was; recurring ones moved on meanwhile
        bool skipped;    ///< its action of the last time still runs
    };
    /// Claims what is due at `now`, by time, then id. One-shots go; recurring ones move to their next time.
    QList<Fire> claim(qint64 now);
    /// The row of a recurring one after claim(), to be written.
    const ScheduleRow *find(const QString &eventId) const;
    void setRunning(const QString &eventId, bool running);
    /// The recurring schedule is dropped because its action does not exist (any more).
    bool dropIfAction(const QString &eventId, const QString &action);

private:
    void insert(ScheduleRow row);

    QList<ScheduleRow> m_rows;   // by time, then id
    QList<QString> m_runningIds; // recurring ones whose action runs
};

} // namespace terrarium
