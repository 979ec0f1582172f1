// The connection socket beyond what the captures show.

#include "server/doors.h"

#include <QTest>

using namespace terrarium;
using namespace terrarium::test;

namespace {

const QStringList rivetJson{QStringLiteral("rivet"), QStringLiteral("rivet_encoding.json")};

QString connectPath(const QByteArray &key)
{
    return QString::fromLatin1(gateway("/connect", key));
}

QByteArray actionFrame(int id, const QByteArray &name, const QByteArray &args)
{
    return R"({"body":{"tag":"ActionRequest","val":{"id":["$BigInt",")" + QByteArray::number(id) + R"("],"name":")"
           + name + R"(","args":)" + args + "}}}";
}

QByteArray subscribeFrame(const QByteArray &event, bool on = true)
{
    return R"({"body":{"tag":"SubscriptionRequest","val":{"eventName":")" + event + R"(","subscribe":)"
           + (on ? "true" : "false") + "}}}";
}

QString tagOf(const Value &frame)
{
    return frame["body"]["tag"].toText();
}

} // namespace

class tst_ActorSocket : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messagesBeforeInitAreKept();
    void broadcastReachesEverySubscriberOnce();
    void unsubscribedClientGetsNothing();
    void plainNumbersAreTakenAsIds();
    void binaryFramesAreTaken();
    void longFrameEndsTheConnection();
    void longEventEndsTheConnection();
    void longResultIsAnErrorFrame();
    void malformedFrames_data();
    void malformedFrames();
    void refusals_data();
    void refusals();
    void strangeOriginIsRefused();
    void wrongTokenIsRefused();
    void concurrentActionsMayOvertake();
    void closedClientDisconnects();
    void destroyedActorClosesItsClients();
    void slowReaderIsCutAndOthersGetEverything();
    void actionsAfterSleepWakeTheActor();
};

void tst_ActorSocket::messagesBeforeInitAreKept()
{
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.send(subscribeFrame("changed"));
    client.send(actionFrame(0, "increment", "[1]"));

    QCOMPARE(tagOf(client.receiveJson()), QStringLiteral("Init"));
    QCOMPARE(tagOf(client.receiveJson()), QStringLiteral("Event"));
    QCOMPARE(tagOf(client.receiveJson()), QStringLiteral("ActionResponse"));
    QCOMPARE(client.socket().subprotocol(), QStringLiteral("rivet"));
}

void tst_ActorSocket::broadcastReachesEverySubscriberOnce()
{
    Doors doors;
    std::vector<std::unique_ptr<SocketClient>> clients;
    for (int i = 0; i < 5; ++i) {
        clients.push_back(std::make_unique<SocketClient>(doors.port(), connectPath("a"), rivetJson));
        QCOMPARE(tagOf(clients.back()->receiveJson()), QStringLiteral("Init"));
        clients.back()->send(subscribeFrame("changed"));
        clients.back()->send(actionFrame(0, "get", "[]"));
        QCOMPARE(tagOf(clients.back()->receiveJson()), QStringLiteral("ActionResponse"));
    }

    QCOMPARE(doors.post(gateway("/action/increment", "a"), R"({"args":[7]})").status, 200);

    for (const auto &client : clients) {
        QCOMPARE(client->receive(),
                 QByteArray(R"({"body":{"tag":"Event","val":{"args":[7,{"by":7}],"name":"changed"}}})"));
    }
    settle();
    for (const auto &client : clients)
        QCOMPARE(client->waiting(), 0);
}

void tst_ActorSocket::unsubscribedClientGetsNothing()
{
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();
    client.send(subscribeFrame("changed"));
    client.send(subscribeFrame("changed", false));

    client.send(actionFrame(1, "increment", "[1]"));

    QCOMPARE(tagOf(client.receiveJson()), QStringLiteral("ActionResponse"));
}

void tst_ActorSocket::plainNumbersAreTakenAsIds()
{
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();

    client.send(R"({"body":{"tag":"ActionRequest","val":{"id":12,"name":"increment","args":[1]}}})");

    QCOMPARE(client.receive(),
             QByteArray(R"({"body":{"tag":"ActionResponse","val":{"id":["$BigInt","12"],"output":1}}})"));
}

void tst_ActorSocket::binaryFramesAreTaken()
{
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();

    client.socket().sendBinaryMessage(actionFrame(1, "increment", "[1]"));

    QCOMPARE(tagOf(client.receiveJson()), QStringLiteral("ActionResponse"));
}

void tst_ActorSocket::longFrameEndsTheConnection()
{
    Doors doors;
    SocketClient other(doors.port(), connectPath("a"), rivetJson);
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();
    other.receive();

    client.send(actionFrame(1, "echo", "[\"" + QByteArray(65536, 'x') + "\"]"));

    QVERIFY(client.isClosed());
    QCOMPARE(int(client.socket().closeCode()), 1011);
    QCOMPARE(client.socket().closeReason(), QStringLiteral("message.incoming_too_long"));
    other.send(actionFrame(1, "get", "[]"));
    QCOMPARE(tagOf(other.receiveJson()), QStringLiteral("ActionResponse"));
}

