#pragma once
// One client's connection to one actor: the `/connect` socket of the npm client's protocol, in JSON.
//
// Init comes first; what the client sent before it is kept and handled after it. Events go out in the order they
// were made, before the answer of the action that made them. A refused client gets an Error frame and a close
// with 1011 and "group.code".

#include "host/host_core.h"
#include "server/gateway_address.h"
#include "server/http_message.h"
#include "wire/client_protocol.h"
#include "wire/conn.h"

#include <memory>

namespace terrarium {

class ActorSocket final : public QObject {
    Q_OBJECT
public:
    /// `request` is the one that asked for the socket.
    ActorSocket(HostCore &host, std::unique_ptr<Conn> conn, const HttpRequest &request, QString rayId);
    ~ActorSocket() override;

    /// Finds the actor and connects. Once.
    void start();
    void close(quint16 code, const QString &reason);

Q_SIGNALS:
    /// The socket is closed: delete this object later.
    void gone();

private:
    struct Sink;
    struct Offer {
        bool isGiven = false; ///< there was a list of subprotocols at all
        QString encoding = QStringLiteral("json");
        QByteArray params; ///< JSON text
    };

    static Offer offerFrom(const HttpRequest &request);
    void connected(std::unique_ptr<HostConnection> connection);
    void refused(const Error &error);
    void received(const QByteArray &bytes);
    void handle(const QByteArray &bytes);
    void act(const wire::ClientAction &action);
    void sendEvent(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &sharedFrame);
    void sendError(const Error &error, const Value &actionId);
    void leave();

    HostCore &m_host;
    std::unique_ptr<Conn> m_conn;
    const HttpRequest m_request;
    const QString m_rayId;
    QString m_actorId;
    std::shared_ptr<Sink> m_sink;
    std::unique_ptr<HostConnection> m_connection;
    bool m_isReady = false;    ///< Init is out
    QList<QByteArray> m_early; ///< from the client, before Init
    qint64 m_earlyBytes = 0;
    QList<QByteArray> m_earlyFrames; ///< events made before Init
};

} // namespace terrarium
