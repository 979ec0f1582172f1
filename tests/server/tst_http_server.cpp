#include "server/http_server.h"
#include "server/loopback.h"

#include <QHostAddress>
#include <QSignalSpy>
#include <QTest>
#include <QWebSocket>
#include <QWebSocketHandshakeOptions>

using namespace terrarium;
using namespace terrarium::test;

namespace {

/// Answers "METHOD path body"; keeps the responders of /slow for later; refuses /no.
class EchoHandler final : public HttpHandler {
public:
    std::optional<HttpResponse> admit(const HttpRequest &head, qint64 &maxBody) override
    {
        maxBody = 1000;
        if (head.path == "/no")
            return HttpResponse(403, "refused");
        return std::nullopt;
    }
    void handle(HttpRequest &&request, HttpResponder responder) override
    {
        ++handled;
        if (request.path == "/slow") {
            waiting.push_back(std::move(responder));
            return;
        }
        if (request.path == "/forgotten")
            return;
        if (request.bodyCut)
            return responder.respond(HttpResponse(400, "too long"));
        if (request.path == "/big")
            return responder.respond(HttpResponse(200, QByteArray(1024 * 1024, 'x')));
        responder.respond(HttpResponse(200, request.method + ' ' + request.path + ' ' + request.body, "text/plain"));
    }
    std::optional<HttpResponse> refuseUpgrade(const HttpRequest &request) override
    {
        if (request.path == "/no")
            return HttpResponse(403, "refused");
        return std::nullopt;
    }
    HttpResponse problemResponse(const HttpProblem &problem) override
    {
        HttpResponse response(problem.status, problem.message.toUtf8(), "text/plain");
        response.close = true;
        return response;
    }

    int handled = 0;
    std::vector<HttpResponder> waiting;
};

struct Fixture {
    explicit Fixture(HttpServerOptions options = {}) : turn([this] { environment.environment().executor.post([] {}); })
    {
        environment.qt().onTurnEnd([this] { turn.flush(); });
        options.subprotocols = QStringList{QStringLiteral("rivet"), QStringLiteral("other")};
        server = std::make_unique<HttpServer>(environment.environment(), handler, turn, options);
        QObject::connect(server.get(), &HttpServer::opened, server.get(),
                         [this](Conn *conn, const HttpRequest &request) {
                             conns.emplace_back(conn);
                             requests.append(request);
                         });
        server->listen(QHostAddress(QHostAddress::LocalHost), 0);
    }

    StillEnvironment environment;
    EchoHandler handler;
    TurnFlush turn;
    std::unique_ptr<HttpServer> server;
    std::vector<std::unique_ptr<Conn>> conns;
    QList<HttpRequest> requests;
};

QByteArray handshake(const QByteArray &path, const QByteArray &more = {})
{
    return "GET " + path
           + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
           + more + "\r\n";
}

/// A text frame of a client, with a mask of zeros.
QByteArray clientText(const QByteArray &text)
{
    return QByteArray("\x81") + char(0x80 | text.size()) + QByteArray(4, '\0') + text;
}

} // namespace

class tst_HttpServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void answersAndKeepsTheConnection();
    void answersPipelinedRequestsInOrder();
    void headHasLengthButNoBody();
    void connectionCloseIsHonoured();
    void oldClientsAreClosedAfterTheAnswer();
    void continueIsSentBeforeTheBody();
    void refusedExpectationIsAnsweredWithoutABody();
    void refusalKeepsTheStreamInStep();
    void longBodyIsReadAndDropped();
    void malformedRequestIsAnsweredAndClosed();
    void forgottenRequestIsAnswered();
    void answerAfterTheClientLeftIsDropped();
    void manyOwedAnswersStopReading();
    void clientThatTakesNothingStopsReading();
    void largeAnswersThatAreTakenAtOnceDoNotStopReading();
    void slowHeadTimesOut();
    void slowBodyTimesOut();
    void idleConnectionIsClosed();
    void stalledClientIsCut();
    void connectionsAreLimited();
    void webSocketOpensWithItsSubprotocol_data();
    void webSocketOpensWithItsSubprotocol();
    void webSocketAfterAnOrdinaryRequest();
    void handshakeInTwoPieces();
    void frameSentWithTheHandshakeArrives();
    void refusedUpgradeIsAnOrdinaryAnswer();
    void framesOfOneTurnArriveInOrder();
    void largeFramesArriveWhole();
    void closeCodeAndReasonArrive();
    void closeOfThePeerIsReported();
    void vanishedPeerIsReported();
    void silentPeerIsCut();
    void peerThatTakesNothingIsCut();
    void manyWebSocketsKeepTheirRequests();
};

