// The window on scripted hosts: the tasks of the usability script that these sections allow.

#include "inspector_ui/window_fixture.h"

#include "list/actor_list_model.h"
#include "list/actor_list_view.h"
#include "models/roles.h"
#include "sections/section.h"
#include "sections/section_registry.h"
#include "shell/actor_page.h"
#include "shell/banner_strip.h"
#include "shell/gap_list.h"
#include "shell/jump_box.h"
#include "shell/section_rail.h"
#include "shell/verb_dialog.h"
#include "style/theme.h"
#include "widgets/banner.h"
#include "widgets/data_table.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QtTest>

using namespace terrarium;
using namespace terrarium::ui;

namespace {

QString stateOf(QObject *window, const char *name)
{
    QObject *item = window->findChild<QObject *>(QLatin1String(name));
    return item ? item->property("linkState").toString() : QStringLiteral("missing");
}

void clickRow(WindowFixture &f, InspectorClient *client, const QString &id)
{
    ActorListView *view = f.window->list()->view();
    const QModelIndex index = f.window->list()->model()->indexOf(client, id);
    QVERIFY(index.isValid());
    view->scrollTo(index);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
    f.settle();
}

QString textOf(QObject *window, const char *name)
{
    QObject *item = window->findChild<QObject *>(QLatin1String(name));
    return item ? item->property("text").toString() : QStringLiteral("missing");
}

} // namespace

class tst_MainWindow final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme().install(*qApp); }
    void everyNameIsThere();
    void fromNothingToLiveData();
    void findOneActorInTenThousand();
    void hostDiesAndComesBack();
    void lookingAtAnActorSendsNothingToIt();
    void switchingActorsNeverShowsTheFormerUnderTheNewTitle();
    void sleepAsksAndThenSleeps();
    void destroySaysWhatIsLost();
    void readOnlyTurnsEveryMutatingControlOff();
    void aFailedCommandIsSaidInTheBanner();
    void theRailKeepsItsPlacesAndRemembersTheSectionByType();
    void linksInTheHeaderLeadToLifecycle();
    void theGapListShowsWhatWasLost();
    void aGapWhileWatchingRaisesABannerOnce();
    void pausedViewTakesNothingOver();
    void idleWindowDoesNotRepaint();
    void layoutSurvivesARestart();
    void brokenSettingsAreMovedAside();
    void jumpFindsActorsSectionsAndCommands();
    void hostileNamesAreText();
    void everyControlHasANameForScreenReaders_data();
    void everyControlHasANameForScreenReaders();
    void paintedItemsAreInTheAccessibilityTree();
    void keyboardAloneReachesListPageAndBack();
    void narrowWindowsKeepIcons();
    void detachForgetsTheHost();
};

