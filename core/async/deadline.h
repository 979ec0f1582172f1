#pragma once
// A point in time one can wait for, moved as often as one likes. Ready from then until cleared or moved.
//
// Moving it later, the usual case, costs nothing: the armed timer stays and looks again when it fires.

#include "async/clock.h"
#include "async/source.h"

#include <optional>

namespace terrarium {

class Deadline final : public Source {
public:
    explicit Deadline(Clock &clock) noexcept : m_clock(clock) {}

    void set(Instant at);
    /// Moves it only if that makes it earlier, or if none is set.
    void setAtMost(Instant at);
    void clear() noexcept;

    bool isSet() const noexcept { return m_at != never; }
    std::optional<Instant> at() const noexcept;
    bool isReady() const noexcept override { return m_at != never && m_clock.now() >= m_at; }

private:
    static constexpr Instant never = Instant::max();

    void arm();

    Clock &m_clock;
    Instant m_at = never;
    Instant m_armedFor = never;
    Timer m_timer;
};

} // namespace terrarium