void tst_ActorSocket::longEventEndsTheConnection()
{
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();
    client.send(subscribeFrame("tick"));

    client.send(actionFrame(1, "bigEvent", "[1100000]"));

    QVERIFY(client.isClosed());
    QCOMPARE(int(client.socket().closeCode()), 1011);
    QCOMPARE(client.socket().closeReason(), QStringLiteral("message.outgoing_too_long"));
}

void tst_ActorSocket::longResultIsAnErrorFrame()
{
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();

    client.send(actionFrame(1, "big", "[1100000]"));
    const Value error = client.receiveJson();
    client.send(actionFrame(2, "big", "[1000000]"));

    QCOMPARE(tagOf(error), QStringLiteral("Error"));
    QCOMPARE(error["body"]["val"]["code"], Value("outgoing_too_long"));
    QCOMPARE(tagOf(client.receiveJson()), QStringLiteral("ActionResponse"));
}

void tst_ActorSocket::malformedFrames_data()
{
    QTest::addColumn<QByteArray>("frame");
    const auto row = [](const char *name, const QByteArray &frame) { QTest::newRow(name) << frame; };
    row("no JSON", "{bad");
    row("empty", "");
    row("list", "[]");
    row("no body", "{}");
    row("unknown tag", R"({"body":{"tag":"Zap","val":{}}})");
    row("no val", R"({"body":{"tag":"ActionRequest"}})");
    row("no id", R"({"body":{"tag":"ActionRequest","val":{"name":"get","args":[]}}})");
    row("text id", R"({"body":{"tag":"ActionRequest","val":{"id":"0","name":"get","args":[]}}})");
    row("negative id", R"({"body":{"tag":"ActionRequest","val":{"id":-1,"name":"get","args":[]}}})");
    row("fractional id", R"({"body":{"tag":"ActionRequest","val":{"id":1.5,"name":"get","args":[]}}})");
    row("no name", R"({"body":{"tag":"ActionRequest","val":{"id":1,"args":[]}}})");
    row("no event", R"({"body":{"tag":"SubscriptionRequest","val":{"subscribe":true}}})");
    row("unknown form", R"({"body":{"tag":"ActionRequest","val":{"id":1,"name":"get","args":[["$Zap",1]]}}})");
    row("deep", QByteArray(20000, '['));
}

void tst_ActorSocket::malformedFrames()
{
    QFETCH(QByteArray, frame);
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();

    client.send(frame);

    QVERIFY(client.isClosed());
    QCOMPARE(int(client.socket().closeCode()), 1011);
    QCOMPARE(client.socket().closeReason(), QStringLiteral("actor.invalid_request"));
}

void tst_ActorSocket::refusals_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QStringList>("protocols");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char *name, const QString &path, const QStringList &protocols, int code,
                        const char *reason) {
        QTest::newRow(name) << path << protocols << code << QString::fromLatin1(reason);
    };
    const QString good = connectPath("a");
    row("no subprotocol", good, {}, 1011, "guard.missing_header#");
    row("unknown encoding", good, {QStringLiteral("rivet"), QStringLiteral("rivet_encoding.xml")}, 1003,
        "actor.unsupported_websocket_encoding");
    row("encoding of later", good, {QStringLiteral("rivet"), QStringLiteral("rivet_encoding.bare")}, 1003,
        "actor.unsupported_websocket_encoding");
    row("unreadable parameters", good, rivetJson + QStringList{QStringLiteral("rivet_conn_params.%7Boops")}, 1011,
        "actor.invalid_request");
    row("unknown id", QStringLiteral("/gateway/9q5ta9sujsiehxlhyrini6qk9ecl00/connect"), rivetJson, 1011,
        "actor.not_found#");
    row("unknown type",
        QString::fromLatin1(gateway("/connect", "a")).replace(QLatin1String("counter"), QLatin1String("ghost")),
        rivetJson, 1011, "actor.not_registered#");
    row("missing namespace", QStringLiteral("/gateway/counter/connect?rvt-method=get"), rivetJson, 1011,
        "guard.query_invalid_params#");
    row("another path", QString::fromLatin1(gateway("/websocket/x", "a")), rivetJson, 1011, "guard.no_route#");
}

void tst_ActorSocket::refusals()
{
    QFETCH(QString, path);
    QFETCH(QStringList, protocols);
    QFETCH(int, code);
    QFETCH(QString, reason);
    Doors doors;

    SocketClient client(doors.port(), path, protocols);

    QVERIFY(client.isClosed());
    QCOMPARE(int(client.socket().closeCode()), code);
    QVERIFY2(client.socket().closeReason().startsWith(reason), client.socket().closeReason().toUtf8().constData());
    QCOMPARE(client.socket().closeReason().size(), reason.size() + (reason.endsWith(u'#') ? 30 : 0));
}

