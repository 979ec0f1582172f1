#pragma once
// A host of actors inside your own program.
//
//     terrarium::ActorHost host({.dataDir = ".terrarium"});
//     host.add(Counter::type());
//     host.open();
//     const int total = co_await host.actor<Counter>("page").call(&Counter::increment, 1, "ann");
//
// It lives on the thread that made it, which needs a Qt event loop; every call and every coroutine that awaits it is on
// that thread. Actors keep their state in the data folder and sleep when nobody needs them. Clients on the network
// are not part of it: that is what `terrarium host` is for.

#include <terrarium/actor_key.h>
#include <terrarium/actor_type.h>
#include <terrarium/error.h>
#include <terrarium/task.h>
#include <terrarium/value.h>
#include <terrarium/value_codec.h>

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace terrarium {

class HostCore;
struct Environment;

struct ActorHostOptions {
    QString dataDir = QStringLiteral(".terrarium"); ///< created when absent; ":memory:" keeps nothing on disk
    bool survivesPowerCut = false;                  ///< each answered change is flushed to the disk first
    QString name;                                   ///< for people; empty: the name of the current folder
};

class ActorHost;

/// One actor of a host, by type and key. Copy it freely; the host must outlive it.
template <typename A>
class ActorHandle final {
public:
    const ActorKey &key() const noexcept { return m_key; }

    /// Calls an action; the actor is created or woken when need be. Throws what the action throws,
    /// `actor/action_not_found`, `actor/action_timed_out`, `host/stopping`. The change is durable when it returns.
    template <typename C, typename R, typename... P, typename... Args>
    Task<typename detail::Awaited<R>::Type> call(R (C::*action)(P...), Args &&...args) const
    {
        return begin<R, P...>(detail::memberKey(action), std::forward<Args>(args)...);
    }
    template <typename C, typename R, typename... P, typename... Args>
    Task<typename detail::Awaited<R>::Type> call(R (C::*action)(P...) const, Args &&...args) const
    {
        return begin<R, P...>(detail::memberKey(action), std::forward<Args>(args)...);
    }

private:
    friend class ActorHost;

    ActorHandle(ActorHost &host, QString type, ActorKey key)
        : m_host(&host),
          m_type(std::move(type)),
          m_key(std::move(key))
    {}

    template <typename R, typename... P, typename... Args>
    Task<typename detail::Awaited<R>::Type> begin(QByteArray action, Args &&...args) const
    {
        static_assert(sizeof...(P) == sizeof...(Args), "this action has another number of arguments");
        return finish<typename detail::Awaited<R>::Type>(*m_host, m_type, m_key, std::move(action),
                                                         detail::encodeArguments<P...>(std::forward<Args>(args)...));
    }
    template <typename Result>
    static Task<Result> finish(ActorHost &host, QString type, ActorKey key, QByteArray action, Value args);

    ActorHost *m_host;
    QString m_type;
    ActorKey m_key;
};

class ActorHost final {
public:
    explicit ActorHost(ActorHostOptions options);
    /// In an environment of the caller's, which outlives it.
    ActorHost(Environment &environment, ActorHostOptions options);
    ActorHost(const ActorHost &) = delete;
    ActorHost &operator=(const ActorHost &) = delete;
    /// As if the process had been killed: what was answered is kept. stop() first is kinder to the actors.
    ~ActorHost();

    /// Before open(). Throws `host/duplicate_type`.
    void add(TypeDefinition type);
    /// Throws `host/data_in_use` {owner, dataDir} when another host has the folder, `storage/newer_version`,
    /// `storage/unavailable`.
    void open();
    /// Every live actor sleeps, within its grace; then the folder is closed.
    Task<> stop();

    template <typename A>
    ActorHandle<A> actor(ActorKey key)
    {
        return ActorHandle<A>(*this, TypeDefinition(A::type()).name, std::move(key));
    }
    /// Without the C++ type: by names and values. `args` is a list.
    Task<Value> call(QString type, ActorKey key, QString action, Value args);

    /// What doors and inspectors attach to.
    HostCore &core() noexcept;

private:
    template <typename A>
    friend class ActorHandle;

    Task<Value> callMember(QString type, ActorKey key, QByteArray action, Value args);

    struct Private;
    std::unique_ptr<Private> d;
};

template <typename A>
template <typename Result>
Task<Result> ActorHandle<A>::finish(ActorHost &host, QString type, ActorKey key, QByteArray action, Value args)
{
    Task<Value> call = host.callMember(std::move(type), std::move(key), std::move(action), std::move(args));
    const Value result = co_await std::move(call);
    if constexpr (!std::is_void_v<Result>)
        co_return decodeValue<Result>(result);
}

} // namespace terrarium
