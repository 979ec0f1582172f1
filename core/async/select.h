#pragma once
// Waits for the first ready of several sources, in a fixed order of preference.
//
//     Select select(slot, {&urgent, &inbox, &idleDeadline});
//     for (;;) {
//         switch (co_await select.next()) { ... }
//     }
//
// Of several ready sources the earliest in the list wins, looked at again at the moment of resuming, so something
// more urgent that came meanwhile goes first. A source that was emptied by another before the resumption is not
// reported: the wait simply goes on. Sources can be switched off one by one and may be destroyed.

#include "async/source.h"
#include "async/turn_slot.h"

#include <terrarium/task.h>

#include <initializer_list>
#include <memory>

namespace terrarium {

class Select : public Suspension {
public:
    /// Watches the sources for as long as it lives. At most 32.
    Select(TurnSlot &slot, std::initializer_list<Source *> sources);
    ~Select() override;

    void setEnabled(int index, bool enabled) noexcept;
    bool isEnabled(int index) const noexcept { return (m_disabled & (1u << index)) == 0; }
    /// The first ready source that is enabled, or -1. Does not wait.
    int ready() const noexcept;

    class Awaiter final {
    public:
        explicit Awaiter(Select *select) noexcept : m_select(select) {}
        bool await_ready() noexcept { return m_select->isReadyNow(); }
        void await_suspend(std::coroutine_handle<> handle) { m_select->suspend(handle); }
        int await_resume() { return m_select->take(); }

    private:
        Select *m_select;
    };
    /// The index of the first ready source. Throws ActorStopped.
    Awaiter next() noexcept { return Awaiter(this); }

protected:
    bool isReadyNow() const noexcept { return ready() >= 0 || slot().isStopped(); }
    int take();

private:
    bool mayResume() noexcept override { return isStopped() || ready() >= 0; }

    struct Link;
    std::unique_ptr<Link[]> m_links;
    quint32 m_disabled = 0;
    int m_count;
};

} // namespace terrarium
