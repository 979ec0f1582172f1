#pragma once
// A host that speaks the inspector protocol over a loopback and has no actors behind it.
//
// Tests script it: what exists, what happens, and what goes wrong on the way. It keeps a log per actor as a real
// host does (positions without holes, deltas with causes), so that subscribing, resuming and drop notices behave as
// in the product. It lives in the thread of its Environment; with a single-threaded one everything runs through the
// executor, so a test owns the order: `environment.runUntilIdle(); client.beat();`.
//
// mockShop() and mockWorker() are the two hosts that the pictures of the window show, at the time mockNow().

#include "async/environment.h"
#include "client/inspector_client.h"
#include "wire/inspector_messages.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace terrarium {

class FakeHost final : public QObject {
    Q_OBJECT
public:
    explicit FakeHost(Environment &environment, QString name = QStringLiteral("fake"), int port = 6420);
    ~FakeHost() override;

    /// shop-dev on port 6420: archive/2026, chatRoom/lobby with 1,283 changes and a gap, a crashed checkout, ...
    static std::unique_ptr<FakeHost> mockShop(Environment &environment);
    /// worker on port 6421: render/main, thumbs/old, import/csv, ...
    static std::unique_ptr<FakeHost> mockWorker(Environment &environment);
    /// Wall clock of the pictures: 14:02:21.720 local time of one fixed day, so that they look the same everywhere.
    static qint64 mockNow();

    /// For InspectorClient: the url is for display, the link is a loopback to this object.
    HostAddress address() const;

    // ---- What exists. Changes reach the attached clients in the next turn.
    void addType(const wire::TypeInfo &type);
    /// Returns the id. An actor with a state starts at sequence 0.
    QString addActor(const QString &type, const ActorKey &key, wire::ActorStatus status = wire::ActorStatus::running,
                     const Value &state = Value::undefined());
    /// `count` actors "type/key" over the types, sleeping and running, in one batch: 10,000 are fine.
    void addActors(int count, const QStringList &types);
    void removeActor(const QString &id);
    /// Id of an actor that is there, or empty.
    QString idOf(const QString &type, const ActorKey &key) const;
    const wire::ActorSummary &summary(const QString &id) const;
    void edit(const QString &id, const std::function<void(wire::ActorSummary &)> &change);
    const Value &state(const QString &id) const;
    quint64 sequence(const QString &id) const;
    QStringList actorIds() const;

    // ---- What happens. `at` 0: now. Each appends to the actor's log and is sent in the next turn.
    /// Applies the operations; old values are filled in. Returns the sequence.
    quint64 change(const QString &id, const Cause &cause, const Delta &ops, qint64 at = 0);
    /// The difference to the present state as one delta; 0 when there is none.
    quint64 setState(const QString &id, const Value &state, const Cause &cause, qint64 at = 0);
    void saved(const QString &id, quint64 sequence, qint64 tookUs, qint64 at = 0);
    /// Also changes the summary's status and since.
    void transition(const QString &id, const wire::TransitionRecord &transition, qint64 at = 0);
    void note(const QString &id, const wire::NoteRecord &note, qint64 at = 0);
    void called(const QString &id, const wire::CallRecord &call, qint64 at = 0);
    void gauge(const QString &id, int connections, int queueSize, qint64 at = 0);
    void awake(const QString &id, const wire::AwakeRecord &awake, qint64 at = 0);
    /// The full list, those that are off too. The summary gets those that are on.
    void setBlockers(const QString &id, const QList<wire::Blocker> &blockers, const wire::SleepForecast &forecast);
    /// `count` deltas that set `path` to a running number, cause action "flood".
    void flood(const QString &id, int count, const Path &path = Path().child(QStringLiteral("count")));

