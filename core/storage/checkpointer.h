#pragma once
// Moves the write-ahead log into the database file behind everybody's back, and keeps it from growing for ever.
//
// A pass is made from a connection of its own after every thousand pages. Passes beside busy writers never let the
// log start over, so when it has passed four thousand pages commits are held for one last short pass; the next
// commit then starts the log anew.

#include "async/environment.h"

#include <functional>
#include <memory>

namespace terrarium {

class Checkpointer final {
public:
    struct Limits {
        int passPages = 1000;
        int holdPages = 4000;
    };
    struct Counters {
        quint64 passes = 0;
        quint64 holds = 0;
        quint64 movedPages = 0; ///< in the last pass
        quint64 failures = 0;
    };

    /// `hold(true)` asks for commits to be held until `hold(false)`; called on the host thread.
    Checkpointer(Environment &environment, const QString &file, std::function<void(bool)> hold);
    Checkpointer(Environment &environment, const QString &file, std::function<void(bool)> hold, const Limits &limits);
    Checkpointer(const Checkpointer &) = delete;
    Checkpointer &operator=(const Checkpointer &) = delete;
    /// Ends after the pass it is in.
    ~Checkpointer();

    /// To call after each commit, on the host thread.
    void committed(int logPages);
    const Counters &counters() const noexcept;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
