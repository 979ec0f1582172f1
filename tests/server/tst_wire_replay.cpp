// Replays what real clients sent to a real RivetKit host against ours (fixtures/rivetkit-wire).

#include "server/doors.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace terrarium;
using namespace terrarium::test;

namespace {

QString fixtureFolder()
{
    return QStringLiteral(TERRARIUM_FIXTURES "/rivetkit-wire");
}

Value readFixture(const QString &name)
{
    QFile file(fixtureFolder() + QLatin1Char('/') + name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return parseJson(file.readAll());
}

QByteArray bodyOf(const Value &step)
{
    return QByteArray::fromHex(step["body"]["hex"].toText().toLatin1());
}

/// Captured ids and ours, both ways of telling.
class Comparison final {
public:
    void learn(const QString &theirs, const QString &ours) { m_ids.insert(theirs, ours); }
    QByteArray translated(QByteArray text) const
    {
        for (auto it = m_ids.cbegin(); it != m_ids.cend(); ++it)
            text.replace(it.key().toLatin1(), it.value().toLatin1());
        return text;
    }

    /// What is wrong with `ours`, or an empty text. Our answers may say more than theirs.
    QString differences(const Value &theirs, const Value &ours, const QString &place)
    {
        static const QStringList own{QStringLiteral("cursor"), QStringLiteral("namespace_id")};
        const QString last = place.section(QLatin1Char('.'), -1);
        if (own.contains(last) || last.endsWith(u"_ts"))
            return {};
        // An actor of ours that nobody called yet has not started.
        if (last == u"generation" && ours.isInt())
            return {};
        // Our values know one kind of bytes and of integers: buffers come back as byte arrays and small big
        // integers as numbers.
        if (theirs.at(0) == Value("$ArrayBuffer"))
            return ours.at(0) == Value("$Uint8Array") && ours.at(1) == theirs.at(1) ? QString() : place;
        if (theirs.at(0) == Value("$BigInt") && ours.isInteger())
            return theirs.at(1).toText() == QString::number(ours.toInt()) ? QString() : place;
        if (theirs.isMap()) {
            if (!ours.isMap())
                return place + QStringLiteral(": no map");
            for (const auto &[key, value] : theirs.entries()) {
                if (key == u"message" && theirs["group"] != Value("user"))
                    continue; // sentences are our own
                if (key == u"reason" || key == u"detail" || key.startsWith(u"build_") || key.startsWith(u"rustc_")
                    || key.startsWith(u"cargo_") || key.endsWith(u"_protocol_version") || key == u"git_sha")
                    continue;
                if (!ours.contains(key))
                    return place + QLatin1Char('.') + key + QStringLiteral(": missing");
                const QString found = differences(value, ours[key], place + QLatin1Char('.') + key);
                if (!found.isEmpty())
                    return found;
            }
            return {};
        }
        if (theirs.isArray()) {
            if (!ours.isArray() || ours.size() != theirs.size())
                return place + QStringLiteral(": another number of items");
            for (qsizetype i = 0; i < theirs.size(); ++i) {
                const QString found =
                    differences(theirs.at(i), ours.at(i), place + QLatin1Char('.') + QString::number(i));
                if (!found.isEmpty())
                    return found;
            }
            return {};
        }
        const bool isId = last == u"actorId" || last == u"actor_id" || last == u"existing_actor_id";
        if (last == u"id" && ours.isText())
            return {}; // of a connection that lasts one call: ours has none
        if (isId || last == u"connectionId") {
            if (!ours.isText() || ours.toText().isEmpty())
                return place + QStringLiteral(": no id");
            const QString known = m_ids.value(theirs.toText());
            if (!known.isEmpty() && known != ours.toText())
                return place + QStringLiteral(": another actor's id");
            learn(theirs.toText(), ours.toText());
            return {};
        }
        if (areNumbersLoose && theirs.isNumber() && ours.isNumber())
            return {};
        if (theirs == ours)
            return {};
        return place + QStringLiteral(": differs");
    }

    bool areNumbersLoose = false;

private:
    QHash<QString, QString> m_ids;
};

/// Makes the actors whose ids the client already has.
void makeKnownActors(Doors &doors, const Value &fixture, Comparison &comparison)
{
    QByteArray asked;
    for (const Value &step : fixture["steps"].items()) {
        if (step["dir"] == Value("c2s"))
            asked += step["target"].toText().toLatin1() + ' ';
        asked += bodyOf(step).contains("existing_actor_id") ? bodyOf(step) : QByteArray();
    }
    const auto make = [&](const QString &id, const QString &name, const QString &key) {
        const auto parsed = ActorKey::fromText(key);
        if (id.isEmpty() || !parsed || !asked.contains(id.toLatin1()))
            return;
        const QString type = name.isEmpty() ? QStringLiteral("counter") : name;
        comparison.learn(
            id, doors.host().getOrCreate(type, *parsed, std::nullopt, Cause(QStringLiteral("create"))).first.id);
    };
    bool isMadeByIt = false;
    for (const Value &step : fixture["steps"].items()) {
        if (step["kind"] != Value("http_response"))
            continue;
        const QByteArray text = bodyOf(step);
        const Value body = text.startsWith('{') ? parseJson(text) : Value();
        // What the exchange itself creates must not exist before, and what it finds must.
        if (body["actor"].contains(u"actor_id")) {
            const bool wasThere = body["created"] == Value(false);
            if (wasThere && !isMadeByIt) {
                doors.host().getOrCreate(body["actor"]["name"].toText(),
                                         ActorKey::fromText(body["actor"]["key"].toText()).value_or(ActorKey()),
                                         std::nullopt, Cause(QStringLiteral("create")));
            }
            isMadeByIt = true;
        }
        QString id;
        QString key;
        for (const Value &header : step["headers"].items()) {
            if (header.at(0) == Value("x-rivet-actor"))
                id = header.at(1).toText();
            if (header.at(0) == Value("x-rivet-actor-key"))
                key = header.at(1).toText();
        }
        if (isMadeByIt)
            continue;
        make(id, {}, key);
        for (const Value &actor : body["actors"].items())
            make(actor["actor_id"].toText(), actor["name"].toText(), actor["key"].toText());
        make(body["metadata"]["existing_actor_id"].toText(), {}, body["metadata"]["key"].toText());
    }
}

QByteArray requestText(const Value &step, const Doors &doors, const Comparison &comparison)
{
    QByteArray text = step["method"].toText().toLatin1() + ' '
                      + comparison.translated(step["target"].toText().toLatin1()) + " HTTP/1.1\r\n";
    for (const Value &header : step["headers"].items()) {
        const QString name = header.at(0).toText();
        if (name.compare(u"host", Qt::CaseInsensitive) == 0)
            text += doors.hostLine();
        else
            text += name.toUtf8() + ": " + header.at(1).toText().toUtf8() + "\r\n";
    }
    text += "\r\n";
    const QByteArray body = bodyOf(step);
    if (step["framing"] == Value("chunked")) {
        // Two chunks, as a stream makes them.
        const qsizetype half = body.size() / 2;
        for (const QByteArray &chunk : {body.left(half), body.mid(half)}) {
            if (!chunk.isEmpty())
                text += QByteArray::number(chunk.size(), 16) + "\r\n" + chunk + "\r\n";
        }
        text += "0\r\n\r\n";
    } else {
        text += body;
    }
    return text;
}

} // namespace

class tst_WireReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void http_data();
    void http();
    void sockets_data();
    void sockets();
};

