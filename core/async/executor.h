#pragma once
// Runs posted functions one after another on one thread, in the order they were posted.

#include <functional>

namespace terrarium {

class Executor {
public:
    virtual ~Executor() = default;

    /// Runs `work` later on this executor's thread, never inside this call. Only from that thread.
    virtual void post(std::function<void()> work) = 0;
    /// The same from any thread.
    virtual void postFromAnyThread(std::function<void()> work) = 0;
};

} // namespace terrarium
