#include "testing/simulated_environment.h"
#include "wire/loopback_transport.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

using namespace terrarium;

class tst_LoopbackTransport : public QObject {
    Q_OBJECT
private:
    struct Ends {
        testing::SimulatedEnvironment environment;
        LoopbackTransport::Pair pair =
            LoopbackTransport::pair(&environment.environment().executor, &environment.environment().executor);
        LoopbackTransport &a = *pair.first;
    };

private Q_SLOTS:
    void framesArriveInOrderAndNeverInsideSend()
    {
        Ends ends;
        QList<QByteArray> got;
        connect(ends.pair.second.get(), &Transport::received, this,
                [&](const QByteArray &frame) { got.append(frame); });
        ends.environment.runUntilIdle();
        QVERIFY(ends.a.isOpen());

        for (int i = 0; i < 1000; ++i)
            ends.a.send(QByteArray::number(i));
        QVERIFY(got.isEmpty());
        ends.environment.runUntilIdle();

        QCOMPARE(got.size(), 1000);
        for (int i = 0; i < 1000; ++i)
            QCOMPARE(got[i], QByteArray::number(i));
    }

    void bothEndsSayOpenedOnce()
    {
        Ends ends;
        QSignalSpy first(ends.pair.first.get(), &Transport::opened);
        QSignalSpy second(ends.pair.second.get(), &Transport::opened);
        QVERIFY(!ends.a.isOpen());

        ends.environment.runUntilIdle();
        ends.a.send("x");
        ends.environment.runUntilIdle();

        QCOMPARE(first.size(), 1);
        QCOMPARE(second.size(), 1);
    }

    void whatAStoppedPeerDoesNotTakeIsPending()
    {
        Ends ends;
        ends.environment.runUntilIdle();
        QSignalSpy drained(&ends.a, &Transport::drained);
        QSignalSpy received(ends.pair.second.get(), &Transport::received);
        ends.pair.second->setPaused(true);

        ends.a.send(QByteArray(100'000, 'x'));
        ends.a.send(QByteArray(50'000, 'y'));
        ends.environment.runUntilIdle();
        QCOMPARE(ends.a.pendingBytes(), qint64(150'000));
        QVERIFY(received.isEmpty());
        QVERIFY(drained.isEmpty());

        ends.pair.second->setPaused(false);
        ends.environment.runUntilIdle();

        QCOMPARE(ends.a.pendingBytes(), qint64(0));
        QCOMPARE(received.size(), 2);
        QVERIFY(!drained.isEmpty());
    }

    void framesSentBeforeACloseArriveBeforeIt()
    {
        Ends ends;
        ends.environment.runUntilIdle();
        QStringList events;
        connect(ends.pair.second.get(), &Transport::received, this,
                [&](const QByteArray &frame) { events.append(QString::fromLatin1(frame)); });
        connect(ends.pair.second.get(), &Transport::closed, this, [&](quint16 code, const QString &reason) {
            events.append(QStringLiteral("%1 %2").arg(code).arg(reason));
        });
        QSignalSpy ownClosed(&ends.a, &Transport::closed);

        ends.a.send("last");
        ends.a.close(1008, QStringLiteral("refused"));
        ends.a.send("never");
        ends.environment.runUntilIdle();

        QCOMPARE(events, (QStringList{QStringLiteral("last"), QStringLiteral("1008 refused")}));
        QCOMPARE(ownClosed.size(), 1);
        QVERIFY(!ends.a.isOpen());
        QVERIFY(!ends.pair.second->isOpen());
    }

    void anEndThatGoesAwayClosesTheOtherWithoutACode()
    {
        Ends ends;
        ends.environment.runUntilIdle();
        QSignalSpy closed(&ends.a, &Transport::closed);

        ends.pair.second.reset();
        ends.environment.runUntilIdle();

        QCOMPARE(closed.size(), 1);
        QCOMPARE(closed[0][0].value<quint16>(), quint16(0));
        QVERIFY(!closed[0][1].toString().isEmpty());
    }

    void aPeerThatNeverReadsIsCut()
    {
        Ends ends;
        ends.environment.runUntilIdle();
        ends.pair.second->setPaused(true);
        QSignalSpy closed(&ends.a, &Transport::closed);
        const QByteArray frame(16 * 1024 * 1024, 'x'); // shared, so this costs nothing

        for (int i = 0; i < 17; ++i)
            ends.a.send(frame);
        ends.environment.runUntilIdle();

        QCOMPARE(closed.size(), 1);
        QCOMPARE(closed[0][0].value<quint16>(), quint16(1011));
        QCOMPARE(ends.a.pendingBytes(), qint64(0));
    }

    void anEndMayBeDestroyedByWhatItDelivers()
    {
        Ends ends;
        ends.environment.runUntilIdle();
        int got = 0;
        connect(ends.pair.second.get(), &Transport::received, this, [&] {
            ++got;
            ends.pair.second.reset();
        });

        ends.a.send("one");
        ends.a.send("two");
        ends.environment.runUntilIdle();

        QCOMPARE(got, 1);
    }

    void twoThreadsTalk()
    {
        auto ends = LoopbackTransport::pair();
        QThread thread;
        LoopbackTransport *far = ends.second.get();
        far->moveToThread(&thread);
        // Echoes on its own thread.
        connect(far, &Transport::received, far, [far](const QByteArray &frame) { far->send(frame); });
        QList<QByteArray> got;
        connect(ends.first.get(), &Transport::received, this, [&](const QByteArray &frame) { got.append(frame); });
        thread.start();

        for (int i = 0; i < 5000; ++i)
            ends.first->send(QByteArray::number(i));

        QTRY_COMPARE(got.size(), 5000);
        for (int i = 0; i < 5000; ++i)
            QCOMPARE(got[i], QByteArray::number(i));
        QSignalSpy closed(ends.first.get(), &Transport::closed);
        QMetaObject::invokeMethod(far, [far] { delete far; });
        (void)ends.second.release();
        QTRY_COMPARE(closed.size(), 1);
        thread.quit();
        QVERIFY(thread.wait());
    }
};

QTEST_GUILESS_MAIN(tst_LoopbackTransport)
#include "tst_loopback_transport.moc"
