#include "shell/main_window.h"

#include "list/actor_list_model.h"
#include "list/actor_list_panel.h"
#include "list/actor_list_view.h"
#include "models/format.h"
#include "models/link_facts.h"
#include "sections/section.h"
#include "sections/section_registry.h"
#include "shell/actor_page.h"
#include "shell/attach_dialog.h"
#include "shell/banner_strip.h"
#include "shell/create_actor_dialog.h"
#include "shell/gap_list.h"
#include "shell/jump_box.h"
#include "shell/section_rail.h"
#include "shell/settings.h"
#include "shell/status_line.h"
#include "shell/welcome_page.h"
#include "style/english_plurals.h"
#include "style/icons.h"
#include "widgets/empty_state.h"
#include "widgets/icon_button.h"
#include "widgets/painted_items.h"

#include "async/environment.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFrame>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace terrarium::ui {

namespace {

/// Who edits, as other inspectors read it in causes.
QString windowInspectorName()
{
    const QString user = qEnvironmentVariable("USER");
    return user.isEmpty() ? QStringLiteral("window") : QStringLiteral("window of %1").arg(user);
}

void windowPlainMessage(QWidget *parent, const QString &title, const QString &text, const QString &detail)
{
    auto *box = new QMessageBox(QMessageBox::NoIcon, title, text, QMessageBox::Ok, parent);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(detail);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace

MainWindow::MainWindow(Environment &environment, Settings &settings, QWidget *parent)
    : QMainWindow(parent),
      m_environment(environment),
      m_settings(settings),
      m_links(environment, windowInspectorName()),
      m_tick(environment, m_links),
      m_discovery([] { return host_directory::hosts(); })
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Terrarium"));
    setWindowIcon(icons::product());
    setMinimumSize(900, 600);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setContextMenuPolicy(Qt::NoContextMenu);
    theme().setTextScale(settings.textScale());
    EnglishPlurals::ensure();
    installPaintedItemsAccessibility();

    m_page = new ActorPage(environment, settings, this);
    m_list = new ActorListPanel(environment.clock, m_links, settings, this);
    m_welcome = new WelcomePage(this);
    m_nothing = new EmptyState(this);
    m_nothing->setObjectName(QStringLiteral("nothingSelected"));
    m_centre = new QStackedWidget(this);
    m_centre->addWidget(m_welcome);
    m_centre->addWidget(m_nothing);
    m_centre->addWidget(m_page);
    setCentralWidget(m_centre);

    m_status = new StatusLine(m_links, m_tick, *m_page, this);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 1, 0, 0);
    statusBar()->addWidget(m_status, 1);
    statusBar()->setFixedHeight(std::max(25, theme().rowHeight() + 1));

    makeActions();
    makeToolBar();
    makeDocks();
    makeMenus();
    connectParts();
    resize(1280, 800);
    restoreLayoutFromSettings();
    refreshCentre();
    refreshActions();
}

MainWindow::~MainWindow()
{
    // Pages hold feeds of the links: they go first.
    m_page->disconnect(this);
    m_page->clear();
    m_links.disconnect(this);
    delete m_centre;
    delete m_actorsDock;
}

QAction *MainWindow::action(const char *name, const QString &text, const QString &icon, const QList<QKeySequence> &keys)
{
    auto *made = new QAction(text, this);
    made->setObjectName(QLatin1String(name));
    if (!icon.isEmpty())
        made->setIcon(icons::icon(icon));
    made->setShortcuts(keys);
    addAction(made);
    return made;
}

