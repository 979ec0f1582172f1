#pragma once
// The base of every actor: its state, and what it can do.
//
//     class Counter : public terrarium::Actor<CounterState> {
//     public:
//         using Actor::Actor;
//         int increment(int by) { return state().count += by; }
//         int value() const { return state().count; }
//     };
//
// The state is what is saved; other members live until the actor sleeps and are built in the constructor or in
// onWake. A const handler cannot change the state. One that is not const and calls state() marks its turn: at the
// turn's end the state is compared with what it was, and a difference is saved, shown and put down to the handler.
//
// Handlers of one actor never run at the same time, but while one waits in a co_await others may run: read the state
// again after waiting, and do not keep a reference to it across a co_await, or a later change would go unnoticed.
// A handler that throws keeps what it changed before.
//
// Hooks are members with these names, each optional, plain or returning Task<>:
//
//     onCreate()  or onCreate(Input)         once, when the actor begins to exist; Input as given at creation
//     onWake()                               at every start, after onCreate
//     onSleep(), onDestroy()                 when it is stopped, within the grace period
//     onConnect(const ConnectionInfo &)      throwing refuses the client
//     onDisconnect(const ConnectionInfo &)
//     onStateChange(const State &)           after a turn that changed the state; must not change it; not a Task
//     run(Context)                           returns Task<>; see context.h
//
// An actor is used on its host's thread only.

#include <terrarium/actor_key.h>
#include <terrarium/actor_port.h>
#include <terrarium/event.h>
#include <terrarium/task.h>
#include <terrarium/value_codec.h>

#include <chrono>
#include <memory>
#include <type_traits>
#include <utility>

namespace terrarium {

class TypedBehavior;

/// What an actor is built with; to be handed on to Actor's constructor.
class ActorInit final {
public:
    explicit ActorInit(detail::ActorPort &port) noexcept : m_port(&port) {}

private:
    friend class ActorBase;

    detail::ActorPort *m_port;
};

/// Keeps its actor awake as long as it lives, and holds its grace. Moved, not copied; may outlive the actor.
class [[nodiscard]] KeepAwake final {
public:
    KeepAwake() noexcept = default;
    KeepAwake(std::weak_ptr<detail::ActorPort> port, quint64 region) noexcept
        : m_port(std::move(port)),
          m_region(region)
    {}
    KeepAwake(KeepAwake &&other) noexcept : m_port(std::move(other.m_port)), m_region(std::exchange(other.m_region, 0))
    {}
    KeepAwake &operator=(KeepAwake &&other) noexcept
    {
        if (this != &other) {
            end();
            m_port = std::move(other.m_port);
            m_region = std::exchange(other.m_region, 0);
        }
        return *this;
    }
    KeepAwake(const KeepAwake &) = delete;
    ~KeepAwake() { end(); }

    void end() noexcept
    {
        const quint64 region = std::exchange(m_region, 0);
        if (const auto port = m_port.lock(); port && region != 0)
            port->endKeepAwake(region);
    }

private:
    std::weak_ptr<detail::ActorPort> m_port;
    quint64 m_region = 0; // 0: ended, or moved away
};

namespace detail {

/// Encodes arguments as the parameters they are for.
template <typename... Parameters, typename... Args>
Value encodeArguments(Args &&...args)
{
    std::vector<Value> items;
    items.reserve(sizeof...(Args));
    (items.push_back(encodeValue<std::decay_t<Parameters>>(std::decay_t<Parameters>(std::forward<Args>(args)))), ...);
    return Value::array(std::move(items));
}

template <typename Given, typename Wanted>
inline constexpr bool fits = std::is_convertible_v<Given, std::decay_t<Wanted>>;

} // namespace detail

/// What all actors share, whatever their state.
class ActorBase {
public:
    ActorBase(const ActorBase &) = delete;
    ActorBase &operator=(const ActorBase &) = delete;
    virtual ~ActorBase() = default;

