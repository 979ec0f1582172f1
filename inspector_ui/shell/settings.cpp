#include "shell/settings.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace terrarium::ui {

namespace {

/// An INI file is lines "[group]", "key=value", ";comment" or empty.
bool settingsLooksBroken(const QString &name)
{
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine(64 * 1024).trimmed();
        if (line.isEmpty() || line.startsWith(';') || line.startsWith('#') || line.startsWith('['))
            continue;
        if (!line.contains('=') || line.contains('\0'))
            return true;
    }
    return false;
}

QString settingsThemeName(ThemeMode mode)
{
    switch (mode) {
    case ThemeMode::Light: return QStringLiteral("light");
    case ThemeMode::Dark: return QStringLiteral("dark");
    case ThemeMode::HighContrast: return QStringLiteral("highContrast");
    case ThemeMode::System: break;
    }
    return QStringLiteral("system");
}

} // namespace

Settings::Settings(const QString &file)
{
    QString name = file;
    if (name.isEmpty())
        name =
            QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("terrarium"), QStringLiteral("window"))
                .fileName();
    if (settingsLooksBroken(name)) {
        m_movedAside = name + QStringLiteral(".broken");
        QFile::remove(m_movedAside);
        QFile::rename(name, m_movedAside);
    }
    m_settings = std::make_unique<QSettings>(name, QSettings::IniFormat);
}

QByteArray Settings::geometry() const
{
    return m_settings->value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray Settings::layout() const
{
    if (m_settings->value(QStringLiteral("window/layoutVersion")).toInt() != layoutVersion)
        return {};
    return m_settings->value(QStringLiteral("window/layout")).toByteArray();
}

void Settings::saveLayout(const QByteArray &geometry, const QByteArray &layout)
{
    m_settings->setValue(QStringLiteral("window/geometry"), geometry);
    m_settings->setValue(QStringLiteral("window/layout"), layout);
    m_settings->setValue(QStringLiteral("window/layoutVersion"), layoutVersion);
}

void Settings::resetLayout()
{
    m_settings->remove(QStringLiteral("window"));
}

ThemeMode Settings::theme() const
{
    const QString name = m_settings->value(QStringLiteral("appearance/theme")).toString();
    for (ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark, ThemeMode::HighContrast}) {
        if (settingsThemeName(mode) == name)
            return mode;
    }
    return ThemeMode::System;
}

void Settings::setTheme(ThemeMode mode)
{
    m_settings->setValue(QStringLiteral("appearance/theme"), settingsThemeName(mode));
}

double Settings::textScale() const
{
    const double scale = m_settings->value(QStringLiteral("appearance/textScale"), 1.0).toDouble();
    return scale >= 0.8 && scale <= 2 ? scale : 1.0;
}

void Settings::setTextScale(double scale)
{
    m_settings->setValue(QStringLiteral("appearance/textScale"), scale);
}

QString Settings::section(const QString &type) const
{
    const QString name = m_settings->value(QStringLiteral("sections/%1").arg(type)).toString();
    return name.isEmpty() ? QStringLiteral("state") : name;
}

void Settings::setSection(const QString &type, const QString &section)
{
    m_settings->setValue(QStringLiteral("sections/%1").arg(type), section);
}

QString Settings::actorFilter() const
{
    return m_settings->value(QStringLiteral("actors/filter")).toString();
}

void Settings::setActorFilter(const QString &filter)
{
    m_settings->setValue(QStringLiteral("actors/filter"), filter);
}

QStringList Settings::filterHistory() const
{
    return m_settings->value(QStringLiteral("actors/history")).toStringList();
}

void Settings::addToFilterHistory(const QString &filter)
{
    if (filter.isEmpty())
        return;
    QStringList history = filterHistory();
    history.removeAll(filter);
    history.prepend(filter);
    m_settings->setValue(QStringLiteral("actors/history"), QStringList(history.mid(0, 20)));
}

QList<std::pair<QString, QString>> Settings::savedFilters() const
{
    QList<std::pair<QString, QString>> filters;
    const int n = m_settings->beginReadArray(QStringLiteral("savedFilters"));
    for (int i = 0; i < n; ++i) {
        m_settings->setArrayIndex(i);
        filters.append({m_settings->value(QStringLiteral("name")).toString(),
                        m_settings->value(QStringLiteral("text")).toString()});
    }
    m_settings->endArray();
    return filters;
}

void Settings::setSavedFilters(const QList<std::pair<QString, QString>> &filters)
{
    m_settings->remove(QStringLiteral("savedFilters"));
    m_settings->beginWriteArray(QStringLiteral("savedFilters"), int(filters.size()));
    for (int i = 0; i < filters.size(); ++i) {
        m_settings->setArrayIndex(i);
        m_settings->setValue(QStringLiteral("name"), filters[i].first);
        m_settings->setValue(QStringLiteral("text"), filters[i].second);
    }
    m_settings->endArray();
}

QList<Settings::RecentHost> Settings::recentHosts() const
{
    QList<RecentHost> hosts;
    const int n = m_settings->beginReadArray(QStringLiteral("hosts"));
    for (int i = 0; i < n; ++i) {
        m_settings->setArrayIndex(i);
        hosts.append({m_settings->value(QStringLiteral("name")).toString(),
                      m_settings->value(QStringLiteral("url")).toString(),
                      m_settings->value(QStringLiteral("usedAt")).toLongLong()});
    }
    m_settings->endArray();
    return hosts;
}

void Settings::addRecentHost(const RecentHost &host)
{
    QList<RecentHost> hosts = recentHosts();
    hosts.removeIf([&](const RecentHost &known) { return known.url == host.url; });
    hosts.prepend(host);
    hosts = hosts.mid(0, 10);
    m_settings->remove(QStringLiteral("hosts"));
    m_settings->beginWriteArray(QStringLiteral("hosts"), int(hosts.size()));
    for (int i = 0; i < hosts.size(); ++i) {
        m_settings->setArrayIndex(i);
        m_settings->setValue(QStringLiteral("name"), hosts[i].name);
        m_settings->setValue(QStringLiteral("url"), hosts[i].url);
        m_settings->setValue(QStringLiteral("usedAt"), hosts[i].usedAt);
    }
    m_settings->endArray();
}

QString Settings::tokenFile() const
{
    return QFileInfo(m_settings->fileName()).dir().filePath(QStringLiteral("tokens"));
}

QString Settings::token(const QString &url) const
{
    QFile file(tokenFile());
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray wanted = url.toUtf8() + ' ';
    while (!file.atEnd()) {
        const QByteArray line = file.readLine().trimmed();
        if (line.startsWith(wanted))
            return QString::fromUtf8(line.mid(wanted.size()));
    }
    return {};
}

void Settings::rememberToken(const QString &url, const QString &token)
{
    if (url.contains(QLatin1Char(' ')) || url.contains(QLatin1Char('\n')) || token.contains(QLatin1Char('\n')))
        return;
    const QByteArray prefix = url.toUtf8() + ' ';
    QByteArray kept;
    QFile old(tokenFile());
    if (old.open(QIODevice::ReadOnly)) {
        while (!old.atEnd()) {
            const QByteArray line = old.readLine();
            if (!line.startsWith(prefix))
                kept += line;
        }
        old.close();
    }
    QDir().mkpath(QFileInfo(tokenFile()).path());
    QSaveFile file(tokenFile());
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(kept + prefix + token.toUtf8() + '\n');
    if (file.commit())
        QFile::setPermissions(tokenFile(), QFileDevice::ReadOwner | QFileDevice::WriteOwner);
}

} // namespace terrarium::ui
