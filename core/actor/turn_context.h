#pragma once
// What the running turn of an actor works for. Every call of author's code gets one; it is carried across waits by
// the actor's TurnSlot, so that what a resumed handler changes is put down to what started the handler.

#include "actor/connection.h"
#include "actor/inboxes.h"
#include "async/clock.h"

#include <terrarium/cause.h>

#include <memory>

namespace terrarium {

class ActorTask;

struct TurnContext {
    explicit TurnContext(Cause cause) : cause(std::move(cause)) {}

    Cause cause;
    std::shared_ptr<ActorConnection> connection; ///< whose action or hook it is; null: nobody's
    quint64 mark = 0;                            ///< what it leads to may leave once this save revision is durable
    quint64 firstSequence = 0;                   ///< changes it made, as the observer counted them
    quint64 lastSequence = 0;
};

/// One action under way. Dropped unfinished, it answers `actor/dropped_reply`.
class ActionRun final : public TurnContext {
public:
    ActionRun(ActorTask &task, ActionCommand &&command, Instant startedAt, bool scheduled);
    ActionRun(const ActionRun &) = delete;
    ActionRun &operator=(const ActionRun &) = delete;
    ~ActionRun();

    const QString &name() const noexcept { return m_name; }
    const Value &args() const noexcept { return m_args; }
    Instant startedAt() const noexcept { return m_startedAt; }
    bool isScheduled() const noexcept { return m_scheduled; }

private:
    friend class ActorTask;

    ActorTask *m_task; // null: finished, or the actor is gone
    ActionRun *m_next = nullptr;
    ActionRun *m_previous = nullptr;
    QString m_name;
    Value m_args;
    ActionReply m_reply;
    Instant m_startedAt;
    Timer m_limit;
    bool m_answered = false; // the caller was answered (time limit), the handler still runs
    bool m_scheduled;
    bool m_closesConnection = false; // its connection was opened for it alone
};

} // namespace terrarium
