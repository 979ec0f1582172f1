#include "server/doors.h"
#include "server/inspector_socket.h"
#include "wire/codec.h"

#include <QSignalSpy>
#include <QTest>
#include <QWebSocketHandshakeOptions>

using namespace terrarium;
using namespace terrarium::test;

namespace {

/// A peer in the test's hand: it takes frames or leaves them.
class FakeTransport final : public Transport {
public:
    void send(const QByteArray &frame) override
    {
        if (!isOpenNow)
            return;
        sent.append(frame);
        if (isStuck) {
            stuckBytes += frame.size();
            mostStuckBytes = std::max(mostStuckBytes, stuckBytes);
        }
    }
    qint64 pendingBytes() const override { return stuckBytes; }
    void close(quint16 code, const QString &reason) override
    {
        if (!isOpenNow)
            return;
        isOpenNow = false;
        closeCode = code;
        closeReason = reason;
        QMetaObject::invokeMethod(
            this, [this, code, reason] { Q_EMIT closed(code, reason); }, Qt::QueuedConnection);
    }
    bool isOpen() const override { return isOpenNow; }

    void takeAll()
    {
        stuckBytes = 0;
        Q_EMIT drained();
    }

    QList<QByteArray> sent;
    bool isStuck = false;
    bool isOpenNow = true;
    qint64 stuckBytes = 0;
    qint64 mostStuckBytes = 0;
    quint16 closeCode = 0;
    QString closeReason;
};

/// An inspector's end of the link.
class Peer final {
public:
    explicit Peer(Doors &doors, InspectorOptions options = optionsWithToken())
    {
        auto owned = std::make_unique<FakeTransport>();
        transport = owned.get();
        socket = std::make_unique<InspectorSocket>(doors.host(), std::move(owned), std::move(options));
    }

    static InspectorOptions optionsWithToken()
    {
        InspectorOptions options;
        options.token = QStringLiteral("inspector-secret");
        return options;
    }

    quint32 request(wire::Request request)
    {
        wire::RequestFrame frame;
        frame.id = ++m_lastId;
        frame.request = std::move(request);
        Q_EMIT transport->received(wire::encode(frame));
        return m_lastId;
    }
    /// The answer to the last request.
    wire::ReplyBody answer(wire::Request wanted)
    {
        const quint32 id = request(std::move(wanted));
        std::optional<wire::ReplyBody> found;
        loopUntil([&] {
            found = replyTo(id);
            return found || !transport->isOpenNow;
        });
        return found.value_or(
            wire::ReplyBody(wire::Failure{QStringLiteral("test"), QStringLiteral("none"), {}, {}, {}}));
    }
    std::optional<wire::ReplyBody> replyTo(quint32 id) const
    {
        for (const QByteArray &bytes : transport->sent) {
            const auto frame = wire::decodeHostFrame(bytes);
            const auto *reply = frame ? std::get_if<wire::ReplyFrame>(&*frame) : nullptr;
            if (reply && reply->id == id)
                return reply->body;
        }
        return std::nullopt;
    }
    QList<wire::Push> pushes() const
    {
        QList<wire::Push> result;
        for (const QByteArray &bytes : transport->sent) {
            const auto frame = wire::decodeHostFrame(bytes);
            if (const auto *push = frame ? std::get_if<wire::PushFrame>(&*frame) : nullptr)
                result.append(push->push);
        }
        return result;
    }
    QList<wire::Record> records() const
    {
        QList<wire::Record> result;
        for (const wire::Push &push : pushes()) {
            if (const auto *appended = std::get_if<wire::RecordsAppended>(&push))
                result += appended->records;
        }
        return result;
    }
    wire::ReplyBody hello(const QString &token = QStringLiteral("inspector-secret"), bool readOnly = false)
    {
        wire::Hello hello;
        hello.client = QStringLiteral("test");
        hello.name = QStringLiteral("ada");
        hello.token = token;
        hello.readOnly = readOnly;
        return answer(hello);
    }
    wire::Subscribed subscribe(const QString &actor, quint64 after = 0)
    {
        const wire::ReplyBody body = answer(wire::Subscribe{actor, after});
        const auto *subscribed = std::get_if<wire::Subscribed>(&body);
        return subscribed ? *subscribed : wire::Subscribed();
    }
    wire::ReplyBody call(const QString &actor, const QString &action, Value args)
    {
        wire::CallAction request;
        request.actor = actor;
        request.action = action;
        request.args = std::move(args);
        return answer(request);
    }

