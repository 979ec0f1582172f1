#include "wire/conn.h"

#include <QHostAddress>

namespace terrarium {

namespace {
constexpr auto closingTime = std::chrono::seconds(5);
}

Conn::Conn(QWebSocket *webSocket, QTcpSocket *tcp, Environment &environment, TurnFlush &turn, ConnLimits limits)
    : m_environment(environment),
      m_limits(limits),
      m_webSocket(webSocket),
      m_tcp(tcp),
      m_writer(tcp, turn, [this] { Q_EMIT drained(); }),
      m_peer(webSocket->peerAddress().toString() + QLatin1Char(':') + QString::number(webSocket->peerPort()))
{
    setLimits(limits);
    connect(webSocket, &QWebSocket::textMessageReceived, this, [this](const QString &text) {
        alive();
        if (m_open)
            Q_EMIT textReceived(text);
    });
    connect(webSocket, &QWebSocket::binaryMessageReceived, this, [this](const QByteArray &bytes) {
        alive();
        if (m_open)
            Q_EMIT binaryReceived(bytes);
    });
    connect(webSocket, &QWebSocket::pong, this, [this] { alive(); });
    // Queued: both may come from inside close(). The TCP socket too, as the web socket stays silent in some cases.
    connect(webSocket, &QWebSocket::disconnected, this, &Conn::finish, Qt::QueuedConnection);
    connect(tcp, &QTcpSocket::disconnected, this, &Conn::finish, Qt::QueuedConnection);
    connect(tcp, &QTcpSocket::bytesWritten, this, [this] {
        alive();
        Q_EMIT drained();
    });
    // QWebSocket does not look at what has arrived already until more arrives.
    environment.executor.post([socket = m_tcp] {
        if (socket && socket->bytesAvailable() > 0)
            Q_EMIT socket->readyRead();
    });
    alive();
    m_timer = environment.clock.after(limits.pingEvery, [this] { beat(); });
}

Conn::~Conn()
{
    if (m_webSocket) {
        m_webSocket->disconnect(this);
        m_webSocket->deleteLater();
    }
    if (m_tcp) {
        m_tcp->disconnect(this);
        if (!m_finished)
            m_tcp->abort();
        m_tcp->deleteLater();
    }
}

void Conn::setLimits(const ConnLimits &limits)
{
    m_limits = limits;
    if (m_webSocket) {
        m_webSocket->setMaxAllowedIncomingFrameSize(quint64(limits.incomingMessage));
        m_webSocket->setMaxAllowedIncomingMessageSize(quint64(limits.incomingMessage));
    }
}

void Conn::sendFrame(const QByteArray &frame)
{
    if (!m_open)
        return;
    m_writer.write(frame);
    if (m_writer.pendingBytes() > m_limits.pendingBytes)
        cut(QStringLiteral("the peer takes too little: %1 bytes are waiting").arg(m_writer.pendingBytes()));
}

void Conn::close(quint16 code, const QString &reason)
{
    if (!m_open)
        return;
    m_open = false;
    m_closeCode = code;
    m_closeReason = closeReasonThatFits(reason);
    m_writer.flush();
    if (m_webSocket)
        m_webSocket->close(QWebSocketProtocol::CloseCode(code), m_closeReason);
    // What the peer does not take in time is dropped with the connection.
    m_timer = m_environment.clock.after(closingTime, [this] {
        if (m_tcp)
            m_tcp->abort();
        finish();
    });
}

void Conn::cut(const QString &reason)
{
    if (m_finished)
        return;
    if (m_open) {
        m_open = false;
        m_closeCode = 0;
        m_closeReason = reason;
    }
    m_timer = m_environment.clock.after(Duration(0), [this] {
        if (m_tcp)
            m_tcp->abort();
        finish();
    });
}

void Conn::beat()
{
    if (m_environment.clock.now() - m_lastSign > m_limits.silence) {
        cut(QStringLiteral("no sign of life"));
        return;
    }
    m_writer.write(websocketFrame(FrameKind::Ping, {}));
    m_timer = m_environment.clock.after(m_limits.pingEvery, [this] { beat(); });
}

void Conn::finish()
{
    if (m_finished)
        return;
    m_finished = true;
    m_timer.cancel();
    if (m_open && m_webSocket) {
        m_open = false;
        // Without a close frame from the peer QWebSocket says 1000 with no reason, or 1006.
        m_closeCode = quint16(m_webSocket->closeCode());
        m_closeReason = m_webSocket->closeReason();
    }
    Q_EMIT closed(m_closeCode, m_closeReason);
}

} // namespace terrarium