void tst_MainWindow::everyNameIsThere()
{
    WindowFixture f;
    f.attachMockHosts();
    f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"));
    f.settle();
    QCOMPARE(f.window->objectName(), QStringLiteral("mainWindow"));
    for (const char *name : {"mainToolBar",
                             "jumpEdit",
                             "statusConnection",
                             "statusRate",
                             "statusLag",
                             "statusGaps",
                             "statusFrame",
                             "statusEdits",
                             "statusWrites",
                             "attachAction",
                             "detachAction",
                             "pauseViewAction",
                             "recordAction",
                             "openRecordingAction",
                             "saveRecordingAction",
                             "undoAction",
                             "redoAction",
                             "pinAction",
                             "actorsDock",
                             "actorsFilterEdit",
                             "actorsFilterStatus",
                             "actorsCountLabel",
                             "savedFiltersButton",
                             "actorsView",
                             "createActorButton",
                             "actorPage",
                             "actorTitle",
                             "actorStatusIcon",
                             "actorStatusText",
                             "awakeSummary",
                             "wakeSleepButton",
                             "restartButton",
                             "destroyButton",
                             "actorMenuButton",
                             "bannerDisconnected",
                             "bannerRecording",
                             "bannerNotLive",
                             "bannerGap",
                             "bannerVersion",
                             "bannerWrites",
                             "sectionRail",
                             "sectionStack",
                             "valueDock",
                             "activityDock",
                             "welcomePage",
                             "welcomeAttachList",
                             "welcomeExampleButton",
                             "welcomeSampleButton"})
        QVERIFY2(f.window->findChild<QObject *>(QLatin1String(name)), name);
    for (const SectionInfo &info : section_registry::sections()) {
        f.window->page()->openSection(info.id);
        QVERIFY2(f.window->findChild<QWidget *>(info.id + QStringLiteral("Section")), qPrintable(info.id));
    }
    for (const char *property :
         {"frameP95Ms", "frameP99Ms", "frameMaxMs", "stallMaxMs", "pendingBatches", "themeName", "isRecordingFile"})
        QVERIFY2(f.window->property(property).isValid(), property);
    for (const char *property : {"actorId", "status", "cursorSeq", "live", "dataAgeMs", "mutable", "immutableReason"})
        QVERIFY2(f.window->page()->property(property).isValid(), property);
    QCOMPARE(f.window->findChild<QObject *>(QStringLiteral("statusConnection"))->property("hostCount").toInt(), 2);
}

void tst_MainWindow::fromNothingToLiveData()
{
    // T1: two clicks from an empty window to a changing actor.
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("example"));
    const QString counter = host.addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                                          Value::map({{QStringLiteral("count"), Value(1)}}));
    InspectorClient *client = nullptr;
    connect(f.window.get(), &MainWindow::exampleHostRequested, f.window.get(),
            [&] { client = f.window->attach(host.address()); });
    f.window->show();
    f.settle();

    QTest::mouseClick(f.window->findChild<QPushButton *>(QStringLiteral("welcomeExampleButton")), Qt::LeftButton);
    f.settle();
    QVERIFY(client);
    clickRow(f, client, counter);
    host.change(counter, Cause(QStringLiteral("timer"), QStringLiteral("tick")),
                {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("count")), Value(2))});
    host.change(counter, Cause(QStringLiteral("timer"), QStringLiteral("tick")),
                {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("count")), Value(3))});
    f.settle();

    QCOMPARE(stateOf(f.window.get(), "statusConnection"), QStringLiteral("live"));
    QCOMPARE(textOf(f.window.get(), "actorTitle"), QStringLiteral("counter/a"));
    QCOMPARE(f.window->page()->actorId(), counter);
    QVERIFY(f.window->page()->isLive());
    QCOMPARE(f.window->page()->cursorSeq(), quint64(2));
    QVERIFY(!QApplication::activeModalWidget());
}

void tst_MainWindow::findOneActorInTenThousand()
{
    // T2: type, Enter, and the page is open on the state section.
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("big"));
    host.addActors(9'999, {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("mailer"),
                           QStringLiteral("worker")});
    const QString dev = host.addActor(QStringLiteral("chatRoom"), ActorKey("dev"));
    f.window->show();
    f.attach(host);
    QCOMPARE(f.window->list()->model()->shownCount(), 10'000);
    auto *edit = f.window->findChild<QLineEdit *>(QStringLiteral("actorsFilterEdit"));

    QTest::mouseClick(edit, Qt::LeftButton);
    QTest::keyClicks(edit, QStringLiteral("type:chatRoom dev"));
    f.advance(std::chrono::milliseconds(150));
    QVERIFY2(textOf(f.window.get(), "actorsCountLabel").startsWith(QStringLiteral("1 of")),
             qPrintable(textOf(f.window.get(), "actorsCountLabel")));
    QTest::keyClick(edit, Qt::Key_Return);
    f.settle();

    QCOMPARE(f.window->page()->actorId(), dev);
    QCOMPARE(f.window->page()->rail()->current(), QStringLiteral("state"));
    const QModelIndex current = f.window->list()->view()->currentIndex();
    QCOMPARE(current.data(SortRole).toString(), QStringLiteral("chatRoom/dev"));
}

