#include "server/http_server.h"

#include <terrarium/error.h>

#include <QHostAddress>

namespace terrarium {

namespace {

QString httpPeer(const QHostAddress &address, quint16 port)
{
    return address.toString() + QLatin1Char(':') + QString::number(port);
}

/// Puts bytes back in front of what is still to be read.
void httpUnread(QTcpSocket &socket, QByteArrayView bytes)
{
    for (qsizetype i = bytes.size(); i > 0; --i)
        socket.ungetChar(bytes[i - 1]);
}

} // namespace

HttpServer::HttpServer(Environment &environment, HttpHandler &handler, TurnFlush &turn, HttpServerOptions options)
    : m_environment(environment),
      m_handler(handler),
      m_turn(turn),
      m_options(std::move(options))
{
    m_tcpServer.setMaxPendingConnections(m_options.maxConnections);
    m_tcpServer.setListenBacklogSize(1024);
    connect(&m_tcpServer, &QTcpServer::newConnection, this, &HttpServer::acceptPending);
    // Out of descriptors, for example: the server has stopped accepting by itself.
    connect(&m_tcpServer, &QTcpServer::acceptError, this, [this] {
        m_resume = m_environment.clock.after(std::chrono::milliseconds(100), [this] { m_tcpServer.resumeAccepting(); });
    });
    QStringList sets = m_options.subprotocols;
    sets.append(QString());
    for (const QString &subprotocol : std::as_const(sets)) {
        auto server = std::make_unique<QWebSocketServer>(QStringLiteral("terrarium"), QWebSocketServer::NonSecureMode);
        if (!subprotocol.isEmpty())
            server->setSupportedSubprotocols({subprotocol});
        server->setMaxPendingConnections(1024);
        connect(server.get(), &QWebSocketServer::newConnection, this,
                [this, raw = server.get()] { webSocketReady(raw); });
        m_webSocketServers.push_back(std::move(server));
    }
}

HttpServer::~HttpServer()
{
    for (HttpConnection *connection : m_connections) {
        connection->disconnect(this);
        delete connection;
    }
    for (const Expected &expected : std::as_const(m_expected)) {
        if (expected.socket) {
            expected.socket->disconnect(this);
            delete expected.socket.data();
        }
    }
}

bool HttpServer::listen(const QHostAddress &address, quint16 port)
{
    if (m_tcpServer.listen(address, port))
        return true;
    if (m_tcpServer.serverError() == QAbstractSocket::AddressInUseError)
        return false;
    Value metadata = Value::map();
    metadata.set(QStringLiteral("address"), address.toString());
    metadata.set(QStringLiteral("port"), port);
    throw Error(QStringLiteral("server"), QStringLiteral("listen_failed"),
                QStringLiteral("cannot listen on %1: %2").arg(httpPeer(address, port), m_tcpServer.errorString()),
                std::move(metadata));
}

void HttpServer::close()
{
    m_tcpServer.close();
    const auto connections = m_connections;
    for (HttpConnection *connection : connections)
        connection->finish();
}

void HttpServer::acceptPending()
{
    while (QTcpSocket *socket = m_tcpServer.nextPendingConnection()) {
        if (connectionCount() >= m_options.maxConnections) {
            HttpProblem problem;
            problem.status = 503;
            problem.code = "too_many_connections";
            problem.message = QStringLiteral("this host has %1 connections, which is its limit").arg(connectionCount());
            socket->write(m_handler.problemResponse(problem).serialize(false, false));
            connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            socket->disconnectFromHost();
            continue;
        }
        auto *connection =
            new HttpConnection(socket, m_handler, m_environment, m_turn, m_options.bounds, m_options.times);
        m_connections.insert(connection);
        connect(connection, &HttpConnection::upgrade, this, &HttpServer::handOver);
        connect(connection, &HttpConnection::gone, this, [this, connection] {
            m_connections.erase(connection);
            connection->deleteLater();
        });
        connection->start();
    }
}

QWebSocketServer *HttpServer::serverFor(const HttpRequest &request)
{
    for (qsizetype i = 0; i < m_options.subprotocols.size(); ++i) {
        if (request.headerHasToken("sec-websocket-protocol", m_options.subprotocols[i].toLatin1()))
            return m_webSocketServers[size_t(i)].get();
    }
    return m_webSocketServers.back().get();
}

void HttpServer::handOver(QTcpSocket *socket, const HttpRequest &request)
{
    // The handshake swallows whatever has arrived behind the head, so it gets to see the head alone.
    const QByteArray all = socket->readAll();
    const qsizetype headSize = all.indexOf("\r\n\r\n") + 4;
    socket->setReadBufferSize(headSize);
    httpUnread(*socket, QByteArrayView(all).first(headSize));

    // The handshake happens later, and then all that is known of the new web socket is its peer.
    const QString peer = httpPeer(socket->peerAddress(), socket->peerPort());
    m_expected.insert(peer, Expected{socket, request, all.mid(headSize)});
    connect(socket, &QTcpSocket::disconnected, this, [this, peer, socket] {
        const auto it = m_expected.constFind(peer);
        if (it != m_expected.cend() && it->socket == socket) {
            m_expected.erase(it);
            socket->deleteLater();
        }
    });
    serverFor(request)->handleConnection(socket);
}

void HttpServer::webSocketReady(QWebSocketServer *server)
{
    while (QWebSocket *webSocket = server->nextPendingConnection()) {
        const Expected expected = m_expected.take(httpPeer(webSocket->peerAddress(), webSocket->peerPort()));
        if (!expected.socket) {
            webSocket->abort();
            webSocket->deleteLater();
            continue;
        }
        expected.socket->disconnect(this);
        webSocket->setParent(nullptr);
        httpUnread(*expected.socket, expected.early);
        expected.socket->setReadBufferSize(0);
        auto *conn = new Conn(webSocket, expected.socket.data(), m_environment, m_turn, m_options.conn);
        ++m_upgraded;
        connect(conn, &QObject::destroyed, this, [this] { --m_upgraded; });
        Q_EMIT opened(conn, expected.request);
    }
}

} // namespace terrarium
