#include "client/link_worker.h"

#include "wire/codec.h"
#include "wire/websocket_transport.h"

namespace terrarium {

namespace {
using namespace std::chrono_literals;

constexpr auto linkOpenTimeout = 5s; ///< from connecting to Welcome
constexpr auto linkTick = 400ms;
constexpr qint64 linkLagMs = 100;     ///< older records than this are worth a word when they stop
constexpr auto linkLiveWithin = 1s;   ///< older than this is not live
constexpr int linkTicksUntilCut = 40; ///< without an answer; counted, so that a stopped window does not cut
constexpr Duration linkResyncSpacing = 500ms;
constexpr Duration linkResyncSpacingMost = 5s;
constexpr Duration linkFlushSpacing = 10ms;

Error linkError(const wire::Failure &failure)
{
    return Error(failure.group, failure.code, failure.message, failure.metadata);
}

qint64 linkMs(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}
} // namespace

LinkWorker::LinkWorker(Environment &environment, HostAddress address, QString clientName,
                       std::shared_ptr<LinkInbox> inbox)
    : m_environment(environment),
      m_address(std::move(address)),
      m_clientName(std::move(clientName)),
      m_inbox(std::move(inbox)),
      m_isAlive(std::make_shared<bool>(true))
{}

LinkWorker::~LinkWorker()
{
    *m_isAlive = false;
    if (m_transport) {
        m_transport->disconnect(this);
        m_transport->close(1001, QStringLiteral("window closed"));
    }
}

void LinkWorker::open()
{
    if (m_phase != Phase::Idle && m_phase != Phase::Closed)
        return;
    m_reconnect.reset();
    m_status.attempt = 0;
    m_status.problem = LinkProblem::None;
    m_status.problemText.clear();
    connectTransport();
}

void LinkWorker::close()
{
    m_retryTimer.cancel();
    dropTransport(true);
    setPhase(Phase::Closed);
    flush();
}

void LinkWorker::reconnectNow()
{
    if (m_phase != Phase::Waiting && m_phase != Phase::Refused)
        return;
    m_retryTimer.cancel();
    connectTransport();
}

void LinkWorker::connectTransport()
{
    m_status.retryAt = 0;
    m_hasList = false;
    setPhase(Phase::Opening);
    m_openTimer = m_environment.clock.after(linkOpenTimeout, [this] {
        lose(LinkProblem::TimedOut, QStringLiteral("no answer within %1 s").arg(linkOpenTimeout.count()));
    });
    if (m_address.connect)
        m_transport = m_address.connect();
    else
        m_transport = std::make_unique<WebSocketTransport>(m_address.url);
    if (!m_transport) {
        lose(LinkProblem::NothingListens, QStringLiteral("no host there"));
        return;
    }
    connect(m_transport.get(), &Transport::opened, this, &LinkWorker::onOpened);
    connect(m_transport.get(), &Transport::received, this, &LinkWorker::onReceived);
    connect(m_transport.get(), &Transport::closed, this, &LinkWorker::onClosed);
    if (m_transport->isOpen())
        onOpened();
}

void LinkWorker::onOpened()
{
    if (m_phase != Phase::Opening || m_helloId != 0)
        return;
    wire::Hello hello;
    hello.client = QStringLiteral("terrarium " TERRARIUM_VERSION);
    hello.name = m_clientName;
    hello.token = m_address.token;
    hello.readOnly = m_address.readOnly;
    hello.resumeBootId = m_status.welcome.bootId;
    m_pingSentAt = m_environment.clock.now();
    m_pingSentWall = m_environment.clock.wallMs();
    m_helloId = send(hello);
}

void LinkWorker::onClosed(quint16 code, const QString &reason)
{
    if (!m_transport)
        return;
    if (m_phase == Phase::Opening && m_helloId == 0) {
        LinkProblem problem = LinkProblem::NothingListens;
        if (const auto *socket = qobject_cast<WebSocketTransport *>(m_transport.get())) {
            switch (socket->openFailure()) {
            case WebSocketTransport::OpenFailure::None:
            case WebSocketTransport::OpenFailure::NothingListens: break;
            case WebSocketTransport::OpenFailure::NotAHost: problem = LinkProblem::NotAHost; break;
            case WebSocketTransport::OpenFailure::NameNotFound: problem = LinkProblem::NameNotFound; break;
            case WebSocketTransport::OpenFailure::TimedOut: problem = LinkProblem::TimedOut; break;
            case WebSocketTransport::OpenFailure::Tls: problem = LinkProblem::Tls; break;
            case WebSocketTransport::OpenFailure::Other: problem = LinkProblem::Cut; break;
            }
        }
        lose(problem, reason);
        return;
    }
    if (m_phase == Phase::Opening && code == 1008) {
        refuse(m_address.token.isEmpty() ? LinkProblem::TokenMissing : LinkProblem::TokenWrong, reason);
        return;
    }
    lose(m_saidGoodbye ? LinkProblem::HostStopped : LinkProblem::Cut, m_saidGoodbye ? m_status.problemText : reason);
}

void LinkWorker::onReceived(const QByteArray &frame)
{
    std::optional<wire::HostFrame> message;
    try {
        message = wire::decodeHostFrame(frame);
    } catch (const Error &error) {
        lose(m_phase == Phase::Opening ? LinkProblem::NotAHost : LinkProblem::Cut,
             QStringLiteral("a frame of %1 bytes could not be read: %2").arg(frame.size()).arg(error.text()));
        return;
    }
    if (!message)
        return;
    if (const auto *reply = std::get_if<wire::ReplyFrame>(&*message))
        onReply(reply->id, reply->body);
    else if (isLinkUp())
        onPush(std::get<wire::PushFrame>(*message).push);
}

void LinkWorker::onReply(quint32 id, const wire::ReplyBody &body)
{
    if (id < firstOwnId) {
        if (m_foreignIds.remove(id))
            m_inbox->putAnswer(id, body);
        return;
    }
    if (id == m_helloId && m_phase == Phase::Opening) {
        if (const auto *welcome = std::get_if<wire::Welcome>(&body))
            onWelcome(*welcome);
        else if (const auto *failure = std::get_if<wire::Failure>(&body))
            onHelloFailed(*failure);
        else
            lose(LinkProblem::NotAHost, QStringLiteral("the answer to hello is something else"));
        return;
    }
    if (id == m_pingId) {
        if (const auto *pong = std::get_if<wire::Pong>(&body))
            onPong(*pong);
        return;
    }
    const QString actorId = m_subscribeIds.take(id);
    const auto it = m_subscriptions.find(actorId);
    if (it != m_subscriptions.end() && it->second->pendingId == id)
        onSubscribed(*it->second, body);
}

void LinkWorker::onWelcome(const wire::Welcome &welcome)
{
    m_openTimer.cancel();
    const bool isOtherRun = m_status.welcome.bootId != welcome.bootId;
    if (isOtherRun) {
        if (!m_status.welcome.bootId.isEmpty())
            ++m_status.epoch;
        for (auto &[id, subscription] : m_subscriptions)
            subscription->tracker.forgetRun();
    }
    m_status.welcome = welcome;
    const qint64 now = m_environment.clock.wallMs();
    m_status.clockOffsetMs = welcome.now > 0 ? welcome.now - (m_pingSentWall + now) / 2 : 0;
    m_bestRoundTripMs = -1;
    m_confirmedAt = m_pingSentAt;
    m_ticksWithoutPong = 0;
    m_saidGoodbye = false;
    setPhase(Phase::Loading);
    send(wire::WatchActors{});
    for (auto &[id, subscription] : m_subscriptions) {
        subscription->isRefused = false;
        if (subscription->gapReason.isEmpty())
            subscription->gapReason = QStringLiteral("linkLost");
        askSnapshot(*subscription, true);
    }
    m_tickTimer = m_environment.clock.after(linkTick, [this] { tick(); });
    scheduleFlush();
}

void LinkWorker::onHelloFailed(const wire::Failure &failure)
{
    if (failure.code == QLatin1String("unauthorized")) {
        refuse(m_address.token.isEmpty() ? LinkProblem::TokenMissing : LinkProblem::TokenWrong, failure.message);
        return;
    }
    if (failure.code == QLatin1String("unsupported_version")) {
        const Value &supported = failure.metadata["supported"];
        qint64 newest = supported.toInt(0);
        for (const Value &version : supported.items())
            newest = std::max(newest, version.toInt(0));
        refuse(newest > wire::inspectorProtocolVersion ? LinkProblem::VersionTooNew : LinkProblem::VersionTooOld,
               failure.message);
        return;
    }
    lose(LinkProblem::Cut, linkError(failure).text());
}

void LinkWorker::onPong(const wire::Pong &pong)
{
    const Instant now = m_environment.clock.now();
    m_pingId = 0;
    m_ticksWithoutPong = 0;
    m_confirmedAt = m_pingSentAt;
    if (m_isLagging) {
        // Nothing came with this answer that is older: the lag is over, also when the host has gone quiet.
        m_isLagging = false;
        m_inbox->putConfirmed(hostNow());
    }
    // The quickest round trip of the last while gives the best idea of the host's clock.
    const qint64 roundTrip = linkMs(now - m_pingSentAt);
    if (m_bestRoundTripMs < 0 || roundTrip <= m_bestRoundTripMs || ++m_pongsSinceBest > 64) {
        m_bestRoundTripMs = roundTrip;
        m_pongsSinceBest = 0;
        if (pong.now > 0)
            m_status.clockOffsetMs = pong.now - (m_pingSentWall + m_environment.clock.wallMs()) / 2;
    }
    evaluate();
}

void LinkWorker::onPush(const wire::Push &push)
{
    if (const auto *records = std::get_if<wire::RecordsAppended>(&push)) {
        const auto it = m_subscriptions.find(records->actor);
        if (it == m_subscriptions.end() || it->second->pendingId != 0 || !it->second->isWhole)
            return;
        Subscription &subscription = *it->second;
        switch (subscription.tracker.append(records->records)) {
        case ActorTracker::Verdict::Taken: break;
        case ActorTracker::Verdict::Hole: resynchronise(subscription, true, QStringLiteral("hostDropped")); break;
        case ActorTracker::Verdict::Conflict: resynchronise(subscription, false, QStringLiteral("hostDropped")); break;
        }
        m_newestPushedAt = std::max(m_newestPushedAt, subscription.tracker.newestAt());
        m_isLagging = hostNow() - subscription.tracker.newestAt() > linkLagMs;
        scheduleFlush();
    } else if (const auto *actors = std::get_if<wire::ActorsChanged>(&push)) {
        takeActors(*actors);
    } else if (const auto *awake = std::get_if<wire::AwakeChanged>(&push)) {
        const auto it = m_subscriptions.find(awake->actor);
        if (it != m_subscriptions.end() && it->second->pendingId == 0) {
            it->second->tracker.setAwake(awake->blockers, awake->forecast);
            scheduleFlush();
        }
    } else if (const auto *dropped = std::get_if<wire::Dropped>(&push)) {
        const auto it = m_subscriptions.find(dropped->actor);
        if (it == m_subscriptions.end() || it->second->pendingId != 0)
            return;
        Subscription &subscription = *it->second;
        ActorTracker::Reason reason;
        reason.reason = QStringLiteral("hostDropped");
        reason.from = dropped->from;
        reason.to = dropped->to > 0 ? dropped->to : hostNow();
        reason.count = dropped->count;
        subscription.tracker.takeSnapshot(dropped->snapshot, reason);
        subscription.timer.cancel();
        subscription.isWhole = true;
        evaluate();
        scheduleFlush();
    } else if (const auto *goodbye = std::get_if<wire::HostGoodbye>(&push)) {
        m_saidGoodbye = true;
        m_status.problemText = goodbye->reason;
    }
}

void LinkWorker::takeActors(const wire::ActorsChanged &change)
{
    if (change.full)
        m_hasList = true;
    m_inbox->putActors(change);
    if (!m_subscriptions.empty()) {
        for (const wire::ActorSummary &summary : change.upserts) {
            const auto it = m_subscriptions.find(summary.id);
            if (it != m_subscriptions.end() && it->second->pendingId == 0)
                it->second->tracker.setSummary(summary);
        }
    }
    evaluate();
    scheduleFlush();
}

void LinkWorker::subscribe(const QString &actorId)
{
    if (m_subscriptions.contains(actorId))
        return;
    auto made = std::make_unique<Subscription>(actorId);
    Subscription &subscription = *made;
    m_subscriptions.emplace(actorId, std::move(made));
    if (isLinkUp())
        askSnapshot(subscription, false);
}

void LinkWorker::unsubscribe(const QString &actorId)
{
    const auto it = m_subscriptions.find(actorId);
    if (it == m_subscriptions.end())
        return;
    if (it->second->pendingId != 0)
        m_subscribeIds.remove(it->second->pendingId);
    m_subscriptions.erase(it);
    if (isLinkUp()) {
        wire::Unsubscribe message;
        message.actor = actorId;
        send(message);
    }
    evaluate();
}

void LinkWorker::askSnapshot(Subscription &subscription, bool resume)
{
    subscription.timer.cancel();
    wire::Subscribe message;
    message.actor = subscription.tracker.actorId();
    message.after = resume ? subscription.tracker.position() : 0;
    if (subscription.pendingId != 0)
        m_subscribeIds.remove(subscription.pendingId);
    subscription.pendingId = send(message);
    m_subscribeIds.insert(subscription.pendingId, message.actor);
}

void LinkWorker::resynchronise(Subscription &subscription, bool resume, const QString &reason)
{
    subscription.isWhole = false;
    subscription.gapReason = reason;
    subscription.gapFrom = subscription.tracker.newestAt();
    const Instant now = m_environment.clock.now();
    // At most one per spacing; it doubles while holes keep coming and starts over after a quiet time.
    if (!subscription.askedAt || now - *subscription.askedAt > 2 * linkResyncSpacingMost) {
        subscription.spacing = linkResyncSpacing;
    } else if (now - *subscription.askedAt < subscription.spacing) {
        const Instant next = *subscription.askedAt + subscription.spacing;
        subscription.timer = m_environment.clock.at(next, [this, &subscription, resume] {
            subscription.spacing = std::min(2 * subscription.spacing, linkResyncSpacingMost);
            subscription.askedAt = m_environment.clock.now();
            askSnapshot(subscription, resume);
        });
        evaluate();
        return;
    }
    subscription.askedAt = now;
    askSnapshot(subscription, resume);
    evaluate();
}

void LinkWorker::onSubscribed(Subscription &subscription, const wire::ReplyBody &body)
{
    subscription.pendingId = 0;
    const auto *subscribed = std::get_if<wire::Subscribed>(&body);
    if (!subscribed) {
        subscription.isRefused = true;
        subscription.isWhole = false;
        evaluate();
        scheduleFlush();
        return;
    }
    ActorTracker::Reason reason;
    reason.reason = subscription.gapReason;
    reason.from = subscription.gapFrom;
    reason.to = hostNow();
    switch (subscription.tracker.takeSubscribed(*subscribed, reason)) {
    case ActorTracker::Verdict::Taken:
        subscription.isWhole = true;
        subscription.gapReason.clear();
        subscription.gapFrom = 0;
        break;
    case ActorTracker::Verdict::Hole:
    case ActorTracker::Verdict::Conflict:
        resynchronise(subscription, false, reason.reason.isEmpty() ? QStringLiteral("hostDropped") : reason.reason);
        break;
    }
    evaluate();
    scheduleFlush();
}

void LinkWorker::request(quint32 id, const wire::Request &request)
{
    if (m_phase != Phase::Up) {
        m_inbox->putAnswer(id, NeverSent{});
        return;
    }
    try {
        sendFrame(id, request);
        m_foreignIds.insert(id);
    } catch (const Error &error) {
        // Arguments that the wire cannot carry.
        wire::Failure failure;
        failure.group = error.group();
        failure.code = error.code();
        failure.message = error.message();
        failure.metadata = error.metadata();
        m_inbox->putAnswer(id, wire::ReplyBody(failure));
    }
}

void LinkWorker::compute(const std::function<Value()> &job, const std::function<void(const Value &)> &done)
{
    Value value = job();
    m_inbox->putResult([done, value] { done(value); });
}

quint32 LinkWorker::send(const wire::Request &request)
{
    const quint32 id = m_nextOwnId;
    m_nextOwnId = m_nextOwnId == 0xffffffffU ? firstOwnId : m_nextOwnId + 1;
    sendFrame(id, request);
    return id;
}

void LinkWorker::sendFrame(quint32 id, const wire::Request &request)
{
    wire::RequestFrame frame;
    frame.id = id;
    frame.request = request;
    if (m_transport)
        m_transport->send(wire::encode(frame));
}

void LinkWorker::lose(LinkProblem problem, const QString &text)
{
    if (m_phase == Phase::Closed || m_phase == Phase::Refused || m_phase == Phase::Waiting)
        return;
    const bool wasUp = isLinkUp();
    const bool keepsGoodbye =
        m_saidGoodbye && m_status.problem == LinkProblem::HostStopped && problem == LinkProblem::NothingListens;
    dropTransport(false);
    if (!keepsGoodbye) {
        m_status.problem = problem;
        m_status.problemText = text;
    }
    for (auto &[id, subscription] : m_subscriptions) {
        if (wasUp && subscription->tracker.isLoaded()) {
            subscription->gapReason = QStringLiteral("linkLost");
            if (subscription->gapFrom == 0)
                subscription->gapFrom = m_status.liveAt + m_status.clockOffsetMs;
        }
    }
    planRetry();
}

void LinkWorker::refuse(LinkProblem problem, const QString &text)
{
    dropTransport(false);
    m_status.problem = problem;
    m_status.problemText = text;
    m_status.retryAt = 0;
    setPhase(Phase::Refused);
}

void LinkWorker::dropTransport(bool sayGoodbye)
{
    m_openTimer.cancel();
    m_tickTimer.cancel();
    m_pingId = 0;
    m_helloId = 0;
    m_confirmedAt.reset();
    for (auto &[id, subscription] : m_subscriptions) {
        subscription->pendingId = 0;
        subscription->isWhole = false;
        subscription->timer.cancel();
        subscription->askedAt.reset();
    }
    m_subscribeIds.clear();
    QList<quint32> unanswered(m_foreignIds.cbegin(), m_foreignIds.cend());
    std::sort(unanswered.begin(), unanswered.end());
    m_foreignIds.clear();
    for (const quint32 id : std::as_const(unanswered))
        m_inbox->putAnswer(id, AnswerLost{});
    if (!m_transport)
        return;
    m_transport->disconnect(this);
    if (sayGoodbye)
        m_transport->close(1000, QStringLiteral("detached"));
    // We may be inside one of its signals.
    const std::shared_ptr<Transport> dying(m_transport.release());
    m_environment.executor.post([dying] {});
}

void LinkWorker::planRetry()
{
    const auto delay = m_reconnect.nextDelay(m_environment.random);
    m_status.attempt = m_reconnect.attempt();
    m_status.retryAt = m_environment.clock.wallMs() + delay.count();
    setPhase(Phase::Waiting);
    m_retryTimer = m_environment.clock.after(delay, [this] { connectTransport(); });
}

void LinkWorker::tick()
{
    m_tickTimer = m_environment.clock.after(linkTick, [this] { tick(); });
    if (m_pingId != 0) {
        if (++m_ticksWithoutPong > linkTicksUntilCut) {
            lose(LinkProblem::TimedOut, QStringLiteral("the host does not answer any more"));
            return;
        }
    } else {
        m_pingSentAt = m_environment.clock.now();
        m_pingSentWall = m_environment.clock.wallMs();
        wire::Ping ping;
        ping.sentAt = m_pingSentWall;
        m_pingId = send(ping);
    }
    evaluate();
}

qint64 LinkWorker::hostNow() const
{
    return m_environment.clock.wallMs() + m_status.clockOffsetMs;
}

void LinkWorker::setPhase(Phase phase)
{
    m_phase = phase;
    evaluate();
}

void LinkWorker::evaluate()
{
    const bool isConfirmed = m_confirmedAt && m_environment.clock.now() - *m_confirmedAt <= linkLiveWithin;
    bool isWhole = m_hasList;
    for (const auto &[id, subscription] : m_subscriptions) {
        if (!subscription->isWhole && !subscription->isRefused && subscription->tracker.isLoaded())
            isWhole = false;
    }
    if (m_phase == Phase::Loading && isWhole) {
        m_phase = Phase::Up;
        m_wasUp = true;
        m_reconnect.reset();
        m_status.attempt = 0;
        m_status.problem = LinkProblem::None;
        m_status.problemText.clear();
    }
    const bool wasLive = m_status.state == LinkState::Live;
    switch (m_phase) {
    case Phase::Idle: return;
    case Phase::Opening:
        m_status.state = m_wasUp || m_reconnect.attempt() > 0 ? LinkState::Lost : LinkState::Connecting;
        break;
    case Phase::Loading: m_status.state = m_wasUp ? LinkState::Resyncing : LinkState::Connecting; break;
    case Phase::Up:
        m_status.state = !isWhole ? LinkState::Resyncing : !isConfirmed ? LinkState::Behind : LinkState::Live;
        break;
    case Phase::Waiting: m_status.state = LinkState::Lost; break;
    case Phase::Refused: m_status.state = LinkState::Refused; break;
    case Phase::Closed: m_status.state = LinkState::Closed; break;
    }
    if (m_status.state == LinkState::Live || wasLive) {
        // As of the last answer, which is what the data on screen is known to contain.
        const qint64 age = m_confirmedAt ? linkMs(m_environment.clock.now() - *m_confirmedAt) : 0;
        if (m_confirmedAt)
            m_status.liveAt = m_environment.clock.wallMs() - age;
    }
    bool hasNews = false;
    for (const auto &[id, subscription] : m_subscriptions) {
        const bool isCurrent = m_phase == Phase::Up && isConfirmed && subscription->isWhole;
        if (subscription->toldCurrent != isCurrent && subscription->tracker.isLoaded()) {
            subscription->toldCurrent = isCurrent;
            subscription->tracker.setFreshness(isCurrent, m_status.liveAt);
            hasNews = true;
        }
    }
    LinkStatus comparable = m_status;
    comparable.liveAt = m_toldStatus.liveAt;
    comparable.clockOffsetMs = m_toldStatus.clockOffsetMs;
    const bool isNews = !m_isTold || comparable != m_toldStatus;
    if (hasNews || isNews)
        scheduleFlush();
}

void LinkWorker::scheduleFlush()
{
    if (m_isFlushPosted || m_flushTimer.isArmed())
        return;
    if (!m_environment.singleThreaded) {
        const Instant next = m_flushedAt + linkFlushSpacing;
        if (next > m_environment.clock.now()) {
            m_flushTimer = m_environment.clock.at(next, [this] {
                m_flushTimer.cancel();
                flush();
            });
            return;
        }
    }
    m_isFlushPosted = true;
    m_environment.executor.post([this, alive = m_isAlive] {
        if (!*alive)
            return;
        m_isFlushPosted = false;
        flush();
    });
}

void LinkWorker::flush()
{
    m_flushedAt = m_environment.clock.now();
    for (const auto &[id, subscription] : m_subscriptions) {
        if (subscription->tracker.hasUpdate())
            m_inbox->putFeed(id, subscription->tracker.takeUpdate(), std::exchange(m_newestPushedAt, 0));
    }
    LinkStatus comparable = m_status;
    comparable.liveAt = m_toldStatus.liveAt;
    comparable.clockOffsetMs = m_toldStatus.clockOffsetMs;
    if (!m_isTold || comparable != m_toldStatus) {
        m_isTold = true;
        m_toldStatus = m_status;
        m_inbox->putStatus(m_status);
    }
}

} // namespace terrarium