void MainWindow::makeActions()
{
    m_attach = action("attachAction", tr("&Attach…"), QStringLiteral("attach"),
                      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)});
    m_attach->setIconText(tr("Attach"));
    m_detach = action("detachAction", tr("&Detach"), QStringLiteral("detach"), {});
    m_pause = action("pauseViewAction", tr("&Pause view"), QStringLiteral("pause"),
                     {QKeySequence(Qt::Key_Pause), QKeySequence(Qt::CTRL | Qt::Key_Period)});
    m_pause->setCheckable(true);
    m_record = action("recordAction", tr("&Record"), QStringLiteral("record"),
                      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)});
    m_record->setIcon(icons::icon(QStringLiteral("record"), ColorRole::Bad));
    m_open = action("openRecordingAction", tr("&Open recording…"), QStringLiteral("open"), {QKeySequence::Open});
    m_save = action("saveRecordingAction", tr("&Save last 5 minutes…"), QStringLiteral("save"), {QKeySequence::Save});
    m_undo = action("undoAction", tr("&Undo"), QStringLiteral("undo"), {QKeySequence::Undo});
    m_redo =
        action("redoAction", tr("&Redo"), QStringLiteral("redo"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)});
    m_pin = action("pinAction", tr("&Pin"), QStringLiteral("pin"), {QKeySequence(Qt::CTRL | Qt::Key_D)});
    m_create = action("createActorAction", tr("&Create actor…"), QStringLiteral("plus"), {QKeySequence::New});
    m_wakeSleep =
        action("wakeSleepAction", tr("&Sleep…"), QStringLiteral("state-sleeping"), {QKeySequence(Qt::Key_F7)});
    m_restart = action("restartAction", tr("R&estart"), QStringLiteral("restart"), {});
    m_destroy = action("destroyAction", tr("&Destroy…"), QStringLiteral("state-destroying"), {});
    m_reconnect = action("reconnectAction", tr("&Reconnect now"), QStringLiteral("attach"), {QKeySequence(Qt::Key_F5)});

    connect(m_attach, &QAction::triggered, this, [this] { openAttachDialog(); });
    connect(m_detach, &QAction::triggered, this, [this] {
        InspectorClient *client = m_page->client() ? m_page->client() : m_links.at(m_links.size() - 1);
        if (client)
            detach(client);
    });
    connect(m_pause, &QAction::toggled, this, &MainWindow::setPaused);
    connect(m_create, &QAction::triggered, this, &MainWindow::openCreateDialog);
    connect(m_wakeSleep, &QAction::triggered, this,
            [this] { m_page->requestVerb(m_wakeSleep->property("verb").toString()); });
    connect(m_restart, &QAction::triggered, this, [this] { m_page->requestVerb(QStringLiteral("restart")); });
    connect(m_destroy, &QAction::triggered, this, [this] { m_page->requestVerb(QStringLiteral("destroy")); });
    connect(m_reconnect, &QAction::triggered, this, [this] { m_links.reconnectAll(); });

    const QString noRecorder = tr("Off: this version records nothing.");
    for (QAction *off : {m_record, m_open, m_save}) {
        off->setEnabled(false);
        off->setToolTip(noRecorder);
        off->setProperty("disabledReason", noRecorder);
    }
    const QString noEdits = tr("Off: this version edits no state.");
    for (QAction *off : {m_undo, m_redo}) {
        off->setEnabled(false);
        off->setToolTip(noEdits);
        off->setProperty("disabledReason", noEdits);
    }
    m_pin->setEnabled(false);
    m_pin->setProperty("disabledReason", tr("Off: one page is open at a time."));
}

