#pragma once
// Why an actor is awake, in the words of the wire.

#include "actor/sleep_policy.h"
#include "wire/inspector_messages.h"

namespace terrarium {

class ActorTask;

wire::Blocker toBlocker(const AwakeReason &reason);
wire::SleepForecast toForecast(const SleepOutlook &outlook);

/// Everything that keeps it awake or would, in the order in which it is looked at.
QList<wire::Blocker> allBlockers(const ActorTask &task);
/// Only what keeps it awake now.
QList<wire::Blocker> activeBlockers(const ActorTask &task);

} // namespace terrarium
