#include "inspector_ui/section_fixture.h"

#include "models/lifecycle_data.h"
#include "models/roles.h"
#include "widgets/data_table.h"
#include "widgets/lifecycle_lanes.h"
#include "widgets/search_field.h"

#include <QAbstractItemModelTester>
#include <QAbstractButton>
#include <QListView>
#include <QProgressBar>
#include <QSignalSpy>

using namespace terrarium;
using namespace terrarium::ui;
using namespace terrarium::testing;

namespace {

wire::Blocker blocker(const char *kind, int count, bool on, const char *label = "")
{
    wire::Blocker b;
    b.kind = QString::fromLatin1(kind);
    b.count = count;
    b.on = on;
    b.label = QString::fromLatin1(label);
    return b;
}

wire::TransitionRecord transition(wire::ActorStatus from, wire::ActorStatus to, const char *reason,
                                  const char *detail = "")
{
    wire::TransitionRecord t;
    t.from = from;
    t.to = to;
    t.reason = QString::fromLatin1(reason);
    t.detail = QString::fromLatin1(detail);
    t.tookUs = 1'200'000;
    t.generation = 3;
    return t;
}

struct LifecycleFixture : SectionFixture {
    LifecycleFixture() : SectionFixture(QStringLiteral("lifecycle")) {}
    explicit LifecycleFixture(Mock mock) : SectionFixture(QStringLiteral("lifecycle"), mock) {}

    DataTable *table() const { return need<DataTable>("lifecycleTable"); }
    QListView *blockers() const { return need<QListView>("blockersView"); }
    QWidget *forecast() const { return need<QWidget>("sleepForecastLabel"); }
    QList<QModelIndex> checked() const
    {
        QList<QModelIndex> out;
        for (int row = 0; row < blockers()->model()->rowCount(); ++row) {
            const QModelIndex index = blockers()->model()->index(row, 0);
            if (index.data(Qt::CheckStateRole).toInt() == Qt::Checked)
                out.append(index);
        }
        return out;
    }
    QString addActor(wire::ActorStatus status = wire::ActorStatus::running)
    {
        return host->addActor(QStringLiteral("counter"), ActorKey("a"), status,
                              Value::map({{QStringLiteral("count"), Value(1)}}));
    }
};

} // namespace

