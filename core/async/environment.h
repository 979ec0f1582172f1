#pragma once
// Everything that may differ between two runs, handed to constructors. There are no singletons.
//
// QtEnvironment makes it real on a Qt event loop; SimulatedEnvironment (testing) owns time and order.

#include "async/clock.h"
#include "async/executor.h"
#include "async/random.h"

#include <QString>

namespace terrarium {

struct Environment {
    Clock &clock;
    Executor &executor;
    Random &random;
    /// Name of the SQLite VFS to open files with; empty: the default one.
    QString sqliteVfs;
    /// True under simulation: storage does its background work (group commit, checkpoints) through
    /// `executor` instead of threads of its own, so that a test owns the order.
    bool singleThreaded = false;
};

} // namespace terrarium
