#include "storage/owner_lock.h"

#include "storage/sql.h"
#include "value/json.h"

#include <QCoreApplication>
#include <QFile>
#include <QSysInfo>

#ifdef Q_OS_UNIX
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#else
#include <QLockFile>
#endif

namespace terrarium {
namespace {

QString ownerFileName(const QString &folder)
{
    return folder + QStringLiteral("/owner.lock");
}

QByteArray ownerDescription(const QString &name, qint64 startedAt)
{
    Value owner = Value::map();
    owner.set(QStringLiteral("pid"), qint64(QCoreApplication::applicationPid()));
    owner.set(QStringLiteral("host"), QSysInfo::machineHostName());
    owner.set(QStringLiteral("name"), name);
    owner.set(QStringLiteral("startedAt"), startedAt);
    return json::write(owner);
}

Error ownerInUse(const QString &folder, const QByteArray &description)
{
    Value owner;
    try {
        owner = json::parse(description);
    } catch (const Error &) {
        owner = Value::map(); // the owner is just writing it
    }
    Value metadata = Value::map();
    metadata.set(QStringLiteral("owner"), owner);
    metadata.set(QStringLiteral("dataDir"), folder);
    const qint64 pid = owner["pid"].toInt();
    const QString who = pid > 0 ? QStringLiteral("process %1 on %2").arg(pid).arg(owner["host"].toText())
                                : QStringLiteral("another process");
    return Error(QStringLiteral("host"), QStringLiteral("data_in_use"),
                 QStringLiteral("the data folder \"%1\" belongs to %2").arg(folder, who), metadata);
}

} // namespace

#ifdef Q_OS_UNIX

struct OwnerLock::Private {
    int file = -1;
};

OwnerLock::OwnerLock(const QString &folder, const QString &ownerName, qint64 startedAtWallMs)
    : d(std::make_unique<Private>())
{
    const QByteArray path = QFile::encodeName(ownerFileName(folder));
    d->file = ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (d->file < 0)
        throw storageError(14, QString::fromLocal8Bit(std::strerror(errno)),
                           QStringLiteral("cannot open \"%1\"").arg(ownerFileName(folder)));
    if (::flock(d->file, LOCK_EX | LOCK_NB) != 0) {
        const int code = errno;
        ::close(d->file);
        if (code != EWOULDBLOCK)
            throw storageError(14, QString::fromLocal8Bit(std::strerror(code)),
                               QStringLiteral("cannot lock \"%1\"").arg(ownerFileName(folder)));
        QFile description(ownerFileName(folder));
        throw ownerInUse(folder, description.open(QIODevice::ReadOnly) ? description.readAll() : QByteArray());
    }
    const QByteArray description = ownerDescription(ownerName, startedAtWallMs);
    if (::ftruncate(d->file, 0) != 0 || ::pwrite(d->file, description.constData(), size_t(description.size()), 0) < 0) {
        const QString text = QString::fromLocal8Bit(std::strerror(errno));
        ::close(d->file);
        throw storageError(14, text, QStringLiteral("cannot write \"%1\"").arg(ownerFileName(folder)));
    }
}

OwnerLock::~OwnerLock()
{
    // The file stays: removing it would let two processes lock two different files.
    [[maybe_unused]] const int emptied = ::ftruncate(d->file, 0);
    ::close(d->file);
}

#else

struct OwnerLock::Private {
    explicit Private(const QString &file) : lock(file) {}
    QLockFile lock;
};

OwnerLock::OwnerLock(const QString &folder, const QString &ownerName, qint64 startedAtWallMs)
    : d(std::make_unique<Private>(ownerFileName(folder)))
{
    d->lock.setStaleLockTime(0);
    QFile description(folder + QStringLiteral("/owner.json"));
    if (!d->lock.tryLock(0))
        throw ownerInUse(folder, description.open(QIODevice::ReadOnly) ? description.readAll() : QByteArray());
    if (description.open(QIODevice::WriteOnly | QIODevice::Truncate))
        description.write(ownerDescription(ownerName, startedAtWallMs));
}

OwnerLock::~OwnerLock() = default;

#endif

} // namespace terrarium
