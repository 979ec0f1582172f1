#pragma once
// A host in a simulated environment, with actor types for its tests.

#include "host/host_core.h"
#include "testing/simulated_environment.h"
#include "value/cbor.h"

#include <terrarium/terrarium.h>

#include <QtTest>

namespace hosttest {

using namespace std::chrono_literals;
using terrarium::ActorKey;
using terrarium::ActorRef;
using terrarium::CallOutcome;
using terrarium::Cause;
using terrarium::Error;
using terrarium::HostCore;
using terrarium::HostOptions;
using terrarium::Task;
using terrarium::Value;

struct CounterState {
    int count = 0;
    QString lastBy;
    ACTOR_FIELDS(CounterState, count, lastBy)
};

/// Sleeps after 2 s. Counts; tells how often it woke; waits when asked to.
class Counter : public terrarium::Actor<CounterState> {
public:
    using Actor::Actor;
    static constexpr terrarium::Event<int> changed{"changed"};

    int increment(int by)
    {
        state().count += by;
        broadcast(changed, state().count);
        return state().count;
    }
    int value() const { return state().count; }
    Task<int> slow(int ms)
    {
        co_await delay(std::chrono::milliseconds(ms));
        state().count += 1;
        co_return state().count;
    }
    void fail() { throw Error(QStringLiteral("counter"), QStringLiteral("no"), QStringLiteral("it does not want to")); }
    void later(int ms) { after(std::chrono::milliseconds(ms), &Counter::increment, 100); }
    void goToSleep() { sleep(); }
    void vanish() { destroy(); }

    static auto type()
    {
        return terrarium::ActorType<Counter>("counter")
            .action("increment", &Counter::increment, {"by"})
            .action("value", &Counter::value)
            .action("slow", &Counter::slow, {"ms"})
            .action("fail", &Counter::fail)
            .action("later", &Counter::later, {"ms"})
            .action("goToSleep", &Counter::goToSleep)
            .action("vanish", &Counter::vanish)
            .event(changed)
            .sleepTimeout(2s)
            .gracePeriod(5s);
    }
};

/// Cannot start while the count of starts to refuse is not used up.
class Brittle : public terrarium::Actor<CounterState> {
public:
    using Actor::Actor;
    static inline int startsToRefuse = 0;
    static inline int starts = 0;
    static inline int runsToFail = 0;

    void onWake()
    {
        ++starts;
        if (startsToRefuse > 0) {
            --startsToRefuse;
            throw Error(QStringLiteral("brittle"), QStringLiteral("start"), QStringLiteral("not now"));
        }
    }
    Task<> run(terrarium::Context &context)
    {
        if (runsToFail > 0) {
            --runsToFail;
            throw Error(QStringLiteral("brittle"), QStringLiteral("run"), QStringLiteral("it broke"));
        }
        (void)context;
        co_return;
    }
    int value() const { return state().count; }

    static auto type()
    {
        return terrarium::ActorType<Brittle>("brittle").action("value", &Brittle::value).sleepTimeout(2s);
    }
};

/// Its hooks leave a trace; its sleep takes a second, its destroy is counted.
class Slow : public terrarium::Actor<CounterState> {
public:
    using Actor::Actor;
    static inline int destroys = 0;

    Task<> onSleep() { co_await delay(1s); }
    void onDestroy() { ++destroys; }
    int increment() { return ++state().count; }
    static auto type()
    {
        return terrarium::ActorType<Slow>("slow").action("increment", &Slow::increment).sleepTimeout(2s);
    }
};

/// Keeps what an inspector is told.
class Watcher final : public terrarium::HostWatcher {
public:
    void actorsChanged(const QList<terrarium::wire::ActorSummary> &upserts, const QStringList &removed) override
    {
        ++beats;
        for (const auto &summary : upserts)
            actors.insert(summary.id, summary);
        for (const QString &id : removed)
            actors.remove(id);
    }
    void recordsAppended(const QString &, const QList<terrarium::wire::Record> &appended) override
    {
        records += appended;
    }
    void awakeChanged(const QString &, const QList<terrarium::wire::Blocker> &all,
                      const terrarium::wire::SleepForecast &newest) override
    {
        blockers = all;
        forecast = newest;
    }
    template <typename Body>
    QList<Body> bodies() const
    {
        QList<Body> found;
        for (const auto &record : records) {
            if (const auto *body = std::get_if<Body>(&record.body))
                found.append(*body);
        }
        return found;
    }

