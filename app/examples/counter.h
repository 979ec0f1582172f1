#pragma once
// An actor that counts. Shows: state, an event, a timer that survives sleep and restarts.

#include <terrarium/terrarium.h>

namespace terrarium::examples {

struct CounterState {
    qint64 count = 0;
    QString lastBy;
    qint64 ticks = 0;
    bool isTicking = false;
    ACTOR_FIELDS(CounterState, count, lastBy, ticks, isTicking)
};

class Counter : public Actor<CounterState> {
public:
    using Actor::Actor;
    static constexpr Event<qint64> changed{"changed"};

    qint64 increment(qint64 by, const std::optional<QString> &who)
    {
        state().count += by;
        state().lastBy = who.value_or(QString());
        broadcast(changed, state().count);
        return state().count;
    }
    qint64 value() const { return state().count; }
    void reset()
    {
        state().count = 0;
        state().ticks = 0;
    }

    void startTicking()
    {
        if (state().isTicking)
            return;
        state().isTicking = true;
        after(std::chrono::seconds(1), &Counter::tick);
    }
    void stopTicking() { state().isTicking = false; }
    void tick()
    {
        if (!state().isTicking)
            return;
        ++state().ticks;
        ++state().count;
        broadcast(changed, state().count);
        after(std::chrono::seconds(1), &Counter::tick); // each tick sets the next: shorter than `every` allows
    }

    static auto type()
    {
        return ActorType<Counter>("counter")
            .action("increment", &Counter::increment, {"by", "who"})
            .help("Adds to the count and says by whom. Answers the new count.")
            .action("value", &Counter::value)
            .action("reset", &Counter::reset)
            .action("startTicking", &Counter::startTicking)
            .help("Counts by itself, once a second.")
            .action("stopTicking", &Counter::stopTicking)
            .action("tick", &Counter::tick)
            .help("What the timer calls.")
            .event(changed);
    }
};

} // namespace terrarium::examples
