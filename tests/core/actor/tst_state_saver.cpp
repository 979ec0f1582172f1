// When a state is saved: requests, revisions, throttle, retry, and who is told.

#include "actor/state_saver.h"

#include <QtTest>

using namespace terrarium;
using namespace std::chrono_literals;

class tst_StateSaver : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void neverSavedWaitsAWholeInterval();
    void throttleCountsFromTheLastSave();
    void immediateIsDueNow();
    void plainAfterImmediateDoesNotDelayIt();
    void maxWaitBringsItForward();
    void saveCompletesTheRequestsBeforeIt();
    void requestDuringASaveLeadsToAnother();
    void oneSaveAtATime();
    void failedSaveIsTriedAgainOneIntervalLater();
    void requestDuringAFailedSaveKeepsItsUrgency();
    void failedWritesComeBackInFrontOfLaterOnes();
    void waiterIsToldItsRevision();
    void waiterOfAFailedSaveGetsTheError();
    void closedSaverAnswersPresentAndLaterWaiters();
    void completedWaiterStillGetsOkAfterClosing();
    void unsavedSinceIsTheOldestRequest();
    void emptySaveCompletesWithoutWriting();
};

namespace {

Instant at(std::chrono::milliseconds ms)
{
    return Instant(ms);
}

const Error full(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("no space"));

} // namespace

void tst_StateSaver::neverSavedWaitsAWholeInterval()
{
    StateSaver saver(1s);
    saver.request(at(5000ms), 1, false);
    QCOMPARE(saver.dueAt(), at(6000ms));
}

void tst_StateSaver::throttleCountsFromTheLastSave()
{
    StateSaver saver(1s);
    saver.request(at(0ms), 1, true);
    saver.begin(nullptr, 1);
    saver.succeeded(at(100ms));

    saver.request(at(400ms), 1, false);
    QCOMPARE(saver.dueAt(), at(1100ms));
    saver.begin(nullptr, 1);
    saver.succeeded(at(1100ms));
    saver.request(at(9000ms), 1, false);
    QCOMPARE(saver.dueAt(), at(9000ms));
}

void tst_StateSaver::immediateIsDueNow()
{
    StateSaver saver(1s);
    saver.request(at(0ms), 1, false);
    saver.request(at(10ms), 1, true);
    QCOMPARE(saver.dueAt(), at(10ms));
    QVERIFY(saver.isImmediatePending());
}

void tst_StateSaver::plainAfterImmediateDoesNotDelayIt()
{
    StateSaver saver(1s);
    saver.request(at(0ms), 1, true);
    saver.request(at(10ms), 1, false);
    QCOMPARE(saver.dueAt(), at(0ms));
}

void tst_StateSaver::maxWaitBringsItForward()
{
    StateSaver saver(1s);
    saver.request(at(0ms), 1, false);
    saver.request(at(0ms), 1, false, 200ms);
    saver.request(at(0ms), 1, false, 500ms);
    QCOMPARE(saver.dueAt(), at(200ms));
}

void tst_StateSaver::saveCompletesTheRequestsBeforeIt()
{
    StateSaver saver(1s);
    const quint64 first = saver.request(at(0ms), 1, true);
    const quint64 second = saver.request(at(0ms), 1, true);
    QVERIFY(second > first);
    saver.begin(nullptr, 1);
    QCOMPARE(saver.completed(), quint64(0));
    saver.succeeded(at(1ms));

    QCOMPARE(saver.completed(), second);
    QVERIFY(!saver.isPending());
    QCOMPARE(saver.dueAt(), Instant::max());
}

void tst_StateSaver::requestDuringASaveLeadsToAnother()
{
    StateSaver saver(1s);
    const quint64 first = saver.request(at(0ms), 1, true);
    saver.begin(nullptr, 1);
    const quint64 second = saver.request(at(1ms), 1, true);
    QCOMPARE(saver.dueAt(), Instant::max());
    saver.succeeded(at(2ms));

    QCOMPARE(saver.completed(), first);
    QVERIFY(saver.isPending());
    QVERIFY(saver.dueAt() <= at(2ms));
    saver.begin(nullptr, 1);
    saver.succeeded(at(3ms));
    QCOMPARE(saver.completed(), second);
}

void tst_StateSaver::oneSaveAtATime()
{
    StateSaver saver(1s);
    saver.request(at(0ms), 1, true);
    saver.begin(nullptr, 1);
    saver.request(at(0ms), 1, true);
    QVERIFY(saver.isInFlight());
    QCOMPARE(saver.dueAt(), Instant::max());
}

void tst_StateSaver::failedSaveIsTriedAgainOneIntervalLater()
{
    StateSaver saver(1s);
    saver.request(at(0ms), 1, true);
    saver.begin(nullptr, 1);
    saver.failed(at(50ms), full);

    QVERIFY(saver.isPending());
    QVERIFY(!saver.isImmediatePending());
    QCOMPARE(saver.dueAt(), at(1050ms));
    QCOMPARE(saver.completed(), quint64(0));
}

void tst_StateSaver::requestDuringAFailedSaveKeepsItsUrgency()
{
    StateSaver saver(1s);
    saver.request(at(0ms), 1, true);
    saver.begin(nullptr, 1);
    saver.request(at(10ms), 1, true);
    saver.failed(at(50ms), full);

    QCOMPARE(saver.dueAt(), at(10ms));
}

