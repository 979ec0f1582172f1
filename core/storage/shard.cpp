#include "storage/shard.h"

#include "storage/schema.h"
#include "storage/sqlite_handle.h"

#include <spdlog/spdlog.h>

namespace terrarium {

Shard::Shard(Environment &environment, const QString &file, Durability durability)
{
    const bool inMemory = file == QLatin1String(":memory:");
    SqlConnection::Options options;
    options.vfs = environment.sqliteVfs;
    m_connection = std::make_unique<SqlConnection>(file, options);
    if (!inMemory && m_connection->text(QStringLiteral("PRAGMA journal_mode")) != QLatin1String("wal"))
        m_connection->execute(QStringLiteral("PRAGMA journal_mode = WAL"));
    m_connection->execute(QStringLiteral("PRAGMA synchronous = NORMAL"));
    m_connection->execute(QStringLiteral("PRAGMA secure_delete = FAST"));
    schema::upgrade(*m_connection);

    m_commits = std::make_unique<CommitGroup>(environment, *m_connection, durability);
    if (inMemory)
        return;
    m_checkpointer = std::make_unique<Checkpointer>(environment, file, [this](bool held) { m_commits->setHeld(held); });
    m_commits->committed = [this](int logPages) { m_checkpointer->committed(logPages); };
}

Shard::~Shard() = default;

void Shard::close()
{
    if (!m_connection)
        return;
    m_commits->flush();
    m_commits->committed = nullptr;
    m_checkpointer.reset();
    m_commits.reset();
    if (m_connection->file() != QLatin1String(":memory:")) {
        try {
            SqliteHandle(*m_connection).checkpoint(SqliteHandle::CheckpointMode::Truncate);
        } catch (const Error &error) {
            // Nothing is lost: the next start reads the log.
            spdlog::warn("the log of {} stays: {}", m_connection->file().toStdString(), error.text().toStdString());
        }
    }
    m_connection.reset();
}

} // namespace terrarium