    /// 30 characters 0-9a-z, the same for the whole life of the actor.
    const QString &id() const { return m_port->id(); }
    /// The name of its type.
    const QString &typeName() const { return m_port->type(); }
    const ActorKey &key() const { return m_port->key(); }
    /// Counts its starts.
    quint32 generation() const { return m_port->generation(); }
    /// Unix milliseconds. Use this instead of the system's clock: tests move it.
    qint64 nowMs() const { return m_port->wallMs(); }

protected:
    explicit ActorBase(ActorInit init) noexcept : m_port(init.m_port) {}

    /// Tells every client that subscribed to the event, once the turn's changes are durable (with
    /// Replies::Immediate: at the turn's end).
    template <typename... Parameters, typename... Args>
    void broadcast(const Event<Parameters...> &event, Args &&...args)
    {
        static_assert(sizeof...(Parameters) == sizeof...(Args), "this event has another number of arguments");
        if constexpr (sizeof...(Parameters) == sizeof...(Args)) {
            static_assert((detail::fits<Args, Parameters> && ...),
                          "an argument does not fit the type the event declares");
            if constexpr ((detail::fits<Args, Parameters> && ...))
                m_port->broadcast(event.name(), detail::encodeArguments<Parameters...>(std::forward<Args>(args)...));
        }
    }

    // Schedules. They survive sleep, restarts and crashes of the host, and wake the actor. At most `maxSchedules` are
    // pending: else `schedule/max_schedules_exceeded`. Actions are stored by name, arguments as values; a function
    // that is not an action of the type throws `actor/action_not_found`.

    /// Calls an action once, `delay` from now (not before). Returns the id to cancel it with.
    template <typename A, typename R, typename... Parameters, typename... Args>
    QString after(std::chrono::nanoseconds delay, R (A::*action)(Parameters...), Args &&...args)
    {
        return scheduleMember<Parameters...>(wallIn(delay), detail::memberKey(action), std::forward<Args>(args)...);
    }
    template <typename A, typename R, typename... Parameters, typename... Args>
    QString after(std::chrono::nanoseconds delay, R (A::*action)(Parameters...) const, Args &&...args)
    {
        return scheduleMember<Parameters...>(wallIn(delay), detail::memberKey(action), std::forward<Args>(args)...);
    }
    /// Calls an action once at a time of the wall clock in Unix milliseconds; in the past: now.
    template <typename A, typename R, typename... Parameters, typename... Args>
    QString at(qint64 wallMs, R (A::*action)(Parameters...), Args &&...args)
    {
        return scheduleMember<Parameters...>(wallMs, detail::memberKey(action), std::forward<Args>(args)...);
    }
    /// Calls an action every `interval` (at least 5 s: else `schedule/invalid_interval`), first one interval from now.
    /// Replaces the schedule of this name (1 to 128 bytes); one of the same interval keeps its rhythm, so calling
    /// this in every onWake is fine. Missed ticks are made up by one.
    template <typename A, typename R, typename... Parameters, typename... Args>
    void every(const QString &name, std::chrono::nanoseconds interval, R (A::*action)(Parameters...), Args &&...args)
    {
        static_assert(sizeof...(Parameters) == sizeof...(Args), "this action has another number of arguments");
        if constexpr (sizeof...(Parameters) == sizeof...(Args)) {
            m_port->scheduleEvery(name, std::chrono::duration_cast<std::chrono::milliseconds>(interval).count(),
                                  m_port->actionOf(detail::memberKey(action)),
                                  detail::encodeArguments<Parameters...>(std::forward<Args>(args)...));
        }
    }
    template <typename A, typename R, typename... Parameters, typename... Args>
    void every(const char *name, std::chrono::nanoseconds interval, R (A::*action)(Parameters...), Args &&...args)
    {
        every(QString::fromUtf8(name), interval, action, std::forward<Args>(args)...);
    }
    /// By the id after() or at() returned, or the name given to every(). False when there is none (any more).
    bool cancel(const QString &idOrName) { return m_port->cancelSchedule(idOrName); }