void tst_HttpServer::answersAndKeepsTheConnection()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    for (int i = 0; i < 3; ++i) {
        client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi");
        const RawResponse response = client.receive();
        QCOMPARE(response.status, 200);
        QCOMPARE(response.body, QByteArray("POST /a hi"));
        QCOMPARE(response.header("connection"), QByteArray("keep-alive"));
    }

    QCOMPARE(fixture.server->connectionCount(), 1);
}

void tst_HttpServer::answersPipelinedRequestsInOrder()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /fast HTTP/1.1\r\nHost: x\r\n\r\n");
    QVERIFY(loopUntil([&] { return fixture.handler.handled == 2; }));
    settle();
    QVERIFY(client.socket().bytesAvailable() == 0);
    fixture.handler.waiting.front().respond(HttpResponse(200, "slow"));

    QCOMPARE(client.receive().body, QByteArray("slow"));
    QCOMPARE(client.receive().body, QByteArray("GET /fast "));
}

void tst_HttpServer::headHasLengthButNoBody()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");

    const RawResponse head = client.receive(true);
    QCOMPARE(head.header("content-length"), QByteArray("8"));
    QCOMPARE(client.receive().body, QByteArray("GET /b "));
}

void tst_HttpServer::connectionCloseIsHonoured()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");

    QCOMPARE(client.receive().header("connection"), QByteArray("close"));
    QVERIFY(client.isClosedByPeer());
    QVERIFY(client.rest().isEmpty());
    QCOMPARE(fixture.handler.handled, 1);
}

void tst_HttpServer::oldClientsAreClosedAfterTheAnswer()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("GET /a HTTP/1.0\r\n\r\n");

    QCOMPARE(client.receive().body, QByteArray("GET /a "));
    QVERIFY(client.isClosedByPeer());
}

void tst_HttpServer::continueIsSentBeforeTheBody()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    QCOMPARE(client.receive().status, 100);
    client.send("hi");

    QCOMPARE(client.receive().body, QByteArray("POST /a hi"));
}

void tst_HttpServer::refusedExpectationIsAnsweredWithoutABody()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("POST /no HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");

    QCOMPARE(client.receive().status, 403);
    QVERIFY(client.isClosedByPeer());
}

void tst_HttpServer::refusalKeepsTheStreamInStep()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("POST /no HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nGET GET /b HTTP/1.1\r\nHost: x\r\n\r\n");

    QCOMPARE(client.receive().status, 403);
    QCOMPARE(client.receive().body, QByteArray("GET /b "));
    QCOMPARE(fixture.handler.handled, 1);
}

void tst_HttpServer::longBodyIsReadAndDropped()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    const QByteArray body(300000, 'x');

    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n" + body);

    QCOMPARE(client.receive().body, QByteArray("too long"));
    client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
    QCOMPARE(client.receive().status, 200);
}

void tst_HttpServer::malformedRequestIsAnsweredAndClosed()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
                "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                "GET /c HTTP/1.1\r\nHost: x\r\n\r\n");

    QCOMPARE(client.receive().status, 200);
    QCOMPARE(client.receive().status, 400);
    QVERIFY(client.isClosedByPeer());
    QVERIFY(client.rest().isEmpty());
    QCOMPARE(fixture.handler.handled, 1);
}

void tst_HttpServer::forgottenRequestIsAnswered()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send("GET /forgotten HTTP/1.1\r\nHost: x\r\n\r\n");

    QCOMPARE(client.receive().status, 500);
}

void tst_HttpServer::answerAfterTheClientLeftIsDropped()
{
    Fixture fixture;
    {
        RawClient client(fixture.server->port());
        client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
        QVERIFY(loopUntil([&] { return fixture.handler.waiting.size() == 1; }));
        QVERIFY(fixture.handler.waiting.front().isWanted());
    }
    QVERIFY(loopUntil([&] { return fixture.server->connectionCount() == 0; }));

    QVERIFY(!fixture.handler.waiting.front().isWanted());
    fixture.handler.waiting.front().respond(HttpResponse(200, "late"));
    settle();
}

