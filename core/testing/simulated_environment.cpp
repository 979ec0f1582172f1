#include "testing/simulated_environment.h"

#include <deque>
#include <mutex>
#include <vector>

namespace terrarium::testing {
namespace {

constexpr int simulatedStepLimit = 1'000'000;
constexpr quint64 simulatedTurnLength = 8;

class SimulatedRandom final : public Random {
public:
    explicit SimulatedRandom(quint64 seed) : m_state(seed) {}

    quint64 next() override // splitmix64
    {
        quint64 z = (m_state += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    QByteArray bytes(int count) override
    {
        QByteArray result(count, Qt::Uninitialized);
        for (int i = 0; i < count; ++i)
            result[i] = char(next() & 0xff);
        return result;
    }

private:
    quint64 m_state;
};

class SimulatedExecutor final : public Executor {
public:
    explicit SimulatedExecutor(quint64 seed) : m_order(seed ^ 0x5bd1e995), m_left(turnLength()) {}

    void post(std::function<void()> work) override { postFor(nullptr, std::move(work)); }

    void postFor(const void *strand, std::function<void()> work) override
    {
        for (Strand &known : m_strands) {
            if (known.key == strand) {
                known.work.push_back(std::move(work));
                return;
            }
        }
        m_strands.push_back({strand, {}});
        m_strands.back().work.push_back(std::move(work));
    }

    void postFromAnyThread(std::function<void()> work) override
    {
        const std::lock_guard lock(m_foreignMutex);
        m_foreign.push_back(std::move(work));
    }

    TurnHook onTurnEnd(std::function<void()> hook) override
    {
        auto kept = std::make_shared<std::function<void()>>(std::move(hook));
        m_hooks.push_back(kept);
        return kept;
    }

    void openTurn() { m_turnIsOpen = true; }

    bool runOne()
    {
        adoptForeign();
        if (!m_strands.empty() && m_left > 0) {
            --m_left;
            m_turnIsOpen = true;
            const auto index = size_t(m_order.below(m_strands.size()));
            const auto work = std::move(m_strands[index].work.front());
            m_strands[index].work.pop_front();
            if (m_strands[index].work.empty())
                m_strands.erase(m_strands.begin() + qptrdiff(index));
            work();
            return true;
        }
        if (!m_turnIsOpen)
            return false;
        m_turnIsOpen = !m_strands.empty();
        m_left = turnLength();
        for (size_t i = 0; i < m_hooks.size(); ++i) {
            if (const auto hook = m_hooks[i].lock())
                (*hook)();
        }
        std::erase_if(m_hooks, [](const auto &hook) { return hook.expired(); });
        return true;
    }

    int pending()
    {
        adoptForeign();
        size_t count = 0;
        for (const Strand &strand : m_strands)
            count += strand.work.size();
        return int(count);
    }

private:
    struct Strand {
        const void *key;
        std::deque<std::function<void()>> work; // never empty
    };

    int turnLength() { return 1 + int(m_order.below(simulatedTurnLength)); }

    void adoptForeign()
    {
        std::vector<std::function<void()>> foreign;
        {
            const std::lock_guard lock(m_foreignMutex);
            foreign.swap(m_foreign);
        }
        for (auto &work : foreign)
            post(std::move(work));
    }

    SimulatedRandom m_order;
    int m_left;
    bool m_turnIsOpen = false;
    std::vector<Strand> m_strands;
    std::vector<std::weak_ptr<std::function<void()>>> m_hooks;
    std::mutex m_foreignMutex;
    std::vector<std::function<void()>> m_foreign;
};

} // namespace

class SimulatedEnvironment::Private final {
public:
    explicit Private(quint64 seed) : seed(seed), executor(seed), random(seed) {}

    const quint64 seed;
    VirtualClock clock;
    SimulatedExecutor executor;
    SimulatedRandom random;
    std::vector<Executor::TurnHook> hooks;
    Environment environment{clock, executor, random, {}, true};
};

SimulatedEnvironment::SimulatedEnvironment(quint64 seed) : d(std::make_unique<Private>(seed)) {}
SimulatedEnvironment::~SimulatedEnvironment() = default;

Environment &SimulatedEnvironment::environment() noexcept
{
    return d->environment;
}

quint64 SimulatedEnvironment::seed() const noexcept
{
    return d->seed;
}

VirtualClock &SimulatedEnvironment::clock() noexcept
{
    return d->clock;
}

bool SimulatedEnvironment::runOne()
{
    if (d->executor.runOne())
        return true;
    const auto next = d->clock.timers().next();
    if (!next || *next > d->clock.now())
        return false;
    d->executor.openTurn();
    d->clock.timers().runDue(d->clock.now());
    return true;
}

void SimulatedEnvironment::runUntilIdle()
{
    // What the test itself did since the last time is a turn too.
    d->executor.openTurn();
    for (int step = 0; runOne(); ++step) {
        if (step >= simulatedStepLimit)
            qFatal("SimulatedEnvironment: still busy after %d steps (seed %llu)", simulatedStepLimit, d->seed);
    }
}

void SimulatedEnvironment::advance(Duration duration)
{
    const Instant target = d->clock.now() + duration;
    runUntilIdle();
    for (;;) {
        const auto next = d->clock.timers().next();
        if (!next || *next > target)
            break;
        d->clock.moveTo(*next);
        runUntilIdle();
    }
    d->clock.moveTo(target);
    runUntilIdle();
}

bool SimulatedEnvironment::advanceToNext()
{
    runUntilIdle();
    const auto next = d->clock.timers().next();
    if (!next)
        return false;
    d->clock.moveTo(*next);
    runUntilIdle();
    return true;
}

void SimulatedEnvironment::jumpWallClock(std::chrono::milliseconds by)
{
    d->clock.jumpWall(by.count());
}

int SimulatedEnvironment::pending() const noexcept
{
    return d->executor.pending();
}

void SimulatedEnvironment::onTurnEnd(std::function<void()> hook)
{
    d->hooks.push_back(d->executor.onTurnEnd(std::move(hook)));
}

} // namespace terrarium::testing
