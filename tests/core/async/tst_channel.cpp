// First in, first out, through growth, bounds and closing.

#include "async/channel.h"
#include "testing/simulated_environment.h"

#include <QtTest>

#include <deque>

using namespace terrarium;
using terrarium::testing::SimulatedEnvironment;

class tst_Channel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void emptyOneIsSmall();
    void boundedOneRefusesWhenFull();
    void refusedItemIsUntouched();
    void closedOneGivesWhatItHolds();
    void receiverTakesItemsInOrder();
    void receiverEndsWhenClosed();
    void senderWaitsForSpace();
    void randomUseEqualsADeque();
    void destroysWhatIsLeft();
};

void tst_Channel::emptyOneIsSmall()
{
    QVERIFY(sizeof(Channel<std::function<void()>>) < 100);
}

void tst_Channel::boundedOneRefusesWhenFull()
{
    Channel<int> channel(2);

    QVERIFY(channel.push(1));
    QVERIFY(channel.push(2));
    QVERIFY(!channel.push(3));
    QVERIFY(channel.isFull());
    QCOMPARE(channel.tryPop().value_or(-1), 1);
    QVERIFY(channel.push(3));
    QCOMPARE(channel.size(), 2u);
}

void tst_Channel::refusedItemIsUntouched()
{
    Channel<std::unique_ptr<int>> channel(1);
    QVERIFY(channel.push(std::make_unique<int>(1)));
    auto item = std::make_unique<int>(2);

    QVERIFY(!channel.push(std::move(item)));

    QVERIFY(item != nullptr);
}

void tst_Channel::closedOneGivesWhatItHolds()
{
    Channel<int> channel;
    channel.push(1);
    channel.close();

    QVERIFY(!channel.push(2));
    QCOMPARE(channel.tryPop().value_or(-1), 1);
    QVERIFY(!channel.tryPop());
    QVERIFY(channel.isReady());
}

void tst_Channel::receiverTakesItemsInOrder()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Channel<int> channel;
    QList<int> got;
    const auto reader = [](TurnSlot &slot, Channel<int> &channel, QList<int> &got) -> Task<> {
        Receiver<int> inbox(slot, channel);
        for (;;) {
            const auto item = co_await inbox.next();
            if (!item)
                break;
            got << *item;
        }
        got << -1;
    };
    const auto task = reader(slot, channel, got);

    channel.push(1);
    channel.push(2);
    env.runUntilIdle();
    channel.push(3);
    env.runUntilIdle();
    QCOMPARE(got, (QList<int>{1, 2, 3}));
    channel.close();
    env.runUntilIdle();

    QCOMPARE(got.last(), -1);
}

void tst_Channel::receiverEndsWhenClosed()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Channel<int> channel;
    channel.close();
    bool ended = false;
    const auto reader = [](TurnSlot &slot, Channel<int> &channel, bool &ended) -> Task<> {
        Receiver<int> inbox(slot, channel);
        const auto item = co_await inbox.next();
        ended = !item.has_value();
    };

    const auto task = reader(slot, channel, ended);

    QVERIFY(ended);
}

void tst_Channel::senderWaitsForSpace()
{
    SimulatedEnvironment env;
    TurnSlot slot(env.environment().executor);
    Channel<int> channel(1);
    channel.push(1);
    const auto sender = [](TurnSlot &slot, Channel<int> &channel) -> Task<> {
        Select space(slot, {&channel.space()});
        while (!channel.push(2))
            co_await space.next();
    };
    const auto task = sender(slot, channel);
    env.runUntilIdle();
    QCOMPARE(channel.size(), 1u);

    QCOMPARE(channel.tryPop().value_or(-1), 1);
    env.runUntilIdle();

    QCOMPARE(channel.tryPop().value_or(-1), 2);
}

void tst_Channel::randomUseEqualsADeque()
{
    const quint64 seed = QRandomGenerator::global()->generate64();
    qInfo("seed %llu", seed);
    std::mt19937_64 random(seed);
    Channel<QString> channel;
    std::deque<QString> model;

    for (int i = 0; i < 20'000; ++i) {
        // Long stretches of growth and of shrinking, so that the ring wraps, grows and is given back.
        const bool growing = (i / 1000) % 2 == 0;
        if (random() % 10 < (growing ? 7u : 2u)) {
            const QString item = QString::number(random());
            channel.push(item);
            model.push_back(item);
        } else {
            const auto item = channel.tryPop();
            QCOMPARE(item.has_value(), !model.empty());
            if (item) {
                QCOMPARE(*item, model.front());
                model.pop_front();
            }
        }
        QCOMPARE(size_t(channel.size()), model.size());
    }
}

void tst_Channel::destroysWhatIsLeft()
{
    const auto token = std::make_shared<int>(1);
    {
        Channel<std::shared_ptr<int>> channel;
        for (int i = 0; i < 100; ++i)
            channel.push(token);
        QCOMPARE(token.use_count(), 101L);
        channel.tryPop();
    }

    QCOMPARE(token.use_count(), 1L);
}

QTEST_GUILESS_MAIN(tst_Channel)
#include "tst_channel.moc"
