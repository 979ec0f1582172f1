#pragma once
// All doors of one host: HTTP, client sockets and inspectors on one port, and inspectors in the same process.

#include "host/host_core.h"
#include "server/http_server.h"
#include "wire/transport.h"

#include <QHostAddress>
#include <QUrl>

#include <memory>
#include <unordered_set>
#include <vector>

namespace terrarium {

class ActorSocket;
class InspectorSocket;
class Router;

struct ServerOptions {
    QHostAddress address = QHostAddress::LocalHost;
    quint16 port = 6420;        ///< 0: any free one
    quint16 lastPort = 6429;    ///< ports up to this one are tried; equal to `port` when it was asked for
    QStringList allowedOrigins; ///< besides loopback ones
    QStringList allowedHosts;   ///< further names for the Host header
    QString token;              ///< of clients; needed for addresses that others can reach
    QString inspectorToken;     ///< needed for inspectors over the network
    bool readOnlyInspectors = false;
    HttpServerOptions http;
};

/// Lives in the host thread. `host` outlives it.
class HostServer final : public QObject {
    Q_OBJECT
public:
    HostServer(HostCore &host, ServerOptions options);
    ~HostServer() override;

    /// Throws `server/port_in_use` {address, port, lastPort}, `server/token_required` {address} for an address that
    /// others can reach and no token, `server/listen_failed`.
    void listen();
    bool isListening() const { return !m_servers.empty(); }
    quint16 port() const;
    /// "http://127.0.0.1:6420"; empty before listen().
    QUrl url() const;

    /// An inspector in this process; needs no token. The other end belongs to the caller.
    void attachLoopback(std::unique_ptr<Transport> transport);

    /// Stops listening and closes every connection; what they are owed is written first.
    void close();

    int clientCount() const { return int(m_clients.size()); }
    int inspectorCount() const { return int(m_inspectors.size()); }

private:
    bool listenAt(quint16 port);
    void opened(Conn *conn, const HttpRequest &request);
    void addInspector(std::unique_ptr<Transport> transport, bool isTrusted);
    void sayGoodbye();

    HostCore &m_host;
    const ServerOptions m_options;
    TurnFlush m_turn;
    Executor::TurnHook m_hook;
    std::unique_ptr<Router> m_router;
    std::vector<std::unique_ptr<HttpServer>> m_servers; ///< 127.0.0.1 and, where possible, ::1
    std::unordered_set<ActorSocket *> m_clients;
    std::unordered_set<InspectorSocket *> m_inspectors;
};

} // namespace terrarium
