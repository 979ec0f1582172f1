#include "async/turn_slot.h"

#include <terrarium/task.h>

#include <QtGlobal>

namespace terrarium {

TurnSlot::~TurnSlot()
{
    Q_ASSERT_X(m_first == nullptr, "TurnSlot", "destroyed while something waits with it");
    Q_ASSERT_X(m_depth == 0, "TurnSlot", "destroyed inside one of its turns");
}

TurnSlot::Scope::Scope(TurnSlot &slot, Context context) : m_slot(slot), m_outer(std::move(slot.m_context))
{
    if (m_slot.m_depth > 0 && m_slot.m_turnEnded) {
        // What the outer turn did so far belongs to the outer cause.
        m_slot.m_context = m_outer;
        m_slot.m_turnEnded();
    }
    m_slot.m_context = std::move(context);
    ++m_slot.m_depth;
}

TurnSlot::Scope::~Scope()
{
    if (m_slot.m_turnEnded)
        m_slot.m_turnEnded();
    --m_slot.m_depth;
    m_slot.m_context = std::move(m_outer);
}

void TurnSlot::stop()
{
    m_stopped = true;
    for (Suspension *waiting = m_first; waiting != nullptr; waiting = waiting->m_next) {
        waiting->m_stopped = true;
        waiting->wake();
    }
}

void TurnSlot::restart()
{
    Q_ASSERT_X(m_first == nullptr, "TurnSlot", "restarted while something waits with it");
    m_stopped = false;
}

Suspension::~Suspension()
{
    Q_ASSERT_X(!m_handle, "Suspension", "destroyed while a coroutine stands at it");
    if (m_handle)
        unlink();
}

void Suspension::suspend(std::coroutine_handle<> handle)
{
    Q_ASSERT_X(!m_handle, "Suspension", "two coroutines wait at the same place");
    m_handle = handle;
    m_context = m_slot->m_context;
    m_stopped = false;
    m_next = nullptr;
    m_previous = m_slot->m_last;
    (m_previous != nullptr ? m_previous->m_next : m_slot->m_first) = this;
    m_slot->m_last = this;
    ++m_slot->m_waiting;
}

void Suspension::unlink() noexcept
{
    (m_previous != nullptr ? m_previous->m_next : m_slot->m_first) = m_next;
    (m_next != nullptr ? m_next->m_previous : m_slot->m_last) = m_previous;
    m_next = nullptr;
    m_previous = nullptr;
    --m_slot->m_waiting;
}

void Suspension::wake()
{
    if (!m_handle || m_posted)
        return;
    m_posted = true;
    m_slot->m_executor.postFor(m_slot, [this] { resumeNow(); });
}

void Suspension::resumeNow()
{
    m_posted = false;
    if (!mayResume())
        return;
    unlink();
    const std::coroutine_handle<> handle = std::exchange(m_handle, {});
    // The coroutine may end and take this object with it; the slot stays.
    const TurnSlot::Scope turn(*m_slot, std::move(m_context));
    handle.resume();
}

void Suspension::throwIfStopped()
{
    if (m_stopped || m_slot->isStopped())
        throw ActorStopped();
}

} // namespace terrarium
