#pragma once
// A request to finish, seen by all work done for one actor.
//
// It is raised once, when grace begins, and never lowered: the next generation gets a new one. Work that can end
// early subscribes, or waits for `source()` in a select. Work that cannot is cut off at the grace deadline.

#include "async/notice.h"

#include <functional>

namespace terrarium {

/// Not copied, not shared between threads.
class AbortSignal final {
public:
    /// Ends when destroyed: the callback does not run any more.
    class Subscription final {
    public:
        Subscription() noexcept = default;
        Subscription(Subscription &&other) noexcept;
        Subscription &operator=(Subscription &&other) noexcept;
        Subscription(const Subscription &) = delete;
        ~Subscription() { end(); }
        void end() noexcept;

    private:
        friend class AbortSignal;
        struct Entry;
        explicit Subscription(Entry *entry) noexcept : m_entry(entry) {}
        Entry *m_entry = nullptr;
    };

    AbortSignal() noexcept = default;
    AbortSignal(const AbortSignal &) = delete;
    AbortSignal &operator=(const AbortSignal &) = delete;
    ~AbortSignal();

    /// True from the call of request() on.
    bool isRequested() const noexcept { return m_requested; }

    /// Calls `callback` once: at once if the signal is already raised, else from inside request(), in the order
    /// of subscription. It must not throw and may end its own subscription or others.
    [[nodiscard]] Subscription subscribe(std::function<void()> callback);

    /// Raises the signal. Further calls do nothing.
    void request();

    /// Ready from request() on.
    Source &source() noexcept { return m_notice; }

private:
    Subscription::Entry *m_first = nullptr;
    Subscription::Entry *m_last = nullptr;
    Notice m_notice;
    bool m_requested = false;
};

} // namespace terrarium
