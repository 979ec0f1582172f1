#pragma once
// Describes an actor class to a host: its name, actions, events and options.
//
//     static auto type()
//     {
//         return terrarium::ActorType<Counter>("counter")
//             .action("increment", &Counter::increment, {"by"})
//             .action("value", &Counter::value)
//             .event(changed)
//             .sleepTimeout(10s);
//     }
//
// Actions are members, plain or returning Task<R>; a const one is a query. Parameters and results are types that
// value_codec.h knows. A caller gives a list of arguments: one that is missing (unless it is a std::optional at the
// end), does not fit or is too many is answered with `actor/invalid_request` {parameter}. Hooks are found by their
// names (actor.h).

#include <terrarium/actor.h>
#include <terrarium/actor_options.h>
#include <terrarium/context.h>
#include <terrarium/event.h>
#include <terrarium/type_definition.h>
#include <terrarium/value_codec.h>

#include <initializer_list>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace terrarium {

namespace detail {

template <typename T>
inline constexpr bool isTask = false;
template <typename T>
inline constexpr bool isTask<Task<T>> = true;

template <typename T>
struct Awaited {
    using Type = T;
};
template <typename T>
struct Awaited<Task<T>> {
    using Type = T;
};

template <typename R>
QString resultName()
{
    using Result = typename Awaited<R>::Type;
    if constexpr (std::is_void_v<Result>)
        return QStringLiteral("none");
    else
        return QString(typeName<Result>());
}

/// Everything about an action that its arguments are read with.
struct ArgumentNames {
    QString action;
    QStringList names;
};
[[noreturn]] void refuseArguments(const ArgumentNames &names, const Value &args);
[[noreturn]] void refuseMissing(const ArgumentNames &names, qsizetype index, QLatin1String type);
/// Called in a catch block.
[[noreturn]] void refuseArgument(const ArgumentNames &names, qsizetype index);
[[noreturn]] void refuseInput(const QString &type);
[[noreturn]] void refuseMissingInput(const QString &type);

template <typename T>
T argument(const ArgumentNames &names, const Value &args, qsizetype index)
{
    if (index >= args.size()) {
        if constexpr (isOptional<T>)
            return T();
        else
            refuseMissing(names, index, typeName<T>());
    }
    try {
        return decodeValue<T>(args.at(index), ValuePlace(ValuePlace(), QStringView(names.names.at(index))));
    } catch (...) {
        refuseArgument(names, index);
    }
}

template <typename Tuple, std::size_t... I>
Tuple arguments(const ArgumentNames &names, const Value &args, std::index_sequence<I...>)
{
    if (!args.isArray() || args.size() > qsizetype(sizeof...(I)))
        refuseArguments(names, args);
    return Tuple{argument<std::tuple_element_t<I, Tuple>>(names, args, qsizetype(I))...};
}

// The arguments live in the coroutine: a handler may take them by reference and wait.
template <typename A, typename Member, typename Tuple>
Task<Value> awaitHandler(A &actor, Member member, Tuple args)
{
    auto task = std::apply([&actor, member](auto &...arg) { return (actor.*member)(std::move(arg)...); }, args);
    using Result = typename Awaited<decltype(task)>::Type;
    if constexpr (std::is_void_v<Result>) {
        co_await std::move(task);
        co_return Value::undefined();
    } else {
        const Result result = co_await std::move(task);
        co_return encodeValue<Result>(result);
    }
}

template <typename R, typename A, typename Member, typename Tuple>
HandlerResult callHandler(A &actor, Member member, Tuple &&args)
{
    if constexpr (isTask<R>) {
        return awaitHandler(actor, member, std::move(args));
    } else if constexpr (std::is_void_v<R>) {
        std::apply([&](auto &...arg) { (actor.*member)(std::move(arg)...); }, args);
        return Value::undefined();
    } else {
        return encodeValue<std::decay_t<R>>(
            std::apply([&](auto &...arg) -> decltype(auto) { return (actor.*member)(std::move(arg)...); }, args));
    }
}

template <typename R>
HookResult hookResult(R &&result)
{
    if constexpr (isTask<std::decay_t<R>>)
        return HookResult(std::forward<R>(result));
    else
        return std::nullopt;
}

/// Of a hook that may take one argument.
template <typename Member>
struct HookTraits;
template <typename A, typename R>
struct HookTraits<R (A::*)()> {
    using Argument = void;
    using Result = R;
};
template <typename A, typename R>
struct HookTraits<R (A::*)() const> {
    using Argument = void;
    using Result = R;
};
template <typename A, typename R, typename P>
struct HookTraits<R (A::*)(P)> {
    using Argument = std::decay_t<P>;
    using Result = R;
};
template <typename A, typename R, typename P>
struct HookTraits<R (A::*)(P) const> {
    using Argument = std::decay_t<P>;
    using Result = R;
};

template <typename A, typename R, typename Argument>
Task<> awaitCreate(A &actor, R (A::*hook)(Argument), std::decay_t<Argument> input)
{
    auto task = (actor.*hook)(std::move(input));
    co_await std::move(task);
}

// A hook with a connection: the information lives as long as the hook waits.
template <typename A, typename Member>
Task<> awaitConnectionHook(A &actor, Member hook, ConnectionInfo connection)
{
    auto task = (actor.*hook)(connection);
    co_await std::move(task);
}

} // namespace detail

