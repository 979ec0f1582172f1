#pragma once
// Whether an actor may sleep, and everything that keeps it awake.
//
// Pure: facts in, answer out. canSleep() gives the first reason in a fixed order; ActorTask::awakeReasons() gives all
// of them, those that are off too, for people who ask why.

#include <terrarium/cause.h>

#include <QList>
#include <QString>

namespace terrarium {

/// What is going on for one actor, in numbers.
struct SleepFacts {
    bool started = false;
    bool noSleep = false;
    int httpRequests = 0;
    int keepAwake = 0;
    int internalKeepAwake = 0; ///< actions and scheduled handlers are counted apart
    int actions = 0;
    int scheduledHandlers = 0;
    bool runHandler = false;
    bool runHandlerParked = false; ///< in a wait that a next generation would begin again
    int disconnectCallbacks = 0;
    int connections = 0;
    int socketCallbacks = 0;
};

enum class CanSleep : quint8 {
    Yes,
    NotReady,
    NoSleep,
    ActiveHttpRequests,
    ActiveKeepAwake,
    ActiveInternalKeepAwake,
    ActiveRunHandler,
    ActiveDisconnectCallbacks,
    ActiveConnections,
    ActiveSocketCallbacks,
};

CanSleep canSleep(const SleepFacts &facts) noexcept;
/// "active connections", for people.
QString canSleepText(CanSleep answer);

/// One thing that keeps an actor awake, or would.
struct AwakeReason {
    QString kind; ///< noSleep, httpRequests, keepAwake, internalKeepAwake, actions, scheduledHandler, runHandler,
                  ///< disconnectCallbacks, connections, socketCallbacks
    int count = 0;
    bool on = false;  ///< counts against sleep right now
    QString label;    ///< of the newest; may be empty
    qint64 since = 0; ///< wall ms, of the oldest; 0: not on
    QString origin;   ///< what started it: "action move", "hook onWake", a source line where known
    QString note;     ///< why a present thing does not count

    friend bool operator==(const AwakeReason &, const AwakeReason &) = default;
};

/// When the actor will sleep if nothing happens.
struct SleepOutlook {
    QString kind;  ///< blocked, countdown, grace, asleep, never
    qint64 at = 0; ///< wall ms: countdown: when it will sleep; grace: the deadline
    Cause resetBy; ///< countdown: what last restarted the timer

    friend bool operator==(const SleepOutlook &, const SleepOutlook &) = default;
};

} // namespace terrarium
