#include "wire/client_protocol.h"

#include <QTest>

using namespace terrarium;

namespace {

Value bigNumber()
{
    return Value(quint64(1) << 63);
}

} // namespace

class tst_ClientProtocol : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAnAction();
    void readsASubscription();
    void argumentsBecomeAList_data();
    void argumentsBecomeAList();
    void refusesWithAReason_data();
    void refusesWithAReason();
    void actionBodyIsReadLeniently();
    void responseEchoesTheId();
    void valuesBeyondJsonAreWritten();
    void errorSaysNullWithoutAnAction();
    void errorNamesItsActor();
};

void tst_ClientProtocol::readsAnAction()
{
    const auto message = wire::decodeClientMessage(
        R"({"body":{"tag":"ActionRequest","val":{"id":["$BigInt","9223372036854775808"],"name":"a.b","args":[1,["$Undefined",0]]}}})");

    const auto &action = std::get<wire::ClientAction>(message);
    QCOMPARE(action.id, bigNumber());
    QCOMPARE(action.name, QStringLiteral("a.b"));
    QCOMPARE(action.args.size(), 2);
    QVERIFY(action.args.at(1).isUndefined());
}

void tst_ClientProtocol::readsASubscription()
{
    const auto message = wire::decodeClientMessage(
        R"({"body":{"tag":"SubscriptionRequest","val":{"eventName":"changed","subscribe":false}}})");

    QCOMPARE(std::get<wire::ClientSubscription>(message).event, QStringLiteral("changed"));
    QVERIFY(!std::get<wire::ClientSubscription>(message).on);
}

void tst_ClientProtocol::argumentsBecomeAList_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("count");
    QTest::newRow("list") << QByteArray(R"({"args":[1,2]})") << 2;
    QTest::newRow("null") << QByteArray(R"({"args":null})") << 0;
    QTest::newRow("absent") << QByteArray(R"({})") << 0;
    QTest::newRow("one map") << QByteArray(R"({"args":{"k":1}})") << 1;
    QTest::newRow("one text") << QByteArray(R"({"args":"x"})") << 1;
    QTest::newRow("empty list") << QByteArray(R"({"args":[]})") << 0;
}

void tst_ClientProtocol::argumentsBecomeAList()
{
    QFETCH(QByteArray, body);
    QFETCH(int, count);

    QCOMPARE(wire::decodeActionBody(body).size(), qsizetype(count));
    QVERIFY(wire::decodeActionBody(body).isArray());
}

void tst_ClientProtocol::refusesWithAReason_data()
{
    QTest::addColumn<QByteArray>("frame");
    QTest::newRow("no JSON") << QByteArray("{bad");
    QTest::newRow("no map") << QByteArray("[1]");
    QTest::newRow("unknown tag") << QByteArray(R"({"body":{"tag":"Zap","val":{}}})");
    QTest::newRow("no id") << QByteArray(R"({"body":{"tag":"ActionRequest","val":{"name":"a"}}})");
    QTest::newRow("double id") << QByteArray(R"({"body":{"tag":"ActionRequest","val":{"id":0.5,"name":"a"}}})");
    QTest::newRow("text for a bool") << QByteArray(
        R"({"body":{"tag":"SubscriptionRequest","val":{"eventName":"a","subscribe":"yes"}}})");
}

void tst_ClientProtocol::refusesWithAReason()
{
    QFETCH(QByteArray, frame);
    try {
        wire::decodeClientMessage(frame);
        QFAIL("accepted");
    } catch (const Error &error) {
        QVERIFY(error.is(QLatin1String("actor"), QLatin1String("invalid_request")));
        QVERIFY(!error.metadata()["reason"].toText().isEmpty());
    }
}

void tst_ClientProtocol::actionBodyIsReadLeniently()
{
    QCOMPARE(wire::decodeActionBody("").size(), 0);
    QVERIFY_THROWS_EXCEPTION(Error, wire::decodeActionBody("[1]"));
    QVERIFY_THROWS_EXCEPTION(Error, wire::decodeActionBody("{oops"));
}

void tst_ClientProtocol::responseEchoesTheId()
{
    QCOMPARE(wire::encodeActionResponse(Value(0), Value(2)),
             QByteArray(R"({"body":{"tag":"ActionResponse","val":{"id":["$BigInt","0"],"output":2}}})"));
    QVERIFY(wire::encodeActionResponse(bigNumber(), Value(2)).contains(R"(["$BigInt","9223372036854775808"])"));
}

void tst_ClientProtocol::valuesBeyondJsonAreWritten()
{
    QCOMPARE(wire::encodeActionOutput(Value::undefined()), QByteArray(R"({"output":["$Undefined",0]})"));
    QCOMPARE(wire::encodeActionOutput(Value(QByteArray("\x01\x02\xff"))),
             QByteArray(R"({"output":["$Uint8Array","AQL/"]})"));
    const QByteArray event = "{\"body\":{\"tag\":\"Event\",\"val\":{\"args\":[1],\"name\":\"a\\\"b\"}}}";
    QCOMPARE(wire::encodeEvent(QStringLiteral("a\"b"), Value(1)), event);
}

void tst_ClientProtocol::errorSaysNullWithoutAnAction()
{
    const Error error(QStringLiteral("user"), QStringLiteral("c"), QStringLiteral("m"));

    QCOMPARE(wire::encodeClientError(error, Value()),
             QByteArray(R"({"body":{"tag":"Error","val":{"actionId":null,"group":"user","code":"c","message":"m"}}})"));
}

void tst_ClientProtocol::errorNamesItsActor()
{
    const Error error = Error(QStringLiteral("user"), QStringLiteral("c"), QStringLiteral("m"),
                              Value::map({{QStringLiteral("n"), Value(7)}}))
                            .withActor(ActorIdentity(QStringLiteral("id"), 3, QStringLiteral("a/b")));

    QCOMPARE(wire::encodeErrorBody(error), QByteArray(R"({"group":"user","code":"c","message":"m","metadata":{"n":7},)"
                                                      R"("actor":{"actorId":"id","generation":3,"key":"a/b"}})"));
}

QTEST_APPLESS_MAIN(tst_ClientProtocol)
#include "tst_client_protocol.moc"
