#include "client/reconnect.h"

#include <algorithm>
#include <array>

namespace terrarium {

std::chrono::milliseconds Reconnect::nextDelay(Random &random)
{
    constexpr std::array<int, 7> steps{250, 500, 1000, 2000, 4000, 8000, 15000};
    const int base = steps[size_t(std::min(m_attempt, int(steps.size()) - 1))];
    ++m_attempt;
    return std::chrono::milliseconds(qint64(base * (0.8 + 0.4 * random.unit())));
}

} // namespace terrarium
