#pragma once
// The options the engine runs one actor with: the author's, and what the host caps.

#include <terrarium/actor_options.h>

#include <algorithm>
#include <optional>

namespace terrarium {

struct ActorConfig {
    ActorConfig() = default;
    explicit ActorConfig(ActorOptions options) : options(std::move(options)) {}

    ActorOptions options;
    std::optional<std::chrono::milliseconds> graceCap; ///< the host's own limit of a stop

    std::chrono::milliseconds effectiveGrace() const
    {
        return graceCap ? std::min(*graceCap, options.gracePeriod) : options.gracePeriod;
    }
};

} // namespace terrarium
