#pragma once
// What `run` gets: a way to wait that ends early when the actor is asked to finish.
//
//     terrarium::Task<> run(terrarium::Context context)
//     {
//         while (co_await context.sleepFor(5s))
//             poll();
//     }
//
// `run` begins after the start hooks and keeps the actor awake while it works or waits. When it returns, the actor
// lives on; when it throws, the actor counts as crashed and is stopped. At the end of the grace period every wait of
// it ends by throwing ActorStopped.

#include <terrarium/actor_port.h>
#include <terrarium/task.h>

#include <chrono>

namespace terrarium {

/// Copies refer to the same actor. Not to be kept beyond `run`.
class Context final {
public:
    explicit Context(detail::ActorPort &port) noexcept : m_port(&port) {}

    /// The actor was asked to sleep, to stop or to be destroyed.
    bool isFinishing() const { return m_port->isFinishing(); }

    /// Waits. True when the time has passed; false, at once, when the actor is asked to finish.
    Task<bool> sleepFor(std::chrono::nanoseconds duration) { return m_port->sleepFor(duration); }
    /// The same, until a time of the wall clock in Unix milliseconds.
    Task<bool> sleepUntil(qint64 wallMs)
    {
        const qint64 left = wallMs - m_port->wallMs();
        return m_port->sleepFor(std::chrono::milliseconds(left > 0 ? left : 0));
    }

private:
    detail::ActorPort *m_port;
};

} // namespace terrarium