void tst_HttpServer::manyOwedAnswersStopReading()
{
    HttpServerOptions options;
    options.bounds.pipelined = 4;
    Fixture fixture(options);
    RawClient client(fixture.server->port());

    for (int i = 0; i < 10; ++i)
        client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    QVERIFY(loopUntil([&] { return fixture.handler.handled == 4; }));
    settle();
    QCOMPARE(fixture.handler.handled, 4);

    for (int i = 0; i < 10; ++i) {
        QVERIFY(loopUntil([&] { return fixture.handler.waiting.size() > size_t(i); }));
        fixture.handler.waiting[size_t(i)].respond(HttpResponse(200, QByteArray::number(i)));
        QCOMPARE(client.receive().body, QByteArray::number(i));
    }
}

void tst_HttpServer::clientThatTakesNothingStopsReading()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    client.socket().setReadBufferSize(1);

    for (int i = 0; i < 200; ++i)
        client.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    settle();
    const int handled = fixture.handler.handled;
    settle();

    QVERIFY2(handled < 40, QByteArray::number(handled).constData());
    QCOMPARE(fixture.handler.handled, handled);
    client.socket().setReadBufferSize(0);
    qint64 taken = 0;
    QVERIFY(loopUntil([&] {
        taken += client.socket().readAll().size();
        return taken > 200LL * 1024 * 1024;
    }));
    QCOMPARE(fixture.handler.handled, 200);
}

void tst_HttpServer::largeAnswersThatAreTakenAtOnceDoNotStopReading()
{
    HttpServerOptions options;
    options.bounds.pendingBytes = 100;
    Fixture fixture(options);
    RawClient client(fixture.server->port());
    QByteArray requests;
    for (int i = 0; i < 20; ++i)
        requests += "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 200\r\n\r\n" + QByteArray(200, 'x');

    client.send(requests);

    for (int i = 0; i < 20; ++i)
        QCOMPARE(client.receive().status, 200);
}

void tst_HttpServer::slowHeadTimesOut()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    client.send("POST /a HTTP/1.1\r\nHost: ");
    settle();

    fixture.environment.advance(std::chrono::seconds(5));
    client.send("x");
    settle();
    QVERIFY(client.socket().state() == QAbstractSocket::ConnectedState);
    fixture.environment.advance(std::chrono::seconds(6));

    QCOMPARE(client.receive().status, 408);
    fixture.environment.advance(std::chrono::seconds(3));
    QVERIFY(client.isClosedByPeer());
}

void tst_HttpServer::slowBodyTimesOut()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhi");
    settle();

    fixture.environment.advance(std::chrono::seconds(59));
    QVERIFY(client.socket().bytesAvailable() == 0);
    fixture.environment.advance(std::chrono::seconds(2));

    QCOMPARE(client.receive().status, 408);
}

void tst_HttpServer::idleConnectionIsClosed()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    QCOMPARE(client.receive().status, 200);

    fixture.environment.advance(std::chrono::seconds(119));
    QVERIFY(client.socket().state() == QAbstractSocket::ConnectedState);
    fixture.environment.advance(std::chrono::seconds(2));

    QVERIFY(client.isClosedByPeer());
    QVERIFY(client.rest().isEmpty());
}

void tst_HttpServer::stalledClientIsCut()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    client.socket().setReadBufferSize(1);
    for (int i = 0; i < 20; ++i)
        client.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    settle();
    QCOMPARE(fixture.server->connectionCount(), 1);

    fixture.environment.advance(std::chrono::seconds(61));
    fixture.environment.advance(std::chrono::seconds(61));

    QVERIFY(loopUntil([&] { return fixture.server->connectionCount() == 0; }));
}

void tst_HttpServer::connectionsAreLimited()
{
    HttpServerOptions options;
    options.maxConnections = 2;
    Fixture fixture(options);
    RawClient first(fixture.server->port());
    RawClient second(fixture.server->port());
    QVERIFY(loopUntil([&] { return fixture.server->connectionCount() == 2; }));

    RawClient third(fixture.server->port());

    QCOMPARE(third.receive().status, 503);
    first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    QCOMPARE(first.receive().status, 200);
}

void tst_HttpServer::webSocketOpensWithItsSubprotocol_data()
{
    QTest::addColumn<QByteArray>("offered");
    QTest::addColumn<QByteArray>("agreed");
    QTest::newRow("rivet") << QByteArray("rivet, rivet_encoding.json") << QByteArray("rivet");
    QTest::newRow("other") << QByteArray("other") << QByteArray("other");
    QTest::newRow("unknown") << QByteArray("zap") << QByteArray();
    QTest::newRow("none") << QByteArray() << QByteArray();
}