void tst_MainWindow::hostDiesAndComesBack()
{
    // T13: the loss is said at once, nothing can be changed, and after the return what was missed is a gap.
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    const QString id = host.addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                                     Value::map({{QStringLiteral("count"), Value(0)}}));
    f.window->show();
    InspectorClient *client = f.attach(host);
    f.window->showActor(client, id);
    f.settle();
    host.flood(id, 5);
    f.settle();
    QVERIFY(f.window->page()->isLive());
    const qint64 lostAt = f.environment.clock().wallMs();

    host.cut(false);
    f.settle();

    QCOMPARE(stateOf(f.window.get(), "statusConnection"), QStringLiteral("lost"));
    QVERIFY(f.window->page()->banners()->isOn(BannerStrip::Disconnected));
    QCOMPARE(f.window->findChild<QObject *>(QStringLiteral("bannerDisconnected"))->property("reason").toString(),
             QStringLiteral("lost"));
    QVERIFY(!f.window->page()->isLive());
    QVERIFY(!f.window->page()->isMutable());
    for (const char *name : {"wakeSleepButton", "restartButton", "destroyButton"}) {
        auto *button = f.window->findChild<QAbstractButton *>(QLatin1String(name));
        QVERIFY2(!button->isEnabled(), name);
        QVERIFY2(!button->property("disabledReason").toString().isEmpty(), name);
    }
    const QString frozen = textOf(f.window.get(), "actorStatusText");
    QVERIFY(frozen.contains(QStringLiteral("as of")));

    host.forgetHistory();
    for (int i = 0; i < 13; ++i) {
        f.advance(std::chrono::seconds(1));
        f.window->tick().tickNow();
        QCOMPARE(textOf(f.window.get(), "actorStatusText"), frozen); // timers stand still
    }
    QVERIFY(f.window->page()->dataAgeMs() >= 12'000);
    const int requests =
        host.count<wire::CallAction>() + host.count<wire::SleepActor>() + host.count<wire::DestroyActor>();
    host.change(id, Cause(QStringLiteral("action"), QStringLiteral("inc")),
                {DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("count")), Value(99))});
    host.forgetHistory();
    host.setReachable(true);
    for (int i = 0; i < 20; ++i)
        f.advance(std::chrono::seconds(1));

    QCOMPARE(stateOf(f.window.get(), "statusConnection"), QStringLiteral("live"));
    QVERIFY(!f.window->page()->banners()->isOn(BannerStrip::Disconnected));
    QVERIFY(f.window->page()->isLive());
    QCOMPARE(f.window->findChild<QObject *>(QStringLiteral("statusGaps"))->property("count").toInt(), 1);
    QCOMPARE(f.window->page()->feed()->state(), host.state(id));
    const FeedGap gap = client->gaps().first();
    QVERIFY(gap.from <= gap.to);
    QVERIFY(gap.to >= lostAt);
    QCOMPARE(host.count<wire::CallAction>() + host.count<wire::SleepActor>() + host.count<wire::DestroyActor>(),
             requests);
}

void tst_MainWindow::lookingAtAnActorSendsNothingToIt()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    const QString id = host.addActor(QStringLiteral("t"), ActorKey("asleep"), wire::ActorStatus::sleeping,
                                     Value::map({{QStringLiteral("a"), Value(1)}}));
    f.window->show();
    InspectorClient *client = f.attach(host);

    f.window->showActor(client, id);
    for (const SectionInfo &info : section_registry::sections()) {
        f.window->page()->openSection(info.id);
        f.settle();
        f.advance(std::chrono::seconds(2));
    }
    f.window->page()->cursor()->goTo(0);
    f.settle();

    QCOMPARE(host.wakeCount(), 0);
    QCOMPARE(host.count<wire::CallAction>(), 0);
    QCOMPARE(host.count<wire::Subscribe>(), 1);
}

