#pragma once
// What waits for an actor, in three queues and a flag that are served in this order:
//
//   1. lifecycle commands   start, stop, fireAlarm: from the host only
//   2. lifecycle events     watchers come and gone, idle ticks, connections it closes: from the actor's own parts
//   3. activity             something that decides about sleep changed; asked for any number of times, handled once
//   4. dispatch             actions and connections: from clients
//
// The split is a border of trust: clients can never delay a command or the actor's own upkeep. (What the reference
// sends its adapter through a fourth channel are direct calls of Behavior here.) Queues are unbounded, first in first
// out; an empty one holds no memory.

#include "actor/lifecycle.h"
#include "actor/connection.h"

#include <terrarium/cause.h>
#include <terrarium/error.h>
#include <terrarium/value.h>

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace terrarium {

/// Called exactly once, on the host thread.
using LifecycleReply = std::function<void(const std::optional<Error> &)>;

struct StartCommand {
    QString why; ///< created, request, alarm, inspector, self: the reason shown for the start
    Cause cause;
    LifecycleReply reply;
};
struct StopCommand {
    StopReason reason = StopReason::Sleep;
    QString why; ///< idle, self, inspector, hostShutdown, crash, action: the reason shown for the stop
    Cause cause;
    LifecycleReply reply;
};
struct FireAlarmCommand {
    LifecycleReply reply;
};
using LifecycleCommand = std::variant<StartCommand, StopCommand, FireAlarmCommand>;

/// How an action ended, as handed to whoever asked for it.
struct ActionOutcome {
    std::variant<Value, Error> result;
    qint64 tookUs = 0;         ///< from dispatch to the handler's end
    quint64 firstSequence = 0; ///< changes it made, as the observer counted them; 0: none
    quint64 lastSequence = 0;
    bool refused = false; ///< its handler never began: the next incarnation may be asked
};
/// Called exactly once, when the reply may leave.
using ActionReply = std::function<void(ActionOutcome &&)>;

struct ActionCommand {
    QString name;
    Value args;                                  ///< a list
    std::shared_ptr<ActorConnection> connection; ///< null: no lasting connection
    Value params; ///< of a call without a lasting connection: what its short-lived one is opened with
    Cause cause;
    qint64 timeoutMs = 0; ///< 0: the type's; else at most this
    ActionReply reply;
};
using OpenReply = std::function<void(std::variant<std::shared_ptr<ActorConnection>, Error> &&)>;
struct OpenCommand {
    Value params;
    QString remoteAddress;
    ConnectionOutlet *outlet = nullptr; ///< outlives the connection's closing
    Cause cause;
    OpenReply reply;
};
struct CloseCommand {
    std::shared_ptr<ActorConnection> connection;
};
using DispatchCommand = std::variant<ActionCommand, OpenCommand, CloseCommand>;

/// First in, first out; what is empty holds no memory.
template <typename T>
class Inbox final {
public:
    void push(T &&item) { m_items.push_back(std::move(item)); }
    bool isEmpty() const noexcept { return m_next == m_items.size(); }
    std::size_t size() const noexcept { return m_items.size() - m_next; }
    T take()
    {
        T item = std::move(m_items[m_next]);
        if (++m_next == m_items.size()) {
            m_next = 0;
            if (m_items.capacity() > keptCapacity)
                std::vector<T>().swap(m_items);
            else
                m_items.clear();
        } else if (m_next >= 64 && m_next * 2 >= m_items.size()) {
            m_items.erase(m_items.begin(), m_items.begin() + std::ptrdiff_t(m_next));
            m_next = 0;
        }
        return item;
    }
    /// Gives back what the queue holds on to while the actor is idle.
    void trim()
    {
        if (isEmpty())
            std::vector<T>().swap(m_items);
    }

private:
    static constexpr std::size_t keptCapacity = 8;

    std::vector<T> m_items;
    std::size_t m_next = 0;
};

/// The events are flags: asking twice is asking once.
struct LifecycleEvents {
    bool watchChanged = false;
    bool sleepTick = false;
    bool disconnects = false;
    bool any() const noexcept { return watchChanged || sleepTick || disconnects; }
};

struct Inboxes {
    Inbox<LifecycleCommand> lifecycle;
    LifecycleEvents events;
    bool activity = false;
    Inbox<DispatchCommand> dispatch;
};

} // namespace terrarium
