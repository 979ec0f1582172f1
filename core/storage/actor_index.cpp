#include "storage/actor_index.h"

#include "async/random.h"
#include "storage/shard.h"
#include "storage/shard_storage.h"

#include <QCache>
#include <QSet>

#include <algorithm>
#include <unordered_map>

namespace terrarium {
namespace {

constexpr int indexRowDigits = 8;
constexpr int indexRandomDigits = 22;
constexpr qint64 indexKeptDestroyed = 1000;
constexpr qint64 indexPruneStep = 100;
constexpr int indexCachedRows = 1024;

#define INDEX_COLUMNS "actor, id, type, key, created_at, generation"
constexpr const char *indexByKey = "SELECT " INDEX_COLUMNS " FROM _terrarium_actor WHERE type = ? AND key = ?";
constexpr const char *indexByRow = "SELECT " INDEX_COLUMNS " FROM _terrarium_actor WHERE actor = ?";
constexpr const char *indexList = "SELECT " INDEX_COLUMNS " FROM _terrarium_actor WHERE actor > ? ORDER BY actor";
constexpr const char *indexListType =
    "SELECT " INDEX_COLUMNS " FROM _terrarium_actor WHERE actor > ? AND +type = ? ORDER BY actor";
#undef INDEX_COLUMNS
constexpr const char *indexDestroyedByRow =
    "SELECT actor, id, type, key, created_at, generation, destroyed_at FROM _terrarium_destroyed WHERE actor = ?";
constexpr const char *indexLoad =
    "SELECT a.actor, a.id, a.type, a.key, a.created_at, a.generation, a.has_initialized, a.saved_at, a.state, i.input,"
    " EXISTS (SELECT 1 FROM _terrarium_schedule_events s WHERE s.actor = a.actor)"
    " FROM _terrarium_actor a LEFT JOIN _terrarium_actor_input i ON i.actor = a.actor WHERE a.actor = ?";
constexpr const char *indexSchedules =
    "SELECT event_id, trigger_at, action, args, kind, cron_expression, timezone, interval_ms, last_started_at,"
    " max_history FROM _terrarium_schedule_events WHERE actor = ?";

constexpr const char *indexInsertActor =
    "INSERT INTO _terrarium_actor (actor, id, type, key, created_at, generation, has_initialized, saved_at, state)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr const char *indexInsertInput = "INSERT INTO _terrarium_actor_input (actor, input) VALUES (?, ?)";
// A newer generation on disk fences an older one off.
constexpr const char *indexTouch = "UPDATE _terrarium_actor SET generation = ? WHERE actor = ? AND generation <= ?";
constexpr const char *indexSetInitialized =
    "UPDATE _terrarium_actor SET generation = ?, has_initialized = 1 WHERE actor = ? AND generation <= ?";
constexpr const char *indexSaveState =
    "UPDATE _terrarium_actor SET generation = ?, saved_at = ?, state = ? WHERE actor = ? AND generation <= ?";
constexpr const char *indexSaveFirst =
    "UPDATE _terrarium_actor SET generation = ?, has_initialized = 1, saved_at = ?, state = ?"
    " WHERE actor = ? AND generation <= ?";
constexpr const char *indexPutSchedule =
    "INSERT OR REPLACE INTO _terrarium_schedule_events (actor, event_id, trigger_at, action, args, kind,"
    " cron_expression, timezone, interval_ms, last_started_at, max_history) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr const char *indexDeleteSchedule = "DELETE FROM _terrarium_schedule_events WHERE actor = ? AND event_id = ?";

constexpr const char *indexBury =
    "INSERT INTO _terrarium_destroyed (actor, id, type, key, created_at, generation, destroyed_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";
constexpr const char *indexDeleteActor = "DELETE FROM _terrarium_actor WHERE actor = ?";
constexpr const char *indexDeleteInput = "DELETE FROM _terrarium_actor_input WHERE actor = ?";
constexpr const char *indexDeleteSchedules = "DELETE FROM _terrarium_schedule_events WHERE actor = ?";
constexpr const char *indexPruneDestroyed =
    "DELETE FROM _terrarium_destroyed WHERE actor IN (SELECT actor FROM _terrarium_destroyed ORDER BY actor LIMIT ?)";

constexpr const char *indexNextAlarm =
    "SELECT trigger_at, actor FROM _terrarium_schedule_events WHERE trigger_at > ? ORDER BY trigger_at, actor LIMIT 1";
constexpr const char *indexDueAlarms =
    "SELECT trigger_at, actor FROM _terrarium_schedule_events WHERE trigger_at <= ? ORDER BY trigger_at, actor";
constexpr const char *indexAlarmOf = "SELECT min(trigger_at) FROM _terrarium_schedule_events WHERE actor = ?";
constexpr const char *indexCountByType = "SELECT type, count(*) FROM _terrarium_actor GROUP BY type";
constexpr const char *indexGetMeta = "SELECT value FROM _terrarium_meta WHERE key = ?";
constexpr const char *indexPutMeta = "INSERT OR REPLACE INTO _terrarium_meta (key, value) VALUES (?, ?)";

QString indexMakeId(Random &random, qint64 row)
{
    QString id(indexRandomDigits + indexRowDigits, QLatin1Char('0'));
    const auto digit = [](quint64 value) { return QLatin1Char(char(value < 10 ? '0' + value : 'a' + (value - 10))); };
    const QByteArray bytes = random.bytes(indexRandomDigits * 2);
    for (int i = 0; i < indexRandomDigits; ++i)
        id[i] = digit((quint64(quint8(bytes[2 * i])) << 8 | quint8(bytes[2 * i + 1])) % 36);
    // The row at the end finds the actor without an index by id.
    quint64 rest = quint64(row);
    for (int i = indexRandomDigits + indexRowDigits - 1; i >= indexRandomDigits; --i) {
        id[i] = digit(rest % 36);
        rest /= 36;
    }
    return id;
}

std::optional<qint64> indexRowOfId(const QString &id)
{
    if (id.size() != indexRandomDigits + indexRowDigits)
        return std::nullopt;
    qint64 row = 0;
    for (int i = indexRandomDigits; i < id.size(); ++i) {
        const ushort c = id[i].unicode();
        int digit = 0;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if (c >= 'a' && c <= 'z')
            digit = c - 'a' + 10;
        else
            return std::nullopt;
        row = row * 36 + digit;
    }
    return row;
}

ActorRow indexReadRow(const SqlStatement::Rows &rows)
{
    ActorRow row;
    row.row = rows.integer(0);
    row.id = rows.text(1);
    row.type = rows.text(2);
    row.key = ActorKey::fromText(rows.text(3)).value_or(ActorKey());
    row.createdAt = rows.integer(4);
    row.generation = quint32(rows.integer(5));
    return row;
}

Error indexNotFound(const QString &id)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("actor_id"), id);
    return Error(QStringLiteral("actor"), QStringLiteral("not_found"),
                 QStringLiteral("there is no actor \"%1\"").arg(id), metadata);
}

