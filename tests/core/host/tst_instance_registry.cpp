#include "host_fixture.h"

#include "actor/turn_saves.h"
#include "host/driver.h"
#include "host/instance_registry.h"
#include "host/local_driver.h"
#include "host/loop_turn.h"
#include "inspect/change_logs.h"
#include "storage/data_folder.h"

using namespace terrarium;
using namespace hosttest;
using terrarium::testing::SimulatedEnvironment;

namespace {

/// Does what a driver may do: late, twice, and without being asked.
class ShakyDriver final : public Driver, public DriverEvents {
public:
    ShakyDriver(Environment &environment, DataFolder &folder, DriverEvents &host)
        : m_environment(environment),
          m_host(host),
          m_local(environment, folder, *this)
    {
        m_local.start();
    }

    std::optional<ActorRow> find(const QString &type, const ActorKey &key) const override
    {
        return m_local.find(type, key);
    }
    std::optional<ActorRow> findById(const QString &actor) const override { return m_local.findById(actor); }
    QList<ActorRow> list(const QString &type, int limit, const QString &afterId) const override
    {
        return m_local.list(type, limit, afterId);
    }
    qsizetype count() const override { return m_local.count(); }
    ActorRow create(const QString &type, const ActorKey &key, const std::optional<QByteArray> &input,
                    std::function<void(const Error &)> failed) override
    {
        return m_local.create(type, key, input, std::move(failed));
    }
    StoredActor read(const QString &actor) const override { return m_local.read(actor); }
    void wake(const QString &actor, const QString &why, const Cause &cause) override
    {
        ++wakes;
        m_local.wake(actor, why, cause);
    }
    void askStop(const Incarnation &who, StopReason reason, const QString &why, const Cause &cause) override
    {
        m_local.askStop(who, reason, why, cause);
    }
    void destroy(const QString &actor, CommitDone done) override { m_local.destroy(actor, std::move(done)); }
    void ended(const Incarnation &who, std::optional<qint64> nextAlarm) override { m_local.ended(who, nextAlarm); }

    void start(StartOrder order) override
    {
        const auto held = std::make_shared<StartOrder>(std::move(order));
        late([this, held] { m_host.start(std::move(*held)); });
    }
    void startFailed(const QString &actor, const Error &error) override { m_host.startFailed(actor, error); }
    void stop(const Incarnation &who, StopReason reason, const QString &why, const Cause &cause) override
    {
        for (int times = 0; times < 2; ++times)
            late([this, who, reason, why, cause] { m_host.stop(who, reason, why, cause); });
    }
    void alarmDue(const ActorRow &actor) override { m_host.alarmDue(actor); }

