#pragma once
// An Environment that a test owns: time moves when told to, order and chance come from a seed, nothing waits.
//
// Work of one strand (one actor) runs in the order it was posted; whose turn is next is drawn from the seed, and so
// is how much runs before the end of an event-loop turn. The same seed gives the same run.

#include "async/environment.h"
#include "async/virtual_clock.h"

#include <chrono>
#include <memory>

namespace terrarium::testing {

class SimulatedEnvironment final {
public:
    explicit SimulatedEnvironment(quint64 seed = 1);
    SimulatedEnvironment(const SimulatedEnvironment &) = delete;
    SimulatedEnvironment &operator=(const SimulatedEnvironment &) = delete;
    /// Work that did not run is dropped.
    ~SimulatedEnvironment();

    Environment &environment() noexcept;
    operator Environment &() noexcept { return environment(); }
    quint64 seed() const noexcept;

    /// Runs one piece of work, or the turn-end hooks when a turn is over. False when there was nothing to do.
    bool runOne();
    /// Until nothing is left to run at this time. Fails loudly after a million steps.
    void runUntilIdle();
    /// Runs what is ready, then lets time pass, running each deadline at its time and what follows from it.
    void advance(Duration duration);
    /// To the next deadline; false when there is none.
    bool advanceToNext();
    /// Lets the wall clock jump without time passing.
    void jumpWallClock(std::chrono::milliseconds by);

    VirtualClock &clock() noexcept;
    /// Pieces of work waiting to run now.
    int pending() const noexcept;
    /// The same as executor.onTurnEnd(), for the life of the environment.
    void onTurnEnd(std::function<void()> hook);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium::testing
