#include "storage/sqlite_handle.h"

#include <sqlite3.h>

namespace terrarium {

SqliteHandle::SqliteHandle(const SqlConnection &connection) : m_handle(static_cast<sqlite3 *>(connection.handle())) {}

bool SqliteHandle::isAutocommit() const noexcept
{
    return sqlite3_get_autocommit(m_handle) != 0;
}

void SqliteHandle::countLogPages(int *pages) const noexcept
{
    if (pages == nullptr) {
        sqlite3_wal_hook(m_handle, nullptr, nullptr);
        return;
    }
    sqlite3_wal_hook(
        m_handle,
        [](void *counter, sqlite3 *, const char *, int inLog) {
            *static_cast<int *>(counter) = inLog;
            return SQLITE_OK;
        },
        pages);
}

SqliteHandle::Checkpoint SqliteHandle::checkpoint(CheckpointMode mode) const
{
    // On a connection that has read nothing yet a checkpoint does nothing and says it went well.
    sqlite3_exec(m_handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nullptr, nullptr, nullptr);
    Checkpoint result;
    const int code = sqlite3_wal_checkpoint_v2(
        m_handle, nullptr, mode == CheckpointMode::Passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE,
        &result.logPages, &result.movedPages);
    if (code != SQLITE_OK)
        throw storageError(code, QString::fromUtf8(sqlite3_errmsg(m_handle)), QStringLiteral("cannot checkpoint"));
    if (result.logPages < 0)
        throw storageError(SQLITE_ERROR, QStringLiteral("the database has no write-ahead log"),
                           QStringLiteral("cannot checkpoint"));
    return result;
}

} // namespace terrarium
