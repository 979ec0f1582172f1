#pragma once
// From an address to the actor it means.

#include "host/host_core.h"
#include "server/gateway_address.h"

namespace terrarium {

/// Finds or creates the actor. Throws `actor/not_found` when there is none (any more), and what
/// HostCore::getOrCreate() throws.
ActorRef resolveTarget(HostCore &host, const GatewayAddress &address, const Cause &cause);
ActorIdentity identityOf(const ActorRef &actor);

} // namespace terrarium
