// The management API beyond what the captures show.

#include "server/doors.h"

#include <QTest>

using namespace terrarium;
using namespace terrarium::test;

class tst_Management : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void putIsGetOrCreate();
    void createRefusesAKeyInUse();
    void unknownTypeIsNamed();
    void listsByNameInPages();
    void listNeedsASensibleLimit();
    void destroyedActorsAreFoundById();
    void sleepAnswersWhenAsleep();
    void unknownActorIsNotFound();
    void namesListsTypes();
    void wrongMethodIsRefused();
    void rootSaysWhatThisIs();
    void headHasNoBody();
    void preflightIsAnswered();
    void strangeOriginIsRefusedBeforeAnyHandler();
    void strangeHostIsRefusedBeforeAnyHandler();
    void everyRouteButTwoAsksForTheToken();
};

void tst_Management::putIsGetOrCreate()
{
    Doors doors;
    const QByteArray body = R"({"name":"counter","key":"a/b"})";

    const Value first = parseJson(doors.request("PUT", "/actors?namespace=default", body).body);
    const Value second = parseJson(doors.request("PUT", "/actors?namespace=default", body).body);

    QCOMPARE(first["created"], Value(true));
    QCOMPARE(second["created"], Value(false));
    QCOMPARE(first["actor"]["actor_id"], second["actor"]["actor_id"]);
    QCOMPARE(first["actor"]["key"], Value("a/b"));
    QCOMPARE(doors.host().actorCount(), 1);
}

void tst_Management::createRefusesAKeyInUse()
{
    Doors doors;
    const QByteArray body = R"({"name":"counter","key":"a"})";

    const Value made = parseJson(doors.post("/actors?namespace=default", body).body);
    const RawResponse again = doors.post("/actors?namespace=default", body);

    QCOMPARE(again.status, 400);
    QCOMPARE(parseJson(again.body)["code"], Value("duplicate_key"));
    QCOMPARE(parseJson(again.body)["metadata"]["existing_actor_id"], made["actor"]["actor_id"]);
    QCOMPARE(again.header("x-rivet-error"), QByteArray("actor.duplicate_key"));
}

void tst_Management::unknownTypeIsNamed()
{
    Doors doors;

    const RawResponse response = doors.request("PUT", "/actors?namespace=default", R"({"name":"ghost","key":"a"})");

    QCOMPARE(response.status, 404);
    QCOMPARE(parseJson(response.body)["code"], Value("not_registered"));
    QVERIFY(response.body.contains("ghost"));
}

