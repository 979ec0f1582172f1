// Schedules of a live actor: one-shots, intervals, claiming, and what survives.

#include "core/actor/live_actor.h"

using namespace terrarium;
using namespace std::chrono_literals;
using terrarium::testing::LiveActor;

namespace {

struct AlarmState {
    int fired = 0;
    QString last;
    ACTOR_FIELDS(AlarmState, fired, last)
};

class Alarm : public Actor<AlarmState> {
public:
    using Actor::Actor;
    static inline Replies mode = Replies::Durable;

    void fire(const QString &what)
    {
        ++state().fired;
        state().last = what;
    }
    void tick() { ++state().fired; }
    Task<> slowTick()
    {
        ++state().fired;
        co_await delay(12s);
    }
    void broken() { throw Error(QStringLiteral("user"), QStringLiteral("broken"), QStringLiteral("x")); }
    QString remind(qint64 ms, const QString &what) { return after(std::chrono::milliseconds(ms), &Alarm::fire, what); }
    QString remindAt(qint64 wall, const QString &what) { return at(wall, &Alarm::fire, what); }
    void begin(qint64 ms) { every("beat", std::chrono::milliseconds(ms), &Alarm::tick); }
    void beginSlow() { every("slow", 5s, &Alarm::slowTick); }
    bool end(const QString &which) { return cancel(which); }
    void failSoon() { after(1s, &Alarm::broken); }

    static auto type()
    {
        return ActorType<Alarm>("alarm")
            .action("fire", &Alarm::fire, {"what"})
            .action("tick", &Alarm::tick)
            .action("slowTick", &Alarm::slowTick)
            .action("broken", &Alarm::broken)
            .action("remind", &Alarm::remind, {"ms", "what"})
            .action("remindAt", &Alarm::remindAt, {"wall", "what"})
            .action("begin", &Alarm::begin, {"ms"})
            .action("beginSlow", &Alarm::beginSlow)
            .action("end", &Alarm::end, {"which"})
            .action("failSoon", &Alarm::failSoon)
            .replies(mode)
            .maxSchedules(3)
            .sleepTimeout(1h);
    }
};

ScheduleRow oneShot(const char *id, qint64 at)
{
    ScheduleRow row;
    row.eventId = QString::fromUtf8(id);
    row.triggerAt = at;
    row.action = QStringLiteral("fire");
    row.args = encodeCbor<Value>(Value::array({"stored"}));
    return row;
}

} // namespace

class tst_Schedules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { Alarm::mode = Replies::Durable; }

    void oneShotFiresAtItsTimeWithItsArguments();
    void scheduledCallIsPutDownToTheTimer();
    void rowIsDurableBeforeTheReply();
    void oneShotIsGoneFromDiskWithWhatItDid();
    void failedSaveLosesNeitherRowNorChange();
    void pastTimesFireAtOnce();
    void overdueRowsFireAtTheStart();
    void futureRowsStayAndFireLater();
    void cancelledOneShotNeverFires();
    void intervalKeepsItsRhythm();
    void missedTicksAreMadeUpByOne();
    void sameIntervalAgainKeepsTheNextTime();
    void otherIntervalStartsAnew();
    void overlappingTickIsSkipped();
    void failingActionIsToldAndTheActorLivesOn();
    void recurringScheduleOfAMissingActionIsDropped();
    void limitOfSchedulesIsRefused();
    void shortIntervalIsRefused();
    void longNameIsRefused();
    void schedulesDoNotKeepItAwakeButTheirActionsDo();
    void nothingFiresInGrace();
    void fireAlarmRunsWhatIsDue();
    void dueOrderIsByTimeThenId();
    void wallClockMayJumpForward();
};

void tst_Schedules::oneShotFiresAtItsTimeWithItsArguments()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("remind"), {1500, "tea"});
    actor.env.advance(1499ms);
    QCOMPARE(actor.stored()["fired"], Value(0));
    actor.env.advance(1ms);

    QCOMPARE(actor.stored()["fired"], Value(1));
    QCOMPARE(actor.stored()["last"], Value("tea"));
    actor.env.advance(10min);
    QCOMPARE(actor.stored()["fired"], Value(1));
}

