// What one live actor costs by itself: bytes while idle, CPU time of a start, of an action and of a query, without
// sockets, disk or change log. The commit is a copy in memory.

#include "core/actor/live_actor.h"
#include "core/adapter/counter.h"

#include <malloc.h>
#include <spdlog/spdlog.h>
#include <time.h>

#include <cstdio>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;

namespace {

class NullStorage final : public ActorStorage {
public:
    explicit NullStorage(ActorRow row, std::vector<CommitDone> &pending) : m_row(std::move(row)), m_pending(pending) {}
    const ActorRow &actor() const noexcept override { return m_row; }
    StoredActor load() override { return {}; }
    void commit(WriteBatch, CommitDone done) override { m_pending.push_back(std::move(done)); }
    void destroy(qint64, CommitDone done) override { m_pending.push_back(std::move(done)); }

private:
    ActorRow m_row;
    std::vector<CommitDone> &m_pending;
};

class NullOwner final : public ActorOwner {
    void sleepRequested(ActorTask &, const QString &, const Cause &) override {}
    void destroyRequested(ActorTask &, const Cause &) override {}
    void crashed(ActorTask &, const Error &) override {}
    void terminated(ActorTask &, const std::optional<Error> &) override {}
};

double cpuNow()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

} // namespace

int main(int argc, char **argv)
{
    const int actors = argc > 1 ? atoi(argv[1]) : 20'000;
    const int calls = argc > 2 ? atoi(argv[2]) : 400'000;
    spdlog::set_level(spdlog::level::warn);
    SimulatedEnvironment env;
    TurnSaves saves;
    std::vector<CommitDone> pending;
    env.onTurnEnd([&] {
        saves.run();
        while (!pending.empty()) {
            auto due = std::move(pending);
            pending.clear();
            for (const CommitDone &done : due)
                done(std::nullopt);
        }
    });
    ActorObserver observer;
    NullOwner owner;
    const auto type = std::make_shared<const TypeDefinition>(Counter::type());
    const auto config = std::make_shared<const ActorConfig>(type->options);

    std::vector<std::shared_ptr<ActorTask>> all;
    all.reserve(std::size_t(actors));
    const auto heapBefore = mallinfo2().uordblks;
    const double startBefore = cpuNow();
    for (int i = 0; i < actors; ++i) {
        ActorRow row;
        row.id = QStringLiteral("%1").arg(i, 30, 36, QLatin1Char('0'));
        row.type = type->name;
        row.key = ActorKey(QString::number(i));
        row.generation = 1;
        all.push_back(makeActor(
            ActorParts(env.environment(), std::make_unique<NullStorage>(row, pending), observer, owner, saves, config),
            type));
        StartCommand start;
        start.why = QStringLiteral("request");
        start.reply = [](const std::optional<Error> &) {};
        all.back()->start(std::move(start));
        if (i % 100 == 99)
            env.runUntilIdle();
    }
    env.runUntilIdle();
    const double starts = cpuNow() - startBefore;
    const auto heapAfter = mallinfo2().uordblks;

    int answered = 0;
    const auto run = [&](const char *name, std::vector<Value> args, int spread, int perTurn) {
        const Value list = Value::array(std::move(args));
        const QString action = QString::fromUtf8(name);
        const double before = cpuNow();
        for (int i = 0; i < calls; ++i) {
            ActionCommand command;
            command.name = action;
            command.args = list;
            command.cause = Cause(QStringLiteral("action"), action);
            command.reply = [&answered](ActionOutcome &&) { ++answered; };
            all[std::size_t(i % spread)]->dispatch(std::move(command));
            if (i % perTurn == perTurn - 1)
                env.runUntilIdle();
        }
        env.runUntilIdle();
        const double ns = (cpuNow() - before) * 1e9 / calls;
        std::printf("%-12s %6d actors, %3d per event-loop turn: %6.0f ns CPU each\n", name, spread, perTurn, ns);
    };
    std::printf("live idle actor: %.0f bytes of heap; start: %.0f ns CPU\n", double(heapAfter - heapBefore) / actors,
                starts * 1e9 / actors);
    run("increment", {1, "ann"}, 1, 1);
    run("increment", {1, "ann"}, 1, 32);
    run("increment", {1, "ann"}, 100, 32);
    run("value", {}, 1, 1);
    run("value", {}, 1, 32);
    if (answered != 5 * calls) {
        std::printf("answers are missing: %d of %d\n", answered, 5 * calls);
        return 1;
    }
    const auto heapLoaded = mallinfo2().uordblks;
    std::printf("after the calls: %.0f bytes more in all\n", double(heapLoaded) - double(heapAfter));
    return 0;
}