    FakeTransport *transport = nullptr;
    std::unique_ptr<InspectorSocket> socket;

private:
    quint32 m_lastId = 0;
};

QString failureOf(const wire::ReplyBody &body)
{
    const auto *failure = std::get_if<wire::Failure>(&body);
    return failure ? failure->group + QLatin1Char('/') + failure->code : QString();
}

void increment(Doors &doors, const QString &actor)
{
    bool isDone = false;
    doors.host().call(actor, QStringLiteral("increment"), Value::array({Value(1)}), Value(),
                      Cause(QStringLiteral("action"), QStringLiteral("increment")), 0,
                      [&isDone](CallOutcome &&) { isDone = true; });
    loopUntil([&] { return isDone; });
    doors.environment().advance(std::chrono::milliseconds(60));
}

} // namespace

class tst_InspectorSocket : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helloIsAnsweredWithTheHost();
    void wrongTokenIsRefused_data();
    void wrongTokenIsRefused();
    void emptyTokenOfTheHostLetsNobodyIn();
    void trustedLinkNeedsNoToken();
    void anythingBeforeHelloIsRefused();
    void otherVersionIsRefused();
    void silentPeerIsClosed();
    void unknownMessageIsAnswered();
    void invalidMessageEndsTheLink();
    void listComesWholeAndThenInChanges();
    void longListComesInPages();
    void recordsFollowTheSnapshotWithoutHoles();
    void unsubscribedActorIsQuiet();
    void unknownActorIsNotFound();
    void callAnswersWithWhatItChanged();
    void failedCallSaysWhy();
    void cancelledCallIsAnsweredOnce();
    void lifecycleRequestsAreAnswered();
    void createMakesAndWakes();
    void readOnlyRefusesEveryChange();
    void typesAreListed();
    void pingIsEchoed();
    void watchingWakesNothing();
    void stuckLinkDropsAndStartsAgain();
    void stuckLinkHoldsABoundedAmount();
    void requestsWaitWhileStuck();
    void floodOfRequestsEndsTheLink();
    void peerThatTakesNothingIsCut();
    void slowPeerThatMakesProgressIsKept();
    void lineChangesWhileStuckComeAtOnce();
    void hostSaysGoodbye();
    void leavingDuringACallHarmsNothing();
    void worksOverAWebSocket();
};

void tst_InspectorSocket::helloIsAnsweredWithTheHost()
{
    Doors doors;
    Peer peer(doors);

    const wire::ReplyBody body = peer.hello();

    const auto *welcome = std::get_if<wire::Welcome>(&body);
    QVERIFY(welcome);
    QCOMPARE(welcome->product, QStringLiteral("terrarium"));
    QCOMPARE(welcome->hostName, QStringLiteral("test-host"));
    QCOMPARE(welcome->bootId, doors.host().bootId());
    QVERIFY(welcome->capabilities.contains(QStringLiteral("call")));
    QVERIFY(peer.socket->isAccepted());
}

void tst_InspectorSocket::wrongTokenIsRefused_data()
{
    QTest::addColumn<QString>("token");
    QTest::newRow("none") << QString();
    QTest::newRow("prefix") << QStringLiteral("inspector");
    QTest::newRow("longer") << QStringLiteral("inspector-secret-");
}

void tst_InspectorSocket::wrongTokenIsRefused()
{
    QFETCH(QString, token);
    Doors doors;
    Peer peer(doors);

    const wire::ReplyBody body = peer.hello(token);

    QCOMPARE(failureOf(body), QStringLiteral("inspector/unauthorized"));
    QCOMPARE(peer.transport->closeCode, quint16(1008));
}

void tst_InspectorSocket::emptyTokenOfTheHostLetsNobodyIn()
{
    Doors doors;
    Peer peer(doors, InspectorOptions());

    QCOMPARE(failureOf(peer.hello(QString())), QStringLiteral("inspector/unauthorized"));
}