void tst_MainWindow::switchingActorsNeverShowsTheFormerUnderTheNewTitle()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    const QString a = host.addActor(QStringLiteral("t"), ActorKey("a"), wire::ActorStatus::running,
                                    Value::map({{QStringLiteral("who"), Value("a")}}));
    const QString b = host.addActor(QStringLiteral("t"), ActorKey("b"), wire::ActorStatus::running,
                                    Value::map({{QStringLiteral("who"), Value("b")}}));
    f.window->show();
    InspectorClient *client = f.attach(host);
    f.window->showActor(client, a);
    f.settle();
    host.holdSnapshots(true);

    for (int i = 0; i < 20; ++i) {
        const QString id = i % 2 ? a : b;
        f.window->showActor(client, id);
        QCOMPARE(textOf(f.window.get(), "actorTitle"), i % 2 ? QStringLiteral("t/a") : QStringLiteral("t/b"));
        QCOMPARE(f.window->page()->currentSection()->context().feed->actorId(), id);
        if (f.window->page()->feed()->isLoaded())
            QCOMPARE(f.window->page()->feed()->state()["who"].toText(),
                     i % 2 ? QStringLiteral("a") : QStringLiteral("b"));
    }
    host.holdSnapshots(false);
    f.settle();
    QCOMPARE(f.window->page()->feed()->state()["who"].toText(), QStringLiteral("a"));
}

void tst_MainWindow::sleepAsksAndThenSleeps()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    const QString id = host.addActor(QStringLiteral("t"), ActorKey("a"));
    host.edit(id, [](wire::ActorSummary &actor) { actor.connections = 2; });
    f.window->show();
    InspectorClient *client = f.attach(host);
    f.window->showActor(client, id);
    f.settle();
    auto *button = f.window->findChild<QPushButton *>(QStringLiteral("wakeSleepButton"));
    QVERIFY(button->isEnabled());

    QTest::mouseClick(button, Qt::LeftButton);
    auto *dialog = f.window->findChild<VerbDialog *>();
    QVERIFY(dialog);
    QVERIFY(dialog->facts().join(QLatin1Char(' ')).contains(QStringLiteral("2 connections")));
    QCOMPARE(host.count<wire::SleepActor>(), 0);
    QTest::mouseClick(dialog->confirmButton(), Qt::LeftButton);
    f.settle();

    QCOMPARE(host.count<wire::SleepActor>(), 1);
    QCOMPARE(f.window->page()->status(), QStringLiteral("sleeping"));
    QCOMPARE(button->text(), QStringLiteral("Wake"));
    QTest::mouseClick(button, Qt::LeftButton);
    f.settle();
    QCOMPARE(host.wakeCount(), 1);
}

void tst_MainWindow::destroySaysWhatIsLost()
{
    wire::ActorSummary actor;
    actor.type = QStringLiteral("t");
    actor.key = ActorKey("a");
    actor.stateBytes = 14'200;
    actor.sequence = 12;
    actor.queueSize = 3;
    actor.schedules = 1;
    actor.hasDatabase = true;

    const VerbDialog dialog(QStringLiteral("destroy"), actor, QStringLiteral("shop"));

    const QString facts = dialog.facts().join(QLatin1Char('\n'));
    for (const char *fact : {"14.2 KB", "12 changes", "3 message", "1 schedule", "database"})
        QVERIFY2(facts.contains(QLatin1String(fact)), fact);
    QCOMPARE(dialog.objectName(), QStringLiteral("destroyDialog"));
    QVERIFY(dialog.confirmButton()->text().contains(QStringLiteral("Destroy a")));
    QVERIFY(!dialog.confirmButton()->isDefault());
}

