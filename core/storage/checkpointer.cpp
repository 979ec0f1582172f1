#include "storage/checkpointer.h"

#include "storage/sqlite_handle.h"

#include <spdlog/spdlog.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace terrarium {
namespace {

struct CheckpointPass {
    std::optional<SqliteHandle::Checkpoint> moved;
    QString error;
};

std::unique_ptr<SqlConnection> checkpointOpen(const QString &file, const QString &vfs)
{
    SqlConnection::Options options;
    options.vfs = vfs;
    options.busyTimeoutMs = 1000;
    auto connection = std::make_unique<SqlConnection>(file, options);
    connection->execute(QStringLiteral("PRAGMA wal_autocheckpoint = 0"));
    connection->execute(QStringLiteral("PRAGMA synchronous = NORMAL"));
    return connection;
}

CheckpointPass checkpointPass(std::unique_ptr<SqlConnection> &connection, const QString &file, const QString &vfs)
{
    CheckpointPass pass;
    try {
        if (!connection)
            connection = checkpointOpen(file, vfs);
        pass.moved = SqliteHandle(*connection).checkpoint(SqliteHandle::CheckpointMode::Passive);
    } catch (const Error &error) {
        pass.error = error.text();
    }
    return pass;
}

} // namespace

struct Checkpointer::Private {
    Private(Environment &environment, QString file, std::function<void(bool)> hold, const Limits &limits)
        : environment(environment),
          file(std::move(file)),
          hold(std::move(hold)),
          limits(limits)
    {}

    Environment &environment;
    const QString file;
    const std::function<void(bool)> hold;
    const Limits limits;
    Counters counters;
    bool isRunning = false;
    bool isHolding = false;
    int lastPages = 0; // in the log when the last pass was asked for
    std::shared_ptr<bool> alive = std::make_shared<bool>(true);

    std::unique_ptr<SqlConnection> connection; // simulation only: the thread has its own
    std::thread thread;
    std::mutex mutex;
    std::condition_variable wake;
    bool isAsked = false;
    bool isStopping = false;

    void ask()
    {
        isRunning = true;
        if (environment.singleThreaded) {
            environment.executor.postFor(this, [this, guard = std::weak_ptr<bool>(alive)] {
                if (!guard.expired())
                    ended(checkpointPass(connection, file, environment.sqliteVfs));
            });
            return;
        }
        if (!thread.joinable())
            thread = std::thread([this] { threadMain(); });
        const std::lock_guard lock(mutex);
        isAsked = true;
        wake.notify_one();
    }

    void threadMain()
    {
        std::unique_ptr<SqlConnection> own;
        std::unique_lock lock(mutex);
        for (;;) {
            wake.wait(lock, [this] { return isAsked || isStopping; });
            if (isStopping)
                return;
            isAsked = false;
            lock.unlock();
            CheckpointPass pass = checkpointPass(own, file, environment.sqliteVfs);
            environment.executor.postFromAnyThread([this, pass, guard = std::weak_ptr<bool>(alive)] {
                if (!guard.expired())
                    ended(pass);
            });
            lock.lock();
        }
    }

    void ended(const CheckpointPass &pass)
    {
        isRunning = false;
        if (pass.moved) {
            ++counters.passes;
            counters.movedPages = quint64(pass.moved->movedPages);
        } else {
            ++counters.failures;
            spdlog::warn("checkpoint of {} failed: {}", file.toStdString(), pass.error.toStdString());
        }
        if (isHolding) {
            isHolding = false;
            hold(false);
        }
    }
};

Checkpointer::Checkpointer(Environment &environment, const QString &file, std::function<void(bool)> hold)
    : Checkpointer(environment, file, std::move(hold), Limits())
{}

Checkpointer::Checkpointer(Environment &environment, const QString &file, std::function<void(bool)> hold,
                           const Limits &limits)
    : d(std::make_unique<Private>(environment, file, std::move(hold), limits))
{}

Checkpointer::~Checkpointer()
{
    d->alive.reset();
    if (!d->thread.joinable())
        return;
    {
        const std::lock_guard lock(d->mutex);
        d->isStopping = true;
    }
    d->wake.notify_one();
    d->thread.join();
}

void Checkpointer::committed(int logPages)
{
    if (d->isRunning)
        return;
    if (logPages < d->lastPages)
        d->lastPages = 0; // the log started over
    if (logPages - d->lastPages < d->limits.passPages)
        return;
    d->lastPages = logPages;
    if (logPages >= d->limits.holdPages) {
        ++d->counters.holds;
        d->isHolding = true;
        d->hold(true);
    }
    d->ask();
}

const Checkpointer::Counters &Checkpointer::counters() const noexcept
{
    return d->counters;
}

} // namespace terrarium
