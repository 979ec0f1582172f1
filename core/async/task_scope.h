#pragma once
// Owns running tasks, so that none is forgotten: what they throw is reported, and closing the scope stops and
// joins them.
//
// A Task of QCoro starts at once and runs on when dropped, its exception lost. Give every task that is not awaited
// to a scope. Tasks stop by their waits: those of the scope's slot end with ActorStopped when the scope is closed;
// a task that waits for something else is joined when that ends.

#include "async/source.h"
#include "async/turn_slot.h"

#include <terrarium/error.h>
#include <terrarium/task.h>

#include <functional>
#include <memory>

namespace terrarium {

class TaskScope final {
public:
    /// What a task threw, except ActorStopped, which is an ordinary end.
    using Report = std::function<void(const Error &)>;

    /// `slot`: the one the tasks wait with. `report` may be called until the last task has ended, even after the scope
    /// is gone.
    TaskScope(TurnSlot &slot, Report report);
    TaskScope(const TaskScope &) = delete;
    TaskScope &operator=(const TaskScope &) = delete;
    /// Stops the slot when tasks are still running; they unwind through the executor.
    ~TaskScope();

    void spawn(Task<> task);
    int running() const noexcept;
    /// Ready while no task is running.
    Source &idle() noexcept;

    /// Stops the slot and waits, with `waiter` (another slot), until every task has ended.
    Task<> close(TurnSlot &waiter);
    /// Waits without stopping anything.
    Task<> join(TurnSlot &waiter);

private:
    struct State;
    std::shared_ptr<State> m_state;
    TurnSlot &m_slot;
};

} // namespace terrarium
