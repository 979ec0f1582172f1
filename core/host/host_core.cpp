#include "host/host_core.h"

#include "actor/turn_saves.h"
#include "host/host_info.h"
#include "host/instance_registry.h"
#include "host/local_driver.h"
#include "host/loop_turn.h"
#include "host/type_registry.h"
#include "host/watch_feed.h"
#include "inspect/change_logs.h"
#include "inspect/snapshot.h"
#include "storage/data_folder.h"
#include "value/cbor.h"

#include <spdlog/spdlog.h>

#include <QCache>
#include <QDir>
#include <QFileInfo>

#include <limits>
#include <utility>

namespace terrarium {

namespace {

constexpr qsizetype hostKeyPartBytes = 128;
constexpr qsizetype hostKeyBytes = 1'024;
constexpr qsizetype hostInputBytes = 4 * 1024 * 1024;
constexpr std::chrono::seconds hostInfoInterval{5};

[[noreturn]] void refuseRequest(const QString &message)
{
    throw Error(QStringLiteral("actor"), QStringLiteral("invalid_request"), message);
}

void checkHostKey(const ActorKey &key)
{
    qsizetype total = 0;
    for (const QString &part : key.segments()) {
        const qsizetype bytes = part.toUtf8().size();
        if (bytes > hostKeyPartBytes)
            refuseRequest(
                QStringLiteral("a part of the key has %1 bytes; %2 are allowed").arg(bytes).arg(hostKeyPartBytes));
        total += bytes;
    }
    if (total > hostKeyBytes)
        refuseRequest(QStringLiteral("the key has %1 bytes; %2 are allowed").arg(total).arg(hostKeyBytes));
}

Error hostNotFound(const QString &id)
{
    Value metadata;
    metadata.set(QStringLiteral("actor_id"), id);
    return Error(QStringLiteral("actor"), QStringLiteral("not_found"),
                 QStringLiteral("there is no actor with the id \"%1\"").arg(id), std::move(metadata));
}

} // namespace

struct HostCore::Private {
    using TypeAndKey = std::pair<QString, ActorKey>;

