#pragma once
// A queue between turns of one thread, first in first out, that can be waited for.
//
// An empty channel holds no memory beyond itself; a burst grows one ring buffer, which is given back when it is
// emptied after having become large. Senders never wait inside push(): a bounded channel that is full refuses, and
// `space()` says when to try again.

#include "async/select.h"
#include "async/source.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace terrarium {

template <typename T>
class Channel final : public Source {
public:
    static constexpr std::uint32_t unbounded = UINT32_MAX;

    explicit Channel(std::uint32_t limit = unbounded) noexcept : m_limit(limit) {}
    ~Channel()
    {
        clear();
        release();
    }

    /// False when it is full or closed; `item` is then untouched.
    bool push(T &&item)
    {
        if (m_closed || m_count >= m_limit)
            return false;
        if (m_count == m_capacity)
            grow();
        ::new (slot(m_count)) T(std::move(item));
        ++m_count;
        notify();
        return true;
    }
    bool push(const T &item) { return push(T(item)); }

    /// The oldest item, or nothing.
    std::optional<T> tryPop()
    {
        if (m_count == 0)
            return std::nullopt;
        T *front = slot(0);
        std::optional<T> item(std::move(*front));
        front->~T();
        m_head = (m_head + 1) & (m_capacity - 1);
        --m_count;
        if (m_count == 0 && m_capacity > keptCapacity)
            release();
        if (m_space)
            m_space->changed();
        return item;
    }

    /// No more pushes; what is in it can still be taken. A closed channel is ready (tryPop gives nothing once empty).
    void close() noexcept
    {
        m_closed = true;
        notify();
    }
    void reopen() noexcept { m_closed = false; }
    bool isClosed() const noexcept { return m_closed; }

    std::uint32_t size() const noexcept { return m_count; }
    bool isEmpty() const noexcept { return m_count == 0; }
    bool isFull() const noexcept { return m_count >= m_limit; }
    void clear() noexcept
    {
        while (m_count > 0) {
            slot(0)->~T();
            m_head = (m_head + 1) & (m_capacity - 1);
            --m_count;
        }
        if (m_space)
            m_space->changed();
    }
    bool isReady() const noexcept override { return m_count > 0 || m_closed; }

    /// Ready while a push would be taken. Made on first use; lives as long as the channel.
    Source &space()
    {
        if (!m_space)
            m_space = std::make_unique<Space>(*this);
        return *m_space;
    }

private:
    static constexpr std::uint32_t keptCapacity = 64;

    class Space final : public Source {
    public:
        explicit Space(const Channel &channel) noexcept : m_channel(channel) {}
        bool isReady() const noexcept override { return !m_channel.m_closed && !m_channel.isFull(); }
        void changed() noexcept { notify(); }

    private:
        const Channel &m_channel;
    };

    T *slot(std::uint32_t index) const noexcept
    {
        return std::launder(reinterpret_cast<T *>(m_ring + sizeof(T) * ((m_head + index) & (m_capacity - 1))));
    }
    void grow()
    {
        const std::uint32_t capacity = m_capacity == 0 ? 4 : m_capacity * 2;
        auto *ring = static_cast<std::byte *>(::operator new(sizeof(T) * capacity, std::align_val_t(alignof(T))));
        for (std::uint32_t i = 0; i < m_count; ++i) {
            T *old = slot(i);
            ::new (static_cast<void *>(ring + sizeof(T) * i)) T(std::move(*old));
            old->~T();
        }
        release();
        m_ring = ring;
        m_capacity = capacity;
    }
    void release() noexcept
    {
        if (m_ring != nullptr)
            ::operator delete(m_ring, std::align_val_t(alignof(T)));
        m_ring = nullptr;
        m_capacity = 0;
        m_head = 0;
    }

    std::byte *m_ring = nullptr;
    std::uint32_t m_capacity = 0; // a power of two, or 0
    std::uint32_t m_head = 0;
    std::uint32_t m_count = 0;
    std::uint32_t m_limit;
    bool m_closed = false;
    std::unique_ptr<Space> m_space;
};

/// Waits for the items of one channel, one after another:
///     Receiver<Message> inbox(slot, channel);
///     while (auto message = co_await inbox.next()) ...
template <typename T>
class Receiver final : private Select {
public:
    Receiver(TurnSlot &slot, Channel<T> &channel) : Select(slot, {&channel}), m_channel(channel) {}

    class Awaiter final {
    public:
        explicit Awaiter(Receiver *receiver) noexcept : m_receiver(receiver) {}
        bool await_ready() noexcept { return m_receiver->isReadyNow(); }
        void await_suspend(std::coroutine_handle<> handle) { m_receiver->suspend(handle); }
        std::optional<T> await_resume()
        {
            m_receiver->take();
            return m_receiver->m_channel.tryPop();
        }

    private:
        Receiver *m_receiver;
    };
    /// The next item; nothing when the channel is closed and empty. Throws ActorStopped.
    Awaiter next() noexcept { return Awaiter(this); }

private:
    Channel<T> &m_channel;
};

} // namespace terrarium