void tst_MainWindow::readOnlyTurnsEveryMutatingControlOff()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    host.setReadOnly(true);
    const QString id = host.addActor(QStringLiteral("t"), ActorKey("a"));
    f.window->show();
    InspectorClient *client = f.attach(host);
    f.window->showActor(client, id);
    f.settle();

    QVERIFY(f.window->page()->immutableReason().contains(QStringLiteral("read-only")));
    for (const char *name : {"wakeSleepButton", "restartButton", "destroyButton", "createActorButton"}) {
        auto *button = f.window->findChild<QAbstractButton *>(QLatin1String(name));
        QVERIFY2(!button->isEnabled(), name);
        QVERIFY2(!button->property("disabledReason").toString().isEmpty(), name);
    }
    QVERIFY(f.window->findChild<QObject *>(QStringLiteral("statusEdits"))
                ->property("reason")
                .toString()
                .contains(QStringLiteral("read-only")));
}

void tst_MainWindow::aFailedCommandIsSaidInTheBanner()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    const QString id = host.addActor(QStringLiteral("t"), ActorKey("a"));
    f.window->show();
    InspectorClient *client = f.attach(host);
    f.window->showActor(client, id);
    f.settle();
    host.holdReplies(true);
    QTest::mouseClick(f.window->findChild<QPushButton *>(QStringLiteral("restartButton")), Qt::LeftButton);
    f.settle();

    host.cut(false);
    f.settle();

    QVERIFY(f.window->page()->banners()->isOn(BannerStrip::Command));
    QCOMPARE(f.window->page()->banners()->banner(BannerStrip::Command)->reason(), QStringLiteral("unconfirmed"));
    host.holdReplies(false);
    const int restarts = host.count<wire::RestartActor>();
    host.setReachable(true);
    for (int i = 0; i < 5; ++i)
        f.advance(std::chrono::seconds(1));
    QCOMPARE(host.count<wire::RestartActor>(), restarts); // never sent again
}

void tst_MainWindow::theRailKeepsItsPlacesAndRemembersTheSectionByType()
{
    WindowFixture f;
    f.attachMockHosts();
    f.window->show();
    f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"));
    f.settle();
    SectionRail *rail = f.window->page()->rail();
    QList<QRect> places;
    for (int i = 0; i < rail->count(); ++i)
        places.append(rail->itemRect(i));

    QTest::mouseClick(rail, Qt::LeftButton, {}, rail->itemRect(4).center());
    QCOMPARE(rail->current(), QStringLiteral("actions"));
    f.window->openActor(f.shopClient, QStringLiteral("counter"), ActorKey("a"));
    f.settle();
    QCOMPARE(rail->current(), QStringLiteral("state"));
    f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("dev"));
    f.settle();

    QCOMPARE(rail->current(), QStringLiteral("actions"));
    for (int i = 0; i < rail->count(); ++i)
        QCOMPARE(rail->itemRect(i), places[i]);
    QTest::keyClick(rail, Qt::Key_Down);
    QCOMPARE(rail->current(), QStringLiteral("queue"));
    QTest::keyClick(f.window.get(), Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(rail->current(), QStringLiteral("overview"));
}

void tst_MainWindow::linksInTheHeaderLeadToLifecycle()
{
    // T3: the summary names every reason, and one click shows them all.
    WindowFixture f;
    f.attachMockHosts();
    f.window->show();
    f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"));
    f.settle();
    auto *summary = f.window->findChild<QWidget *>(QStringLiteral("awakeSummary"));
    QVERIFY(summary->accessibleName().contains(QStringLiteral("2 connections")));
    QVERIFY(summary->accessibleName().contains(QStringLiteral("turn 41")));

    QTest::mouseClick(summary, Qt::LeftButton, {}, QPoint(10, summary->height() / 2));

    QCOMPARE(f.window->page()->rail()->current(), QStringLiteral("lifecycle"));
}