void tst_InspectorSocket::trustedLinkNeedsNoToken()
{
    Doors doors;
    InspectorOptions options;
    options.isTrusted = true;
    Peer peer(doors, options);

    QVERIFY(std::holds_alternative<wire::Welcome>(peer.hello(QString())));
}

void tst_InspectorSocket::anythingBeforeHelloIsRefused()
{
    Doors doors;
    Peer peer(doors);

    QCOMPARE(failureOf(peer.answer(wire::WatchActors{true})), QStringLiteral("inspector/unauthorized"));
    QCOMPARE(peer.transport->closeCode, quint16(1008));
    QVERIFY(peer.pushes().isEmpty());
}

void tst_InspectorSocket::otherVersionIsRefused()
{
    Doors doors;
    Peer peer(doors);
    wire::Hello hello;
    hello.version = wire::inspectorProtocolVersion + 1;
    hello.token = QStringLiteral("inspector-secret");

    const wire::ReplyBody body = peer.answer(hello);

    QCOMPARE(failureOf(body), QStringLiteral("inspector/unsupported_version"));
    QCOMPARE(std::get<wire::Failure>(body).metadata["supported"], Value(wire::inspectorProtocolVersion));
    QVERIFY(!peer.transport->isOpenNow);
}

void tst_InspectorSocket::silentPeerIsClosed()
{
    Doors doors;
    Peer silent(doors);
    Peer good(doors);
    good.hello();

    doors.environment().advance(std::chrono::seconds(11));

    QCOMPARE(silent.transport->closeCode, quint16(1008));
    QVERIFY(good.transport->isOpenNow);
}

void tst_InspectorSocket::unknownMessageIsAnswered()
{
    Doors doors;
    Peer peer(doors);
    peer.hello();

    // {"id": 77, "t": "Zap"}
    Q_EMIT peer.transport->received(QByteArray::fromHex("a2626964184d6174635a6170"));

    const auto reply = peer.replyTo(77);
    QVERIFY(reply);
    QCOMPARE(failureOf(*reply), QStringLiteral("inspector/unknown_message"));
    QVERIFY(peer.transport->isOpenNow);
}

void tst_InspectorSocket::invalidMessageEndsTheLink()
{
    Doors doors;
    Peer peer(doors);
    peer.hello();

    Q_EMIT peer.transport->received("not CBOR at all");

    QCOMPARE(peer.transport->closeCode, quint16(1002));
}

void tst_InspectorSocket::listComesWholeAndThenInChanges()
{
    Doors doors;
    const QString first = doors.actorId(QStringLiteral("first"));
    Peer peer(doors);
    peer.hello();

    QVERIFY(std::holds_alternative<wire::Done>(peer.answer(wire::WatchActors{true})));
    const auto full = std::get<wire::ActorsChanged>(peer.pushes().first());
    const QString second = doors.actorId(QStringLiteral("second"));
    increment(doors, second);

    QVERIFY(full.full);
    QCOMPARE(full.upserts.size(), 1);
    QCOMPARE(full.upserts.first().id, first);
    QStringList changed;
    for (const wire::Push &push : peer.pushes().mid(1)) {
        const auto &change = std::get<wire::ActorsChanged>(push);
        QVERIFY(!change.full);
        for (const wire::ActorSummary &summary : change.upserts)
            changed.append(summary.id);
    }
    QVERIFY(changed.contains(second));
    QVERIFY(!changed.contains(first));
}

void tst_InspectorSocket::longListComesInPages()
{
    Doors doors;
    QSet<QString> made;
    for (int i = 0; i < 1100; ++i)
        made.insert(doors.host()
                        .getOrCreate(QStringLiteral("counter"), ActorKey{QString::number(i)}, std::nullopt, Cause())
                        .first.id);
    Peer peer(doors);
    peer.hello();

    peer.request(wire::WatchActors{true});
    const auto listed = [&peer] {
        QList<wire::ActorsChanged> pages;
        for (const wire::Push &push : peer.pushes())
            pages.append(std::get<wire::ActorsChanged>(push));
        return pages;
    };
    QCOMPARE(listed().size(), 1); // the others wait for later turns
    QVERIFY(listed().first().full);
    QCOMPARE(listed().first().upserts.size(), 500);

    for (int turn = 0; turn < 10 && listed().size() < 3; ++turn)
        doors.environment().advance(std::chrono::milliseconds(1));
    QCOMPARE(listed().size(), 3);
    QSet<QString> told;
    const QList<wire::ActorsChanged> pages = listed();
    for (qsizetype i = 0; i < pages.size(); ++i) {
        QCOMPARE(pages[i].full, i == 0);
        QVERIFY(pages[i].removed.isEmpty());
        for (const wire::ActorSummary &summary : pages[i].upserts)
            told.insert(summary.id);
    }
    QCOMPARE(told, made);
}