    int beats = 0;
    QHash<QString, terrarium::wire::ActorSummary> actors;
    QList<terrarium::wire::Record> records;
    QList<terrarium::wire::Blocker> blockers;
    terrarium::wire::SleepForecast forecast;
};

class Sink final : public terrarium::ConnectionSink {
public:
    void event(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &) override
    {
        events.append({name, args});
    }
    void closed(quint16 code, const QString &reason) override
    {
        closeCode = code;
        closeReason = reason;
    }
    QList<std::pair<QString, Value>> events;
    int closeCode = 0;
    QString closeReason;
};

/// One host on `dataDir`, open. The environment is the test's, so that a second host can follow the first.
class Host {
public:
    Host(terrarium::testing::SimulatedEnvironment &environment, const QString &dataDir = QStringLiteral(":memory:"),
         terrarium::Durability durability = terrarium::Durability::Process)
        : env(environment)
    {
        HostOptions options;
        options.dataDir = dataDir;
        options.durability = durability;
        options.name = QStringLiteral("test");
        core = std::make_unique<HostCore>(env.environment(), options);
        core->add(Counter::type());
        core->add(Brittle::type());
        core->add(Slow::type());
    }
    HostCore *operator->() const { return core.get(); }

    ActorRef actor(const QString &type, const QString &key)
    {
        return core->getOrCreate(type, ActorKey(key), std::nullopt, Cause(QStringLiteral("create"))).first;
    }
    /// The answer is in `outcomes` once it came.
    int begin(const QString &id, const QString &action, std::vector<Value> args = {})
    {
        const int number = int(outcomes.size());
        outcomes.append(std::nullopt);
        core->call(id, action, Value::array(std::move(args)), Value(), Cause(QStringLiteral("action"), action), 0,
                   [this, number](CallOutcome &&outcome) { outcomes[number] = std::move(outcome); });
        return number;
    }
    CallOutcome call(const QString &id, const QString &action, std::vector<Value> args = {})
    {
        const int number = begin(id, action, std::move(args));
        env.runUntilIdle();
        if (!outcomes[number])
            throw Error(QStringLiteral("test"), QStringLiteral("no_answer"), QStringLiteral("no answer to ") + action);
        return *outcomes[number];
    }
    int number(const QString &id, const QString &action, std::vector<Value> args = {})
    {
        const CallOutcome outcome = call(id, action, std::move(args));
        if (!outcome.ok())
            throw std::get<Error>(outcome.result);
        return int(std::get<Value>(outcome.result).toInt());
    }
    QString error(const QString &id, const QString &action, std::vector<Value> args = {})
    {
        const CallOutcome outcome = call(id, action, std::move(args));
        return codeOf(outcome);
    }
    static QString codeOf(const CallOutcome &outcome)
    {
        const auto *error = std::get_if<Error>(&outcome.result);
        return error == nullptr ? QString() : error->group() + QLatin1Char('/') + error->code();
    }
    /// "": done; else the error, or "nothing" when it was not answered.
    QString wait(const std::function<void(terrarium::DoneReply)> &act)
    {
        QString answer = QStringLiteral("nothing");
        act([&answer](std::optional<Error> error) {
            answer = error ? error->group() + QLatin1Char('/') + error->code() : QString();
        });
        env.runUntilIdle();
        for (int i = 0; i < 100 && answer == QLatin1String("nothing") && env.advanceToNext(); ++i)
            env.runUntilIdle();
        return answer;
    }
    QString stop()
    {
        return wait([this](terrarium::DoneReply done) { core->stop(std::move(done)); });
    }
    terrarium::wire::ActorStatus status(const QString &id) const { return core->snapshot(id).summary.status; }
    int storedCount(const QString &id) const
    {
        const QByteArray state = core->snapshot(id).state;
        return state.isEmpty() ? -1 : int(terrarium::cbor::decode(state)["count"].toInt());
    }

    terrarium::testing::SimulatedEnvironment &env;
    std::unique_ptr<HostCore> core;
    QList<std::optional<CallOutcome>> outcomes;
};

} // namespace hosttest
