#include "testing/faulty_vfs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <sqlite3.h>

#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <vector>

namespace terrarium::testing {
namespace {

constexpr int faultySector = 512;

struct FaultyWrite {
    qint64 offset;
    QByteArray bytes;
    bool isTruncation = false; // to `offset`
};

/// One file, whoever has it open.
struct FaultyFile {
    QByteArray durable;
    bool exists = false; // durably
    std::vector<FaultyWrite> pending;
};

struct FaultyOrder {
    FaultyVfs::Fault fault;
    int after;
    int times;
    QByteArray suffix;
};

struct FaultyHandle {
    sqlite3_file base;
    void *disk; // FaultyVfs::Private
    QByteArray *path;
    sqlite3_file *real() { return reinterpret_cast<sqlite3_file *>(this + 1); }
};

void faultyApply(QByteArray &content, const FaultyWrite &write)
{
    if (write.isTruncation) {
        content.resize(qsizetype(write.offset));
        return;
    }
    const qint64 end = write.offset + write.bytes.size();
    if (content.size() < end)
        content.append(QByteArray(qsizetype(end - content.size()), '\0'));
    content.replace(qsizetype(write.offset), write.bytes.size(), write.bytes);
}

} // namespace

struct FaultyVfs::Private {
    QByteArray name;
    sqlite3_vfs vfs{};
    sqlite3_vfs *real = nullptr;
    mutable std::mutex mutex;
    std::mt19937_64 random;
    std::map<QByteArray, FaultyFile> files;
    std::optional<FaultyOrder> orders[2];
    int failures = 0;
    int syncs = 0;

    static Private &of(sqlite3_vfs *vfs) { return *static_cast<Private *>(vfs->pAppData); }
    static FaultyHandle &handle(sqlite3_file *file) { return *reinterpret_cast<FaultyHandle *>(file); }
    static Private &of(sqlite3_file *file) { return *static_cast<Private *>(handle(file).disk); }

    /// The code to fail with, or SQLITE_OK. Under the mutex.
    int due(Operation operation, const QByteArray &path)
    {
        std::optional<FaultyOrder> &order = orders[int(operation)];
        if (!order || !path.endsWith(order->suffix))
            return SQLITE_OK;
        if (order->after > 0) {
            --order->after;
            return SQLITE_OK;
        }
        const Fault fault = order->fault;
        if (--order->times == 0)
            order.reset();
        ++failures;
        if (fault == Fault::DiskFull)
            return SQLITE_FULL;
        return operation == Operation::Write ? SQLITE_IOERR_WRITE : SQLITE_IOERR_FSYNC;
    }

    static int open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags);
    static int remove(sqlite3_vfs *vfs, const char *path, int syncDirectory)
    {
        Private &self = of(vfs);
        {
            const std::lock_guard lock(self.mutex);
            self.files.erase(QByteArray(path));
        }
        return self.real->xDelete(self.real, path, syncDirectory);
    }
    static int access(sqlite3_vfs *vfs, const char *path, int flags, int *result)
    {
        return of(vfs).real->xAccess(of(vfs).real, path, flags, result);
    }
    static int fullPath(sqlite3_vfs *vfs, const char *path, int size, char *out)
    {
        return of(vfs).real->xFullPathname(of(vfs).real, path, size, out);
    }
    static int randomness(sqlite3_vfs *vfs, int size, char *out)
    {
        return of(vfs).real->xRandomness(of(vfs).real, size, out);
    }
    static int sleep(sqlite3_vfs *vfs, int microseconds) { return of(vfs).real->xSleep(of(vfs).real, microseconds); }
    static int currentTime(sqlite3_vfs *vfs, double *out) { return of(vfs).real->xCurrentTime(of(vfs).real, out); }
    static int lastError(sqlite3_vfs *vfs, int size, char *out)
    {
        return of(vfs).real->xGetLastError(of(vfs).real, size, out);
    }

