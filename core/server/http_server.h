#pragma once
// Listens on one address, speaks HTTP/1.1 and turns requests for a WebSocket into connections.

#include "server/http_connection.h"
#include "wire/conn.h"

#include <QHash>
#include <QTcpServer>
#include <QWebSocketServer>

#include <memory>
#include <unordered_set>

namespace terrarium {

struct HttpServerOptions {
    HttpBounds bounds;
    HttpTimes times;
    ConnLimits conn;
    int maxConnections = 16384; ///< HTTP connections and WebSockets together
    QStringList subprotocols;   ///< those that may be agreed on, each alone
};

/// Lives in the host thread. `handler` and `turn` outlive it.
class HttpServer final : public QObject {
    Q_OBJECT
public:
    HttpServer(Environment &environment, HttpHandler &handler, TurnFlush &turn, HttpServerOptions options);
    ~HttpServer() override;

    /// False when the port is taken; throws `server/listen_failed` {address, port} for any other trouble.
    bool listen(const QHostAddress &address, quint16 port);
    quint16 port() const { return m_tcpServer.serverPort(); }
    QHostAddress address() const { return m_tcpServer.serverAddress(); }
    /// Stops listening; connections answer what they owe and end.
    void close();
    int connectionCount() const { return int(m_connections.size()) + m_upgraded; }

Q_SIGNALS:
    /// A WebSocket is open. The receiver owns `conn`; `request` is the one that asked for it.
    void opened(terrarium::Conn *conn, const terrarium::HttpRequest &request);

private:
    void acceptPending();
    void handOver(QTcpSocket *socket, const HttpRequest &request);
    void webSocketReady(QWebSocketServer *server);
    QWebSocketServer *serverFor(const HttpRequest &request);

    struct Expected {
        QPointer<QTcpSocket> socket;
        HttpRequest request;
        QByteArray early; ///< frames that came together with the handshake
    };

    Environment &m_environment;
    HttpHandler &m_handler;
    TurnFlush &m_turn;
    const HttpServerOptions m_options;
    QTcpServer m_tcpServer;
    std::vector<std::unique_ptr<QWebSocketServer>> m_webSocketServers; ///< one per subprotocol, one without
    std::unordered_set<HttpConnection *> m_connections;
    QHash<QString, Expected> m_expected; ///< by the peer's address and port
    int m_upgraded = 0;
    Timer m_resume;
};

} // namespace terrarium
