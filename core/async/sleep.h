#pragma once
// Waiting for time to pass.

#include "async/clock.h"
#include "async/turn_slot.h"

#include <terrarium/task.h>

namespace terrarium {

/// Ends at or after `at`; a time in the past still ends through the executor, not at once. Throws ActorStopped.
Task<> sleepUntil(TurnSlot &slot, Clock &clock, Instant at);
Task<> sleepFor(TurnSlot &slot, Clock &clock, Duration duration);

} // namespace terrarium
