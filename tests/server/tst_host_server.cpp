#include "server/doors.h"
#include "wire/loopback_transport.h"
#include "wire/codec.h"

#include <QTcpServer>
#include <QTest>

using namespace terrarium;
using namespace terrarium::test;

namespace {

/// "group/code" of what listen() throws, or "".
QString listenFailure(HostCore &host, const ServerOptions &options)
{
    HostServer server(host, options);
    try {
        server.listen();
    } catch (const Error &error) {
        return error.group() + QLatin1Char('/') + error.code();
    }
    return {};
}

} // namespace

class tst_HostServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takenPortIsPassedOver();
    void askedPortThatIsTakenIsAnError();
    void otherAddressesNeedAToken();
    void urlNamesThePort();
    void loopbackInspectorIsLetIn();
    void closeTellsEveryone();
    void oneAddressReachesOneHostOnly();
};

void tst_HostServer::takenPortIsPassedOver()
{
    Doors first;
    ServerOptions options = Doors::anyPort();
    options.port = first.port();
    options.lastPort = quint16(first.port() + 9);

    HostServer second(first.host(), options);
    second.listen();

    QVERIFY(second.port() > first.port());
    QVERIFY(second.port() <= first.port() + 9);
}

void tst_HostServer::askedPortThatIsTakenIsAnError()
{
    Doors doors;
    ServerOptions options = Doors::anyPort();
    options.port = doors.port();
    options.lastPort = doors.port();

    QCOMPARE(listenFailure(doors.host(), options), QStringLiteral("server/port_in_use"));
}

void tst_HostServer::otherAddressesNeedAToken()
{
    Doors doors;
    ServerOptions options = Doors::anyPort();
    for (const QHostAddress &address : {QHostAddress(QHostAddress::Any), QHostAddress(QHostAddress::AnyIPv4),
                                        QHostAddress(QStringLiteral("192.168.77.7"))}) {
        options.address = address;
        QCOMPARE(listenFailure(doors.host(), options), QStringLiteral("server/token_required"));
    }
}

void tst_HostServer::urlNamesThePort()
{
    Doors doors;

    QCOMPARE(doors.server().url(), QUrl(QStringLiteral("http://127.0.0.1:%1").arg(doors.port())));
}

void tst_HostServer::loopbackInspectorIsLetIn()
{
    Doors doors;
    auto [here, there] = LoopbackTransport::pair();
    QList<QByteArray> frames;
    QObject::connect(there.get(), &Transport::received, there.get(),
                     [&frames](const QByteArray &bytes) { frames.append(bytes); });
    doors.server().attachLoopback(std::move(here));
    wire::RequestFrame hello;
    hello.id = 1;
    hello.request = wire::Hello();

    there->send(wire::encode(hello));

    QVERIFY(loopUntil([&] { return !frames.isEmpty(); }));
    const auto frame = wire::decodeHostFrame(frames.first());
    QVERIFY(std::holds_alternative<wire::Welcome>(std::get<wire::ReplyFrame>(*frame).body));
    QCOMPARE(doors.server().inspectorCount(), 1);
}

void tst_HostServer::closeTellsEveryone()
{
    Doors doors;
    SocketClient client(doors.port(), QString::fromLatin1(gateway("/connect", "a")),
                        {QStringLiteral("rivet"), QStringLiteral("rivet_encoding.json")});
    client.receive();
    RawClient idle(doors.port());
    idle.send("GET /health HTTP/1.1\r\n" + doors.hostLine() + "\r\n");
    QCOMPARE(idle.receive().status, 200);
    const quint16 port = doors.port();

    doors.server().close();

    QVERIFY(client.isClosed());
    QCOMPARE(int(client.socket().closeCode()), 1001);
    doors.environment().advance(std::chrono::seconds(3));
    QVERIFY(idle.isClosedByPeer());
    QTcpServer again;
    QVERIFY(
        loopUntil([&] { return again.isListening() || again.listen(QHostAddress(QHostAddress::LocalHost), port); }));
}

void tst_HostServer::oneAddressReachesOneHostOnly()
{
    // A name that points to another port's host is refused there.
    Doors first;
    Doors second;
    RawClient client(first.port());

    client.send("GET /health HTTP/1.1\r\n" + second.hostLine() + "\r\n");

    QCOMPARE(client.receive().status, 403);
}

QTEST_GUILESS_MAIN(tst_HostServer)
#include "tst_host_server.moc"
