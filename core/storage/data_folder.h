#pragma once
// A host's folder on disk: who owns it, the shared shard in it, and the index of its actors.
//
// Opening looks before it touches: a folder of a newer version is refused without a byte written, and so is one
// that another host owns. The owner lock dies with the process, however it ends.

#include "async/environment.h"
#include "storage/actor_index.h"
#include "storage/durability.h"

#include <memory>

namespace terrarium {

struct DataFolderOptions {
    QString path; ///< created when absent; ":memory:" keeps everything in memory
    Durability durability = Durability::Process;
    QString ownerName; ///< for people, told to whoever is refused
};

class DataFolder final {
public:
    /// Throws `host/data_in_use` {owner: {pid, host, name, startedAt}, dataDir}, `storage/newer_version` {found,
    /// supported, file}, `storage/...`.
    DataFolder(Environment &environment, const DataFolderOptions &options);
    DataFolder(const DataFolder &) = delete;
    DataFolder &operator=(const DataFolder &) = delete;
    /// Closes without waiting for commits that are under way elsewhere; close() first.
    ~DataFolder();

    ActorIndex &index() noexcept;
    Shard &shard() noexcept;

    /// To call at the end of each event-loop turn: what was added since becomes one transaction. With
    /// Durability::Process it is durable on return and the callbacks have run; callbacks may add more, which is
    /// committed too.
    void commitTurn();
    /// Nothing waits to become durable.
    bool isSettled() const noexcept;
    /// Commits what is waiting (blocking), moves the log into the database file, closes, gives up the folder. The
    /// index is gone then; commitTurn() does nothing.
    void close();

    const QString &path() const noexcept;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
