#include "async/deadline.h"

namespace terrarium {

void Deadline::set(Instant at)
{
    m_at = at;
    if (m_at < m_armedFor)
        arm();
}

void Deadline::setAtMost(Instant at)
{
    if (at < m_at)
        set(at);
}

void Deadline::clear() noexcept
{
    m_at = never;
}

std::optional<Instant> Deadline::at() const noexcept
{
    if (m_at == never)
        return std::nullopt;
    return m_at;
}

void Deadline::arm()
{
    m_armedFor = m_at;
    m_timer = m_clock.at(m_at, [this] {
        m_armedFor = never;
        if (m_at == never)
            return;
        if (m_clock.now() >= m_at)
            notify();
        else
            arm();
    });
}

} // namespace terrarium