class TestLifecycleSection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { prepareSectionTest(); }

    void everythingThatKeepsItAwakeIsListed() // T3
    {
        LifecycleFixture f(SectionFixture::MockShop);
        const QString id = f.host->idOf(QStringLiteral("chatRoom"), ActorKey("lobby"));
        f.show(id);
        const QList<QModelIndex> on = f.checked();
        QCOMPARE(on.size(), 2);
        QCOMPARE(on[0].data(KindRole).toString(), QStringLiteral("connections"));
        QCOMPARE(on[0].data(CountRole).toInt(), 2);
        QCOMPARE(on[1].data(KindRole).toString(), QStringLiteral("keepAwake"));
        QCOMPARE(on[1].data(LabelRole).toString(), QStringLiteral("turn 41"));
        QCOMPARE(f.forecast()->property("forecast").toString(), QStringLiteral("blocked"));
        // Both go: the countdown begins without a click.
        wire::SleepForecast countdown;
        countdown.kind = QStringLiteral("countdown");
        countdown.at = FakeHost::mockNow() + 30'000;
        countdown.resetBy = Cause(QStringLiteral("action"), QStringLiteral("move"));
        f.host->setBlockers(id, {blocker("connections", 0, false), blocker("keepAwake", 0, false)}, countdown);
        f.beat();
        QVERIFY(f.checked().isEmpty());
        QCOMPARE(f.forecast()->property("forecast").toString(), QStringLiteral("countdown"));
        const qint64 left = f.forecast()->property("remainingMs").toLongLong();
        QVERIFY2(left > 29'000 && left <= 30'000, qPrintable(QString::number(left)));
        f.advance(std::chrono::seconds(9));
        QCOMPARE(f.forecast()->property("remainingMs").toLongLong(), left - 9'000);
    }

    void transitionsComeNewestFirstWithReasons()
    {
        LifecycleFixture f;
        const QString id = f.addActor();
        f.show(id);
        QAbstractItemModelTester tester(f.table()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        f.host->transition(
            id, transition(wire::ActorStatus::running, wire::ActorStatus::sleepGrace, "idle", "idle for 30 s"));
        wire::NoteRecord note;
        note.kind = QStringLiteral("idleTimerStayedUp");
        note.text = QStringLiteral("keep-awake turn 37 was on");
        f.host->note(id, note);
        f.host->transition(id, transition(wire::ActorStatus::sleepGrace, wire::ActorStatus::running, "action"));
        f.beat();
        QCOMPARE(f.table()->model()->rowCount(), 3);
        QCOMPARE(f.table()->model()->index(0, 0).data(StatusRole).toString(), QStringLiteral("running"));
        QCOMPARE(f.table()->model()->index(1, 0).data(RowKindRole).toInt(), int(RowKind::Divider));
        QVERIFY(f.table()->model()->index(1, 0).data().toString().contains(QStringLiteral("actor stayed up")));
        QCOMPARE(f.table()->model()->index(2, 0).data(ReasonRole).toString(), QStringLiteral("idle"));
        QCOMPARE(f.table()->model()->index(2, 2).data().toString(), QStringLiteral("idle for 30 s"));
    }

    void choosingARowMarksItsMomentOnTheLanes()
    {
        LifecycleFixture f(SectionFixture::MockShop);
        f.show(f.host->idOf(QStringLiteral("chatRoom"), ActorKey("lobby")));
        const QModelIndex row = f.table()->model()->index(1, 0);
        f.clickRow(f.table(), row);
        auto *lanes = f.need<LifecycleLanes>("lifecycleLanes");
        QCOMPARE(lanes->selectedTime(), row.data(TimeRole).toLongLong());
        QVERIFY(f.need<QWidget>("lifecycleDetails")->isVisible());
        // And the other way round.
        QTest::mouseClick(lanes, Qt::LeftButton, {},
                          QPoint(int(lanes->xOf(f.table()->model()->index(3, 0).data(TimeRole).toLongLong())) + 1,
                                 lanes->laneRect(LifecycleLanes::StateLane).center().y()));
        QCOMPARE(f.table()->currentIndex().row(), 3);
    }

    void theFilterTakesStatusReasonAndDuration()
    {
        LifecycleFixture f(SectionFixture::MockShop);
        f.show(f.host->idOf(QStringLiteral("chatRoom"), ActorKey("lobby")));
        auto *edit = f.need<SearchField>("lifecycleFilterEdit");
        edit->setText(QStringLiteral("to:sleeping"));
        QCOMPARE(f.table()->model()->rowCount(), 1);
        edit->setText(QStringLiteral("idle"));
        QVERIFY(f.table()->model()->rowCount() >= 2);
        edit->setText(QStringLiteral("took>30s"));
        for (int row = 0; row < f.table()->model()->rowCount(); ++row)
            QCOMPARE(f.table()->model()->index(row, 0).data(RowKindRole).toInt() == int(RowKind::Row), true);
        edit->setText(QStringLiteral("nonsense"));
        QCOMPARE(f.table()->model()->rowCount(), 0);
        QCOMPARE(f.table()->emptyReason(), QStringLiteral("filteredOut"));
    }

    void graceShowsWhatIsLeft()
    {
        LifecycleFixture f;
        const QString id = f.addActor(wire::ActorStatus::sleepGrace);
        wire::SleepForecast grace;
        grace.kind = QStringLiteral("grace");
        grace.at = f.environment.clock().wallMs() + 15'000;
        f.host->edit(id, [&](wire::ActorSummary &s) { s.since = f.environment.clock().wallMs(); });
        f.host->setBlockers(id, {blocker("keepAwake", 1, true, "mail")}, grace);
        f.show(id);
        auto *bar = f.need<QProgressBar>("graceProgress");
        QVERIFY(bar->isVisible());
        QCOMPARE(f.forecast()->property("forecast").toString(), QStringLiteral("grace"));
        const int before = bar->value();
        f.advance(std::chrono::seconds(5));
        QCOMPARE(bar->value(), before + 5'000);
        QCOMPARE(f.need<QAbstractButton>("sleepNowButton")->isEnabled(), false);
        QVERIFY(!f.need<QAbstractButton>("sleepNowButton")->property("disabledReason").toString().isEmpty());
    }

    void sleepNowAsksThePage()
    {
        LifecycleFixture f;
        f.show(f.addActor());
        QSignalSpy verbs(f.section.get(), &Section::verbRequested);
        QTest::mouseClick(f.need<QAbstractButton>("sleepNowButton"), Qt::LeftButton);
        QCOMPARE(verbs.size(), 1);
        QCOMPARE(verbs.first().first().toString(), QStringLiteral("sleep"));
        QCOMPARE(f.host->count<wire::SleepActor>(), 0);
    }

    void sleepNowIsOffWhenTheLinkIsLost()
    {
        LifecycleFixture f;
        f.show(f.addActor());
        f.host->cut(false);
        f.beat();
        auto *button = f.need<QAbstractButton>("sleepNowButton");
        QVERIFY(!button->isEnabled());
        QVERIFY(button->property("disabledReason").toString().contains(QStringLiteral("lost")));
    }

    void watchingIsSaidNotToCount()
    {
        LifecycleFixture f;
        f.show(f.addActor());
        QVERIFY(f.need<QWidget>("watchingNote")->accessibleName().contains(QStringLiteral("does not count")));
    }

    void spansEndWhereTheNextBegins()
    {
        std::vector<FeedRecord> records;
        const auto add = [&](qint64 at, auto body) {
            FeedRecord record;
            record.record.at = at;
            record.record.position = records.size() + 1;
            record.record.body = body;
            records.push_back(record);
        };
        auto first = transition(wire::ActorStatus::starting, wire::ActorStatus::running, "hookFinished");
        first.tookUs = 500'000;
        add(1'000, first);
        wire::AwakeRecord awake;
        awake.span = QStringLiteral("s1");
        awake.kind = QStringLiteral("keepAwake");
        awake.label = QStringLiteral("turn 1");
        add(1'100, awake);
        awake.begin = false;
        add(1'400, awake);
        add(2'000, transition(wire::ActorStatus::running, wire::ActorStatus::sleepGrace, "idle"));
        LifecycleData life;
        life.add(records, 0);
        QCOMPARE(life.spans.size(), 3);
        QCOMPARE(life.spans[0].begin, 500);
        QCOMPARE(life.spans[0].end, 1'000);
        QCOMPARE(life.spans[1].end, 2'000);
        QCOMPARE(life.spans[2].end, 0);
        QCOMPARE(life.awake.size(), 1);
        QCOMPARE(life.awake[0].begin, 1'100);
        QCOMPARE(life.awake[0].end, 1'400);
    }
};

QTEST_MAIN(TestLifecycleSection)
#include "tst_lifecycle_section.moc"
