#pragma once
// Who decides when an actor starts and stops, keeps its rows and holds its alarm while it sleeps.
//
// The host above asks (wake, askStop) and is told (DriverEvents); it never assumes that what it asked for comes soon,
// comes once, or that what comes was its own idea. On one machine both happen in the same event-loop turn
// (LocalDriver); a host that takes part in a cluster would get another Driver and stay the same.
//
// All calls and callbacks are on the host thread. The driver never calls back inside a call.

#include "actor/lifecycle.h"
#include "storage/actor_storage.h"

#include <terrarium/cause.h>
#include <terrarium/error.h>

#include <functional>
#include <memory>
#include <optional>

namespace terrarium {

/// One life of one actor.
struct Incarnation {
    QString actor;
    quint32 generation = 0;
};

struct StartOrder {
    std::unique_ptr<ActorStorage> storage; ///< whose start this is: storage->actor()
    QString why;                           ///< created, request, alarm, inspector, ...
    Cause cause;
};

class DriverEvents {
public:
    virtual ~DriverEvents() = default;

    virtual void start(StartOrder order) = 0;
    /// What wake() asked for cannot be done.
    virtual void startFailed(const QString &actor, const Error &error) = 0;
    virtual void stop(const Incarnation &who, StopReason reason, const QString &why, const Cause &cause) = 0;
    /// A schedule of an actor that is not live is due.
    virtual void alarmDue(const ActorRow &actor) = 0;
};

class Driver {
public:
    virtual ~Driver() = default;

    // Finding.
    virtual std::optional<ActorRow> find(const QString &type, const ActorKey &key) const = 0;
    virtual std::optional<ActorRow> findById(const QString &actor) const = 0; ///< destroyed ones too
    virtual QList<ActorRow> list(const QString &type, int limit, const QString &afterId) const = 0;
    virtual qsizetype count() const = 0;
    /// Throws `actor/duplicate_key`. `failed` is called when it does not become durable.
    virtual ActorRow create(const QString &type, const ActorKey &key, const std::optional<QByteArray> &input,
                            std::function<void(const Error &)> failed) = 0;
    /// As it is on disk. Throws `actor/not_found`.
    virtual StoredActor read(const QString &actor) const = 0;

    // Wishes. Asking again while one is open changes nothing.
    virtual void wake(const QString &actor, const QString &why, const Cause &cause) = 0;
    virtual void askStop(const Incarnation &who, StopReason reason, const QString &why, const Cause &cause) = 0;
    /// Of an actor that is not live: its rows go.
    virtual void destroy(const QString &actor, CommitDone done) = 0;
    /// An incarnation is over. `nextAlarm`: wall ms, when it is to be told with alarmDue().
    virtual void ended(const Incarnation &who, std::optional<qint64> nextAlarm) = 0;
};

} // namespace terrarium