void tst_Schedules::scheduledCallIsPutDownToTheTimer()
{
    LiveActor actor(Alarm::type());
    actor.start();
    const QString id = actor.call(QStringLiteral("remind"), {10, "tea"})->value().toText();
    actor.env.advance(10ms);

    const QList<Cause> causes = actor.seen.changes.back().causes;
    QCOMPARE(causes, QList<Cause>{Cause(QStringLiteral("timer"), QStringLiteral("fire"), id)});
    QVERIFY(actor.seen.log.contains(QStringLiteral("call fire ok")));
}

void tst_Schedules::rowIsDurableBeforeTheReply()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.disk.holdsBack = true;
    const auto answer = actor.call(QStringLiteral("remind"), {1000, "tea"});
    QVERIFY(!answer->isIn());
    actor.disk.holdsBack = false;
    actor.env.advance(1ms);

    QVERIFY(answer->isIn());
    QCOMPARE(actor.disk.rows.schedules.size(), 1);
    QCOMPARE(actor.disk.rows.schedules.at(0).eventId, answer->value().toText());
}

void tst_Schedules::oneShotIsGoneFromDiskWithWhatItDid()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("remind"), {1000, "tea"});
    actor.disk.holdsBack = true;
    actor.env.advance(1s);
    QCOMPARE(actor.disk.rows.schedules.size(), 1); // neither is durable yet
    QCOMPARE(actor.stored()["fired"], Value(0));
    actor.disk.holdsBack = false;
    actor.env.advance(1ms);

    QVERIFY(actor.disk.rows.schedules.isEmpty());
    QCOMPARE(actor.stored()["fired"], Value(1));
}

void tst_Schedules::failedSaveLosesNeitherRowNorChange()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.disk.fault = Error(QStringLiteral("storage"), QStringLiteral("full"), QStringLiteral("x"));
    QCOMPARE(actor.call(QStringLiteral("remind"), {500, "tea"})->error(), QStringLiteral("storage/full"));
    actor.env.advance(600ms);
    actor.disk.fault.reset();
    actor.env.advance(2s);

    QVERIFY(actor.disk.rows.schedules.isEmpty());
    QCOMPARE(actor.stored()["fired"], Value(1));
}

void tst_Schedules::pastTimesFireAtOnce()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("remindAt"), {1000, "past"});
    QCOMPARE(actor.stored()["last"], Value("past"));
}

void tst_Schedules::overdueRowsFireAtTheStart()
{
    LiveActor actor(Alarm::type());
    actor.disk.rows.hasInitialized = true;
    actor.disk.rows.schedules << oneShot("a", 5) << oneShot("b", 6);
    actor.start();

    QCOMPARE(actor.stored()["fired"], Value(2));
    QVERIFY(actor.disk.rows.schedules.isEmpty());
}

void tst_Schedules::futureRowsStayAndFireLater()
{
    LiveActor actor(Alarm::type());
    actor.disk.rows.schedules << oneShot("a", actor.env.clock().wallMs() + 60'000);
    actor.start();
    QCOMPARE(actor.task->schedules().size(), 1);
    actor.env.advance(60s);
    QCOMPARE(actor.stored()["last"], Value("stored"));
}

void tst_Schedules::cancelledOneShotNeverFires()
{
    LiveActor actor(Alarm::type());
    actor.start();
    const QString id = actor.call(QStringLiteral("remind"), {1000, "tea"})->value().toText();
    QCOMPARE(actor.call(QStringLiteral("end"), {id})->value(), Value(true));
    QCOMPARE(actor.call(QStringLiteral("end"), {id})->value(), Value(false));
    actor.env.advance(5s);

    QCOMPARE(actor.stored()["fired"], Value(0));
    QVERIFY(actor.disk.rows.schedules.isEmpty());
}

void tst_Schedules::intervalKeepsItsRhythm()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("begin"), {5000});
    actor.env.advance(4999ms);
    QCOMPARE(actor.stored()["fired"], Value(0));
    actor.env.advance(1ms);
    QCOMPARE(actor.stored()["fired"], Value(1));
    actor.env.advance(15s);
    QCOMPARE(actor.stored()["fired"], Value(4));
    QCOMPARE(actor.disk.rows.schedules.size(), 1);
    QCOMPARE(actor.disk.rows.schedules.at(0).eventId, QStringLiteral("cron:beat"));
    QCOMPARE(actor.disk.rows.schedules.at(0).triggerAt, actor.env.clock().wallMs() + 5000);
}

