#include "inspector_ui/section_fixture.h"

#include "models/roles.h"
#include "models/value_tree_model.h"
#include "sections/delta_table.h"
#include "sections/state_section.h"
#include "sections/state_tree.h"
#include "widgets/hex_view.h"
#include "widgets/line_view.h"
#include "widgets/segmented_control.h"
#include "widgets/time_slider.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QLineEdit>
#include <QScrollBar>

using namespace terrarium;
using namespace terrarium::ui;
using namespace terrarium::testing;

namespace {

Path at(const char *text)
{
    return Path::fromText(QString::fromLatin1(text)).value_or(Path());
}

struct StateFixture : SectionFixture {
    StateFixture() : SectionFixture(QStringLiteral("state")) {}
    explicit StateFixture(Mock mock) : SectionFixture(QStringLiteral("state"), mock) {}

    StateSection *state() const { return static_cast<StateSection *>(section.get()); }
    StateTree *tree() const { return need<StateTree>("stateTree"); }
    DeltaTable *table() const { return need<DeltaTable>("deltaTable"); }
    TimeSlider *slider() const { return need<TimeSlider>("deltaSlider"); }
    QAbstractButton *button(const char *name) const { return need<QAbstractButton>(name); }
    void clickPath(const char *path)
    {
        tree()->reveal(at(path), false);
        clickRow(tree(), tree()->values()->indexOf(at(path)));
    }
    void click(const char *name)
    {
        QVERIFY2(button(name)->isEnabled(), name);
        QTest::mouseClick(button(name), Qt::LeftButton);
        beat();
    }
    QString addRoom()
    {
        return host->addActor(
            QStringLiteral("chatRoom"), ActorKey("lobby"), wire::ActorStatus::running,
            Value::map({{QStringLiteral("total"), Value(10)},
                        {QStringLiteral("title"), Value("Lobby")},
                        {QStringLiteral("members"),
                         Value::map({{QStringLiteral("linus"), Value::map({{QStringLiteral("x"), Value(112)}})}})}}));
    }
    quint64 set(const QString &id, const char *path, Value value, const char *action = "move")
    {
        return host->change(id, Cause(QStringLiteral("action"), QString::fromLatin1(action)),
                            {DeltaOp(DeltaOp::Kind::Set, at(path), std::move(value))});
    }
};

} // namespace

