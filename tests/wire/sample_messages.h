#pragma once
// One filled-in message of every kind: for round trips, and the source of the golden frames.

#include "wire/inspector_messages.h"

#include <QMap>

namespace terrarium::wire::samples {

inline Cause cause()
{
    return Cause(QStringLiteral("action"), QStringLiteral("increment"), QStringLiteral("conn-7"));
}

inline ErrorInfo error()
{
    ErrorInfo error;
    error.group = QStringLiteral("actor");
    error.code = QStringLiteral("action_timed_out");
    error.message = QStringLiteral("action \"slow\" took longer than 60 s");
    error.metadata = Value::map({{QStringLiteral("action"), "slow"}});
    error.at = 1700000000500;
    return error;
}

inline Blocker blocker()
{
    Blocker blocker;
    blocker.kind = QStringLiteral("keepAwake");
    blocker.count = 2;
    blocker.on = true;
    blocker.label = QStringLiteral("upload");
    blocker.since = 1700000000100;
    blocker.origin = QStringLiteral("action upload");
    blocker.note = QStringLiteral("waiting on queue jobs");
    return blocker;
}

inline SleepForecast forecast()
{
    SleepForecast forecast;
    forecast.kind = QStringLiteral("countdown");
    forecast.at = 1700000030000;
    forecast.resetBy = cause();
    return forecast;
}

inline ActorSummary summary()
{
    ActorSummary summary;
    summary.id = QStringLiteral("0l6bzs4kqa7nq5wnjmx3yxzzzwac00");
    summary.type = QStringLiteral("counter");
    summary.key = ActorKey(QStringList{QStringLiteral("dev"), QStringLiteral("a/b"), QString()});
    summary.generation = 3;
    summary.status = ActorStatus::sleepGrace;
    summary.since = 1700000000000;
    summary.deadline = 1700000015000;
    summary.hook = QStringLiteral("onSleep");
    summary.createdAt = 1690000000000;
    summary.createdBy = Cause(QStringLiteral("host"));
    summary.lastActivityAt = 1700000000400;
    summary.blockers = {blocker()};
    summary.forecast = forecast();
    summary.sequence = 1284;
    summary.savedSequence = 1283;
    summary.unsavedSince = 1700000000390;
    summary.rate = 12.5;
    summary.actionRate = 0.2;
    summary.errors5m = 1;
    summary.stateBytes = 612;
    summary.connections = 4;
    summary.queueSize = 5;
    summary.queueCapacity = 1000;
    summary.schedules = 1;
    summary.nextAlarmAt = 1700000060000;
    summary.nextAlarmName = QStringLiteral("tick");
    summary.hasState = false;
    summary.hasDatabase = true;
    summary.hasWorkflow = true;
    summary.lastError = error();
    return summary;
}

inline TypeInfo type()
{
    ActionInfo action;
    action.name = QStringLiteral("increment");
    action.parameters = {ParameterInfo{QStringLiteral("by"), QStringLiteral("int"), false},
                         ParameterInfo{QStringLiteral("who"), QStringLiteral("text"), true}};
    action.result = QStringLiteral("int");
    action.help = QStringLiteral("Adds to the count.");
    action.query = true;
    TypeInfo type;
    type.name = QStringLiteral("counter");
    type.actions = {action};
    type.events = QStringList{QStringLiteral("changed")};
    type.options = {OptionInfo{QStringLiteral("sleepTimeout"), QStringLiteral("2 s"), false}};
    type.hasState = false;
    type.hasDatabase = true;
    type.hasWorkflow = true;
    type.hasQueue = true;
    return type;
}

/// One record of each kind, positions 1 to 7.
inline QList<Record> records()
{
    const Path messages = Path().child(QStringLiteral("messages"));
    DeltaRecord delta;
    delta.sequence = 1284;
    delta.base = 1283;
    delta.causes = {cause(), Cause(QStringLiteral("timer"), QStringLiteral("tick"))};
    delta.ops = {
        DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("count")), 4, 3),
        DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("added")), Value()),
        DeltaOp(DeltaOp::Kind::Insert, messages.child(2), Value::map({{QStringLiteral("text"), "hi"}})),
        DeltaOp(DeltaOp::Kind::Remove, messages.child(0), Value(), Value::array({1.5, true, QByteArray("x")}))};
    delta.stateBytes = 612;

    SavedRecord saved;
    saved.sequence = 1284;
    saved.tookUs = 310;

    TransitionRecord transition;
    transition.from = ActorStatus::running;
    transition.to = ActorStatus::sleepGrace;
    transition.reason = QStringLiteral("idle");
    transition.detail = QStringLiteral("idle for 30 s");
    transition.cause = cause();
    transition.generation = 3;
    transition.tookUs = 30000000;
    transition.hooks = {HookTiming{QStringLiteral("onSleep"), 1100000, QStringLiteral("timedOut")}};
    transition.cutOff = QStringList{QStringLiteral("action slow")};
    transition.error = error();

    NoteRecord note;
    note.kind = QStringLiteral("hookFailed");
    note.text = QStringLiteral("onWake failed");
    note.error = error();

    CallRecord call;
    call.cause = cause();
    call.connection = QStringLiteral("conn-7");
    call.tookUs = 42;
    call.ok = false;
    call.errorCode = QStringLiteral("actor/action_timed_out");
    call.firstSequence = 1283;
    call.lastSequence = 1284;

    GaugeRecord gauge;
    gauge.connections = 4;
    gauge.queueSize = 5;

    AwakeRecord awake;
    awake.span = QStringLiteral("s1");
    awake.kind = QStringLiteral("keepAwake");
    awake.label = QStringLiteral("upload");
    awake.begin = false;

    QList<Record> records(7);
    records[0].body = delta;
    records[1].body = saved;
    records[2].body = transition;
    records[3].body = note;
    records[4].body = call;
    records[5].body = gauge;
    records[6].body = awake;
    for (qsizetype i = 0; i < records.size(); ++i) {
        records[i].position = quint64(i) + 1;
        records[i].at = 1700000000000 + i;
    }
    return records;
}