/// Never null: NULL is "never saved".
QVariant indexBlob(const QByteArray &bytes)
{
    return bytes.isNull() ? QByteArray("") : bytes;
}

void indexSortSchedules(QList<ScheduleRow> &schedules)
{
    std::sort(schedules.begin(), schedules.end(), [](const ScheduleRow &a, const ScheduleRow &b) {
        return a.triggerAt != b.triggerAt ? a.triggerAt < b.triggerAt : a.eventId < b.eventId;
    });
}

SqlWrite indexPutScheduleWrite(qint64 row, const ScheduleRow &schedule)
{
    const bool recurring = schedule.kind != ScheduleKind::At;
    QVariantList values;
    values.reserve(11);
    values << row << schedule.eventId << schedule.triggerAt << schedule.action
           << (schedule.args.isEmpty() ? QVariant() : QVariant(schedule.args)) << int(schedule.kind)
           << (schedule.kind == ScheduleKind::Cron ? QVariant(schedule.cronExpression) : QVariant())
           << (schedule.kind == ScheduleKind::Cron ? QVariant(schedule.timezone) : QVariant())
           << (schedule.kind == ScheduleKind::Every ? QVariant(schedule.intervalMs) : QVariant())
           << (schedule.lastStartedAt != 0 ? QVariant(schedule.lastStartedAt) : QVariant())
           << (recurring ? QVariant(schedule.maxHistory) : QVariant());
    return SqlWrite(indexPutSchedule, std::move(values), SqlWrite::Expect::OneRow);
}

} // namespace

