#pragma once
// A disk that fails when told to, and that can lose its power.
//
// It is an SQLite VFS in front of the real one: files are real and can be read by anybody, but it keeps track of what
// was synced. `powerCut()` writes what a disk would hold after a power cut: everything synced, and of everything
// written since an arbitrary part, sector by sector, drawn from the seed.

#include <QByteArray>
#include <QString>

#include <memory>

namespace terrarium::testing {

class FaultyVfs final {
public:
    /// Registers the VFS; everything opened through it must be closed before it goes.
    explicit FaultyVfs(quint64 seed = 1);
    FaultyVfs(const FaultyVfs &) = delete;
    FaultyVfs &operator=(const FaultyVfs &) = delete;
    ~FaultyVfs();

    /// For Environment::sqliteVfs.
    QString name() const;

    enum class Operation { Write, Sync };
    enum class Fault { IoError, DiskFull };
    /// The operation number `after` from now (0: the next one) of files whose name ends in `suffix` fails, and so do
    /// `times` - 1 more. An earlier order for the operation is replaced.
    void fail(Operation operation, Fault fault, int after = 0, int times = 1, const QString &suffix = {});
    int failures() const; ///< how many were dealt out
    int syncs() const;

    /// What the files of `folder` would be after the power went now, written to the folder `into`.
    void powerCut(const QString &folder, const QString &into);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium::testing
