#include "client/inspector_client.h"

#include "async/environment.h"
#include "async/qt_environment.h"
#include "client/feed_update.h"
#include "client/link_inbox.h"
#include "client/link_worker.h"

#include <QPointer>
#include <QThread>

#include <semaphore>

namespace terrarium {

namespace {
constexpr qsizetype clientMostGaps = 1000;
/// Older than this and what waits for a beat makes the picture late.
constexpr auto clientBeatLate = std::chrono::seconds(1);

/// A thread with an environment of its own for one worker.
class LinkThread final : public QThread {
public:
    explicit LinkThread(std::function<std::unique_ptr<LinkWorker>(Environment &)> make) : m_make(std::move(make)) {}

    void startAndWait()
    {
        setObjectName(QStringLiteral("link"));
        start();
        m_isReady.acquire();
    }
    void post(std::function<void()> work) { m_executor->postFromAnyThread(std::move(work)); }
    LinkWorker *worker() const { return m_worker; }

protected:
    void run() override
    {
        QtEnvironment environment;
        {
            const std::unique_ptr<LinkWorker> worker = m_make(environment);
            m_worker = worker.get();
            m_executor = &environment.environment().executor;
            m_isReady.release();
            exec();
        }
    }

private:
    const std::function<std::unique_ptr<LinkWorker>(Environment &)> m_make;
    std::binary_semaphore m_isReady{0};
    LinkWorker *m_worker = nullptr;
    Executor *m_executor = nullptr;
};
} // namespace

QString linkStateName(LinkState state)
{
    switch (state) {
    case LinkState::Connecting: return QStringLiteral("connecting");
    case LinkState::Live: return QStringLiteral("live");
    case LinkState::Behind: return QStringLiteral("behind");
    case LinkState::Resyncing: return QStringLiteral("resyncing");
    case LinkState::Lost: return QStringLiteral("lost");
    case LinkState::Refused: return QStringLiteral("refused");
    case LinkState::Closed: return QStringLiteral("closed");
    }
    return {};
}

struct InspectorClient::Private {
    struct Waiting {
        QPointer<QObject> context;
        bool hasContext = false;
        std::function<void(const LinkAnswer &)> handler;

        void answer(const LinkAnswer &result) const
        {
            if (!hasContext || context)
                handler(result);
        }
    };

    Private(InspectorClient &client, Environment &environment, HostAddress address, QString clientName)
        : client(client),
          environment(environment),
          address(std::move(address)),
          clientName(std::move(clientName))
    {}

    InspectorClient &client;
    Environment &environment;
    const HostAddress address;
    const QString clientName;
    /// Null once the client is gone; only looked into on the window's thread.
    std::shared_ptr<InspectorClient *> self;
    std::shared_ptr<LinkInbox> inbox;
    std::unique_ptr<LinkThread> thread;    ///< none when single-threaded
    std::shared_ptr<LinkWorker> ownWorker; ///< single-threaded only

    LinkStatus status;
    bool isOpened = false;
    HostStore store;
    QHash<QString, std::weak_ptr<ActorFeed>> feeds;
    QList<FeedGap> gaps;
    QHash<quint32, Waiting> waiting;
    quint32 nextId = 1;
    std::optional<Instant> pendingSince;
    qint64 lagMs = 0;
    double updatesPerSecond = 0;

    void post(std::function<void(LinkWorker &)> work)
    {
        if (thread) {
            thread->post([worker = thread->worker(), work = std::move(work)] { work(*worker); });
        } else {
            environment.executor.post([worker = std::weak_ptr<LinkWorker>(ownWorker), work = std::move(work)] {
                if (const std::shared_ptr<LinkWorker> alive = worker.lock())
                    work(*alive);
            });
        }
    }

    bool isCommandable() const
    {
        return status.state == LinkState::Live || status.state == LinkState::Behind
               || status.state == LinkState::Resyncing;
    }

    bool isBeatLate() const { return pendingSince && environment.clock.now() - *pendingSince > clientBeatLate; }

    void failSoon(QObject *context, std::function<void(const LinkAnswer &)> handler, LinkAnswer answer)
    {
        Waiting entry{context, context != nullptr, std::move(handler)};
        environment.executor.post([entry, answer = std::move(answer)] { entry.answer(answer); });
    }