void tst_StateSaver::failedWritesComeBackInFrontOfLaterOnes()
{
    StateSaver saver(1s);
    ScheduleRow row;
    row.eventId = QStringLiteral("a");
    saver.alsoWrite(WriteBatch::PutSchedule{row});
    saver.request(at(0ms), 1, true);
    QCOMPARE(saver.begin(nullptr, 1).writes().size(), std::size_t(1));
    QVERIFY(!saver.hasWrites());
    saver.alsoWrite(WriteBatch::DeleteSchedule{QStringLiteral("a")});
    saver.failed(at(1ms), full);

    const QByteArray state("s");
    const WriteBatch batch = saver.begin(&state, 7);
    QCOMPARE(batch.writes().size(), std::size_t(3));
    QVERIFY(std::holds_alternative<WriteBatch::PutSchedule>(batch.writes().at(0)));
    QVERIFY(std::holds_alternative<WriteBatch::DeleteSchedule>(batch.writes().at(1)));
    QCOMPARE(std::get<WriteBatch::SaveState>(batch.writes().at(2)).savedAt, 7);
}

void tst_StateSaver::waiterIsToldItsRevision()
{
    StateSaver saver(1s);
    QStringList told;
    saver.await(saver.request(at(0ms), 1, true), [&told](const std::optional<Error> &error) {
        told << (error ? error->code() : QStringLiteral("first"));
    });
    saver.begin(nullptr, 1);
    const quint64 second = saver.request(at(0ms), 1, true);
    saver.await(second, [&told](const std::optional<Error> &error) {
        told << (error ? error->code() : QStringLiteral("second"));
    });
    saver.succeeded(at(1ms));
    QCOMPARE(told, QStringList{QStringLiteral("first")});
    saver.begin(nullptr, 1);
    saver.succeeded(at(2ms));
    QCOMPARE(told, (QStringList{QStringLiteral("first"), QStringLiteral("second")}));
    saver.await(second, [&told](const std::optional<Error> &error) {
        told << (error ? error->code() : QStringLiteral("late"));
    });
    QCOMPARE(told.constLast(), QStringLiteral("late"));
}

void tst_StateSaver::waiterOfAFailedSaveGetsTheError()
{
    StateSaver saver(1s);
    QString told;
    saver.await(saver.request(at(0ms), 1, true),
                [&told](const std::optional<Error> &error) { told = error ? error->code() : QStringLiteral("ok"); });
    saver.begin(nullptr, 1);
    saver.failed(at(1ms), full);
    QCOMPARE(told, QStringLiteral("full"));
}

void tst_StateSaver::closedSaverAnswersPresentAndLaterWaiters()
{
    StateSaver saver(1s);
    QStringList told;
    const auto note = [&told](const std::optional<Error> &error) {
        told << (error ? error->code() : QStringLiteral("ok"));
    };
    saver.await(saver.request(at(0ms), 1, false), note);
    saver.close(Error(QStringLiteral("actor"), QStringLiteral("stopping"), QStringLiteral("x")));
    saver.await(saver.request(at(0ms), 1, false), note);

    QCOMPARE(told, (QStringList{QStringLiteral("stopping"), QStringLiteral("stopping")}));
    QCOMPARE(saver.dueAt(), Instant::max());
}

void tst_StateSaver::completedWaiterStillGetsOkAfterClosing()
{
    StateSaver saver(1s);
    const quint64 revision = saver.request(at(0ms), 1, true);
    saver.begin(nullptr, 1);
    saver.succeeded(at(1ms));
    saver.close(full);
    QString told;
    saver.await(revision,
                [&told](const std::optional<Error> &error) { told = error ? error->code() : QStringLiteral("ok"); });
    QCOMPARE(told, QStringLiteral("ok"));
}

void tst_StateSaver::unsavedSinceIsTheOldestRequest()
{
    StateSaver saver(1s);
    QCOMPARE(saver.unsavedSince(), 0);
    saver.request(at(0ms), 100, false);
    saver.request(at(0ms), 200, true);
    QCOMPARE(saver.unsavedSince(), 100);
    saver.begin(nullptr, 1);
    saver.request(at(0ms), 300, true);
    QCOMPARE(saver.unsavedSince(), 100);
    saver.succeeded(at(40ms));
    QCOMPARE(saver.unsavedSince(), 300);
    saver.begin(nullptr, 1);
    saver.failed(at(50ms), full);
    QCOMPARE(saver.unsavedSince(), 300);
    saver.begin(nullptr, 1);
    saver.succeeded(at(60ms));
    QCOMPARE(saver.unsavedSince(), 0);
}

void tst_StateSaver::emptySaveCompletesWithoutWriting()
{
    StateSaver saver(1s);
    const quint64 revision = saver.request(at(0ms), 1, true);
    saver.completeEmpty();
    QCOMPARE(saver.completed(), revision);
    QVERIFY(!saver.isPending());
    QCOMPARE(saver.unsavedSince(), 0);
}

QTEST_GUILESS_MAIN(tst_StateSaver)
#include "tst_state_saver.moc"
