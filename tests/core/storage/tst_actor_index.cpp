// Which actors exist, what is stored of each, and who may still write it.

#include "storage/data_folder.h"
#include "storage/shard.h"
#include "storage_support.h"
#include "testing/simulated_environment.h"

#include <QtTest>

#include <random>

using namespace terrarium;
using storage_support::Answer;
using storage_support::thrown;
using storage_support::thrownError;
using terrarium::testing::SimulatedEnvironment;

class tst_ActorIndex : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void createdActorIsFoundAtOnceAndAfterRestart_data();
    void createdActorIsFoundAtOnceAndAfterRestart();
    void sameKeyTwiceIsRefused_data() { createdActorIsFoundAtOnceAndAfterRestart_data(); }
    void sameKeyTwiceIsRefused();
    void idsAreThirtyCharactersAndUnique();
    void everyStartCountsTheGenerationUp_data() { createdActorIsFoundAtOnceAndAfterRestart_data(); }
    void everyStartCountsTheGenerationUp();
    void generationSurvivesAStartThatSavedNothing();
    void olderIncarnationIsFencedOff_data() { createdActorIsFoundAtOnceAndAfterRestart_data(); }
    void olderIncarnationIsFencedOff();
    void fenceHoldsOnDiskToo();
    void batchIsLoadedBackExactly_data() { createdActorIsFoundAtOnceAndAfterRestart_data(); }
    void batchIsLoadedBackExactly();
    void createStartAndSaveOfOneTurnAreOneRow();
    void emptyStateIsNotNeverSaved();
    void inputIsWrittenOnceAndStays();
    void destroyedActorLeavesNoRows_data() { createdActorIsFoundAtOnceAndAfterRestart_data(); }
    void destroyedActorLeavesNoRows();
    void destroyedKeyCanBeUsedAgainInTheSameTurn_data() { createdActorIsFoundAtOnceAndAfterRestart_data(); }
    void destroyedKeyCanBeUsedAgainInTheSameTurn();
    void destroyedOnesAreRememberedByIdUpToALimit();
    void failedCreateIsUndone();
    void failedDestroyIsUndone();
    void listIsByCreationInPages();
    void countsFollowEveryChange();
    void alarmsAreTheEarliestOfEachActor();
    void metaValuesAreKept();
    void randomHistoryEqualsAModel_data() { createdActorIsFoundAtOnceAndAfterRestart_data(); }
    void randomHistoryEqualsAModel();
    void sleepingActorsKeepNoMemory();
};

namespace {

struct Store {
    explicit Store(Durability durability = Durability::Process, quint64 seed = 1) : env(seed), durability(durability)
    {
        open();
    }
    ~Store() { close(); }

    void open()
    {
        DataFolderOptions options;
        options.path = dir.path();
        options.durability = durability;
        folder = std::make_unique<DataFolder>(env, options);
        hook = env.environment().executor.onTurnEnd([this] { folder->commitTurn(); });
    }
    void close()
    {
        hook.reset();
        if (folder)
            folder->close();
        folder.reset();
    }
    void restart()
    {
        close();
        open();
    }
    /// As a kill would: what is not committed is gone.
    void crash()
    {
        hook.reset();
        folder.reset();
        open();
    }
    ActorIndex &index() { return folder->index(); }
    void turn() { env.runUntilIdle(); }
    qint64 rows(const QString &table)
    {
        return folder->shard().reader().integer(QStringLiteral("SELECT count(*) FROM %1").arg(table));
    }
    ActorRow create(const QString &key, CommitDone done = {})
    {
        return index().create(QStringLiteral("counter"), ActorKey(key), std::nullopt, env.clock().wallMs(),
                              std::move(done));
    }

    QTemporaryDir dir;
    SimulatedEnvironment env;
    Durability durability;
    std::unique_ptr<DataFolder> folder;
    Executor::TurnHook hook;
};

ScheduleRow oneShot(const QString &id, qint64 at)
{
    ScheduleRow row;
    row.eventId = id;
    row.triggerAt = at;
    row.action = QStringLiteral("tick");
    row.args = QByteArray("\x81\x01", 2);
    return row;
}

} // namespace