void tst_MainWindow::theGapListShowsWhatWasLost()
{
    WindowFixture f;
    f.attachMockHosts();
    f.window->show();
    f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"));
    f.settle();
    auto *gaps = f.window->findChild<QAbstractButton *>(QStringLiteral("statusGaps"));
    QCOMPARE(gaps->property("count").toInt(), 1);

    QTest::mouseClick(gaps, Qt::LeftButton);

    auto *list = f.window->findChild<GapList *>(QStringLiteral("gapList"));
    QVERIFY(list && list->isVisible());
    QCOMPARE(list->table()->model()->rowCount(), 1);
    QCOMPARE(list->table()->model()->index(0, 2).data().toString(), QStringLiteral("37"));
}

void tst_MainWindow::aGapWhileWatchingRaisesABannerOnce()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    const QString id = host.addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                                     Value::map({{QStringLiteral("count"), Value(0)}}));
    f.window->show();
    InspectorClient *client = f.attach(host);
    f.window->showActor(client, id);
    f.settle();
    f.advance(std::chrono::seconds(1));
    QVERIFY(!f.window->page()->banners()->isOn(BannerStrip::Gap));

    host.withhold(id);
    host.flood(id, 37);
    f.settle();
    host.release(id, 37);
    f.settle();
    f.advance(std::chrono::seconds(1));

    QVERIFY(f.window->page()->banners()->isOn(BannerStrip::Gap));
    QVERIFY(f.window->page()->banners()->banner(BannerStrip::Gap)->fact().contains(QStringLiteral("37")));
    QVERIFY(f.window->page()->isLive());
    f.window->showActor(client, host.addActor(QStringLiteral("x"), ActorKey("x")));
    QVERIFY(!f.window->page()->banners()->isOn(BannerStrip::Gap));
}

void tst_MainWindow::pausedViewTakesNothingOver()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    const QString id = host.addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                                     Value::map({{QStringLiteral("count"), Value(0)}}));
    f.window->show();
    InspectorClient *client = f.attach(host);
    f.window->showActor(client, id);
    f.settle();

    f.window->findChild<QAction *>(QStringLiteral("pauseViewAction"))->setChecked(true);
    host.flood(id, 10);
    f.advance(std::chrono::milliseconds(200));
    QCOMPARE(f.window->page()->feed()->newestSequence(), quint64(0));

    f.window->findChild<QAction *>(QStringLiteral("pauseViewAction"))->setChecked(false);
    f.advance(std::chrono::milliseconds(200));
    QCOMPARE(f.window->page()->feed()->newestSequence(), quint64(10));
}

void tst_MainWindow::idleWindowDoesNotRepaint()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("shop"));
    host.addActor(QStringLiteral("t"), ActorKey("a"), wire::ActorStatus::sleeping);
    f.window->show();
    f.attach(host);
    f.advance(std::chrono::seconds(1));
    const quint64 beats = f.window->tick().beats();
    class Counter final : public QObject {
    public:
        int paints = 0;
        bool eventFilter(QObject *, QEvent *event) override
        {
            paints += event->type() == QEvent::Paint ? 1 : 0;
            return false;
        }
    } counter;
    f.window->list()->view()->viewport()->installEventFilter(&counter);

    f.environment.advance(std::chrono::milliseconds(900)); // pings are answered meanwhile
    QCoreApplication::processEvents();

    QVERIFY2(f.window->tick().beats() - beats <= 2, qPrintable(QString::number(f.window->tick().beats() - beats)));
    QCOMPARE(counter.paints, 0);
}

void tst_MainWindow::layoutSurvivesARestart()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("w.ini"));
    testing::SimulatedEnvironment environment;
    {
        Settings settings(file);
        MainWindow window(environment.environment(), settings);
        window.show();
        window.findChild<QDockWidget *>(QStringLiteral("valueDock"))->show();
        window.list()->setFilterText(QStringLiteral("type:chatRoom"));
        window.close();
    }
    Settings settings(file);
    MainWindow window(environment.environment(), settings);
    window.show();

    QVERIFY(!window.findChild<QDockWidget *>(QStringLiteral("valueDock"))->isHidden());
    QCOMPARE(window.findChild<QLineEdit *>(QStringLiteral("actorsFilterEdit"))->text(),
             QStringLiteral("type:chatRoom"));
    QCOMPARE(window.list()->model()->filter().text(), QStringLiteral("type:chatRoom"));
}