template <typename A>
class ActorType final {
    static_assert(std::is_base_of_v<ActorBase, A>,
                  "an actor type is a class that derives from terrarium::Actor<State>");

public:
    /// `name`: how clients ask for it; not empty.
    explicit ActorType(const QString &name)
    {
        using State = typename A::State;
        static_assert(std::is_default_constructible_v<State>, "the state of an actor needs a default constructor");
        m_type.name = name;
        m_type.hasState = !std::is_same_v<State, NoState>;
        m_type.make = [](detail::ActorPort &port) -> std::unique_ptr<ActorBase> {
            return std::make_unique<A>(ActorInit(port));
        };
        findHooks();
    }
    explicit ActorType(const char *name) : ActorType(QString::fromUtf8(name)) {}

    /// `parameters`: their names, for people and error messages; left out: "arg1", ...
    template <typename C, typename R, typename... P>
    ActorType &action(const char *name, R (C::*member)(P...), std::initializer_list<const char *> parameters = {})
    {
        return add<A, R, P...>(name, member, parameters, false);
    }
    template <typename C, typename R, typename... P>
    ActorType &action(const char *name, R (C::*member)(P...) const, std::initializer_list<const char *> parameters = {})
    {
        return add<const A, R, P...>(name, member, parameters, true);
    }
    /// Says in a sentence what the last added action does.
    ActorType &help(const char *text)
    {
        if (!m_type.actions.isEmpty())
            m_type.actions.last().help = QString::fromUtf8(text);
        return *this;
    }
    template <typename... Args>
    ActorType &event(const Event<Args...> &event)
    {
        EventDefinition definition;
        definition.name = event.name();
        definition.types = QStringList{QString(typeName<Args>())...};
        m_type.events.append(std::move(definition));
        return *this;
    }

    // Options; actor_options.h says what each means and what holds without it.
    ActorType &replies(Replies replies) { return m_type.options.replies = replies, *this; }
    ActorType &sleepTimeout(std::chrono::milliseconds timeout) { return m_type.options.sleepTimeout = timeout, *this; }
    ActorType &noSleep(bool on = true) { return m_type.options.noSleep = on, *this; }
    ActorType &gracePeriod(std::chrono::milliseconds period) { return m_type.options.gracePeriod = period, *this; }
    ActorType &stateSaveInterval(std::chrono::milliseconds interval)
    {
        return m_type.options.stateSaveInterval = interval, *this;
    }
    ActorType &actionTimeout(std::chrono::milliseconds timeout)
    {
        return m_type.options.actionTimeout = timeout, *this;
    }
    ActorType &maxSchedules(int most) { return m_type.options.maxSchedules = most, *this; }
    ActorType &displayName(const char *name) { return m_type.options.displayName = QString::fromUtf8(name), *this; }
    ActorType &icon(const char *name) { return m_type.options.icon = QString::fromUtf8(name), *this; }
    /// Those without a function of their own here.
    ActorType &options(const ActorOptions &options) { return m_type.options = options, *this; }

    const TypeDefinition &definition() const noexcept { return m_type; }
    operator TypeDefinition() const { return m_type; }

private:
    template <typename Self, typename R, typename... P, typename Member>
    ActorType &add(const char *name, Member member, std::initializer_list<const char *> parameters, bool query)
    {
        using Tuple = std::tuple<std::decay_t<P>...>;
        ActionDefinition action;
        action.name = QString::fromUtf8(name);
        action.query = query;
        action.result = detail::resultName<R>();
        action.memberKey = detail::memberKey(member);

        const QList<QString> types{QString(typeName<P>())...};
        const QList<bool> optionals{isOptional<std::decay_t<P>>...};
        auto names = std::make_shared<detail::ArgumentNames>();
        names->action = action.name;
        auto given = parameters.begin();
        for (qsizetype i = 0; i < types.size(); ++i) {
            names->names.append(given != parameters.end() ? QString::fromUtf8(*given++)
                                                          : QStringLiteral("arg%1").arg(i + 1));
            action.parameters.append(ParameterDefinition(names->names.constLast(), types.at(i), optionals.at(i)));
        }
        action.invoke = [member, names](ActorBase &actor, const Value &args) -> HandlerResult {
            return detail::callHandler<R>(static_cast<Self &>(actor), member,
                                          detail::arguments<Tuple>(*names, args, std::index_sequence_for<P...>()));
        };
        m_type.actionIndex.insert(action.name, m_type.actions.size());
        m_type.actions.append(std::move(action));
        return *this;
    }

