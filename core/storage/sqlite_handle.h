#pragma once
// What QtSql does not reach, on the same connection: the one place that sees SQLite's own interface.

#include "storage/sql.h"

struct sqlite3;

namespace terrarium {

class SqliteHandle final {
public:
    explicit SqliteHandle(const SqlConnection &connection);

    /// False inside of a transaction.
    bool isAutocommit() const noexcept;

    /// Writes the number of pages in the write-ahead log to `pages` after each commit, and turns automatic
    /// checkpoints off; null ends the counting.
    void countLogPages(int *pages) const noexcept;

    struct Checkpoint {
        int logPages = 0;   ///< in the write-ahead log
        int movedPages = 0; ///< of them in the database file now
        bool isComplete() const noexcept { return movedPages == logPages; }
    };
    enum class CheckpointMode {
        Passive,  ///< as far as it goes without waiting for anybody
        Truncate, ///< all of it, and the log file becomes empty
    };
    /// Throws `storage/...`, `storage/busy` when a Truncate could not finish.
    Checkpoint checkpoint(CheckpointMode mode) const;

private:
    sqlite3 *m_handle;
};

} // namespace terrarium
