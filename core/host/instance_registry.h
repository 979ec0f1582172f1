#pragma once
// Which actors are live, and what waits for those that are not: every request, stop and wake goes through here.
//
//   none -> waiting (the driver was asked) -> starting -> active -> stopping -> none, or waiting again
//
// One incarnation of an actor lives at a time. What comes while an actor starts waits here; what comes while it stops
// waits for the next incarnation and wakes it, so no request is lost. A start that fails answers what waited with
// the reason. After a crash the next start waits a while, longer each time, and happens only when somebody asks or a
// schedule is due; a wish to destroy is kept through whatever else was under way.

#include "actor/actor_owner.h"
#include "actor/actor_task.h"
#include "host/driver.h"
#include "host/host_core.h"
#include "host/type_registry.h"
#include "inspect/change_logs.h"

#include <memory>
#include <unordered_map>

namespace terrarium {

class ClientConnection;

/// One call on its way to an actor.
struct CallRequest {
    QString actor;
    QString action;
    Value args;
    Value params; ///< of the short-lived connection it is made with
    Cause cause;
    qint64 timeoutMs = 0;
    CallReply reply;
    bool woke = false;
    int refusals = 0;
};

class InstanceRegistry final : public ActorOwner, public DriverEvents {
public:
    InstanceRegistry(Environment &environment, const TypeRegistry &types, ChangeLogs &logs, TurnSaves &turnSaves);
    InstanceRegistry(const InstanceRegistry &) = delete;
    InstanceRegistry &operator=(const InstanceRegistry &) = delete;
    ~InstanceRegistry() override;

    /// Before anything else.
    void setDriver(Driver &driver) { m_driver = &driver; }
    /// An actor is gone, or what was known of it changed: caches forget it.
    std::function<void(const ActorRow &)> onGone;

    // Asking. Answers come later, exactly once. Unknown ids: `actor/not_found`.

    void call(std::shared_ptr<CallRequest> request);
    void connect(const QString &id, ConnectRequest request, ConnectReply reply);
    /// `why`: the reason shown for the start when there has to be one.
    void wake(const QString &id, const QString &why, const Cause &cause, DoneReply done);
    void sleep(const QString &id, const Cause &cause, DoneReply done);
    void destroy(const QString &id, const Cause &cause, DoneReply done);
    /// All live actors sleep, within their grace; what waits is answered with `host/stopping`.
    void stopAll(std::function<void()> done);
    bool isStopping() const noexcept { return m_stopping; }

    // Looking.

    /// The live incarnation, or null.
    ActorTask *task(const QString &id) const;
    int liveCount() const noexcept { return m_live; }
    /// How many actors are live or about to be.
    int count() const noexcept { return int(m_instances.size()); }
    int crashCount() const noexcept { return int(m_crashes.size()); }

    // ActorOwner.
    void sleepRequested(ActorTask &task, const QString &why, const Cause &cause) override;
    void destroyRequested(ActorTask &task, const Cause &cause) override;
    void crashed(ActorTask &task, const Error &error) override;
    void terminated(ActorTask &task, const std::optional<Error> &error) override;

    // DriverEvents.
    void start(StartOrder order) override;
    void startFailed(const QString &actor, const Error &error) override;
    void stop(const Incarnation &who, StopReason reason, const QString &why, const Cause &cause) override;
    void alarmDue(const ActorRow &actor) override;

private:
    enum class Phase : quint8 { Idle, Waiting, Backoff, Starting, Active, Stopping };
    struct Instance;
    /// Runs when the actor can be asked (no error), or when it cannot.
    using Ready = std::function<void(Instance *instance, const Error *error)>;
    struct ParkedStop {
        StopReason reason = StopReason::Sleep;
        QString why;
        Cause cause;
    };
    struct Waiters {
        std::vector<Ready> ready;
        std::vector<DoneReply> asleep;
        std::vector<DoneReply> destroyed;
        std::optional<ParkedStop> stop; ///< as soon as it has started
        QString why = QStringLiteral("request");
        Cause cause;
        Timer backoff;
    };
    struct Instance {
        QString id;
        const HostedType *type = nullptr;
        ChangeLog *log = nullptr;
        std::shared_ptr<ActorTask> task;
        std::unique_ptr<Waiters> waiters;
        Phase phase = Phase::Idle;
        StopReason stopReason = StopReason::Sleep;
        bool crashing = false;
        bool destroyWanted = false;
        Waiters &waiting();
    };
    struct Crash {
        int count = 0;
        Instant at{};
        Instant retryAt{};
        qint64 retryAtWall = 0;
    };

    Instance *find(const QString &id) const;
    /// The instance of an actor that exists, made when there is none. Throws `actor/not_found`, `actor/not_registered`.
    Instance &obtain(const QString &id);
    void drop(Instance &instance);
    void dropIfIdle(Instance &instance);

    void whenReady(const QString &id, const QString &why, const Cause &cause, Ready ready);
    void demand(Instance &instance);
    void askDriver(Instance &instance);
    void runReady(Instance &instance, const Error *error);
    void started(Instance &instance);
    void beginStop(Instance &instance, StopReason reason, const QString &why, const Cause &cause);
    void destroyRows(Instance &instance);
    void gone(Instance &instance, const std::optional<Error> &error);
    void noteCrash(Instance &instance);
    void answerLater(DoneReply done, std::optional<Error> error);
    void later(std::function<void()> work);
    void dispatch(Instance &instance, std::shared_ptr<CallRequest> request);
    void answerCall(const std::shared_ptr<CallRequest> &request, ActionOutcome &&outcome);
    void failCall(const std::shared_ptr<CallRequest> &request, const Error &error);
    bool isAdmitting(const Instance &instance) const;
    std::optional<Error> refusalOf(const Instance &instance) const;
    void checkStopped();
    void trimMemoryLater();

    Environment &m_environment;
    const TypeRegistry &m_types;
    ChangeLogs &m_logs;
    TurnSaves &m_turnSaves;
    Driver *m_driver = nullptr;
    std::unordered_map<QString, std::unique_ptr<Instance>> m_instances;
    QHash<QString, Crash> m_crashes;
    std::function<void()> m_allStopped;
    std::shared_ptr<bool> m_alive;
    Timer m_trim;
    int m_live = 0;
    int m_dropped = 0; // since memory was given back
    bool m_stopping = false;
};

} // namespace terrarium
