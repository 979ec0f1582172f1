#include "async/timer_heap.h"

#include <algorithm>
#include <utility>

namespace terrarium {

struct Timer::Slot {
    enum class Place : quint8 { Nowhere, Heap, Due };

    TimerHeap *heap = nullptr;
    std::size_t index = 0;
    Place place = Place::Nowhere;
    std::function<void()> callback;
};

Timer::Timer(Timer &&other) noexcept : m_slot(std::exchange(other.m_slot, nullptr)) {}

Timer &Timer::operator=(Timer &&other) noexcept
{
    if (this != &other) {
        cancel();
        m_slot = std::exchange(other.m_slot, nullptr);
    }
    return *this;
}

Timer::~Timer()
{
    cancel();
}

bool Timer::isArmed() const noexcept
{
    return m_slot != nullptr && m_slot->place != Slot::Place::Nowhere;
}

void Timer::cancel() noexcept
{
    Slot *slot = std::exchange(m_slot, nullptr);
    if (slot == nullptr)
        return;
    if (slot->place != Slot::Place::Nowhere)
        slot->heap->forget(*slot);
    delete slot;
}

TimerHeap::~TimerHeap()
{
    for (const Entry &entry : m_entries)
        entry.slot->place = Timer::Slot::Place::Nowhere;
    for (std::size_t i = m_dueNext; i < m_due.size(); ++i) {
        if (m_due[i].slot != nullptr)
            m_due[i].slot->place = Timer::Slot::Place::Nowhere;
    }
}

Timer TimerHeap::add(Instant deadline, std::function<void()> callback)
{
    Timer timer;
    timer.m_slot = new Timer::Slot;
    timer.m_slot->heap = this;
    timer.m_slot->callback = std::move(callback);
    timer.m_slot->place = Timer::Slot::Place::Heap;
    const Entry entry{deadline, ++m_order, timer.m_slot};
    m_entries.push_back(entry);
    siftUp(m_entries.size() - 1, entry);
    return timer;
}

std::optional<Instant> TimerHeap::next() const noexcept
{
    for (std::size_t i = m_dueNext; i < m_due.size(); ++i) {
        if (m_due[i].slot != nullptr)
            return m_due[i].deadline;
    }
    if (m_entries.empty())
        return std::nullopt;
    return m_entries.front().deadline;
}

int TimerHeap::runDue(Instant now)
{
    while (!m_entries.empty() && m_entries.front().deadline <= now) {
        const Entry entry = removeAt(0);
        entry.slot->place = Timer::Slot::Place::Due;
        entry.slot->index = m_due.size();
        m_due.push_back(entry);
    }
    int ran = 0;
    while (m_dueNext < m_due.size())
        ran += runNextDue();
    m_due.clear();
    m_dueNext = 0;
    return ran;
}

bool TimerHeap::runNextDue()
{
    Timer::Slot *slot = m_due[m_dueNext++].slot;
    if (slot == nullptr)
        return false;
    slot->place = Timer::Slot::Place::Nowhere;
    const auto callback = std::move(slot->callback); // its Timer may be destroyed by it
    callback();
    return true;
}

void TimerHeap::place(std::size_t index, const Entry &entry) noexcept
{
    m_entries[index] = entry;
    entry.slot->index = index;
}

void TimerHeap::siftUp(std::size_t index, const Entry &entry) noexcept
{
    while (index > 0) {
        const std::size_t parent = (index - 1) / 4;
        if (!entry.before(m_entries[parent]))
            break;
        place(index, m_entries[parent]);
        index = parent;
    }
    place(index, entry);
}

void TimerHeap::siftDown(std::size_t index, const Entry &entry) noexcept
{
    for (;;) {
        const std::size_t first = index * 4 + 1;
        if (first >= m_entries.size())
            break;
        std::size_t least = first;
        const std::size_t end = std::min(first + 4, m_entries.size());
        for (std::size_t child = first + 1; child < end; ++child) {
            if (m_entries[child].before(m_entries[least]))
                least = child;
        }
        if (!m_entries[least].before(entry))
            break;
        place(index, m_entries[least]);
        index = least;
    }
    place(index, entry);
}

TimerHeap::Entry TimerHeap::removeAt(std::size_t index) noexcept
{
    const Entry removed = m_entries[index];
    const Entry last = m_entries.back();
    m_entries.pop_back();
    if (index < m_entries.size()) {
        if (index > 0 && last.before(m_entries[(index - 1) / 4]))
            siftUp(index, last);
        else
            siftDown(index, last);
    }
    return removed;
}

void TimerHeap::forget(Timer::Slot &slot) noexcept
{
    if (slot.place == Timer::Slot::Place::Heap)
        removeAt(slot.index);
    else
        m_due[slot.index].slot = nullptr;
    slot.place = Timer::Slot::Place::Nowhere;
}

} // namespace terrarium