struct ActorIndex::Private {
    Private(Shard &shard, Random &random) : shard(shard), random(random) {}

    /// What memory knows better than the disk, until the commits that say so are durable.
    struct Pending {
        StoredActor stored;    ///< all of it while isNew, else only `actor`
        bool isNew = false;    ///< its row is not on disk
        bool isInTurn = false; ///< its row joins this turn's commit; writes are merged into it
        bool isDestroyed = false;
        bool isUnconfirmed = false; ///< a commit failed: the generation here may not be on disk
        int underWay = 0;
        std::vector<SqlWrite> extra; ///< while isInTurn
        std::vector<CommitDone> dones;
    };

    Shard &shard;
    Random &random;
    std::unordered_map<qint64, Pending> pending;
    QHash<std::pair<QString, QString>, qint64> newByKey;
    std::vector<qint64> turnCreates;
    QSet<qint64> turnStarts;
    QHash<QString, QByteArray> pendingMeta;
    qint64 nextRow = 1;
    qint64 destroyedCount = 0;
    mutable std::optional<qsizetype> count;

    SqlConnection &reader() const { return shard.reader(); }

    const Pending *find(qint64 row) const
    {
        const auto it = pending.find(row);
        return it == pending.end() ? nullptr : &it->second;
    }
    Pending &touch(const ActorRow &actor)
    {
        const auto [it, isFresh] = pending.try_emplace(actor.row);
        if (isFresh)
            it->second.stored.actor = actor;
        return it->second;
    }

    std::optional<ActorRow> onDisk(const char *sql, const QVariantList &values) const
    {
        auto rows = reader().statement(sql).query(values);
        if (!rows.next())
            return std::nullopt;
        const ActorRow row = indexReadRow(rows);
        if (find(row.row) == nullptr) // else memory knows better
            remember(row);
        return row;
    }

    // The rows read or started last. Nobody else writes them: the folder has one owner.
    using Key = std::pair<QString, QString>;
    mutable QCache<Key, ActorRow> cachedByKey{indexCachedRows};
    mutable QCache<qint64, ActorRow> cachedByRow{indexCachedRows};

    void remember(const ActorRow &row) const
    {
        cachedByKey.insert(Key(row.type, row.key.toText()), new ActorRow(row));
        cachedByRow.insert(row.row, new ActorRow(row));
    }
    void forgetCached(const ActorRow &row) const
    {
        cachedByKey.remove(Key(row.type, row.key.toText()));
        cachedByRow.remove(row.row);
    }
    std::optional<ActorRow> byKey(const QString &type, const QString &key) const
    {
        if (const ActorRow *row = cachedByKey.object(Key(type, key)))
            return *row;
        return onDisk(indexByKey, {type, key});
    }
    std::optional<ActorRow> byRow(qint64 row) const
    {
        if (const ActorRow *known = cachedByRow.object(row))
            return *known;
        return onDisk(indexByRow, {row});
    }
    /// With what memory knows better. Destroyed ones too.
    ActorRow overlaid(ActorRow row) const
    {
        const Pending *known = find(row.row);
        return known != nullptr ? known->stored.actor : row;
    }
    /// An actor that exists, or an Error.
    ActorRow existing(const ActorIndex &index, const QString &id) const
    {
        const auto row = index.findById(id);
        if (!row || row->destroyedAt != 0)
            throw indexNotFound(id);
        return *row;
    }