void tst_InspectorSocket::recordsFollowTheSnapshotWithoutHoles()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    increment(doors, actor); // its creation is behind it
    Peer peer(doors);
    peer.hello();
    const wire::Subscribed subscribed = peer.subscribe(actor);

    for (int i = 0; i < 20; ++i)
        increment(doors, actor);

    quint64 position = subscribed.snapshot.position;
    int deltas = 0;
    for (const wire::Record &record : peer.records()) {
        QCOMPARE(record.position, position + 1);
        position = record.position;
        if (const auto *delta = std::get_if<wire::DeltaRecord>(&record.body)) {
            ++deltas;
            QVERIFY(!delta->causes.isEmpty());
            QCOMPARE(delta->causes.first().name, QStringLiteral("increment"));
        }
    }
    QCOMPARE(deltas, 20);
}

void tst_InspectorSocket::unsubscribedActorIsQuiet()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    Peer peer(doors);
    peer.hello();
    peer.subscribe(actor);
    peer.answer(wire::Unsubscribe{actor});
    const qsizetype before = peer.records().size();

    increment(doors, actor);

    QCOMPARE(peer.records().size(), before);
}

void tst_InspectorSocket::unknownActorIsNotFound()
{
    Doors doors;
    Peer peer(doors);
    peer.hello();
    const QString ghost = QStringLiteral("9q5ta9sujsiehxlhyrini6qk9ecl00");

    QCOMPARE(failureOf(peer.answer(wire::Subscribe{ghost, 0})), QStringLiteral("actor/not_found"));
    QCOMPARE(failureOf(peer.answer(wire::SleepActor{ghost})), QStringLiteral("actor/not_found"));
    QCOMPARE(failureOf(peer.call(ghost, QStringLiteral("get"), Value::array())), QStringLiteral("actor/not_found"));
}

void tst_InspectorSocket::callAnswersWithWhatItChanged()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    Peer peer(doors);
    peer.hello();
    peer.subscribe(actor);

    const wire::ReplyBody body = peer.call(actor, QStringLiteral("increment"), Value::array({Value(5)}));

    const auto *result = std::get_if<wire::CallResult>(&body);
    QVERIFY2(result, failureOf(body).toUtf8().constData());
    QCOMPARE(result->result, Value(5));
    QVERIFY(result->woke);
    QVERIFY(result->firstSequence > 0);
    QCOMPARE(result->firstSequence, result->lastSequence);
}

void tst_InspectorSocket::failedCallSaysWhy()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    Peer peer(doors);
    peer.hello();

    const wire::ReplyBody boom = peer.call(actor, QStringLiteral("boom"), Value::array());
    const wire::ReplyBody none = peer.call(actor, QStringLiteral("zap"), Value::array());

    QCOMPARE(failureOf(boom), QStringLiteral("user/boom_code"));
    QCOMPARE(std::get<wire::Failure>(boom).actor.value_or(QString()), actor);
    QCOMPARE(failureOf(none), QStringLiteral("actor/action_not_found"));
}

void tst_InspectorSocket::cancelledCallIsAnsweredOnce()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    Peer peer(doors);
    peer.hello();
    wire::CallAction call;
    call.actor = actor;
    call.action = QStringLiteral("slow");
    call.args = Value::array({Value(1)});
    const quint32 id = peer.request(call);
    settle();

    QVERIFY(std::holds_alternative<wire::Done>(peer.answer(wire::CancelCall{id})));
    doors.environment().advance(std::chrono::seconds(2));

    int answers = 0;
    for (const QByteArray &bytes : peer.transport->sent) {
        const auto frame = wire::decodeHostFrame(bytes);
        const auto *reply = frame ? std::get_if<wire::ReplyFrame>(&*frame) : nullptr;
        answers += reply && reply->id == id ? 1 : 0;
    }
    QCOMPARE(answers, 1);
    QCOMPARE(failureOf(*peer.replyTo(id)), QStringLiteral("actor/aborted"));
}

