#pragma once
// Time, as everything in the core sees it. Never ask the system for it: take a Clock.

#include <QtGlobal>

#include <chrono>
#include <functional>
#include <memory>

namespace terrarium {

/// Monotonic time of one Clock. Only differences mean something.
using Instant = std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>;
using Duration = std::chrono::nanoseconds;

class Clock;

/// An armed callback. Destroying or cancelling it guarantees that the callback does not run any more.
class Timer final {
public:
    Timer() noexcept = default;
    Timer(Timer &&other) noexcept;
    Timer &operator=(Timer &&other) noexcept;
    Timer(const Timer &) = delete;
    ~Timer();

    bool isArmed() const noexcept;
    void cancel() noexcept;

private:
    friend class TimerHeap;
    struct Slot;
    Slot *m_slot = nullptr;
};

class Clock {
public:
    virtual ~Clock() = default;

    virtual Instant now() const = 0;
    /// Unix milliseconds. May jump.
    virtual qint64 wallMs() const = 0;
    /// Runs `callback` once on this clock's thread at or after `deadline`; earlier deadlines first, equal ones in
    /// the order they were armed. A deadline in the past runs in the next turn, not now.
    [[nodiscard]] virtual Timer at(Instant deadline, std::function<void()> callback) = 0;

    [[nodiscard]] Timer after(Duration delay, std::function<void()> callback)
    {
        return at(now() + delay, std::move(callback));
    }
};

} // namespace terrarium
