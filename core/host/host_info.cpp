#include "host/host_info.h"

#include <terrarium/error.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#ifdef Q_OS_UNIX
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace terrarium {

namespace {

[[noreturn]] void refuseHostInfo(const QString &folder, const QString &why)
{
    Value metadata;
    metadata.set(QStringLiteral("folder"), folder);
    throw Error(QStringLiteral("host"), QStringLiteral("registry_unavailable"),
                QStringLiteral("cannot note this host in \"%1\": %2").arg(folder, why), std::move(metadata));
}

void makeHostInfoFolder(const QString &folder)
{
#ifdef Q_OS_UNIX
    QDir().mkpath(QFileInfo(folder).absolutePath());
    if (::mkdir(QFile::encodeName(folder).constData(), 0700) != 0 && !QFileInfo(folder).isDir())
        refuseHostInfo(folder, QStringLiteral("the folder cannot be made"));
    if (QFileInfo(folder).ownerId() != ::getuid())
        refuseHostInfo(folder, QStringLiteral("it belongs to another user"));
    ::chmod(QFile::encodeName(folder).constData(), 0700);
#else
    if (!QDir().mkpath(folder))
        refuseHostInfo(folder, QStringLiteral("the folder cannot be made"));
#endif
}

// Readable by the owner from its first moment on.
void writeHostInfoFile(const QString &folder, const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)
        || file.write(content) != content.size() || !file.commit())
        refuseHostInfo(folder, file.errorString());
}

} // namespace

HostInfo::HostInfo(QString folder) : m_folder(folder.isEmpty() ? usualFolder() : std::move(folder)) {}

HostInfo::~HostInfo()
{
    remove();
}

QString HostInfo::usualFolder()
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

QString HostInfo::makeToken(Random &random)
{
    return QString::fromLatin1(
        random.bytes(24).toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

void HostInfo::write(const Facts &facts)
{
    remove();
    makeHostInfoFolder(m_folder);
    m_facts = facts;
    const QString stem =
        QStringLiteral("%1/%2-%3").arg(m_folder).arg(QCoreApplication::applicationPid()).arg(facts.url.port());
    if (!facts.token.isEmpty()) {
        m_tokenFile = stem + QStringLiteral(".token");
        writeHostInfoFile(m_folder, m_tokenFile, facts.token.toUtf8() + '\n');
    }
    m_file = stem + QStringLiteral(".json");
    save();
}

void HostInfo::setActors(qsizetype actors)
{
    if (!isWritten() || actors == m_facts.actors)
        return;
    m_facts.actors = actors;
    save();
}

void HostInfo::save()
{
    QJsonObject object;
    object.insert(QLatin1String("pid"), QCoreApplication::applicationPid());
    object.insert(QLatin1String("port"), m_facts.url.port());
    object.insert(QLatin1String("address"), m_facts.url.host());
    object.insert(QLatin1String("name"), m_facts.name);
    object.insert(QLatin1String("startedAt"), m_facts.startedAt);
    object.insert(QLatin1String("version"), QStringLiteral(TERRARIUM_VERSION));
    object.insert(QLatin1String("bootId"), m_facts.bootId);
    object.insert(QLatin1String("dataDir"), m_facts.dataDir);
    if (!m_tokenFile.isEmpty())
        object.insert(QLatin1String("tokenFile"), m_tokenFile);
    object.insert(QLatin1String("actors"), qint64(m_facts.actors));
    writeHostInfoFile(m_folder, m_file, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

void HostInfo::remove()
{
    if (!m_file.isEmpty())
        QFile::remove(m_file);
    if (!m_tokenFile.isEmpty())
        QFile::remove(m_tokenFile);
    m_file.clear();
    m_tokenFile.clear();
}

} // namespace terrarium
