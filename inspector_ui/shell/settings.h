#pragma once
// What the window remembers between starts: an INI file of the user. Never tokens, state or logs.
//
// A file that cannot be read is moved aside and defaults are used. A layout of another version is not restored.

#include "style/theme.h"

#include <QSettings>
#include <QStringList>

#include <memory>

namespace terrarium::ui {

class Settings final {
public:
    /// Raised when saved docks would not fit the window any more.
    static constexpr int layoutVersion = 1;

    /// Empty: the user's own file. Tests give a file of their own.
    explicit Settings(const QString &file = {});

    QByteArray geometry() const;
    QByteArray layout() const; ///< empty when saved by another layout version
    void saveLayout(const QByteArray &geometry, const QByteArray &layout);
    void resetLayout();

    ThemeMode theme() const;
    void setTheme(ThemeMode mode);
    double textScale() const;
    void setTextScale(double scale);
    /// Section opened last for actors of a type; "state" at first.
    QString section(const QString &type) const;
    void setSection(const QString &type, const QString &section);
    QString actorFilter() const;
    void setActorFilter(const QString &filter);
    QStringList filterHistory() const;
    void addToFilterHistory(const QString &filter);
    /// Saved filters: name and text.
    QList<std::pair<QString, QString>> savedFilters() const;
    void setSavedFilters(const QList<std::pair<QString, QString>> &filters);

    struct RecentHost {
        QString name;
        QString url;
        qint64 usedAt = 0; ///< wall ms
    };
    QList<RecentHost> recentHosts() const;
    void addRecentHost(const RecentHost &host);
    /// A token that was to be remembered, from a file only the owner can read, beside the settings.
    QString token(const QString &url) const;
    void rememberToken(const QString &url, const QString &token);

    /// Where a file that could not be read went; empty when all is well.
    QString movedAside() const { return m_movedAside; }

private:
    QString tokenFile() const;

    std::unique_ptr<QSettings> m_settings;
    QString m_movedAside;
};

} // namespace terrarium::ui
