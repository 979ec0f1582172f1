#include "actor/turn_saves.h"

#include "actor/actor_task.h"

#include <algorithm>

namespace terrarium {

void TurnSaves::run()
{
    while (!m_tasks.empty()) {
        std::vector<ActorTask *> tasks;
        tasks.swap(m_tasks);
        m_running = &tasks;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (tasks[i] != nullptr)
                tasks[i]->saveAtTurnEnd();
        }
        m_running = nullptr;
        if (m_tasks.empty()) {
            tasks.clear();
            m_tasks.swap(tasks); // keeps the memory
        }
    }
}

void TurnSaves::remove(ActorTask *task)
{
    std::erase(m_tasks, task);
    if (m_running != nullptr)
        std::replace(m_running->begin(), m_running->end(), task, static_cast<ActorTask *>(nullptr));
}

} // namespace terrarium