    void countBy(int delta) const
    {
        if (count)
            *count += delta;
    }

    void forget(qint64 row)
    {
        const auto it = pending.find(row);
        if (it == pending.end())
            return;
        const Pending &entry = it->second;
        if (entry.underWay > 0 || entry.isInTurn || turnStarts.contains(row))
            return;
        if (entry.isUnconfirmed && !entry.isDestroyed)
            return;
        pending.erase(it);
    }

    void forgetKey(const ActorRow &actor)
    {
        const auto key = std::pair(actor.type, actor.key.toText());
        if (newByKey.value(key) == actor.row)
            newByKey.remove(key);
    }

    /// Adds a unit whose outcome is noted in `row`'s entry before `done` hears it.
    void add(qint64 row, std::vector<SqlWrite> writes, const QString &subject, CommitDone done)
    {
        CommitUnit unit;
        unit.writes = std::move(writes);
        unit.subject = subject;
        ++pending.at(row).underWay;
        unit.done = [this, row, done = std::move(done)](const std::optional<Error> &error) {
            Pending &entry = pending.at(row);
            --entry.underWay;
            entry.isUnconfirmed = error.has_value();
            forget(row);
            if (done)
                done(error);
        };
        shard.commits().add(std::move(unit));
    }

    void addCreate(qint64 row)
    {
        Pending &entry = pending.at(row);
        if (!entry.isInTurn)
            return;
        entry.isInTurn = false;
        const StoredActor &stored = entry.stored;
        const ActorRow &actor = stored.actor;
        std::vector<SqlWrite> writes;
        QVariantList values;
        values << row << actor.id << actor.type << actor.key.toText() << actor.createdAt << actor.generation
               << int(stored.hasInitialized) << stored.savedAt
               << (stored.savedAt != 0 ? indexBlob(stored.state) : QVariant());
        writes.emplace_back(indexInsertActor, std::move(values), SqlWrite::Expect::OneRow);
        if (stored.input)
            writes.emplace_back(indexInsertInput, QVariantList{row, indexBlob(*stored.input)});
        std::move(entry.extra.begin(), entry.extra.end(), std::back_inserter(writes));
        entry.extra.clear();

        CommitUnit unit;
        unit.writes = std::move(writes);
        unit.subject = actor.id;
        ++entry.underWay;
        unit.done = [this, row, dones = std::exchange(entry.dones, {})](const std::optional<Error> &error) {
            Pending &created = pending.at(row);
            --created.underWay;
            forgetKey(created.stored.actor);
            if (error) {
                // It never was.
                if (!created.isDestroyed)
                    countBy(-1);
                created.isDestroyed = true;
            } else {
                created.isNew = false;
                created.isUnconfirmed = false;
            }
            forget(row);
            for (const CommitDone &done : dones) {
                if (done)
                    done(error);
            }
        };
        shard.commits().add(std::move(unit));
    }

    void addStart(qint64 row)
    {
        const Pending &entry = pending.at(row);
        const quint32 generation = entry.stored.actor.generation;
        std::vector<SqlWrite> writes;
        writes.emplace_back(indexTouch, QVariantList{generation, row, generation}, SqlWrite::Expect::Fence);
        add(row, std::move(writes), entry.stored.actor.id, {});
    }

    void beforeCommit()
    {
        for (const qint64 row : std::exchange(turnCreates, {}))
            addCreate(row);
        for (const qint64 row : std::exchange(turnStarts, {}))
            addStart(row);
    }

    /// Fails later, as a commit would.
    void failLater(CommitDone done, Error error)
    {
        CommitUnit unit; // writes nothing
        unit.done = [done = std::move(done), error = std::move(error)](const std::optional<Error> &) {
            if (done)
                done(error);
        };
        shard.commits().add(std::move(unit));
    }
};