    /// Returns when everything changed so far is durable; throws `storage/...` when it cannot be, `actor/stopping`.
    Task<> saveNow() { return m_port->saveNow(); }
    /// Waits; other handlers run meanwhile. The actor stays awake while a handler waits.
    Task<> delay(std::chrono::nanoseconds duration) { return m_port->delay(duration); }

    /// Keeps the actor awake until the returned object is gone. `label` is shown to people who ask why it is awake.
    KeepAwake keepAwake(const QString &label, const char *file = __builtin_FILE(), int line = __builtin_LINE())
    {
        return KeepAwake(m_port->weak(),
                         m_port->beginKeepAwake(label, QStringLiteral("%1:%2").arg(QString::fromUtf8(file)).arg(line)));
    }
    /// Lets a task run on by itself. It does not keep the actor awake, but a stop waits for it within the grace period.
    void waitUntil(Task<> task, const QString &label = {}) { m_port->waitUntil(std::move(task), label); }

    /// Asks to sleep now. Running handlers finish first; connections are closed. Throws `actor/starting`.
    void sleep() { m_port->requestSleep(); }
    /// Asks to be destroyed: state, schedules and all. From now on calls are refused with `actor/destroying`. Throws
    /// `actor/stopping` the second time.
    void destroy() { m_port->requestDestroy(); }
    /// It was asked to sleep, stop or be destroyed.
    bool isFinishing() const { return m_port->isFinishing(); }

    /// Whose action or hook this is. Empty `id`: a call without a lasting connection, a schedule, `run`.
    ConnectionInfo caller() const { return m_port->caller(); }
    QList<ConnectionInfo> connections() const { return m_port->connections(); }
    /// Closes a client's connection; onDisconnect runs. False when it is not open (any more).
    bool disconnect(const QString &connection, const QString &reason = {})
    {
        return m_port->disconnect(connection, reason);
    }

    detail::ActorPort &port() const noexcept { return *m_port; }

private:
    friend class TypedBehavior;

    virtual void writeState(QByteArray &out) const = 0;
    virtual void readState(QByteArrayView state) = 0;

    qint64 wallIn(std::chrono::nanoseconds delay) const
    {
        return m_port->wallMs() + std::chrono::ceil<std::chrono::milliseconds>(delay).count();
    }
    template <typename... Parameters, typename... Args>
    QString scheduleMember(qint64 wallMs, const QByteArray &memberKey, Args &&...args)
    {
        static_assert(sizeof...(Parameters) == sizeof...(Args), "this action has another number of arguments");
        if constexpr (sizeof...(Parameters) == sizeof...(Args)) {
            return m_port->scheduleAt(wallMs, m_port->actionOf(memberKey),
                                      detail::encodeArguments<Parameters...>(std::forward<Args>(args)...));
        } else {
            return {};
        }
    }

    detail::ActorPort *m_port;
};

/// For actors that keep nothing: Actor<>.
struct NoState {};

/// `StateType`: a struct with ACTOR_FIELDS, or any other type that value_codec.h knows, with a default constructor.
template <typename StateType = NoState>
class Actor : public ActorBase {
public:
    using State = StateType;

    explicit Actor(ActorInit init) : ActorBase(init) {}

protected:
    /// To change it. Throws `actor/state_mutation_reentrant` inside onStateChange.
    State &state()
    {
        port().touchState();
        return m_state;
    }
    const State &state() const noexcept { return m_state; }

private:
    void writeState(QByteArray &out) const override
    {
        if constexpr (!std::is_same_v<State, NoState>)
            encodeCbor(m_state, out);
        else
            (void)out;
    }
    void readState(QByteArrayView bytes) override
    {
        if constexpr (!std::is_same_v<State, NoState>)
            m_state = decodeCbor<State>(bytes);
        else
            (void)bytes;
    }

    State m_state{};
};

} // namespace terrarium