    static int close(sqlite3_file *file)
    {
        FaultyHandle &self = handle(file);
        const int code = self.real()->pMethods->xClose(self.real());
        delete self.path;
        self.path = nullptr;
        return code;
    }
    static int read(sqlite3_file *file, void *out, int size, sqlite3_int64 offset)
    {
        return handle(file).real()->pMethods->xRead(handle(file).real(), out, size, offset);
    }
    static int write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
    {
        FaultyHandle &self = handle(file);
        Private &vfs = of(file);
        {
            const std::lock_guard lock(vfs.mutex);
            if (const int code = vfs.due(Operation::Write, *self.path); code != SQLITE_OK)
                return code;
            vfs.files[*self.path].pending.push_back({offset, QByteArray(static_cast<const char *>(bytes), size)});
        }
        return self.real()->pMethods->xWrite(self.real(), bytes, size, offset);
    }
    static int truncate(sqlite3_file *file, sqlite3_int64 size)
    {
        FaultyHandle &self = handle(file);
        {
            const std::lock_guard lock(of(file).mutex);
            of(file).files[*self.path].pending.push_back({size, {}, true});
        }
        return self.real()->pMethods->xTruncate(self.real(), size);
    }
    static int sync(sqlite3_file *file, int flags)
    {
        FaultyHandle &self = handle(file);
        Private &vfs = of(file);
        Q_UNUSED(flags)
        const std::lock_guard lock(vfs.mutex);
        if (const int code = vfs.due(Operation::Sync, *self.path); code != SQLITE_OK)
            return code;
        FaultyFile &known = vfs.files[*self.path];
        for (const FaultyWrite &write : known.pending)
            faultyApply(known.durable, write);
        known.pending.clear();
        known.exists = true;
        ++vfs.syncs;
        return SQLITE_OK; // the real disk need not be bothered
    }
    static int size(sqlite3_file *file, sqlite3_int64 *out)
    {
        return handle(file).real()->pMethods->xFileSize(handle(file).real(), out);
    }
    static int lock(sqlite3_file *file, int level)
    {
        return handle(file).real()->pMethods->xLock(handle(file).real(), level);
    }
    static int unlock(sqlite3_file *file, int level)
    {
        return handle(file).real()->pMethods->xUnlock(handle(file).real(), level);
    }
    static int checkLock(sqlite3_file *file, int *out)
    {
        return handle(file).real()->pMethods->xCheckReservedLock(handle(file).real(), out);
    }
    static int control(sqlite3_file *file, int operation, void *argument)
    {
        return handle(file).real()->pMethods->xFileControl(handle(file).real(), operation, argument);
    }
    static int sectorSize(sqlite3_file *) { return faultySector; }
    static int characteristics(sqlite3_file *) { return 0; } // promises nothing: no safe appends, no atomic sectors
    static int shmMap(sqlite3_file *file, int region, int size, int extend, void volatile **out)
    {
        return handle(file).real()->pMethods->xShmMap(handle(file).real(), region, size, extend, out);
    }
    static int shmLock(sqlite3_file *file, int offset, int count, int flags)
    {
        return handle(file).real()->pMethods->xShmLock(handle(file).real(), offset, count, flags);
    }
    static void shmBarrier(sqlite3_file *file) { handle(file).real()->pMethods->xShmBarrier(handle(file).real()); }
    static int shmUnmap(sqlite3_file *file, int remove)
    {
        return handle(file).real()->pMethods->xShmUnmap(handle(file).real(), remove);
    }

    static const sqlite3_io_methods &methods()
    {
        static const sqlite3_io_methods methods = [] {
            sqlite3_io_methods m{};
            m.iVersion = 2;
            m.xClose = close;
            m.xRead = read;
            m.xWrite = write;
            m.xTruncate = truncate;
            m.xSync = sync;
            m.xFileSize = size;
            m.xLock = lock;
            m.xUnlock = unlock;
            m.xCheckReservedLock = checkLock;
            m.xFileControl = control;
            m.xSectorSize = sectorSize;
            m.xDeviceCharacteristics = characteristics;
            m.xShmMap = shmMap;
            m.xShmLock = shmLock;
            m.xShmBarrier = shmBarrier;
            m.xShmUnmap = shmUnmap;
            return m;
        }();
        return methods;
    }
};