void tst_ActorIndex::createdActorIsFoundAtOnceAndAfterRestart_data()
{
    QTest::addColumn<Durability>("durability");
    QTest::newRow("process") << Durability::Process;
    QTest::newRow("power") << Durability::Power;
}

void tst_ActorIndex::createdActorIsFoundAtOnceAndAfterRestart()
{
    QFETCH(Durability, durability);
    Store store(durability);
    Answer answer;
    const ActorKey key(QStringList{"a/b", "", "c\\d"});

    const ActorRow made =
        store.index().create(QStringLiteral("chatRoom"), key, QByteArray("\x01", 1), 1'000'000, answer.taker());
    QCOMPARE(store.index().find(QStringLiteral("chatRoom"), key), std::optional(made));
    QCOMPARE(store.index().findById(made.id), std::optional(made));
    QVERIFY(!store.index().find(QStringLiteral("other"), key));
    QCOMPARE(answer.text, QStringLiteral("none"));
    store.turn();
    QCOMPARE(answer.text, QStringLiteral("ok"));
    QCOMPARE(answer.times, 1);
    QCOMPARE(store.index().find(QStringLiteral("chatRoom"), key), std::optional(made));
    store.restart();

    const auto found = store.index().find(QStringLiteral("chatRoom"), key);
    QCOMPARE(found, std::optional(made));
    QCOMPARE(found->createdAt, 1'000'000);
    QCOMPARE(store.index().findById(made.id), std::optional(made));
    QVERIFY(!store.index().findById(QStringLiteral("nonsense")));
    QVERIFY(!store.index().findById(QString(30, QLatin1Char('z'))));
}

void tst_ActorIndex::sameKeyTwiceIsRefused()
{
    QFETCH(Durability, durability);
    Store store(durability);
    const ActorRow made = store.create(QStringLiteral("a"));

    const auto inTurn = thrownError([&] { store.create(QStringLiteral("a")); });
    store.turn();
    const auto later = thrownError([&] { store.create(QStringLiteral("a")); });

    for (const auto &error : {inTurn, later}) {
        QVERIFY(error);
        QCOMPARE(error->code(), QStringLiteral("duplicate_key"));
        QCOMPARE(error->metadata()["existing_actor_id"].toText(), made.id);
        QCOMPARE(error->metadata()["key"].toText(), QStringLiteral("a"));
    }
    QCOMPARE(store.index().count(), 1);
}

void tst_ActorIndex::idsAreThirtyCharactersAndUnique()
{
    Store store;
    QSet<QString> ids;
    static const QRegularExpression form(QStringLiteral("^[0-9a-z]{30}$"));

    for (int i = 0; i < 300; ++i) {
        const QString id = store.create(QString::number(i)).id;
        QVERIFY2(form.match(id).hasMatch(), qPrintable(id));
        ids.insert(id);
    }

    QCOMPARE(ids.size(), 300);
}

void tst_ActorIndex::everyStartCountsTheGenerationUp()
{
    QFETCH(Durability, durability);
    Store store(durability);
    const QString id = store.create(QStringLiteral("a")).id;

    QCOMPARE(store.index().begin(id)->actor().generation, 1u);
    QCOMPARE(store.index().begin(id)->actor().generation, 2u);
    store.turn();
    QCOMPARE(store.index().begin(id)->actor().generation, 3u);
    QCOMPARE(store.index().findById(id)->generation, 3u);
    store.turn();
    store.restart();

    QCOMPARE(store.index().findById(id)->generation, 3u);
    QCOMPARE(store.index().begin(id)->actor().generation, 4u);
    QCOMPARE(thrown([&] { store.index().begin(QStringLiteral("unknown")); }), QStringLiteral("actor/not_found"));
}

void tst_ActorIndex::generationSurvivesAStartThatSavedNothing()
{
    Store store;
    const QString id = store.create(QStringLiteral("a")).id;
    store.turn();
    const auto storage = store.index().begin(id);
    store.turn();

    store.crash();

    QCOMPARE(store.index().findById(id)->generation, 1u);
}

