#include "inspector_ui/window_fixture.h"

#include "list/actor_list_model.h"
#include "models/roles.h"
#include "style/theme.h"
#include "widgets/cell.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QtTest>

using namespace terrarium;
using namespace terrarium::ui;

namespace {

QStringList rowTexts(const ActorListModel &model, int host)
{
    QStringList texts;
    const QModelIndex parent = model.hostIndex(host);
    for (int row = 0; row < model.rowCount(parent); ++row)
        texts.append(model.index(row, 0, parent).data().toString());
    return texts;
}

struct ModelFixture {
    ModelFixture()
        : host(environment, QStringLiteral("one")),
          links(environment, QStringLiteral("tester")),
          model(environment.clock(), links)
    {
        tester =
            std::make_unique<QAbstractItemModelTester>(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    }
    InspectorClient *attach(FakeHost &to)
    {
        InspectorClient *client = links.attach(to.address());
        settle();
        return client;
    }
    void settle()
    {
        do {
            environment.runUntilIdle();
            links.beat();
            environment.runUntilIdle();
        } while (links.anyPending());
    }

    testing::SimulatedEnvironment environment;
    FakeHost host;
    HostLinks links;
    ActorListModel model;
    std::unique_ptr<QAbstractItemModelTester> tester;
};

} // namespace

class tst_ActorListModel final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme().install(*qApp); }
    void actorsAreSortedByTypeAndNumberInTheKey();
    void newAndGoneActorsComeAndGoInPlace();
    void aChangeIsOneRangeAndMovesNothing();
    void filterHidesAndCounts();
    void filterFollowsStatusChanges();
    void aWrongFilterKeepsTheLastGoodOne();
    void wordsAreGuessedOnlyWhenNothingMatches();
    void lostHostKeepsItsActorsDimmed();
    void twoHostsStandSideBySideAndOneCanGo();
    void sameKeyOnTwoHostsIsTwoRows();
    void tenThousandActorsTakeFewSignals();
    void statesSayTheirTimers();
    void randomHistoryEqualsTheStore();
};

void tst_ActorListModel::actorsAreSortedByTypeAndNumberInTheKey()
{
    ModelFixture f;
    for (const char *key : {"10", "9", "a", "100", "1"})
        f.host.addActor(QStringLiteral("checkout"), ActorKey(key));
    f.host.addActor(QStringLiteral("archive"), ActorKey("z"));
    f.attach(f.host);

    QCOMPARE(rowTexts(f.model, 0), QStringList({QStringLiteral("archive/z"), QStringLiteral("checkout/1"),
                                                QStringLiteral("checkout/9"), QStringLiteral("checkout/10"),
                                                QStringLiteral("checkout/100"), QStringLiteral("checkout/a")}));
}

void tst_ActorListModel::newAndGoneActorsComeAndGoInPlace()
{
    ModelFixture f;
    f.host.addActor(QStringLiteral("t"), ActorKey("a"));
    const QString c = f.host.addActor(QStringLiteral("t"), ActorKey("c"));
    InspectorClient *client = f.attach(f.host);
    const QPersistentModelIndex kept = f.model.indexOf(client, c);
    QCOMPARE(kept.row(), 1);

    const QString b = f.host.addActor(QStringLiteral("t"), ActorKey("b"));
    f.settle();
    QCOMPARE(rowTexts(f.model, 0), QStringList({QStringLiteral("t/a"), QStringLiteral("t/b"), QStringLiteral("t/c")}));
    QCOMPARE(kept.row(), 2);

    f.host.removeActor(b);
    f.settle();
    QCOMPARE(rowTexts(f.model, 0), QStringList({QStringLiteral("t/a"), QStringLiteral("t/c")}));
    QCOMPARE(kept.row(), 1);
    QVERIFY(!f.model.indexOf(client, b).isValid());
}

void tst_ActorListModel::aChangeIsOneRangeAndMovesNothing()
{
    ModelFixture f;
    QStringList ids;
    for (int i = 0; i < 20; ++i)
        ids.append(f.host.addActor(QStringLiteral("t"), ActorKey(QString::number(i))));
    f.attach(f.host);
    QSignalSpy changed(&f.model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&f.model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&f.model, &QAbstractItemModel::rowsRemoved);

    for (int i : {3, 7, 12})
        f.host.edit(ids[i], [](wire::ActorSummary &actor) { actor.rate = 5; });
    f.settle();

    int actorRanges = 0;
    for (const auto &signal : changed) {
        const QModelIndex first = signal[0].toModelIndex();
        if (first.parent().isValid()) {
            ++actorRanges;
            QCOMPARE(first.row(), 3);
            QCOMPARE(signal[1].toModelIndex().row(), 12);
        }
    }
    QCOMPARE(actorRanges, 1);
    QCOMPARE(inserted.count() + removed.count(), 0);
}