ActorIndex::ActorIndex(Shard &shard, Random &random) : d(std::make_unique<Private>(shard, random))
{
    d->nextRow = 1
                 + std::max(shard.reader().integer(QStringLiteral("SELECT max(actor) FROM _terrarium_actor")),
                            shard.reader().integer(QStringLiteral("SELECT max(actor) FROM _terrarium_destroyed")));
    d->destroyedCount = shard.reader().integer(QStringLiteral("SELECT count(*) FROM _terrarium_destroyed"));
    shard.commits().beforeCommit = [this] { d->beforeCommit(); };
}

ActorIndex::~ActorIndex() = default;

std::optional<ActorRow> ActorIndex::find(const QString &type, const ActorKey &key) const
{
    const QString keyText = key.toText();
    if (!d->newByKey.isEmpty()) {
        if (const qint64 row = d->newByKey.value({type, keyText}))
            return d->pending.at(row).stored.actor;
    }
    auto row = d->byKey(type, keyText);
    if (!row)
        return std::nullopt;
    row = d->overlaid(*row);
    if (row->destroyedAt != 0)
        return std::nullopt;
    return row;
}

std::optional<ActorRow> ActorIndex::findById(const QString &id) const
{
    const auto number = indexRowOfId(id);
    if (!number)
        return std::nullopt;
    auto row = findByRow(*number);
    if (!row) {
        auto rows = d->reader().statement(indexDestroyedByRow).query({*number});
        if (rows.next()) {
            row = indexReadRow(rows);
            row->destroyedAt = rows.integer(6);
        }
    }
    if (!row || row->id != id)
        return std::nullopt;
    return row;
}

std::optional<ActorRow> ActorIndex::findByRow(qint64 row) const
{
    if (const auto *known = d->find(row)) {
        if (known->isDestroyed && known->stored.actor.destroyedAt == 0)
            return std::nullopt; // its creation failed
        return known->stored.actor;
    }
    return d->byRow(row);
}

QList<ActorRow> ActorIndex::list(const QString &type, int limit, const QString &afterId) const
{
    const qint64 after = afterId.isEmpty() ? 0 : indexRowOfId(afterId).value_or(0);
    QList<ActorRow> result;
    const auto take = [&](const ActorRow &row) {
        if (row.destroyedAt == 0)
            result.append(row);
        return result.size() < limit;
    };
    bool more = limit > 0;
    {
        auto rows = type.isEmpty() ? d->reader().statement(indexList).query({after})
                                   : d->reader().statement(indexListType).query({after, type});
        while (more && rows.next())
            more = take(d->overlaid(indexReadRow(rows)));
    }
    if (!more || d->newByKey.isEmpty())
        return result;
    // Those that are not on disk are younger than all that are.
    QList<ActorRow> young;
    for (const qint64 row : std::as_const(d->newByKey)) {
        const ActorRow &actor = d->pending.at(row).stored.actor;
        if (row > after && (type.isEmpty() || actor.type == type))
            young.append(actor);
    }
    std::sort(young.begin(), young.end(), [](const ActorRow &a, const ActorRow &b) { return a.row < b.row; });
    for (const ActorRow &row : std::as_const(young)) {
        if (!take(row))
            break;
    }
    return result;
}

qsizetype ActorIndex::count() const
{
    if (!d->count) {
        qsizetype count = d->reader().integer(QStringLiteral("SELECT count(*) FROM _terrarium_actor"));
        for (const auto &[row, entry] : d->pending) {
            if (entry.isNew && !entry.isDestroyed)
                ++count;
            else if (!entry.isNew && entry.isDestroyed)
                --count;
        }
        d->count = count;
    }
    return *d->count;
}

QHash<QString, qsizetype> ActorIndex::countByType() const
{
    QHash<QString, qsizetype> result;
    {
        auto rows = d->reader().statement(indexCountByType).query();
        while (rows.next())
            result.insert(rows.text(0), rows.integer(1));
    }
    for (const auto &[row, entry] : d->pending) {
        if (entry.isNew && !entry.isDestroyed)
            ++result[entry.stored.actor.type];
        else if (!entry.isNew && entry.isDestroyed)
            --result[entry.stored.actor.type];
    }
    return result;
}

