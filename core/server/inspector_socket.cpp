#include "server/inspector_socket.h"

#include "server/access.h"
#include "wire/client_protocol.h"
#include "wire/codec.h"

#include <QCoreApplication>
#include <QDir>
#include <QPointer>

#include <memory>
#include <utility>

namespace terrarium {

namespace {

/// Lines of one page: a few milliseconds of work.
constexpr int listPageSize = 500;

Error inspectorError(const char *code, const QString &message, Value metadata = {})
{
    return Error(QStringLiteral("inspector"), QString::fromLatin1(code), message, std::move(metadata));
}

bool isMutating(const wire::Request &request)
{
    return std::holds_alternative<wire::CallAction>(request) || std::holds_alternative<wire::SleepActor>(request)
           || std::holds_alternative<wire::WakeActor>(request) || std::holds_alternative<wire::RestartActor>(request)
           || std::holds_alternative<wire::DestroyActor>(request) || std::holds_alternative<wire::CreateActor>(request);
}

} // namespace

InspectorSocket::InspectorSocket(HostCore &host, std::unique_ptr<Transport> transport, InspectorOptions options)
    : m_host(host),
      m_transport(std::move(transport)),
      m_options(std::move(options)),
      m_isReadOnly(m_options.readOnly)
{
    connect(m_transport.get(), &Transport::received, this, &InspectorSocket::received);
    connect(m_transport.get(), &Transport::drained, this, &InspectorSocket::drained);
    connect(m_transport.get(), &Transport::closed, this, [this] {
        m_isOver = true;
        if (m_isWatcher)
            m_host.removeWatcher(this);
        m_isWatcher = false;
        Q_EMIT gone();
    });
    m_helloTimer = host.environment().clock.after(m_options.helloWithin, [this] {
        if (!m_isAccepted)
            close(1008, QStringLiteral("inspector.unauthorized"));
    });
}

InspectorSocket::~InspectorSocket()
{
    if (m_isWatcher)
        m_host.removeWatcher(this);
    m_transport->disconnect(this);
}

void InspectorSocket::sayGoodbye(const QString &reason)
{
    if (m_isAccepted && !m_isOver)
        push(wire::HostGoodbye{reason});
}

void InspectorSocket::close(quint16 code, const QString &reason)
{
    m_isOver = true;
    m_requests.clear();
    m_transport->close(code, reason);
}

// ---- requests ---------------------------------------------------------------------------------------

void InspectorSocket::received(const QByteArray &bytes)
{
    if (m_isOver)
        return;
    try {
        m_requests.push_back(wire::decodeRequest(bytes));
    } catch (const Error &error) {
        if (error.is(QLatin1String("inspector"), QLatin1String("unknown_message")) && m_isAccepted) {
            fail(quint32(error.metadata()["id"].toUInt()), error);
            return;
        }
        // What follows cannot be told apart from it: there is no id to answer to.
        fail(0, error);
        close(1002, QStringLiteral("inspector.invalid_message"));
        return;
    }
    if (int(m_requests.size()) > m_options.waitingRequests) {
        close(1008, QStringLiteral("inspector.too_many_requests"));
        return;
    }
    pump();
}

void InspectorSocket::pump()
{
    if (m_isPumping)
        return;
    m_isPumping = true;
    while (!m_requests.empty() && !m_isOver && !isCongested()) {
        const wire::RequestFrame frame = std::move(m_requests.front());
        m_requests.pop_front();
        try {
            handle(frame);
        } catch (const Error &error) {
            fail(frame.id, error);
        }
    }
    m_isPumping = false;
}

void InspectorSocket::handle(const wire::RequestFrame &frame)
{
    const quint32 id = frame.id;
    if (const auto *request = std::get_if<wire::Hello>(&frame.request))
        return hello(id, *request);
    if (!m_isAccepted) {
        fail(id, inspectorError("unauthorized", QStringLiteral("the first message must be a Hello with the token")));
        close(1008, QStringLiteral("inspector.unauthorized"));
        return;
    }
    if (m_isReadOnly && isMutating(frame.request)) {
        fail(id, inspectorError("read_only", QStringLiteral("this link may only look, not change anything")));
        return;
    }
    if (const auto *request = std::get_if<wire::WatchActors>(&frame.request)) {
        m_isWatchingList = request->on;
        m_staleActors.clear();
        m_pageTimer.cancel();
        m_pages.reset();
        reply(id, wire::Done{});
        if (request->on) {
            watch();
            m_pages = std::make_unique<ListPages>();
            m_pages->isFull = true;
            sendListPage();
        }
    } else if (const auto *request = std::get_if<wire::Subscribe>(&frame.request)) {
        subscribe(id, *request);
    } else if (const auto *request = std::get_if<wire::Unsubscribe>(&frame.request)) {
        if (m_feeds.remove(request->actor) > 0)
            m_host.unsubscribe(this, request->actor);
        reply(id, wire::Done{});
    } else if (const auto *request = std::get_if<wire::CallAction>(&frame.request)) {
        callAction(id, *request);
    } else if (const auto *request = std::get_if<wire::CancelCall>(&frame.request)) {
        cancelCall(id, *request);
    } else if (const auto *request = std::get_if<wire::SleepActor>(&frame.request)) {
        m_host.sleep(request->actor, cause(), doneReply(id, request->actor));
    } else if (const auto *request = std::get_if<wire::WakeActor>(&frame.request)) {
        m_host.wake(request->actor, cause(), doneReply(id, request->actor));
    } else if (const auto *request = std::get_if<wire::RestartActor>(&frame.request)) {
        m_host.restart(request->actor, cause(), doneReply(id, request->actor));
    } else if (const auto *request = std::get_if<wire::DestroyActor>(&frame.request)) {
        m_host.destroy(request->actor, cause(), doneReply(id, request->actor));
    } else if (const auto *request = std::get_if<wire::CreateActor>(&frame.request)) {
        createActor(id, *request);
    } else if (std::holds_alternative<wire::ListTypes>(frame.request)) {
        wire::Types types;
        const QStringList names = m_host.typeNames();
        for (const QString &name : names)
            types.types.append(m_host.typeInfo(name));
        reply(id, std::move(types));
    } else if (const auto *request = std::get_if<wire::Ping>(&frame.request)) {
        reply(id, wire::Pong{request->sentAt, m_host.environment().clock.wallMs()});
    }
}

void InspectorSocket::hello(quint32 id, const wire::Hello &hello)
{
    const bool isTokenRight = isSameSecret(hello.token.toUtf8(), m_options.token.toUtf8());
    if (!m_options.isTrusted && (m_options.token.isEmpty() || !isTokenRight)) {
        fail(id, inspectorError("unauthorized", QStringLiteral("the inspector token is missing or wrong")));
        close(1008, QStringLiteral("inspector.unauthorized"));
        return;
    }
    if (hello.version != wire::inspectorProtocolVersion) {
        Value metadata = Value::map();
        metadata.set(QStringLiteral("supported"), wire::inspectorProtocolVersion);
        fail(id, inspectorError("unsupported_version",
                                QStringLiteral("this host speaks version %1 of the inspector protocol, not %2")
                                    .arg(wire::inspectorProtocolVersion)
                                    .arg(hello.version),
                                std::move(metadata)));
        close(1002, QStringLiteral("inspector.unsupported_version"));
        return;
    }
    m_isAccepted = true;
    m_helloTimer.cancel();
    m_name = hello.name;
    m_isReadOnly = m_options.readOnly || hello.readOnly;

    wire::Welcome welcome;
    welcome.product = QStringLiteral("terrarium");
    welcome.productVersion = QStringLiteral(TERRARIUM_VERSION);
    welcome.bootId = m_host.bootId();
    welcome.hostName = m_host.options().name;
    if (welcome.hostName.isEmpty())
        welcome.hostName = QDir::current().dirName();
    welcome.pid = QCoreApplication::applicationPid();
    welcome.startedAt = m_host.startedAt();
    welcome.now = m_host.environment().clock.wallMs();
    welcome.durability =
        m_host.options().durability == Durability::Power ? QStringLiteral("power") : QStringLiteral("process");
    welcome.readOnly = m_isReadOnly;
    welcome.capabilities = QStringList{QStringLiteral("actors"), QStringLiteral("deltas"),
                                       QStringLiteral("transitions"), QStringLiteral("awake")};
    if (!m_isReadOnly)
        welcome.capabilities +=
            QStringList{QStringLiteral("call"),    QStringLiteral("sleep"),   QStringLiteral("wake"),
                        QStringLiteral("restart"), QStringLiteral("destroy"), QStringLiteral("create")};
    reply(id, std::move(welcome));
}

void InspectorSocket::subscribe(quint32 id, const wire::Subscribe &request)
{
    watch();
    wire::Subscribed subscribed = m_host.subscribe(this, request.actor, request.after);
    Feed feed;
    feed.sentPosition = subscribed.snapshot.position;
    m_feeds.insert(request.actor, feed);
    reply(id, std::move(subscribed));
}

void InspectorSocket::callAction(quint32 id, const wire::CallAction &request)
{
    m_calls.insert(id);
    const Cause cause(QStringLiteral("action"), request.action, QStringLiteral("inspector ") + m_name);
    m_host.call(request.actor, request.action, wire::normalizedArgs(request.args), Value(), cause, request.timeoutMs,
                [self = QPointer<InspectorSocket>(this), id, actor = request.actor](CallOutcome &&outcome) {
                    if (!self || !self->m_calls.remove(id))
                        return; // gone, or nobody waits any more
                    if (const auto *error = std::get_if<Error>(&outcome.result)) {
                        self->fail(id, *error, actor);
                        return;
                    }
                    wire::CallResult result;
                    result.result = std::get<Value>(std::move(outcome.result));
                    result.tookUs = outcome.tookUs;
                    result.woke = outcome.woke;
                    result.firstSequence = outcome.firstSequence;
                    result.lastSequence = outcome.lastSequence;
                    result.changedPaths = outcome.changedPaths;
                    self->reply(id, std::move(result));
                });
}

void InspectorSocket::cancelCall(quint32 id, const wire::CancelCall &request)
{
    if (m_calls.remove(request.call))
        fail(request.call, Error(QStringLiteral("actor"), QStringLiteral("aborted"),
                                 QStringLiteral("the inspector stopped waiting; the action itself runs on")));
    reply(id, wire::Done{});
}

void InspectorSocket::createActor(quint32 id, const wire::CreateActor &request)
{
    const auto [actor, created] = m_host.getOrCreate(request.type, request.key, request.input, cause());
    const auto answer = [self = QPointer<InspectorSocket>(this), id, actorId = actor.id, created = created] {
        if (!self)
            return;
        try {
            wire::Created body;
            body.actor = self->m_host.snapshot(actorId).summary;
            body.created = created;
            self->reply(id, std::move(body));
        } catch (const Error &error) {
            self->fail(id, error, actorId);
        }
    };
    if (!request.wake)
        return answer();
    m_host.wake(
        actor.id, cause(),
        [self = QPointer<InspectorSocket>(this), id, actorId = actor.id, answer](const std::optional<Error> &error) {
            if (!self)
                return;
            if (error)
                self->fail(id, *error, actorId);
            else
                answer();
        });
}

DoneReply InspectorSocket::doneReply(quint32 id, const QString &actor)
{
    return [self = QPointer<InspectorSocket>(this), id, actor](const std::optional<Error> &error) {
        if (!self)
            return;
        if (error)
            self->fail(id, *error, actor);
        else
            self->reply(id, wire::Done{});
    };
}

// ---- pushes -----------------------------------------------------------------------------------------

void InspectorSocket::watch()
{
    if (m_isWatcher)
        return;
    m_isWatcher = true;
    m_host.addWatcher(this);
}

bool InspectorSocket::isCongested()
{
    const qint64 pending = m_transport->pendingBytes();
    if (pending <= m_options.highMark)
        return false;
    if (!m_cutTimer.isArmed()) {
        m_pendingWhenChecked = pending;
        m_cutTimer = m_host.environment().clock.after(m_options.cutAfter, [this] { checkProgress(); });
    }
    return true;
}

void InspectorSocket::checkProgress()
{
    const qint64 pending = m_transport->pendingBytes();
    if (m_isOver || pending <= m_options.highMark)
        return;
    if (pending >= m_pendingWhenChecked) {
        close(1011, QStringLiteral("inspector.too_slow"));
        return;
    }
    m_pendingWhenChecked = pending;
    m_cutTimer = m_host.environment().clock.after(m_options.cutAfter, [this] { checkProgress(); });
}

void InspectorSocket::actorsChanged(const QList<wire::ActorSummary> &upserts, const QStringList &removed)
{
    if (!m_isWatchingList || m_isOver)
        return;
    if (!m_staleActors.isEmpty() || isCongested()) {
        for (const wire::ActorSummary &summary : upserts)
            m_staleActors.insert(summary.id);
        for (const QString &id : removed)
            m_staleActors.insert(id);
        return;
    }
    wire::ActorsChanged changed;
    changed.upserts = upserts;
    changed.removed = removed;
    push(std::move(changed));
}

void InspectorSocket::recordsAppended(const QString &actorId, const QList<wire::Record> &records)
{
    const auto it = m_feeds.find(actorId);
    if (it == m_feeds.end() || m_isOver)
        return;
    Feed &feed = *it;
    qsizetype known = 0; // those in the last snapshot already
    while (known < records.size() && records[known].position <= feed.sentPosition)
        ++known;
    if (known == records.size())
        return;
    if (!feed.isDropping && !isCongested()) {
        wire::RecordsAppended appended;
        appended.actor = actorId;
        appended.records = known == 0 ? records : records.mid(known);
        if (push(std::move(appended))) {
            feed.sentPosition = records.last().position;
            return;
        }
        // A record that no frame can hold: the feed starts again behind it.
        m_host.environment().executor.post([self = QPointer<InspectorSocket>(this)] {
            if (self)
                self->drained();
        });
    }
    if (!feed.isDropping) {
        feed.isDropping = true;
        feed.droppedDeltas = 0;
        feed.firstPosition = 0;
    }
    if (feed.firstPosition == 0) {
        feed.firstPosition = records[known].position;
        feed.from = records[known].at;
    }
    for (qsizetype i = known; i < records.size(); ++i) {
        if (std::holds_alternative<wire::DeltaRecord>(records[i].body))
            ++feed.droppedDeltas;
    }
    feed.lastPosition = records.last().position;
    feed.to = records.last().at;
    feed.sentPosition = feed.lastPosition;
}

void InspectorSocket::awakeChanged(const QString &actorId, const QList<wire::Blocker> &blockers,
                                   const wire::SleepForecast &forecast)
{
    const auto it = m_feeds.find(actorId);
    if (it == m_feeds.end() || m_isOver || it->isDropping)
        return; // a feed that starts again brings the list along
    if (isCongested()) {
        it->isDropping = true;
        it->droppedDeltas = 0;
        it->firstPosition = 0;
        it->lastPosition = 0;
        it->from = it->to = m_host.environment().clock.wallMs();
        return;
    }
    push(wire::AwakeChanged{actorId, blockers, forecast});
}

void InspectorSocket::drained()
{
    if (m_isOver)
        return;
    recover();
    pump();
}

void InspectorSocket::recover()
{
    // Each notice carries a snapshot: stop again as soon as the link is full, the next drain goes on.
    if (m_transport->pendingBytes() > m_options.highMark / 2)
        return;
    m_cutTimer.cancel();
    for (auto it = m_feeds.begin(); it != m_feeds.end() && !isCongested(); ++it) {
        Feed &feed = *it;
        if (!feed.isDropping)
            continue;
        feed.isDropping = false;
        try {
            wire::Dropped dropped;
            dropped.actor = it.key();
            dropped.count = feed.droppedDeltas;
            dropped.firstPosition = feed.firstPosition;
            dropped.lastPosition = feed.lastPosition;
            dropped.from = feed.from;
            dropped.to = feed.to;
            dropped.snapshot = m_host.snapshot(it.key());
            // What was kept of the gap is left out: the notice is to be small.
            dropped.snapshot.records.clear();
            feed.sentPosition = dropped.snapshot.position;
            push(std::move(dropped));
        } catch (const Error &) {
            feed.isDropping = false; // its rows are gone; the list says so
        }
    }
    sendListPage();
}

// One page a turn, so that a long list holds up nobody. A full link takes the next one when it has drained.
void InspectorSocket::sendListPage()
{
    if (m_isOver || !m_isWatchingList || (!m_pages && m_staleActors.isEmpty()) || isCongested())
        return;
    if (!m_pages) {
        m_pages = std::make_unique<ListPages>();
        m_pages->isPicky = true;
        m_pages->wanted.swap(m_staleActors);
    }
    ListPages &pages = *m_pages;
    wire::ActorsChanged changed;
    changed.full = std::exchange(pages.isFull, false);
    changed.upserts = m_host.summaries(pages.cursor, listPageSize);
    if (pages.isPicky) {
        changed.upserts.removeIf(
            [&pages](const wire::ActorSummary &summary) { return !pages.wanted.remove(summary.id); });
    }
    if (pages.cursor.isDone) {
        changed.removed = QStringList(pages.wanted.cbegin(), pages.wanted.cend());
        m_pages.reset();
    }
    if (m_pages || !m_staleActors.isEmpty())
        m_pageTimer = m_host.environment().clock.after(Duration(0), [this] { sendListPage(); });
    if (changed.full || !changed.upserts.isEmpty() || !changed.removed.isEmpty())
        push(std::move(changed));
}

// ---- frames -----------------------------------------------------------------------------------------

Cause InspectorSocket::cause() const
{
    return Cause(QStringLiteral("inspector"), m_name);
}

void InspectorSocket::reply(quint32 id, wire::ReplyBody body)
{
    wire::ReplyFrame frame;
    frame.id = id;
    frame.body = std::move(body);
    QByteArray bytes;
    try {
        bytes = wire::encode(frame);
    } catch (const Error &error) {
        // A value that an author built and no frame can hold.
        wire::Failure failure;
        failure.group = error.group();
        failure.code = error.code();
        failure.message = error.message();
        frame.body = std::move(failure);
        bytes = wire::encode(frame);
    }
    m_transport->send(bytes);
}

void InspectorSocket::fail(quint32 id, const Error &error, const std::optional<QString> &actor)
{
    wire::Failure failure;
    failure.group = error.group();
    failure.code = error.code();
    failure.message = error.message();
    failure.metadata = error.metadata();
    failure.actor = actor;
    if (!failure.actor && error.actor())
        failure.actor = error.actor()->actorId;
    reply(id, std::move(failure));
}

bool InspectorSocket::push(wire::Push push)
{
    wire::PushFrame frame;
    frame.push = std::move(push);
    QByteArray bytes;
    try {
        bytes = wire::encode(frame);
    } catch (const Error &) {
        return false;
    }
    m_transport->send(bytes);
    return true;
}

} // namespace terrarium
