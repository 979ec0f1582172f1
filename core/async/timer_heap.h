#pragma once
// Every deadline of a thread in one heap: arming and cancelling cost a few comparisons, whatever their number.
//
// It knows no clock: whoever owns it asks for the next deadline and says when it has passed. Callbacks run in the
// order of their deadlines, equal ones in the order they were armed. One armed while others run waits for the next
// runDue(), even if it is due. A callback may arm, cancel and destroy any timer.

#include "async/clock.h"

#include <optional>
#include <vector>

namespace terrarium {

class TimerHeap final {
public:
    TimerHeap() = default;
    TimerHeap(const TimerHeap &) = delete;
    TimerHeap &operator=(const TimerHeap &) = delete;
    /// Timers that are still armed turn into idle ones.
    ~TimerHeap();

    [[nodiscard]] Timer add(Instant deadline, std::function<void()> callback);
    /// The earliest deadline; nothing when none is armed.
    std::optional<Instant> next() const noexcept;
    /// Runs what is due at `now`. Returns how many ran.
    int runDue(Instant now);
    qsizetype size() const noexcept { return qsizetype(m_entries.size() + m_due.size() - m_dueNext); }

private:
    friend class Timer;

    struct Entry {
        Instant deadline;
        quint64 order;
        Timer::Slot *slot;
        bool before(const Entry &other) const noexcept
        {
            return deadline != other.deadline ? deadline < other.deadline : order < other.order;
        }
    };

    void place(std::size_t index, const Entry &entry) noexcept;
    void siftUp(std::size_t index, const Entry &entry) noexcept;
    void siftDown(std::size_t index, const Entry &entry) noexcept;
    Entry removeAt(std::size_t index) noexcept;
    void forget(Timer::Slot &slot) noexcept;
    bool runNextDue();

    std::vector<Entry> m_entries; // a heap, four children each
    std::vector<Entry> m_due;     // taken out of the heap, about to run
    std::size_t m_dueNext = 0;
    quint64 m_order = 0;
};

} // namespace terrarium
