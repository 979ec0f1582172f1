// Posted work, timers and turn ends on a real event loop, with Qt's dispatcher and with ours.

#include "async/epoll_dispatcher.h"
#include "async/qt_environment.h"
#include "async/sleep.h"
#include "async/wait.h"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace terrarium;
using namespace std::chrono_literals;

class tst_QtEnvironment : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void work_data();
    void work();
    void turnEndsAfterSocketAndTimerWorkToo_data() { work_data(); }
    void turnEndsAfterSocketAndTimerWorkToo();
    void hundredThousandPostsDoNotStarveTimers_data() { work_data(); }
    void hundredThousandPostsDoNotStarveTimers();
    void postsFromOtherThreadsArrive_data() { work_data(); }
    void postsFromOtherThreadsArrive();
    void timersRunInOrderAndNotEarly_data() { work_data(); }
    void timersRunInOrderAndNotEarly();
    void sleepingCoroutineResumes_data() { work_data(); }
    void sleepingCoroutineResumes();
    void thrownWorkDoesNotStopTheLoop_data() { work_data(); }
    void thrownWorkDoesNotStopTheLoop();
    void randomIsDifferentEachTime();

private:
    /// Runs `body` on a thread with an environment, then its event loop until quit().
    void onHostThread(const std::function<void(QtEnvironment &, QEventLoop &)> &body);
};

namespace {

class HostThread final : public QThread {
public:
    std::function<void(QtEnvironment &, QEventLoop &)> body;

protected:
    void run() override
    {
        QtEnvironment environment;
        QEventLoop loop;
        body(environment, loop);
        loop.exec();
    }
};

} // namespace

void tst_QtEnvironment::work_data()
{
    QTest::addColumn<bool>("own");
    QTest::newRow("Qt's dispatcher") << false;
    QTest::newRow("host dispatcher") << true;
}

void tst_QtEnvironment::onHostThread(const std::function<void(QtEnvironment &, QEventLoop &)> &body)
{
    QFETCH(bool, own);
    HostThread thread;
    thread.body = body;
    if (own) {
        if (auto dispatcher = makeHostDispatcher())
            thread.setEventDispatcher(dispatcher.release());
    }
    thread.start();
    QVERIFY(thread.wait(60'000));
}

void tst_QtEnvironment::work()
{
    QList<int> order;
    onHostThread([&](QtEnvironment &env, QEventLoop &loop) {
        Executor &executor = env.environment().executor;
        executor.post([&] {
            order << 1;
            executor.post([&] {
                order << 3;
                loop.quit();
            });
            order << 2;
        });
    });

    QCOMPARE(order, (QList<int>{1, 2, 3}));
}

void tst_QtEnvironment::turnEndsAfterSocketAndTimerWorkToo()
{
    int dirty = 0;
    int saved = 0;
    onHostThread([&](QtEnvironment &env, QEventLoop &loop) {
        env.onTurnEnd([&] {
            saved += std::exchange(dirty, 0);
            if (saved == 3)
                loop.quit();
        });
        QTimer::singleShot(0, &loop, [&] {
            ++dirty; // from an event
            QMetaObject::invokeMethod(
                &loop, [&] { ++dirty; }, Qt::QueuedConnection);
            QTimer::singleShot(1, &loop, [&] { ++dirty; });
        });
    });

    QCOMPARE(saved, 3);
}

void tst_QtEnvironment::hundredThousandPostsDoNotStarveTimers()
{
    int ran = 0;
    int ranWhenTimerFired = -1;
    constexpr int count = 100'000;
    std::function<void()> again;
    onHostThread([&](QtEnvironment &env, QEventLoop &loop) {
        Executor &executor = env.environment().executor;
        again = [&] {
            if (++ran < count)
                executor.post(again);
            else
                loop.quit();
        };
        for (int i = 0; i < 100; ++i)
            executor.post([&] {
                const Instant until = env.environment().clock.now() + 20us;
                while (env.environment().clock.now() < until) {}
            });
        executor.post(again);
        QTimer::singleShot(0, &loop, [&] { ranWhenTimerFired = ran; });
    });

    QCOMPARE(ran, count);
    QVERIFY2(ranWhenTimerFired >= 0 && ranWhenTimerFired < count, "the timer had to wait for all posted work");
}

void tst_QtEnvironment::postsFromOtherThreadsArrive()
{
    constexpr int count = 10'000;
    std::atomic<int> ran = 0;
    std::vector<std::thread> threads;
    onHostThread([&](QtEnvironment &env, QEventLoop &loop) {
        Executor &executor = env.environment().executor;
        for (int t = 0; t < 2; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < count; ++i) {
                    executor.postFromAnyThread([&] {
                        if (++ran == 2 * count)
                            loop.quit();
                    });
                }
            });
        }
    });
    for (std::thread &thread : threads)
        thread.join();

    QCOMPARE(ran.load(), 2 * count);
}

void tst_QtEnvironment::timersRunInOrderAndNotEarly()
{
    QList<int> order;
    bool early = false;
    std::vector<Timer> timers;
    onHostThread([&](QtEnvironment &env, QEventLoop &loop) {
        Clock &clock = env.environment().clock;
        const Instant start = clock.now();
        for (const int ms : {15, 3, 9, 3}) {
            timers.push_back(clock.at(start + std::chrono::milliseconds(ms), [&, ms, start] {
                early = early || clock.now() < start + std::chrono::milliseconds(ms);
                order << ms;
                if (ms == 15)
                    loop.quit();
            }));
        }
        timers.push_back(clock.at(start + 5ms, [&] { order << -1; }));
        timers.back().cancel();
    });

    QCOMPARE(order, (QList<int>{3, 3, 9, 15}));
    QVERIFY(!early);
    timers.clear();
}

void tst_QtEnvironment::sleepingCoroutineResumes()
{
    int naps = 0;
    std::optional<TurnSlot> slot;
    std::optional<Task<>> task;
    const auto body = [](TurnSlot &slot, Clock &clock, QEventLoop &loop, int &naps) -> Task<> {
        while (naps < 3) {
            co_await sleepFor(slot, clock, 1ms);
            ++naps;
        }
        loop.quit();
    };
    onHostThread([&](QtEnvironment &env, QEventLoop &loop) {
        slot.emplace(env.environment().executor);
        task.emplace(body(*slot, env.environment().clock, loop, naps));
    });

    QCOMPARE(naps, 3);
}

void tst_QtEnvironment::thrownWorkDoesNotStopTheLoop()
{
    bool after = false;
    onHostThread([&](QtEnvironment &env, QEventLoop &loop) {
        env.environment().executor.post([] { throw std::runtime_error("thrown by a test"); });
        env.environment().executor.post([&] {
            after = true;
            loop.quit();
        });
    });

    QVERIFY(after);
}

void tst_QtEnvironment::randomIsDifferentEachTime()
{
    QtEnvironment env;
    Random &random = env.environment().random;

    QCOMPARE(random.bytes(32).size(), 32);
    QVERIFY(random.bytes(32) != random.bytes(32));
    QVERIFY(random.next() != random.next());
    QCOMPARE(random.uuid().size(), 36);
}

QTEST_GUILESS_MAIN(tst_QtEnvironment)
#include "tst_qt_environment.moc"