    void findHooks()
    {
        HookDefinitions &hooks = m_type.hooks;
        if constexpr (requires { &A::onCreate; }) {
            using Traits = detail::HookTraits<decltype(&A::onCreate)>;
            using Input = typename Traits::Argument;
            const QString type = m_type.name;
            hooks.onCreate = [type](ActorBase &base, const std::optional<Value> &input) -> HookResult {
                A &actor = static_cast<A &>(base);
                if constexpr (std::is_void_v<Input>) {
                    (void)input;
                    return call([&]() -> decltype(auto) { return actor.onCreate(); });
                } else {
                    if (!input && !isOptional<Input>)
                        detail::refuseMissingInput(type);
                    auto decoded = decodeInput<Input>(type, input);
                    if constexpr (detail::isTask<typename Traits::Result>)
                        return HookResult(detail::awaitCreate(actor, &A::onCreate, std::move(decoded)));
                    else
                        return call([&]() -> decltype(auto) { return actor.onCreate(std::move(decoded)); });
                }
            };
        }
        if constexpr (requires(A &a) { a.onWake(); })
            hooks.onWake = [](ActorBase &base) {
                return call([&]() -> decltype(auto) { return static_cast<A &>(base).onWake(); });
            };
        if constexpr (requires(A &a) { a.onSleep(); })
            hooks.onSleep = [](ActorBase &base) {
                return call([&]() -> decltype(auto) { return static_cast<A &>(base).onSleep(); });
            };
        if constexpr (requires(A &a) { a.onDestroy(); })
            hooks.onDestroy = [](ActorBase &base) {
                return call([&]() -> decltype(auto) { return static_cast<A &>(base).onDestroy(); });
            };
        if constexpr (requires(A &a, const ConnectionInfo &c) { a.onConnect(c); })
            hooks.onConnect = [](ActorBase &base, const ConnectionInfo &c) {
                return callWith(static_cast<A &>(base), &A::onConnect, c);
            };
        if constexpr (requires(A &a, const ConnectionInfo &c) { a.onDisconnect(c); })
            hooks.onDisconnect = [](ActorBase &base, const ConnectionInfo &c) {
                return callWith(static_cast<A &>(base), &A::onDisconnect, c);
            };
        if constexpr (requires(A &a, const typename A::State &s) { a.onStateChange(s); }) {
            static_assert(
                std::is_void_v<decltype(std::declval<A &>().onStateChange(std::declval<const typename A::State &>()))>,
                "onStateChange returns nothing: it cannot wait");
            hooks.onStateChange = [](ActorBase &base) {
                // The hook is given the state; it is reached as a query reaches it.
                A &actor = static_cast<A &>(base);
                actor.onStateChange(StateOf::of(actor));
            };
        }
        if constexpr (requires(A &a, Context &c) { a.run(c); })
            hooks.run = [](ActorBase &base, Context &context) -> Task<> { return static_cast<A &>(base).run(context); };
        else if constexpr (requires(A &a) { a.run(); })
            hooks.run = [](ActorBase &base, Context &) -> Task<> { return static_cast<A &>(base).run(); };
    }

    /// Opens the protected, const state() of the class.
    struct StateOf : A {
        static const typename A::State &of(const A &actor)
        {
            return (actor.*(static_cast<const typename A::State &(A::*)() const noexcept>(&StateOf::state)))();
        }
    };

    template <typename F>
    static HookResult call(F &&hook)
    {
        if constexpr (std::is_void_v<decltype(hook())>) {
            hook();
            return std::nullopt;
        } else {
            return detail::hookResult(hook());
        }
    }
    template <typename Member>
    static HookResult callWith(A &actor, Member hook, const ConnectionInfo &connection)
    {
        if constexpr (detail::isTask<typename detail::HookTraits<Member>::Result>) {
            return HookResult(detail::awaitConnectionHook(actor, hook, connection));
        } else {
            (actor.*hook)(connection);
            return std::nullopt;
        }
    }
    template <typename Input>
    static Input decodeInput(const QString &type, const std::optional<Value> &input)
    {
        if (!input) {
            if constexpr (isOptional<Input>)
                return Input();
            else
                detail::refuseMissingInput(type);
        }
        try {
            return decodeValue<Input>(*input, ValuePlace(ValuePlace(), QStringView(u"input")));
        } catch (...) {
            detail::refuseInput(type);
        }
    }

    TypeDefinition m_type;
};

} // namespace terrarium
