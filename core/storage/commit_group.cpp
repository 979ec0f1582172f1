#include "storage/commit_group.h"

#include "storage/sqlite_handle.h"

#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>

namespace terrarium {
namespace {

constexpr int commitRoundsPerTurn = 8;
// Another program that writes to the file is waited for this long before the writers hear of it.
constexpr std::chrono::milliseconds commitBusyPatience{2000};
constexpr std::chrono::milliseconds commitBusyRetry{5};

struct CommitResult {
    std::vector<std::optional<Error>> errors; // one per unit
    int logPages = 0;
};

Error commitMismatch(const CommitUnit &unit, const SqlWrite &write, int changed)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("actor"), unit.subject);
    if (write.expect == SqlWrite::Expect::Fence)
        return Error(
            QStringLiteral("storage"), QStringLiteral("stale_generation"),
            QStringLiteral("a newer incarnation of actor %1 has taken over, or its rows are gone").arg(unit.subject),
            metadata);
    metadata.set(QStringLiteral("sql"), QString::fromUtf8(write.sql));
    return Error(QStringLiteral("storage"), QStringLiteral("lost_row"),
                 QStringLiteral("a write for actor %1 changed %2 rows instead of one").arg(unit.subject).arg(changed),
                 metadata);
}

void commitRun(SqlConnection &connection, const CommitUnit &unit)
{
    for (const SqlWrite &write : unit.writes) {
        const int changed = connection.statement(write.sql).run(write.values);
        if (write.expect != SqlWrite::Expect::Any && changed != 1)
            throw commitMismatch(unit, write, changed);
    }
}

/// One transaction for `units`; a single statement needs none.
void commitTogether(SqlConnection &connection, const std::vector<const CommitUnit *> &units)
{
    size_t statements = 0;
    for (const CommitUnit *unit : units)
        statements += unit->writes.size();
    if (statements == 0)
        return;
    if (statements == 1) {
        for (const CommitUnit *unit : units)
            commitRun(connection, *unit);
        return;
    }
    SqlTransaction transaction(connection);
    for (const CommitUnit *unit : units)
        commitRun(connection, *unit);
    transaction.commit();
}

bool commitIsBusy(const Error &error)
{
    return error.is(QLatin1String("storage"), QLatin1String("busy"));
}

/// True for what no unit is to blame for.
bool commitIsDiskTrouble(const Error &error)
{
    static const QStringList codes{QStringLiteral("busy"),      QStringLiteral("disk_full"),
                                   QStringLiteral("io_error"),  QStringLiteral("corrupt"),
                                   QStringLiteral("read_only"), QStringLiteral("unavailable")};
    return error.group() == QLatin1String("storage") && codes.contains(error.code());
}

std::vector<std::optional<Error>> commitUnits(SqlConnection &connection, const std::vector<CommitUnit> &units)
{
    std::vector<std::optional<Error>> errors(units.size());
    std::vector<const CommitUnit *> all;
    all.reserve(units.size());
    for (const CommitUnit &unit : units)
        all.push_back(&unit);
    try {
        commitTogether(connection, all);
    } catch (const Error &error) {
        if (units.size() == 1 || commitIsDiskTrouble(error)) {
            errors.assign(units.size(), error);
            return errors;
        }
        for (size_t i = 0; i < units.size(); ++i) {
            try {
                commitTogether(connection, {&units[i]});
            } catch (const Error &own) {
                errors[i] = own;
            }
        }
    }
    return errors;
}

} // namespace

struct CommitGroup::Private {
    Private(Environment &environment, SqlConnection &connection) : environment(environment), connection(connection) {}

    Environment &environment;
    SqlConnection &connection;
    bool inline_ = true;
    bool isHeld = false;
    bool inRounds = false;
    bool isFlushing = false;
    std::optional<Instant> busySince;
    Timer busyRetry; // armed: somebody else writes; what is pending waits
    int logPages = 0;
    std::vector<CommitUnit> pending;
    std::vector<CommitUnit> running; // handed over, in order

