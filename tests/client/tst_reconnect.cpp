#include "client/reconnect.h"

#include <QTest>

using namespace terrarium;

namespace {
class FixedRandom final : public Random {
public:
    explicit FixedRandom(quint64 value) : m_value(value) {}
    quint64 next() override { return m_value; }
    QByteArray bytes(int count) override { return QByteArray(count, 'x'); }

private:
    const quint64 m_value;
};
} // namespace

class tst_Reconnect : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void delaysGrowToFifteenSecondsAndStay()
    {
        FixedRandom middle(1ULL << 63);
        Reconnect reconnect;
        QList<qint64> delays;
        for (int i = 0; i < 10; ++i)
            delays.append(reconnect.nextDelay(middle).count());
        QCOMPARE(delays, (QList<qint64>{250, 500, 1000, 2000, 4000, 8000, 15000, 15000, 15000, 15000}));
        QCOMPARE(reconnect.attempt(), 10);
    }

    void chanceMovesADelayByTwentyPercentAtMost()
    {
        FixedRandom low(0);
        FixedRandom high(~0ULL);
        QCOMPARE(Reconnect().nextDelay(low).count(), 200);
        const qint64 most = Reconnect().nextDelay(high).count();
        QVERIFY2(most >= 299 && most <= 300, qPrintable(QString::number(most)));
    }

    void resetStartsOver()
    {
        FixedRandom middle(1ULL << 63);
        Reconnect reconnect;
        for (int i = 0; i < 5; ++i)
            (void)reconnect.nextDelay(middle);

        reconnect.reset();

        QCOMPARE(reconnect.attempt(), 0);
        QCOMPARE(reconnect.nextDelay(middle).count(), 250);
    }
};

QTEST_GUILESS_MAIN(tst_Reconnect)
#include "tst_reconnect.moc"
