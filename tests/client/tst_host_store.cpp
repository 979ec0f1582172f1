#include "client/host_store.h"

#include <QTest>

using namespace terrarium;

namespace {
wire::ActorSummary storeSummary(const char *id, const char *key = "k",
                                wire::ActorStatus status = wire::ActorStatus::running)
{
    wire::ActorSummary summary;
    summary.id = QString::fromLatin1(id);
    summary.type = QStringLiteral("t");
    summary.key = ActorKey(key);
    summary.status = status;
    return summary;
}
wire::ActorsChanged storeChange(QList<wire::ActorSummary> upserts, QStringList removed = {}, bool full = false)
{
    wire::ActorsChanged change;
    change.full = full;
    change.upserts = std::move(upserts);
    change.removed = std::move(removed);
    return change;
}
} // namespace

class tst_HostStore : public QObject {
    Q_OBJECT
private:
    QList<ActorsBatch> m_batches;
    void listen(HostStore &store)
    {
        m_batches.clear();
        connect(&store, &HostStore::changed, this, [this](const ActorsBatch &batch) { m_batches.append(batch); });
    }

private Q_SLOTS:
    void theFirstFullListLoadsTheStore()
    {
        HostStore store;
        listen(store);
        QVERIFY(!store.isLoaded());

        store.apply({storeChange({storeSummary("1"), storeSummary("2")}, {}, true)});

        QVERIFY(store.isLoaded());
        QCOMPARE(m_batches.size(), 1);
        QVERIFY(m_batches[0].reset);
        QCOMPARE(m_batches[0].added, (QStringList{QStringLiteral("1"), QStringLiteral("2")}));
    }

    void anotherFullListRemovesWhatItDoesNotName()
    {
        HostStore store;
        store.apply({storeChange({storeSummary("1"), storeSummary("2")}, {}, true)});
        listen(store);

        store.apply({storeChange({storeSummary("2"), storeSummary("3")}, {}, true)});

        QCOMPARE(m_batches[0].removed, QStringList{QStringLiteral("1")});
        QCOMPARE(m_batches[0].changed, QStringList{QStringLiteral("2")});
        QCOMPARE(m_batches[0].added, QStringList{QStringLiteral("3")});
        QVERIFY(!store.actor(QStringLiteral("1")));
    }

    void anIdIsInOneListOnly()
    {
        HostStore store;
        store.apply({storeChange({storeSummary("old"), storeSummary("back")}, {}, true)});
        listen(store);

        store.apply({storeChange({storeSummary("new"), storeSummary("brief")}),
                     storeChange({storeSummary("new")}, {QStringLiteral("brief"), QStringLiteral("back")}),
                     storeChange({storeSummary("back"), storeSummary("old")}, {QStringLiteral("old")})});

        QCOMPARE(m_batches.size(), 1);
        QCOMPARE(m_batches[0].added, QStringList{QStringLiteral("new")});
        QCOMPARE(m_batches[0].changed, QStringList{QStringLiteral("back")});
        QCOMPARE(m_batches[0].removed, QStringList{QStringLiteral("old")});
        QVERIFY(!m_batches[0].reset);
    }

    void nothingNewIsNoSignal()
    {
        HostStore store;
        listen(store);
        store.apply({storeChange({}, {QStringLiteral("never seen")})});
        QVERIFY(m_batches.isEmpty());
    }

    void findSkipsDestroyedActors()
    {
        HostStore store;
        store.apply(
            {storeChange({storeSummary("1", "a", wire::ActorStatus::destroyed), storeSummary("2", "a")}, {}, true)});

        const wire::ActorSummary *found = store.find(QStringLiteral("t"), ActorKey("a"));

        QVERIFY(found);
        QCOMPARE(found->id, QStringLiteral("2"));
        QVERIFY(!store.find(QStringLiteral("t"), ActorKey("b")));
    }
};

QTEST_GUILESS_MAIN(tst_HostStore)
#include "tst_host_store.moc"