void tst_HttpServer::webSocketOpensWithItsSubprotocol()
{
    QFETCH(QByteArray, offered);
    QFETCH(QByteArray, agreed);
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send(handshake("/ws?a=1", offered.isEmpty() ? QByteArray() : "Sec-WebSocket-Protocol: " + offered + "\r\n"));

    const RawResponse response = client.receive();
    QCOMPARE(response.status, 101);
    QCOMPARE(response.header("sec-websocket-protocol"), agreed);
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 1; }));
    QCOMPARE(fixture.requests.first().path, QByteArray("/ws"));
    QCOMPARE(fixture.requests.first().query, QByteArray("a=1"));
}

void tst_HttpServer::webSocketAfterAnOrdinaryRequest()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    QCOMPARE(client.receive().status, 200);

    client.send(handshake("/ws"));

    QCOMPARE(client.receive().status, 101);
}

void tst_HttpServer::handshakeInTwoPieces()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    const QByteArray text = handshake("/ws");

    client.send(text.left(2));
    settle();
    client.send(text.mid(2, 60));
    settle();
    client.send(text.mid(62));

    QCOMPARE(client.receive().status, 101);
    QCOMPARE(fixture.handler.handled, 0);
}

void tst_HttpServer::frameSentWithTheHandshakeArrives()
{
    Fixture fixture;
    QStringList texts;
    QObject::connect(
        fixture.server.get(), &HttpServer::opened, fixture.server.get(), [&texts](Conn *conn, const HttpRequest &) {
            QObject::connect(conn, &Conn::textReceived, conn, [&texts](const QString &text) { texts.append(text); });
        });
    RawClient client(fixture.server->port());

    client.send(handshake("/ws") + clientText("early"));
    QCOMPARE(client.receive().status, 101);

    QVERIFY(loopUntil([&] { return !texts.isEmpty(); }));
    QCOMPARE(texts, QStringList{QStringLiteral("early")});
}

void tst_HttpServer::refusedUpgradeIsAnOrdinaryAnswer()
{
    Fixture fixture;
    RawClient client(fixture.server->port());

    client.send(handshake("/no"));

    QCOMPARE(client.receive().status, 403);
    QVERIFY(client.isClosedByPeer());
    QVERIFY(fixture.conns.empty());
}

void tst_HttpServer::framesOfOneTurnArriveInOrder()
{
    Fixture fixture;
    QWebSocket client;
    QStringList texts;
    QObject::connect(&client, &QWebSocket::textMessageReceived, &client,
                     [&texts](const QString &text) { texts.append(text); });
    client.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/ws").arg(fixture.server->port())));
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 1; }));

    QStringList expected;
    for (int i = 0; i < 1000; ++i) {
        expected.append(QString::number(i));
        fixture.conns.front()->sendText(QByteArray::number(i));
    }

    QVERIFY(loopUntil([&] { return texts.size() == 1000; }));
    QCOMPARE(texts, expected);
}

void tst_HttpServer::largeFramesArriveWhole()
{
    Fixture fixture;
    QWebSocket client;
    QList<qsizetype> sizes;
    QObject::connect(&client, &QWebSocket::binaryMessageReceived, &client,
                     [&sizes](const QByteArray &bytes) { sizes.append(bytes.size()); });
    client.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/ws").arg(fixture.server->port())));
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 1; }));

    const QList<qsizetype> expected{0, 125, 126, 65535, 65536, 9000000};
    for (const qsizetype size : expected)
        fixture.conns.front()->sendBinary(QByteArray(size, 'x'));

    QVERIFY(loopUntil([&] { return sizes.size() == expected.size(); }));
    QCOMPARE(sizes, expected);
    QVERIFY(loopUntil([&] { return fixture.conns.front()->pendingBytes() == 0; }));
    QSignalSpy drained(fixture.conns.front().get(), &Conn::drained);
    fixture.conns.front()->sendBinary("one that the kernel takes at once");
    QVERIFY(loopUntil([&] { return drained.size() > 0; }));
    QCOMPARE(fixture.conns.front()->pendingBytes(), 0);
}