    quint32 command(wire::Request request, QLatin1String capability, QObject *context, bool isMutating,
                    std::function<void(const LinkAnswer &)> handler)
    {
        const quint32 id = nextId;
        nextId = nextId + 1 == LinkWorker::firstOwnId ? 1 : nextId + 1;
        if (!isCommandable()) {
            failSoon(context, std::move(handler), NeverSent{});
            return id;
        }
        if (isMutating && client.isReadOnly()) {
            wire::Failure failure;
            failure.group = QStringLiteral("client");
            failure.code = QStringLiteral("read_only");
            failure.message = QStringLiteral("attached read-only: nothing that changes the host is sent");
            failSoon(context, std::move(handler), wire::ReplyBody(failure));
            return id;
        }
        if (!client.can(capability)) {
            wire::Failure failure;
            failure.group = QStringLiteral("client");
            failure.code = QStringLiteral("not_supported");
            failure.message = QStringLiteral("host \"%1\" cannot \"%2\"").arg(client.name(), QString(capability));
            failSoon(context, std::move(handler), wire::ReplyBody(failure));
            return id;
        }
        waiting.insert(id, Waiting{context, context != nullptr, std::move(handler)});
        post([id, request = std::move(request)](LinkWorker &worker) { worker.request(id, request); });
        return id;
    }

    template <typename T>
    static std::function<void(const LinkAnswer &)> typed(Handler<T> handler)
    {
        return [handler = std::move(handler)](const LinkAnswer &answer) {
            if (!handler)
                return;
            Outcome<T> outcome;
            if (std::holds_alternative<AnswerLost>(answer)) {
                outcome.kind = Outcome<T>::Unconfirmed;
                outcome.error = Error(QStringLiteral("client"), QStringLiteral("unconfirmed"),
                                      QStringLiteral("the link was lost before the answer came"));
            } else if (std::holds_alternative<NeverSent>(answer)) {
                outcome.error = Error(QStringLiteral("client"), QStringLiteral("not_connected"),
                                      QStringLiteral("the link is not live: nothing was sent"));
            } else {
                const auto &body = std::get<wire::ReplyBody>(answer);
                if (const auto *value = std::get_if<T>(&body)) {
                    outcome.kind = Outcome<T>::Ok;
                    outcome.value = *value;
                } else if (const auto *failure = std::get_if<wire::Failure>(&body)) {
                    outcome.error = Error(failure->group, failure->code, failure->message, failure->metadata);
                } else {
                    outcome.error = Error(QStringLiteral("client"), QStringLiteral("unexpected_answer"),
                                          QStringLiteral("the host answered with another kind of message"));
                }
            }
            handler(outcome);
        };
    }

