#pragma once
// The asking side of a WebSocket link to a host's inspector door.
//
// The accepting side belongs to the server room. One binary message is one frame. Why a link could not be opened is
// kept apart by kind, so that a person can be told what to do next.

#include "wire/transport.h"

#include <QAbstractSocket>
#include <QUrl>

class QWebSocket;

namespace terrarium {

class WebSocketTransport final : public Transport {
    Q_OBJECT
public:
    /// Why the link never opened.
    enum class OpenFailure { None, NothingListens, NotAHost, NameNotFound, TimedOut, Tls, Other };

    /// The subprotocol asked for.
    static constexpr QLatin1String subprotocol{"terrarium-inspector"};
    /// The path of the door; replaces an empty path of the address.
    static constexpr QLatin1String path{"/inspector"};

    /// Starts connecting to `url` (ws, wss; http and https are read as those).
    explicit WebSocketTransport(const QUrl &url, QObject *parent = nullptr);
    ~WebSocketTransport() override;

    void send(const QByteArray &frame) override;
    qint64 pendingBytes() const override;
    void close(quint16 code, const QString &reason) override;
    bool isOpen() const override;

    /// Meaningful after closed() when opened() was never emitted.
    OpenFailure openFailure() const { return m_failure; }

private:
    void fail(QAbstractSocket::SocketError error);
    void finish();

    QWebSocket *m_socket;
    OpenFailure m_failure = OpenFailure::None;
    QString m_errorText;
    bool m_isOpened = false;
    bool m_isClosed = false;
};

} // namespace terrarium
