#pragma once
// A two-way stream of whole frames. In process (LoopbackTransport) or over a WebSocket; the same bytes.

#include <QByteArray>
#include <QObject>
#include <QString>

namespace terrarium {

/// Lives in one thread. Signals come in order; nothing arrives after closed().
class Transport : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Queues one frame. Dropped silently after closed().
    virtual void send(const QByteArray &frame) = 0;
    /// Bytes handed to send() that the other side has not taken yet. Grows while the peer is slow.
    virtual qint64 pendingBytes() const = 0;
    /// Closes with a WebSocket close code (1000 normal, 1008 refused, 1011 trouble) and a reason.
    virtual void close(quint16 code, const QString &reason) = 0;
    virtual bool isOpen() const = 0;

Q_SIGNALS:
    void opened();
    void received(const QByteArray &frame);
    /// pendingBytes() fell to zero, or below the low mark of the implementation.
    void drained();
    /// Once. `code` 0: never opened or cut without a close frame; `reason` then says why, in English.
    void closed(quint16 code, const QString &reason);
};

} // namespace terrarium