int FaultyVfs::Private::open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags)
{
    Private &self = of(vfs);
    FaultyHandle &opened = handle(file);
    opened.base.pMethods = nullptr;
    opened.disk = &self;
    const int code = self.real->xOpen(self.real, path, opened.real(), flags, outFlags);
    if (code != SQLITE_OK)
        return code;
    opened.path = new QByteArray(path != nullptr ? path : "");
    opened.base.pMethods = &methods();
    if (path != nullptr) {
        const std::lock_guard lock(self.mutex);
        if (const auto [it, isFresh] = self.files.try_emplace(*opened.path); isFresh) {
            QFile existing(QFile::decodeName(*opened.path));
            if (existing.size() > 0 && existing.open(QIODevice::ReadOnly)) {
                it->second.durable = existing.readAll(); // from before this disk was watched
                it->second.exists = true;
            }
        }
    }
    return SQLITE_OK;
}

FaultyVfs::FaultyVfs(quint64 seed) : d(std::make_unique<Private>())
{
    d->random.seed(seed);
    d->real = sqlite3_vfs_find(nullptr);
    d->name = "faulty-" + QByteArray::number(quintptr(this), 16);
    d->vfs.iVersion = 1;
    d->vfs.szOsFile = int(sizeof(FaultyHandle)) + d->real->szOsFile;
    d->vfs.mxPathname = d->real->mxPathname;
    d->vfs.zName = d->name.constData();
    d->vfs.pAppData = d.get();
    d->vfs.xOpen = Private::open;
    d->vfs.xDelete = Private::remove;
    d->vfs.xAccess = Private::access;
    d->vfs.xFullPathname = Private::fullPath;
    d->vfs.xRandomness = Private::randomness;
    d->vfs.xSleep = Private::sleep;
    d->vfs.xCurrentTime = Private::currentTime;
    d->vfs.xGetLastError = Private::lastError;
    sqlite3_vfs_register(&d->vfs, 0);
}

FaultyVfs::~FaultyVfs()
{
    sqlite3_vfs_unregister(&d->vfs);
}

QString FaultyVfs::name() const
{
    return QString::fromLatin1(d->name);
}

void FaultyVfs::fail(Operation operation, Fault fault, int after, int times, const QString &suffix)
{
    const std::lock_guard lock(d->mutex);
    d->orders[int(operation)] = FaultyOrder{fault, after, times, QFile::encodeName(suffix)};
}

int FaultyVfs::failures() const
{
    const std::lock_guard lock(d->mutex);
    return d->failures;
}

int FaultyVfs::syncs() const
{
    const std::lock_guard lock(d->mutex);
    return d->syncs;
}

void FaultyVfs::powerCut(const QString &folder, const QString &into)
{
    const std::lock_guard lock(d->mutex);
    QDir().mkpath(into);
    const QByteArray prefix = QFile::encodeName(QDir(folder).absolutePath()) + '/';
    for (const auto &[path, file] : d->files) {
        if (!path.startsWith(prefix) || path.endsWith("-shm"))
            continue;
        QByteArray content = file.durable;
        for (const FaultyWrite &write : file.pending) {
            if (write.isTruncation) {
                if (d->random() % 2)
                    faultyApply(content, write);
                continue;
            }
            for (qsizetype at = 0; at < write.bytes.size(); at += faultySector) {
                if (d->random() % 2)
                    faultyApply(content, {write.offset + at, write.bytes.mid(at, faultySector)});
            }
        }
        if (!file.exists && content.isEmpty())
            continue;
        QFile out(into + QLatin1Char('/') + QFileInfo(QFile::decodeName(path)).fileName());
        if (out.open(QIODevice::WriteOnly | QIODevice::Truncate))
            out.write(content);
    }
}

} // namespace terrarium::testing