void tst_Schedules::missedTicksAreMadeUpByOne()
{
    LiveActor actor(Alarm::type());
    const qint64 now = actor.env.clock().wallMs();
    ScheduleRow row;
    row.eventId = QStringLiteral("cron:beat");
    row.kind = ScheduleKind::Every;
    row.intervalMs = 5000;
    row.triggerAt = now - 23'000;
    row.action = QStringLiteral("tick");
    actor.disk.rows.hasInitialized = true;
    actor.disk.rows.schedules << row;
    actor.start();

    QCOMPARE(actor.stored()["fired"], Value(1));
    QCOMPARE(actor.disk.rows.schedules.at(0).triggerAt, now + 2000); // anchored to its first
    actor.env.advance(2s);
    QCOMPARE(actor.stored()["fired"], Value(2));
}

void tst_Schedules::sameIntervalAgainKeepsTheNextTime()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("begin"), {5000});
    actor.env.advance(4s);
    actor.call(QStringLiteral("begin"), {5000});
    actor.env.advance(1s);
    QCOMPARE(actor.stored()["fired"], Value(1));
    QCOMPARE(actor.task->schedules().size(), 1);
}

void tst_Schedules::otherIntervalStartsAnew()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("begin"), {5000});
    actor.env.advance(4s);
    actor.call(QStringLiteral("begin"), {10'000});
    actor.env.advance(9s);
    QCOMPARE(actor.stored()["fired"], Value(0));
    actor.env.advance(1s);
    QCOMPARE(actor.stored()["fired"], Value(1));
}

void tst_Schedules::overlappingTickIsSkipped()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("beginSlow"));
    actor.env.advance(5s);
    QCOMPARE(actor.awake(QStringLiteral("scheduledHandler")), QStringLiteral("1 on slowTick"));
    actor.env.advance(10s); // ticks at 10 and 15 s find it running
    QCOMPARE(actor.stored()["fired"], Value(1));
    actor.env.advance(5s); // it ended at 17 s
    QCOMPARE(actor.stored()["fired"], Value(2));
}

void tst_Schedules::failingActionIsToldAndTheActorLivesOn()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("failSoon"));
    actor.env.advance(1s);
    QVERIFY(actor.seen.log.contains(QStringLiteral("call broken broken")));
    QCOMPARE(actor.task->state(), LifecycleState::Started);
}

void tst_Schedules::recurringScheduleOfAMissingActionIsDropped()
{
    LiveActor actor(Alarm::type());
    ScheduleRow row;
    row.eventId = QStringLiteral("cron:old");
    row.kind = ScheduleKind::Every;
    row.intervalMs = 5000;
    row.triggerAt = actor.env.clock().wallMs() + 5000;
    row.action = QStringLiteral("renamed");
    actor.disk.rows.schedules << row;
    actor.start();
    actor.env.advance(5s);

    QVERIFY(actor.task->schedules().isEmpty());
    QVERIFY(actor.disk.rows.schedules.isEmpty());
    QVERIFY(actor.seen.log.contains(QStringLiteral("call renamed action_not_found")));
}

