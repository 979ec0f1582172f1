// What storing costs, in process: creates, starts, saves, wakes and look-ups on a data folder.
//
// Prints microseconds of processor time and of wall time each. `bench_commit [COUNT]`.

#include "async/qt_environment.h"
#include "storage/data_folder.h"
#include "storage/shard.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QTemporaryDir>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

using namespace terrarium;

double cpuUs()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

template <typename Body>
void report(const char *what, int count, const Body &body)
{
    const double cpu = cpuUs();
    const auto wall = std::chrono::steady_clock::now();
    body();
    const double wallUs = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - wall).count();
    std::printf("  %-44s %7.2f us cpu %7.2f us wall\n", what, (cpuUs() - cpu) / count, wallUs / count);
}

QByteArray stateOf(int number)
{
    // Other bytes each time: an update with unchanged bytes writes nothing.
    return QByteArray(1000, char('a' + number % 26)) + QByteArray::number(number);
}

ActorKey keyOf(int number)
{
    return ActorKey(QString::number(number));
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const int count = argc > 1 ? std::atoi(argv[1]) : 20'000;
    QtEnvironment env;
    const QString type = QStringLiteral("counter");

    for (const Durability durability : {Durability::Process, Durability::Power}) {
        std::printf("%s\n", durability == Durability::Process ? "process" : "power");
        QTemporaryDir dir;
        DataFolderOptions options;
        options.path = dir.path();
        options.durability = durability;
        DataFolder folder(env, options);
        const auto hook = env.environment().executor.onTurnEnd([&] { folder.commitTurn(); });
        int failures = 0;
        int settled = 0;
        const auto settle = [&] {
            folder.commitTurn();
            if (++settled % 64 == 0)
                QCoreApplication::processEvents(); // what the checkpoints have to say
            while (!folder.isSettled())
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        };
        const auto done = [&](const std::optional<Error> &error) { failures += error ? 1 : 0; };
        const int turns = durability == Durability::Process ? count : count / 20;

        report("create + start + first save, one a turn", turns, [&] {
            for (int i = 0; i < turns; ++i) {
                const ActorRow row = folder.index().create(type, keyOf(i), std::nullopt, 1, done);
                const auto storage = folder.index().begin(row.id);
                (void)storage->load();
                WriteBatch batch;
                batch.saveState(stateOf(i), 2);
                batch.setInitialized();
                storage->commit(std::move(batch), done);
                settle();
            }
        });
        report("find by key", count, [&] {
            for (int i = 0; i < count; ++i)
                failures += folder.index().find(type, keyOf(i % turns)) ? 0 : 1;
        });
        const auto row = folder.index().find(type, keyOf(0));
        const auto storage = folder.index().begin(row->id);
        settle();
        report("save of 1 KiB, one a turn", turns, [&] {
            for (int i = 0; i < turns; ++i) {
                WriteBatch batch;
                batch.saveState(stateOf(i), i + 1);
                storage->commit(std::move(batch), done);
                settle();
            }
        });
        std::vector<std::unique_ptr<ActorStorage>> live;
        for (int i = 0; i < 32; ++i)
            live.push_back(folder.index().begin(folder.index().find(type, keyOf(i))->id));
        settle();
        report("save of 1 KiB, 32 actors a turn, each", turns / 32 * 32, [&] {
            for (int turn = 0; turn < turns / 32; ++turn) {
                for (const auto &one : live) {
                    WriteBatch batch;
                    batch.saveState(stateOf(turn), turn + 1);
                    one->commit(std::move(batch), done);
                }
                settle();
            }
        });
        report("wake (find, begin, load), one a turn", turns, [&] {
            for (int i = 0; i < turns; ++i) {
                const auto found = folder.index().find(type, keyOf(i));
                failures += folder.index().begin(found->id)->load().savedAt > 0 ? 0 : 1;
                settle();
            }
        });
        const Checkpointer::Counters counters = folder.shard().checkpointer()->counters();
        std::printf("  checkpoints %llu, holds %llu\n", static_cast<unsigned long long>(counters.passes),
                    static_cast<unsigned long long>(counters.holds));
        folder.close();
        if (failures != 0) {
            std::fprintf(stderr, "%d operations failed\n", failures);
            return 1;
        }
    }
    return 0;
}
