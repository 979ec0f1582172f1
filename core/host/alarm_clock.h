#pragma once
// Wakes sleeping actors whose schedules are due: one timer over the index's earliest schedule.
//
// Schedules are rows on disk, so nothing is kept per actor, and what fell due while the host was off is found when it
// starts. Live actors fire their own; whoever is told of a live one ignores it.

#include "async/environment.h"
#include "storage/actor_index.h"

#include <functional>
#include <optional>

namespace terrarium {

class AlarmClock final {
public:
    /// `due` is called from a timer, once for each actor with a due schedule.
    AlarmClock(Environment &environment, ActorIndex &index, std::function<void(const ActorRow &)> due);

    /// Looks for what is due already, then waits for the next.
    void start();
    /// A schedule at `at` (wall ms) may be the next one.
    void consider(qint64 at);
    void stop();

private:
    // Longest wait: the wall clock may be set, or the machine may have been suspended, meanwhile.
    static constexpr qint64 longestWaitMs = 30'000;
    static constexpr int mostAtOnce = 10'000;

    void arm(qint64 at);
    void look();

    Environment &m_environment;
    ActorIndex &m_index;
    std::function<void(const ActorRow &)> m_due;
    Timer m_timer;
    qint64 m_at = 0; // 0: nothing to wait for
    bool m_running = false;
};

} // namespace terrarium
