#include "server/host_server.h"

#include "server/actor_socket.h"
#include "server/inspector_socket.h"
#include "server/ray_id.h"
#include "server/router.h"
#include "wire/conn_transport.h"

namespace terrarium {

namespace {

/// A snapshot may be large, and the socket's own bound on records keeps the rest small.
constexpr qint64 inspectorPendingBytes = 512LL * 1024 * 1024;

Value serverMetadata(const QHostAddress &address)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("address"), address.toString());
    return metadata;
}

} // namespace

HostServer::HostServer(HostCore &host, ServerOptions options)
    : m_host(host),
      m_options(std::move(options)),
      m_router(std::make_unique<Router>(host, host.environment()))
{
    connect(&host, &HostCore::turnEnded, this, [this] { m_turn.flush(); });
    connect(&host, &HostCore::stopping, this, &HostServer::sayGoodbye);
}

HostServer::~HostServer()
{
    for (ActorSocket *client : std::exchange(m_clients, {})) {
        client->disconnect(this);
        delete client;
    }
    for (InspectorSocket *inspector : std::exchange(m_inspectors, {})) {
        inspector->disconnect(this);
        delete inspector;
    }
}

void HostServer::listen()
{
    if (isListening())
        return;
    if (!isLoopback(m_options.address) && m_options.token.isEmpty()) {
        throw Error(QStringLiteral("server"), QStringLiteral("token_required"),
                    QStringLiteral("listening on %1, which other machines can reach, needs a token")
                        .arg(m_options.address.toString()),
                    serverMetadata(m_options.address));
    }
    // Replies that need no commit leave at the end of their turn too, whether or not the host had anything to do.
    m_hook = m_host.environment().executor.onTurnEnd([this] { m_turn.flush(); });
    const quint16 last = std::max(m_options.port, m_options.port == 0 ? quint16(0) : m_options.lastPort);
    for (int port = m_options.port; port <= last; ++port) {
        if (listenAt(quint16(port)))
            return;
    }
    Value metadata = serverMetadata(m_options.address);
    metadata.set(QStringLiteral("port"), m_options.port);
    metadata.set(QStringLiteral("lastPort"), last);
    const QString where =
        m_options.port == last
            ? QStringLiteral("port %1 of %2 is in use").arg(QString::number(last), m_options.address.toString())
            : QStringLiteral("ports %1 to %2 of %3 are in use")
                  .arg(QString::number(m_options.port), QString::number(last), m_options.address.toString());
    throw Error(QStringLiteral("server"), QStringLiteral("port_in_use"), where, std::move(metadata));
}

bool HostServer::listenAt(quint16 port)
{
    HttpServerOptions http = m_options.http;
    http.subprotocols = QStringList{QStringLiteral("rivet"), QStringLiteral("terrarium-inspector")};
    const auto make = [&] {
        auto server = std::make_unique<HttpServer>(m_host.environment(), *m_router, m_turn, http);
        connect(server.get(), &HttpServer::opened, this, &HostServer::opened);
        return server;
    };
    auto server = make();
    if (!server->listen(m_options.address, port))
        return false;
    const quint16 actual = server->port();
    m_servers.push_back(std::move(server));

    // "localhost" means either of the two loopback addresses; the second one is a convenience.
    if (m_options.address == QHostAddress::LocalHost) {
        auto second = make();
        try {
            if (second->listen(QHostAddress(QHostAddress::LocalHostIPv6), actual))
                m_servers.push_back(std::move(second));
        } catch (const Error &) {
            // This machine has no IPv6.
        }
    }
    Access::Rules rules;
    rules.address = m_options.address;
    rules.port = actual;
    rules.allowedOrigins = m_options.allowedOrigins;
    rules.allowedHosts = m_options.allowedHosts;
    rules.token = m_options.token;
    m_router->setAccess(Access(std::move(rules)));
    return true;
}

quint16 HostServer::port() const
{
    return m_servers.empty() ? quint16(0) : m_servers.front()->port();
}

QUrl HostServer::url() const
{
    if (m_servers.empty())
        return {};
    QUrl url;
    url.setScheme(QStringLiteral("http"));
    const bool isAny = m_options.address == QHostAddress::Any || m_options.address == QHostAddress::AnyIPv4
                       || m_options.address == QHostAddress::AnyIPv6;
    url.setHost(isAny ? QStringLiteral("127.0.0.1") : m_options.address.toString());
    url.setPort(port());
    return url;
}

void HostServer::opened(Conn *raw, const HttpRequest &request)
{
    std::unique_ptr<Conn> conn(raw);
    if (request.path == Router::inspectorPath) {
        ConnLimits limits = m_options.http.conn;
        limits.pendingBytes = inspectorPendingBytes;
        conn->setLimits(limits);
        addInspector(std::make_unique<ConnTransport>(std::move(conn)), false);
        return;
    }
    auto *client = new ActorSocket(m_host, std::move(conn), request, newRayId(m_host.environment().random));
    m_clients.insert(client);
    connect(client, &ActorSocket::gone, this, [this, client] {
        m_clients.erase(client);
        client->deleteLater();
    });
    client->start();
}

void HostServer::attachLoopback(std::unique_ptr<Transport> transport)
{
    addInspector(std::move(transport), true);
}

void HostServer::addInspector(std::unique_ptr<Transport> transport, bool isTrusted)
{
    InspectorOptions options;
    options.token = m_options.inspectorToken;
    options.isTrusted = isTrusted;
    options.readOnly = m_options.readOnlyInspectors;
    auto *inspector = new InspectorSocket(m_host, std::move(transport), std::move(options));
    m_inspectors.insert(inspector);
    connect(inspector, &InspectorSocket::gone, this, [this, inspector] {
        m_inspectors.erase(inspector);
        inspector->deleteLater();
    });
}

void HostServer::sayGoodbye()
{
    for (InspectorSocket *inspector : m_inspectors)
        inspector->sayGoodbye(QStringLiteral("stopping"));
    for (const auto &server : m_servers)
        server->close();
}

void HostServer::close()
{
    sayGoodbye();
    m_turn.flush();
    const auto clients = m_clients;
    for (ActorSocket *client : clients)
        client->close(1001, QStringLiteral("host.stopping"));
    const auto inspectors = m_inspectors;
    for (InspectorSocket *inspector : inspectors)
        inspector->close(1001, QStringLiteral("host.stopping"));
}

} // namespace terrarium