    // Power, in simulation: one group at a time through the executor, on a connection of its own.
    std::unique_ptr<SqlConnection> ownConnection;
    bool stepPosted = false;

    // Power, on a thread.
    std::thread thread;
    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable idle;
    std::vector<CommitUnit> queue;    // guarded
    std::vector<CommitUnit> finished; // guarded; with
    std::vector<std::optional<Error>> finishedErrors;
    int finishedLogPages = 0;
    bool isBusy = false;
    bool isStopping = false;
    std::optional<Error> openError;
    std::shared_ptr<bool> alive = std::make_shared<bool>(true); // touched on the host thread only

    CommitGroup *q = nullptr;

    static std::unique_ptr<SqlConnection> openSecond(const QString &file, const QString &vfs)
    {
        SqlConnection::Options options;
        options.vfs = vfs;
        options.busyTimeoutMs = 2000;
        auto connection = std::make_unique<SqlConnection>(file, options);
        connection->execute(QStringLiteral("PRAGMA synchronous = FULL"));
        connection->execute(QStringLiteral("PRAGMA secure_delete = FAST"));
        return connection;
    }

    void report(std::vector<CommitUnit> units, const std::vector<std::optional<Error>> &errors, int pages)
    {
        for (size_t i = 0; i < units.size(); ++i) {
            if (units[i].done)
                units[i].done(errors[i]);
        }
        if (q->committed)
            q->committed(pages);
    }

    void runInline()
    {
        std::vector<CommitUnit> units = std::exchange(pending, {});
        const auto errors = commitUnits(connection, units);
        if (!errors.front() || !commitIsBusy(*errors.front())) {
            busySince.reset();
        } else if (!isFlushing) {
            const Instant now = environment.clock.now();
            if (!busySince)
                busySince = now;
            if (now - *busySince < commitBusyPatience) {
                std::move(pending.begin(), pending.end(), std::back_inserter(units));
                pending = std::move(units);
                busyRetry = environment.clock.after(commitBusyRetry, [this] { environment.executor.post([] {}); });
                return;
            }
            busySince.reset();
        }
        report(std::move(units), errors, logPages);
    }
    bool mayCommit() const { return !isHeld && !busyRetry.isArmed(); }

    // ---- simulation
    void postStep()
    {
        if (stepPosted || running.empty())
            return;
        stepPosted = true;
        environment.executor.postFor(this, [this, guard = std::weak_ptr<bool>(alive)] {
            if (guard.expired())
                return;
            stepPosted = false;
            step();
        });
    }
    void step()
    {
        std::vector<CommitUnit> units = std::exchange(running, {});
        if (units.empty())
            return;
        const auto errors = commitUnits(*ownConnection, units);
        report(std::move(units), errors, logPages);
        postStep();
    }

    // ---- thread
    void threadMain(const QString &file, const QString &vfs)
    {
        std::unique_ptr<SqlConnection> own;
        std::optional<Error> failed;
        int pages = 0;
        try {
            own = openSecond(file, vfs);
            SqliteHandle(*own).countLogPages(&pages);
        } catch (const Error &error) {
            failed = error;
        }
        std::unique_lock lock(mutex);
        for (;;) {
            wake.wait(lock, [this] { return isStopping || !queue.empty(); });
            if (queue.empty())
                return;
            std::vector<CommitUnit> units = std::exchange(queue, {});
            isBusy = true;
            lock.unlock();
            std::vector<std::optional<Error>> errors(units.size(), failed);
            if (own)
                errors = commitUnits(*own, units);
            lock.lock();
            const bool first = finished.empty();
            for (size_t i = 0; i < units.size(); ++i) {
                finished.push_back(std::move(units[i]));
                finishedErrors.push_back(std::move(errors[i]));
            }
            finishedLogPages = pages;
            isBusy = false;
            idle.notify_all();
            if (first) {
                environment.executor.postFromAnyThread([this, guard = std::weak_ptr<bool>(alive)] {
                    if (!guard.expired())
                        takeFinished();
                });
            }
        }
    }

