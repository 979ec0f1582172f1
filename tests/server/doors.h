#pragma once
// A host with small actors behind real doors, for the tests of the doors.

#include "host/host_core.h"
#include "server/host_server.h"
#include "server/loopback.h"

#include <terrarium/terrarium.h>

#include <QWebSocket>

#include <memory>

namespace terrarium::test {

/// Actions: increment(by), get(), echo(value), echoMany(...), boom(), crash(), big(bytes), voidAction(), ns.deep(),
/// sendMe(value), kick(), params(), slow(). Refuses clients whose parameters say {"token": "bad"}.
TypeDefinition counterType();
/// The same actor under another name.
TypeDefinition namedType(const QString &name);

class Doors final {
public:
    explicit Doors(ServerOptions options = anyPort());
    ~Doors();

    static ServerOptions anyPort();

    HostCore &host() { return *m_host; }
    HostServer &server() { return *m_server; }
    StillEnvironment &environment() { return m_environment; }
    quint16 port() const { return m_server->port(); }
    /// "Host: 127.0.0.1:PORT\r\n"
    QByteArray hostLine() const;

    /// One request on a connection of its own. `headers`: whole lines with their ends.
    RawResponse request(const QByteArray &method, const QByteArray &target, const QByteArray &body = {},
                        const QByteArray &headers = {});
    RawResponse get(const QByteArray &target) { return request("GET", target); }
    RawResponse post(const QByteArray &target, const QByteArray &body) { return request("POST", target, body); }
    /// The id of counter/`key`, made when absent.
    QString actorId(const QString &key);

private:
    StillEnvironment m_environment;
    std::unique_ptr<HostCore> m_host;
    std::unique_ptr<HostServer> m_server;
};

/// A WebSocket client that remembers what it got.
class SocketClient final : public QObject {
    Q_OBJECT
public:
    /// `path` with query; `protocols`: subprotocols offered, in order.
    SocketClient(quint16 port, const QString &path, const QStringList &protocols);
    ~SocketClient() override;

    void send(const QByteArray &text) { m_socket.sendTextMessage(QString::fromUtf8(text)); }
    /// The next text frame, or nothing when the socket closed first.
    QByteArray receive();
    Value receiveJson();
    bool isClosed();
    QWebSocket &socket() { return m_socket; }
    qsizetype waiting() const { return m_texts.size(); }

private:
    QWebSocket m_socket;
    QList<QByteArray> m_texts;
    bool m_wasClosed = false;
};

Value parseJson(const QByteArray &text);
/// "/gateway/counter{rest}?rvt-...&rvt-key={key}", form 2 with getOrCreate.
QByteArray gateway(const QByteArray &rest, const QByteArray &key);

} // namespace terrarium::test
