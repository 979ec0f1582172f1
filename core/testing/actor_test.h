#pragma once
// One actor under test, in a simulated environment: calls answer at once, time passes when told to.
//
//     terrarium::testing::ActorTest<Counter> counter;
//     QCOMPARE(counter.call(&Counter::increment, 3, "ann"), 3);
//     QCOMPARE(counter.events(Counter::changed).size(), 1);
//     counter.advance(24h);
//     counter.restart();          // sleeps, then wakes from what was saved
//     QCOMPARE(counter.state().count, 3);
//
// It runs in a whole host that keeps its files in memory. Nothing but the test's own calls touches the actor: events
// are recorded where it broadcasts them, so no connection keeps it awake.

#include "host/host_core.h"
#include "testing/simulated_environment.h"

#include <terrarium/terrarium.h>

#include <chrono>
#include <memory>
#include <tuple>

namespace terrarium::testing {

/// What does not depend on the actor's class.
class ActorTestBase {
public:
    ActorTestBase(const ActorTestBase &) = delete;
    ActorTestBase &operator=(const ActorTestBase &) = delete;

    SimulatedEnvironment &environment() noexcept;
    HostCore &host() noexcept;
    const QString &id() const noexcept;

    /// Calls an action by name. While it waits, time passes. Throws what it throws.
    Value call(const QString &action, Value args);
    void advance(std::chrono::nanoseconds duration);
    /// To sleep and awake again, with what was saved. Throws when it does not come up.
    void restart();
    void sleep();
    wire::ActorStatus status();
    bool isAsleep() { return status() == wire::ActorStatus::sleeping; }
    /// Arguments of every broadcast of this event so far, oldest first.
    QList<Value> eventValues(const QString &event) const;

protected:
    ActorTestBase(TypeDefinition type, const ActorKey &key, const std::optional<Value> &input, quint64 seed);
    ~ActorTestBase();

    QString actionName(const QByteArray &memberKey) const;
    QByteArray stateBytes();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

template <typename A>
class ActorTest final : public ActorTestBase {
public:
    using State = typename A::State;

    /// Made and started at once, with `input` for its onCreate.
    explicit ActorTest(const ActorKey &key = ActorKey("test"), const std::optional<Value> &input = std::nullopt,
                       quint64 seed = 1)
        : ActorTestBase(A::type(), key, input, seed)
    {}

    using ActorTestBase::call;
    template <typename C, typename R, typename... P, typename... Args>
    typename detail::Awaited<R>::Type call(R (C::*action)(P...), Args &&...args)
    {
        return result<R>(
            call(actionName(detail::memberKey(action)), detail::encodeArguments<P...>(std::forward<Args>(args)...)));
    }
    template <typename C, typename R, typename... P, typename... Args>
    typename detail::Awaited<R>::Type call(R (C::*action)(P...) const, Args &&...args)
    {
        return result<R>(
            call(actionName(detail::memberKey(action)), detail::encodeArguments<P...>(std::forward<Args>(args)...)));
    }

    /// Every broadcast of this event so far, as tuples of its arguments.
    template <typename... Args>
    QList<std::tuple<std::decay_t<Args>...>> events(const Event<Args...> &event) const
    {
        QList<std::tuple<std::decay_t<Args>...>> decoded;
        for (const Value &args : eventValues(event.name()))
            decoded.append(decodeValue<std::tuple<std::decay_t<Args>...>>(args));
        return decoded;
    }

    /// Of the live actor, or as it was saved. Never wakes it.
    State state()
    {
        const QByteArray bytes = stateBytes();
        return bytes.isEmpty() ? State() : decodeCbor<State>(bytes);
    }

private:
    template <typename R>
    static typename detail::Awaited<R>::Type result(const Value &value)
    {
        using Result = typename detail::Awaited<R>::Type;
        if constexpr (!std::is_void_v<Result>)
            return decodeValue<Result>(value);
        else
            (void)value;
    }
};

} // namespace terrarium::testing