ActorRow ActorIndex::create(const QString &type, const ActorKey &key, const std::optional<QByteArray> &input,
                            qint64 createdAtWallMs, CommitDone done)
{
    const QString keyText = key.toText();
    if (const auto existing = find(type, key)) {
        Value metadata = Value::map();
        metadata.set(QStringLiteral("existing_actor_id"), existing->id);
        metadata.set(QStringLiteral("key"), keyText);
        throw Error(QStringLiteral("actor"), QStringLiteral("duplicate_key"),
                    QStringLiteral("%1 \"%2\" exists already").arg(type, keyText), metadata);
    }
    const qint64 row = d->nextRow++;
    Private::Pending entry;
    entry.stored.actor.row = row;
    entry.stored.actor.id = indexMakeId(d->random, row);
    entry.stored.actor.type = type;
    entry.stored.actor.key = key;
    entry.stored.actor.createdAt = createdAtWallMs;
    entry.stored.input = input;
    entry.isNew = true;
    entry.isInTurn = true;
    entry.dones.push_back(std::move(done));
    const ActorRow result = entry.stored.actor;
    d->pending.emplace(row, std::move(entry));
    d->newByKey.insert({type, keyText}, row);
    d->turnCreates.push_back(row);
    d->countBy(1);
    return result;
}

std::unique_ptr<ActorStorage> ActorIndex::begin(const QString &id)
{
    ActorRow actor = d->existing(*this, id);
    ++actor.generation;
    Private::Pending &entry = d->touch(actor);
    entry.stored.actor.generation = actor.generation;
    if (!entry.isNew)
        d->remember(actor);
    if (!entry.isInTurn)
        d->turnStarts.insert(actor.row);
    return std::make_unique<ShardStorage>(*this, actor);
}

void ActorIndex::destroy(const QString &id, qint64 wallMs, CommitDone done)
{
    destroyRow(d->existing(*this, id).row, wallMs, std::move(done));
}

void ActorIndex::destroyRow(qint64 row, qint64 wallMs, CommitDone done)
{
    const auto found = findByRow(row);
    if (!found || found->destroyedAt != 0) {
        // Gone already: that is what was asked for.
        CommitUnit unit;
        unit.done = std::move(done);
        d->shard.commits().add(std::move(unit));
        return;
    }
    Private::Pending &entry = d->touch(*found);
    if (entry.isInTurn)
        d->addCreate(row); // its own callbacks come first
    d->turnStarts.remove(row);
    entry.isDestroyed = true;
    entry.stored.actor.destroyedAt = std::max<qint64>(wallMs, 1);
    d->forgetKey(entry.stored.actor);
    d->forgetCached(entry.stored.actor);
    d->countBy(-1);

    const ActorRow &actor = entry.stored.actor;
    std::vector<SqlWrite> writes;
    QVariantList grave;
    grave << row << actor.id << actor.type << actor.key.toText() << actor.createdAt << actor.generation
          << actor.destroyedAt;
    writes.emplace_back(indexDeleteActor, QVariantList{row}, SqlWrite::Expect::OneRow);
    writes.emplace_back(indexDeleteInput, QVariantList{row});
    writes.emplace_back(indexDeleteSchedules, QVariantList{row});
    writes.emplace_back(indexBury, std::move(grave), SqlWrite::Expect::OneRow);
    if (++d->destroyedCount >= indexKeptDestroyed + indexPruneStep) {
        writes.emplace_back(indexPruneDestroyed, QVariantList{indexPruneStep});
        d->destroyedCount -= indexPruneStep;
    }
    CommitUnit unit;
    unit.writes = std::move(writes);
    unit.subject = actor.id;
    ++entry.underWay;
    unit.done = [this, row, done = std::move(done)](const std::optional<Error> &error) {
        Private::Pending &destroyed = d->pending.at(row);
        --destroyed.underWay;
        if (error) {
            destroyed.isDestroyed = false;
            destroyed.stored.actor.destroyedAt = 0;
            d->countBy(1);
        }
        d->forget(row);
        if (done)
            done(error);
    };
    d->shard.commits().add(std::move(unit));
}

