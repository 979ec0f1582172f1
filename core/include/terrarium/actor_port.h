#pragma once
// What the engine does for an author's actor: the wires behind Actor<State> and Context. Not for use by authors.

#include <terrarium/actor_key.h>
#include <terrarium/error.h>
#include <terrarium/task.h>
#include <terrarium/value.h>

#include <QByteArray>
#include <QList>
#include <QString>

#include <chrono>
#include <memory>

namespace terrarium {

/// A client's connection, as the actor sees it.
struct ConnectionInfo {
    ConnectionInfo() = default;
    ConnectionInfo(QString id, Value params, QString remoteAddress)
        : id(std::move(id)),
          params(std::move(params)),
          remoteAddress(std::move(remoteAddress))
    {}

    QString id;            ///< UUID text; empty: a call without a lasting connection
    Value params;          ///< what the client connected with; Null when nothing
    QString remoteAddress; ///< "127.0.0.1"; may be empty
};

namespace detail {

/// The bytes of a pointer to a member: what an action is found by when only its function is given.
template <typename Member>
QByteArray memberKey(Member member)
{
    return QByteArray(reinterpret_cast<const char *>(&member), qsizetype(sizeof member));
}

class ActorPort {
public:
    virtual ~ActorPort() = default;

    virtual std::weak_ptr<ActorPort> weak() = 0;
    virtual const QString &id() const = 0;
    virtual const QString &type() const = 0;
    virtual const ActorKey &key() const = 0;
    virtual quint32 generation() const = 0;
    virtual qint64 wallMs() const = 0;

    virtual void touchState() = 0;
    virtual void broadcast(const QString &event, Value args) = 0;
    virtual QString actionOf(const QByteArray &memberKey) const = 0; ///< throws `actor/action_not_found`
    virtual QString scheduleAt(qint64 wallMs, const QString &action, const Value &args) = 0;
    virtual QString scheduleEvery(const QString &name, qint64 intervalMs, const QString &action, const Value &args) = 0;
    virtual bool cancelSchedule(const QString &idOrName) = 0;
    virtual Task<> saveNow() = 0;
    virtual Task<> delay(std::chrono::nanoseconds duration) = 0;
    /// True when the time has passed, false when the actor was asked to finish.
    virtual Task<bool> sleepFor(std::chrono::nanoseconds duration) = 0;
    virtual void waitUntil(Task<> task, const QString &label) = 0;
    virtual quint64 beginKeepAwake(const QString &label, const QString &origin) = 0;
    virtual void endKeepAwake(quint64 region) = 0;
    virtual void requestSleep() = 0;
    virtual void requestDestroy() = 0;
    virtual bool isFinishing() const = 0;
    virtual ConnectionInfo caller() const = 0;
    virtual QList<ConnectionInfo> connections() const = 0;
    virtual bool disconnect(const QString &connection, const QString &reason) = 0;
};

} // namespace detail
} // namespace terrarium
