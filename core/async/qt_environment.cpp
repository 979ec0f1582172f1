#include "async/qt_environment.h"

#include "async/epoll_dispatcher.h"
#include "async/timer_heap.h"

#include <QAbstractEventDispatcher>
#include <QBasicTimer>
#include <QCoreApplication>
#include <QDateTime>
#include <QEvent>
#include <QObject>
#include <QRandomGenerator>
#include <QThread>
#include <QTimerEvent>

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace terrarium {
namespace {

// How long posted work may keep sockets and timers waiting.
constexpr std::chrono::microseconds qtDrainBudget{200};
constexpr int qtDrainCheckEvery = 32;
constexpr int qtTurnRounds = 16;

class QtClock final : public QObject, public Clock {
public:
    Instant now() const override { return Instant(std::chrono::steady_clock::now().time_since_epoch()); }
    qint64 wallMs() const override { return QDateTime::currentMSecsSinceEpoch(); }

    Timer at(Instant deadline, std::function<void()> callback) override
    {
        Timer timer = m_heap.add(deadline, std::move(callback));
        // Inside of timerEvent the next one is armed at its end.
        if (deadline < m_armedFor && !m_running)
            arm(deadline);
        return timer;
    }

protected:
    void timerEvent(QTimerEvent *event) override
    {
        if (event->timerId() != m_timer.timerId())
            return;
        m_timer.stop();
        m_armedFor = Instant::max();
        m_running = true;
        m_heap.runDue(now());
        m_running = false;
        if (const auto next = m_heap.next())
            arm(*next);
    }

private:
    void arm(Instant deadline)
    {
        m_armedFor = deadline;
        const auto delay = std::chrono::ceil<std::chrono::milliseconds>(deadline - now()).count();
        const auto most = qint64(std::chrono::milliseconds(std::chrono::hours(24)).count());
        m_timer.start(int(std::clamp<qint64>(delay, 0, most)), Qt::PreciseTimer, this);
    }

    TimerHeap m_heap;
    QBasicTimer m_timer;
    Instant m_armedFor = Instant::max();
    bool m_running = false;
};

class QtExecutor final : public QObject, public Executor {
public:
    QtExecutor()
    {
        QAbstractEventDispatcher *dispatcher = QAbstractEventDispatcher::instance(thread());
        Q_ASSERT_X(dispatcher != nullptr, "QtEnvironment", "made before the thread's event dispatcher");
        connect(
            dispatcher, &QAbstractEventDispatcher::awake, this, [this] { endTurn(); }, Qt::DirectConnection);
        connect(
            dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] { endTurn(); }, Qt::DirectConnection);
#ifdef Q_OS_LINUX
        m_ownDispatcher = dynamic_cast<EpollDispatcher *>(dispatcher) != nullptr;
#endif
    }

    void post(std::function<void()> work) override
    {
        m_ready.push_back(std::move(work));
        // Our dispatcher always comes by before it blocks; others may run a native loop of their own in between.
        if (!m_ownDispatcher && !m_draining && !m_eventPosted) {
            m_eventPosted = true;
            QCoreApplication::postEvent(this, new QEvent(QEvent::User));
        }
    }

    void postFromAnyThread(std::function<void()> work) override
    {
        bool first = false;
        {
            const std::lock_guard lock(m_foreignMutex);
            first = m_foreign.empty();
            m_foreign.push_back(std::move(work));
            m_hasForeign.store(true, std::memory_order_release);
        }
        if (first)
            QCoreApplication::postEvent(this, new QEvent(QEvent::User));
    }

    TurnHook onTurnEnd(std::function<void()> hook) override
    {
        auto kept = std::make_shared<std::function<void()>>(std::move(hook));
        m_hooks.push_back(kept);
        return kept;
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        m_eventPosted = false;
        endTurn();
        return true;
    }

private:
    void endTurn()
    {
        const Instant until(std::chrono::steady_clock::now().time_since_epoch() + qtDrainBudget);
        bool more = true;
        for (int round = 0; more && round < qtTurnRounds; ++round) {
            const bool inTime = drain(until);
            runHooks();
            more = hasWork();
            if (!inTime)
                break;
        }
        if (more) {
            if (QAbstractEventDispatcher *dispatcher = QAbstractEventDispatcher::instance(thread()))
                dispatcher->wakeUp();
        }
    }

    bool hasWork() const noexcept { return m_head < m_ready.size() || m_hasForeign.load(std::memory_order_acquire); }

    /// False when the budget was used up.
    bool drain(Instant until)
    {
        adoptForeign();
        if (m_head >= m_ready.size())
            return true;
        const bool outer = std::exchange(m_draining, true);
        int ran = 0;
        bool inTime = true;
        while (m_head < m_ready.size()) {
            const auto work = std::move(m_ready[m_head++]);
            try {
                work();
            } catch (const std::exception &exception) {
                spdlog::error("posted work threw: {}", exception.what());
            } catch (...) {
                spdlog::error("posted work threw something that is no exception");
            }
            if (++ran % qtDrainCheckEvery == 0) {
                if (std::chrono::steady_clock::now().time_since_epoch() >= until.time_since_epoch()) {
                    inTime = false;
                    break;
                }
                adoptForeign();
            }
        }
        m_draining = outer;
        if (m_head >= m_ready.size()) {
            m_ready.clear();
            m_head = 0;
        } else if (m_head > 1024) {
            m_ready.erase(m_ready.begin(), m_ready.begin() + qptrdiff(m_head));
            m_head = 0;
        }
        return inTime;
    }

    void adoptForeign()
    {
        if (!m_hasForeign.load(std::memory_order_acquire))
            return;
        const std::lock_guard lock(m_foreignMutex);
        for (auto &work : m_foreign)
            m_ready.push_back(std::move(work));
        m_foreign.clear();
        m_hasForeign.store(false, std::memory_order_release);
    }

    void runHooks()
    {
        if (m_inHooks)
            return; // a hook runs an event loop of its own
        m_inHooks = true;
        bool gone = false;
        for (std::size_t i = 0; i < m_hooks.size(); ++i) {
            if (const auto hook = m_hooks[i].lock())
                (*hook)();
            else
                gone = true;
        }
        if (gone)
            std::erase_if(m_hooks, [](const auto &hook) { return hook.expired(); });
        m_inHooks = false;
    }

    std::vector<std::function<void()>> m_ready;
    std::size_t m_head = 0;
    std::vector<std::weak_ptr<std::function<void()>>> m_hooks;
    bool m_ownDispatcher = false;
    bool m_draining = false;
    bool m_inHooks = false;
    bool m_eventPosted = false;

    std::mutex m_foreignMutex;
    std::vector<std::function<void()>> m_foreign;
    std::atomic<bool> m_hasForeign = false;
};

class QtRandom final : public Random {
public:
    quint64 next() override { return m_generator.generate64(); }
    QByteArray bytes(int count) override
    {
        std::vector<quint32> words(size_t(count + 3) / 4);
        QRandomGenerator::system()->fillRange(words.data(), qsizetype(words.size()));
        QByteArray result(reinterpret_cast<const char *>(words.data()), count);
        return result;
    }

private:
    QRandomGenerator m_generator = QRandomGenerator::securelySeeded();
};

} // namespace

class QtEnvironment::Private final {
public:
    QtClock clock;
    QtExecutor executor;
    QtRandom random;
    std::vector<Executor::TurnHook> hooks;
    Environment environment{clock, executor, random, {}, false};
};

QtEnvironment::QtEnvironment() : d(std::make_unique<Private>()) {}
QtEnvironment::~QtEnvironment() = default;

Environment &QtEnvironment::environment() noexcept
{
    return d->environment;
}

void QtEnvironment::onTurnEnd(std::function<void()> hook)
{
    d->hooks.push_back(d->executor.onTurnEnd(std::move(hook)));
}

} // namespace terrarium
