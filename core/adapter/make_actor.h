#pragma once
// A live actor of a described type: the engine with the author's class on top.

#include "actor/actor_task.h"

#include <terrarium/type_definition.h>

#include <memory>

namespace terrarium {

/// `parts.config` may be shared by all actors of the type; null: the type's options as they are.
std::shared_ptr<ActorTask> makeActor(ActorParts parts, std::shared_ptr<const TypeDefinition> type);

} // namespace terrarium