    void takeFinished()
    {
        std::vector<CommitUnit> units;
        std::vector<std::optional<Error>> errors;
        int pages = 0;
        {
            const std::lock_guard lock(mutex);
            units.swap(finished);
            errors.swap(finishedErrors);
            pages = finishedLogPages;
        }
        if (units.empty())
            return;
        underWay -= qsizetype(units.size());
        report(std::move(units), errors, pages);
    }

    qsizetype underWay = 0;

    void handOver()
    {
        if (ownConnection) {
            for (CommitUnit &unit : pending)
                running.push_back(std::move(unit));
            pending.clear();
            postStep();
            return;
        }
        underWay += qsizetype(pending.size());
        const std::lock_guard lock(mutex);
        for (CommitUnit &unit : pending)
            queue.push_back(std::move(unit));
        pending.clear();
        if (!isBusy)
            wake.notify_one();
    }
};

CommitGroup::CommitGroup(Environment &environment, SqlConnection &connection, Durability durability)
    : d(std::make_unique<Private>(environment, connection))
{
    d->q = this;
    d->inline_ = durability == Durability::Process || connection.file() == QLatin1String(":memory:");
    if (d->inline_) {
        SqliteHandle(connection).countLogPages(&d->logPages);
    } else if (environment.singleThreaded) {
        d->ownConnection = Private::openSecond(connection.file(), environment.sqliteVfs);
        SqliteHandle(*d->ownConnection).countLogPages(&d->logPages);
    } else {
        d->thread =
            std::thread([this, file = connection.file(), vfs = environment.sqliteVfs] { d->threadMain(file, vfs); });
    }
}

CommitGroup::~CommitGroup()
{
    d->alive.reset();
    if (d->thread.joinable()) {
        {
            const std::lock_guard lock(d->mutex);
            d->isStopping = true;
            d->queue.clear();
        }
        d->wake.notify_one();
        d->thread.join();
    }
    if (d->inline_)
        SqliteHandle(d->connection).countLogPages(nullptr);
}

void CommitGroup::add(CommitUnit unit)
{
    d->pending.push_back(std::move(unit));
}

void CommitGroup::commitTurn()
{
    if (d->inRounds)
        return; // a callback's event loop
    d->inRounds = true;
    for (int round = 0; round < commitRoundsPerTurn && d->mayCommit(); ++round) {
        if (beforeCommit)
            beforeCommit();
        if (d->pending.empty())
            break;
        if (d->inline_)
            d->runInline();
        else
            d->handOver();
    }
    d->inRounds = false;
    if (!d->pending.empty() && d->mayCommit())
        d->environment.executor.post([] {}); // another turn, after the sockets had theirs
}

bool CommitGroup::isSettled() const noexcept
{
    return d->pending.empty() && d->running.empty() && d->underWay == 0;
}

void CommitGroup::flush()
{
    d->isHeld = false;
    d->busyRetry.cancel();
    d->isFlushing = true; // from here on SQLite itself waits for others
    if (d->inline_)
        d->connection.execute(QStringLiteral("PRAGMA busy_timeout = %1").arg(commitBusyPatience.count()));
    for (;;) {
        commitTurn();
        if (d->ownConnection) {
            while (!d->running.empty())
                d->step();
        } else if (d->thread.joinable()) {
            {
                std::unique_lock lock(d->mutex);
                d->idle.wait(lock, [this] { return d->queue.empty() && !d->isBusy; });
            }
            d->takeFinished();
        }
        if (isSettled()) {
            if (beforeCommit)
                beforeCommit();
            if (d->pending.empty())
                break;
        }
    }
    d->isFlushing = false;
    if (d->inline_)
        d->connection.execute(QStringLiteral("PRAGMA busy_timeout = 0"));
}

void CommitGroup::setHeld(bool held)
{
    if (d->isHeld == held)
        return;
    d->isHeld = held;
    if (!held && !d->pending.empty())
        d->environment.executor.post([] {}); // its turn end commits
}

} // namespace terrarium