    // ---- What goes wrong.
    /// Nothing is sent to the clients of the actor; then one drop notice says how many deltas, with a snapshot.
    void withhold(const QString &id);
    /// `count` 0: the number of deltas really withheld.
    void release(const QString &id, quint64 count = 0);
    /// The next `records` records are neither sent nor announced: the client finds a hole.
    void lose(const QString &id, int records);
    /// Cuts every link without a word. Nothing listens until setReachable(true) when `reachable` is false.
    void cut(bool reachable = true);
    void setReachable(bool reachable);
    /// Accepts links and never answers.
    void setMute(bool mute) { m_isMute = mute; }
    /// A new run: another boot id, logs start over at position 1, states stay.
    void restart();
    /// Says goodbye and closes.
    void stop(const QString &reason = QStringLiteral("host stopping"));
    /// False: what the log holds up to now is forgotten, so a resume gets a snapshot.
    void forgetHistory();
    void setToken(const QString &token) { m_token = token; }
    void setVersion(int version) { m_version = version; }
    void setReadOnly(bool readOnly) { m_isReadOnly = readOnly; }
    void setCapabilities(const QStringList &capabilities) { m_capabilities = capabilities; }
    /// Replies other than Welcome, ActorsChanged and Subscribed are kept back until false.
    void holdReplies(bool hold);
    /// Subscribed replies are kept back until false.
    void holdSnapshots(bool hold);

    // ---- How requests are answered.
    using CallAnswer = std::function<wire::ReplyBody(const wire::CallAction &call)>;
    /// Unset: CallResult with null. May call change() and so on; firstSequence and lastSequence are filled in.
    void answerCalls(CallAnswer answer) { m_callAnswer = std::move(answer); }

    // ---- What was seen.
    /// Every request received, over all links, in order; pings are only counted.
    const std::vector<wire::Request> &requests() const { return m_requests; }
    int framesReceived() const { return m_framesReceived; } ///< without pings
    int pingsReceived() const { return m_pingsReceived; }
    int framesSent() const { return m_framesSent; }
    int wakeCount() const { return m_wakeCount; } ///< requests that woke an actor
    int subscribeCount(const QString &id) const { return m_subscribeCounts.value(id); }
    int linkCount() const;
    int linksAccepted() const { return m_linksAccepted; }
    template <typename R>
    int count() const
    {
        int n = 0;
        for (const wire::Request &request : m_requests)
            n += std::holds_alternative<R>(request) ? 1 : 0;
        return n;
    }
    void clearCounts();

private:
    struct Actor;
    struct Link;
    friend class MockScene;

    Actor &actor(const QString &id);
    const Actor &actor(const QString &id) const;
    void accept(std::unique_ptr<Transport> transport);
    void receive(Link &link, const QByteArray &frame);
    void answer(Link &link, quint32 id, const wire::Request &request);
    void reply(Link &link, quint32 id, wire::ReplyBody body);
    void push(Link &link, wire::Push push);
    void sendFrame(Link &link, const QByteArray &frame);
    quint64 append(Actor &actor, decltype(wire::Record::body) body, qint64 at);
    void markChanged(const QString &id);
    void wakeTurn();
    void turn();
    wire::Snapshot snapshot(const Actor &actor, bool withRecords) const;
    wire::ReplyBody changeStatus(const QString &id, wire::ActorStatus to, const QString &reason);
    void dropClosedLinks();
    qint64 nowOr(qint64 at) const;

    Environment &m_environment;
    QString m_name;
    int m_port;
    QString m_bootId;
    int m_run = 1;
    qint64 m_startedAt = 0;
    QString m_productVersion;
    QString m_token;
    int m_version = wire::inspectorProtocolVersion;
    bool m_isReadOnly = false;
    bool m_isMute = false;
    bool m_holdsReplies = false;
    bool m_holdsSnapshots = false;
    bool m_isTurnPosted = false;
    QStringList m_capabilities;
    CallAnswer m_callAnswer;
    /// The mock scene answers some first subscriptions itself: with a gap in the middle.
    QHash<QString, std::function<void(Link &, quint32 id)>> m_firstAnswers;

    std::vector<std::unique_ptr<Actor>> m_actors;
    QHash<QString, Actor *> m_actorsById;
    QList<wire::TypeInfo> m_types;
    std::vector<std::unique_ptr<Link>> m_links;
    QSet<QString> m_changed;
    QStringList m_removed;
    int m_nextActor = 1;

    std::vector<wire::Request> m_requests;
    int m_framesReceived = 0;
    int m_pingsReceived = 0;
    int m_framesSent = 0;
    int m_wakeCount = 0;
    int m_linksAccepted = 0;
    QHash<QString, int> m_subscribeCounts;
    std::shared_ptr<std::atomic<bool>> m_isReachable; ///< read by link workers' threads
    std::shared_ptr<FakeHost *> m_self; ///< null inside once destroyed; reached from link workers' threads by posting
};

} // namespace terrarium