    int wakes = 0;

private:
    void late(std::function<void()> work)
    {
        m_timers.push_back(
            m_environment.clock.after(std::chrono::milliseconds(m_environment.random.below(3'000)), std::move(work)));
    }

    Environment &m_environment;
    DriverEvents &m_host;
    LocalDriver m_local;
    std::vector<Timer> m_timers;
};

/// A registry on its own, without HostCore.
struct Setup {
    explicit Setup(quint64 seed)
        : env(seed),
          logs(env.environment()),
          folder(env.environment(), inMemory()),
          registry(env.environment(), types, logs, saves)
    {
        types.add(Counter::type());
        types.add(Slow::type());
        driver = std::make_unique<ShakyDriver>(env.environment(), folder, registry);
        registry.setDriver(*driver);
        turn = std::make_unique<LoopTurn>(env.environment(), saves, folder, [] {});
    }
    static DataFolderOptions inMemory()
    {
        DataFolderOptions options;
        options.path = QStringLiteral(":memory:");
        return options;
    }
    QString create(const QString &type)
    {
        return driver->create(type, ActorKey("a"), std::nullopt, [](const Error &) {}).id;
    }
    void call(const QString &id, const QString &action, std::vector<Value> args)
    {
        auto request = std::make_shared<CallRequest>();
        request->actor = id;
        request->action = action;
        request->args = Value::array(std::move(args));
        request->cause = Cause(QStringLiteral("action"), action);
        request->reply = [this](CallOutcome &&outcome) {
            ++answered;
            if (!outcome.ok())
                errors.append(Host::codeOf(outcome));
        };
        ++asked;
        registry.call(std::move(request));
    }

    SimulatedEnvironment env;
    TypeRegistry types;
    ChangeLogs logs;
    TurnSaves saves;
    DataFolder folder;
    InstanceRegistry registry;
    std::unique_ptr<ShakyDriver> driver;
    std::unique_ptr<LoopTurn> turn;
    int asked = 0;
    int answered = 0;
    QStringList errors;
};

} // namespace

class tst_InstanceRegistry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCallIsAnsweredWhateverTheDriverDoes()
    {
        for (quint64 seed = 1; seed <= 30; ++seed) {
            Setup setup(seed);
            const QString counter = setup.create("counter");
            const QString slow = setup.create("slow");
            Random &random = setup.env.environment().random;
            int incremented = 0;
            for (int step = 0; step < 60; ++step) {
                switch (random.below(6)) {
                case 0: setup.registry.sleep(counter, Cause("inspector"), [](std::optional<Error>) {}); break;
                case 1: setup.registry.wake(slow, "inspector", Cause("inspector"), [](std::optional<Error>) {}); break;
                case 2: setup.registry.sleep(slow, Cause("inspector"), [](std::optional<Error>) {}); break;
                case 3: setup.call(slow, "increment", {}); break;
                default: setup.call(counter, "increment", {1}); ++incremented;
                }
                setup.env.advance(std::chrono::milliseconds(random.below(1'500)));
            }
            setup.env.advance(2min);

            const QString seedText = QString("seed %1").arg(seed);
            QVERIFY2(setup.errors.isEmpty(), qPrintable(seedText + ": " + setup.errors.join(", ")));
            QVERIFY2(setup.answered == setup.asked, qPrintable(seedText));
            QCOMPARE(setup.registry.liveCount(), 0);
            QCOMPARE(setup.registry.count(), 0);
            const Value state = cbor::decode(setup.driver->read(counter).state);
            QVERIFY2(state["count"] == Value(incremented), qPrintable(seedText));
        }
    }

    void aStartThatWasAskedForTwiceHappensOnce()
    {
        Setup setup(1);
        const QString id = setup.create("counter");
        setup.call(id, "value", {});
        setup.call(id, "value", {});

        QCOMPARE(setup.driver->wakes, 1);
        setup.env.advance(4s);

        QCOMPARE(setup.answered, 2);
        QVERIFY(setup.errors.isEmpty());
    }

    void anUnaskedStopIsObeyed()
    {
        Setup setup(1);
        const QString id = setup.create("counter");
        setup.call(id, "increment", {1});
        while (setup.registry.liveCount() == 0)
            setup.env.advance(100ms);
        setup.env.advance(10ms);
        const quint32 generation = setup.registry.task(id)->row().generation;

        setup.registry.stop(Incarnation{id, generation + 1}, StopReason::Sleep, "idle", Cause("host"));
        QVERIFY(setup.registry.task(id) != nullptr); // another incarnation is meant
        setup.registry.stop(Incarnation{id, generation}, StopReason::Sleep, "idle", Cause("host"));
        setup.env.runUntilIdle();

        QVERIFY(setup.registry.task(id) == nullptr);
        QCOMPARE(setup.registry.count(), 0);
    }

    void destroyIsKeptThroughAStartUnderWay()
    {
        for (quint64 seed = 1; seed <= 10; ++seed) {
            Setup setup(seed);
            const QString id = setup.create("counter");
            setup.call(id, "increment", {1});
            QString answer = QStringLiteral("nothing");
            setup.registry.destroy(id, Cause("inspector"),
                                   [&](std::optional<Error> error) { answer = error ? error->code() : QString(); });
            setup.env.advance(20s);

            QCOMPARE(answer, QString());
            QCOMPARE(setup.driver->count(), 0);
            QCOMPARE(setup.answered, 1);
            QCOMPARE(setup.registry.count(), 0);
        }
    }
};

QTEST_GUILESS_MAIN(tst_InstanceRegistry)
#include "tst_instance_registry.moc"
