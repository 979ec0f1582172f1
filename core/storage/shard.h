#pragma once
// One SQLite file with rows of many actors: a connection to read with, a group to commit with, checkpoints behind.

#include "async/environment.h"
#include "storage/checkpointer.h"
#include "storage/commit_group.h"

#include <memory>
#include <optional>

namespace terrarium {

class Shard final {
public:
    /// Opens or creates `file` and brings it to the newest version. Throws `storage/...`.
    Shard(Environment &environment, const QString &file, Durability durability);
    Shard(const Shard &) = delete;
    Shard &operator=(const Shard &) = delete;
    ~Shard();

    /// For reading, on the host thread.
    SqlConnection &reader() noexcept { return *m_connection; }
    CommitGroup &commits() noexcept { return *m_commits; }
    /// Null in memory.
    const Checkpointer *checkpointer() const noexcept { return m_checkpointer.get(); }
    /// Makes everything durable (blocking), moves the log into the file and closes.
    void close();

private:
    std::unique_ptr<SqlConnection> m_connection;
    std::unique_ptr<CommitGroup> m_commits;
    std::unique_ptr<Checkpointer> m_checkpointer;
};

} // namespace terrarium