void tst_WireReplay::http_data()
{
    QTest::addColumn<QString>("name");
    for (const char *folder : {"http-action-json", "gateway-errors", "manager", "actor-routes"}) {
        const QDir dir(fixtureFolder() + QLatin1Char('/') + QLatin1String(folder));
        const QStringList names = dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
        for (const QString &name : names) {
            const QString path = QLatin1String(folder) + QLatin1Char('/') + name;
            QTest::newRow(path.toUtf8().constData()) << path;
        }
    }
}

void tst_WireReplay::http()
{
    QFETCH(QString, name);
    const Value fixture = readFixture(name);
    QVERIFY(fixture["steps"].size() > 0);
    Doors doors;
    Comparison comparison;
    // What an action returned there depends on calls before the capture began.
    comparison.areNumbersLoose =
        name.contains(u"/no-") || name.contains(u"cors-actual") || name.contains(u"unknown-enc");
    makeKnownActors(doors, fixture, comparison);
    std::map<qint64, std::unique_ptr<RawClient>> clients;
    int answers = 0;

    for (const Value &step : fixture["steps"].items()) {
        auto &client = clients[step["conn"].toInt()];
        if (step["kind"] == Value("http_request")) {
            bool isJson = true;
            for (const Value &header : step["headers"].items())
                isJson = isJson && !(header.at(0) == Value("x-rivet-encoding") && header.at(1) == Value("bare"));
            if (!isJson)
                break; // not spoken yet; what came before is compared
            if (!client || client->socket().state() != QAbstractSocket::ConnectedState)
                client = std::make_unique<RawClient>(doors.port());
            client->send(requestText(step, doors, comparison));
        } else if (step["kind"] == Value("http_response")) {
            const RawResponse response = client->receive();
            ++answers;
            QCOMPARE(response.status, int(step["status"].toInt()));
            for (const Value &header : step["headers"].items()) {
                const QByteArray key = header.at(0).toText().toLower().toLatin1();
                const QByteArray value = comparison.translated(header.at(1).toText().toUtf8());
                const bool isSame = key == "content-type" || key == "x-rivet-error" || key == "x-rivet-actor"
                                    || key == "x-rivet-actor-key" || key.startsWith("access-control-");
                const bool mustBe = isSame || key == "x-rivet-ray-id" || key == "x-rivet-actor-generation";
                if (mustBe)
                    QVERIFY2(!response.header(key).isEmpty(), key.constData());
                if (isSame && key != "x-rivet-actor")
                    QCOMPARE(response.header(key).toLower(), value.toLower());
            }
            const QByteArray theirs = bodyOf(step);
            if (theirs.startsWith('{')) {
                const QString found = comparison.differences(parseJson(theirs), parseJson(response.body), {});
                QVERIFY2(found.isEmpty(), (found.toUtf8() + "\n" + theirs + "\n" + response.body).constData());
            } else if (!name.contains(u"root")) {
                QCOMPARE(response.body, theirs);
            }
        }
    }
    QVERIFY(answers > 0);
}

