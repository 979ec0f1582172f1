#pragma once
// Rows as the rest of the core sees them.

#include <terrarium/actor_key.h>
#include <terrarium/error.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>
#include <optional>

namespace terrarium {

/// Called on the host thread once the writes are durable, or with why they are not. Never inside the call that
/// takes it; exactly once, unless the storage is destroyed first.
using CommitDone = std::function<void(const std::optional<Error> &)>;

/// Who an actor is. Small: made for lists.
struct ActorRow {
    qint64 row = 0; ///< in its shard; ascending by creation
    QString id;     ///< 30 characters 0-9a-z
    QString type;
    ActorKey key;
    quint32 generation = 0; ///< of the newest incarnation; 0: never started
    qint64 createdAt = 0;   ///< wall ms
    qint64 destroyedAt = 0; ///< wall ms; 0: it exists

    friend bool operator==(const ActorRow &, const ActorRow &) = default;
};

enum class ScheduleKind : quint8 { At = 0, Cron = 1, Every = 2 };

/// One pending schedule of one actor.
struct ScheduleRow {
    QString eventId;      ///< a UUID for one-shots, "cron:" + name for recurring ones
    qint64 triggerAt = 0; ///< wall ms
    QString action;
    QByteArray args; ///< CBOR list; empty: none
    ScheduleKind kind = ScheduleKind::At;
    QString cronExpression;   ///< Cron only
    QString timezone;         ///< Cron only
    qint64 intervalMs = 0;    ///< Every only
    qint64 lastStartedAt = 0; ///< 0: never
    int maxHistory = 0;       ///< recurring only

    friend bool operator==(const ScheduleRow &, const ScheduleRow &) = default;
};

/// Everything of one actor that its start needs.
struct StoredActor {
    ActorRow actor;
    bool hasInitialized = false;
    std::optional<QByteArray> input; ///< CBOR, as given at creation
    QByteArray state;                ///< empty: never saved
    qint64 savedAt = 0;              ///< wall ms; 0: never saved
    QList<ScheduleRow> schedules;    ///< by time, then id
};

} // namespace terrarium