void tst_ActorIndex::olderIncarnationIsFencedOff()
{
    QFETCH(Durability, durability);
    Store store(durability);
    const QString id = store.create(QStringLiteral("a")).id;
    const auto old = store.index().begin(id);
    store.turn();
    const auto fresh = store.index().begin(id);
    Answer stale, good, staleAfter;
    WriteBatch one, two, three;
    one.saveState("old", 1);
    two.saveState("new", 2);
    three.saveState("older", 3);

    old->commit(one, stale.taker());
    fresh->commit(two, good.taker());
    store.turn();
    old->commit(three, staleAfter.taker());
    store.turn();

    QCOMPARE(stale.text, QStringLiteral("storage/stale_generation"));
    QCOMPARE(good.text, QStringLiteral("ok"));
    QCOMPARE(staleAfter.text, QStringLiteral("storage/stale_generation"));
    QCOMPARE(store.index().read(id).state, QByteArray("new"));
}

void tst_ActorIndex::fenceHoldsOnDiskToo()
{
    Store store;
    const QString id = store.create(QStringLiteral("a")).id;
    const auto storage = store.index().begin(id);
    store.turn();
    // Another program moved the actor on.
    store.folder->shard().reader().execute(QStringLiteral("UPDATE _terrarium_actor SET generation = 9"));
    Answer state, schedule, ready;
    WriteBatch a, b, c;
    a.saveState("x", 1);
    b.putSchedule(oneShot(QStringLiteral("e"), 5));
    c.setInitialized();

    storage->commit(a, state.taker());
    storage->commit(b, schedule.taker());
    storage->commit(c, ready.taker());
    store.turn();

    QCOMPARE(state.text, QStringLiteral("storage/stale_generation"));
    QCOMPARE(schedule.text, QStringLiteral("storage/stale_generation"));
    QCOMPARE(ready.text, QStringLiteral("storage/stale_generation"));
    QCOMPARE(store.rows(QStringLiteral("_terrarium_schedule_events")), 0);
}

void tst_ActorIndex::batchIsLoadedBackExactly()
{
    QFETCH(Durability, durability);
    Store store(durability);
    const QString id = store.create(QStringLiteral("a")).id;
    store.turn();
    const auto storage = store.index().begin(id);
    ScheduleRow every;
    every.eventId = QStringLiteral("cron:nightly");
    every.triggerAt = 700;
    every.action = QStringLiteral("reset");
    every.kind = ScheduleKind::Every;
    every.intervalMs = 86'400'000;
    every.lastStartedAt = 3;
    every.maxHistory = 100;
    ScheduleRow cron = every;
    cron.eventId = QStringLiteral("cron:five");
    cron.kind = ScheduleKind::Cron;
    cron.intervalMs = 0;
    cron.cronExpression = QStringLiteral("*/5 * * * *");
    cron.timezone = QStringLiteral("Europe/Berlin");
    const ScheduleRow soon = oneShot(QStringLiteral("z"), 500);
    WriteBatch batch;
    batch.saveState("first", 1);
    batch.saveState(QByteArray("\xa1\x00", 2), 42);
    batch.setInitialized();
    batch.putSchedule(every);
    batch.putSchedule(oneShot(QStringLiteral("gone"), 1));
    batch.putSchedule(cron);
    batch.putSchedule(soon);
    batch.deleteSchedule(QStringLiteral("gone"));
    Answer answer;

    storage->commit(batch, answer.taker());
    store.turn();
    QCOMPARE(answer.text, QStringLiteral("ok"));
    store.crash();

    const StoredActor stored = store.index().read(id);
    QCOMPARE(stored.state, QByteArray("\xa1\x00", 2));
    QCOMPARE(stored.savedAt, 42);
    QVERIFY(stored.hasInitialized);
    QVERIFY(!stored.input);
    QCOMPARE(stored.schedules, (QList<ScheduleRow>{soon, cron, every}));
    QCOMPARE(stored.actor.generation, 1u);
    QCOMPARE(store.index().begin(id)->load().schedules.size(), 3);
}

