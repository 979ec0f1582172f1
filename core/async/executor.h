#pragma once
// Runs posted functions one after another on one thread, in the order they were posted.
//
// It also knows the end of an event-loop turn: everything that was ready has run and the thread is about to look
// for new events. That is when saves are committed, replies handed over and sockets written.

#include <functional>
#include <memory>

namespace terrarium {

class Executor {
public:
    virtual ~Executor() = default;

    /// Runs `work` later on this executor's thread, never inside this call. Only from that thread.
    virtual void post(std::function<void()> work) = 0;
    /// The same; `strand` names whose work it is (an actor's slot). Work of one strand runs in order; the simulated
    /// environment draws the order between strands from its seed.
    virtual void postFor(const void *strand, std::function<void()> work)
    {
        (void)strand;
        post(std::move(work));
    }
    /// The same from any thread.
    virtual void postFromAnyThread(std::function<void()> work) = 0;

    /// Keeps a hook alive; it does not run any more once this is destroyed.
    using TurnHook = std::shared_ptr<void>;
    /// Calls `hook` at the end of every event-loop turn, hooks in the order they were added. When a hook posts work,
    /// that work runs and the hooks are called again before the thread waits. Called even in turns in which nothing
    /// happened, so it must be cheap then. Only from the executor's thread.
    [[nodiscard]] virtual TurnHook onTurnEnd(std::function<void()> hook) = 0;
};

} // namespace terrarium
