#pragma once
// The end of an event-loop turn: actors that changed hand over their saves, all of them become one commit, what was
// held back until then leaves, watchers get their records, doors write their sockets.

#include "actor/turn_saves.h"
#include "async/environment.h"
#include "storage/data_folder.h"

#include <functional>

namespace terrarium {

class LoopTurn final {
public:
    /// `ended` is called last in each turn.
    LoopTurn(Environment &environment, TurnSaves &saves, DataFolder &folder, std::function<void()> ended);
    LoopTurn(const LoopTurn &) = delete;
    LoopTurn &operator=(const LoopTurn &) = delete;

    void end();
    /// The folder is closed: nothing is saved any more.
    void closed() noexcept { m_open = false; }

private:
    TurnSaves &m_saves;
    DataFolder &m_folder;
    std::function<void()> m_ended;
    Executor::TurnHook m_hook;
    bool m_open = true;
};

} // namespace terrarium
