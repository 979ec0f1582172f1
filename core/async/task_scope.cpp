#include "async/task_scope.h"

#include "async/select.h"

namespace terrarium {

struct TaskScope::State final {
    class Idle final : public Source {
    public:
        bool isReady() const noexcept override { return running == 0; }
        void ended() noexcept
        {
            if (--running == 0)
                notify();
        }
        int running = 0;
    };

    static Task<> watch(std::shared_ptr<State> state, Task<> task)
    {
        try {
            co_await task;
        } catch (const ActorStopped &) {
            // The ordinary end of a task that was stopped.
        } catch (...) {
            if (state->report)
                state->report(Error::fromException(std::current_exception()));
        }
        state->idle.ended();
    }

    static Task<> joined(std::shared_ptr<State> state, TurnSlot &waiter)
    {
        Select select(waiter, {&state->idle});
        while (state->idle.running > 0)
            co_await select.next();
    }

    Idle idle;
    Report report;
};

TaskScope::TaskScope(TurnSlot &slot, Report report) : m_state(std::make_shared<State>()), m_slot(slot)
{
    m_state->report = std::move(report);
}

TaskScope::~TaskScope()
{
    if (running() > 0)
        m_slot.stop();
}

void TaskScope::spawn(Task<> task)
{
    ++m_state->idle.running;
    State::watch(m_state, std::move(task));
}

int TaskScope::running() const noexcept
{
    return m_state->idle.running;
}

Source &TaskScope::idle() noexcept
{
    return m_state->idle;
}

Task<> TaskScope::close(TurnSlot &waiter)
{
    m_slot.stop();
    return State::joined(m_state, waiter);
}

Task<> TaskScope::join(TurnSlot &waiter)
{
    return State::joined(m_state, waiter);
}

} // namespace terrarium
