#pragma once
// The actors that want to save at the end of this event-loop turn.
//
// The host runs it at the end of every turn, before the shard commits: each actor in it hands over one batch, so that
// however many actions ran, one actor's state is encoded and written once, and all of them are one commit.

#include <vector>

namespace terrarium {

class ActorTask;

class TurnSaves final {
public:
    TurnSaves() = default;
    TurnSaves(const TurnSaves &) = delete;
    TurnSaves &operator=(const TurnSaves &) = delete;

    bool isEmpty() const noexcept { return m_tasks.empty(); }
    /// Everybody in it saves. What saving leads to may add actors again: they are served in the same call.
    void run();

private:
    friend class ActorTask;
    void add(ActorTask *task) { m_tasks.push_back(task); }
    void remove(ActorTask *task);

    std::vector<ActorTask *> m_tasks;
    std::vector<ActorTask *> *m_running = nullptr; // those of the run under way
};

} // namespace terrarium