void tst_InspectorSocket::lifecycleRequestsAreAnswered()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    Peer peer(doors);
    peer.hello();
    const auto status = [&] { return doors.host().snapshot(actor).summary.status; };

    QVERIFY(std::holds_alternative<wire::Done>(peer.answer(wire::WakeActor{actor})));
    QVERIFY(status() == wire::ActorStatus::running);
    QVERIFY(std::holds_alternative<wire::Done>(peer.answer(wire::SleepActor{actor})));
    QVERIFY(status() == wire::ActorStatus::sleeping);
    QVERIFY(std::holds_alternative<wire::Done>(peer.answer(wire::RestartActor{actor})));
    QVERIFY(status() == wire::ActorStatus::running);
    QVERIFY(std::holds_alternative<wire::Done>(peer.answer(wire::DestroyActor{actor})));
    QVERIFY(doors.host().findById(actor)->destroyed);
}

void tst_InspectorSocket::createMakesAndWakes()
{
    Doors doors;
    Peer peer(doors);
    peer.hello();
    wire::CreateActor create;
    create.type = QStringLiteral("counter");
    create.key = ActorKey("new");

    const auto first = std::get<wire::Created>(peer.answer(create));
    const auto second = std::get<wire::Created>(peer.answer(create));
    create.type = QStringLiteral("ghost");

    QVERIFY(first.created);
    QVERIFY(!second.created);
    QCOMPARE(first.actor.id, second.actor.id);
    QVERIFY(first.actor.status == wire::ActorStatus::running);
    QCOMPARE(failureOf(peer.answer(create)), QStringLiteral("actor/not_registered"));
}

void tst_InspectorSocket::readOnlyRefusesEveryChange()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    Peer peer(doors);
    const wire::ReplyBody welcome = peer.hello(QStringLiteral("inspector-secret"), true);
    QVERIFY(std::get<wire::Welcome>(welcome).readOnly);
    QVERIFY(!std::get<wire::Welcome>(welcome).capabilities.contains(QStringLiteral("call")));
    const QString refusal = QStringLiteral("inspector/read_only");

    QCOMPARE(failureOf(peer.call(actor, QStringLiteral("increment"), Value::array({Value(1)}))), refusal);
    QCOMPARE(failureOf(peer.answer(wire::SleepActor{actor})), refusal);
    QCOMPARE(failureOf(peer.answer(wire::WakeActor{actor})), refusal);
    QCOMPARE(failureOf(peer.answer(wire::RestartActor{actor})), refusal);
    QCOMPARE(failureOf(peer.answer(wire::DestroyActor{actor})), refusal);
    QCOMPARE(failureOf(peer.answer(wire::CreateActor{QStringLiteral("counter"), ActorKey("b"), {}, true})), refusal);
    QCOMPARE(peer.subscribe(actor).snapshot.summary.id, actor);
    QCOMPARE(doors.host().findById(actor)->generation, 0u);
}

void tst_InspectorSocket::typesAreListed()
{
    Doors doors;
    Peer peer(doors);
    peer.hello();

    const auto types = std::get<wire::Types>(peer.answer(wire::ListTypes{}));

    QCOMPARE(types.types.size(), 2);
}

void tst_InspectorSocket::pingIsEchoed()
{
    Doors doors;
    Peer peer(doors);
    peer.hello();

    QCOMPARE(std::get<wire::Pong>(peer.answer(wire::Ping{12345})).sentAt, 12345);
}

void tst_InspectorSocket::watchingWakesNothing()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    Peer peer(doors);
    peer.hello();
    peer.answer(wire::WatchActors{true});

    const wire::Subscribed subscribed = peer.subscribe(actor);
    doors.environment().advance(std::chrono::seconds(5));

    QVERIFY(!subscribed.snapshot.live);
    QCOMPARE(doors.host().findById(actor)->generation, 0u);
}

