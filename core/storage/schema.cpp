#include "storage/schema.h"

#include <QFile>
#include <QtEndian>

namespace terrarium::schema {
namespace {

// "Terr": tells our files from any other SQLite database.
constexpr quint32 schemaApplicationId = 0x54657272;
constexpr qsizetype schemaHeaderSize = 100;
constexpr int schemaVersionOffset = 60;
constexpr int schemaApplicationOffset = 68;

Error schemaNewer(const QString &file, int found, int supported)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("found"), found);
    metadata.set(QStringLiteral("supported"), supported);
    metadata.set(QStringLiteral("file"), file);
    return Error(QStringLiteral("storage"), QStringLiteral("newer_version"),
                 QStringLiteral("\"%1\" was written by a newer version: its schema is %2, this program knows up to %3")
                     .arg(file)
                     .arg(found)
                     .arg(supported),
                 metadata);
}

quint32 schemaBigEndian(const QByteArray &bytes, qsizetype offset)
{
    return qFromBigEndian<quint32>(bytes.constData() + offset);
}

QByteArray schemaReadHead(QFile &file, const QString &name, qint64 offset, qsizetype size)
{
    if (!file.seek(offset))
        return {};
    const QByteArray bytes = file.read(size);
    if (file.error() != QFileDevice::NoError)
        throw storageError(14, file.errorString(), QStringLiteral("cannot read \"%1\"").arg(name));
    return bytes;
}

/// The newest copy of page 1's head in the write-ahead log, or nothing.
QByteArray schemaHeadInLog(const QString &name)
{
    QFile log(name);
    if (!log.exists() || !log.open(QIODevice::ReadOnly))
        return {};
    const QByteArray header = schemaReadHead(log, name, 0, 32);
    if (header.size() < 32 || (schemaBigEndian(header, 0) & ~1u) != 0x377f0682)
        return {};
    const qint64 pageSize = schemaBigEndian(header, 8);
    if (pageSize < 512 || pageSize > 65536)
        return {};
    const QByteArray salt = header.mid(16, 8);
    QByteArray newest;
    QByteArray uncommitted;
    for (qint64 offset = 32; offset + 24 + pageSize <= log.size(); offset += 24 + pageSize) {
        const QByteArray frame = schemaReadHead(log, name, offset, 24 + schemaHeaderSize);
        if (frame.size() < 24 + schemaHeaderSize || frame.mid(8, 8) != salt)
            break; // left over from before the log was restarted
        if (schemaBigEndian(frame, 0) == 1)
            uncommitted = frame.mid(24);
        if (schemaBigEndian(frame, 4) != 0 && !uncommitted.isEmpty()) // ends a transaction
            newest = uncommitted;
    }
    return newest;
}

} // namespace

const Ladder &ladder()
{
    static const Ladder steps{
        {
            "CREATE TABLE _terrarium_meta ("
            " key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID",
            // One row per actor; the state last, so that the small columns are read without it.
            "CREATE TABLE _terrarium_actor ("
            " actor INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, key TEXT NOT NULL,"
            " created_at INTEGER NOT NULL, generation INTEGER NOT NULL, has_initialized INTEGER NOT NULL,"
            " saved_at INTEGER NOT NULL, state BLOB) STRICT",
            "CREATE UNIQUE INDEX _terrarium_actor_by_key ON _terrarium_actor (type, key)",
            // Written once: a state save does not rewrite it.
            "CREATE TABLE _terrarium_actor_input (actor INTEGER PRIMARY KEY, input BLOB NOT NULL) STRICT",
            "CREATE TABLE _terrarium_schedule_events ("
            " actor INTEGER NOT NULL, event_id TEXT NOT NULL, trigger_at INTEGER NOT NULL, action TEXT NOT NULL,"
            " args BLOB, kind INTEGER NOT NULL, cron_expression TEXT, timezone TEXT, interval_ms INTEGER,"
            " last_started_at INTEGER, max_history INTEGER, PRIMARY KEY (actor, event_id)) STRICT, WITHOUT ROWID",
            "CREATE INDEX _terrarium_schedule_by_time ON _terrarium_schedule_events (trigger_at, actor)",
            // The newest thousand actors that are no more, to tell "destroyed" from "never was".
            "CREATE TABLE _terrarium_destroyed ("
            " actor INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, key TEXT NOT NULL,"
            " created_at INTEGER NOT NULL, generation INTEGER NOT NULL, destroyed_at INTEGER NOT NULL) STRICT",
        },
    };
    return steps;
}

int currentVersion()
{
    return int(ladder().size());
}

int storedVersion(const QString &file)
{
    QFile database(file);
    if (!database.exists())
        return 0;
    if (!database.open(QIODevice::ReadOnly))
        throw storageError(14, database.errorString(), QStringLiteral("cannot open \"%1\"").arg(file));
    QByteArray head = schemaReadHead(database, file, 0, schemaHeaderSize);
    if (const QByteArray newer = schemaHeadInLog(file + QStringLiteral("-wal")); !newer.isEmpty())
        head = newer;
    if (head.isEmpty())
        return 0;
    if (head.size() < schemaHeaderSize || !head.startsWith("SQLite format 3"))
        throw Error(QStringLiteral("storage"), QStringLiteral("not_a_shard"),
                    QStringLiteral("\"%1\" is not an SQLite database").arg(file));
    const quint32 application = schemaBigEndian(head, schemaApplicationOffset);
    const int version = int(schemaBigEndian(head, schemaVersionOffset));
    if (application == 0 && version == 0)
        return 0; // created, but the first step did not get through
    if (application != schemaApplicationId)
        throw Error(QStringLiteral("storage"), QStringLiteral("not_a_shard"),
                    QStringLiteral("\"%1\" is a database of another program").arg(file));
    return version;
}

void refuseNewer(const QString &file, int supported)
{
    const int found = storedVersion(file);
    if (found > supported)
        throw schemaNewer(file, found, supported);
}

void upgrade(SqlConnection &connection, const Ladder &ladder)
{
    const int supported = int(ladder.size());
    int version = int(connection.integer(QStringLiteral("PRAGMA user_version")));
    if (version > supported)
        throw schemaNewer(connection.file(), version, supported);
    if (version == 0 && connection.integer(QStringLiteral("SELECT count(*) FROM sqlite_schema")) > 0)
        throw Error(QStringLiteral("storage"), QStringLiteral("not_a_shard"),
                    QStringLiteral("\"%1\" is a database of another program").arg(connection.file()));
    for (; version < supported; ++version) {
        SqlTransaction step(connection);
        for (const char *statement : ladder[size_t(version)])
            connection.execute(QString::fromUtf8(statement));
        connection.execute(QStringLiteral("PRAGMA application_id = %1").arg(schemaApplicationId));
        connection.execute(QStringLiteral("PRAGMA user_version = %1").arg(version + 1));
        step.commit();
    }
}

} // namespace terrarium::schema
