#pragma once
// The Environment of a thread with a Qt event loop: real time, real chance, work between the loop's events.
//
// Make it on the thread it serves, after that thread's event dispatcher exists, and destroy it there. Posted work
// is drained to a budget per event-loop turn, so that sockets and timers keep being served; the turn-end hooks run
// when the queue is empty or the budget is used up, before the thread waits for events.

#include "async/environment.h"

#include <memory>

namespace terrarium {

class QtEnvironment final {
public:
    QtEnvironment();
    QtEnvironment(const QtEnvironment &) = delete;
    QtEnvironment &operator=(const QtEnvironment &) = delete;
    /// Work that did not run yet is dropped.
    ~QtEnvironment();

    Environment &environment() noexcept;
    operator Environment &() noexcept { return environment(); }

    /// The same as executor.onTurnEnd(), for the life of the environment.
    void onTurnEnd(std::function<void()> hook);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