class TestStateSection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { prepareSectionTest(); }

    void clickingTheNewestChangeShowsWhatChangedAndWhoDidIt() // T4
    {
        StateFixture f(SectionFixture::MockShop);
        f.show(f.host->idOf(QStringLiteral("chatRoom"), ActorKey("lobby")));
        f.clickRow(f.table(), f.table()->model()->index(0, 0));
        f.beat();
        QCOMPARE(f.table()->currentIndex().data(CauseRole).toString(), QStringLiteral("action:move"));
        QCOMPARE(f.tree()->markedPaths(), QStringList{QStringLiteral("members.linus.cursor.x")});
        const QModelIndex x = f.tree()->values()->indexOf(at("members.linus.cursor.x"));
        QCOMPARE(x.data(OldValueRole).toString(), QStringLiteral("112"));
        QCOMPARE(x.data(NewValueRole).toString(), QStringLiteral("118"));
        QVERIFY(x.siblingAtColumn(ValueTreeModel::GutterColumn)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QLatin1Char('~')));
    }

    void theChangeThatBrokeAPlaceIsFoundAndComparedWithNow() // T5
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        quint64 broken = 0;
        for (int i = 1; i <= 200; ++i) {
            if (i == 120)
                broken = f.set(id, "total", Value(-1), "checkout");
            else
                f.set(id, "members.linus.x", Value(i));
        }
        f.beat();
        const int before = f.host->framesReceived();
        f.clickPath("total");
        f.click("pathPrevChangeButton");
        QCOMPARE(f.slider()->value(), broken);
        QCOMPARE(f.find<QWidget>("liveBadge")->property("live").toBool(), false);
        QVERIFY(!f.cursor.isLive());
        const QModelIndex row = f.table()->currentIndex();
        QCOMPARE(row.data(OldValueRole).toString(), QStringLiteral("10"));
        QCOMPARE(row.data(NewValueRole).toString(), QStringLiteral("-1"));
        f.click("stateBaselineButton");
        f.click("deltaLiveButton");
        QVERIFY(f.cursor.isLive());
        QCOMPARE(f.find<QWidget>("liveBadge")->property("live").toBool(), true);
        QCOMPARE(f.tree()->highlightMode(), QStringLiteral("baseline"));
        QCOMPARE(f.tree()->markedPaths(), QStringList{QStringLiteral("members.linus.x")});
        QCOMPARE(f.host->framesReceived(), before);
    }

    void theStateOfThePastIsShownExactly()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        QList<quint64> sequences;
        for (int i = 0; i < 50; ++i)
            sequences.append(f.set(id, "total", Value(1000 + i)));
        f.beat();
        for (const int i : {3, 40, 0, 49}) {
            f.cursor.goTo(sequences[i]);
            f.beat();
            QCOMPARE(f.tree()->values()->state()["total"].toInt(), 1000 + i);
            QCOMPARE(f.table()->deltas()->sequenceAt(f.table()->currentIndex().row()), sequences[i]);
        }
        f.cursor.goLive();
        f.beat();
        QCOMPARE(f.tree()->values()->state()["total"].toInt(), 1049);
    }

    void newChangesDoNotMoveAViewOfThePast()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        const quint64 then = f.set(id, "total", Value(11));
        f.set(id, "total", Value(12));
        f.beat();
        f.cursor.goTo(then);
        f.beat();
        f.set(id, "total", Value(13));
        f.beat();
        QCOMPARE(f.tree()->values()->state()["total"].toInt(), 11);
        QCOMPARE(f.table()->totalCount(), 3);
        QCOMPARE(f.slider()->value(), then);
    }

    void openedPlacesStayOpenThroughUpdatesAndTimeTravel()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        const quint64 first = f.set(id, "title", Value("A"));
        f.tree()->expand(f.tree()->values()->indexOf(at("members")));
        f.tree()->expand(f.tree()->values()->indexOf(at("members.linus")));
        // The place goes away and comes back.
        f.host->change(id, Cause(QStringLiteral("action"), QStringLiteral("leave")),
                       {DeltaOp(DeltaOp::Kind::Remove, at("members.linus"))});
        f.beat();
        QVERIFY(!f.tree()->values()->indexOf(at("members.linus")).isValid());
        f.cursor.goTo(first);
        f.beat();
        QVERIFY(f.tree()->isExpanded(f.tree()->values()->indexOf(at("members.linus"))));
        f.cursor.goLive();
        f.beat();
        QVERIFY(f.tree()->isExpanded(f.tree()->values()->indexOf(at("members"))));
    }

    void keysStepThroughChanges()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        QList<quint64> sequences;
        for (int i = 0; i < 30; ++i)
            sequences.append(f.set(id, "total", Value(i + 100)));
        f.beat();
        f.table()->setFocus();
        QTest::keyClick(f.table(), Qt::Key_BracketLeft);
        f.beat();
        QCOMPARE(f.cursor.sequence(), sequences[28]); // live stood at the newest
        QTest::keyClick(f.table(), Qt::Key_BracketLeft);
        QCOMPARE(f.cursor.sequence(), sequences[27]);
        QTest::keyClick(f.table(), Qt::Key_BraceLeft, Qt::ShiftModifier);
        QCOMPARE(f.cursor.sequence(), sequences[17]);
        QTest::keyClick(f.table(), Qt::Key_BracketRight);
        QCOMPARE(f.cursor.sequence(), sequences[18]);
        QTest::keyClick(f.table(), Qt::Key_Home);
        QCOMPARE(f.cursor.sequence(), sequences[0]);
        QTest::keyClick(f.table(), Qt::Key_End);
        QVERIFY(f.cursor.isLive());
    }

    void playingFollowsTheClock()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        QList<quint64> sequences;
        for (int i = 0; i < 5; ++i) {
            f.environment.advance(std::chrono::seconds(1));
            sequences.append(f.set(id, "total", Value(i + 100)));
        }
        f.beat();
        f.cursor.goTo(sequences[0]);
        f.beat();
        auto *strip = f.slider()->parentWidget();
        QTest::keyClick(f.table(), Qt::Key_Space);
        QVERIFY(strip->property("playing").toBool());
        QCOMPARE(strip->property("playSpeed").toInt(), 1);
        f.environment.advance(std::chrono::milliseconds(2100));
        QTRY_COMPARE(f.cursor.sequence(), sequences[2]);
        QTest::keyClick(f.table(), Qt::Key_Space);
        QCOMPARE(strip->property("playSpeed").toInt(), 4);
        f.environment.advance(std::chrono::seconds(5));
        QTRY_VERIFY(f.cursor.isLive());
        QVERIFY(!strip->property("playing").toBool());
    }

    void highlightOfTheLastSecondsForgets()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        f.set(id, "title", Value("old"));
        f.beat();
        f.advance(std::chrono::seconds(3));
        f.set(id, "total", Value(11));
        f.beat();
        f.state()->setHighlight(StateSection::Highlight::LastSeconds);
        f.beat();
        QCOMPARE(f.tree()->highlightMode(), QStringLiteral("last5s"));
        QCOMPARE(f.tree()->markedPaths(), (QStringList{QStringLiteral("title"), QStringLiteral("total")}));
        f.advance(std::chrono::seconds(3));
        QCOMPARE(f.tree()->markedPaths(), QStringList{QStringLiteral("total")});
        f.advance(std::chrono::seconds(6));
        QCOMPARE(f.tree()->markedPaths(), QStringList());
        f.state()->setHighlight(StateSection::Highlight::Off);
        QCOMPARE(f.tree()->highlightMode(), QStringLiteral("off"));
    }

    void severalRowsShowTheirCombinedDifference()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        f.set(id, "total", Value(11));
        f.set(id, "title", Value("B"));
        f.set(id, "members.linus.x", Value(5));
        f.beat();
        f.clickRow(f.table(), f.table()->model()->index(0, 0));
        QTest::mouseClick(f.table()->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          f.table()->visualRect(f.table()->model()->index(2, 0)).center());
        QCOMPARE(f.tree()->markedPaths(), (QStringList{QStringLiteral("members.linus.x"), QStringLiteral("total")}));
    }

    void oneClickAnywhereInTheListGoesThere()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        const quint64 first = f.set(id, "total", Value(11));
        f.set(id, "total", Value(12));
        f.beat();
        f.clickRow(f.table(), f.table()->model()->index(1, 0));
        f.beat();
        QCOMPARE(f.cursor.sequence(), first);
        QCOMPARE(f.tree()->values()->state()["total"].toInt(), 11);
    }

    void focusAndNewRowsDoNotMoveTheCursor()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.set(id, "total", Value(11));
        f.show(id);
        QApplication::setActiveWindow(f.section.get());
        f.table()->clearSelection();
        f.table()->setCurrentIndex({});
        f.table()->setFocus(Qt::TabFocusReason);
        f.beat();
        f.set(id, "total", Value(12));
        f.beat();
        QVERIFY(f.cursor.isLive());
        QTest::keyClick(f.table(), Qt::Key_Down);
        QVERIFY(!f.cursor.isLive());
    }

    void viewsShowTheSameState()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        auto *mode = f.need<SegmentedControl>("stateViewMode");
        mode->setCurrentIndex(1);
        QVERIFY(f.need<LineView>("stateText")->isVisible());
        QVERIFY(f.need<LineView>("stateText")->text().contains(QStringLiteral("\"total\": 10")));
        QCOMPARE(f.tree()->property("viewMode").toString(), QStringLiteral("json"));
        f.set(id, "total", Value(9007199254740993LL));
        f.beat();
        QVERIFY(f.need<LineView>("stateText")->text().contains(QStringLiteral("\"total\": 9007199254740993")));
        mode->setCurrentIndex(2);
        QVERIFY(f.need<LineView>("stateText")->text().contains(QStringLiteral("9007199254740993")));
        mode->setCurrentIndex(3);
        QVERIFY(f.need<HexView>("stateHex")->isVisible());
        QVERIFY(f.need<HexView>("stateHex")->bytes().contains("Lobby"));
    }

    void findSelectsTheNextPlace()
    {
        StateFixture f;
        f.show(f.addRoom());
        auto *edit = f.need<QLineEdit>("stateFindEdit");
        QTest::keyClicks(edit, QStringLiteral("112"));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(f.tree()->currentPath(), at("members.linus.x"));
        edit->clear();
        QTest::keyClicks(edit, QStringLiteral("absent"));
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(edit->property("invalid").toBool());
    }

    void copyingGivesJsonOfAPlaceAndAReadableDiffOfAChange()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        f.set(id, "total", Value(11));
        f.beat();
        f.clickPath("total");
        QTest::keyClick(f.tree(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("11"));
        f.clickRow(f.table(), f.table()->model()->index(0, 0));
        QTest::keyClick(f.table(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("~ total: 10 -> 11")));
    }

    void starsStayWithTheActor()
    {
        StateFixture f;
        const QString one = f.addRoom();
        const QString other =
            f.host->addActor(QStringLiteral("chatRoom"), ActorKey("other"), wire::ActorStatus::running,
                             Value::map({{QStringLiteral("total"), Value(1)}}));
        f.show(one);
        f.clickPath("total");
        QTest::keyClick(f.tree(), Qt::Key_S);
        QVERIFY(f.tree()->values()->starred().contains(at("total")));
        f.show(other);
        QVERIFY(f.tree()->values()->starred().isEmpty());
        f.show(one);
        QVERIFY(f.tree()->values()->starred().contains(at("total")));
    }

    void anotherActorIsNeverShownUnderTheOldOnesData() // U15
    {
        StateFixture f;
        const QString one = f.addRoom();
        const QString other = f.host->addActor(QStringLiteral("counter"), ActorKey("b"), wire::ActorStatus::running,
                                               Value::map({{QStringLiteral("count"), Value(7)}}));
        f.show(one);
        f.host->holdSnapshots(true);
        ui::SectionContext context = f.section->context();
        context.feed = f.client->feed(other);
        f.section->setContext(context);
        QCOMPARE(f.tree()->model()->rowCount(), 0);
        QCOMPARE(f.table()->model()->rowCount(), 0);
        QVERIFY(f.section->property("busy").toBool());
        f.host->holdSnapshots(false);
        f.beat();
        QCOMPARE(f.tree()->values()->state()["count"].toInt(), 7);
    }

    void aHiddenSectionDoesNothingAndCatchesUp()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        f.section->setActive(false);
        f.host->flood(id, 100, at("total"));
        f.beat();
        QCOMPARE(f.table()->model()->rowCount(), 0);
        f.section->setActive(true);
        f.beat();
        QCOMPARE(f.table()->model()->rowCount(), 100);
        QCOMPARE(f.tree()->values()->state()["total"], f.host->state(id)["total"]);
    }

    void threeKindsOfNothingHaveThreeTexts() // C14
    {
        StateFixture f;
        wire::TypeInfo bare;
        bare.name = QStringLiteral("bare");
        bare.hasState = false;
        f.host->addType(bare);
        const QString none = f.host->addActor(QStringLiteral("bare"), ActorKey("a"), wire::ActorStatus::running);
        f.host->edit(none, [](wire::ActorSummary &s) { s.hasState = false; });
        f.show(none);
        QCOMPARE(f.section->emptyReason(), QStringLiteral("noState"));
        f.show(f.host->addActor(QStringLiteral("x"), ActorKey("n"), wire::ActorStatus::running, Value()));
        QCOMPARE(f.section->emptyReason(), QStringLiteral("null"));
        f.show(f.host->addActor(QStringLiteral("x"), ActorKey("m"), wire::ActorStatus::running, Value::map()));
        QCOMPARE(f.section->emptyReason(), QStringLiteral("emptyMap"));
        f.show(f.addRoom());
        QCOMPARE(f.section->emptyReason(), QString());
    }

    void theReadersPlaceInTheListStaysUnderNewRows()
    {
        StateFixture f;
        const QString id = f.addRoom();
        f.show(id);
        f.host->flood(id, 300, at("total"));
        f.beat();
        QVERIFY(f.table()->isFollowing());
        QScrollBar *bar = f.table()->verticalScrollBar();
        bar->setValue(bar->singleStep() * 50);
        const QModelIndex top = f.table()->indexAt(QPoint(5, 2));
        const quint64 read = f.table()->deltas()->sequenceAt(top.row());
        QVERIFY(!f.table()->property("following").toBool());
        f.host->flood(id, 40, at("total"));
        f.beat();
        QCOMPARE(f.table()->deltas()->sequenceAt(f.table()->indexAt(QPoint(5, 2)).row()), read);
    }

    void everyButtonThatIsOffSaysWhy()
    {
        StateFixture f;
        f.show(f.addRoom());
        for (QAbstractButton *button : f.section->findChildren<QAbstractButton *>()) {
            if (!button->isEnabled() && !button->objectName().isEmpty())
                QVERIFY2(!button->property("disabledReason").toString().isEmpty(), qPrintable(button->objectName()));
        }
    }

    void nothingIsSentByLookingAround() // neutral observer
    {
        StateFixture f;
        const QString id = f.host->addActor(QStringLiteral("counter"), ActorKey("s"), wire::ActorStatus::sleeping,
                                            Value::map({{QStringLiteral("count"), Value(1)}}));
        f.show(id);
        const int frames = f.host->framesReceived();
        f.need<SegmentedControl>("stateViewMode")->setCurrentIndex(1);
        f.state()->setBaseline();
        f.cursor.goTo(0);
        f.beat();
        f.cursor.goLive();
        f.beat();
        QCOMPARE(f.host->framesReceived(), frames);
        QCOMPARE(f.host->wakeCount(), 0);
    }
};

QTEST_MAIN(TestStateSection)
#include "tst_state_section.moc"