void MainWindow::makeMenus()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_attach);
    file->addAction(m_detach);
    file->addSeparator();
    file->addAction(m_open);
    file->addAction(m_save);
    file->addSeparator();
    QAction *quit = file->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(QKeySequence::Quit);

    QMenu *edit = menuBar()->addMenu(tr("&Edit"));
    edit->addAction(m_undo);
    edit->addAction(m_redo);
    edit->addSeparator();
    QAction *filter = edit->addAction(tr("Filter &actors"), m_list, &ActorListPanel::focusFilter);
    filter->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    QAction *find = edit->addAction(tr("&Find in section"), this, [this] {
        if (Section *open = m_page->currentSection())
            open->focusFind();
    });
    find->setShortcut(QKeySequence::Find);

    QMenu *view = menuBar()->addMenu(tr("&View"));
    m_panelsMenu = view->addMenu(tr("&Panels"));
    for (QDockWidget *dock : {m_actorsDock, m_valueDock, m_activityDock})
        m_panelsMenu->addAction(dock->toggleViewAction());
    m_panelsMenu->addSeparator();
    m_panelsMenu->addAction(tr("&Reset layout"), this, [this] {
        m_settings.resetLayout();
        m_actorsDock->setFloating(false);
        addDockWidget(Qt::LeftDockWidgetArea, m_actorsDock);
        m_actorsDock->show();
        m_valueDock->hide();
        m_activityDock->hide();
        resizeDocks({m_actorsDock}, {317}, Qt::Horizontal);
    });
    QMenu *sections = view->addMenu(tr("&Sections"));
    for (int i = 0; i < section_registry::sections().size(); ++i) {
        const SectionInfo &info = section_registry::sections().at(i);
        QAction *open = sections->addAction(info.title, this, [this, i] {
            m_page->openSection(i);
            m_page->focusSection();
        });
        open->setObjectName(info.id + QStringLiteral("SectionAction"));
        if (i < 9)
            open->setShortcuts(
                {QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)), QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + i))});
        addAction(open);
    }
    sections->addSeparator();
    const auto step = [this](int by) {
        const int count = int(section_registry::sections().size());
        m_page->openSection((section_registry::indexOf(m_page->rail()->current()) + by + count) % count);
    };
    sections->addAction(tr("&Previous section"), this, [step] { step(-1); })
        ->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_PageUp));
    sections->addAction(tr("&Next section"), this, [step] { step(1); })
        ->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_PageDown));
    view->addSeparator();
    view->addAction(m_pause);
    view->addSeparator();
    QMenu *themes = view->addMenu(tr("&Theme"));
    m_themeActions = new QActionGroup(this);
    const std::pair<ThemeMode, QString> modes[] = {{ThemeMode::System, tr("&System")},
                                                   {ThemeMode::Light, tr("&Light")},
                                                   {ThemeMode::Dark, tr("&Dark")},
                                                   {ThemeMode::HighContrast, tr("&High contrast")}};
    for (const auto &[mode, text] : modes) {
        QAction *choose = themes->addAction(text);
        choose->setCheckable(true);
        choose->setChecked(theme().mode() == mode);
        choose->setData(int(mode));
        m_themeActions->addAction(choose);
    }
    connect(m_themeActions, &QActionGroup::triggered, this,
            [this](QAction *chosen) { setThemeMode(chosen->data().toInt()); });
    const auto zoom = [this](double factor) {
        theme().setTextScale(factor == 0 ? 1.0 : theme().textScale() * factor);
        m_settings.setTextScale(theme().textScale());
    };
    view->addAction(tr("Larger &text"), this, [zoom] { zoom(1.1); })
        ->setShortcuts({QKeySequence::ZoomIn, QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    view->addAction(tr("S&maller text"), this, [zoom] { zoom(1 / 1.1); })->setShortcut(QKeySequence::ZoomOut);
    view->addAction(tr("&Usual text size"), this, [zoom] { zoom(0); })->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_0));

    QMenu *actor = menuBar()->addMenu(tr("&Actor"));
    actor->addAction(m_create);
    actor->addSeparator();
    actor->addAction(m_wakeSleep);
    actor->addAction(m_restart);
    actor->addAction(m_destroy);
    actor->addSeparator();
    actor->addAction(m_pin);
    actor->addAction(tr("Copy &name"), this, [this] {
        if (!m_page->isEmpty() && m_page->client()) {
            if (const wire::ActorSummary *shown = m_page->client()->store().actor(m_page->actorId()))
                QApplication::clipboard()->setText(format::actorName(*shown));
        }
    });
    actor->addAction(tr("Copy &ID"), this, [this] {
        if (!m_page->isEmpty())
            QApplication::clipboard()->setText(m_page->actorId());
    });

    QMenu *capture = menuBar()->addMenu(tr("&Capture"));
    capture->addAction(m_record);
    capture->addAction(m_save);
    capture->addAction(m_open);

    QMenu *tools = menuBar()->addMenu(tr("&Tools"));
    QAction *jump = tools->addAction(tr("&Jump to…"), this, [this] {
        m_jump->setFocus(Qt::ShortcutFocusReason);
        m_jump->selectAll();
    });
    jump->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)});
    tools->addAction(m_reconnect);
    tools->addAction(tr("&Gaps"), this, &MainWindow::showGaps);
    QAction *nextZone = tools->addAction(tr("&Next zone"), this, [this] {
        QWidget *focus = QApplication::focusWidget();
        if (m_list->isAncestorOf(focus))
            m_page->isEmpty() ? m_jump->setFocus(Qt::ShortcutFocusReason)
                              : m_page->rail()->setFocus(Qt::ShortcutFocusReason);
        else if (m_page->isAncestorOf(focus) && focus == m_page->rail())
            m_page->focusSection();
        else
            m_list->view()->setFocus(Qt::ShortcutFocusReason);
    });
    nextZone->setShortcuts({QKeySequence(Qt::Key_F6), QKeySequence(Qt::SHIFT | Qt::Key_F6)});

    QMenu *help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Welcome page"), this, &MainWindow::showWelcome);
    QAction *keys = help->addAction(tr("&Keyboard shortcuts"), this, &MainWindow::showShortcuts);
    keys->setShortcuts({QKeySequence::HelpContents, QKeySequence(Qt::CTRL | Qt::Key_Slash)});
    help->addAction(tr("&About Terrarium"), this, &MainWindow::showAbout);
}

