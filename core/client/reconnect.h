#pragma once
// How long to wait before the next try to reach a host: 0.25, 0.5, 1, 2, 4, 8, 15 s, then every 15 s, each plus or
// minus 20 %, so that many windows do not come back in the same moment.

#include "async/random.h"

#include <chrono>

namespace terrarium {

class Reconnect final {
public:
    /// Counts one more try.
    std::chrono::milliseconds nextDelay(Random &random);
    /// Tries since the last reset().
    int attempt() const noexcept { return m_attempt; }
    void reset() noexcept { m_attempt = 0; }

private:
    int m_attempt = 0;
};

} // namespace terrarium
