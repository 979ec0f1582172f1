// What waiting costs: 100,000 actors, each in a select over four inboxes, a stop signal and a deadline.
//
// Prints bytes and nanoseconds each. Time and order are the simulated environment's, memory and processor time are
// real. `bench_wait [COUNT]`.

#include "async/abort_signal.h"
#include "async/channel.h"
#include "async/deadline.h"
#include "async/select.h"
#include "async/virtual_clock.h"

#include <terrarium/task.h>

#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

namespace {

using namespace terrarium;

/// First in, first out, nothing else: the cost measured is that of waiting.
class PlainExecutor final : public Executor {
public:
    void post(std::function<void()> work) override { m_work.push_back(std::move(work)); }
    void postFromAnyThread(std::function<void()> work) override { post(std::move(work)); }
    TurnHook onTurnEnd(std::function<void()>) override { return {}; }
    void run()
    {
        while (!m_work.empty()) {
            const auto work = std::move(m_work.front());
            m_work.pop_front();
            work();
        }
    }

private:
    std::deque<std::function<void()>> m_work;
};

struct World {
    PlainExecutor executor;
    VirtualClock clock;
};

/// What a waiting actor has: its slot, its inboxes, its deadline, and the coroutine that stands in the select.
struct BenchActor {
    explicit BenchActor(World &world) : slot(world.executor), deadline(world.clock), clock(world.clock) {}

    Task<> run(Duration idle)
    {
        Select select(slot, {&stop.source(), &lifecycle, &events, &deadline, &dispatch, &adapter});
        try {
            for (;;) {
                deadline.set(clock.now() + idle);
                switch (co_await select.next()) {
                case 0: co_return;
                case 3: ++timeouts; break;
                case 4: handled += dispatch.tryPop().value_or(0); break;
                default: break;
                }
            }
        } catch (const ActorStopped &) {
            stopped = true;
        }
    }

    TurnSlot slot;
    AbortSignal stop;
    Channel<int> lifecycle;
    Channel<int> events;
    Channel<int> dispatch;
    Channel<int> adapter;
    Deadline deadline;
    Clock &clock;
    int handled = 0;
    int timeouts = 0;
    bool stopped = false;
};

double usedBytes()
{
    const struct mallinfo2 info = mallinfo2();
    return double(info.uordblks) + double(info.hblkhd);
}

double nanoseconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e9 + double(now.tv_nsec);
}

template <typename Body>
double measure(const Body &body)
{
    const double start = nanoseconds();
    body();
    return nanoseconds() - start;
}

} // namespace

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 100'000;
    if (count <= 0) {
        std::fprintf(stderr, "usage: bench_wait [COUNT]\n");
        return 2;
    }
    World world;
    std::vector<std::unique_ptr<BenchActor>> actors;
    actors.reserve(size_t(count));

    const double before = usedBytes();
    for (int i = 0; i < count; ++i)
        actors.push_back(std::make_unique<BenchActor>(world));
    const double objects = usedBytes() - before;
    const double waitNs = measure([&] {
        for (const auto &actor : actors)
            actor->run(std::chrono::seconds(30));
    });
    const double waiting = usedBytes() - before - objects;

    const double wakeNs = measure([&] {
        for (const auto &actor : actors)
            actor->dispatch.push(1);
        world.executor.run();
    });

    constexpr int burst = 100;
    const int hot = std::min(count, 1000);
    const double burstNs = measure([&] {
        for (int i = 0; i < hot; ++i) {
            for (int n = 0; n < burst; ++n)
                actors[size_t(i)]->dispatch.push(1);
            world.executor.run();
        }
    });
    const double pingNs = measure([&] {
        for (int n = 0; n < 1'000'000; ++n) {
            actors[0]->dispatch.push(1);
            world.executor.run();
        }
    });

    // Once through all deadlines, in spread-out steps.
    world.clock.moveTo(world.clock.now() + std::chrono::seconds(30));
    const double deadlineNs = measure([&] {
        world.clock.timers().runDue(world.clock.now());
        world.executor.run();
    });

    const double stopNs = measure([&] {
        for (const auto &actor : actors)
            actor->slot.stop();
        world.executor.run();
    });

    long handled = 0;
    long timeouts = 0;
    long stopped = 0;
    for (const auto &actor : actors) {
        handled += actor->handled;
        timeouts += actor->timeouts;
        stopped += actor->stopped ? 1 : 0;
    }
    const long expected = long(count) + long(hot) * burst + 1'000'000;
    const double each = count;
    std::printf("%d actors, each in a select over 4 inboxes, a stop signal and a deadline\n", count);
    std::printf("  bytes each      %6.0f waiting (frame, select, timer) + %.0f slot, signal, inboxes, deadline\n",
                waiting / each, objects / each);
    std::printf("  begin to wait   %6.0f ns\n", waitNs / each);
    std::printf("  message to a cold actor   %6.0f ns\n", wakeNs / each);
    std::printf("  message to a hot actor    %6.0f ns one at a time, %.0f ns in bursts of %d\n", pingNs / 1e6,
                burstNs / (double(hot) * burst), burst);
    std::printf("  deadline fires, re-arms   %6.0f ns\n", deadlineNs / each);
    std::printf("  stop and unwind %6.0f ns\n", stopNs / each);
    if (handled != expected || timeouts != count || stopped != count) {
        std::fprintf(stderr, "wrong: handled %ld of %ld, %ld deadlines, %ld stopped\n", handled, expected, timeouts,
                     stopped);
        return 1;
    }
    return 0;
}