void MainWindow::makeToolBar()
{
    auto *bar = new QToolBar(tr("Main"), this);
    bar->setObjectName(QStringLiteral("mainToolBar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    auto *inner = new QWidget(bar);
    auto *layout = new QHBoxLayout(inner);
    layout->setContentsMargins(4, 0, 11, 0);
    layout->setSpacing(2);
    const auto button = [&](QAction *action, bool text) {
        auto *made = new QToolButton(inner);
        made->setDefaultAction(action);
        made->setAutoRaise(true);
        made->setFocusPolicy(Qt::TabFocus);
        made->setIconSize(QSize(14, 14));
        made->setToolButtonStyle(text ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        made->setAccessibleName(action->iconText());
        layout->addWidget(made);
        return made;
    };
    button(m_attach, true);
    layout->addSpacing(6);
    button(m_detach, false);
    auto *line = new QFrame(inner);
    line->setFrameShape(QFrame::VLine);
    line->setFixedSize(3, 15);
    layout->addWidget(line);
    button(m_pause, true);
    layout->addSpacing(2);
    button(m_record, true);
    layout->addSpacing(4);
    button(m_open, false);
    button(m_save, false);
    layout->addStretch(8);
    m_jump = new JumpBox(inner);
    m_jump->setFixedWidth(340);
    layout->addWidget(m_jump);
    layout->addStretch(15);
    auto *bottom = new IconButton(QStringLiteral("panel-bottom"), tr("Activity panel"), inner);
    auto *right = new IconButton(QStringLiteral("panel-right"), tr("Value panel"), inner);
    bottom->setObjectName(QStringLiteral("activityDockButton"));
    right->setObjectName(QStringLiteral("valueDockButton"));
    layout->addWidget(bottom);
    layout->addWidget(right);
    connect(bottom, &QToolButton::clicked, this, [this] { m_activityDock->setVisible(!m_activityDock->isVisible()); });
    connect(right, &QToolButton::clicked, this, [this] { m_valueDock->setVisible(!m_valueDock->isVisible()); });
    inner->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    inner->setFixedHeight(std::max(38, theme().rowHeight() + 14));
    bar->addWidget(inner);
    addToolBar(Qt::TopToolBarArea, bar);
}

void MainWindow::makeDocks()
{
    const auto dock = [this](const char *name, const QString &title, QWidget *content, Qt::DockWidgetArea area) {
        auto *made = new QDockWidget(title, this);
        made->setObjectName(QLatin1String(name));
        made->setWidget(content);
        addDockWidget(area, made);
        return made;
    };
    m_actorsDock = dock("actorsDock", tr("Actors"), m_list, Qt::LeftDockWidgetArea);
    m_actorsDock->setTitleBarWidget(new QWidget(m_actorsDock)); // the panel has a title of its own
    m_list->setMinimumWidth(240);

    auto *value = new EmptyState(this);
    value->setContent(QStringLiteral("nothingSelected"), QStringLiteral("state"), tr("No value selected"),
                      tr("Values are opened in the section that shows them."));
    m_valueDock = dock("valueDock", tr("Value"), value, Qt::RightDockWidgetArea);
    m_valueDock->hide();
    auto *activity = new EmptyState(this);
    activity->setContent(
        QStringLiteral("noActivity"), QStringLiteral("lifecycle"), tr("Nothing collected"),
        tr("Transitions and gaps of one actor are in its Lifecycle section; gaps of all in Tools, Gaps."));
    m_activityDock = dock("activityDock", tr("Activity"), activity, Qt::BottomDockWidgetArea);
    m_activityDock->hide();
}

void MainWindow::connectParts()
{
    connect(&m_tick, &UiTick::beat, this, &MainWindow::beat);
    connect(&m_tick, &UiTick::tick, this, &MainWindow::slowTick);
    connect(&m_links, &HostLinks::linkChanged, this, [this](int index) {
        if (m_page->client() && m_page->client() == m_links.at(index))
            m_page->linkChanged();
        refreshCentre();
        refreshActions();
        m_status->refresh();
        m_tick.request();
    });
    connect(&m_links, &HostLinks::gapsChanged, this, [this] { m_status->refresh(); });
    connect(&m_links, &HostLinks::added, this, [this] {
        m_welcomeForced = false;
        refreshCentre();
        refreshActions();
        m_status->refresh();
        m_tick.request();
    });
    connect(&m_links, &HostLinks::aboutToBeRemoved, this, [this](int index) {
        if (m_page->client() == m_links.at(index))
            m_page->clear();
    });
    connect(&m_links, &HostLinks::removed, this, [this] {
        refreshCentre();
        refreshActions();
        m_status->refresh();
    });
    connect(m_list, &ActorListPanel::actorSelected, this,
            [this](InspectorClient *client, const QString &id) { showActor(client, id); });
    connect(m_list, &ActorListPanel::actorOpened, this, [this] { m_page->focusSection(); });
    connect(m_list, &ActorListPanel::createRequested, this, &MainWindow::openCreateDialog);
    connect(m_list, &ActorListPanel::attachRequested, this, [this] { openAttachDialog(); });
    connect(m_list, &ActorListPanel::hostMenuRequested, this, [this](InspectorClient *client, QMenu *menu) {
        menu->addAction(tr("&Reconnect now"), client, &InspectorClient::reconnectNow)->setEnabled(!isLinked(*client));
        menu->addAction(tr("&Detach"), this, [this, client] { detach(client); });
        menu->addAction(tr("About this &host…"), this, [this, client] { explainLink(client); });
    });
    connect(m_list, &ActorListPanel::actorMenuRequested, this,
            [this](InspectorClient *client, const QStringList &ids, QMenu *menu) {
                const wire::ActorSummary *actor = client->store().actor(ids.first());
                if (!actor || ids.size() != 1)
                    return;
                const bool asleep =
                    actor->status == wire::ActorStatus::sleeping || actor->status == wire::ActorStatus::crashed;
                const QString id = ids.first();
                const auto verb = [&](const QString &text, const char *name) {
                    QAction *made = menu->addAction(
                        text, this, [this, client, id, name] { m_page->requestVerb(client, id, QLatin1String(name)); });
                    const QString reason = disabledReason(*client, nullptr, nullptr, QLatin1String(name));
                    made->setEnabled(reason.isEmpty());
                    made->setToolTip(reason);
                };
                if (asleep)
                    verb(tr("&Wake"), "wake");
                else
                    verb(tr("&Sleep…"), "sleep");
                verb(tr("&Restart"), "restart");
                verb(tr("&Destroy…"), "destroy");
                menu->addSeparator();
                menu->addAction(tr("Copy I&D"), this, [id] { QApplication::clipboard()->setText(id); });
            });
    connect(m_welcome, &WelcomePage::attachRequested, this,
            [this](const DiscoveredHost &host) { openAttachDialog(host.url, host.token)->attach(); });
    connect(m_welcome, &WelcomePage::otherAddressRequested, this, [this] { openAttachDialog(); });
    connect(m_welcome, &WelcomePage::exampleRequested, this, &MainWindow::exampleHostRequested);
    connect(m_welcome, &WelcomePage::tryRequested, this, &MainWindow::followTry);
    connect(m_page, &ActorPage::currentActorChanged, this, [this] {
        refreshCentre();
        refreshActions();
    });
    connect(m_page, &ActorPage::editsChanged, this, [this] {
        refreshActions();
        m_status->refresh();
    });
    connect(m_page, &ActorPage::reconnectRequested, this, [](InspectorClient *client) { client->reconnectNow(); });
    connect(m_page, &ActorPage::whyLostRequested, this, &MainWindow::explainLink);
    connect(m_page, &ActorPage::actorLinkActivated, this,
            [this](InspectorClient *client, const QString &id) { showActor(client, id); });
    connect(m_status, &StatusLine::gapsClicked, this, &MainWindow::showGaps);
    connect(m_status, &StatusLine::connectionClicked, this, [this] {
        if (m_links.size() == 0)
            openAttachDialog();
        else
            explainLink(m_page->client() ? m_page->client() : m_links.at(0));
    });
    m_jump->setTargets([this] { return jumpTargets(); });
}

void MainWindow::restoreLayoutFromSettings()
{
    resizeDocks({m_actorsDock}, {317}, Qt::Horizontal);
    const QByteArray layout = m_settings.layout();
    if (layout.isEmpty())
        return;
    restoreGeometry(m_settings.geometry());
    restoreState(layout, Settings::layoutVersion);
    // A window saved on a screen that is gone comes back on one that is there.
    if (const QScreen *screen = QApplication::primaryScreen();
        screen && !QApplication::screenAt(frameGeometry().center()))
        move(screen->availableGeometry().topLeft());
}

void MainWindow::setDiscovery(std::function<QList<DiscoveredHost>()> discovery)
{
    m_discovery = std::move(discovery);
    refreshDiscovered();
}

void MainWindow::setExampleUnavailable(const QString &reason)
{
    m_welcome->setExampleUnavailable(reason);
}

void MainWindow::refreshDiscovered()
{
    if (m_discovery)
        m_welcome->setHosts(m_discovery());
}

InspectorClient *MainWindow::attach(const HostAddress &address)
{
    InspectorClient *client = m_links.attach(address);
    if (client && !address.connect)
        m_settings.addRecentHost({client->name(), address.url.toString(), m_environment.clock.wallMs()});
    return client;
}

void MainWindow::detach(InspectorClient *client)
{
    m_links.detach(client);
}

void MainWindow::openActor(InspectorClient *client, const QString &type, const ActorKey &key, const QString &section)
{
    m_pendingActor = Pending{client, type, key, section};
    tryPendingActor();
}

void MainWindow::tryPendingActor()
{
    if (!m_pendingActor)
        return;
    if (!m_pendingActor->client) {
        m_pendingActor.reset();
        return;
    }
    if (const wire::ActorSummary *actor =
            m_pendingActor->client->store().find(m_pendingActor->type, m_pendingActor->key)) {
        const Pending pending = *m_pendingActor;
        m_pendingActor.reset();
        showActor(pending.client, actor->id, pending.section);
    }
}

void MainWindow::showActor(InspectorClient *client, const QString &actorId, const QString &section)
{
    m_welcomeForced = false;
    m_pendingActor.reset();
    m_page->show(client, actorId, section);
    m_list->select(client, actorId);
    refreshCentre();
    m_tick.request();
}

AttachDialog *MainWindow::openAttachDialog(const QUrl &url, const QString &token)
{
    auto *dialog = new AttachDialog(m_environment, m_links, m_settings, m_discovery, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AttachDialog::exampleHostRequested, this, &MainWindow::exampleHostRequested);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (auto client = dialog->takeClient())
            m_links.adopt(std::move(client));
    });
    if (!url.isEmpty())
        dialog->setAddress(url, token);
    dialog->open();
    return dialog;
}

void MainWindow::openCreateDialog()
{
    auto *dialog = new CreateActorDialog(m_links, m_page->client(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CreateActorDialog::created, this,
            [this](InspectorClient *client, const QString &id) { showActor(client, id); });
    dialog->open();
}

void MainWindow::showWelcome()
{
    m_welcomeForced = true;
    refreshDiscovered();
    refreshCentre();
}

void MainWindow::refreshCentre()
{
    if (m_welcomeForced || m_links.size() == 0) {
        if (m_centre->currentWidget() != m_welcome)
            refreshDiscovered();
        m_centre->setCurrentWidget(m_welcome);
        return;
    }
    if (!m_page->isEmpty()) {
        m_centre->setCurrentWidget(m_page);
        return;
    }
    bool loaded = false;
    bool any = false;
    for (int i = 0; i < m_links.size(); ++i) {
        loaded = loaded || m_links.at(i)->store().isLoaded();
        any = any || m_links.at(i)->store().size() > 0;
    }
    if (any)
        m_nothing->setContent(QStringLiteral("nothingSelected"), QStringLiteral("arrow-right"), tr("Pick an actor"),
                              tr("Its page opens here. Looking at it does not wake it or keep it awake."));
    else if (loaded)
        m_nothing->setContent(QStringLiteral("noActors"), QStringLiteral("plus"), tr("This host has no actors yet"),
                              tr("The first call of a key makes one, or create one here."));
    else
        m_nothing->setContent(QStringLiteral("connecting"), QStringLiteral("state-loading"), tr("Waiting for the host"),
                              tr("Nothing has arrived yet."));
    m_nothing->setAction(!any && loaded ? tr("Create actor…") : QString(), QStringLiteral("plus"));
    m_nothing->disconnect(this);
    connect(m_nothing, &EmptyState::actionTriggered, this, &MainWindow::openCreateDialog);
    m_centre->setCurrentWidget(m_nothing);
}

void MainWindow::refreshActions()
{
    const bool any = m_links.size() > 0;
    m_detach->setEnabled(any);
    m_pause->setEnabled(any);
    m_reconnect->setEnabled(any);
    bool mayCreate = false;
    for (int i = 0; i < m_links.size(); ++i)
        mayCreate = mayCreate || disabledReason(*m_links.at(i), nullptr, nullptr, QLatin1String("create")).isEmpty();
    m_create->setEnabled(mayCreate);

    const InspectorClient *client = m_page->client();
    const QString status = m_page->status();
    const bool asleep =
        status == QLatin1String("sleeping") || status == QLatin1String("crashed") || status == QLatin1String("backoff");
    m_wakeSleep->setProperty("verb", asleep ? QStringLiteral("wake") : QStringLiteral("sleep"));
    m_wakeSleep->setText(asleep ? tr("&Wake") : tr("&Sleep…"));
    const auto set = [&](QAction *action, const char *capability) {
        const QString reason = client ? disabledReason(*client, m_page->feed(), nullptr, QLatin1String(capability))
                                      : tr("No actor is shown.");
        action->setEnabled(reason.isEmpty());
        action->setProperty("disabledReason", reason);
        action->setToolTip(reason.isEmpty() ? action->iconText() : reason.toHtmlEscaped());
    };
    set(m_wakeSleep, asleep ? "wake" : "sleep");
    set(m_restart, "restart");
    set(m_destroy, "destroy");
}

void MainWindow::beat()
{
    tryPendingActor();
    if (!m_tick.isPaused()) {
        if (m_page->isEmpty())
            refreshCentre();
        m_page->beat();
    }
    m_status->refresh();
}

void MainWindow::slowTick()
{
    if (!isVisible() || m_tick.isPaused())
        return;
    m_list->tick();
    m_page->tick();
    m_status->refresh();
    if (m_centre->currentWidget() == m_welcome)
        refreshDiscovered();
}

void MainWindow::setPaused(bool paused)
{
    m_tick.setPaused(paused);
    m_status->refresh();
    m_pause->setText(paused ? tr("Resume view") : tr("&Pause view"));
    m_pause->setIcon(icons::icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    setWindowTitle(paused ? tr("Terrarium (view paused)") : QStringLiteral("Terrarium"));
}

void MainWindow::setThemeMode(int mode)
{
    theme().setMode(ThemeMode(mode));
    m_settings.setTheme(ThemeMode(mode));
}

void MainWindow::showGaps()
{
    auto *list = new GapList(m_links, this);
    list->setAttribute(Qt::WA_DeleteOnClose);
    connect(list, &GapList::gapOpened, this, [this, list](int host, const QString &actorId, quint64 sequence) {
        InspectorClient *client = m_links.at(host);
        if (!client)
            return;
        showActor(client, actorId, QStringLiteral("state"));
        m_page->followLink(QStringLiteral("delta:%1").arg(sequence));
        list->close();
    });
    list->show();
}

void MainWindow::explainLink(InspectorClient *client)
{
    QStringList lines;
    const wire::Welcome &welcome = client->welcome();
    lines.append(tr("Address: %1").arg(client->address().url.toDisplayString()));
    if (!welcome.bootId.isEmpty()) {
        lines.append(tr("Host: %1 %2, process %3, started %4")
                         .arg(welcome.product, welcome.productVersion)
                         .arg(welcome.pid)
                         .arg(format::time(welcome.startedAt)));
        lines.append(welcome.durability == QLatin1String("power")
                         ? tr("Acknowledged changes survive a power cut.")
                         : tr("Acknowledged changes survive the end of the process."));
        lines.append(tr("It can: %1").arg(welcome.capabilities.join(QStringLiteral(", "))));
    }
    QString fact = tr("%1 is attached.").arg(client->name());
    if (!isLinked(*client)) {
        const auto [text, next] = AttachDialog::problemText(client->problem(), client->name(), client->problemText());
        fact = text;
        lines.prepend(next);
        if (client->retryInMs() >= 0)
            lines.append(tr("Next try in %1, attempt %2. Nothing that changes the host is kept to be sent later.")
                             .arg(format::countdown(client->retryInMs()))
                             .arg(client->attempt()));
    }
    windowPlainMessage(this, client->name(), fact, lines.join(QLatin1Char('\n')));
}

void MainWindow::showAbout()
{
    windowPlainMessage(
        this, tr("About Terrarium"), QStringLiteral("Terrarium %1").arg(QStringLiteral(TERRARIUM_VERSION)),
        tr("Hosts stateful actors on this computer and lets you look inside.\nMIT licence. Uses Qt %1 under the LGPL.")
            .arg(QLatin1String(qVersion())));
}

void MainWindow::showShortcuts()
{
    QStringList lines;
    for (const QAction *known : findChildren<QAction *>()) {
        if (known->shortcut().isEmpty() || known->text().isEmpty())
            continue;
        const QString line = QStringLiteral("%1\t%2").arg(known->shortcut().toString(QKeySequence::NativeText),
                                                          QString(known->text()).remove(QLatin1Char('&')));
        if (!lines.contains(line))
            lines.append(line);
    }
    lines.sort();
    windowPlainMessage(this, tr("Keyboard shortcuts"), tr("Keyboard shortcuts"), lines.join(QLatin1Char('\n')));
}

void MainWindow::followTry(const QString &what)
{
    // Works on whichever attached host has the example's actors; else the example host is started first.
    struct Target {
        const char *type;
        const char *key;
        const char *section;
    };
    const Target target = what == QLatin1String("travel")  ? Target{"counter", "a", "state"}
                          : what == QLatin1String("awake") ? Target{"chatRoom", "lobby", "lifecycle"}
                                                           : Target{"checkout", "1842", "workflow"};
    for (int i = 0; i < m_links.size(); ++i) {
        if (const wire::ActorSummary *actor =
                m_links.at(i)->store().find(QLatin1String(target.type), ActorKey(target.key))) {
            showActor(m_links.at(i), actor->id, QLatin1String(target.section));
            return;
        }
    }
    const int before = m_links.size();
    Q_EMIT exampleHostRequested();
    if (m_links.size() > before)
        openActor(m_links.at(m_links.size() - 1), QLatin1String(target.type), ActorKey(target.key),
                  QLatin1String(target.section));
}

std::vector<JumpTarget> MainWindow::jumpTargets()
{
    std::vector<JumpTarget> targets;
    if (!m_page->isEmpty()) {
        for (const SectionInfo &info : section_registry::sections()) {
            targets.push_back({info.title, tr("section"), info.icon, '/', [this, id = info.id] {
                                   m_page->openSection(id);
                                   m_page->focusSection();
                               }});
        }
    }
    for (QAction *known : findChildren<QAction *>()) {
        if (known->isEnabled() && !known->text().isEmpty() && !known->menu() && !known->isSeparator()
            && known->parent() != m_jump && !known->objectName().endsWith(QLatin1String("SectionAction"))) {
            const QString text = QString(known->text()).remove(QLatin1Char('&'));
            if (std::none_of(targets.begin(), targets.end(), [&](const JumpTarget &t) { return t.text == text; }))
                targets.push_back({text, known->shortcut().toString(QKeySequence::NativeText),
                                   QStringLiteral("actions"), '>', [known] { known->trigger(); }});
        }
    }
    for (int i = 0; i < m_links.size(); ++i) {
        InspectorClient *client = m_links.at(i);
        for (const wire::ActorSummary &actor : client->store().actors()) {
            targets.push_back({format::actorName(actor), client->name(), format::statusIcon(actor.status), '@',
                               [this, guarded = QPointer<InspectorClient>(client), id = actor.id] {
                                   if (guarded)
                                       showActor(guarded, id);
                               }});
        }
    }
    return targets;
}

int MainWindow::pendingBatches() const
{
    int pending = 0;
    for (int i = 0; i < m_links.size(); ++i)
        pending += m_links.at(i)->hasPending() ? 1 : 0;
    return pending;
}

QString MainWindow::themeName() const
{
    return theme().name();
}

bool MainWindow::event(QEvent *event)
{
    // All painting of the window happens inside this event: its cost belongs to the frame.
    if (event->type() == QEvent::UpdateRequest) {
        const Instant begin = m_environment.clock.now();
        const bool result = QMainWindow::event(event);
        m_tick.addPaint(m_environment.clock.now() - begin);
        return result;
    }
    return QMainWindow::event(event);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_settings.saveLayout(saveGeometry(), saveState(Settings::layoutVersion));
    QMainWindow::closeEvent(event);
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    m_tick.setWatched(true);
    refreshDiscovered();
}

void MainWindow::hideEvent(QHideEvent *event)
{
    QMainWindow::hideEvent(event);
    m_tick.setWatched(false);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    m_page->rail()->setIconsOnly(width() < 1000);
}

QMenu *MainWindow::createPopupMenu()
{
    return nullptr;
}

} // namespace terrarium::ui
