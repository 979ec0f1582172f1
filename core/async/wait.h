#pragma once
// The one suspension primitive: a place to wait until somebody else finishes it.
//
//     Wait<int> wait(slot);
//     something.whenReady([&] { wait.finish(3); });
//     const int n = co_await wait.done();
//
// It ends exactly once: with a value, with an Error, or with ActorStopped when its slot is stopped. Finishing it
// before it is awaited is fine. Later attempts to end it do nothing. The coroutine goes on later, through the
// executor; the awaiter is a pointer, and the Wait itself is not copyable, so `co_await wait` does not compile.

#include "async/turn_slot.h"

#include <terrarium/error.h>
#include <terrarium/task.h>

#include <exception>
#include <optional>
#include <utility>
#include <variant>

namespace terrarium {

template <typename T = void>
class [[nodiscard]] Wait final : public Suspension {
    struct Nothing {};
    using Stored = std::conditional_t<std::is_void_v<T>, Nothing, T>;

public:
    explicit Wait(TurnSlot &slot) noexcept : Suspension(slot) {}

    bool isEnded() const noexcept { return m_result.index() != 0; }

    template <typename... U>
        requires(std::is_void_v<T> ? sizeof...(U) == 0 : sizeof...(U) == 1)
    void finish(U &&...value)
    {
        if (isEnded())
            return;
        m_result.template emplace<1>(std::forward<U>(value)...);
        wake();
    }
    void fail(Error error)
    {
        if (isEnded())
            return;
        m_result.template emplace<2>(std::make_exception_ptr(std::move(error)));
        wake();
    }
    void fail(std::exception_ptr exception)
    {
        if (isEnded())
            return;
        m_result.template emplace<2>(std::move(exception));
        wake();
    }
    /// Ends this one wait as if its slot had been stopped.
    void stop()
    {
        if (isEnded())
            return;
        m_result.template emplace<2>(std::make_exception_ptr(ActorStopped()));
        wake();
    }

    class Awaiter final {
    public:
        explicit Awaiter(Wait *wait) noexcept : m_wait(wait) {}
        bool await_ready() const noexcept { return m_wait->isEnded() || m_wait->slot().isStopped(); }
        void await_suspend(std::coroutine_handle<> handle) { m_wait->suspend(handle); }
        T await_resume() { return m_wait->take(); }

    private:
        Wait *m_wait;
    };
    /// Await once.
    Awaiter done() noexcept { return Awaiter(this); }

private:
    T take()
    {
        if (!isEnded())
            throw ActorStopped();
        if (m_result.index() == 2)
            std::rethrow_exception(std::get<2>(std::move(m_result)));
        if constexpr (!std::is_void_v<T>)
            return std::get<1>(std::move(m_result));
    }

    std::variant<std::monostate, Stored, std::exception_ptr> m_result;
};

} // namespace terrarium
