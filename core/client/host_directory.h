#pragma once
// Hosts running on this computer, found by their registry files (host/host_info writes them).
//
// One JSON file per host in the registry folder: {pid, port, address, name, startedAt, version, bootId,
// dataDir, tokenFile, actors}. The folder is $XDG_RUNTIME_DIR/terrarium, else $TMPDIR/terrarium-<uid>; only
// the owner may read it. Files of processes that are gone are skipped and removed.

#include <QList>
#include <QString>
#include <QUrl>

namespace terrarium {

struct DiscoveredHost {
    QString name;
    qint64 pid = 0;
    QUrl url;
    qint64 startedAt = 0; ///< wall ms
    QString version;
    QString bootId;
    QString dataDir;
    QString token; ///< read from the token file; empty when it could not be read
    bool needsToken = false;
    int actors = -1; ///< at the last update of the file; -1 unknown
};

namespace host_directory {
QString folder();
QList<DiscoveredHost> hosts();
} // namespace host_directory

} // namespace terrarium