void tst_ActorIndex::createStartAndSaveOfOneTurnAreOneRow()
{
    Store store;
    Answer created, saved;
    const ActorRow row =
        store.index().create(QStringLiteral("counter"), ActorKey("a"), QByteArray("in"), 5, created.taker());
    const auto storage = store.index().begin(row.id);
    QCOMPARE(storage->load().input, std::optional(QByteArray("in")));
    QVERIFY(!storage->load().hasInitialized);
    WriteBatch batch;
    batch.saveState("s", 6);
    batch.setInitialized();
    batch.putSchedule(oneShot(QStringLiteral("e"), 9));
    const qint64 before = store.folder->shard().reader().integer(QStringLiteral("SELECT total_changes()"));

    storage->commit(batch, saved.taker());
    QCOMPARE(storage->load().state, QByteArray("s")); // what a second start would see
    QCOMPARE(storage->load().schedules.size(), 1);
    store.turn();

    QCOMPARE(created.text, QStringLiteral("ok"));
    QCOMPARE(saved.text, QStringLiteral("ok"));
    // The actor, its input and the schedule: nothing was written twice.
    QCOMPARE(store.folder->shard().reader().integer(QStringLiteral("SELECT total_changes()")) - before, 3);
    const StoredActor stored = store.index().read(row.id);
    QCOMPARE(stored.state, QByteArray("s"));
    QCOMPARE(stored.actor.generation, 1u);
    QVERIFY(stored.hasInitialized);
    QCOMPARE(stored.schedules.size(), 1);
}

void tst_ActorIndex::emptyStateIsNotNeverSaved()
{
    Store store;
    const QString id = store.create(QStringLiteral("a")).id;
    store.turn();
    QCOMPARE(store.index().read(id).savedAt, 0);
    const auto storage = store.index().begin(id);
    WriteBatch batch;
    batch.saveState(QByteArray(), 77);

    storage->commit(batch, {});
    store.turn();

    const StoredActor stored = store.index().read(id);
    QCOMPARE(stored.savedAt, 77);
    QVERIFY(stored.state.isEmpty());
    QCOMPARE(store.folder->shard().reader().integer(QStringLiteral("SELECT state IS NULL FROM _terrarium_actor")), 0);
}

