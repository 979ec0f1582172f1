#pragma once
// A host as the doors see it: find or create actors, call them, connect to them, stop them, watch them.
//
// Everything here runs on the host thread. Callbacks never run inside the call that takes them, and run
// exactly once. A reply is handed over only when it may leave: by default after the state the call changed
// is durable, so an acknowledged write is never lost (with `Replies::Immediate`, at once). Broadcasts follow
// the same rule and come before the reply of the action that made them. Doors write what they are given
// into their socket's buffer and flush when turnEnded() is emitted: one write per socket and turn.
//
// The face for actor authors is <terrarium/host.h>.

#include "async/environment.h"
#include "storage/durability.h"
#include "wire/inspector_messages.h"

#include <terrarium/actor_key.h>
#include <terrarium/cause.h>
#include <terrarium/error.h>
#include <terrarium/value.h>

#include <QHash>
#include <QObject>
#include <QSet>
#include <QUrl>

#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace terrarium {

struct TypeDefinition; // <terrarium/type_definition.h>

struct HostOptions {
    QString dataDir = QStringLiteral(".terrarium"); ///< created when absent; ":memory:" keeps nothing on disk
    Durability durability = Durability::Process;
    QString name; ///< for people; empty: the name of the current folder
};

/// One actor that exists, live or not.
struct ActorRef {
    QString id; ///< 30 characters 0-9a-z
    QString type;
    ActorKey key;
    quint32 generation = 0; ///< of the newest incarnation; 0: never started
    qint64 createdAt = 0;   ///< wall ms
    bool destroyed = false;
};

/// How a call ended.
struct CallOutcome {
    std::variant<Value, Error> result;
    qint64 tookUs = 0; ///< from dispatch to the handler's end
    bool woke = false;
    quint64 firstSequence = 0; ///< deltas it made; 0: none
    quint64 lastSequence = 0;
    int changedPaths = 0; ///< filled only while somebody watches the actor

    bool ok() const { return std::holds_alternative<Value>(result); }
};
using CallReply = std::function<void(CallOutcome &&)>;
using DoneReply = std::function<void(std::optional<Error>)>;

/// One open connection of a client. Held by its door; destroying it without close() closes it.
class HostConnection {
public:
    virtual ~HostConnection() = default;

    virtual QString id() const = 0; ///< UUID text
    virtual QString actorId() const = 0;
    /// Wakes the actor when it sleeps. `args`: a list.
    virtual void call(const QString &action, Value args, CallReply reply) = 0;
    /// In force for every event after it. The answer is an error when the actor refused.
    virtual void subscribe(const QString &event, bool on) = 0;
    /// The client is gone: runs onDisconnect. The object may be destroyed right after.
    virtual void close() = 0;
};

/// What a door does for a connection. Methods are called on the host thread and must not block.
class ConnectionSink {
public:
    virtual ~ConnectionSink() = default;

    /// An event of a subscribed name. `sharedFrame` is the same object for every subscriber of one
    /// broadcast and may be used to encode the frame once (empty until the first door fills it).
    virtual void event(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &sharedFrame) = 0;
    /// The actor or the host ends the connection: 1000 with the actor's reason, or 1011 "group.code".
    virtual void closed(quint16 code, const QString &reason) = 0;
};

struct ConnectRequest {
    Value params; ///< Null when none
    QString remoteAddress;
    ConnectionSink *sink = nullptr; ///< outlives the HostConnection
};
using ConnectReply = std::function<void(std::variant<std::unique_ptr<HostConnection>, Error> &&)>;

/// Listens to the host's list of actors. One per inspector link; cheap when idle.
class HostWatcher {
public:
    virtual ~HostWatcher() = default;
    /// At most every 50 ms, only actors whose summary changed.
    virtual void actorsChanged(const QList<wire::ActorSummary> &upserts, const QStringList &removed) = 0;
    /// Records of an actor this watcher subscribed to, as they happen.
    virtual void recordsAppended(const QString &actorId, const QList<wire::Record> &records) = 0;
    virtual void awakeChanged(const QString &actorId, const QList<wire::Blocker> &blockers,
                              const wire::SleepForecast &forecast) = 0;
};

class HostCore final : public QObject {
    Q_OBJECT
public:
    HostCore(Environment &environment, HostOptions options);
    ~HostCore() override;