StoredActor ActorIndex::load(qint64 row) const
{
    const auto *known = d->find(row);
    if (known != nullptr && known->isDestroyed)
        throw indexNotFound(known->stored.actor.id);
    if (known != nullptr && known->isNew)
        return known->stored;

    StoredActor result;
    bool hasSchedules = false;
    {
        auto rows = d->reader().statement(indexLoad).query({row});
        if (!rows.next())
            throw indexNotFound(known != nullptr ? known->stored.actor.id : QStringLiteral("row %1").arg(row));
        result.actor = d->overlaid(indexReadRow(rows));
        result.hasInitialized = rows.integer(6) != 0;
        result.savedAt = rows.integer(7);
        result.state = rows.bytes(8);
        if (!rows.isNull(9))
            result.input = rows.bytes(9);
        hasSchedules = rows.integer(10) != 0;
    }
    if (hasSchedules) {
        auto rows = d->reader().statement(indexSchedules).query({row});
        while (rows.next()) {
            ScheduleRow schedule;
            schedule.eventId = rows.text(0);
            schedule.triggerAt = rows.integer(1);
            schedule.action = rows.text(2);
            schedule.args = rows.bytes(3);
            schedule.kind = ScheduleKind(rows.integer(4));
            schedule.cronExpression = rows.text(5);
            schedule.timezone = rows.text(6);
            schedule.intervalMs = rows.integer(7);
            schedule.lastStartedAt = rows.integer(8);
            schedule.maxHistory = int(rows.integer(9));
            result.schedules.append(schedule);
        }
        indexSortSchedules(result.schedules);
    }
    return result;
}

StoredActor ActorIndex::read(const QString &id) const
{
    return load(d->existing(*this, id).row);
}

void ActorIndex::commit(const ActorRow &incarnation, WriteBatch batch, CommitDone done)
{
    const qint64 row = incarnation.row;
    const quint32 generation = incarnation.generation;
    const auto it = d->pending.find(row);
    if (it != d->pending.end()) {
        const Private::Pending &known = it->second;
        if (known.isDestroyed)
            return d->failLater(std::move(done), indexNotFound(incarnation.id));
        if (known.stored.actor.generation > generation) {
            Value metadata = Value::map();
            metadata.set(QStringLiteral("actor"), incarnation.id);
            return d->failLater(std::move(done),
                                Error(QStringLiteral("storage"), QStringLiteral("stale_generation"),
                                      QStringLiteral("generation %1 of actor %2 is not the newest any more")
                                          .arg(generation)
                                          .arg(incarnation.id),
                                      metadata));
        }
    }
    Private::Pending &entry = d->touch(incarnation);

    const WriteBatch::SaveState *state = nullptr;
    bool initialized = false;
    std::vector<SqlWrite> others;
    for (const WriteBatch::Write &write : batch.writes()) {
        if (const auto *save = std::get_if<WriteBatch::SaveState>(&write)) {
            state = save;
        } else if (std::holds_alternative<WriteBatch::SetInitialized>(write)) {
            initialized = true;
        } else if (const auto *put = std::get_if<WriteBatch::PutSchedule>(&write)) {
            others.push_back(indexPutScheduleWrite(row, put->row));
        } else if (const auto *gone = std::get_if<WriteBatch::DeleteSchedule>(&write)) {
            others.emplace_back(indexDeleteSchedule, QVariantList{row, gone->eventId});
        }
    }

    if (entry.isNew) {
        // Until its row is on disk, loading reads this.
        StoredActor &stored = entry.stored;
        if (state != nullptr) {
            stored.state = state->state;
            stored.savedAt = std::max<qint64>(state->savedAt, 1);
        }
        stored.hasInitialized = stored.hasInitialized || initialized;
        for (const WriteBatch::Write &write : batch.writes()) {
            if (const auto *put = std::get_if<WriteBatch::PutSchedule>(&write)) {
                stored.schedules.removeIf([&](const ScheduleRow &s) { return s.eventId == put->row.eventId; });
                stored.schedules.append(put->row);
                indexSortSchedules(stored.schedules);
            } else if (const auto *gone = std::get_if<WriteBatch::DeleteSchedule>(&write)) {
                stored.schedules.removeIf([&](const ScheduleRow &s) { return s.eventId == gone->eventId; });
            }
        }
        if (entry.isInTurn) {
            std::move(others.begin(), others.end(), std::back_inserter(entry.extra));
            entry.dones.push_back(std::move(done));
            return;
        }
    }

    std::vector<SqlWrite> writes;
    writes.reserve(others.size() + 1);
    if (state != nullptr) {
        QVariantList values;
        values.reserve(5);
        values << generation << std::max<qint64>(state->savedAt, 1) << indexBlob(state->state) << row << generation;
        writes.emplace_back(initialized ? indexSaveFirst : indexSaveState, std::move(values), SqlWrite::Expect::Fence);
    } else if (initialized) {
        writes.emplace_back(indexSetInitialized, QVariantList{generation, row, generation}, SqlWrite::Expect::Fence);
    } else if (!others.empty()) {
        writes.emplace_back(indexTouch, QVariantList{generation, row, generation}, SqlWrite::Expect::Fence);
    }
    if (!writes.empty())
        d->turnStarts.remove(row); // this write carries the generation
    std::move(others.begin(), others.end(), std::back_inserter(writes));
    d->add(row, std::move(writes), incarnation.id, std::move(done));
}