void tst_InspectorSocket::stuckLinkDropsAndStartsAgain()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    InspectorOptions options = Peer::optionsWithToken();
    options.highMark = 2000;
    increment(doors, actor); // its creation is behind it
    Peer peer(doors, options);
    peer.hello();
    peer.subscribe(actor);

    peer.transport->isStuck = true;
    for (int i = 0; i < 200; ++i)
        increment(doors, actor);
    const QList<wire::Record> before = peer.records();
    peer.transport->isStuck = false;
    peer.transport->takeAll();
    increment(doors, actor);

    int notices = 0;
    quint64 position = 0;
    quint64 deltas = 0;
    for (const wire::Push &push : peer.pushes()) {
        if (const auto *appended = std::get_if<wire::RecordsAppended>(&push)) {
            for (const wire::Record &record : appended->records) {
                QVERIFY(position == 0 || record.position == position + 1);
                position = record.position;
                deltas += std::holds_alternative<wire::DeltaRecord>(record.body) ? 1 : 0;
            }
        } else if (const auto *dropped = std::get_if<wire::Dropped>(&push)) {
            ++notices;
            QCOMPARE(dropped->firstPosition, position + 1);
            QCOMPARE(dropped->lastPosition, dropped->snapshot.position);
            position = dropped->snapshot.position;
            deltas += dropped->count;
            QVERIFY(dropped->count > 0);
        }
    }
    QCOMPARE(notices, 1);
    QCOMPARE(deltas, quint64(201));
    QVERIFY(before.size() < 200);
}

void tst_InspectorSocket::stuckLinkHoldsABoundedAmount()
{
    Doors doors;
    QStringList actors;
    for (int i = 0; i < 10; ++i)
        actors.append(doors.actorId(QString::number(i)));
    InspectorOptions options = Peer::optionsWithToken();
    options.highMark = 20000;
    Peer peer(doors, options);
    peer.hello();
    peer.answer(wire::WatchActors{true});
    for (const QString &actor : actors)
        peer.subscribe(actor);

    peer.transport->isStuck = true;
    for (int round = 0; round < 100; ++round) {
        for (const QString &actor : actors)
            increment(doors, actor);
    }

    QVERIFY2(peer.transport->mostStuckBytes < 60000, QByteArray::number(peer.transport->mostStuckBytes).constData());
}

void tst_InspectorSocket::requestsWaitWhileStuck()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    InspectorOptions options = Peer::optionsWithToken();
    options.highMark = 100;
    Peer peer(doors, options);
    peer.hello();
    peer.transport->isStuck = true;
    peer.transport->stuckBytes = 200;

    QList<quint32> ids;
    for (int i = 0; i < 20; ++i)
        ids.append(peer.request(wire::Subscribe{actor, 0}));
    settle();
    QVERIFY(!peer.replyTo(ids.first()));
    peer.transport->isStuck = false;
    peer.transport->takeAll();

    for (const quint32 id : ids)
        QVERIFY(peer.replyTo(id));
}

void tst_InspectorSocket::floodOfRequestsEndsTheLink()
{
    Doors doors;
    InspectorOptions options = Peer::optionsWithToken();
    options.highMark = 100;
    options.waitingRequests = 10;
    Peer peer(doors, options);
    peer.hello();
    peer.transport->stuckBytes = 200;

    for (int i = 0; i < 20; ++i)
        peer.request(wire::Ping{i});

    QCOMPARE(peer.transport->closeCode, quint16(1008));
}

void tst_InspectorSocket::peerThatTakesNothingIsCut()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    InspectorOptions options = Peer::optionsWithToken();
    options.highMark = 1000;
    Peer peer(doors, options);
    peer.hello();
    peer.subscribe(actor);
    peer.transport->isStuck = true;
    for (int i = 0; i < 20; ++i)
        increment(doors, actor);

    doors.environment().advance(std::chrono::seconds(60));
    QVERIFY(peer.transport->isOpenNow);
    doors.environment().advance(std::chrono::seconds(70));
    doors.environment().advance(std::chrono::seconds(130));

    QCOMPARE(peer.transport->closeReason, QStringLiteral("inspector.too_slow"));
}

