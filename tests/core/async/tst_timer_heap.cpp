// Timers run in order of deadline, then of arming, whatever is cancelled meanwhile.

#include "async/timer_heap.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <random>

using namespace terrarium;
using namespace std::chrono_literals;

class tst_TimerHeap : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runsInOrder();
    void destroyedTimerDoesNotRun();
    void oneArmedByACallbackWaitsForTheNextRun();
    void callbackMayCancelAnotherThatIsDue();
    void callbackMayDestroyItsOwnTimer();
    void timerOutlivesTheHeap();
    void randomUseEqualsASortedList();
};

namespace {

Instant at(int milliseconds)
{
    return Instant(std::chrono::milliseconds(milliseconds));
}

} // namespace

void tst_TimerHeap::runsInOrder()
{
    TimerHeap heap;
    QList<int> ran;
    const Timer a = heap.add(at(30), [&] { ran << 30; });
    const Timer b = heap.add(at(10), [&] { ran << 10; });
    const Timer c = heap.add(at(10), [&] { ran << 11; });
    const Timer d = heap.add(at(50), [&] { ran << 50; });

    QCOMPARE(heap.runDue(at(30)), 3);

    QCOMPARE(ran, (QList<int>{10, 11, 30}));
    QVERIFY(!a.isArmed());
    QVERIFY(d.isArmed());
    QCOMPARE(heap.next(), std::optional(at(50)));
}

void tst_TimerHeap::destroyedTimerDoesNotRun()
{
    TimerHeap heap;
    int ran = 0;
    {
        const Timer gone = heap.add(at(1), [&] { ++ran; });
    }
    Timer replaced = heap.add(at(1), [&] { ++ran; });
    replaced = heap.add(at(2), [&] { ran += 10; });

    heap.runDue(at(5));

    QCOMPARE(ran, 10);
    QCOMPARE(heap.size(), 0);
}

void tst_TimerHeap::oneArmedByACallbackWaitsForTheNextRun()
{
    TimerHeap heap;
    int ran = 0;
    Timer second;
    const Timer first = heap.add(at(1), [&] { second = heap.add(at(0), [&] { ++ran; }); });

    heap.runDue(at(5));
    QCOMPARE(ran, 0);
    heap.runDue(at(5));

    QCOMPARE(ran, 1);
}

void tst_TimerHeap::callbackMayCancelAnotherThatIsDue()
{
    TimerHeap heap;
    QList<int> ran;
    Timer second;
    const Timer first = heap.add(at(1), [&] {
        ran << 1;
        second.cancel();
    });
    second = heap.add(at(2), [&] { ran << 2; });
    const Timer third = heap.add(at(3), [&] { ran << 3; });

    QCOMPARE(heap.runDue(at(5)), 2);

    QCOMPARE(ran, (QList<int>{1, 3}));
}

void tst_TimerHeap::callbackMayDestroyItsOwnTimer()
{
    TimerHeap heap;
    int ran = 0;
    auto timer = std::make_unique<Timer>();
    *timer = heap.add(at(1), [&] {
        timer.reset();
        ++ran;
    });

    heap.runDue(at(1));

    QCOMPARE(ran, 1);
}

void tst_TimerHeap::timerOutlivesTheHeap()
{
    Timer timer;
    {
        TimerHeap heap;
        timer = heap.add(at(1), [] {});
        QVERIFY(timer.isArmed());
    }

    QVERIFY(!timer.isArmed());
    timer.cancel();
}

void tst_TimerHeap::randomUseEqualsASortedList()
{
    const quint64 seed = QRandomGenerator::global()->generate64();
    qInfo("seed %llu", seed);
    std::mt19937_64 random(seed);
    TimerHeap heap;
    std::map<std::pair<int, int>, Timer> armed; // (deadline, order)
    QList<int> ran;
    QList<int> expected;
    int order = 0;
    int now = 0;

    for (int i = 0; i < 20'000; ++i) {
        const auto what = random() % 10;
        if (what < 6) {
            const int deadline = now + int(random() % 1000);
            const int number = ++order;
            armed.emplace(std::pair(deadline, number), heap.add(at(deadline), [&ran, number] { ran << number; }));
        } else if (what < 8 && !armed.empty()) {
            armed.erase(std::next(armed.begin(), long(random() % std::min<size_t>(armed.size(), 50))));
        } else {
            now += int(random() % 20);
            while (!armed.empty() && armed.begin()->first.first <= now) {
                expected << armed.begin()->first.second;
                // Kept armed in the heap until it ran.
                Timer due = std::move(armed.begin()->second);
                armed.erase(armed.begin());
                armed.emplace(std::pair(INT_MAX, ++order), std::move(due));
            }
            heap.runDue(at(now));
            std::erase_if(armed, [](const auto &entry) { return !entry.second.isArmed(); });
        }
        QCOMPARE(size_t(heap.size()), armed.size());
    }
    QCOMPARE(ran, expected);
    QVERIFY(ran.size() > 1000);
}

QTEST_GUILESS_MAIN(tst_TimerHeap)
#include "tst_timer_heap.moc"
