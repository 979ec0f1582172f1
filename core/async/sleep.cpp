#include "async/sleep.h"

#include "async/wait.h"

namespace terrarium {

Task<> sleepUntil(TurnSlot &slot, Clock &clock, Instant at)
{
    Wait<> wait(slot);
    const Timer timer = clock.at(at, [&wait] { wait.finish(); });
    co_await wait.done();
}

Task<> sleepFor(TurnSlot &slot, Clock &clock, Duration duration)
{
    return sleepUntil(slot, clock, clock.now() + duration);
}

} // namespace terrarium
