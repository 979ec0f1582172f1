#pragma once
// The counter of the README, word for word.

#include <terrarium/terrarium.h>

struct CounterState {
    int count = 0;
    QString lastBy;
    ACTOR_FIELDS(CounterState, count, lastBy)
};

class Counter : public terrarium::Actor<CounterState> {
public:
    using Actor::Actor;
    static constexpr terrarium::Event<int> changed{"changed"};

    int increment(int by, const QString &who)
    {
        state().count += by;
        state().lastBy = who;
        broadcast(changed, state().count);
        return state().count;
    }
    int value() const { return state().count; }
    void reset() { state() = {}; }

    static auto type()
    {
        return terrarium::ActorType<Counter>("counter")
            .action("increment", &Counter::increment, {"by", "who"})
            .action("value", &Counter::value)
            .action("reset", &Counter::reset)
            .event(changed);
    }
};
