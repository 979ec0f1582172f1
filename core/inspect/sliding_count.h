#pragma once
// How many things happened in the last few seconds or minutes, without a timer and in a few bytes.
//
// Time is cut into slots of `slotMs`; the count of a slot is forgotten once it is `slots` slots old. The answer is
// exact to one slot.

#include <QtGlobal>

#include <array>
#include <limits>

namespace terrarium {

template <int slots, qint64 slotMs>
class SlidingCount final {
public:
    void add(qint64 wallMs) noexcept
    {
        moveTo(wallMs / slotMs);
        quint16 &count = m_counts[std::size_t(m_slot % slots)];
        if (count < std::numeric_limits<quint16>::max())
            ++count;
    }
    int total(qint64 wallMs) const noexcept
    {
        const qint64 now = wallMs / slotMs;
        int sum = 0;
        for (qint64 slot = m_slot; slot > m_slot - slots && slot > now - slots && slot >= 0; --slot)
            sum += m_counts[std::size_t(slot % slots)];
        return sum;
    }
    double perSecond(qint64 wallMs) const noexcept { return double(total(wallMs)) * 1000.0 / double(slots * slotMs); }

private:
    void moveTo(qint64 slot) noexcept
    {
        if (slot - m_slot >= slots || slot < m_slot) {
            m_counts.fill(0); // long ago, or the clock was set back
            m_slot = slot;
            return;
        }
        while (m_slot < slot)
            m_counts[std::size_t(++m_slot % slots)] = 0;
    }

    qint64 m_slot = 0;
    std::array<quint16, std::size_t(slots)> m_counts{};
};

} // namespace terrarium
