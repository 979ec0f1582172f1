#pragma once
// One actor: header, banners, rail and the section that is looked at.
//
// The page holds the actor's feed and its time cursor, which all sections share. show() replaces everything in
// one go, so that nothing of the former actor stands under the new title. Looking at an actor sends nothing to it.

#include "client/actor_feed.h"
#include "client/inspector_client.h"
#include "models/time_cursor.h"

#include <QHash>
#include <QPointer>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QMenu;
class QPushButton;
class QStackedWidget;
QT_END_NAMESPACE

namespace terrarium::ui {

class BannerStrip;
class Chip;
class GlyphLabel;
class IconButton;
class RunLabel;
class Section;
class SectionRail;
class Settings;

class ActorPage final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(QString actorId READ actorId)
    Q_PROPERTY(QString status READ status)
    Q_PROPERTY(quint64 cursorSeq READ cursorSeq)
    Q_PROPERTY(bool live READ isLive)
    Q_PROPERTY(qint64 dataAgeMs READ dataAgeMs)
    Q_PROPERTY(bool mutable READ isMutable)
    Q_PROPERTY(QString immutableReason READ immutableReason)
public:
    ActorPage(Environment &environment, Settings &settings, QWidget *parent = nullptr);
    ~ActorPage() override;

    /// Empty section: the one used last for this type.
    void show(InspectorClient *client, const QString &actorId, const QString &section = {});
    void clear();
    bool isEmpty() const { return !m_feed; }

    InspectorClient *client() const { return m_client; }
    ActorFeed *feed() const { return m_feed.get(); }
    TimeCursor *cursor() { return &m_cursor; }
    SectionRail *rail() const { return m_rail; }
    BannerStrip *banners() const { return m_banners; }
    Section *currentSection() const;
    /// Made with its first use.
    Section *section(const QString &id);
    void openSection(const QString &id);
    void openSection(int index);
    /// "section:lifecycle", "delta:1284", "live": see sections/section.h.
    void followLink(const QString &link);
    void focusSection();

    void beat();
    void tick();
    void linkChanged();
    /// Sleep or wake, restart, destroy: what the buttons do.
    void requestVerb(const QString &verb);
    /// The same for another actor of the list, with its dialog.
    void requestVerb(InspectorClient *client, const QString &actorId, const QString &verb);

    QString actorId() const;
    QString status() const;
    quint64 cursorSeq() const;
    bool isLive() const;      ///< the cursor is live and the data is current
    qint64 dataAgeMs() const; ///< 0 while current
    bool isMutable() const { return immutableReason().isEmpty(); }
    QString immutableReason() const;

Q_SIGNALS:
    void currentActorChanged();
    /// A link to another actor of the same host.
    void actorLinkActivated(terrarium::InspectorClient *client, const QString &actorId);
    void reconnectRequested(terrarium::InspectorClient *client);
    void whyLostRequested(terrarium::InspectorClient *client);
    void editsChanged();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    class Header;
    class Veil;

    const wire::ActorSummary *summary() const;
    void feedChanged(const FeedChange &change);
    void updateHeader();
    void updateVerbs();
    void updateAwake();
    void updateBanners();
    void updateRail();
    void updateDim();
    void showCommandError(const QString &what, const Error &error, bool unconfirmed);
    void fillMenu(QMenu *menu);

    Environment &m_environment;
    Settings &m_settings;
    QPointer<InspectorClient> m_client;
    std::shared_ptr<ActorFeed> m_feed;
    TimeCursor m_cursor;
    bool m_headerDirty = true;
    qsizetype m_gapsSeen = 0;

    Header *m_header;
    GlyphLabel *m_glyph;
    RunLabel *m_title;
    Chip *m_status;
    Chip *m_unsaved;
    RunLabel *m_awake;
    QPushButton *m_sleep;
    QPushButton *m_restart;
    QPushButton *m_destroy;
    IconButton *m_pin;
    IconButton *m_menu;
    BannerStrip *m_banners;
    SectionRail *m_rail;
    QStackedWidget *m_stack;
    Veil *m_veil;
    QHash<QString, Section *> m_sections;
};

} // namespace terrarium::ui
