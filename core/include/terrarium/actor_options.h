#pragma once
// What an actor type may tune, with the values that hold when it says nothing.
//
// All durations are at least 0; there is no other clamping. The window lists every option with its unit and marks
// those that differ from the default.

#include <QString>

#include <chrono>

namespace terrarium {

/// When the reply of an action, and what it broadcast, may leave.
enum class Replies : quint8 {
    Durable,   ///< after the state it changed is durable: an acknowledged change is never lost
    Immediate, ///< at once; the state follows within `stateSaveInterval`
};

struct ActorOptions {
    using Milliseconds = std::chrono::milliseconds;

    Replies replies = Replies::Durable;
    Milliseconds sleepTimeout{30'000}; ///< idle time before the actor sleeps
    bool noSleep = false;              ///< never sleeps by idling
    Milliseconds gracePeriod{15'000};  ///< whole budget of a stop: hooks and running work
    Milliseconds stateSaveInterval{
        1'000}; ///< with Replies::Immediate: least time between saves; always: time to the next try after a failed one
    Milliseconds actionTimeout{60'000}; ///< then the caller gets `actor/action_timed_out`; the handler goes on
    Milliseconds onCreateTimeout{5'000};
    Milliseconds onWakeTimeout{30'000};
    Milliseconds onConnectTimeout{5'000};
    Milliseconds onDisconnectTimeout{5'000};
    int maxSchedules = 1'000;        ///< pending ones; more: `schedule/max_schedules_exceeded`
    qint64 maxMessageSize = 65'536;  ///< bytes of one call's arguments, as the doors count them
    qint64 maxReplySize = 1'048'576; ///< bytes of one reply or event, as the doors count them
    QString displayName;             ///< for people; empty: the type's name
    QString icon;                    ///< for people; may be empty

    friend bool operator==(const ActorOptions &, const ActorOptions &) = default;
};

} // namespace terrarium
