#include "server/actor_socket.h"

#include "server/actor_endpoint.h"
#include "server/actor_target.h"
#include "server/error_response.h"
#include "server/query_string.h"

#include <QPointer>

namespace terrarium {

namespace {

constexpr qint64 maxEarlyBytes = 1024 * 1024;

QString closeText(const Error &error)
{
    return error.group() + QLatin1Char('.') + error.code();
}

} // namespace

/// Outlives the socket while the host still holds a connection that is being made.
struct ActorSocket::Sink final : ConnectionSink {
    explicit Sink(ActorSocket *owner) : owner(owner) {}

    void event(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &sharedFrame) override
    {
        if (owner)
            owner->sendEvent(name, args, sharedFrame);
    }
    void closed(quint16 code, const QString &reason) override
    {
        if (owner)
            owner->m_conn->close(code, reason);
    }

    ActorSocket *owner;
};

ActorSocket::ActorSocket(HostCore &host, std::unique_ptr<Conn> conn, const HttpRequest &request, QString rayId)
    : m_host(host),
      m_conn(std::move(conn)),
      m_request(request),
      m_rayId(std::move(rayId)),
      m_sink(std::make_shared<Sink>(this))
{
    connect(m_conn.get(), &Conn::textReceived, this, [this](const QString &text) { received(text.toUtf8()); });
    connect(m_conn.get(), &Conn::binaryReceived, this, &ActorSocket::received);
    connect(m_conn.get(), &Conn::closed, this, [this] {
        leave();
        Q_EMIT gone();
    });
}

ActorSocket::~ActorSocket()
{
    m_connection.reset();
    m_sink->owner = nullptr;
}

ActorSocket::Offer ActorSocket::offerFrom(const HttpRequest &request)
{
    Offer offer;
    for (const auto &[name, value] : request.headers) {
        if (name.compare("sec-websocket-protocol", Qt::CaseInsensitive) != 0)
            continue;
        offer.isGiven = true;
        const auto protocols = value.split(',');
        for (const QByteArray &one : protocols) {
            const QByteArray protocol = one.trimmed();
            if (protocol.startsWith("rivet_encoding."))
                offer.encoding = QString::fromLatin1(protocol.mid(15));
            else if (protocol.startsWith("rivet_conn_params."))
                offer.params = QByteArray::fromPercentEncoding(protocol.mid(18));
        }
    }
    return offer;
}

void ActorSocket::start()
{
    const auto refuseByGateway = [this](const Error &error) {
        close(1011, closeText(maskedForClients(error)) + QLatin1Char('#') + m_rayId);
    };
    const Offer offer = offerFrom(m_request);
    if (!offer.isGiven)
        return close(1011, QStringLiteral("guard.missing_header#") + m_rayId);
    if (wire::clientEncodingFromName(offer.encoding) != wire::ClientEncoding::Json)
        return close(1003, QStringLiteral("actor.unsupported_websocket_encoding"));

    ActorRef actor;
    try {
        const auto address = GatewayAddress::parse(m_request.path, m_request.query);
        if (!address || address->rest != "/connect")
            throw Error(QStringLiteral("guard"), QStringLiteral("no_route"),
                        QStringLiteral("no socket is served at %1").arg(QString::fromLatin1(m_request.path)));
        actor = resolveTarget(m_host, *address, Cause(QStringLiteral("create"), QStringLiteral("connect"), m_rayId));
    } catch (const Error &error) {
        return refuseByGateway(error);
    }
    m_actorId = actor.id;

    ConnectRequest request;
    try {
        request.params = connectionParams(offer.params);
    } catch (const Error &error) {
        return close(1011, closeText(error));
    }
    request.remoteAddress = m_conn->peer();
    request.sink = m_sink.get();
    m_host.connect(m_actorId, std::move(request), [self = QPointer<ActorSocket>(this), sink = m_sink](auto &&result) {
        // Without `self` the connection made meanwhile is closed by going out of scope.
        if (!self || !self->m_conn->isOpen()) {
            if (auto *made = std::get_if<std::unique_ptr<HostConnection>>(&result))
                (*made)->close();
        } else if (auto *error = std::get_if<Error>(&result)) {
            self->refused(*error);
        } else {
            self->connected(std::move(std::get<std::unique_ptr<HostConnection>>(result)));
        }
    });
}

void ActorSocket::close(quint16 code, const QString &reason)
{
    leave();
    m_conn->close(code, reason);
}

void ActorSocket::leave()
{
    if (!m_connection)
        return;
    // Nothing of what the disconnect hooks say can reach this client any more.
    const std::unique_ptr<HostConnection> connection = std::move(m_connection);
    connection->close();
}

void ActorSocket::refused(const Error &error)
{
    const Error shown = maskedForClients(error);
    // The actor is not named: as far as the client knows it was never connected to one.
    sendError(Error(shown.group(), shown.code(), shown.message(), shown.metadata()), Value());
    close(1011, closeText(shown));
}

void ActorSocket::connected(std::unique_ptr<HostConnection> connection)
{
    m_connection = std::move(connection);
    m_isReady = true;
    m_conn->sendText(wire::encodeInit(m_actorId, m_connection->id()));
    for (const QByteArray &frame : std::exchange(m_earlyFrames, {}))
        m_conn->sendFrame(frame);
    for (const QByteArray &bytes : std::exchange(m_early, {})) {
        if (!m_conn->isOpen())
            break;
        handle(bytes);
    }
}

void ActorSocket::received(const QByteArray &bytes)
{
    if (bytes.size() > ActorEndpoint::maxIncoming)
        return close(1011, QStringLiteral("message.incoming_too_long"));
    if (m_isReady)
        return handle(bytes);
    m_earlyBytes += bytes.size();
    if (m_earlyBytes > maxEarlyBytes)
        return close(1011, QStringLiteral("message.incoming_too_long"));
    m_early.append(bytes);
}

void ActorSocket::handle(const QByteArray &bytes)
{
    if (!m_connection)
        return;
    try {
        const wire::ClientMessage message = wire::decodeClientMessage(bytes);
        if (const auto *action = std::get_if<wire::ClientAction>(&message)) {
            act(*action);
        } else {
            const auto &subscription = std::get<wire::ClientSubscription>(message);
            m_connection->subscribe(subscription.event, subscription.on);
        }
    } catch (const Error &) {
        close(1011, QStringLiteral("actor.invalid_request"));
    }
}

void ActorSocket::act(const wire::ClientAction &action)
{
    m_connection->call(
        action.name, action.args, [self = QPointer<ActorSocket>(this), id = action.id](CallOutcome &&outcome) {
            if (!self || !self->m_conn->isOpen())
                return;
            if (const auto *error = std::get_if<Error>(&outcome.result)) {
                const auto actor = self->m_host.findById(self->m_actorId);
                const Error shown = maskedForClients(*error);
                self->sendError(actor ? shown.withActor(identityOf(*actor)) : shown, id);
                return;
            }
            QByteArray text;
            try {
                text = wire::encodeActionResponse(id, std::get<Value>(outcome.result));
            } catch (const Error &error) {
                self->sendError(error, id);
                return;
            }
            if (text.size() > ActorEndpoint::maxOutgoing) {
                self->sendError(
                    Error(QStringLiteral("message"), QStringLiteral("outgoing_too_long"),
                          QStringLiteral("the result is longer than %1 bytes").arg(ActorEndpoint::maxOutgoing)),
                    id);
                return;
            }
            self->m_conn->sendText(text);
        });
}

void ActorSocket::sendEvent(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &sharedFrame)
{
    if (!m_conn->isOpen())
        return;
    QByteArray frame = sharedFrame ? *sharedFrame : QByteArray();
    if (frame.isEmpty()) {
        try {
            const QByteArray text = wire::encodeEvent(name, args);
            if (text.size() > ActorEndpoint::maxOutgoing)
                return close(1011, QStringLiteral("message.outgoing_too_long"));
            frame = websocketFrame(FrameKind::Text, text);
        } catch (const Error &error) {
            return close(1011, closeText(error));
        }
        if (sharedFrame)
            *sharedFrame = frame;
    }
    if (m_isReady)
        m_conn->sendFrame(frame);
    else
        m_earlyFrames.append(frame);
}

void ActorSocket::sendError(const Error &error, const Value &actionId)
{
    m_conn->sendText(wire::encodeClientError(error, actionId));
}

} // namespace terrarium