void tst_InspectorSocket::slowPeerThatMakesProgressIsKept()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    InspectorOptions options = Peer::optionsWithToken();
    options.highMark = 1000;
    Peer peer(doors, options);
    peer.hello();
    peer.subscribe(actor);
    peer.transport->isStuck = true;
    for (int i = 0; i < 20; ++i)
        increment(doors, actor);

    for (int i = 0; i < 10; ++i) {
        doors.environment().advance(std::chrono::seconds(60));
        peer.transport->takeAll();
        increment(doors, actor);
    }

    QVERIFY(peer.transport->isOpenNow);
}

void tst_InspectorSocket::lineChangesWhileStuckComeAtOnce()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    InspectorOptions options = Peer::optionsWithToken();
    options.highMark = 100;
    Peer peer(doors, options);
    peer.hello();
    peer.answer(wire::WatchActors{true});
    peer.transport->stuckBytes = 200;
    const qsizetype before = peer.pushes().size();
    for (int i = 0; i < 10; ++i)
        increment(doors, actor);
    QCOMPARE(peer.pushes().size(), before);

    peer.transport->takeAll();

    QCOMPARE(peer.pushes().size(), before + 1);
    const auto changed = std::get<wire::ActorsChanged>(peer.pushes().last());
    QCOMPARE(changed.upserts.size(), 1);
    QCOMPARE(changed.upserts.first().sequence, doors.host().snapshot(actor).summary.sequence);
}

void tst_InspectorSocket::hostSaysGoodbye()
{
    Doors doors;
    Peer peer(doors);
    peer.hello();

    peer.socket->sayGoodbye(QStringLiteral("stopping"));

    QCOMPARE(std::get<wire::HostGoodbye>(peer.pushes().last()).reason, QStringLiteral("stopping"));
}

void tst_InspectorSocket::leavingDuringACallHarmsNothing()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    {
        Peer peer(doors);
        peer.hello();
        peer.subscribe(actor);
        wire::CallAction call;
        call.actor = actor;
        call.action = QStringLiteral("slow");
        call.args = Value::array({Value(1)});
        peer.request(call);
        settle();
    }

    doors.environment().advance(std::chrono::seconds(2));
    increment(doors, actor);

    QCOMPARE(doors.host().snapshot(actor).summary.generation, 1u);
}

void tst_InspectorSocket::worksOverAWebSocket()
{
    Doors doors;
    const QString actor = doors.actorId(QStringLiteral("a"));
    QWebSocket client;
    QList<QByteArray> frames;
    QObject::connect(&client, &QWebSocket::binaryMessageReceived, &client,
                     [&frames](const QByteArray &bytes) { frames.append(bytes); });
    QNetworkRequest request(QUrl(QStringLiteral("ws://127.0.0.1:%1/inspector").arg(doors.port())));
    request.setRawHeader("Sec-WebSocket-Protocol", "terrarium-inspector");
    client.open(request);
    QVERIFY(loopUntil([&] { return client.state() == QAbstractSocket::ConnectedState; }));
    QCOMPARE(client.subprotocol(), QStringLiteral("terrarium-inspector"));
    const auto send = [&client](quint32 id, wire::Request body) {
        wire::RequestFrame frame;
        frame.id = id;
        frame.request = std::move(body);
        client.sendBinaryMessage(wire::encode(frame));
    };

    wire::Hello hello;
    hello.token = QStringLiteral("inspector-secret");
    send(1, hello);
    send(2, wire::Subscribe{actor, 0});
    QVERIFY(loopUntil([&] { return frames.size() >= 2; }));
    increment(doors, actor);

    QVERIFY(loopUntil([&] {
        for (const QByteArray &bytes : frames) {
            const auto frame = wire::decodeHostFrame(bytes);
            const auto *push = frame ? std::get_if<wire::PushFrame>(&*frame) : nullptr;
            if (push && std::holds_alternative<wire::RecordsAppended>(push->push))
                return true;
        }
        return false;
    }));
    QCOMPARE(doors.server().inspectorCount(), 1);
    client.close();
    QVERIFY(loopUntil([&] { return doors.server().inspectorCount() == 0; }));
}

QTEST_GUILESS_MAIN(tst_InspectorSocket)
#include "tst_inspector_socket.moc"
