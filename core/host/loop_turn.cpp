#include "host/loop_turn.h"

namespace terrarium {

LoopTurn::LoopTurn(Environment &environment, TurnSaves &saves, DataFolder &folder, std::function<void()> ended)
    : m_saves(saves),
      m_folder(folder),
      m_ended(std::move(ended))
{
    m_hook = environment.executor.onTurnEnd([this] { end(); });
}

void LoopTurn::end()
{
    if (m_open) {
        do {
            // A save that was asked for while a commit released replies goes into a commit of its own, in this turn.
            if (!m_saves.isEmpty())
                m_saves.run();
            m_folder.commitTurn();
        } while (!m_saves.isEmpty());
    }
    m_ended();
}

} // namespace terrarium