void tst_MainWindow::brokenSettingsAreMovedAside()
{
    QTemporaryDir folder;
    const QString name = folder.filePath(QStringLiteral("w.ini"));
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("\x00\x01\x02 garbage\nmore", 17));
    file.close();

    Settings settings(name);

    QCOMPARE(settings.theme(), ThemeMode::System);
    QVERIFY(QFile::exists(settings.movedAside()));
    settings.setTheme(ThemeMode::Dark);
    QCOMPARE(Settings(name).theme(), ThemeMode::Dark);
}

void tst_MainWindow::jumpFindsActorsSectionsAndCommands()
{
    WindowFixture f;
    f.attachMockHosts();
    f.window->show();
    QVERIFY(QTest::qWaitForWindowActive(f.window.get()));
    auto *jump = f.window->findChild<JumpBox *>(QStringLiteral("jumpEdit"));
    jump->setFocus();

    QTest::keyClicks(jump, QStringLiteral("@counter/a"));
    QVERIFY(jump->shownCount() >= 1);
    QCOMPARE(jump->shownText(0), QStringLiteral("counter/a"));
    QTest::keyClick(jump, Qt::Key_Return);
    f.settle();
    QCOMPARE(textOf(f.window.get(), "actorTitle"), QStringLiteral("counter/a"));

    jump->setFocus();
    QTest::keyClicks(jump, QStringLiteral("Lifecycle"));
    QTest::keyClick(jump, Qt::Key_Return);
    QCOMPARE(f.window->page()->rail()->current(), QStringLiteral("lifecycle"));
}

