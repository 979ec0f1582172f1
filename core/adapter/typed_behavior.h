#pragma once
// Runs an author's class for the engine: finds the action, opens the turn, calls, and reports how it ended.
//
// It is the owner of the author's object and of every coroutine of it. Handlers that return at once cost no
// coroutine. Each one that waits is driven by a coroutine that holds this object, catches everything and is counted:
// at the deadline the slot ends all waits, the frames unwind, and what stands in a foreign wait keeps this object
// alive, detached from its actor, until that ends.

#include "actor/actor_task.h"
#include "actor/behavior.h"
#include "async/abort_signal.h"
#include "async/environment.h"

#include <terrarium/actor.h>
#include <terrarium/type_definition.h>

#include <memory>

namespace terrarium {

class TypedBehavior final : public Behavior,
                            public detail::ActorPort,
                            public std::enable_shared_from_this<TypedBehavior> {
public:
    TypedBehavior(ActorTask &task, Environment &environment, std::shared_ptr<const TypeDefinition> type);
    ~TypedBehavior() override;

    // Behavior
    void start(const StartInfo &info, HookDone done) override;
    QByteArray serialize() override;
    void runAction(const std::shared_ptr<ActionRun> &run) override;
    bool hasConnectHooks() const override;
    void connected(const std::shared_ptr<ActorConnection> &connection, const Cause &cause, HookDone done) override;
    void disconnected(const std::shared_ptr<ActorConnection> &connection, HookDone done) override;
    void cleanUp(StopReason reason, HookDone done) override;
    bool wantsStateChanges() const override;
    void stateChanged(const Cause &cause) override;
    void requestAbort() override;
    void cutOff() override;
    bool isIdle() const override { return m_waiting.isEmpty(); }
    QStringList running() const override { return m_waiting; }
    void detach() override;

    // ActorPort
    std::weak_ptr<detail::ActorPort> weak() override
    {
        return std::shared_ptr<detail::ActorPort>(shared_from_this(), this);
    }
    const QString &id() const override { return m_row.id; }
    const QString &type() const override { return m_row.type; }
    const ActorKey &key() const override { return m_row.key; }
    quint32 generation() const override { return m_row.generation; }
    qint64 wallMs() const override { return m_environment.clock.wallMs(); }
    void touchState() override;
    void broadcast(const QString &event, Value args) override;
    QString actionOf(const QByteArray &memberKey) const override;
    QString scheduleAt(qint64 wallMs, const QString &action, const Value &args) override;
    QString scheduleEvery(const QString &name, qint64 intervalMs, const QString &action, const Value &args) override;
    bool cancelSchedule(const QString &idOrName) override;
    Task<> saveNow() override;
    Task<> delay(std::chrono::nanoseconds duration) override;
    Task<bool> sleepFor(std::chrono::nanoseconds duration) override;
    void waitUntil(Task<> task, const QString &label) override;
    quint64 beginKeepAwake(const QString &label, const QString &origin) override;
    void endKeepAwake(quint64 region) override;
    void requestSleep() override;
    void requestDestroy() override;
    bool isFinishing() const override { return m_abort.isRequested() || m_task == nullptr; }
    ConnectionInfo caller() const override;
    QList<ConnectionInfo> connections() const override;
    bool disconnect(const QString &connection, const QString &reason) override;

private:
    using Self = std::shared_ptr<TypedBehavior>;
    struct HookRun;
    /// What a coroutine holds this object with. The last one lets go later, through the executor: a coroutine ends
    /// inside a turn of the slot, and the slot is in this object.
    class Hold final {
    public:
        explicit Hold(Self self) noexcept : m_self(std::move(self)) {}
        Hold(Hold &&other) noexcept = default;
        Hold(const Hold &) = delete;
        ~Hold();
        TypedBehavior *operator->() const noexcept { return m_self.get(); }
        TypedBehavior &operator*() const noexcept { return *m_self; }

    private:
        Self m_self;
    };

    /// `call` is the author's code; `limit` 0: none.
    void runHook(const QString &name, const std::function<HookResult()> &call, std::chrono::milliseconds limit,
                 std::shared_ptr<TurnContext> context, HookDone done);
    void endHook(HookRun &hook, const std::optional<Error> &error);
    void beginRun();
    ActorTask &attached() const; ///< throws ActorStopped when detached
    const TurnContext *turn() const;
    Cause turnCause() const;
    void began(const QString &name);
    void ended(const QString &name);

    static Task<> driveAction(Hold self, std::shared_ptr<ActionRun> run, Task<Value> task);
    static Task<> driveHook(Hold self, std::shared_ptr<HookRun> hook, Task<> task);
    static Task<> driveRun(Hold self);
    static Task<> driveWaitUntil(Hold self, quint64 region, QString name, Task<> task);

    Environment &m_environment;
    ActorTask *m_task; // null: detached
    std::shared_ptr<const TypeDefinition> m_type;
    ActorRow m_row;
    std::unique_ptr<ActorBase> m_actor;
    AbortSignal m_abort;
    int m_toldToFinish = 0;
    QStringList m_waiting; // names of what stands in a wait
};

} // namespace terrarium
