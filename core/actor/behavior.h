#pragma once
// The author's side of one live actor, as the engine sees it. The engine never calls author's code itself: it calls
// these, and is told through ActorTask how they ended.
//
// Implementations open a TurnSlot::Scope on slot() around every stretch of author's code. Handlers may wait and then
// run side by side; there is no lock per actor. A Behavior outlives its task while coroutines of it are still
// standing in foreign waits; after detach() it must not call the task any more.

#include "actor/turn_context.h"
#include "async/turn_slot.h"

#include <terrarium/error.h>

#include <QByteArray>

#include <functional>
#include <memory>
#include <optional>

namespace terrarium {

/// What a start hands over.
struct StartInfo {
    bool isNew = false;              ///< the first start that has not run through yet
    std::optional<QByteArray> input; ///< CBOR
    QByteArray state;                ///< CBOR; empty: none was ever saved
};

/// Called exactly once; may be called inside the call that takes it.
using HookDone = std::function<void(const std::optional<Error> &)>;

class Behavior {
public:
    explicit Behavior(Executor &executor) : m_slot(executor) {}
    Behavior(const Behavior &) = delete;
    Behavior &operator=(const Behavior &) = delete;
    virtual ~Behavior() = default;

    TurnSlot &slot() noexcept { return m_slot; }

    /// Makes or installs the state, runs the start hooks, then begins `run`.
    virtual void start(const StartInfo &info, HookDone done) = 0;
    /// The whole state as CBOR; empty when the type has none. Throws what its encoding throws.
    virtual QByteArray serialize() = 0;
    /// Ends with ActorTask::finishAction().
    virtual void runAction(const std::shared_ptr<ActionRun> &run) = 0;
    virtual bool hasConnectHooks() const = 0;
    virtual void connected(const std::shared_ptr<ActorConnection> &connection, const Cause &cause, HookDone done) = 0;
    virtual void disconnected(const std::shared_ptr<ActorConnection> &connection, HookDone done) = 0;
    virtual void cleanUp(StopReason reason, HookDone done) = 0;
    virtual bool wantsStateChanges() const = 0;
    /// The state differs from what it was; changing it in here is refused.
    virtual void stateChanged(const Cause &cause) = 0;
    /// Grace begins: ask everybody to finish.
    virtual void requestAbort() = 0;
    /// The deadline is reached: end every wait. isIdle() turns true when all coroutines have unwound.
    virtual void cutOff() = 0;
    virtual bool isIdle() const = 0;
    /// Names of what still runs, for "cut off at the deadline".
    virtual QStringList running() const = 0;
    /// The task is going.
    virtual void detach() = 0;

private:
    TurnSlot m_slot;
};

} // namespace terrarium