void tst_WireReplay::sockets_data()
{
    QTest::addColumn<QString>("name");
    const QDir dir(fixtureFolder() + QStringLiteral("/ws-connection-json"));
    const QStringList names = dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    for (const QString &name : names)
        QTest::newRow(name.toUtf8().constData()) << QStringLiteral("ws-connection-json/") + name;
}

void tst_WireReplay::sockets()
{
    QFETCH(QString, name);
    const Value fixture = readFixture(name);
    Doors doors;
    Comparison comparison;
    comparison.areNumbersLoose = name.contains(u"subscribe-and-event");
    // The one capture by id names an actor that other captures made.
    comparison.learn(QStringLiteral("lbitxzlnkkoa139p3e6v08ndipbl00"),
                     doors.host()
                         .getOrCreate(QStringLiteral("counter"),
                                      ActorKey(QStringList{QStringLiteral("ws"), QStringLiteral("json"),
                                                           QStringLiteral("mx3u3tr4")}),
                                      std::nullopt, Cause(QStringLiteral("create")))
                         .first.id);
    std::map<qint64, std::unique_ptr<SocketClient>> clients;
    int frames = 0;

    for (const Value &step : fixture["steps"].items()) {
        auto &client = clients[step["conn"].toInt()];
        const bool isFromClient = step["dir"] == Value("c2s");
        if (step["kind"] == Value("http_request")) {
            QStringList protocols;
            for (const Value &header : step["headers"].items()) {
                if (header.at(0).toText().compare(u"sec-websocket-protocol", Qt::CaseInsensitive) == 0)
                    protocols = header.at(1).toText().split(QLatin1Char(','));
            }
            const QByteArray target = comparison.translated(step["target"].toText().toLatin1());
            client = std::make_unique<SocketClient>(doors.port(), QString::fromLatin1(target), protocols);
        } else if (step["kind"] == Value("ws_frame") && step["opcode"] == Value("close")) {
            if (isFromClient) {
                client->socket().close(QWebSocketProtocol::CloseCode(step["closeCode"].toInt()),
                                       step["closeReason"].toText());
                continue;
            }
            QVERIFY(client->isClosed());
            QCOMPARE(int(client->socket().closeCode()), int(step["closeCode"].toInt()));
            QCOMPARE(client->socket().closeReason(), step["closeReason"].toText());
        } else if (step["kind"] == Value("ws_frame")) {
            const QByteArray theirs = bodyOf(step);
            if (isFromClient) {
                client->send(comparison.translated(theirs));
                continue;
            }
            ++frames;
            const QByteArray ours = client->receive();
            const QString found = comparison.differences(parseJson(theirs), parseJson(ours), {});
            QVERIFY2(found.isEmpty(), (found.toUtf8() + "\n" + theirs + "\n" + ours).constData());
        }
    }
    QVERIFY(frames > 0);
}

QTEST_GUILESS_MAIN(tst_WireReplay)
#include "tst_wire_replay.moc"