void tst_HttpServer::closeCodeAndReasonArrive()
{
    Fixture fixture;
    QWebSocket client;
    QSignalSpy text(&client, &QWebSocket::textMessageReceived);
    QSignalSpy disconnected(&client, &QWebSocket::disconnected);
    client.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/ws").arg(fixture.server->port())));
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 1; }));
    QSignalSpy closed(fixture.conns.front().get(), &Conn::closed);

    fixture.conns.front()->sendText("last words");
    fixture.conns.front()->close(1011, QStringLiteral("actor.invalid_request"));
    QCOMPARE(closed.size(), 0);

    QVERIFY(loopUntil([&] { return disconnected.size() == 1 && closed.size() == 1; }));
    QCOMPARE(text.size(), 1);
    QCOMPARE(int(client.closeCode()), 1011);
    QCOMPARE(client.closeReason(), QStringLiteral("actor.invalid_request"));
}

void tst_HttpServer::closeOfThePeerIsReported()
{
    Fixture fixture;
    QWebSocket client;
    client.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/ws").arg(fixture.server->port())));
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 1; }));
    QSignalSpy closed(fixture.conns.front().get(), &Conn::closed);

    client.close(QWebSocketProtocol::CloseCodeNormal, QStringLiteral("Disposed"));

    QVERIFY(loopUntil([&] { return closed.size() == 1; }));
    settle();
    QCOMPARE(closed.size(), 1);
    QCOMPARE(closed.first().at(0).value<quint16>(), quint16(1000));
    QCOMPARE(closed.first().at(1).toString(), QStringLiteral("Disposed"));
    QCOMPARE(int(client.closeCode()), 1000);
}

void tst_HttpServer::vanishedPeerIsReported()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    client.send(handshake("/ws"));
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 1; }));
    QSignalSpy closed(fixture.conns.front().get(), &Conn::closed);

    client.socket().abort();

    QVERIFY(loopUntil([&] { return closed.size() == 1; }));
}

void tst_HttpServer::silentPeerIsCut()
{
    Fixture fixture;
    RawClient client(fixture.server->port());
    client.send(handshake("/ws"));
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 1; }));
    QSignalSpy closed(fixture.conns.front().get(), &Conn::closed);

    for (int i = 0; i < 4; ++i)
        fixture.environment.advance(std::chrono::seconds(30));
    QCOMPARE(closed.size(), 0);
    fixture.environment.advance(std::chrono::seconds(31));
    fixture.environment.advance(std::chrono::seconds(1));

    QVERIFY(loopUntil([&] { return closed.size() == 1; }));
    QVERIFY(client.isClosedByPeer());
}

void tst_HttpServer::peerThatTakesNothingIsCut()
{
    HttpServerOptions options;
    options.conn.pendingBytes = 4 * 1024 * 1024;
    Fixture fixture(options);
    RawClient client(fixture.server->port());
    client.socket().setReadBufferSize(1);
    client.send(handshake("/ws"));
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 1; }));
    Conn &conn = *fixture.conns.front();
    QSignalSpy closed(&conn, &Conn::closed);

    qint64 most = 0;
    for (int i = 0; i < 1000 && conn.isOpen(); ++i) {
        conn.sendBinary(QByteArray(100000, 'x'));
        most = std::max(most, conn.pendingBytes());
        if (i % 10 == 0)
            settle();
    }
    fixture.environment.advance(std::chrono::seconds(1));

    QVERIFY(loopUntil([&] { return closed.size() == 1; }));
    QVERIFY2(most < 5 * 1024 * 1024, QByteArray::number(most).constData());
}

void tst_HttpServer::manyWebSocketsKeepTheirRequests()
{
    Fixture fixture;
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 50; ++i)
        clients.push_back(std::make_unique<RawClient>(fixture.server->port()));
    for (int i = 0; i < 50; ++i)
        clients[size_t(i)]->send(handshake("/ws?" + QByteArray::number(i)));
    QVERIFY(loopUntil([&] { return fixture.conns.size() == 50; }));
    for (size_t i = 0; i < fixture.conns.size(); ++i)
        fixture.conns[i]->sendText(fixture.requests[qsizetype(i)].query);

    for (int i = 0; i < 50; ++i) {
        QCOMPARE(clients[size_t(i)]->receive().status, 101);
        const QByteArray text = QByteArray::number(i);
        QVERIFY(loopUntil([&] {
            clients[size_t(i)]->pull();
            return clients[size_t(i)]->rest().size() >= text.size() + 2;
        }));
        QCOMPARE(clients[size_t(i)]->rest().mid(2), text);
    }
}

QTEST_GUILESS_MAIN(tst_HttpServer)
#include "tst_http_server.moc"
