#pragma once
// The window: menu, toolbar, actor list at the left, one actor's page in the middle, figures below.
//
// It owns the links and the beat. Hosts come in by attach(), by the attach dialog, or from the program that runs
// the example host in the same process. Nothing here knows actor code.

#include "client/host_directory.h"
#include "client/inspector_client.h"
#include "shell/host_links.h"
#include "shell/ui_tick.h"

#include <QMainWindow>
#include <QPointer>

#include <functional>

QT_BEGIN_NAMESPACE
class QAction;
class QActionGroup;
class QStackedWidget;
class QToolButton;
QT_END_NAMESPACE

namespace terrarium::ui {

class ActorListPanel;
class ActorPage;
class AttachDialog;
class EmptyState;
class JumpBox;
class Settings;
class StatusLine;
class WelcomePage;
struct JumpTarget;

class MainWindow final : public QMainWindow {
    Q_OBJECT
    Q_PROPERTY(double frameP50Ms READ frameP50Ms)
    Q_PROPERTY(double frameP95Ms READ frameP95Ms)
    Q_PROPERTY(double frameP99Ms READ frameP99Ms)
    Q_PROPERTY(double frameMaxMs READ frameMaxMs)
    Q_PROPERTY(double stallMaxMs READ stallMaxMs)
    Q_PROPERTY(int pendingBatches READ pendingBatches)
    Q_PROPERTY(QString themeName READ themeName)
    Q_PROPERTY(bool isRecordingFile READ isRecordingFile)
public:
    MainWindow(Environment &environment, Settings &settings, QWidget *parent = nullptr);
    ~MainWindow() override;

    HostLinks &links() { return m_links; }
    UiTick &tick() { return m_tick; }
    ActorPage *page() const { return m_page; }
    ActorListPanel *list() const { return m_list; }
    WelcomePage *welcome() const { return m_welcome; }

    /// Where running hosts are found; host_directory::hosts unless tests say otherwise.
    void setDiscovery(std::function<QList<DiscoveredHost>()> discovery);
    /// Why no example host can be started; empty: it can. At first: it can.
    void setExampleUnavailable(const QString &reason);

    InspectorClient *attach(const HostAddress &address);
    void detach(InspectorClient *client);
    /// Shows the actor as soon as the host lists it. `section` may be empty.
    void openActor(InspectorClient *client, const QString &type, const ActorKey &key, const QString &section = {});
    void showActor(InspectorClient *client, const QString &actorId, const QString &section = {});
    AttachDialog *openAttachDialog(const QUrl &url = {}, const QString &token = {});
    void openCreateDialog();
    void showWelcome();

    double frameP50Ms() const { return m_tick.frameP50Ms(); }
    double frameP95Ms() const { return m_tick.frameP95Ms(); }
    double frameP99Ms() const { return m_tick.frameP99Ms(); }
    double frameMaxMs() const { return m_tick.frameMaxMs(); }
    double stallMaxMs() const { return m_tick.stallMaxMs(); }
    int pendingBatches() const;
    QString themeName() const;
    bool isRecordingFile() const { return false; }

Q_SIGNALS:
    /// The program should run the example host and attach() it.
    void exampleHostRequested();

protected:
    bool event(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    QMenu *createPopupMenu() override;

private:
    void makeActions();
    void makeMenus();
    void makeToolBar();
    void makeDocks();
    void connectParts();
    void restoreLayoutFromSettings();
    void refreshCentre();
    void refreshActions();
    void refreshDiscovered();
    void beat();
    void slowTick();
    void tryPendingActor();
    void setPaused(bool paused);
    void setThemeMode(int mode);
    void showGaps();
    void showAbout();
    void showShortcuts();
    void explainLink(InspectorClient *client);
    void followTry(const QString &what);
    std::vector<JumpTarget> jumpTargets();
    QAction *action(const char *name, const QString &text, const QString &icon, const QList<QKeySequence> &keys);

    Environment &m_environment;
    Settings &m_settings;
    HostLinks m_links;
    UiTick m_tick;
    std::function<QList<DiscoveredHost>()> m_discovery;

    ActorListPanel *m_list = nullptr;
    ActorPage *m_page = nullptr;
    WelcomePage *m_welcome = nullptr;
    EmptyState *m_nothing = nullptr;
    QStackedWidget *m_centre = nullptr;
    StatusLine *m_status = nullptr;
    JumpBox *m_jump = nullptr;
    QDockWidget *m_actorsDock = nullptr;
    QDockWidget *m_valueDock = nullptr;
    QDockWidget *m_activityDock = nullptr;
    QMenu *m_panelsMenu = nullptr;
    QActionGroup *m_themeActions = nullptr;

    QAction *m_attach = nullptr;
    QAction *m_detach = nullptr;
    QAction *m_pause = nullptr;
    QAction *m_record = nullptr;
    QAction *m_open = nullptr;
    QAction *m_save = nullptr;
    QAction *m_undo = nullptr;
    QAction *m_redo = nullptr;
    QAction *m_pin = nullptr;
    QAction *m_create = nullptr;
    QAction *m_wakeSleep = nullptr;
    QAction *m_restart = nullptr;
    QAction *m_destroy = nullptr;
    QAction *m_reconnect = nullptr;

    bool m_welcomeForced = false;
    struct Pending {
        QPointer<InspectorClient> client;
        QString type;
        ActorKey key;
        QString section;
    };
    std::optional<Pending> m_pendingActor;
};

} // namespace terrarium::ui