void tst_Schedules::limitOfSchedulesIsRefused()
{
    LiveActor actor(Alarm::type());
    actor.start();
    for (int i = 0; i < 3; ++i)
        QCOMPARE(actor.call(QStringLiteral("remind"), {60'000, "x"})->error(), QString());
    const auto refused = actor.call(QStringLiteral("remind"), {60'000, "x"});
    QCOMPARE(refused->error(), QStringLiteral("schedule/max_schedules_exceeded"));
    QCOMPARE(refused->fullError().metadata()["maximum"], Value(3));
    QCOMPARE(actor.disk.rows.schedules.size(), 3);
}

void tst_Schedules::shortIntervalIsRefused()
{
    LiveActor actor(Alarm::type());
    actor.start();
    const auto refused = actor.call(QStringLiteral("begin"), {4999});
    QCOMPARE(refused->error(), QStringLiteral("schedule/invalid_interval"));
    QCOMPARE(refused->fullError().metadata()["minimum_ms"], Value(5000));
}

void tst_Schedules::longNameIsRefused()
{
    Schedules schedules;
    const auto set = [&schedules](const QString &name) -> QString {
        try {
            schedules.setEvery(name, 5000, QStringLiteral("a"), {}, 0, 10);
        } catch (const Error &error) {
            return error.code();
        }
        return QStringLiteral("ok");
    };
    QCOMPARE(set(QString()), QStringLiteral("invalid_name"));
    QCOMPARE(set(QString(129, QLatin1Char('n'))), QStringLiteral("invalid_name"));
    QCOMPARE(set(QString(128, QLatin1Char('n'))), QStringLiteral("ok"));
}

void tst_Schedules::schedulesDoNotKeepItAwakeButTheirActionsDo()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("beginSlow"));
    QCOMPARE(canSleep(actor.task->sleepFacts()), CanSleep::Yes);
    actor.env.advance(5s);
    QCOMPARE(canSleep(actor.task->sleepFacts()), CanSleep::ActiveInternalKeepAwake);
}

void tst_Schedules::nothingFiresInGrace()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("slowTick")); // holds the grace for 12 s
    actor.call(QStringLiteral("remind"), {1000, "tea"});
    actor.stop();
    actor.env.advance(11s);
    QCOMPARE(actor.task->state(), LifecycleState::SleepGrace);
    QCOMPARE(actor.stored()["last"], Value(""));
    actor.env.advance(1s);
    QVERIFY(actor.stopAnswered);
    QCOMPARE(actor.disk.rows.schedules.size(), 1); // for the next wake
}

void tst_Schedules::fireAlarmRunsWhatIsDue()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("remind"), {1000, "tea"});
    actor.env.jumpWallClock(1000ms);
    bool answered = false;
    actor.task->fireAlarm([&answered](const std::optional<Error> &error) { answered = !error; });
    actor.env.runUntilIdle();

    QVERIFY(answered);
    QCOMPARE(actor.stored()["last"], Value("tea"));
}

void tst_Schedules::dueOrderIsByTimeThenId()
{
    Schedules schedules;
    schedules.load({oneShot("b", 10), oneShot("c", 5), oneShot("a", 10), oneShot("d", 11)});
    QStringList ids;
    for (const Schedules::Fire &fire : schedules.claim(10))
        ids << fire.row.eventId;
    QCOMPARE(ids, (QStringList{QStringLiteral("c"), QStringLiteral("a"), QStringLiteral("b")}));
    QCOMPARE(schedules.next(), std::optional<qint64>(11));
}

void tst_Schedules::wallClockMayJumpForward()
{
    LiveActor actor(Alarm::type());
    actor.start();
    actor.call(QStringLiteral("remind"), {60'000, "tea"});
    actor.env.jumpWallClock(-30'000ms); // now it is 90 s away
    actor.env.advance(60s);
    QCOMPARE(actor.stored()["fired"], Value(0));
    actor.env.advance(30s);
    QCOMPARE(actor.stored()["fired"], Value(1));
}

QTEST_GUILESS_MAIN(tst_Schedules)
#include "tst_schedules.moc"
