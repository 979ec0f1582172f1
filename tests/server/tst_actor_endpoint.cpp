// Actions over HTTP beyond what the captures show.

#include "server/doors.h"

#include <QTest>

using namespace terrarium;
using namespace terrarium::test;

class tst_ActorEndpoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void actionAnswersWithItsActor();
    void emptyBodyMeansNoArguments();
    void shortCallNeedsNoParameters_data();
    void shortCallNeedsNoParameters();
    void argumentsThatDoNotFitAreNamed();
    void unknownTypeIsNamed();
    void otherEncodingsAreRefusedByName();
    void longBodyIsRefused();
    void longResultIsRefused();
    void longParametersAreRefused();
    void unexpectedErrorsAreMasked();
    void errorsOfTheActorPassThrough();
    void integersStayExact();
    void keysThatAreNoHeadersAreEncoded();
    void actionCreatesTheActorOnce();
    void pipelinedActionsAreAnsweredInOrder();
    void clientThatLeavesDuringAnActionHarmsNothing();
    void healthWakesNothing();
    void stoppingHostRefuses();
};

void tst_ActorEndpoint::actionAnswersWithItsActor()
{
    Doors doors;

    const RawResponse response = doors.post(gateway("/action/increment", "a%2Cb"), R"({"args":[2]})");

    QCOMPARE(response.status, 200);
    QCOMPARE(response.body, QByteArray(R"({"output":2})"));
    QCOMPARE(response.header("x-rivet-actor-key"), QByteArray("a/b"));
    QCOMPARE(response.header("x-rivet-actor-generation"), QByteArray("1"));
    QCOMPARE(response.header("x-rivet-actor").size(), 30);
    QCOMPARE(response.header("x-rivet-ray-id").size(), 30);
}

void tst_ActorEndpoint::emptyBodyMeansNoArguments()
{
    Doors doors;

    QCOMPARE(doors.post(gateway("/action/get", "a"), {}).body, QByteArray(R"({"output":{"count":0,"log":[]}})"));
}

void tst_ActorEndpoint::shortCallNeedsNoParameters_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("answer");
    const auto row = [](const char *name, const QByteArray &target, const QByteArray &body, int status,
                        const QByteArray &answer) { QTest::newRow(name) << target << body << status << answer; };
    row("list", "/call/counter/a/increment", "[3]", 200, R"({"output":3})");
    row("one value", "/call/counter/a/increment", "3", 200, R"({"output":3})");
    row("as elsewhere", "/call/counter/a/increment", R"({"args":[3]})", 200, R"({"output":3})");
    row("nothing", "/call/counter/a/voidAction", "", 200, R"({"output":["$Undefined",0]})");
    row("no key", "/call/counter/increment", "[3]", 200, R"({"output":3})");
    row("an object", "/call/counter/a/echo", R"({"x":1})", 200, R"({"output":{"x":1}})");
    row("no JSON", "/call/counter/a/increment", "three", 400, {});
    row("no type", "/call//a/increment", "[3]", 400, {});
    row("no action", "/call/counter/a/", "[3]", 400, {});
}

void tst_ActorEndpoint::shortCallNeedsNoParameters()
{
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, body);
    QFETCH(int, status);
    QFETCH(QByteArray, answer);
    Doors doors;

    const RawResponse response =
        doors.request("POST", target, body, "Content-Type: application/x-www-form-urlencoded\r\n");

    QCOMPARE(response.status, status);
    if (status == 200)
        QCOMPARE(response.body, answer);
}

void tst_ActorEndpoint::argumentsThatDoNotFitAreNamed()
{
    Doors doors;

    const RawResponse response = doors.post(gateway("/action/increment", "a"), R"({"args":["two"]})");

    QCOMPARE(response.status, 400);
    QCOMPARE(parseJson(response.body)["code"], Value("invalid_request"));
    QVERIFY2(response.body.contains("by"), response.body.constData());
}

void tst_ActorEndpoint::unknownTypeIsNamed()
{
    Doors doors;

    const RawResponse response = doors.post("/call/ghost/a/increment", "[1]");

    QCOMPARE(response.status, 404);
    QVERIFY2(response.body.contains("ghost"), response.body.constData());
}

void tst_ActorEndpoint::otherEncodingsAreRefusedByName()
{
    Doors doors;

    const RawResponse response = doors.request("POST", gateway("/action/get", "a"), QByteArray("\x04\x00\x01\x80", 4),
                                               "x-rivet-encoding: bare\r\n");

    QCOMPARE(response.status, 400);
    QCOMPARE(parseJson(response.body)["code"], Value("unsupported_encoding"));
    QVERIFY(response.body.contains("bare"));
}

void tst_ActorEndpoint::longBodyIsRefused()
{
    Doors doors;
    const auto body = [](qsizetype size) { return R"({"args":[")" + QByteArray(size - 13, 'x') + R"("]})"; };

    QCOMPARE(doors.post(gateway("/action/echo", "a"), body(65536)).status, 200);
    const RawResponse response = doors.post(gateway("/action/echo", "a"), body(65537));

    QCOMPARE(response.status, 400);
    QCOMPARE(parseJson(response.body)["group"], Value("message"));
    QCOMPARE(parseJson(response.body)["code"], Value("incoming_too_long"));
}

void tst_ActorEndpoint::longResultIsRefused()
{
    Doors doors;

    QCOMPARE(doors.post(gateway("/action/big", "a"), R"({"args":[1000000]})").status, 200);
    const RawResponse response = doors.post(gateway("/action/big", "a"), R"({"args":[1100000]})");

    QCOMPARE(response.status, 400);
    QCOMPARE(parseJson(response.body)["code"], Value("outgoing_too_long"));
}