    void makeWorker()
    {
        const auto make = [this](Environment &own) {
            return std::make_unique<LinkWorker>(own, address, clientName, inbox);
        };
        if (environment.singleThreaded) {
            ownWorker = make(environment);
        } else {
            thread = std::make_unique<LinkThread>(make);
            thread->startAndWait();
        }
    }
};

InspectorClient::InspectorClient(Environment &environment, HostAddress address, QString clientName, QObject *parent)
    : QObject(parent),
      d(std::make_unique<Private>(*this, environment, std::move(address), std::move(clientName)))
{
    d->self = std::make_shared<InspectorClient *>(this);
    Executor &executor = environment.executor;
    d->inbox = std::make_shared<LinkInbox>([&executor, self = d->self] {
        executor.postFromAnyThread([self] {
            InspectorClient *client = *self;
            if (!client || client->d->pendingSince)
                return;
            client->d->pendingSince = client->d->environment.clock.now();
            Q_EMIT client->pending();
        });
    });
    d->makeWorker();
}

InspectorClient::~InspectorClient()
{
    *d->self = nullptr;
    for (const std::weak_ptr<ActorFeed> &weak : std::as_const(d->feeds)) {
        if (const std::shared_ptr<ActorFeed> feed = weak.lock())
            feed->setHooks({});
    }
    if (d->thread) {
        d->thread->quit();
        d->thread->wait();
    }
}

void InspectorClient::open()
{
    d->isOpened = true;
    if (d->status.state == LinkState::Closed)
        d->status.state = LinkState::Connecting;
    d->post([](LinkWorker &worker) { worker.open(); });
}

void InspectorClient::close()
{
    d->post([](LinkWorker &worker) { worker.close(); });
}

void InspectorClient::reconnectNow()
{
    d->post([](LinkWorker &worker) { worker.reconnectNow(); });
}

const HostAddress &InspectorClient::address() const
{
    return d->address;
}

LinkState InspectorClient::state() const
{
    return d->status.state == LinkState::Live && d->isBeatLate() ? LinkState::Behind : d->status.state;
}

LinkProblem InspectorClient::problem() const
{
    return d->status.problem;
}

QString InspectorClient::problemText() const
{
    return d->status.problemText;
}

int InspectorClient::attempt() const
{
    return d->status.attempt;
}

qint64 InspectorClient::retryInMs() const
{
    if (d->status.retryAt == 0)
        return -1;
    return std::max<qint64>(0, d->status.retryAt - d->environment.clock.wallMs());
}

qint64 InspectorClient::dataAsOf() const
{
    return state() == LinkState::Live ? d->environment.clock.wallMs() : d->status.liveAt;
}

const wire::Welcome &InspectorClient::welcome() const
{
    return d->status.welcome;
}

bool InspectorClient::can(QLatin1String capability) const
{
    return d->status.welcome.capabilities.contains(capability);
}

bool InspectorClient::isReadOnly() const
{
    return d->address.readOnly || d->status.welcome.readOnly;
}

QString InspectorClient::name() const
{
    if (!d->status.welcome.hostName.isEmpty())
        return d->status.welcome.hostName;
    return d->address.label.isEmpty() ? d->address.url.toDisplayString() : d->address.label;
}

qint64 InspectorClient::clockOffsetMs() const
{
    return d->status.clockOffsetMs;
}

qint64 InspectorClient::lagMs() const
{
    return d->lagMs;
}

double InspectorClient::updatesPerSecond() const
{
    return d->isCommandable() ? d->updatesPerSecond : 0;
}

int InspectorClient::epoch() const
{
    return d->status.epoch;
}

HostStore &InspectorClient::store()
{
    return d->store;
}

std::shared_ptr<ActorFeed> InspectorClient::feed(const QString &actorId)
{
    if (std::shared_ptr<ActorFeed> existing = d->feeds.value(actorId).lock())
        return existing;
    const auto self = d->self;
    std::shared_ptr<ActorFeed> feed(new ActorFeed(actorId), [self](ActorFeed *dying) {
        if (InspectorClient *client = *self) {
            const QString id = dying->actorId();
            client->d->feeds.remove(id);
            client->d->post([id](LinkWorker &worker) { worker.unsubscribe(id); });
        }
        delete dying;
    });
    ActorFeed::Hooks hooks;
    hooks.wallMs = [this] { return d->environment.clock.wallMs(); };
    hooks.isBeatLate = [this] { return d->isBeatLate(); };
    hooks.runLater = [this](std::function<Value()> job, std::function<void(const Value &)> done) {
        d->post([job = std::move(job), done = std::move(done)](LinkWorker &worker) { worker.compute(job, done); });
    };
    feed->setHooks(std::move(hooks));
    d->feeds.insert(actorId, feed);
    d->post([actorId](LinkWorker &worker) { worker.subscribe(actorId); });
    return feed;
}

const QList<FeedGap> &InspectorClient::gaps() const
{
    return d->gaps;
}

quint32 InspectorClient::callAction(const QString &actorId, const QString &action, const Value &args, qint64 timeoutMs,
                                    QObject *context, Handler<wire::CallResult> handler)
{
    wire::CallAction message;
    message.actor = actorId;
    message.action = action;
    message.args = args;
    message.timeoutMs = timeoutMs;
    return d->command(std::move(message), QLatin1String("call"), context, true,
                      Private::typed<wire::CallResult>(std::move(handler)));
}

void InspectorClient::cancelCall(quint32 call)
{
    if (!d->waiting.contains(call))
        return;
    wire::CancelCall message;
    message.call = call;
    d->command(std::move(message), QLatin1String("call"), nullptr, true, Private::typed<wire::Done>({}));
}

void InspectorClient::sleepActor(const QString &actorId, QObject *context, Handler<wire::Done> handler)
{
    wire::SleepActor message;
    message.actor = actorId;
    d->command(std::move(message), QLatin1String("sleep"), context, true,
               Private::typed<wire::Done>(std::move(handler)));
}

void InspectorClient::wakeActor(const QString &actorId, QObject *context, Handler<wire::Done> handler)
{
    wire::WakeActor message;
    message.actor = actorId;
    d->command(std::move(message), QLatin1String("wake"), context, true,
               Private::typed<wire::Done>(std::move(handler)));
}

void InspectorClient::restartActor(const QString &actorId, QObject *context, Handler<wire::Done> handler)
{
    wire::RestartActor message;
    message.actor = actorId;
    d->command(std::move(message), QLatin1String("restart"), context, true,
               Private::typed<wire::Done>(std::move(handler)));
}

void InspectorClient::destroyActor(const QString &actorId, QObject *context, Handler<wire::Done> handler)
{
    wire::DestroyActor message;
    message.actor = actorId;
    d->command(std::move(message), QLatin1String("destroy"), context, true,
               Private::typed<wire::Done>(std::move(handler)));
}

void InspectorClient::createActor(const QString &type, const ActorKey &key, const std::optional<Value> &input,
                                  bool wake, QObject *context, Handler<wire::Created> handler)
{
    wire::CreateActor message;
    message.type = type;
    message.key = key;
    message.input = input;
    message.wake = wake;
    d->command(std::move(message), QLatin1String("create"), context, true,
               Private::typed<wire::Created>(std::move(handler)));
}

void InspectorClient::listTypes(QObject *context, Handler<wire::Types> handler)
{
    d->command(wire::ListTypes{}, QLatin1String("actors"), context, false,
               Private::typed<wire::Types>(std::move(handler)));
}

void InspectorClient::beat()
{
    LinkBatch batch = d->inbox->take();
    d->pendingSince.reset();
    if (batch.isEmpty())
        return;

    const QPointer<InspectorClient> alive(this);
    const qint64 oldLag = d->lagMs;
    const double oldRate = updatesPerSecond();
    if (batch.status)
        d->status = *batch.status;
    if (batch.newestAt > 0)
        d->lagMs = std::max<qint64>(0, d->environment.clock.wallMs() + d->status.clockOffsetMs - batch.newestAt);
    bool hasGaps = false;
    for (const auto &[id, update] : batch.feeds) {
        for (const FeedGap &gap : update.gaps) {
            d->gaps.append(gap);
            hasGaps = true;
        }
    }
    if (d->gaps.size() > clientMostGaps)
        d->gaps.erase(d->gaps.begin(), d->gaps.end() - clientMostGaps);

    if (!batch.actors.isEmpty()) {
        d->store.apply(batch.actors);
        if (!alive)
            return;
        double rate = 0;
        for (const wire::ActorSummary &summary : d->store.actors())
            rate += summary.rate;
        d->updatesPerSecond = rate;
    }
    for (const auto &[id, update] : batch.feeds) {
        // Held: a handler may let the last other holder go.
        if (const std::shared_ptr<ActorFeed> feed = d->feeds.value(id).lock())
            feed->apply(update);
        if (!alive)
            return;
    }
    if (batch.status) {
        Q_EMIT linkChanged();
        if (!alive)
            return;
    }
    if (d->lagMs != oldLag || updatesPerSecond() != oldRate) {
        Q_EMIT metersChanged();
        if (!alive)
            return;
    }
    if (hasGaps) {
        Q_EMIT gapsChanged();
        if (!alive)
            return;
    }
    for (const auto &[id, answer] : batch.answers) {
        const auto it = d->waiting.constFind(id);
        if (it == d->waiting.cend())
            continue;
        const Private::Waiting entry = *it;
        d->waiting.erase(it);
        entry.answer(answer);
        if (!alive)
            return;
    }
    for (const std::function<void()> &result : batch.results) {
        result();
        if (!alive)
            return;
    }
}

bool InspectorClient::hasPending() const
{
    return !d->inbox->isEmpty();
}

} // namespace terrarium
