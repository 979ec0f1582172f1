#pragma once
// One open connection of a client to a live actor: who it is and which events it wants.
//
// It exists for the actor from the moment its connect hooks succeeded until it is closed. Hibernation is not part of
// it: connections keep their actor awake.

#include <terrarium/value.h>

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>

namespace terrarium {

/// Where a connection's events go. Called on the host thread when they may leave; must not block and must not call
/// back into the actor.
class ConnectionOutlet {
public:
    virtual ~ConnectionOutlet() = default;

    /// `sharedFrame` is the same object for every subscriber of one broadcast, for encoding it once.
    virtual void event(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &sharedFrame) = 0;
    /// The actor or the host ends the connection: 1000 with the actor's reason, or 1011 "group.code". Last call.
    virtual void closed(quint16 code, const QString &reason) = 0;
};

class ActorConnection final {
public:
    ActorConnection(QString id, Value params, QString remoteAddress, ConnectionOutlet *outlet)
        : m_id(std::move(id)),
          m_params(std::move(params)),
          m_remoteAddress(std::move(remoteAddress)),
          m_outlet(outlet)
    {}

    const QString &id() const noexcept { return m_id; }
    const Value &params() const noexcept { return m_params; }
    const QString &remoteAddress() const noexcept { return m_remoteAddress; }
    bool isOpen() const noexcept { return m_open; }
    qint64 openedAt() const noexcept { return m_openedAt; } ///< wall ms

    /// In force for every event after it. True when something changed.
    bool subscribe(const QString &event, bool on);
    bool isSubscribed(const QString &event) const noexcept { return m_subscriptions.contains(event); }
    const QStringList &subscriptions() const noexcept { return m_subscriptions; }

    /// The client's end is gone: nothing is sent any more.
    void dropOutlet() noexcept { m_outlet = nullptr; }
    ConnectionOutlet *outlet() const noexcept { return m_outlet; }

private:
    friend class Connections;
    friend class Outbox;

    QString m_id;
    Value m_params;
    QString m_remoteAddress;
    QStringList m_subscriptions;
    ConnectionOutlet *m_outlet;
    quint64 m_heldUntil = 0; // save revision of the last thing held back for it
    qint64 m_openedAt = 0;
    bool m_open = false;
};

} // namespace terrarium
