#include "testing/fake_host.h"

#include "client/replay.h"
#include "testing/fake_host_parts.h"
#include "value/cbor.h"
#include "value/delta.h"
#include "wire/codec.h"
#include "wire/loopback_transport.h"

#include <QPointer>

namespace terrarium {

namespace {
const QStringList fakeHostCapabilities{
    QStringLiteral("actors"),  QStringLiteral("deltas"), QStringLiteral("transitions"), QStringLiteral("awake"),
    QStringLiteral("call"),    QStringLiteral("sleep"),  QStringLiteral("wake"),        QStringLiteral("restart"),
    QStringLiteral("destroy"), QStringLiteral("create"), QStringLiteral("types")};

wire::Failure fakeFailure(const char *group, const char *code, const QString &message, Value metadata = {})
{
    wire::Failure failure;
    failure.group = QString::fromLatin1(group);
    failure.code = QString::fromLatin1(code);
    failure.message = message;
    failure.metadata = std::move(metadata);
    return failure;
}

bool fakeIsLive(wire::ActorStatus status)
{
    switch (status) {
    case wire::ActorStatus::starting:
    case wire::ActorStatus::running:
    case wire::ActorStatus::sleepGrace:
    case wire::ActorStatus::sleepFinalize:
    case wire::ActorStatus::destroyGrace: return true;
    default: return false;
    }
}

/// 30 characters, readable in failures and in order of creation.
QString fakeActorId(int port, int number)
{
    return QStringLiteral("01jx4q8m2v%1%2")
        .arg(port % 1000000, 6, 10, QLatin1Char('0'))
        .arg(number, 14, 36, QLatin1Char('0'));
}
} // namespace

FakeHost::FakeHost(Environment &environment, QString name, int port)
    : m_environment(environment),
      m_name(std::move(name)),
      m_port(port),
      m_startedAt(environment.clock.wallMs()),
      m_productVersion(QStringLiteral("0.1.0")),
      m_capabilities(fakeHostCapabilities),
      m_isReachable(std::make_shared<std::atomic<bool>>(true)),
      m_self(std::make_shared<FakeHost *>(this))
{
    m_bootId = QStringLiteral("boot-%1-%2").arg(m_port).arg(m_run);
}

FakeHost::~FakeHost()
{
    *m_self = nullptr;
    for (const std::unique_ptr<Link> &link : m_links)
        link->transport->disconnect(this);
}

HostAddress FakeHost::address() const
{
    HostAddress address;
    address.url = QUrl(QStringLiteral("ws://127.0.0.1:%1").arg(m_port));
    address.token = m_token;
    address.label = m_name;
    Executor *executor = &m_environment.executor;
    Executor *clientExecutor = m_environment.singleThreaded ? executor : nullptr;
    QThread *thread = this->thread();
    address.connect = [self = m_self, isReachable = m_isReachable, executor, clientExecutor,
                       thread]() -> std::unique_ptr<Transport> {
        if (!*isReachable)
            return nullptr;
        auto [client, host] = LoopbackTransport::pair(clientExecutor, executor);
        host->moveToThread(thread);
        // The object may be gone by the time the posted work runs; then the link closes with it.
        auto end = std::make_shared<std::unique_ptr<LoopbackTransport>>(std::move(host));
        executor->postFromAnyThread([self, end] {
            if (FakeHost *fake = *self)
                fake->accept(std::move(*end));
        });
        return std::move(client);
    };
    return address;
}

// ---- What exists ---------------------------------------------------------------------------------------

void FakeHost::addType(const wire::TypeInfo &type)
{
    m_types.append(type);
}

QString FakeHost::addActor(const QString &type, const ActorKey &key, wire::ActorStatus status, const Value &state)
{
    auto made = std::make_unique<Actor>();
    wire::ActorSummary &summary = made->summary;
    const qint64 now = m_environment.clock.wallMs();
    summary.id = fakeActorId(m_port, m_nextActor++);
    summary.type = type;
    summary.key = key;
    summary.generation = status == wire::ActorStatus::pending ? 0 : 1;
    summary.status = status;
    summary.since = now;
    summary.createdAt = now;
    summary.createdBy = Cause(QStringLiteral("create"), QStringLiteral("client"));
    summary.lastActivityAt = now;
    summary.hasState = !state.isUndefined();
    summary.forecast.kind =
        status == wire::ActorStatus::sleeping ? QStringLiteral("asleep") : QStringLiteral("blocked");
    summary.stateBytes = state.isUndefined() ? 0 : cbor::encodedSize(state);
    made->state = state;
    made->savedAt = now;
    const QString id = summary.id;
    m_actorsById.insert(id, made.get());
    m_actors.push_back(std::move(made));
    markChanged(id);
    return id;
}

void FakeHost::addActors(int count, const QStringList &types)
{
    for (int i = 0; i < count; ++i) {
        const QString &type = types[i % types.size()];
        addActor(type, ActorKey(QStringLiteral("%1-%2").arg(type.left(3)).arg(i, 5, 10, QLatin1Char('0'))),
                 i % 3 == 0 ? wire::ActorStatus::running : wire::ActorStatus::sleeping);
    }
}

void FakeHost::removeActor(const QString &id)
{
    const auto it = std::find_if(m_actors.begin(), m_actors.end(), [&](const auto &a) { return a->summary.id == id; });
    if (it == m_actors.end())
        return;
    m_actors.erase(it);
    m_actorsById.remove(id);
    m_changed.remove(id);
    m_removed.append(id);
    wakeTurn();
}

QString FakeHost::idOf(const QString &type, const ActorKey &key) const
{
    for (const auto &actor : m_actors) {
        if (actor->summary.type == type && actor->summary.key == key)
            return actor->summary.id;
    }
    return {};
}

FakeHost::Actor &FakeHost::actor(const QString &id)
{
    Actor *found = m_actorsById.value(id);
    if (!found)
        qFatal("FakeHost: no actor with id \"%s\"", qPrintable(id));
    return *found;
}

const FakeHost::Actor &FakeHost::actor(const QString &id) const
{
    return const_cast<FakeHost *>(this)->actor(id);
}

const wire::ActorSummary &FakeHost::summary(const QString &id) const
{
    return actor(id).summary;
}

void FakeHost::edit(const QString &id, const std::function<void(wire::ActorSummary &)> &change)
{
    change(actor(id).summary);
    markChanged(id);
}

const Value &FakeHost::state(const QString &id) const
{
    return actor(id).state;
}

quint64 FakeHost::sequence(const QString &id) const
{
    return actor(id).summary.sequence;
}

QStringList FakeHost::actorIds() const
{
    QStringList ids;
    for (const auto &actor : m_actors)
        ids.append(actor->summary.id);
    return ids;
}

// ---- What happens --------------------------------------------------------------------------------------

qint64 FakeHost::nowOr(qint64 at) const
{
    return at > 0 ? at : m_environment.clock.wallMs();
}

quint64 FakeHost::append(Actor &actor, decltype(wire::Record::body) body, qint64 at)
{
    wire::Record record;
    record.position = ++actor.position;
    record.at = nowOr(at);
    record.body = std::move(body);
    actor.log.push_back(std::move(record));
    wakeTurn();
    return actor.position;
}

quint64 FakeHost::change(const QString &id, const Cause &cause, const Delta &ops, qint64 at)
{
    Actor &target = actor(id);
    wire::DeltaRecord delta;
    delta.base = target.summary.sequence;
    delta.sequence = delta.base + 1;
    delta.causes = {cause};
    for (DeltaOp op : ops) {
        if (op.kind != DeltaOp::Kind::Insert) {
            const Value *old = op.path.find(target.state);
            op.old = old ? *old : Value::undefined();
        }
        if (!replay::apply(target.state, {op}))
            qFatal("FakeHost: a change of \"%s\" names a place that is not there: %s", qPrintable(id),
                   qPrintable(op.path.toText()));
        delta.ops.append(op);
    }
    target.summary.stateBytes = cbor::encodedSize(target.state);
    delta.stateBytes = target.summary.stateBytes;
    target.summary.sequence = delta.sequence;
    target.summary.lastActivityAt = nowOr(at);
    append(target, delta, at);
    markChanged(id);
    return delta.sequence;
}

quint64 FakeHost::setState(const QString &id, const Value &state, const Cause &cause, qint64 at)
{
    const Delta ops = delta::diff(actor(id).state, state);
    return ops.isEmpty() ? 0 : change(id, cause, ops, at);
}

void FakeHost::saved(const QString &id, quint64 sequence, qint64 tookUs, qint64 at)
{
    Actor &target = actor(id);
    wire::SavedRecord record;
    record.sequence = sequence;
    record.tookUs = tookUs;
    target.summary.savedSequence = std::max(target.summary.savedSequence, sequence);
    if (target.summary.savedSequence >= target.summary.sequence)
        target.summary.unsavedSince = 0;
    target.savedAt = nowOr(at);
    append(target, record, at);
    markChanged(id);
}

void FakeHost::transition(const QString &id, const wire::TransitionRecord &transition, qint64 at)
{
    Actor &target = actor(id);
    target.summary.status = transition.to;
    target.summary.since = nowOr(at);
    if (transition.generation > 0)
        target.summary.generation = transition.generation;
    append(target, transition, at);
    markChanged(id);
}

void FakeHost::note(const QString &id, const wire::NoteRecord &note, qint64 at)
{
    append(actor(id), note, at);
}

void FakeHost::called(const QString &id, const wire::CallRecord &call, qint64 at)
{
    append(actor(id), call, at);
}

void FakeHost::gauge(const QString &id, int connections, int queueSize, qint64 at)
{
    Actor &target = actor(id);
    wire::GaugeRecord record;
    record.connections = connections;
    record.queueSize = queueSize;
    target.summary.connections = connections;
    target.summary.queueSize = queueSize;
    append(target, record, at);
    markChanged(id);
}

void FakeHost::awake(const QString &id, const wire::AwakeRecord &awake, qint64 at)
{
    append(actor(id), awake, at);
}

void FakeHost::setBlockers(const QString &id, const QList<wire::Blocker> &blockers, const wire::SleepForecast &forecast)
{
    Actor &target = actor(id);
    target.blockers = blockers;
    target.summary.forecast = forecast;
    target.summary.blockers.clear();
    for (const wire::Blocker &blocker : blockers) {
        if (blocker.on)
            target.summary.blockers.append(blocker);
    }
    target.isAwakeChanged = true;
    markChanged(id);
}

void FakeHost::flood(const QString &id, int count, const Path &path)
{
    const Value *present = path.find(actor(id).state);
    qint64 number = present ? present->toInt() : 0;
    for (int i = 0; i < count; ++i)
        change(id, Cause(QStringLiteral("action"), QStringLiteral("flood")),
               {DeltaOp(DeltaOp::Kind::Set, path, Value(++number))});
}

// ---- What goes wrong -----------------------------------------------------------------------------------

void FakeHost::withhold(const QString &id)
{
    turn(); // what happened before it is sent
    Actor &target = actor(id);
    target.isWithheld = true;
    target.withheldFrom = target.position + 1;
}

void FakeHost::release(const QString &id, quint64 count)
{
    Actor &target = actor(id);
    if (!target.isWithheld)
        return;
    target.isWithheld = false;
    target.sentPosition = target.position;
    wire::Dropped dropped;
    dropped.actor = id;
    dropped.firstPosition = target.withheldFrom;
    dropped.lastPosition = target.position;
    for (const wire::Record &record : target.log) {
        if (record.position < target.withheldFrom)
            continue;
        if (dropped.from == 0)
            dropped.from = record.at;
        dropped.to = record.at;
        dropped.count += std::holds_alternative<wire::DeltaRecord>(record.body) ? 1 : 0;
    }
    if (count > 0)
        dropped.count = count;
    dropped.snapshot = snapshot(target, false);
    for (const auto &link : m_links) {
        if (link->subscribed.contains(id))
            push(*link, dropped);
    }
}

void FakeHost::lose(const QString &id, int records)
{
    turn();
    actor(id).toLose += records;
}

void FakeHost::cut(bool reachable)
{
    *m_isReachable = reachable;
    // We may be inside a signal of one of them, so they go a little later.
    auto dying = std::make_shared<std::vector<std::unique_ptr<Link>>>(std::move(m_links));
    m_links.clear();
    for (const auto &link : *dying) {
        link->transport->disconnect(this);
        link->isClosed = true;
        link->transport->close(0, QStringLiteral("connection reset by peer"));
    }
    m_environment.executor.post([dying] {});
}

void FakeHost::setReachable(bool reachable)
{
    *m_isReachable = reachable;
}

void FakeHost::restart()
{
    ++m_run;
    m_bootId = QStringLiteral("boot-%1-%2").arg(m_port).arg(m_run);
    m_startedAt = m_environment.clock.wallMs();
    for (const auto &actor : m_actors) {
        actor->log.clear();
        actor->position = 0;
        actor->sentPosition = 0;
        actor->keptFrom = 1;
        actor->summary.sequence = 0;
        actor->summary.savedSequence = 0;
        actor->isWithheld = false;
    }
    cut(true);
}

void FakeHost::stop(const QString &reason)
{
    wire::HostGoodbye goodbye;
    goodbye.reason = reason;
    for (const auto &link : m_links) {
        push(*link, goodbye);
        link->transport->close(1001, reason);
    }
    *m_isReachable = false;
}

void FakeHost::forgetHistory()
{
    for (const auto &actor : m_actors) {
        actor->log.clear();
        actor->keptFrom = actor->position + 1;
        actor->sentPosition = actor->position;
    }
}

void FakeHost::holdReplies(bool hold)
{
    m_holdsReplies = hold;
    for (const auto &link : m_links) {
        std::vector<Link::Held> kept;
        for (Link::Held &held : link->held) {
            if (!hold && !held.isSnapshot)
                sendFrame(*link, held.frame);
            else
                kept.push_back(std::move(held));
        }
        link->held = std::move(kept);
    }
}

void FakeHost::holdSnapshots(bool hold)
{
    m_holdsSnapshots = hold;
    for (const auto &link : m_links) {
        std::vector<Link::Held> kept;
        for (Link::Held &held : link->held) {
            if (!hold && held.isSnapshot)
                sendFrame(*link, held.frame);
            else
                kept.push_back(std::move(held));
        }
        link->held = std::move(kept);
    }
}

// ---- Links ---------------------------------------------------------------------------------------------

void FakeHost::accept(std::unique_ptr<Transport> transport)
{
    if (!*m_isReachable)
        return; // it was cut meanwhile; the end goes away
    ++m_linksAccepted;
    auto made = std::make_unique<Link>();
    Link *link = made.get();
    link->transport = std::move(transport);
    m_links.push_back(std::move(made));
    connect(link->transport.get(), &Transport::received, this,
            [this, link](const QByteArray &frame) { receive(*link, frame); });
    connect(link->transport.get(), &Transport::closed, this, [this, link] {
        link->isClosed = true;
        m_environment.executor.post([self = m_self] {
            if (FakeHost *fake = *self)
                fake->dropClosedLinks();
        });
    });
}

void FakeHost::dropClosedLinks()
{
    std::erase_if(m_links, [](const std::unique_ptr<Link> &link) { return link->isClosed; });
}

int FakeHost::linkCount() const
{
    return int(std::count_if(m_links.begin(), m_links.end(), [](const auto &link) { return !link->isClosed; }));
}

void FakeHost::clearCounts()
{
    m_requests.clear();
    m_framesReceived = 0;
    m_pingsReceived = 0;
    m_framesSent = 0;
    m_wakeCount = 0;
    m_subscribeCounts.clear();
}

void FakeHost::sendFrame(Link &link, const QByteArray &frame)
{
    ++m_framesSent;
    link.transport->send(frame);
}

void FakeHost::reply(Link &link, quint32 id, wire::ReplyBody body)
{
    const bool isSnapshot = std::holds_alternative<wire::Subscribed>(body);
    const bool isHeld = isSnapshot ? m_holdsSnapshots
                                   : m_holdsReplies && !std::holds_alternative<wire::Welcome>(body)
                                         && !std::holds_alternative<wire::Pong>(body);
    wire::ReplyFrame frame;
    frame.id = id;
    frame.body = std::move(body);
    if (isHeld)
        link.held.push_back({isSnapshot, wire::encode(frame)});
    else
        sendFrame(link, wire::encode(frame));
}

void FakeHost::push(Link &link, wire::Push push)
{
    wire::PushFrame frame;
    frame.push = std::move(push);
    sendFrame(link, wire::encode(frame));
}

void FakeHost::receive(Link &link, const QByteArray &bytes)
{
    if (m_isMute)
        return;
    wire::RequestFrame frame;
    try {
        frame = wire::decodeRequest(bytes);
    } catch (const Error &error) {
        qFatal("FakeHost: a request could not be read: %s", qPrintable(error.text()));
    }
    if (const auto *ping = std::get_if<wire::Ping>(&frame.request)) {
        ++m_pingsReceived;
        wire::Pong pong;
        pong.sentAt = ping->sentAt;
        pong.now = m_environment.clock.wallMs();
        reply(link, frame.id, pong);
        return;
    }
    ++m_framesReceived;
    m_requests.push_back(frame.request);
    turn(); // pushes that are due go first, as in one ordered stream
    answer(link, frame.id, frame.request);
}

wire::Snapshot FakeHost::snapshot(const Actor &actor, bool withRecords) const
{
    wire::Snapshot snapshot;
    snapshot.summary = actor.summary;
    snapshot.position = actor.position;
    snapshot.sequence = actor.summary.sequence;
    snapshot.savedSequence = actor.summary.savedSequence;
    if (!actor.state.isUndefined())
        snapshot.state = cbor::encode(actor.state);
    if (withRecords)
        snapshot.records = QList<wire::Record>(actor.log.begin(), actor.log.end());
    snapshot.keptSince = actor.log.empty() ? 0 : actor.log.front().at;
    snapshot.blockers = actor.blockers;
    snapshot.live = fakeIsLive(actor.summary.status);
    snapshot.savedAt = actor.savedAt;
    for (const wire::TypeInfo &type : m_types) {
        if (type.name == actor.summary.type)
            snapshot.type = type;
    }
    if (snapshot.type.name.isEmpty())
        snapshot.type.name = actor.summary.type;
    return snapshot;
}

wire::ReplyBody FakeHost::changeStatus(const QString &id, wire::ActorStatus to, const QString &reason)
{
    if (!m_actorsById.contains(id))
        return fakeFailure("actor", "not_found", QStringLiteral("actor \"%1\" does not exist").arg(id));
    const Actor &target = actor(id);
    wire::TransitionRecord record;
    record.from = target.summary.status;
    record.to = to;
    record.reason = QStringLiteral("inspector");
    record.detail = reason;
    record.cause = Cause(QStringLiteral("inspector"));
    record.generation = target.summary.generation;
    record.tookUs = (m_environment.clock.wallMs() - target.summary.since) * 1000;
    if (record.from != to)
        transition(id, record);
    return wire::Done{};
}

void FakeHost::answer(Link &link, quint32 id, const wire::Request &request)
{
    if (const auto *hello = std::get_if<wire::Hello>(&request)) {
        if (hello->version != m_version) {
            reply(link, id,
                  fakeFailure("inspector", "unsupported_version",
                              QStringLiteral("version %1 is not spoken here").arg(hello->version),
                              Value::map({{QStringLiteral("supported"), Value(m_version)}})));
            link.transport->close(1008, QStringLiteral("inspector.unsupported_version"));
            return;
        }
        if (hello->token != m_token) {
            reply(link, id, fakeFailure("inspector", "unauthorized", QStringLiteral("this token is not accepted")));
            link.transport->close(1008, QStringLiteral("inspector.unauthorized"));
            return;
        }
        link.isWelcomed = true;
        link.isReadOnly = m_isReadOnly || hello->readOnly;
        wire::Welcome welcome;
        welcome.version = m_version;
        welcome.product = QStringLiteral("terrarium");
        welcome.productVersion = m_productVersion;
        welcome.bootId = m_bootId;
        welcome.hostName = m_name;
        welcome.pid = m_port == 6420 ? 4121 : 4180;
        welcome.startedAt = m_startedAt;
        welcome.now = m_environment.clock.wallMs();
        welcome.durability = QStringLiteral("process");
        welcome.readOnly = link.isReadOnly;
        welcome.capabilities = m_capabilities;
        reply(link, id, welcome);
        return;
    }
    if (!link.isWelcomed) {
        reply(link, id, fakeFailure("inspector", "unauthorized", QStringLiteral("say hello first")));
        return;
    }
    if (const auto *watch = std::get_if<wire::WatchActors>(&request)) {
        link.isWatching = watch->on;
        reply(link, id, wire::Done{});
        if (watch->on) {
            wire::ActorsChanged all;
            all.full = true;
            for (const auto &actor : m_actors)
                all.upserts.append(actor->summary);
            push(link, all);
        }
        return;
    }
    if (const auto *subscribe = std::get_if<wire::Subscribe>(&request)) {
        ++m_subscribeCounts[subscribe->actor];
        if (!m_actorsById.contains(subscribe->actor)) {
            reply(
                link, id,
                fakeFailure("actor", "not_found", QStringLiteral("actor \"%1\" does not exist").arg(subscribe->actor)));
            return;
        }
        Actor &target = actor(subscribe->actor);
        link.subscribed.insert(subscribe->actor);
        if (subscribe->after == 0 && m_firstAnswers.contains(subscribe->actor)) {
            m_firstAnswers.value(subscribe->actor)(link, id);
            return;
        }
        wire::Subscribed subscribed;
        subscribed.resumed =
            subscribe->after > 0 && subscribe->after + 1 >= target.keptFrom && subscribe->after <= target.position;
        subscribed.snapshot = snapshot(target, true);
        if (subscribed.resumed) {
            QList<wire::Record> records;
            for (const wire::Record &record : std::as_const(subscribed.snapshot.records)) {
                if (record.position > subscribe->after)
                    records.append(record);
            }
            subscribed.snapshot.records = records;
        }
        reply(link, id, subscribed);
        return;
    }
    if (const auto *unsubscribe = std::get_if<wire::Unsubscribe>(&request)) {
        link.subscribed.remove(unsubscribe->actor);
        reply(link, id, wire::Done{});
        return;
    }
    if (std::holds_alternative<wire::ListTypes>(request)) {
        wire::Types types;
        types.types = m_types;
        reply(link, id, types);
        return;
    }
    if (link.isReadOnly) {
        reply(link, id, fakeFailure("inspector", "read_only", QStringLiteral("this link is read-only")));
        return;
    }
    if (const auto *call = std::get_if<wire::CallAction>(&request)) {
        if (!m_actorsById.contains(call->actor)) {
            reply(link, id,
                  fakeFailure("actor", "not_found", QStringLiteral("actor \"%1\" does not exist").arg(call->actor)));
            return;
        }
        const quint64 before = sequence(call->actor);
        wire::ReplyBody body = wire::CallResult{};
        if (m_callAnswer)
            body = m_callAnswer(*call);
        const quint64 after = sequence(call->actor);
        if (auto *result = std::get_if<wire::CallResult>(&body);
            result && after > before && result->firstSequence == 0) {
            result->firstSequence = before + 1;
            result->lastSequence = after;
        }
        turn(); // what the call changed is seen before its answer
        reply(link, id, std::move(body));
        return;
    }
    if (std::holds_alternative<wire::CancelCall>(request)) {
        reply(link, id, wire::Done{});
        return;
    }
    if (const auto *sleep = std::get_if<wire::SleepActor>(&request)) {
        reply(link, id,
              changeStatus(sleep->actor, wire::ActorStatus::sleeping, QStringLiteral("asked by an inspector")));
        return;
    }
    if (const auto *wake = std::get_if<wire::WakeActor>(&request)) {
        ++m_wakeCount;
        reply(link, id, changeStatus(wake->actor, wire::ActorStatus::running, QStringLiteral("asked by an inspector")));
        return;
    }
    if (const auto *restart = std::get_if<wire::RestartActor>(&request)) {
        ++m_wakeCount;
        changeStatus(restart->actor, wire::ActorStatus::sleeping, QStringLiteral("restart asked by an inspector"));
        reply(
            link, id,
            changeStatus(restart->actor, wire::ActorStatus::running, QStringLiteral("restart asked by an inspector")));
        return;
    }
    if (const auto *destroy = std::get_if<wire::DestroyActor>(&request)) {
        reply(link, id,
              changeStatus(destroy->actor, wire::ActorStatus::destroyed, QStringLiteral("asked by an inspector")));
        return;
    }
    if (const auto *create = std::get_if<wire::CreateActor>(&request)) {
        wire::Created created;
        QString actorId = idOf(create->type, create->key);
        created.created = actorId.isEmpty();
        if (actorId.isEmpty())
            actorId = addActor(create->type, create->key,
                               create->wake ? wire::ActorStatus::running : wire::ActorStatus::sleeping,
                               create->input.value_or(Value::map()));
        created.actor = summary(actorId);
        reply(link, id, created);
        return;
    }
}

void FakeHost::markChanged(const QString &id)
{
    m_changed.insert(id);
    wakeTurn();
}

void FakeHost::wakeTurn()
{
    if (m_isTurnPosted)
        return;
    m_isTurnPosted = true;
    m_environment.executor.post([self = m_self] {
        if (FakeHost *fake = *self) {
            fake->m_isTurnPosted = false;
            fake->turn();
        }
    });
}

void FakeHost::turn()
{
    for (const auto &actor : m_actors) {
        if (actor->isWithheld || (actor->sentPosition == actor->position && !actor->isAwakeChanged))
            continue;
        wire::RecordsAppended appended;
        appended.actor = actor->summary.id;
        // The log may have been cut at the front; positions in it have no holes.
        const quint64 oldest = actor->log.empty() ? actor->position + 1 : actor->log.front().position;
        for (quint64 next = std::max(actor->sentPosition + 1, oldest); next <= actor->position; ++next) {
            if (actor->toLose > 0) {
                --actor->toLose;
                continue;
            }
            appended.records.append(actor->log[size_t(next - oldest)]);
        }
        actor->sentPosition = actor->position;
        wire::AwakeChanged awake;
        awake.actor = actor->summary.id;
        awake.blockers = actor->blockers;
        awake.forecast = actor->summary.forecast;
        for (const auto &link : m_links) {
            if (link->isClosed || !link->subscribed.contains(actor->summary.id))
                continue;
            if (!appended.records.isEmpty())
                push(*link, appended);
            if (actor->isAwakeChanged)
                push(*link, awake);
        }
        actor->isAwakeChanged = false;
    }
    if (m_changed.isEmpty() && m_removed.isEmpty())
        return;
    wire::ActorsChanged changed;
    for (const auto &actor : m_actors) {
        if (m_changed.contains(actor->summary.id))
            changed.upserts.append(actor->summary);
    }
    changed.removed = m_removed;
    m_changed.clear();
    m_removed.clear();
    for (const auto &link : m_links) {
        if (link->isWatching && !link->isClosed)
            push(*link, changed);
    }
}

} // namespace terrarium
