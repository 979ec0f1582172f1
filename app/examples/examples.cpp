#include "examples.h"

#include "archive.h"
#include "chat_room.h"
#include "checkout.h"
#include "counter.h"

#include "host/host_core.h"

#include <terrarium/plugin.h>

namespace terrarium::examples {

void addTypes(PluginTypes &types)
{
    types.add(Counter::type());
    types.add(ChatRoom::type());
    types.add(Checkout::type());
    types.add(Archive::type());
}

void createActors(HostCore &core)
{
    if (core.actorCount() > 0)
        return;
    const Cause cause(QStringLiteral("host"), QStringLiteral("examples"));
    const auto call = [&](const char *type, const char *key, const char *action, std::vector<Value> args) {
        const ActorRef actor = core.getOrCreate(QString::fromLatin1(type), ActorKey(key), std::nullopt, cause).first;
        core.call(actor.id, QString::fromLatin1(action), Value::array(std::move(args)), {}, cause, 0,
                  [](CallOutcome &&) {});
    };
    call("counter", "a", "startTicking", {});
    call("chatRoom", "lobby", "join", {"ada"});
    call("chatRoom", "lobby", "join", {"linus"});
    call("chatRoom", "lobby", "move", {"linus", 112, 64});
    call("chatRoom", "lobby", "say", {"ada", "Does anybody know why it is awake?"});
    call("checkout", "1842", "addItem", {"lamp", 4900});
    call("archive", "2026", "store", {"readme", "This actor sleeps after five seconds. Look at it: it stays asleep."});
}

} // namespace terrarium::examples
