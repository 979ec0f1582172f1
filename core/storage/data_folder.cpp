#include "storage/data_folder.h"

#include "storage/owner_lock.h"
#include "storage/schema.h"
#include "storage/shard.h"

#include <QDir>

namespace terrarium {

struct DataFolder::Private {
    QString path;
    std::unique_ptr<OwnerLock> lock; // first in, last out
    std::unique_ptr<Shard> shard;
    std::unique_ptr<ActorIndex> index;
};

DataFolder::DataFolder(Environment &environment, const DataFolderOptions &options) : d(std::make_unique<Private>())
{
    QString file = options.path;
    if (options.path == QLatin1String(":memory:")) {
        d->path = options.path;
    } else {
        d->path = QDir(options.path).absolutePath();
        file = d->path + QStringLiteral("/shared.sqlite");
        schema::refuseNewer(file);
        if (!QDir().mkpath(d->path))
            throw storageError(14, QStringLiteral("it cannot be created"),
                               QStringLiteral("cannot use the data folder \"%1\"").arg(d->path));
        d->lock = std::make_unique<OwnerLock>(d->path, options.ownerName, environment.clock.wallMs());
    }
    d->shard = std::make_unique<Shard>(environment, file, options.durability);
    d->index = std::make_unique<ActorIndex>(*d->shard, environment.random);
}

DataFolder::~DataFolder()
{
    if (d->shard) {
        d->shard->commits().beforeCommit = nullptr;
        d->shard->commits().committed = nullptr;
    }
}

ActorIndex &DataFolder::index() noexcept
{
    return *d->index;
}

Shard &DataFolder::shard() noexcept
{
    return *d->shard;
}

void DataFolder::commitTurn()
{
    if (d->shard)
        d->shard->commits().commitTurn();
}

bool DataFolder::isSettled() const noexcept
{
    return !d->shard || (d->index->isSettled() && d->shard->commits().isSettled());
}

void DataFolder::close()
{
    if (!d->shard)
        return;
    d->shard->close();
    d->index.reset();
    d->shard.reset();
    d->lock.reset();
}

const QString &DataFolder::path() const noexcept
{
    return d->path;
}

} // namespace terrarium
