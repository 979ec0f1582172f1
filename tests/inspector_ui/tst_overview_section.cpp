#include "inspector_ui/section_fixture.h"

#include "sections/overview_section.h"
#include "sections/placeholder_section.h"
#include "widgets/empty_state.h"
#include "widgets/run_label.h"
#include "widgets/tile.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QSignalSpy>

using namespace terrarium;
using namespace terrarium::ui;
using namespace terrarium::testing;

class TestOverviewSection : public QObject {
    Q_OBJECT
private:
    static QString allText(QWidget *section)
    {
        QStringList out;
        for (RunLabel *label : section->findChildren<RunLabel *>())
            out.append(label->text());
        return out.join(QLatin1Char('\n'));
    }

private Q_SLOTS:
    void initTestCase() { prepareSectionTest(); }

    void theMockRoomIsSummedUp()
    {
        SectionFixture f(QStringLiteral("overview"), SectionFixture::MockShop);
        f.show(f.host->idOf(QStringLiteral("chatRoom"), ActorKey("lobby")));
        const QString text = allText(f.section.get());
        for (const char *part :
             {"Running", "2 connections", "turn 41", "Not while either of these is on", "#1283", "1 change waiting",
              "3 of 100", "2 open", "prune", "[\"lobby\"]", "shop-dev", "127.0.0.1:6420", "by client web-3"})
            QVERIFY2(text.contains(QString::fromLatin1(part)), part);
        QCOMPARE(f.need<Tile>("tileChanges")->figure(), QStringLiteral("38"));
        QCOMPARE(f.need<Tile>("tileErrors")->figure(), QStringLiteral("2"));
        QCOMPARE(f.need<Tile>("tileQueue")->figure(), QStringLiteral("3"));
        QCOMPARE(f.need<Tile>("tileChanges")->values().size(), 60);
    }

    void theSummaryIsMarkdownAndHostTextIsNotMarkup()
    {
        SectionFixture f(QStringLiteral("overview"));
        f.show(
            f.host->addActor(QStringLiteral("evil"), ActorKey("a`b\n# big"), wire::ActorStatus::running, Value::map()));
        QTest::mouseClick(f.need<QAbstractButton>("copySummaryButton"), Qt::LeftButton);
        const QString text = QApplication::clipboard()->text();
        QVERIFY(text.startsWith(QStringLiteral("## `evil/")));
        QVERIFY(!text.contains(QStringLiteral("\n# big")));
        QVERIFY(text.contains(QStringLiteral("- State: Running")));
    }

    void linksLeadToTheSections()
    {
        SectionFixture f(QStringLiteral("overview"), SectionFixture::MockShop);
        f.show(f.host->idOf(QStringLiteral("chatRoom"), ActorKey("lobby")));
        QStringList links;
        for (RunLabel *label : f.section->findChildren<RunLabel *>())
            for (const Run &run : label->runs())
                if (!run.link.isEmpty())
                    links.append(run.link);
        for (const char *link : {"section:state", "section:queue", "section:connections", "section:schedule",
                                 "blocker:connections", "delta:1284"})
            QVERIFY2(links.contains(QString::fromLatin1(link)), link);
    }

    void aSleepingActorIsShownFromDiskWithoutWakingIt()
    {
        SectionFixture f(QStringLiteral("overview"), SectionFixture::MockShop);
        f.show(f.host->idOf(QStringLiteral("archive"), ActorKey("2026")));
        QVERIFY(allText(f.section.get()).contains(QStringLiteral("Sleeping")));
        QVERIFY(allText(f.section.get()).contains(QStringLiteral("Asleep")));
        QCOMPARE(f.host->wakeCount(), 0);
    }

    void recentNamesTheNewestChangesAndErrors()
    {
        SectionFixture f(QStringLiteral("overview"));
        const QString id = f.host->addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                                            Value::map({{QStringLiteral("count"), Value(0)}}));
        f.show(id);
        f.host->flood(id, 3);
        wire::CallRecord call;
        call.cause = Cause(QStringLiteral("action"), QStringLiteral("leave"));
        call.ok = false;
        call.errorCode = QStringLiteral("actor/not_member");
        f.host->called(id, call);
        f.beat();
        const QString text = allText(f.section.get());
        QVERIFY(text.contains(QStringLiteral("#3")));
        QVERIFY(text.contains(QStringLiteral("not_member")));
    }

    void everySectionCanBeMadeAndSaysWhyItIsEmpty()
    {
        QCOMPARE(section_registry::sections().size(), 12);
        for (const SectionInfo &info : section_registry::sections()) {
            SectionFixture f(info.id, SectionFixture::MockShop);
            QCOMPARE(f.section->objectName(), info.id + QLatin1String("Section"));
            f.show(f.host->idOf(QStringLiteral("counter"), ActorKey("a")));
            if (auto *placeholder = qobject_cast<PlaceholderSection *>(f.section.get())) {
                QVERIFY2(!placeholder->emptyReason().isEmpty(), qPrintable(info.id));
                const QString title = f.section->findChild<EmptyState *>()->title();
                QVERIFY2(!title.isEmpty() && !title.contains(QStringLiteral("soon")), qPrintable(title));
            }
        }
    }

    void placeholdersKnowWhatTheActorHas()
    {
        SectionFixture f(QStringLiteral("database"), SectionFixture::MockShop);
        f.show(f.host->idOf(QStringLiteral("counter"), ActorKey("a")));
        QCOMPARE(f.section->findChild<EmptyState *>()->title(), QStringLiteral("This actor has no database"));
        f.show(f.host->idOf(QStringLiteral("archive"), ActorKey("2026")));
        QCOMPARE(f.section->emptyReason(), QStringLiteral("notReadable"));
    }

    void badgesCountAndWarn()
    {
        wire::ActorSummary actor;
        actor.connections = 2;
        actor.errors5m = 3;
        QCOMPARE(section_registry::badge(QStringLiteral("connections"), actor).count, 2);
        QCOMPARE(section_registry::badge(QStringLiteral("queue"), actor).count, -1);
        QCOMPARE(section_registry::badge(QStringLiteral("logs"), actor).attention, SectionBadge::Warning);
        QVERIFY(!section_registry::badge(QStringLiteral("database"), actor).used);
    }
};

QTEST_MAIN(TestOverviewSection)
#include "tst_overview_section.moc"
