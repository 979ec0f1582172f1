#pragma once
// One attached host, as the window sees it. Lives in the window's thread; a LinkWorker on its own thread
// owns the transport, decodes and applies deltas, and hands over ready, immutable batches.
//
// Nothing is shown the moment it arrives: batches wait until beat() is called (the window calls it on its
// one 50 ms beat, tests call it by hand), which moves them into the store and the feeds and emits one
// signal per object. pending() is emitted when there is something for the next beat.
//
// Nothing that changes the host is ever queued: while the link is not live every command fails at once with
// `client/not_connected`. A command in flight when the link is lost ends as Unconfirmed and is never resent.
//
// Link loss keeps all data, with dataAsOf() saying how old it is. Retries wait 0.25, 0.5, 1, 2, 4, 8, 15 s,
// then every 15 s, each plus or minus 20 %. They stop for a wrong token and a refused version.

#include "client/actor_feed.h"
#include "client/host_store.h"
#include "wire/inspector_messages.h"
#include "wire/transport.h"

#include <QObject>
#include <QUrl>

#include <functional>
#include <memory>
#include <optional>

namespace terrarium {

struct Environment;

/// Where a host is and how to get in.
struct HostAddress {
    QUrl url; ///< ws://127.0.0.1:6420 ; the path is added by the client
    QString token;
    QString label; ///< shown before Welcome names the host
    bool readOnly = false;
    /// In-process host: makes a transport to it. When set, `url` is only for display. Called on the link
    /// worker's thread for each attempt; the result belongs to the caller.
    std::function<std::unique_ptr<Transport>()> connect;
};

enum class LinkState { Connecting, Live, Behind, Resyncing, Lost, Refused, Closed };
/// "connecting", "live", ... : property values for tests, not for people.
QString linkStateName(LinkState state);

/// Why a link failed, for the attach dialog's texts.
enum class LinkProblem {
    None,
    NothingListens,
    NotAHost,
    TokenWrong,
    TokenMissing,
    VersionTooNew,
    VersionTooOld,
    NameNotFound,
    TimedOut,
    Tls,
    Cut,
    HostStopped
};

/// How a command ended.
template <typename T>
struct Outcome {
    enum Kind { Ok, Failed, Unconfirmed } kind = Failed;
    T value{};
    Error error{QStringLiteral("client"), QStringLiteral("not_connected"), QString()};
};

class InspectorClient final : public QObject {
    Q_OBJECT
public:
    /// `environment` gives clock, timers and chance of the window's thread; it outlives the client.
    InspectorClient(Environment &environment, HostAddress address, QString clientName, QObject *parent = nullptr);
    ~InspectorClient() override;

    void open();
    void close();        ///< ends as Closed; the data stays readable
    void reconnectNow(); ///< when Lost: tries at once

    const HostAddress &address() const;
    LinkState state() const;
    LinkProblem problem() const;
    QString problemText() const; ///< the transport's or the host's own words, English; may be empty
    int attempt() const;         ///< tries since the loss
    qint64 retryInMs() const;    ///< until the next try; -1 when none is planned
    qint64 dataAsOf() const;     ///< wall ms of this computer: when the link was last live; 0: never
    const wire::Welcome &welcome() const;
    bool can(QLatin1String capability) const;
    bool isReadOnly() const;
    QString name() const; ///< host name, else the address label
    /// Host wall clock minus ours, from pings; 0 until known.
    qint64 clockOffsetMs() const;
    /// Age of the newest event when it became visible.
    qint64 lagMs() const;
    double updatesPerSecond() const;
    /// Host run counter of this link: rises when the host was restarted meanwhile.
    int epoch() const;

    HostStore &store();
    /// The feed of one actor. Subscribes with the first holder, unsubscribes with the last. Never null;
    /// its data is empty until the snapshot arrives.
    std::shared_ptr<ActorFeed> feed(const QString &actorId);
    /// Gaps of all feeds of this link, oldest first.
    const QList<FeedGap> &gaps() const;

    // Commands. The handler runs in this thread, later, exactly once, and never after `context` is gone.
    template <typename T>
    using Handler = std::function<void(const Outcome<T> &)>;
    /// Returns a number for cancelCall().
    quint32 callAction(const QString &actorId, const QString &action, const Value &args, qint64 timeoutMs,
                       QObject *context, Handler<wire::CallResult> handler);
    void cancelCall(quint32 call);
    void sleepActor(const QString &actorId, QObject *context, Handler<wire::Done> handler);
    void wakeActor(const QString &actorId, QObject *context, Handler<wire::Done> handler);
    void restartActor(const QString &actorId, QObject *context, Handler<wire::Done> handler);
    void destroyActor(const QString &actorId, QObject *context, Handler<wire::Done> handler);
    void createActor(const QString &type, const ActorKey &key, const std::optional<Value> &input, bool wake,
                     QObject *context, Handler<wire::Created> handler);
    void listTypes(QObject *context, Handler<wire::Types> handler);

    /// Takes over what arrived since the last beat.
    void beat();
    bool hasPending() const;

Q_SIGNALS:
    void pending();       ///< from idle to "something waits for beat()"
    void linkChanged();   ///< state, problem, attempt, retry time, welcome
    void metersChanged(); ///< lag, rates; at most once a beat
    void gapsChanged();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
