#pragma once
// Who owns a data folder: a locked file in it that names the owner. The lock ends with the process, however it ends.

#include <terrarium/error.h>

#include <QString>

#include <memory>

namespace terrarium {

class OwnerLock final {
public:
    /// Throws `host/data_in_use` {owner: {pid, host, name, startedAt}, dataDir} when another process (or another
    /// host in this one) holds it, `storage/unavailable` when the file cannot be made.
    OwnerLock(const QString &folder, const QString &ownerName, qint64 startedAtWallMs);
    OwnerLock(const OwnerLock &) = delete;
    OwnerLock &operator=(const OwnerLock &) = delete;
    ~OwnerLock();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