void tst_ActorListModel::filterHidesAndCounts()
{
    ModelFixture f;
    f.host.addActor(QStringLiteral("chat"), ActorKey("a"));
    f.host.addActor(QStringLiteral("chat"), ActorKey("b"), wire::ActorStatus::destroyed);
    f.host.addActor(QStringLiteral("mail"), ActorKey("c"));
    f.attach(f.host);
    QCOMPARE(f.model.shownCount(), 3);

    f.model.setFilter(ActorListFilter::parse(QStringLiteral("type:chat -status:destroyed")));

    QCOMPARE(rowTexts(f.model, 0), QStringList({QStringLiteral("chat/a")}));
    QCOMPARE(f.model.shownCount(), 1);
    QCOMPARE(f.model.totalCount(), 3);
    QCOMPARE(f.model.hiddenDestroyed(), 1);
    f.model.setFilter({});
    QCOMPARE(f.model.shownCount(), 3);
}

void tst_ActorListModel::filterFollowsStatusChanges()
{
    ModelFixture f;
    const QString a = f.host.addActor(QStringLiteral("t"), ActorKey("a"));
    f.attach(f.host);
    f.model.setFilter(ActorListFilter::parse(QStringLiteral("status:running")));
    QCOMPARE(f.model.shownCount(), 1);

    f.host.edit(a, [](wire::ActorSummary &actor) { actor.status = wire::ActorStatus::sleeping; });
    f.settle();
    QCOMPARE(f.model.shownCount(), 0);

    f.host.edit(a, [](wire::ActorSummary &actor) { actor.status = wire::ActorStatus::running; });
    f.settle();
    QCOMPARE(f.model.shownCount(), 1);
}

void tst_ActorListModel::aWrongFilterKeepsTheLastGoodOne()
{
    ModelFixture f;
    f.host.addActor(QStringLiteral("t"), ActorKey("a"));
    f.host.addActor(QStringLiteral("u"), ActorKey("a"));
    f.attach(f.host);
    f.model.setFilter(ActorListFilter::parse(QStringLiteral("type:t")));

    f.model.setFilter(ActorListFilter::parse(QStringLiteral("type:t status:runing")));

    QCOMPARE(f.model.shownCount(), 1);
    QCOMPARE(f.model.filter().text(), QStringLiteral("type:t"));
}

void tst_ActorListModel::wordsAreGuessedOnlyWhenNothingMatches()
{
    ModelFixture f;
    f.host.addActor(QStringLiteral("chatRoom"), ActorKey("lobby"));
    f.host.addActor(QStringLiteral("checkout"), ActorKey("cl"));
    f.attach(f.host);

    f.model.setFilter(ActorListFilter::parse(QStringLiteral("cl")));
    QCOMPARE(rowTexts(f.model, 0), QStringList({QStringLiteral("checkout/cl")})); // chatRoom/lobby has c..l too

    f.model.setFilter(ActorListFilter::parse(QStringLiteral("crlby")));
    QCOMPARE(rowTexts(f.model, 0), QStringList({QStringLiteral("chatRoom/lobby")}));
}

void tst_ActorListModel::lostHostKeepsItsActorsDimmed()
{
    ModelFixture f;
    const QString a = f.host.addActor(QStringLiteral("t"), ActorKey("a"));
    InspectorClient *client = f.attach(f.host);
    QCOMPARE(f.model.hostIndex(0).data(StatusRole).toString(), QStringLiteral("live"));

    f.host.cut(false);
    f.settle();

    const QModelIndex index = f.model.indexOf(client, a);
    QVERIFY(index.isValid());
    QVERIFY(index.data(RowLookRole).value<RowLook>().dimmed);
    QCOMPARE(f.model.hostIndex(0).data(StatusRole).toString(), QStringLiteral("lost"));
    QVERIFY(index.siblingAtColumn(ActorListModel::StateColumn)
                .data(Qt::AccessibleTextRole)
                .toString()
                .contains(QStringLiteral("as of")));
}