void tst_ActorSocket::strangeOriginIsRefused()
{
    Doors doors;

    const RawResponse response = doors.request(
        "GET", gateway("/connect", "a"), {},
        "Origin: https://evil.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: rivet\r\n");

    QCOMPARE(response.status, 403);
    QCOMPARE(doors.host().actorCount(), 0);
}

void tst_ActorSocket::wrongTokenIsRefused()
{
    ServerOptions options = Doors::anyPort();
    options.token = QStringLiteral("s3cret");
    Doors doors(options);

    SocketClient wrong(doors.port(), connectPath("a") + QStringLiteral("&rvt-token=wrong"), rivetJson);
    SocketClient right(doors.port(), connectPath("a") + QStringLiteral("&rvt-token=s3cret"), rivetJson);

    QVERIFY(wrong.isClosed());
    QCOMPARE(wrong.receive(), QByteArray());
    QCOMPARE(tagOf(right.receiveJson()), QStringLiteral("Init"));
}

void tst_ActorSocket::concurrentActionsMayOvertake()
{
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();

    client.send(actionFrame(0, "slow", "[5]"));
    client.send(actionFrame(1, "get", "[]"));
    const Value first = client.receiveJson();
    doors.environment().advance(std::chrono::seconds(2));
    const Value second = client.receiveJson();

    QCOMPARE(first["body"]["val"]["id"].at(1), Value("1"));
    QCOMPARE(second["body"]["val"]["id"].at(1), Value("0"));
    QCOMPARE(second["body"]["val"]["output"], Value(5));
}

void tst_ActorSocket::closedClientDisconnects()
{
    Doors doors;
    {
        SocketClient client(doors.port(), connectPath("a"), rivetJson);
        client.receive();
        QCOMPARE(doors.server().clientCount(), 1);
        QCOMPARE(doors.host().snapshot(doors.actorId(QStringLiteral("a"))).summary.connections, 1);
    }

    QVERIFY(loopUntil([&] { return doors.server().clientCount() == 0; }));
    settle();
    QCOMPARE(doors.host().snapshot(doors.actorId(QStringLiteral("a"))).summary.connections, 0);
}

void tst_ActorSocket::destroyedActorClosesItsClients()
{
    Doors doors;
    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    client.receive();

    doors.host().destroy(doors.actorId(QStringLiteral("a")), Cause(QStringLiteral("host")),
                         [](const std::optional<Error> &) {});

    QVERIFY(client.isClosed());
    QCOMPARE(int(client.socket().closeCode()), 1000);
}

void tst_ActorSocket::slowReaderIsCutAndOthersGetEverything()
{
    ServerOptions options = Doors::anyPort();
    options.http.conn.pendingBytes = 4 * 1024 * 1024;
    Doors doors(options);
    SocketClient good(doors.port(), connectPath("a"), rivetJson);
    good.receive();
    good.send(subscribeFrame("tick"));
    good.send(actionFrame(0, "get", "[]"));
    good.receive();
    RawClient slow(doors.port());
    slow.send("GET " + gateway("/connect", "a") + " HTTP/1.1\r\n" + doors.hostLine()
              + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: rivet\r\n\r\n");
    QCOMPARE(slow.receive().status, 101);
    const QByteArray subscribe = subscribeFrame("tick");
    slow.send(QByteArray("\x81") + char(0x80 | subscribe.size()) + QByteArray(4, '\0') + subscribe);
    QVERIFY(loopUntil([&] { return doors.server().clientCount() == 2; }));
    settle();
    slow.socket().setReadBufferSize(1);

    for (int i = 1; i <= 60; ++i) {
        good.send(actionFrame(i, "bigEvent", "[500000]"));
        QCOMPARE(tagOf(good.receiveJson()), QStringLiteral("Event"));
        QCOMPARE(tagOf(good.receiveJson()), QStringLiteral("ActionResponse"));
    }
    doors.environment().advance(std::chrono::milliseconds(1));

    QVERIFY(loopUntil([&] { return doors.server().clientCount() == 1; }));
}

void tst_ActorSocket::actionsAfterSleepWakeTheActor()
{
    Doors doors;
    QCOMPARE(doors.post(gateway("/action/increment", "a"), R"({"args":[4]})").status, 200);
    doors.host().sleep(doors.actorId(QStringLiteral("a")), Cause(QStringLiteral("host")),
                       [](const std::optional<Error> &) {});
    settle();

    SocketClient client(doors.port(), connectPath("a"), rivetJson);
    QCOMPARE(tagOf(client.receiveJson()), QStringLiteral("Init"));
    client.send(actionFrame(0, "increment", "[1]"));

    QCOMPARE(client.receiveJson()["body"]["val"]["output"], Value(5));
    QCOMPARE(doors.host().findById(doors.actorId(QStringLiteral("a")))->generation, 2u);
}

QTEST_GUILESS_MAIN(tst_ActorSocket)
#include "tst_actor_socket.moc"