inline Snapshot snapshot()
{
    Snapshot snapshot;
    snapshot.summary = summary();
    snapshot.type = type();
    snapshot.position = 7;
    snapshot.sequence = 1284;
    snapshot.savedSequence = 1283;
    snapshot.state = QByteArray::fromHex("a165636f756e7404");
    snapshot.records = records();
    snapshot.keptSince = 1699999999000;
    snapshot.blockers = {blocker(), Blocker{QStringLiteral("noSleep"), 0, false, {}, 0, {}, {}}};
    snapshot.live = true;
    snapshot.savedAt = 1699999999500;
    return snapshot;
}

inline QMap<QString, Request> requests()
{
    const QString id = summary().id;
    return {
        {QStringLiteral("hello"), Hello{1, QStringLiteral("terrarium 0.1.0"), QStringLiteral("ann"),
                                        QStringLiteral("s3cret"), true, QStringLiteral("boot-1")}},
        {QStringLiteral("watchActors"), WatchActors{false}},
        {QStringLiteral("subscribe"), Subscribe{id, 41}},
        {QStringLiteral("unsubscribe"), Unsubscribe{id}},
        {QStringLiteral("callAction"),
         CallAction{id, QStringLiteral("increment"), Value::array({5, "ann", quint64(1) << 63}), 5000}},
        {QStringLiteral("cancelCall"), CancelCall{12}},
        {QStringLiteral("sleepActor"), SleepActor{id}},
        {QStringLiteral("wakeActor"), WakeActor{id}},
        {QStringLiteral("restartActor"), RestartActor{id}},
        {QStringLiteral("destroyActor"), DestroyActor{id}},
        {QStringLiteral("createActor"), CreateActor{QStringLiteral("counter"), summary().key, Value(), false}},
        {QStringLiteral("listTypes"), ListTypes{}},
        {QStringLiteral("ping"), Ping{123456789}},
    };
}

inline QMap<QString, ReplyBody> replies()
{
    Welcome welcome;
    welcome.version = 1;
    welcome.product = QStringLiteral("terrarium");
    welcome.productVersion = QStringLiteral("0.1.0");
    welcome.bootId = QStringLiteral("boot-2");
    welcome.hostName = QStringLiteral("shop");
    welcome.pid = 4711;
    welcome.startedAt = 1699999000000;
    welcome.now = 1700000000000;
    welcome.durability = QStringLiteral("process");
    welcome.readOnly = true;
    welcome.capabilities = QStringList{QStringLiteral("actors"), QStringLiteral("deltas")};

    Failure failure;
    failure.group = QStringLiteral("actor");
    failure.code = QStringLiteral("action_not_found");
    failure.message = QStringLiteral("action \"incremnt\" is not registered for \"counter\"");
    failure.metadata = Value::map({{QStringLiteral("action"), "incremnt"}});
    failure.actor = summary().id;

    return {
        {QStringLiteral("welcome"), welcome},
        {QStringLiteral("subscribed"), Subscribed{true, snapshot()}},
        {QStringLiteral("callResult"), CallResult{Value::array({1, Value()}), 420, true, 5, 6, 2}},
        {QStringLiteral("created"), Created{summary(), true}},
        {QStringLiteral("types"), Types{{type()}}},
        {QStringLiteral("pong"), Pong{123456789, 1700000000000}},
        {QStringLiteral("done"), Done{}},
        {QStringLiteral("failure"), failure},
    };
}

inline QMap<QString, Push> pushes()
{
    Dropped dropped;
    dropped.actor = summary().id;
    dropped.count = 120;
    dropped.firstPosition = 8;
    dropped.lastPosition = 150;
    dropped.from = 1700000001000;
    dropped.to = 1700000011000;
    dropped.snapshot = snapshot();
    return {
        {QStringLiteral("actorsChanged"), ActorsChanged{true, {summary()}, QStringList{QStringLiteral("gone")}}},
        {QStringLiteral("recordsAppended"), RecordsAppended{summary().id, records()}},
        {QStringLiteral("awakeChanged"), AwakeChanged{summary().id, {blocker()}, forecast()}},
        {QStringLiteral("dropped"), dropped},
        {QStringLiteral("hostGoodbye"), HostGoodbye{QStringLiteral("the host stops")}},
    };
}

} // namespace terrarium::wire::samples
