#pragma once
// Which actors exist. Everything is read from disk through prepared statements; a sleeping actor costs no memory
// (the last thousand rows looked up are kept).
//
// Creations, starts and destructions count from the call on for every later call here, though they become durable
// with the commit of the event-loop turn. If that commit fails they are undone, and `done` says why.

#include "storage/actor_storage.h"

#include <QHash>

#include <memory>
#include <optional>

namespace terrarium {

class Random;
class Shard;

class ActorIndex final {
public:
    ActorIndex(Shard &shard, Random &random);
    ActorIndex(const ActorIndex &) = delete;
    ActorIndex &operator=(const ActorIndex &) = delete;
    ~ActorIndex();

    std::optional<ActorRow> find(const QString &type, const ActorKey &key) const;
    /// The newest thousand destroyed ones are found too, with `destroyedAt`.
    std::optional<ActorRow> findById(const QString &id) const;
    /// Those that exist, by creation; after the actor `afterId` when given, of one type when `type` is not empty.
    QList<ActorRow> list(const QString &type, int limit, const QString &afterId = {}) const;
    qsizetype count() const;                       ///< kept in memory, exact
    QHash<QString, qsizetype> countByType() const; ///< reads an index

    /// Throws `actor/duplicate_key` {existing_actor_id, key}.
    ActorRow create(const QString &type, const ActorKey &key, const std::optional<QByteArray> &input,
                    qint64 createdAtWallMs, CommitDone done);
    /// The next incarnation of an actor: its generation is counted up. Throws `actor/not_found`.
    std::unique_ptr<ActorStorage> begin(const QString &id);
    /// Destroys an actor without starting it. Throws `actor/not_found`.
    void destroy(const QString &id, qint64 wallMs, CommitDone done);

    /// The actor as it is on disk, for looking at it. Throws `actor/not_found`.
    StoredActor read(const QString &id) const;

    /// The earliest schedule later than `afterWallMs` of any actor.
    struct Alarm {
        qint64 at = 0; ///< wall ms
        qint64 row = 0;
    };
    std::optional<Alarm> nextAlarm(qint64 afterWallMs = 0) const;
    /// Alarms are those of committed schedules. Actors with a schedule at or before `wallMs`, each once with its
    /// earliest, by time. At most `limit`.
    QList<Alarm> dueAlarms(qint64 wallMs, int limit) const;
    std::optional<qint64> nextAlarmOf(const QString &id) const;
    std::optional<ActorRow> findByRow(qint64 row) const;

    /// Values of the host as a whole ("inspector_token").
    std::optional<QByteArray> meta(const QString &key) const;
    void setMeta(const QString &key, const QByteArray &value, CommitDone done);

    /// Nothing was created or started since the last commit.
    bool isSettled() const noexcept;

private:
    friend class ShardStorage;

    StoredActor load(qint64 row) const;
    void commit(const ActorRow &incarnation, WriteBatch batch, CommitDone done);
    void destroyRow(qint64 row, qint64 wallMs, CommitDone done);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