void tst_Management::listsByNameInPages()
{
    Doors doors;
    QStringList made;
    for (int i = 0; i < 5; ++i)
        made.append(doors.actorId(QString::number(i)));
    doors.host().getOrCreate(QStringLiteral("stateless"), ActorKey("x"), std::nullopt, Cause(QStringLiteral("create")));

    QStringList seen;
    QByteArray cursor;
    for (int page = 0; page < 5; ++page) {
        const Value listed = parseJson(
            doors.get("/actors?namespace=default&name=counter&limit=2" + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
                .body);
        for (const Value &actor : listed["actors"].items())
            seen.append(actor["actor_id"].toText());
        if (listed["actors"].size() == 0)
            break;
        cursor = listed["pagination"]["cursor"].toText().toLatin1();
    }

    QCOMPARE(seen, made);
}

void tst_Management::listNeedsASensibleLimit()
{
    Doors doors;

    QCOMPARE(doors.get("/actors?namespace=default&limit=0").status, 400);
    QCOMPARE(doors.get("/actors?namespace=default&limit=many").status, 400);
    QCOMPARE(doors.get("/actors?namespace=default&limit=1000000").status, 200);
}

void tst_Management::destroyedActorsAreFoundById()
{
    Doors doors;
    const QByteArray id = doors.actorId(QStringLiteral("a")).toLatin1();

    QCOMPARE(doors.request("DELETE", "/actors/" + id + "?namespace=default").body, QByteArray("{}"));
    QCOMPARE(doors.request("DELETE", "/actors/" + id + "?namespace=default").body, QByteArray("{}"));

    const Value byId = parseJson(doors.get("/actors?namespace=default&actor_ids=" + id).body);
    QCOMPARE(byId["actors"].size(), 1);
    QVERIFY(byId["actors"].at(0)["destroy_ts"].isInt());
    QCOMPARE(parseJson(doors.get("/actors?namespace=default&name=counter&key=a").body)["actors"].size(), 0);
    QCOMPARE(doors.get("/gateway/" + id + "/health").status, 404);
}

void tst_Management::sleepAnswersWhenAsleep()
{
    Doors doors;
    QCOMPARE(doors.post(gateway("/action/increment", "a"), R"({"args":[1]})").status, 200);
    const QByteArray id = doors.actorId(QStringLiteral("a")).toLatin1();
    const Value awake = parseJson(doors.get("/actors?namespace=default&actor_ids=" + id).body)["actors"].at(0);
    QVERIFY(awake["connectable_ts"].isInt());
    QVERIFY(awake["sleep_ts"].isNull());

    QCOMPARE(doors.post("/actors/" + id + "/sleep?namespace=default", "{}").body, QByteArray("{}"));

    const Value asleep = parseJson(doors.get("/actors?namespace=default&actor_ids=" + id).body)["actors"].at(0);
    QVERIFY(asleep["sleep_ts"].isInt());
    QVERIFY(asleep["connectable_ts"].isNull());
}

void tst_Management::unknownActorIsNotFound()
{
    Doors doors;

    QCOMPARE(doors.post("/actors/9q5ta9sujsiehxlhyrini6qk9ecl00/sleep?namespace=default", "{}").status, 404);
    QCOMPARE(doors.get("/gateway/9q5ta9sujsiehxlhyrini6qk9ecl00/health").status, 404);
    QCOMPARE(doors.get("/gateway/not-an-id/health").status, 404);
}

void tst_Management::namesListsTypes()
{
    Doors doors;

    const Value names = parseJson(doors.get("/actors/names?namespace=default").body)["names"];

    QVERIFY(names.contains(u"counter"));
    QVERIFY(names.contains(u"stateless"));
    QCOMPARE(names.size(), 2);
}

void tst_Management::wrongMethodIsRefused()
{
    Doors doors;

    QCOMPARE(doors.request("PATCH", "/actors?namespace=default").status, 405);
    QCOMPARE(doors.post("/health", "{}").status, 405);
    QCOMPARE(doors.get("/actors/9q5ta9sujsiehxlhyrini6qk9ecl00/sleep?namespace=default").status, 405);
}

void tst_Management::rootSaysWhatThisIs()
{
    Doors doors;

    const RawResponse response = doors.get("/");

    QCOMPARE(response.status, 200);
    QVERIFY(response.body.contains("Terrarium"));
}

void tst_Management::headHasNoBody()
{
    Doors doors;

    const RawResponse response = doors.request("HEAD", "/health");

    QCOMPARE(response.status, 200);
    QCOMPARE(response.header("content-length").toInt(), int(doors.get("/health").body.size()));
}

void tst_Management::preflightIsAnswered()
{
    Doors doors;

    const RawResponse response = doors.request("OPTIONS", "/actors", {},
                                               "Origin: http://localhost:5173\r\nAccess-Control-Request-Method: PUT\r\n"
                                               "Access-Control-Request-Headers: content-type\r\n");

    QCOMPARE(response.status, 204);
    QCOMPARE(response.header("access-control-allow-origin"), QByteArray("http://localhost:5173"));
    QCOMPARE(response.header("access-control-allow-headers"), QByteArray("content-type"));
    QVERIFY(response.header("access-control-allow-methods").contains("PUT"));
}

void tst_Management::strangeOriginIsRefusedBeforeAnyHandler()
{
    Doors doors;
    const QByteArray origin = "Origin: https://evil.test\r\n";

    const RawResponse put =
        doors.request("PUT", "/actors?namespace=default", R"({"name":"counter","key":"a"})", origin);
    const RawResponse plainForm = doors.request("POST", gateway("/action/increment", "a"), R"({"args":[1]})",
                                                origin + "Content-Type: text/plain\r\n");

    QCOMPARE(put.status, 403);
    QCOMPARE(plainForm.status, 403);
    QCOMPARE(doors.request("OPTIONS", "/actors", {}, origin).status, 403);
    QVERIFY(put.header("access-control-allow-origin").isEmpty());
    QCOMPARE(doors.host().actorCount(), 0);
}

void tst_Management::strangeHostIsRefusedBeforeAnyHandler()
{
    Doors doors;
    for (const QByteArray &host : {QByteArray("evil.test"), "evil.test:" + QByteArray::number(doors.port())}) {
        RawClient client(doors.port());
        client.send("PUT /actors?namespace=default HTTP/1.1\r\nHost: " + host
                    + "\r\nContent-Length: 29\r\n\r\n{\"name\":\"counter\",\"key\":\"ab\"}");
        QCOMPARE(client.receive().status, 403);
    }
    QCOMPARE(doors.host().actorCount(), 0);
}

void tst_Management::everyRouteButTwoAsksForTheToken()
{
    ServerOptions options = Doors::anyPort();
    options.token = QStringLiteral("s3cret");
    Doors doors(options);
    const QByteArray id = doors.actorId(QStringLiteral("a")).toLatin1();
    const QList<std::pair<QByteArray, QByteArray>> routes{
        {"GET", "/"},
        {"GET", "/actors?namespace=default"},
        {"PUT", "/actors?namespace=default"},
        {"POST", "/actors?namespace=default"},
        {"GET", "/actors/names?namespace=default"},
        {"DELETE", "/actors/" + id + "?namespace=default"},
        {"POST", "/actors/" + id + "/sleep?namespace=default"},
        {"GET", "/namespaces"},
        {"GET", "/gateway/" + id + "/health"},
        {"POST", "/gateway/" + id + "@wrong/action/get"},
        {"POST", gateway("/action/get", "a")},
        {"POST", gateway("/action/get", "a") + "&rvt-token=wrong"},
        {"POST", "/call/counter/a/get"},
        {"GET", "/no/such/route"},
    };
    for (const auto &[method, target] : routes) {
        QCOMPARE(doors.request(method, target).status, 401);
        QCOMPARE(doors.request(method, target, {}, "Authorization: Bearer wrong\r\n").status, 401);
    }

    QCOMPARE(doors.get("/health").status, 200);
    QCOMPARE(doors.get("/metadata?namespace=default").status, 200);
    QCOMPARE(doors.request("GET", "/actors?namespace=default", {}, "Authorization: Bearer s3cret\r\n").status, 200);
    QCOMPARE(doors.get("/gateway/" + id + "@s3cret/health").status, 200);
    QCOMPARE(doors.post(gateway("/action/get", "a") + "&rvt-token=s3cret", {}).status, 200);
}

QTEST_GUILESS_MAIN(tst_Management)
#include "tst_management.moc"
