#include "models/delta_model.h"

#include "inspector_ui/section_fixture.h"
#include "models/delta_text.h"
#include "models/roles.h"
#include "widgets/cell.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <random>

using namespace terrarium;
using namespace terrarium::ui;
using namespace terrarium::testing;

namespace {

Path count()
{
    return Path().child(QStringLiteral("count"));
}

struct DeltaFixture {
    DeltaFixture() : host(environment)
    {
        client = std::make_unique<InspectorClient>(environment, host.address(), QStringLiteral("tester"));
        client->open();
        settle();
        id = host.addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                           Value::map({{QStringLiteral("count"), Value(0)}}));
        feed = client->feed(id);
        settle();
        QObject::connect(feed.get(), &ActorFeed::changed, &model, &DeltaModel::take);
        model.setFeed(feed);
    }
    void settle()
    {
        do {
            environment.runUntilIdle();
            client->beat();
            environment.runUntilIdle();
        } while (client->hasPending());
    }
    quint64 set(int value, const Cause &cause = Cause(QStringLiteral("action"), QStringLiteral("increment")))
    {
        return host.change(id, cause, {DeltaOp(DeltaOp::Kind::Set, count(), Value(value))});
    }

    SimulatedEnvironment environment{1};
    FakeHost host;
    std::unique_ptr<InspectorClient> client;
    QString id;
    std::shared_ptr<ActorFeed> feed;
    DeltaModel model;
};

} // namespace

class TestDeltaModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void newestComesFirstWithItsCause()
    {
        DeltaFixture f;
        QAbstractItemModelTester tester(&f.model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        f.set(1);
        f.set(2, Cause(QStringLiteral("timer"), QStringLiteral("tick")));
        f.settle();
        QCOMPARE(f.model.rowCount(), 2);
        QCOMPARE(f.model.index(0, 0).data(CauseRole).toString(), QStringLiteral("timer:tick"));
        QCOMPARE(f.model.index(1, 0).data(CauseRole).toString(), QStringLiteral("action:increment"));
        QCOMPARE(f.model.index(0, 0).data(OldValueRole).toString(), QStringLiteral("1"));
        QCOMPARE(f.model.index(0, 0).data(NewValueRole).toString(), QStringLiteral("2"));
        QCOMPARE(f.model.index(0, DeltaModel::PathsColumn).data().toString(), QStringLiteral("count"));
        QVERIFY(f.model.index(0, 0).data(SeqRole).toULongLong() > f.model.index(1, 0).data(SeqRole).toULongLong());
    }

    void oneBeatIsOneInsert()
    {
        DeltaFixture f;
        QSignalSpy inserted(&f.model, &QAbstractItemModel::rowsInserted);
        f.host.flood(f.id, 500);
        f.settle();
        QCOMPARE(f.model.rowCount(), 500);
        QVERIFY2(inserted.size() <= 3, qPrintable(QString::number(inserted.size())));
    }

    void savedArrivesLater()
    {
        DeltaFixture f;
        const quint64 sequence = f.set(1);
        f.settle();
        QCOMPARE(f.model.index(0, DeltaModel::SavedColumn).data().toString(), QStringLiteral("pending"));
        f.host.saved(f.id, sequence, 9000);
        f.settle();
        QCOMPARE(f.model.index(0, DeltaModel::SavedColumn).data().toString(), QStringLiteral("9 ms"));
    }

    void aGapIsARowBetweenItsNeighbours()
    {
        DeltaFixture f;
        QAbstractItemModelTester tester(&f.model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        f.set(1);
        f.settle();
        f.host.withhold(f.id);
        f.host.flood(f.id, 37);
        f.settle();
        f.host.release(f.id);
        f.settle();
        f.set(1000);
        f.settle();
        QCOMPARE(f.model.gapRows(), 1);
        int gap = -1;
        for (int row = 0; row < f.model.rowCount(); ++row)
            if (f.model.index(row, 0).data(RowKindRole).toInt() == int(RowKind::Gap))
                gap = row;
        QVERIFY(gap > 0);
        QCOMPARE(f.model.index(gap, 0).data(CountRole).toULongLong(), 37ULL);
        QVERIFY(f.model.index(gap, 0).data().toString().contains(QStringLiteral("37 changes lost")));
        QCOMPARE(f.model.index(gap, 0).data(ReasonRole).toString(), QStringLiteral("hostDropped"));
        QCOMPARE(f.model.index(gap - 1, 0).data(NewValueRole).toString(), QStringLiteral("1000"));
    }

    void rowsAreFoundBySequence()
    {
        DeltaFixture f;
        f.host.flood(f.id, 50);
        f.settle();
        for (int row = 0; row < f.model.rowCount(); ++row)
            QCOMPARE(f.model.rowOf(f.model.sequenceAt(row)), row);
        QCOMPARE(f.model.rowOf(99999), -1);
    }

    void aFilterShowsWhatMatchesAndGoesOnWithNewRows()
    {
        DeltaFixture f;
        QAbstractItemModelTester tester(&f.model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        for (int i = 0; i < 200; ++i)
            f.set(i + 1,
                  Cause(QStringLiteral("action"), i % 10 == 0 ? QStringLiteral("reset") : QStringLiteral("increment")));
        f.settle();
        f.model.setFilter(DeltaFilter(QStringLiteral("cause:reset")));
        while (f.model.scan(5)) {}
        QCOMPARE(f.model.shownCount(), 20);
        QCOMPARE(f.model.totalCount(), 200);
        f.set(500, Cause(QStringLiteral("action"), QStringLiteral("reset")));
        f.set(501);
        f.settle();
        QCOMPARE(f.model.shownCount(), 21);
        QCOMPARE(f.model.index(0, 0).data(NewValueRole).toString(), QStringLiteral("500"));
        f.model.setFilter(DeltaFilter());
        QCOMPARE(f.model.shownCount(), 202);
    }

    void termsOfTheFilter_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        QTest::newRow("word of the cause") << "move" << true;
        QTest::newRow("word of the path") << "linus" << true;
        QTest::newRow("number") << "#7" << true;
        QTest::newRow("another number") << "#70" << false;
        QTest::newRow("path") << "path:cursor.x" << true;
        QTest::newRow("not path") << "-path:cursor.x" << false;
        QTest::newRow("cause and path") << "cause:move path:linus" << true;
        QTest::newRow("other cause") << "cause:say" << false;
        QTest::newRow("op") << "op:set" << true;
        QTest::newRow("other op") << "op:remove" << false;
        QTest::newRow("bytes") << "bytes:<1K" << true;
        QTest::newRow("bytes above") << "bytes:>1K" << false;
        QTest::newRow("value") << "118" << true;
        QTest::newRow("quoted") << "\"action move\"" << true;
    }
    void termsOfTheFilter()
    {
        QFETCH(QString, text);
        QFETCH(bool, matches);
        FeedDelta delta;
        delta.delta.sequence = 7;
        delta.delta.causes = {Cause(QStringLiteral("action"), QStringLiteral("move"))};
        delta.delta.ops = {
            DeltaOp(DeltaOp::Kind::Set, Path::fromText(u"members.linus.cursor.x").value(), Value(118), Value(112))};
        QCOMPARE(DeltaFilter(text).matches(delta), matches);
    }

    void aBadNumberIsSaid()
    {
        QVERIFY(!DeltaFilter(QStringLiteral("bytes:many")).problem().isEmpty());
        QVERIFY(DeltaFilter(QStringLiteral("bytes:>1.5K")).problem().isEmpty());
    }

    void laterRowsAreDimmed()
    {
        DeltaFixture f;
        f.host.flood(f.id, 5);
        f.settle();
        const quint64 third = f.model.sequenceAt(2);
        f.model.setCursor(third);
        QVERIFY(f.model.index(1, 0).data(RowLookRole).value<RowLook>().dimmed);
        QVERIFY(!f.model.index(2, 0).data(RowLookRole).value<RowLook>().dimmed);
    }

    void aChangeIsToldInOneLine_data()
    {
        QTest::addColumn<Delta>("ops");
        QTest::addColumn<QString>("paths");
        QTest::addColumn<QString>("change");
        const auto at = [](QStringView text) { return Path::fromText(text).value(); };
        using K = DeltaOp::Kind;
        QTest::newRow("set") << Delta{DeltaOp(K::Set, at(u"a.x"), Value(118), Value(112))} << "a.x"
                             << QStringLiteral("112 \u2192 118");
        QTest::newRow("added") << Delta{DeltaOp(K::Set, at(u"a.x"), Value(1))} << "a.x"
                               << "added";
        QTest::newRow("two of one parent") << Delta{DeltaOp(K::Set, at(u"c.x"), Value(112), Value(98)),
                                                    DeltaOp(K::Set, at(u"c.y"), Value(64), Value(60))}
                                           << "c" << QStringLiteral("{98, 60} \u2192 {112, 64}");
        QTest::newRow("two of the root") << Delta{DeltaOp(K::Set, at(u"count"), Value(2), Value(1)),
                                                  DeltaOp(K::Set, at(u"ticks"), Value(8), Value(7))}
                                         << "count, ticks" << QStringLiteral("{1, 7} \u2192 {2, 8}");
        QTest::newRow("small map") << Delta{DeltaOp(K::Set, at(u"c"), Value::map({{QStringLiteral("x"), Value(2)}}),
                                                    Value::map({{QStringLiteral("x"), Value(1)}}))}
                                   << "c" << QStringLiteral("{1} \u2192 {2}");
        Delta removes;
        for (int i = 0; i < 12; ++i)
            removes.append(DeltaOp(K::Remove, at(u"messages[0]"), Value(), Value(i)));
        QTest::newRow("run") << removes << "messages[0..11]"
                             << "12 removed";
        QTest::newRow("none") << Delta() << ""
                              << "no change";
    }
    void aChangeIsToldInOneLine()
    {
        QFETCH(Delta, ops);
        QFETCH(QString, paths);
        QFETCH(QString, change);
        const DeltaText text = DeltaText::of(ops);
        QCOMPARE(text.paths, paths);
        QCOMPARE(text.change(), change);
    }
};

QTEST_MAIN(TestDeltaModel)
#include "tst_delta_model.moc"
