#pragma once
// One link to a host, on a thread of its own: owns the transport, decodes, applies deltas, asks again after holes,
// tries again after a loss.
//
// Everything here runs on the thread of its Environment; only `compute` jobs and what goes through the LinkInbox
// meet the window. A host run is told from the next by its boot id. A subscription lives here across losses: after a
// loss it is resumed from the last record taken; after a host restart it starts over.
//
// Live means: the host has answered a question asked less than a second ago, the full list of actors has come, and
// every subscription that was loaded before is whole again.

#include "async/environment.h"
#include "client/actor_tracker.h"
#include "client/link_inbox.h"
#include "client/reconnect.h"
#include "wire/transport.h"

#include <QObject>
#include <QSet>

#include <memory>
#include <optional>

namespace terrarium {

class LinkWorker final : public QObject {
    Q_OBJECT
public:
    LinkWorker(Environment &environment, HostAddress address, QString clientName, std::shared_ptr<LinkInbox> inbox);
    ~LinkWorker() override;

    void open();
    void close();
    void reconnectNow();
    void subscribe(const QString &actorId);
    void unsubscribe(const QString &actorId);
    /// Sends at once or answers NeverSent. `id` is below firstOwnId and unused.
    void request(quint32 id, const wire::Request &request);
    /// Runs `job` here when its turn comes, and `done` with its result at a beat.
    void compute(const std::function<Value()> &job, const std::function<void(const Value &)> &done);

    /// Ids from here on are the worker's own.
    static constexpr quint32 firstOwnId = 0x80000000U;

private:
    enum class Phase {
        Idle,    ///< open() not called
        Opening, ///< the transport connects, then Hello waits for Welcome
        Loading, ///< welcome; the list and the subscriptions are on their way
        Up,
        Waiting, ///< for the next try
        Refused,
        Closed,
    };
    struct Subscription {
        explicit Subscription(const QString &actorId) : tracker(actorId) {}
        ActorTracker tracker;
        quint32 pendingId = 0;  ///< a Subscribe is in flight; records meanwhile are covered by its answer
        bool isWhole = false;   ///< loaded, and no hole since
        bool isRefused = false; ///< the host does not have the actor
        std::optional<bool> toldCurrent;
        QString gapReason; ///< for the gap the next answer may leave
        qint64 gapFrom = 0;
        std::optional<Instant> askedAt; ///< of the last resynchronisation
        Duration spacing{};             ///< least time between two
        Timer timer;
    };

    void connectTransport();
    void onOpened();
    void onReceived(const QByteArray &frame);
    void onClosed(quint16 code, const QString &reason);
    void onReply(quint32 id, const wire::ReplyBody &body);
    void onWelcome(const wire::Welcome &welcome);
    void onHelloFailed(const wire::Failure &failure);
    void onPush(const wire::Push &push);
    void onSubscribed(Subscription &subscription, const wire::ReplyBody &body);
    void onPong(const wire::Pong &pong);
    void takeActors(const wire::ActorsChanged &change);

    quint32 send(const wire::Request &request);
    void sendFrame(quint32 id, const wire::Request &request);
    void askSnapshot(Subscription &subscription, bool resume);
    void resynchronise(Subscription &subscription, bool resume, const QString &reason);
    void lose(LinkProblem problem, const QString &text);
    void refuse(LinkProblem problem, const QString &text);
    void dropTransport(bool sayGoodbye);
    void planRetry();
    void tick();
    void evaluate();
    void scheduleFlush();
    void flush();
    bool isLinkUp() const { return m_phase == Phase::Loading || m_phase == Phase::Up; }
    qint64 hostNow() const;
    void setPhase(Phase phase);

    Environment &m_environment;
    const HostAddress m_address;
    const QString m_clientName;
    const std::shared_ptr<LinkInbox> m_inbox;
    std::unique_ptr<Transport> m_transport;
    std::shared_ptr<bool> m_isAlive; ///< posted work looks at it

    Phase m_phase = Phase::Idle;
    Reconnect m_reconnect;
    bool m_wasUp = false; ///< in this object's life
    bool m_saidGoodbye = false;
    bool m_hasList = false; ///< the full list came on this link
    LinkStatus m_status;
    LinkStatus m_toldStatus;
    bool m_isTold = false;

    std::map<QString, std::unique_ptr<Subscription>> m_subscriptions;
    quint32 m_nextOwnId = firstOwnId;
    quint32 m_helloId = 0;
    QHash<quint32, QString> m_subscribeIds;
    QSet<quint32> m_foreignIds; ///< of the window's requests in flight

    quint32 m_pingId = 0; ///< in flight; 0: none
    Instant m_pingSentAt{};
    qint64 m_pingSentWall = 0;
    int m_ticksWithoutPong = 0;
    std::optional<Instant> m_confirmedAt; ///< everything the host said before this moment has been taken
    qint64 m_bestRoundTripMs = -1;
    int m_pongsSinceBest = 0;

    Timer m_tickTimer;
    Timer m_openTimer;
    Timer m_retryTimer;
    Timer m_flushTimer;
    bool m_isFlushPosted = false;
    Instant m_flushedAt{};
    qint64 m_newestPushedAt = 0;
    bool m_isLagging = false; ///< the last records were old when they came
};

} // namespace terrarium
