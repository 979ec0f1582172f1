#include "actor/actor_task.h"
#include "actor/turn_context.h"

namespace terrarium {

ActionRun::ActionRun(ActorTask &task, ActionCommand &&command, Instant startedAt, bool scheduled)
    : TurnContext(std::move(command.cause)),
      m_task(&task),
      m_name(std::move(command.name)),
      m_args(std::move(command.args)),
      m_reply(std::move(command.reply)),
      m_startedAt(startedAt),
      m_scheduled(scheduled)
{
    connection = std::move(command.connection);
    m_next = task.m_runs;
    if (m_next != nullptr)
        m_next->m_previous = this;
    task.m_runs = this;
}

ActionRun::~ActionRun()
{
    if (m_task == nullptr)
        return;
    m_task->finishAction(*this, Error(QStringLiteral("actor"), QStringLiteral("dropped_reply"),
                                      QStringLiteral("action \"%1\" ended without an answer").arg(m_name)));
}

} // namespace terrarium