void tst_MainWindow::hostileNamesAreText()
{
    WindowFixture f;
    FakeHost host(f.environment, QStringLiteral("<b>shop</b>"));
    const QString id = host.addActor(
        QStringLiteral("<img src=x>"),
        ActorKey(QStringList{QStringLiteral("<a href='http://example.invalid'>"), QString(2000, QLatin1Char('x'))}));
    host.edit(id, [](wire::ActorSummary &actor) {
        actor.status = wire::ActorStatus::crashed;
        actor.lastError = wire::ErrorInfo{QStringLiteral("<b>"), QStringLiteral("\u202e"),
                                          QString(100'000, QLatin1Char('<')), Value(), 0};
    });
    f.window->show();
    InspectorClient *client = f.attach(host);
    f.window->showActor(client, id);
    f.settle();

    for (const QLabel *label : f.window->findChildren<QLabel *>())
        QVERIFY2(label->textFormat() == Qt::PlainText
                     || (label->textFormat() == Qt::AutoText && !Qt::mightBeRichText(label->text())),
                 qPrintable(label->text().left(80)));
    for (const QWidget *widget : f.window->findChildren<QWidget *>())
        QVERIFY2(!widget->toolTip().contains(QStringLiteral("<img"))
                     && !widget->toolTip().contains(QStringLiteral("<a ")),
                 qPrintable(widget->objectName()));
    QVERIFY(f.window->width() <= 1280);
}

void tst_MainWindow::everyControlHasANameForScreenReaders_data()
{
    QTest::addColumn<QString>("section");
    QTest::newRow("welcome") << QString();
    for (const SectionInfo &info : section_registry::sections())
        QTest::newRow(qPrintable(info.id)) << info.id;
}

void tst_MainWindow::everyControlHasANameForScreenReaders()
{
    QFETCH(QString, section);
    WindowFixture f;
    f.window->show();
    if (!section.isEmpty()) {
        f.attachMockHosts();
        f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"), section);
        f.settle();
    }

    QStringList nameless;
    for (QWidget *widget : f.window->findChildren<QWidget *>()) {
        if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || !(widget->focusPolicy() & Qt::TabFocus))
            continue;
        QString name = widget->accessibleName();
        if (const auto *button = qobject_cast<QAbstractButton *>(widget); button && name.isEmpty())
            name = button->text();
        if (name.isEmpty())
            nameless.append(
                QStringLiteral("%1 (%2)").arg(QLatin1String(widget->metaObject()->className()), widget->objectName()));
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
}

void tst_MainWindow::paintedItemsAreInTheAccessibilityTree()
{
    WindowFixture f;
    f.attachMockHosts();
    f.window->show();
    f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"));
    f.settle();

    QAccessibleInterface *rail = QAccessible::queryAccessibleInterface(f.window->page()->rail());

    QVERIFY(rail);
    QCOMPARE(rail->childCount(), int(section_registry::sections().size()));
    QSet<QString> names;
    for (int i = 0; i < rail->childCount(); ++i) {
        QAccessibleInterface *item = rail->child(i);
        QVERIFY(!item->text(QAccessible::Name).isEmpty());
        QVERIFY(item->role() == QAccessible::ListItem);
        QCOMPARE(item->parent()->object(), rail->object());
        QCOMPARE(rail->indexOfChild(item), i);
        names.insert(item->text(QAccessible::Name));
    }
    QCOMPARE(names.size(), rail->childCount());
    QVERIFY(rail->child(1)->state().selected);
    rail->child(2)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(f.window->page()->rail()->current(), QStringLiteral("lifecycle"));
}

void tst_MainWindow::keyboardAloneReachesListPageAndBack()
{
    WindowFixture f;
    f.attachMockHosts();
    f.window->show();
    QVERIFY(QTest::qWaitForWindowActive(f.window.get()));

    QTest::keyClick(f.window.get(), Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), f.window->findChild<QWidget *>(QStringLiteral("actorsFilterEdit")));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(f.window->list()->view()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    f.settle();
    QVERIFY(!f.window->page()->isEmpty());
    QTest::keyClick(f.window.get(), Qt::Key_F6);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(f.window->page()->rail()));
    QTest::keyClick(f.window.get(), Qt::Key_F6);
    QVERIFY(f.window->page()->currentSection()->isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(f.window.get(), Qt::Key_F6);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget *>(f.window->list()->view()));
}

void tst_MainWindow::narrowWindowsKeepIcons()
{
    WindowFixture f;
    f.attachMockHosts();
    f.window->show();
    f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"));
    f.settle();
    f.window->resize(1280, 800);
    QCoreApplication::processEvents();
    QVERIFY(!f.window->page()->rail()->iconsOnly());

    f.window->resize(950, 700);
    QCoreApplication::processEvents();

    QVERIFY(f.window->page()->rail()->iconsOnly());
    QVERIFY2(f.window->width() <= 960, qPrintable(QString::number(f.window->width())));
}

void tst_MainWindow::detachForgetsTheHost()
{
    WindowFixture f;
    f.attachMockHosts();
    f.window->show();
    f.window->openActor(f.shopClient, QStringLiteral("chatRoom"), ActorKey("lobby"));
    f.settle();

    f.window->findChild<QAction *>(QStringLiteral("detachAction"))->trigger();
    f.settle();

    QCOMPARE(f.window->links().size(), 1);
    QVERIFY(f.window->page()->isEmpty());
    QCOMPARE(f.window->list()->model()->rowCount(), 1);
    f.window->findChild<QAction *>(QStringLiteral("detachAction"))->trigger();
    f.settle();
    QCOMPARE(stateOf(f.window.get(), "statusConnection"), QStringLiteral("none"));
    QVERIFY(f.window->findChild<QWidget *>(QStringLiteral("welcomePage"))->isVisible());
}

QTEST_MAIN(tst_MainWindow)
#include "tst_main_window.moc"
