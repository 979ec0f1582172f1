// Actors for the benchmarks, built as a plugin like anybody else's.

#include <terrarium/plugin.h>
#include <terrarium/terrarium.h>

using namespace std::chrono_literals;

namespace bench_actors {

/// About 1 KiB of state, so that a save costs what a usual save costs.
struct HitState {
    qint64 count = 0;
    QString lastBy;
    QString padding = QString(900, QLatin1Char('x'));
    ACTOR_FIELDS(HitState, count, lastBy, padding)
};

class Hits : public terrarium::Actor<HitState> {
public:
    using Actor::Actor;

    qint64 increment(qint64 by)
    {
        state().count += by;
        return state().count;
    }
    qint64 value() const { return state().count; }

    static auto type()
    {
        return terrarium::ActorType<Hits>("hits")
            .action("increment", &Hits::increment, {"by"})
            .action("value", &Hits::value)
            .sleepTimeout(10min);
    }
};

/// A small state: what an idle actor costs besides its own data.
struct SmallState {
    qint64 count = 0;
    ACTOR_FIELDS(SmallState, count)
};

class Idler : public terrarium::Actor<SmallState> {
public:
    using Actor::Actor;

    qint64 increment(qint64 by)
    {
        state().count += by;
        return state().count;
    }

    static auto type()
    {
        return terrarium::ActorType<Idler>("idler").action("increment", &Idler::increment, {"by"}).sleepTimeout(10min);
    }
};

class Napper : public terrarium::Actor<SmallState> {
public:
    using Actor::Actor;

    qint64 increment(qint64 by)
    {
        state().count += by;
        return state().count;
    }

    static auto type()
    {
        return terrarium::ActorType<Napper>("napper")
            .action("increment", &Napper::increment, {"by"})
            .sleepTimeout(300ms);
    }
};

} // namespace bench_actors

TERRARIUM_PLUGIN(types)
{
    types.add(bench_actors::Hits::type());
    types.add(bench_actors::Idler::type());
    types.add(bench_actors::Napper::type());
}
