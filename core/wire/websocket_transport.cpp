#include "wire/websocket_transport.h"

#include <QNetworkRequest>
#include <QWebSocket>
#include <QWebSocketHandshakeOptions>

namespace terrarium {

namespace {
/// A snapshot of a large state is one frame.
constexpr quint64 webSocketMaxFrameBytes = 512ULL * 1024 * 1024;

QUrl doorUrl(QUrl url)
{
    if (url.scheme() == QLatin1String("http"))
        url.setScheme(QStringLiteral("ws"));
    else if (url.scheme() == QLatin1String("https"))
        url.setScheme(QStringLiteral("wss"));
    if (url.path().isEmpty() || url.path() == QLatin1String("/"))
        url.setPath(WebSocketTransport::path);
    return url;
}
} // namespace

WebSocketTransport::WebSocketTransport(const QUrl &url, QObject *parent)
    : Transport(parent),
      m_socket(new QWebSocket(QString(), QWebSocketProtocol::VersionLatest, this))
{
    m_socket->setMaxAllowedIncomingMessageSize(webSocketMaxFrameBytes);
    m_socket->setMaxAllowedIncomingFrameSize(webSocketMaxFrameBytes);
    connect(m_socket, &QWebSocket::connected, this, [this] {
        m_isOpened = true;
        Q_EMIT opened();
    });
    connect(m_socket, &QWebSocket::binaryMessageReceived, this, [this](const QByteArray &frame) {
        if (!m_isClosed)
            Q_EMIT received(frame);
    });
    connect(m_socket, &QWebSocket::bytesWritten, this, [this] {
        if (!m_isClosed && m_socket->bytesToWrite() == 0)
            Q_EMIT drained();
    });
    connect(m_socket, &QWebSocket::disconnected, this, [this] {
        // While connecting this comes before the error it belongs to.
        if (m_isOpened)
            finish();
        else
            fail(m_socket->error());
    });
    connect(m_socket, qOverload<QAbstractSocket::SocketError>(&QWebSocket::error), this, &WebSocketTransport::fail);

    QWebSocketHandshakeOptions options;
    options.setSubprotocols({QString(subprotocol)});
    m_socket->open(doorUrl(url), options);
}

WebSocketTransport::~WebSocketTransport()
{
    m_socket->disconnect(this);
    if (isOpen()) {
        m_socket->close(QWebSocketProtocol::CloseCodeGoingAway);
        m_socket->flush();
    }
    m_isClosed = true;
    m_socket->abort();
}

void WebSocketTransport::send(const QByteArray &frame)
{
    if (isOpen())
        m_socket->sendBinaryMessage(frame);
}

qint64 WebSocketTransport::pendingBytes() const
{
    return m_socket->bytesToWrite();
}

void WebSocketTransport::close(quint16 code, const QString &reason)
{
    if (m_isClosed)
        return;
    if (m_isOpened)
        m_socket->close(QWebSocketProtocol::CloseCode(code), reason);
    else
        m_socket->abort();
    if (m_errorText.isEmpty())
        m_errorText = reason;
}

bool WebSocketTransport::isOpen() const
{
    return m_isOpened && !m_isClosed;
}

void WebSocketTransport::fail(QAbstractSocket::SocketError error)
{
    if (m_isClosed)
        return;
    m_errorText = m_socket->errorString();
    if (!m_isOpened) {
        // QWebSocket reports a refused handshake as a refused connection; the difference is whether TCP came through.
        const bool tcpCameThrough = m_socket->localPort() != 0;
        switch (error) {
        case QAbstractSocket::ConnectionRefusedError:
            m_failure = tcpCameThrough ? OpenFailure::NotAHost : OpenFailure::NothingListens;
            break;
        case QAbstractSocket::RemoteHostClosedError: m_failure = OpenFailure::NotAHost; break;
        case QAbstractSocket::HostNotFoundError: m_failure = OpenFailure::NameNotFound; break;
        case QAbstractSocket::SocketTimeoutError: m_failure = OpenFailure::TimedOut; break;
        case QAbstractSocket::SslHandshakeFailedError:
        case QAbstractSocket::SslInternalError:
        case QAbstractSocket::SslInvalidUserDataError: m_failure = OpenFailure::Tls; break;
        case QAbstractSocket::NetworkError: m_failure = OpenFailure::NothingListens; break;
        default: m_failure = OpenFailure::Other; break;
        }
        finish();
    }
}

void WebSocketTransport::finish()
{
    if (m_isClosed)
        return;
    m_isClosed = true;
    if (!m_isOpened && m_failure == OpenFailure::None)
        m_failure = OpenFailure::NotAHost;
    const quint16 code = m_isOpened ? quint16(m_socket->closeCode()) : quint16(0);
    // Without a close frame QWebSocket answers 1000 with an empty reason and an error string.
    const bool isCut =
        code == QWebSocketProtocol::CloseCodeAbnormalDisconnection
        || (code == QWebSocketProtocol::CloseCodeNormal && m_socket->closeReason().isEmpty() && !m_errorText.isEmpty());
    if (!m_isOpened || isCut)
        Q_EMIT closed(0, m_errorText.isEmpty() ? m_socket->errorString() : m_errorText);
    else
        Q_EMIT closed(code, m_socket->closeReason());
}

} // namespace terrarium