std::optional<ActorIndex::Alarm> ActorIndex::nextAlarm(qint64 afterWallMs) const
{
    auto rows = d->reader().statement(indexNextAlarm).query({afterWallMs});
    if (!rows.next())
        return std::nullopt;
    return Alarm{rows.integer(0), rows.integer(1)};
}

QList<ActorIndex::Alarm> ActorIndex::dueAlarms(qint64 wallMs, int limit) const
{
    QList<Alarm> result;
    QSet<qint64> seen;
    auto rows = d->reader().statement(indexDueAlarms).query({wallMs});
    while (result.size() < limit && rows.next()) {
        const qint64 row = rows.integer(1);
        const auto *known = d->find(row);
        if (seen.contains(row) || (known != nullptr && known->isDestroyed))
            continue;
        seen.insert(row);
        result.append(Alarm{rows.integer(0), row});
    }
    return result;
}

std::optional<qint64> ActorIndex::nextAlarmOf(const QString &id) const
{
    const auto row = indexRowOfId(id);
    if (!row)
        return std::nullopt;
    auto rows = d->reader().statement(indexAlarmOf).query({*row});
    if (!rows.next() || rows.isNull(0))
        return std::nullopt;
    return rows.integer(0);
}

std::optional<QByteArray> ActorIndex::meta(const QString &key) const
{
    if (const auto it = d->pendingMeta.constFind(key); it != d->pendingMeta.constEnd())
        return *it;
    auto rows = d->reader().statement(indexGetMeta).query({key});
    if (!rows.next())
        return std::nullopt;
    return rows.bytes(0);
}

void ActorIndex::setMeta(const QString &key, const QByteArray &value, CommitDone done)
{
    d->pendingMeta.insert(key, value);
    CommitUnit unit;
    unit.writes.emplace_back(indexPutMeta, QVariantList{key, indexBlob(value)}, SqlWrite::Expect::OneRow);
    unit.subject = key;
    unit.done = [this, key, value, done = std::move(done)](const std::optional<Error> &error) {
        if (d->pendingMeta.value(key) == value)
            d->pendingMeta.remove(key);
        if (done)
            done(error);
    };
    d->shard.commits().add(std::move(unit));
}

bool ActorIndex::isSettled() const noexcept
{
    return d->turnCreates.empty() && d->turnStarts.isEmpty();
}

} // namespace terrarium
