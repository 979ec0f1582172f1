#pragma once
// A clock that stands still until it is moved: stepped, moved to the next deadline, or to a wall time.

#include "async/timer_heap.h"

namespace terrarium {

class VirtualClock final : public Clock {
public:
    /// Starts at the wall time `wallMs`.
    explicit VirtualClock(qint64 wallMs = 1'767'225'600'000) noexcept : m_wallMs(wallMs) {}

    Instant now() const override { return m_now; }
    qint64 wallMs() const override
    {
        return m_wallMs + std::chrono::duration_cast<std::chrono::milliseconds>(m_now.time_since_epoch()).count();
    }
    [[nodiscard]] Timer at(Instant deadline, std::function<void()> callback) override
    {
        return m_heap.add(deadline, std::move(callback));
    }

    /// Moves time forward without running anything; backwards is ignored.
    void moveTo(Instant instant) noexcept
    {
        if (instant > m_now)
            m_now = instant;
    }
    /// Lets the wall clock jump; monotonic time and timers stay.
    void jumpWall(qint64 byMs) noexcept { m_wallMs += byMs; }
    TimerHeap &timers() noexcept { return m_heap; }

private:
    TimerHeap m_heap;
    Instant m_now{};
    qint64 m_wallMs;
};

} // namespace terrarium