void tst_ActorEndpoint::longParametersAreRefused()
{
    Doors doors;
    const QByteArray fits = "x-rivet-conn-params: \"" + QByteArray(4000, 'x') + "\"\r\n";
    const QByteArray tooLong = "x-rivet-conn-params: \"" + QByteArray(4100, 'x') + "\"\r\n";

    QCOMPARE(doors.request("POST", gateway("/action/params", "a"), "{}", fits).status, 200);
    QCOMPARE(doors.request("POST", gateway("/action/params", "a"), "{}", tooLong).status, 400);
}

void tst_ActorEndpoint::unexpectedErrorsAreMasked()
{
    Doors doors;

    const RawResponse response = doors.post(gateway("/action/crash", "a"), "{}");

    QCOMPARE(response.status, 500);
    QCOMPARE(parseJson(response.body)["group"], Value("rivetkit"));
    QCOMPARE(parseJson(response.body)["code"], Value("internal_error"));
    QVERIFY2(!response.body.contains("secret"), response.body.constData());
}

void tst_ActorEndpoint::errorsOfTheActorPassThrough()
{
    Doors doors;

    const Value error = parseJson(doors.post(gateway("/action/boom", "a"), "{}").body);

    QCOMPARE(error["message"], Value("nope"));
    QCOMPARE(error["metadata"]["n"], Value(7));
    QCOMPARE(error["actor"]["key"], Value("a"));
    QCOMPARE(error["actor"]["generation"], Value(1));
}

void tst_ActorEndpoint::integersStayExact()
{
    Doors doors;
    const QByteArray args = R"([["$BigInt","9007199254740993"],["$BigInt","18446744073709551615"],-5])";

    QCOMPARE(doors.post(gateway("/action/echoMany", "a"), R"({"args":)" + args + "}").body,
             R"({"output":)" + args + "}");
}

void tst_ActorEndpoint::keysThatAreNoHeadersAreEncoded()
{
    Doors doors;

    const RawResponse response = doors.post(gateway("/action/get", "a%0D%0AX-Evil:%201%C3%BC"), {});

    QCOMPARE(response.status, 200);
    QVERIFY(response.header("x-evil").isEmpty());
    QCOMPARE(response.header("x-rivet-actor-key"), QByteArray("a%0D%0AX-Evil: 1%C3%BC"));
}

void tst_ActorEndpoint::actionCreatesTheActorOnce()
{
    Doors doors;
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 10; ++i)
        clients.push_back(std::make_unique<RawClient>(doors.port()));

    for (const auto &client : clients)
        client->send("POST " + gateway("/action/increment", "race") + " HTTP/1.1\r\n" + doors.hostLine()
                     + "Content-Length: 12\r\n\r\n{\"args\":[1]}");
    int sum = 0;
    for (const auto &client : clients)
        sum += int(parseJson(client->receive().body)["output"].toInt());

    QCOMPARE(sum, 55);
    QCOMPARE(doors.host().actorCount(), 1);
}

void tst_ActorEndpoint::pipelinedActionsAreAnsweredInOrder()
{
    Doors doors;
    RawClient client(doors.port());
    QByteArray text;
    for (int i = 0; i < 20; ++i)
        text += "POST " + gateway("/action/increment", "a") + " HTTP/1.1\r\n" + doors.hostLine()
                + "Content-Length: 12\r\n\r\n{\"args\":[1]}";

    client.send(text);

    for (int i = 1; i <= 20; ++i)
        QCOMPARE(client.receive().body, "{\"output\":" + QByteArray::number(i) + "}");
}

void tst_ActorEndpoint::clientThatLeavesDuringAnActionHarmsNothing()
{
    Doors doors;
    for (int i = 0; i < 20; ++i) {
        RawClient client(doors.port());
        client.send("POST " + gateway("/action/slow", "a") + " HTTP/1.1\r\n" + doors.hostLine()
                    + "Content-Length: 12\r\n\r\n{\"args\":[1]}");
        settle();
    }
    doors.environment().advance(std::chrono::seconds(2));

    QCOMPARE(doors.post(gateway("/action/increment", "a"), R"({"args":[1]})").status, 200);
}

void tst_ActorEndpoint::healthWakesNothing()
{
    Doors doors;
    const QByteArray id = doors.actorId(QStringLiteral("a")).toLatin1();

    QCOMPARE(doors.get("/gateway/" + id + "/health").body, QByteArray("ok"));
    QCOMPARE(doors.get("/gateway/" + id + "/metadata").status, 200);

    QCOMPARE(doors.host().findById(QString::fromLatin1(id))->generation, 0u);
}

void tst_ActorEndpoint::stoppingHostRefuses()
{
    Doors doors;
    RawClient client(doors.port());
    client.send("GET /health HTTP/1.1\r\n" + doors.hostLine() + "\r\n");
    QCOMPARE(client.receive().status, 200);
    const QByteArray request =
        "POST " + gateway("/action/get", "new") + " HTTP/1.1\r\n" + doors.hostLine() + "Content-Length: 2\r\n\r\n{}";

    doors.host().stop([](const std::optional<Error> &) {});
    client.send(request);

    const RawResponse response = client.receive();
    QVERIFY2(response.status == 503 || response.status == 0, QByteArray::number(response.status).constData());
}

QTEST_GUILESS_MAIN(tst_ActorEndpoint)
#include "tst_actor_endpoint.moc"
