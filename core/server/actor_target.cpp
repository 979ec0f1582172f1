#include "server/actor_target.h"

namespace terrarium {

namespace {

Error targetNotFound()
{
    return Error(QStringLiteral("actor"), QStringLiteral("not_found"),
                 QStringLiteral("The actor does not exist or was destroyed."));
}

} // namespace

ActorRef resolveTarget(HostCore &host, const GatewayAddress &address, const Cause &cause)
{
    if (const auto *byId = std::get_if<GatewayAddress::ById>(&address.target)) {
        auto actor = host.findById(byId->id);
        if (!actor || actor->destroyed)
            throw targetNotFound();
        return *std::move(actor);
    }
    const auto &byKey = std::get<GatewayAddress::ByKey>(address.target);
    if (byKey.create)
        return host.getOrCreate(byKey.name, byKey.key, byKey.input, cause).first;
    auto actor = host.find(byKey.name, byKey.key);
    if (!actor || actor->destroyed)
        throw targetNotFound();
    return *std::move(actor);
}

ActorIdentity identityOf(const ActorRef &actor)
{
    return ActorIdentity(actor.id, actor.generation, actor.key.toText());
}

} // namespace terrarium