    /// Before open(). A second type of the same name throws `host/duplicate_type`.
    void add(TypeDefinition type);
    /// Opens or creates the data folder. Throws `host/data_in_use` {owner, dataDir} when another host has
    /// it, `storage/newer_version` {found, supported} without having written a byte, `storage/unavailable`.
    void open();
    /// Stops taking work, lets every live actor sleep (bounded by its grace), checkpoints, closes.
    void stop(DoneReply done);
    bool isOpen() const;

    Environment &environment();
    const HostOptions &options() const;
    QString bootId() const;   ///< changes with every start
    qint64 startedAt() const; ///< wall ms
    /// What an inspector over the network says to be let in; kept in the data folder. Empty before open().
    QString inspectorToken() const;
    /// Writes the registry file by which windows and commands find this host, now that its doors listen on `url`;
    /// stop() removes it. Throws `host/registry_unavailable` {folder}.
    void announce(const QUrl &url);
    QStringList typeNames() const;
    wire::TypeInfo typeInfo(const QString &type) const;
    /// Of the action that was registered with this function (detail::memberKey). Throws `actor/not_registered`,
    /// `actor/action_not_found`.
    QString actionName(const QString &type, const QByteArray &memberKey) const;

    // Finding. Synchronous: the index of actors is on disk and cached.
    std::optional<ActorRef> find(const QString &type, const ActorKey &key) const;
    std::optional<ActorRef> findById(const QString &id) const; ///< destroyed ones too
    /// Throws `actor/not_registered`, `actor/invalid_request` (key or input too large), `host/stopping`.
    /// Two racing calls give one actor.
    std::pair<ActorRef, bool> getOrCreate(const QString &type, const ActorKey &key, const std::optional<Value> &input,
                                          const Cause &cause);
    /// Throws `actor/duplicate_key` {existing_actor_id, key} too.
    ActorRef create(const QString &type, const ActorKey &key, const std::optional<Value> &input, const Cause &cause);
    /// All that are not destroyed, of one type when `type` is not empty, by creation time; `limit` > 0.
    QList<ActorRef> list(const QString &type, int limit, const QString &afterId = {}) const;
    qsizetype actorCount() const;

    // Acting. Unknown ids answer `actor/not_found`.
    /// A call without a lasting connection: opens a short-lived one with `params`, as HTTP does.
    void call(const QString &actorId, const QString &action, Value args, Value params, const Cause &caller,
              qint64 timeoutMs, CallReply reply);
    void connect(const QString &actorId, ConnectRequest request, ConnectReply reply);
    void wake(const QString &actorId, const Cause &cause, DoneReply done);
    void sleep(const QString &actorId, const Cause &cause, DoneReply done);   ///< done when asleep; Ok when it was
    void restart(const QString &actorId, const Cause &cause, DoneReply done); ///< sleep, then wake
    void destroy(const QString &actorId, const Cause &cause,
                 DoneReply done); ///< done when its rows are gone; again: Ok

    // Watching. Never wakes, delays or keeps awake anything.
    void addWatcher(HostWatcher *watcher);
    void removeWatcher(HostWatcher *watcher);
    QList<wire::ActorSummary> summaries() const;
    /// Where a list that is read in pages stands.
    struct SummaryCursor {
        bool isDone = false;

    private:
        friend class HostCore;
        QString after;
        QHash<qint64, qint64> alarms; // row -> wall ms
        bool isStarted = false;
    };
    /// The next of summaries(), about `most` of them, as they are now; the last page sets isDone. With many actors
    /// the whole list would hold up everything else.
    QList<wire::ActorSummary> summaries(SummaryCursor &cursor, int most) const;
    /// Starts the feed of one actor for `watcher`. With `after` > 0 and the records still kept, the snapshot
    /// is resumed. Read from storage when the actor is not live. Throws `actor/not_found`.
    wire::Subscribed subscribe(HostWatcher *watcher, const QString &actorId, quint64 after = 0);
    void unsubscribe(HostWatcher *watcher, const QString &actorId);
    /// The actor as it is now, without subscribing. Throws `actor/not_found`.
    wire::Snapshot snapshot(const QString &actorId) const;

Q_SIGNALS:
    /// End of an event-loop turn: saves are committed, replies handed over. Doors flush now.
    void turnEnded();
    void stopping();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
