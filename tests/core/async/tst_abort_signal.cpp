// A signal is raised once, and subscriptions end by destruction.

#include "async/abort_signal.h"

#include <QtTest>

using namespace terrarium;

class tst_AbortSignal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void callsSubscribersOnceInOrder();
    void lateSubscriberIsCalledAtOnce();
    void endedSubscriptionIsNotCalled();
    void callbackMayEndItsOwnAndOthers();
    void subscriptionOutlivesTheSignal();
    void sourceIsReadyFromRequestOn();
};

void tst_AbortSignal::callsSubscribersOnceInOrder()
{
    AbortSignal signal;
    QList<int> calls;
    const auto one = signal.subscribe([&] { calls << 1; });
    const auto two = signal.subscribe([&] { calls << 2; });

    signal.request();
    signal.request();

    QCOMPARE(calls, (QList<int>{1, 2}));
    QVERIFY(signal.isRequested());
}

void tst_AbortSignal::lateSubscriberIsCalledAtOnce()
{
    AbortSignal signal;
    signal.request();

    int calls = 0;
    const auto subscription = signal.subscribe([&] { ++calls; });

    QCOMPARE(calls, 1);
}

void tst_AbortSignal::endedSubscriptionIsNotCalled()
{
    AbortSignal signal;
    int calls = 0;
    auto kept = signal.subscribe([&] { ++calls; });
    {
        const auto ended = signal.subscribe([&] { calls += 100; });
    }
    auto moved = std::move(kept);

    signal.request();

    QCOMPARE(calls, 1);
}

void tst_AbortSignal::callbackMayEndItsOwnAndOthers()
{
    AbortSignal signal;
    QList<int> calls;
    AbortSignal::Subscription first, second;
    first = signal.subscribe([&] {
        calls << 1;
        first.end();
        second.end();
    });
    second = signal.subscribe([&] { calls << 2; });
    const auto third = signal.subscribe([&] { calls << 3; });

    signal.request();

    QCOMPARE(calls, (QList<int>{1, 3}));
}

void tst_AbortSignal::subscriptionOutlivesTheSignal()
{
    AbortSignal::Subscription subscription;
    int calls = 0;
    {
        AbortSignal signal;
        subscription = signal.subscribe([&] { ++calls; });
    }
    subscription.end();

    QCOMPARE(calls, 0);
}

void tst_AbortSignal::sourceIsReadyFromRequestOn()
{
    AbortSignal signal;
    QVERIFY(!signal.source().isReady());

    signal.request();

    QVERIFY(signal.source().isReady());
}

QTEST_GUILESS_MAIN(tst_AbortSignal)
#include "tst_abort_signal.moc"
