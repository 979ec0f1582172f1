#include "async/abort_signal.h"

#include <utility>

namespace terrarium {

struct AbortSignal::Subscription::Entry {
    AbortSignal *signal = nullptr; // null once called, or once the signal is gone
    std::function<void()> callback;
    Entry *next = nullptr;
    Entry *previous = nullptr;
};

AbortSignal::Subscription::Subscription(Subscription &&other) noexcept : m_entry(std::exchange(other.m_entry, nullptr))
{}

AbortSignal::Subscription &AbortSignal::Subscription::operator=(Subscription &&other) noexcept
{
    if (this != &other) {
        end();
        m_entry = std::exchange(other.m_entry, nullptr);
    }
    return *this;
}

void AbortSignal::Subscription::end() noexcept
{
    Entry *entry = std::exchange(m_entry, nullptr);
    if (entry == nullptr)
        return;
    if (AbortSignal *signal = entry->signal) {
        (entry->previous != nullptr ? entry->previous->next : signal->m_first) = entry->next;
        (entry->next != nullptr ? entry->next->previous : signal->m_last) = entry->previous;
    }
    delete entry;
}

AbortSignal::~AbortSignal()
{
    for (auto *entry = m_first; entry != nullptr; entry = entry->next)
        entry->signal = nullptr;
}

AbortSignal::Subscription AbortSignal::subscribe(std::function<void()> callback)
{
    if (m_requested) {
        callback();
        return Subscription();
    }
    auto *entry = new Subscription::Entry;
    entry->signal = this;
    entry->callback = std::move(callback);
    entry->previous = m_last;
    (m_last != nullptr ? m_last->next : m_first) = entry;
    m_last = entry;
    return Subscription(entry);
}

void AbortSignal::request()
{
    if (m_requested)
        return;
    m_requested = true;
    while (m_first != nullptr) {
        auto *entry = m_first;
        m_first = entry->next;
        (m_first != nullptr ? m_first->previous : m_last) = nullptr;
        entry->signal = nullptr;
        // Moved out first: the callback may end its own subscription.
        const auto callback = std::move(entry->callback);
        callback();
    }
    m_notice.raise();
}

} // namespace terrarium
