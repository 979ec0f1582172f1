#include "adapter/make_actor.h"

#include "adapter/typed_behavior.h"

namespace terrarium {

std::shared_ptr<ActorTask> makeActor(ActorParts parts, std::shared_ptr<const TypeDefinition> type)
{
    if (!parts.config)
        parts.config = std::make_shared<const ActorConfig>(type->options);
    Environment &environment = parts.environment;
    auto task = ActorTask::create(std::move(parts));
    task->setBehavior(std::make_shared<TypedBehavior>(*task, environment, std::move(type)));
    return task;
}

} // namespace terrarium
