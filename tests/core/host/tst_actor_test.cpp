#include "host_fixture.h"

#include "testing/actor_test.h"

#include <terrarium/host.h>

using namespace terrarium;
using namespace hosttest;
using terrarium::testing::ActorTest;
using terrarium::testing::SimulatedEnvironment;

class tst_ActorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void callsRecordsAndRestarts()
    {
        ActorTest<Counter> counter;

        QCOMPARE(counter.call(&Counter::increment, 3), 3);
        QCOMPARE(counter.events(Counter::changed).size(), 1);
        QCOMPARE(std::get<0>(counter.events(Counter::changed).constFirst()), 3);
        counter.advance(24h);
        QVERIFY(counter.isAsleep());
        QCOMPARE(counter.state().count, 3);
        QVERIFY(counter.isAsleep());
        counter.restart();

        QCOMPARE(counter.status(), wire::ActorStatus::running);
        QCOMPARE(counter.state().count, 3);
        QCOMPARE(counter.call(&Counter::value), 3);
    }

    void awaitsHandlersThatWait()
    {
        ActorTest<Counter> counter;
        const qint64 before = counter.environment().clock().wallMs();

        QCOMPARE(counter.call(&Counter::slow, 1'500), 1);

        QCOMPARE(counter.environment().clock().wallMs() - before, 1'500);
    }

    void throwsWhatTheActionThrows()
    {
        ActorTest<Counter> counter;
        try {
            counter.call(&Counter::fail);
            QFAIL("it did not throw");
        } catch (const Error &error) {
            QCOMPARE(error.group(), QString("counter"));
            QCOMPARE(error.code(), QString("no"));
        }
    }

    void schedulesFireWhenTimePasses()
    {
        ActorTest<Counter> counter;
        counter.call(&Counter::later, 60'000);

        counter.advance(59s);
        QCOMPARE(counter.state().count, 0);
        counter.advance(2s);

        QCOMPARE(counter.state().count, 100);
    }

    void anActorHostCallsByMember()
    {
        SimulatedEnvironment env;
        ActorHostOptions options;
        options.dataDir = QStringLiteral(":memory:");
        ActorHost host(env.environment(), options);
        host.add(Counter::type());
        host.open();
        int total = 0;
        QString code;
        bool stopped = false;

        auto work = [&]() -> Task<> {
            ActorHandle<Counter> page = host.actor<Counter>("page");
            total = co_await page.call(&Counter::increment, 1);
            total = co_await page.call(&Counter::increment, 2);
            try {
                co_await page.call(&Counter::fail);
            } catch (const Error &error) {
                code = error.code();
            }
            co_await host.stop();
            stopped = true;
        };
        Task<> running = work();
        env.runUntilIdle();

        QCOMPARE(total, 3);
        QCOMPARE(code, QString("no"));
        QVERIFY(stopped);
    }
};

QTEST_GUILESS_MAIN(tst_ActorTest)
#include "tst_actor_test.moc"