void tst_ActorListModel::twoHostsStandSideBySideAndOneCanGo()
{
    ModelFixture f;
    FakeHost other(f.environment, QStringLiteral("two"), 6421);
    f.host.addActor(QStringLiteral("t"), ActorKey("a"));
    other.addActor(QStringLiteral("t"), ActorKey("b"));
    InspectorClient *first = f.attach(f.host);
    f.attach(other);
    QCOMPARE(f.model.rowCount(), 2);
    QCOMPARE(rowTexts(f.model, 1), QStringList({QStringLiteral("t/b")}));

    f.links.detach(first);

    QCOMPARE(f.model.rowCount(), 1);
    QCOMPARE(rowTexts(f.model, 0), QStringList({QStringLiteral("t/b")}));
    QCOMPARE(f.model.totalCount(), 1);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

void tst_ActorListModel::sameKeyOnTwoHostsIsTwoRows()
{
    ModelFixture f;
    FakeHost other(f.environment, QStringLiteral("two"), 6421);
    f.host.addActor(QStringLiteral("t"), ActorKey("a"));
    other.addActor(QStringLiteral("t"), ActorKey("a"));
    f.attach(f.host);
    f.attach(other);

    QCOMPARE(f.model.shownCount(), 2);
    QVERIFY(f.model.client(f.model.index(0, 0, f.model.hostIndex(0)))
            != f.model.client(f.model.index(0, 0, f.model.hostIndex(1))));
}

void tst_ActorListModel::tenThousandActorsTakeFewSignals()
{
    ModelFixture f;
    f.tester.reset(); // it reads every cell after every signal
    f.host.addActors(10'000, {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    QSignalSpy inserted(&f.model, &QAbstractItemModel::rowsInserted);

    f.attach(f.host);

    QCOMPARE(f.model.shownCount(), 10'000);
    QVERIFY2(inserted.count() <= 3, qPrintable(QString::number(inserted.count()))); // the host, then all actors
    QSignalSpy changed(&f.model, &QAbstractItemModel::dataChanged);
    const QStringList ids = f.host.actorIds();
    for (int i = 0; i < 1000; ++i)
        f.host.edit(ids[i * 10], [](wire::ActorSummary &actor) { actor.rate = 1; });
    f.settle();
    QVERIFY2(changed.count() <= 4, qPrintable(QString::number(changed.count())));
}

void tst_ActorListModel::statesSayTheirTimers()
{
    ModelFixture f;
    const QString a = f.host.addActor(QStringLiteral("t"), ActorKey("a"));
    const qint64 now = f.environment.clock().wallMs();
    f.host.edit(a, [now](wire::ActorSummary &actor) {
        actor.status = wire::ActorStatus::sleepGrace;
        actor.since = now;
        actor.deadline = now + 9000;
    });
    InspectorClient *client = f.attach(f.host);
    const auto text = [&] {
        return f.model.indexOf(client, a).siblingAtColumn(ActorListModel::StateColumn).data().toString();
    };
    QCOMPARE(text(), QStringLiteral("Sleeps in 9 s"));

    f.environment.advance(std::chrono::seconds(3));
    QSignalSpy changed(&f.model, &QAbstractItemModel::dataChanged);
    f.model.tick();

    QCOMPARE(changed.count(), 1);
    QCOMPARE(text(), QStringLiteral("Sleeps in 6 s"));
}

void tst_ActorListModel::randomHistoryEqualsTheStore()
{
    const quint32 seed = qEnvironmentVariableIsSet("TEST_SEED") ? qEnvironmentVariable("TEST_SEED").toUInt()
                                                                : QRandomGenerator::global()->generate();
    qInfo("TEST_SEED=%u", seed);
    QRandomGenerator random(seed);
    ModelFixture f;
    InspectorClient *client = f.attach(f.host);
    QStringList ids;
    const QStringList filters{QString(), QStringLiteral("type:a"), QStringLiteral("-status:sleeping"),
                              QStringLiteral("key:1 OR key:2")};
    for (int round = 0; round < 150; ++round) {
        for (int i = random.bounded(4); i >= 0; --i) {
            switch (random.bounded(4)) {
            case 0:
            case 1:
                ids.append(f.host.addActor(random.bounded(2) ? QStringLiteral("a") : QStringLiteral("b"),
                                           ActorKey(QString::number(random.bounded(100'000)))));
                break;
            case 2:
                if (!ids.isEmpty())
                    f.host.removeActor(ids.takeAt(random.bounded(ids.size())));
                break;
            default:
                if (!ids.isEmpty()) {
                    const bool asleep = random.bounded(2);
                    f.host.edit(ids[random.bounded(ids.size())], [asleep](wire::ActorSummary &actor) {
                        actor.status = asleep ? wire::ActorStatus::sleeping : wire::ActorStatus::running;
                    });
                }
                break;
            }
        }
        if (random.bounded(5) == 0)
            f.model.setFilter(ActorListFilter::parse(filters[random.bounded(filters.size())]));
        f.settle();

        QSet<QString> expected;
        for (const wire::ActorSummary &actor : client->store().actors()) {
            if (f.model.filter().matches(actor, client->name(), 0))
                expected.insert(actor.id);
        }
        QSet<QString> shown;
        const QModelIndex parent = f.model.hostIndex(0);
        for (int row = 0; row < f.model.rowCount(parent); ++row) {
            const QModelIndex index = f.model.index(row, 0, parent);
            shown.insert(f.model.actorId(index));
            QCOMPARE(f.model.indexOf(client, f.model.actorId(index)), index);
        }
        QCOMPARE(shown, expected);
    }
}

QTEST_MAIN(tst_ActorListModel)
#include "tst_actor_list_model.moc"