void tst_ActorIndex::inputIsWrittenOnceAndStays()
{
    Store store;
    const QByteArray input(100'000, 'i');
    const QString id = store.index().create(QStringLiteral("counter"), ActorKey("a"), input, 1, {}).id;
    store.turn();
    const auto storage = store.index().begin(id);
    for (int i = 0; i < 3; ++i) {
        WriteBatch batch;
        batch.saveState(QByteArray::number(i), i);
        storage->commit(batch, {});
        store.turn();
    }

    QCOMPARE(store.index().read(id).input, std::optional(input));
}

void tst_ActorIndex::destroyedActorLeavesNoRows()
{
    QFETCH(Durability, durability);
    Store store(durability);
    const QString id = store.index().create(QStringLiteral("counter"), ActorKey("a"), QByteArray("in"), 1, {}).id;
    const auto storage = store.index().begin(id);
    WriteBatch batch;
    batch.saveState("s", 1);
    batch.putSchedule(oneShot(QStringLiteral("e"), 5));
    storage->commit(batch, {});
    store.turn();
    Answer destroyed, late, again;

    storage->destroy(99, destroyed.taker());
    QVERIFY(!store.index().find(QStringLiteral("counter"), ActorKey("a")));
    QCOMPARE(store.index().findById(id)->destroyedAt, 99);
    WriteBatch more;
    more.saveState("late", 2);
    storage->commit(more, late.taker());
    store.turn();
    storage->destroy(100, again.taker());
    store.turn();

    QCOMPARE(destroyed.text, QStringLiteral("ok"));
    QCOMPARE(late.text, QStringLiteral("actor/not_found"));
    QCOMPARE(again.text, QStringLiteral("ok"));
    QCOMPARE(store.rows(QStringLiteral("_terrarium_actor")), 0);
    QCOMPARE(store.rows(QStringLiteral("_terrarium_actor_input")), 0);
    QCOMPARE(store.rows(QStringLiteral("_terrarium_schedule_events")), 0);
    store.restart();
    QCOMPARE(store.index().findById(id)->destroyedAt, 99);
    QCOMPARE(thrown([&] { store.index().read(id); }), QStringLiteral("actor/not_found"));
    QCOMPARE(thrown([&] { store.index().begin(id); }), QStringLiteral("actor/not_found"));
    QCOMPARE(store.index().count(), 0);
}

void tst_ActorIndex::destroyedKeyCanBeUsedAgainInTheSameTurn()
{
    QFETCH(Durability, durability);
    Store store(durability);
    const ActorRow first = store.create(QStringLiteral("a"));
    store.turn();
    Answer destroyed, created;

    store.index().destroy(first.id, 5, destroyed.taker());
    const ActorRow second = store.create(QStringLiteral("a"), created.taker());
    QVERIFY(second.id != first.id);
    QCOMPARE(store.index().find(QStringLiteral("counter"), ActorKey("a")), std::optional(second));
    store.turn();

    QCOMPARE(destroyed.text, QStringLiteral("ok"));
    QCOMPARE(created.text, QStringLiteral("ok"));
    QCOMPARE(store.index().find(QStringLiteral("counter"), ActorKey("a")), std::optional(second));
    QCOMPARE(store.index().count(), 1);
    // And one that never reached the disk before it went.
    const ActorRow third = store.create(QStringLiteral("b"));
    store.index().destroy(third.id, 6, {});
    const ActorRow fourth = store.create(QStringLiteral("b"));
    store.turn();
    QCOMPARE(store.index().find(QStringLiteral("counter"), ActorKey("b")), std::optional(fourth));
    QCOMPARE(store.index().count(), 2);
}

void tst_ActorIndex::destroyedOnesAreRememberedByIdUpToALimit()
{
    Store store;
    QString first;
    QString last;
    for (int i = 0; i < 1300; ++i) {
        last = store.create(QStringLiteral("a")).id;
        if (first.isEmpty())
            first = last;
        store.index().destroy(last, i + 1, {});
        if (i % 50 == 0)
            store.turn();
    }
    store.turn();

    QVERIFY(!store.index().findById(first));
    QCOMPARE(store.index().findById(last)->destroyedAt, 1300);
    QVERIFY(store.rows(QStringLiteral("_terrarium_destroyed")) >= 1000);
    QVERIFY(store.rows(QStringLiteral("_terrarium_destroyed")) <= 1100);
}

void tst_ActorIndex::failedCreateIsUndone()
{
    Store store;
    Answer created, saved;
    {
        SqlConnection other(store.dir.filePath(QStringLiteral("shared.sqlite")), {});
        const SqlTransaction locked(other);
        const ActorRow row = store.create(QStringLiteral("a"), created.taker());
        const auto storage = store.index().begin(row.id);
        WriteBatch batch;
        batch.saveState("s", 1);
        storage->commit(batch, saved.taker());
        store.env.advance(std::chrono::seconds(3));
    }

    QCOMPARE(created.text, QStringLiteral("storage/busy"));
    QCOMPARE(saved.text, QStringLiteral("storage/busy"));
    QVERIFY(!store.index().find(QStringLiteral("counter"), ActorKey("a")));
    QCOMPARE(store.index().count(), 0);
    Answer again;
    store.create(QStringLiteral("a"), again.taker());
    store.turn();
    QCOMPARE(again.text, QStringLiteral("ok"));
}

void tst_ActorIndex::failedDestroyIsUndone()
{
    Store store;
    const QString id = store.create(QStringLiteral("a")).id;
    store.turn();
    Answer destroyed;
    {
        SqlConnection other(store.dir.filePath(QStringLiteral("shared.sqlite")), {});
        const SqlTransaction locked(other);
        store.index().destroy(id, 5, destroyed.taker());
        store.env.advance(std::chrono::seconds(3));
    }

    QCOMPARE(destroyed.text, QStringLiteral("storage/busy"));
    QCOMPARE(store.index().findById(id)->destroyedAt, 0);
    QCOMPARE(store.index().count(), 1);
}

void tst_ActorIndex::listIsByCreationInPages()
{
    Store store;
    QStringList created;
    for (int i = 0; i < 10; ++i) {
        created << store.index()
                       .create(i % 2 ? QStringLiteral("odd") : QStringLiteral("even"), ActorKey(QString::number(9 - i)),
                               std::nullopt, i, {})
                       .id;
        if (i == 6)
            store.turn(); // the last ones are not on disk
    }
    store.index().destroy(created.at(2), 1, {});
    const auto ids = [](const QList<ActorRow> &rows) {
        QStringList result;
        for (const ActorRow &row : rows)
            result << row.id;
        return result;
    };

    QStringList all = created;
    all.removeAt(2);
    QCOMPARE(ids(store.index().list({}, 100)), all);
    QCOMPARE(ids(store.index().list({}, 3)), all.mid(0, 3));
    QCOMPARE(ids(store.index().list({}, 4, all.at(4))), all.mid(5, 4));
    QCOMPARE(ids(store.index().list(QStringLiteral("odd"), 100)),
             (QStringList{created[1], created[3], created[5], created[7], created[9]}));
    QCOMPARE(ids(store.index().list(QStringLiteral("odd"), 2, created.at(5))), (QStringList{created[7], created[9]}));
    store.turn();
    QCOMPARE(ids(store.index().list({}, 100)), all);
}

void tst_ActorIndex::countsFollowEveryChange()
{
    Store store;
    QCOMPARE(store.index().count(), 0);
    const QString a = store.create(QStringLiteral("a")).id;
    store.create(QStringLiteral("b"));
    QCOMPARE(store.index().count(), 2);
    QCOMPARE(store.index().countByType().value(QStringLiteral("counter")), 2);
    store.turn();
    store.index().destroy(a, 1, {});
    QCOMPARE(store.index().count(), 1);
    QCOMPARE(store.index().countByType().value(QStringLiteral("counter")), 1);

    store.turn();

    QCOMPARE(store.index().count(), 1);
    store.restart();
    QCOMPARE(store.index().count(), 1);
    QCOMPARE(store.index().countByType().value(QStringLiteral("counter")), 1);
}

void tst_ActorIndex::alarmsAreTheEarliestOfEachActor()
{
    Store store;
    QList<ActorRow> actors;
    for (const int base : {300, 100, 200}) {
        actors << store.create(QString::number(base));
        const auto storage = store.index().begin(actors.last().id);
        WriteBatch batch;
        for (int i = 0; i < 3; ++i)
            batch.putSchedule(oneShot(QStringLiteral("e%1").arg(i), base + i));
        storage->commit(batch, {});
    }
    store.turn();

    QCOMPARE(store.index().nextAlarm()->at, 100);
    QCOMPARE(store.index().nextAlarm()->row, actors[1].row);
    QCOMPARE(store.index().nextAlarm(102)->at, 200);
    QVERIFY(!store.index().nextAlarm(302));
    const auto due = store.index().dueAlarms(250, 10);
    QCOMPARE(due.size(), 2);
    QCOMPARE(due[0].at, 100);
    QCOMPARE(due[1].row, actors[2].row);
    QCOMPARE(store.index().dueAlarms(1000, 1).size(), 1);
    QCOMPARE(store.index().nextAlarmOf(actors[0].id), std::optional<qint64>(300));
    store.index().destroy(actors[1].id, 1, {});
    QCOMPARE(store.index().dueAlarms(250, 10).size(), 1);
    store.turn();
    QCOMPARE(store.index().nextAlarm()->at, 200);
    QVERIFY(!store.index().nextAlarmOf(actors[1].id));
}

void tst_ActorIndex::metaValuesAreKept()
{
    Store store;
    Answer answer;
    QVERIFY(!store.index().meta(QStringLiteral("token")));

    store.index().setMeta(QStringLiteral("token"), "one", {});
    store.index().setMeta(QStringLiteral("token"), "two", answer.taker());
    QCOMPARE(store.index().meta(QStringLiteral("token")), std::optional(QByteArray("two")));
    store.turn();
    QCOMPARE(answer.text, QStringLiteral("ok"));
    store.restart();

    QCOMPARE(store.index().meta(QStringLiteral("token")), std::optional(QByteArray("two")));
}

void tst_ActorIndex::randomHistoryEqualsAModel()
{
    QFETCH(Durability, durability);
    const quint64 seed = QRandomGenerator::global()->generate64();
    qInfo("seed %llu", seed);
    std::mt19937_64 random(seed);
    Store store(durability, seed);

    struct Known {
        QString id;
        QByteArray state;
        quint32 generation = 0;
        std::shared_ptr<ActorStorage> storage;
        QMap<QString, qint64> schedules;
    };
    QMap<QString, Known> model; // by key
    const auto check = [&] {
        QCOMPARE(store.index().count(), model.size());
        for (auto it = model.cbegin(); it != model.cend(); ++it) {
            const auto row = store.index().find(QStringLiteral("counter"), ActorKey(it.key()));
            QVERIFY2(row, qPrintable(it.key()));
            QCOMPARE(row->id, it->id);
            QCOMPARE(row->generation, it->generation);
            const StoredActor stored = store.index().read(it->id);
            QCOMPARE(stored.state, it->state);
            QMap<QString, qint64> schedules;
            for (const ScheduleRow &schedule : stored.schedules)
                schedules.insert(schedule.eventId, schedule.triggerAt);
            QCOMPARE(schedules, it->schedules);
        }
    };

    for (int step = 0; step < 3000; ++step) {
        const QString key = QString::number(random() % 12);
        const auto it = model.find(key);
        switch (random() % 8) {
        case 0:
            if (it == model.end())
                model.insert(key, Known{store.create(key).id, {}, 0, nullptr, {}});
            break;
        case 1:
            if (it != model.end()) {
                it->storage = store.index().begin(it->id);
                ++it->generation;
            }
            break;
        case 2:
            if (it != model.end() && random() % 3 == 0) {
                store.index().destroy(it->id, step, {});
                model.erase(it);
            }
            break;
        case 3:
        case 4:
        case 5:
            if (it != model.end() && it->storage) {
                WriteBatch batch;
                if (random() % 2) {
                    it->state = QByteArray::number(step);
                    batch.saveState(it->state, step);
                }
                const QString event = QString::number(random() % 4);
                if (random() % 3 == 0) {
                    batch.putSchedule(oneShot(event, step));
                    it->schedules.insert(event, step);
                } else if (random() % 3 == 0) {
                    batch.deleteSchedule(event);
                    it->schedules.remove(event);
                }
                it->storage->commit(batch, {});
            }
            break;
        case 6:
            store.turn();
            check();
            break;
        default:
            if (random() % 20 == 0) {
                store.turn();
                for (Known &known : model)
                    known.storage.reset();
                if (random() % 2)
                    store.restart();
                else
                    store.crash();
                check();
            }
        }
        if (QTest::currentTestFailed())
            return;
    }
    store.turn();
    check();
}

void tst_ActorIndex::sleepingActorsKeepNoMemory()
{
    Store store;
    for (int i = 0; i < 2000; ++i)
        store.create(QString::number(i));
    store.turn();
    QVERIFY(store.index().isSettled());
    QVERIFY(store.folder->isSettled());

    // Whatever is asked about them afterwards comes from disk: another program's change is seen.
    store.folder->shard().reader().execute(
        QStringLiteral("UPDATE _terrarium_actor SET generation = 5 WHERE key = '1234'"));

    QCOMPARE(store.index().find(QStringLiteral("counter"), ActorKey("1234"))->generation, 5u);
}

QTEST_GUILESS_MAIN(tst_ActorIndex)
#include "tst_actor_index.moc"