    Private(HostCore &host, Environment &environment, HostOptions given)
        : q(host),
          environment(environment),
          options(std::move(given)),
          logs(environment),
          feed(environment, logs, types),
          registry(std::make_unique<InstanceRegistry>(environment, types, logs, turnSaves))
    {
        found.setMaxCost(1'024);
        registry->onGone = [this](const ActorRow &row) {
            found.remove(TypeAndKey(row.type, row.key));
            actorsChanged();
        };
    }

    HostCore &q;
    Environment &environment;
    HostOptions options;
    QString bootId;
    QString token;
    qint64 startedAt = 0;
    TypeRegistry types;
    ChangeLogs logs;
    WatchFeed feed;
    TurnSaves turnSaves;
    mutable QCache<TypeAndKey, ActorRow> found; // the index on disk, cached
    std::unique_ptr<DataFolder> folder;
    std::unique_ptr<InstanceRegistry> registry;
    std::unique_ptr<LocalDriver> driver;
    std::unique_ptr<LoopTurn> turn;
    std::unique_ptr<HostInfo> info;
    Timer infoTimer;
    std::vector<DoneReply> stopReplies;
    bool open = false;
    bool stopped = false;

    void requireOpen() const
    {
        if (!open || registry->isStopping())
            throw Error(QStringLiteral("host"), QStringLiteral("stopping"),
                        open ? QStringLiteral("the host is stopping") : QStringLiteral("the host is not open"));
    }
    ActorRef toRef(const ActorRow &row) const
    {
        ActorRef ref;
        ref.id = row.id;
        ref.type = row.type;
        ref.key = row.key;
        ref.generation = row.generation;
        ref.createdAt = row.createdAt;
        ref.destroyed = row.destroyedAt != 0;
        if (const ActorTask *task = registry->task(row.id))
            ref.generation = task->row().generation;
        return ref;
    }
    std::optional<ActorRow> find(const QString &type, const ActorKey &key) const
    {
        if (!open)
            return std::nullopt;
        const TypeAndKey place(type, key);
        if (const ActorRow *known = found.object(place))
            return *known;
        std::optional<ActorRow> row = driver->find(type, key);
        if (row)
            found.insert(place, new ActorRow(*row));
        return row;
    }
    ActorRow create(const QString &type, const ActorKey &key, const std::optional<Value> &input, const Cause &cause)
    {
        requireOpen();
        types.get(type);
        checkHostKey(key);
        std::optional<QByteArray> encoded;
        if (input) {
            encoded = cbor::encode(*input);
            if (encoded->size() > hostInputBytes)
                refuseRequest(
                    QStringLiteral("the input has %1 bytes; %2 are allowed").arg(encoded->size()).arg(hostInputBytes));
        }
        const TypeAndKey place(type, key);
        const ActorRow row = driver->create(type, key, encoded, [this, place](const Error &error) {
            spdlog::error("host: an actor of type {} could not be created: {}", place.first.toStdString(),
                          error.text().toStdString());
            found.remove(place);
        });
        found.insert(place, new ActorRow(row));
        ChangeLog &log = logs.obtain(row);
        log.setCreatedBy(cause);
        log.summaryChanged();
        logs.setIdle(log, true); // until it is started
        actorsChanged();
        return row;
    }
    void actorsChanged()
    {
        if (!info || !info->isWritten() || infoTimer.isArmed())
            return;
        infoTimer = environment.clock.after(hostInfoInterval, [this] {
            try {
                if (open && info)
                    info->setActors(driver->count());
            } catch (const Error &error) {
                spdlog::warn("host: {}", error.text().toStdString());
            }
        });
    }
    /// Destroyed ones too. Throws `actor/not_found`.
    ActorRow rowOf(const QString &id) const
    {
        if (const ChangeLog *log = logs.find(id))
            return log->row();
        const std::optional<ActorRow> row = open ? driver->findById(id) : std::nullopt;
        if (!row)
            throw hostNotFound(id);
        return *row;
    }
    std::optional<StoredActor> stored(const QString &id) const
    {
        if (!open)
            return std::nullopt;
        try {
            return driver->read(id);
        } catch (const Error &) {
            return std::nullopt; // it was destroyed
        }
    }
    static bool isLoaded(const ChangeLog &log)
    {
        return log.task() != nullptr && log.task()->state() != LifecycleState::Loading;
    }
    void finishStop()
    {
        std::optional<Error> error;
        driver->stop();
        infoTimer.cancel();
        try {
            folder->close();
        } catch (...) {
            error = Error::fromException(std::current_exception());
            spdlog::error("host: closing its data folder failed: {}", error->text().toStdString());
        }
        turn->closed();
        open = false;
        stopped = true;
        if (info)
            info->remove();
        for (DoneReply &done : std::exchange(stopReplies, {})) {
            if (done)
                environment.executor.post([done = std::move(done), error] { done(error); });
        }
    }
};

HostCore::HostCore(Environment &environment, HostOptions options)
    : d(std::make_unique<Private>(*this, environment, std::move(options)))
{
    if (d->options.name.isEmpty())
        d->options.name = QFileInfo(QDir::currentPath()).fileName();
}

HostCore::~HostCore()
{
    if (d->driver)
        d->driver->stop();
    d->infoTimer.cancel();
}

void HostCore::add(TypeDefinition type)
{
    d->types.add(std::move(type));
}

void HostCore::open()
{
    Q_ASSERT(!d->folder);
    DataFolderOptions options;
    options.path = d->options.dataDir;
    options.durability = d->options.durability;
    options.ownerName = d->options.name;
    auto folder = std::make_unique<DataFolder>(d->environment, options);
    if (const std::optional<QByteArray> token = folder->index().meta(QStringLiteral("inspector_token"))) {
        d->token = QString::fromUtf8(*token);
    } else {
        d->token = HostInfo::makeToken(d->environment.random);
        folder->index().setMeta(QStringLiteral("inspector_token"), d->token.toUtf8(),
                                [](const std::optional<Error> &) {});
    }
    d->folder = std::move(folder);
    d->driver = std::make_unique<LocalDriver>(d->environment, *d->folder, *d->registry);
    d->registry->setDriver(*d->driver);
    d->bootId = d->environment.random.uuid();
    d->startedAt = d->environment.clock.wallMs();
    d->turn = std::make_unique<LoopTurn>(d->environment, d->turnSaves, *d->folder, [this] {
        d->feed.flush();
        Q_EMIT turnEnded();
    });
    d->open = true;
    d->driver->start();
}

void HostCore::stop(DoneReply done)
{
    if (!d->open) {
        if (done)
            d->environment.executor.post([done = std::move(done)] { done(std::nullopt); });
        return;
    }
    d->stopReplies.push_back(std::move(done));
    if (d->stopReplies.size() > 1)
        return;
    Q_EMIT stopping();
    d->registry->stopAll([this] { d->finishStop(); });
}

bool HostCore::isOpen() const
{
    return d->open && !d->registry->isStopping();
}

Environment &HostCore::environment()
{
    return d->environment;
}

const HostOptions &HostCore::options() const
{
    return d->options;
}

QString HostCore::bootId() const
{
    return d->bootId;
}

qint64 HostCore::startedAt() const
{
    return d->startedAt;
}

QString HostCore::inspectorToken() const
{
    return d->token;
}

void HostCore::announce(const QUrl &url)
{
    HostInfo::Facts facts;
    facts.url = url;
    facts.name = d->options.name;
    facts.startedAt = d->startedAt;
    facts.bootId = d->bootId;
    facts.dataDir = d->folder ? d->folder->path() : d->options.dataDir;
    facts.token = d->token;
    facts.actors = actorCount();
    if (!d->info)
        d->info = std::make_unique<HostInfo>();
    d->info->write(facts);
}

QStringList HostCore::typeNames() const
{
    return d->types.names();
}

wire::TypeInfo HostCore::typeInfo(const QString &type) const
{
    return d->types.info(type);
}

QString HostCore::actionName(const QString &type, const QByteArray &memberKey) const
{
    if (const ActionDefinition *action = d->types.get(type).definition->findByMember(memberKey))
        return action->name;
    throw Error(QStringLiteral("actor"), QStringLiteral("action_not_found"),
                QStringLiteral("this function is not an action of \"%1\"").arg(type));
}

// ---- Finding ---------------------------------------------------------------------------------------

std::optional<ActorRef> HostCore::find(const QString &type, const ActorKey &key) const
{
    const std::optional<ActorRow> row = d->find(type, key);
    return row ? std::optional<ActorRef>(d->toRef(*row)) : std::nullopt;
}

std::optional<ActorRef> HostCore::findById(const QString &id) const
{
    if (!d->open)
        return std::nullopt;
    const std::optional<ActorRow> row = d->driver->findById(id);
    return row ? std::optional<ActorRef>(d->toRef(*row)) : std::nullopt;
}

std::pair<ActorRef, bool> HostCore::getOrCreate(const QString &type, const ActorKey &key,
                                                const std::optional<Value> &input, const Cause &cause)
{
    d->requireOpen();
    if (const std::optional<ActorRow> row = d->find(type, key))
        return {d->toRef(*row), false};
    return {d->toRef(d->create(type, key, input, cause)), true};
}

ActorRef HostCore::create(const QString &type, const ActorKey &key, const std::optional<Value> &input,
                          const Cause &cause)
{
    return d->toRef(d->create(type, key, input, cause));
}

QList<ActorRef> HostCore::list(const QString &type, int limit, const QString &afterId) const
{
    QList<ActorRef> refs;
    if (!d->open)
        return refs;
    const QList<ActorRow> rows = d->driver->list(type, limit > 0 ? limit : std::numeric_limits<int>::max(), afterId);
    refs.reserve(rows.size());
    for (const ActorRow &row : rows)
        refs.append(d->toRef(row));
    return refs;
}

qsizetype HostCore::actorCount() const
{
    return d->open ? d->driver->count() : 0;
}

// ---- Acting ----------------------------------------------------------------------------------------

void HostCore::call(const QString &actorId, const QString &action, Value args, Value params, const Cause &caller,
                    qint64 timeoutMs, CallReply reply)
{
    auto request = std::make_shared<CallRequest>();
    request->actor = actorId;
    request->action = action;
    request->args = std::move(args);
    request->params = std::move(params);
    request->cause = caller;
    request->timeoutMs = timeoutMs;
    request->reply = std::move(reply);
    d->registry->call(std::move(request));
}

void HostCore::connect(const QString &actorId, ConnectRequest request, ConnectReply reply)
{
    d->registry->connect(actorId, std::move(request), std::move(reply));
}

void HostCore::wake(const QString &actorId, const Cause &cause, DoneReply done)
{
    const QString why = cause.kind == QLatin1String("inspector") ? QStringLiteral("inspector")
                        : cause.kind == QLatin1String("create")  ? QStringLiteral("created")
                                                                 : QStringLiteral("request");
    d->registry->wake(actorId, why, cause, std::move(done));
}

void HostCore::sleep(const QString &actorId, const Cause &cause, DoneReply done)
{
    d->registry->sleep(actorId, cause, std::move(done));
}

void HostCore::restart(const QString &actorId, const Cause &cause, DoneReply done)
{
    d->registry->sleep(actorId, cause,
                       [this, actorId, cause, done = std::move(done)](std::optional<Error> error) mutable {
                           if (error)
                               done(std::move(error));
                           else
                               wake(actorId, cause, std::move(done));
                       });
}

void HostCore::destroy(const QString &actorId, const Cause &cause, DoneReply done)
{
    d->registry->destroy(actorId, cause, std::move(done));
}

// ---- Watching --------------------------------------------------------------------------------------

void HostCore::addWatcher(HostWatcher *watcher)
{
    d->feed.add(watcher);
}

void HostCore::removeWatcher(HostWatcher *watcher)
{
    d->feed.remove(watcher);
}

QList<wire::ActorSummary> HostCore::summaries() const
{
    SummaryCursor cursor;
    return summaries(cursor, std::numeric_limits<int>::max());
}

QList<wire::ActorSummary> HostCore::summaries(SummaryCursor &cursor, int most) const
{
    QList<wire::ActorSummary> page;
    if (!d->open || cursor.isDone) {
        cursor.isDone = true;
        return page;
    }
    if (!cursor.isStarted) {
        cursor.isStarted = true;
        const QList<ActorIndex::Alarm> due =
            d->folder->index().dueAlarms(std::numeric_limits<qint64>::max(), std::numeric_limits<int>::max());
        for (const ActorIndex::Alarm &alarm : due)
            cursor.alarms.insert(alarm.row, alarm.at);
    }
    const QList<ActorRow> rows = d->driver->list({}, most, cursor.after);
    page.reserve(rows.size());
    for (const ActorRow &row : rows) {
        const wire::TypeInfo type = d->types.info(row.type);
        const ChangeLog *log = d->logs.find(row.id);
        wire::ActorSummary summary =
            log != nullptr ? summarize(*log, type) : summarize(row, type, cursor.alarms.value(row.row));
        if (log != nullptr && log->task() == nullptr && summary.nextAlarmAt == 0) {
            summary.nextAlarmAt = cursor.alarms.value(row.row);
            summary.forecast.at = summary.nextAlarmAt;
        }
        page.append(std::move(summary));
    }
    if (rows.size() == most) {
        cursor.after = rows.constLast().id;
        return page;
    }
    cursor.isDone = true;
    d->logs.forEach([&](const ChangeLog &log) {
        if (log.status() == wire::ActorStatus::destroyed)
            page.append(summarize(log, d->types.info(log.row().type)));
    });
    return page;
}

wire::Subscribed HostCore::subscribe(HostWatcher *watcher, const QString &actorId, quint64 after)
{
    const ActorRow row = d->rowOf(actorId);
    const wire::TypeInfo type = d->types.info(row.type);
    const bool isNew = d->logs.find(actorId) == nullptr;
    ChangeLog &log = d->logs.obtain(row);
    std::optional<StoredActor> stored;
    if (!Private::isLoaded(log)) {
        stored = d->stored(actorId);
        if (stored && log.task() == nullptr) {
            log.setStoredState(stored->state);
            log.setAlarms(int(stored->schedules.size()),
                          stored->schedules.isEmpty() ? 0 : stored->schedules.first().triggerAt,
                          stored->schedules.isEmpty() ? QString() : stored->schedules.first().action);
        }
    }
    log.watch();
    if (isNew)
        d->logs.setIdle(log, true);
    if (log.task() != nullptr)
        log.task()->setWatched(true);

    wire::Subscribed subscribed;
    subscribed.snapshot = takeSnapshot(log, type, stored ? &*stored : nullptr, false);
    const std::optional<QList<wire::Record>> missed = after > 0 ? log.recordsAfter(after) : std::nullopt;
    subscribed.resumed = missed.has_value();
    subscribed.snapshot.records = missed ? *missed : log.records();
    d->feed.subscribe(watcher, log, log.position());
    return subscribed;
}

void HostCore::unsubscribe(HostWatcher *watcher, const QString &actorId)
{
    d->feed.unsubscribe(watcher, actorId);
}

wire::Snapshot HostCore::snapshot(const QString &actorId) const
{
    const ActorRow row = d->rowOf(actorId);
    const wire::TypeInfo type = d->types.info(row.type);
    const ChangeLog *log = d->logs.find(actorId);
    if (log != nullptr && Private::isLoaded(*log))
        return takeSnapshot(*log, type, nullptr);
    const std::optional<StoredActor> stored = d->stored(actorId);
    if (log != nullptr)
        return takeSnapshot(*log, type, stored ? &*stored : nullptr);
    if (stored)
        return takeSnapshot(*stored, type);
    StoredActor gone;
    gone.actor = row;
    return takeSnapshot(gone, type);
}

} // namespace terrarium
