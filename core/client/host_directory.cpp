#include "client/host_directory.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#ifdef Q_OS_UNIX
#include <cerrno>
#include <csignal>
#include <unistd.h>
#endif

namespace terrarium::host_directory {

namespace {
/// A registry file is small; anything larger is something else.
constexpr qint64 hostDirectoryMostBytes = 64 * 1024;

bool hostIsRunning(qint64 pid)
{
    if (pid <= 0)
        return false;
#ifdef Q_OS_UNIX
    return ::kill(pid_t(pid), 0) == 0 || errno == EPERM;
#else
    return true;
#endif
}

bool hostFolderIsOurs(const QString &folder)
{
#ifdef Q_OS_UNIX
    const QFileInfo info(folder);
    return info.isDir() && info.ownerId() == ::getuid();
#else
    return QFileInfo(folder).isDir();
#endif
}

QByteArray hostFileBytes(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.read(hostDirectoryMostBytes);
}

std::optional<DiscoveredHost> hostFromJson(const QJsonObject &object)
{
    DiscoveredHost host;
    host.pid = object.value(QLatin1String("pid")).toInteger();
    const int port = object.value(QLatin1String("port")).toInt();
    if (host.pid <= 0 || port <= 0 || port > 65535)
        return std::nullopt;
    QString address = object.value(QLatin1String("address")).toString();
    if (address.isEmpty() || address == QLatin1String("0.0.0.0") || address == QLatin1String("::"))
        address = QStringLiteral("127.0.0.1");
    host.url.setScheme(QStringLiteral("ws"));
    host.url.setHost(address);
    host.url.setPort(port);
    host.name = object.value(QLatin1String("name")).toString();
    host.startedAt = object.value(QLatin1String("startedAt")).toInteger();
    host.version = object.value(QLatin1String("version")).toString();
    host.bootId = object.value(QLatin1String("bootId")).toString();
    host.dataDir = object.value(QLatin1String("dataDir")).toString();
    host.actors = object.value(QLatin1String("actors")).toInt(-1);
    const QString tokenFile = object.value(QLatin1String("tokenFile")).toString();
    host.needsToken = !tokenFile.isEmpty();
    if (host.needsToken)
        host.token = QString::fromUtf8(hostFileBytes(tokenFile)).trimmed();
    return host;
}
} // namespace

QString folder()
{
    const QByteArray runtime = qgetenv("XDG_RUNTIME_DIR");
    if (!runtime.isEmpty())
        return QFile::decodeName(runtime) + QStringLiteral("/terrarium");
#ifdef Q_OS_UNIX
    return QDir::tempPath() + QStringLiteral("/terrarium-%1").arg(::getuid());
#else
    return QDir::tempPath() + QStringLiteral("/terrarium");
#endif
}

QList<DiscoveredHost> hosts()
{
    QList<DiscoveredHost> found;
    const QString path = folder();
    if (!hostFolderIsOurs(path))
        return found;
    const QDir directory(path);
    const QStringList names = directory.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    for (const QString &name : names) {
        const QString file = directory.filePath(name);
        const QJsonDocument document = QJsonDocument::fromJson(hostFileBytes(file));
        const std::optional<DiscoveredHost> host = hostFromJson(document.object());
        if (!host)
            continue; // half written, or not ours
        if (!hostIsRunning(host->pid)) {
            QFile::remove(file);
            continue;
        }
        found.append(*host);
    }
    std::sort(found.begin(), found.end(), [](const DiscoveredHost &a, const DiscoveredHost &b) {
        return a.url.port() != b.url.port() ? a.url.port() < b.url.port() : a.pid < b.pid;
    });
    return found;
}

} // namespace terrarium::host_directory
