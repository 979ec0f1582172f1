#pragma once
// Records of one kind, oldest first, in exactly the memory they need. An idle actor keeps a handful of them, so each
// is one small allocation and there is no spare room; when the queue is full the oldest one's memory is used again.

#include <QtGlobal>

#include <memory>
#include <utility>

namespace terrarium {

template <typename Body>
class LogQueue final {
public:
    struct Entry {
        quint64 position = 0;
        qint64 at = 0;
        Entry *next = nullptr;
        Body body;
    };

    LogQueue() = default;
    LogQueue(const LogQueue &) = delete;
    LogQueue &operator=(const LogQueue &) = delete;
    ~LogQueue() { trim(0); }

    int count() const noexcept { return m_count; }
    const Entry *first() const noexcept { return m_first; }
    Entry *first() noexcept { return m_first; }
    const Entry *last() const noexcept { return m_last; }

    /// Adds one; the oldest goes when there are more than `most`.
    Entry &push(quint64 position, qint64 at, Body &&body, int most)
    {
        Entry *entry = m_count >= most && m_count > 0 ? take() : new Entry();
        entry->position = position;
        entry->at = at;
        entry->body = std::move(body);
        entry->next = nullptr;
        (m_last != nullptr ? m_last->next : m_first) = entry;
        m_last = entry;
        ++m_count;
        if (m_count > most)
            trim(most);
        return *entry;
    }
    void removeFirst() { delete take(); }
    void trim(int most)
    {
        while (m_count > most)
            removeFirst();
    }

private:
    Entry *take() noexcept
    {
        Entry *entry = m_first;
        m_first = entry->next;
        if (m_first == nullptr)
            m_last = nullptr;
        --m_count;
        return entry;
    }

    Entry *m_first = nullptr;
    Entry *m_last = nullptr;
    int m_count = 0;
};

} // namespace terrarium
