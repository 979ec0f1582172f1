#pragma once
// Whose turn it is, and everything somebody's code is waiting for.
//
// An owner of waiting code (an actor's handlers, its run function, a client) has one TurnSlot and hands it to the
// waits it makes. The slot does three things: it resumes waits through its executor, never inside whoever
// completed them; it carries an opaque context (the cause, say) across each wait, so that a resumed handler
// works for what started it; and it can end every wait at once by throwing ActorStopped out of it.
//
// There is no ambient "current": whoever starts a handler opens a TurnSlot::Scope around the call.

#include "async/executor.h"

#include <coroutine>
#include <functional>
#include <memory>

namespace terrarium {

class Suspension;

class TurnSlot final {
public:
    using Context = std::shared_ptr<const void>;

    /// Waits resume through `executor`, in the order they were completed.
    explicit TurnSlot(Executor &executor) noexcept : m_executor(executor) {}
    TurnSlot(const TurnSlot &) = delete;
    TurnSlot &operator=(const TurnSlot &) = delete;
    /// Nothing may wait any more.
    ~TurnSlot();

    Executor &executor() const noexcept { return m_executor; }

    /// What the running turn works for; null outside of turns and when its starter gave none.
    const Context &context() const noexcept { return m_context; }
    /// For the running turn and what it waits for from here on.
    void setContext(Context context) noexcept { m_context = std::move(context); }
    /// Called at the end of every turn (also of turns a Scope opened), while context() is still the turn's.
    /// It may make and complete waits; it must not throw.
    void onTurnEnded(std::function<void()> callback) { m_turnEnded = std::move(callback); }
    bool isInTurn() const noexcept { return m_depth > 0; }

    /// Marks a stretch of code as one turn with `context`: open it around starting a handler. Scopes nest; the
    /// outer turn's context comes back when the inner ends.
    class Scope final {
    public:
        Scope(TurnSlot &slot, Context context);
        Scope(const Scope &) = delete;
        Scope &operator=(const Scope &) = delete;
        ~Scope();

    private:
        TurnSlot &m_slot;
        Context m_outer;
    };

    /// Ends all pending waits with ActorStopped, in the order they began (they resume later, through the
    /// executor), and every wait begun from now on.
    void stop();
    bool isStopped() const noexcept { return m_stopped; }
    /// Lets a stopped slot be used again. Nothing may be waiting.
    void restart();
    /// How many waits are suspended now.
    int waiting() const noexcept { return m_waiting; }

private:
    friend class Suspension;

    Executor &m_executor;
    Context m_context;
    std::function<void()> m_turnEnded;
    Suspension *m_first = nullptr; // suspended, oldest first
    Suspension *m_last = nullptr;
    int m_waiting = 0;
    int m_depth = 0;
    bool m_stopped = false;
};

/// One place where a coroutine stands still: the untyped part of Wait, Select and Receiver. Lives in the
/// coroutine's frame, or in something that outlives the wait.
class Suspension {
public:
    explicit Suspension(TurnSlot &slot) noexcept : m_slot(&slot) {}
    Suspension(const Suspension &) = delete;
    Suspension &operator=(const Suspension &) = delete;

    TurnSlot &slot() const noexcept { return *m_slot; }
    bool isSuspended() const noexcept { return bool(m_handle); }
    /// Resumes the coroutine through the executor. Does nothing when it does not stand here or is coming already.
    void wake();

protected:
    virtual ~Suspension();

    void suspend(std::coroutine_handle<> handle);
    /// Asked just before resuming; false: stand still until the next wake().
    virtual bool mayResume() noexcept { return true; }
    /// In the awaiter's await_resume: throws ActorStopped when the slot stopped this wait.
    void throwIfStopped();
    bool isStopped() const noexcept { return m_stopped; }

private:
    friend class TurnSlot;

    void resumeNow();
    void unlink() noexcept;

    TurnSlot *m_slot;
    std::coroutine_handle<> m_handle;
    TurnSlot::Context m_context;
    Suspension *m_next = nullptr;
    Suspension *m_previous = nullptr;
    bool m_posted = false;
    bool m_stopped = false;
};

} // namespace terrarium
