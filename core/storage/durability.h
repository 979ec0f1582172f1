#pragma once
// What an acknowledged write survives.

namespace terrarium {

enum class Durability {
    Process, ///< the process being killed at any instruction: one commit per event-loop turn, on the host thread
    Power,   ///< a power cut too: group commits with fsync on the storage thread
};

} // namespace terrarium
