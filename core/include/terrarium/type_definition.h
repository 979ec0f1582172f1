#pragma once
// An actor type without its C++ types: what a host needs to describe it and to make one. ActorType<A> writes it.

#include <terrarium/actor_options.h>
#include <terrarium/actor_port.h>
#include <terrarium/error.h>
#include <terrarium/task.h>
#include <terrarium/value.h>

#include <QByteArray>
#include <QHash>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace terrarium {

class Context;
class ActorBase;

/// What a handler that is done gives at once, or the wait for it.
using HandlerResult = std::variant<Value, Task<Value>>;
using HookResult = std::optional<Task<>>; ///< nothing: it is done

struct ParameterDefinition {
    ParameterDefinition() = default;
    ParameterDefinition(QString name, QString type, bool optional)
        : name(std::move(name)),
          type(std::move(type)),
          optional(optional)
    {}

    QString name;          ///< as the author gave it, else "arg1", "arg2", ...
    QString type;          ///< int, number, text, bool, bytes, list, map, any
    bool optional = false; ///< may be left out at the end of the list, or be null
};

struct ActionDefinition {
    QString name;
    QList<ParameterDefinition> parameters;
    QString result; ///< type as above; "none" for void
    QString help;
    bool query = false;   ///< a const handler: cannot change the state
    QByteArray memberKey; ///< the function it was registered with
    /// Decodes the arguments (a list) and runs the handler. Throws `actor/invalid_request` {parameter} when they do
    /// not fit, and what the handler throws.
    std::function<HandlerResult(ActorBase &, const Value &args)> invoke;
};

struct EventDefinition {
    QString name;
    QStringList types; ///< of its arguments
};

/// Author's hooks; an empty function: there is none.
struct HookDefinitions {
    std::function<HookResult(ActorBase &, const std::optional<Value> &input)>
        onCreate; ///< throws `actor/missing_input`
    std::function<HookResult(ActorBase &)> onWake;
    std::function<HookResult(ActorBase &)> onSleep;
    std::function<HookResult(ActorBase &)> onDestroy;
    std::function<HookResult(ActorBase &, const ConnectionInfo &)> onConnect;
    std::function<HookResult(ActorBase &, const ConnectionInfo &)> onDisconnect;
    std::function<void(ActorBase &)> onStateChange;
    std::function<Task<>(ActorBase &, Context &)> run;
};

struct TypeDefinition {
    QString name;
    ActorOptions options;
    bool hasState = true;
    QList<ActionDefinition> actions; ///< in the order they were registered
    QList<EventDefinition> events;
    HookDefinitions hooks;
    std::function<std::unique_ptr<ActorBase>(detail::ActorPort &)> make;

    /// Null when there is none. Constant time.
    const ActionDefinition *find(const QString &action) const noexcept
    {
        const auto at = actionIndex.constFind(action);
        return at == actionIndex.constEnd() ? nullptr : &actions.at(*at);
    }
    const ActionDefinition *findByMember(const QByteArray &memberKey) const noexcept
    {
        for (const ActionDefinition &action : actions) {
            if (action.memberKey == memberKey)
                return &action;
        }
        return nullptr;
    }

    QHash<QString, qsizetype> actionIndex;
};

} // namespace terrarium
