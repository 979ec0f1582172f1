#pragma once
// Which host a command means: the address given, else the only host that runs on this computer.

#include "client/host_directory.h"

#include <QString>
#include <QUrl>

#include <optional>

namespace terrarium::app {

struct FoundHost {
    QUrl url;      ///< ws://...
    QString token; ///< inspector token, when it could be found or was given
    QString name;
};

/// Throws `client/no_host` or `client/several_hosts`; the message says what to do.
FoundHost findHost(const QUrl &url, const QString &token);

/// The same address for HTTP.
QUrl httpUrl(const QUrl &url);

} // namespace terrarium::app
