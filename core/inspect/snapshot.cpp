#include "inspect/snapshot.h"

#include "actor/actor_task.h"
#include "inspect/awake.h"

namespace terrarium {

namespace {

void fillType(wire::ActorSummary &summary, const wire::TypeInfo &type)
{
    summary.hasState = type.hasState;
    summary.hasDatabase = type.hasDatabase;
    summary.hasWorkflow = type.hasWorkflow;
}

void fillStored(wire::Snapshot &snapshot, const StoredActor &stored)
{
    snapshot.state = stored.state;
    snapshot.savedAt = stored.savedAt;
    snapshot.summary.stateBytes = stored.state.size();
    snapshot.summary.schedules = int(stored.schedules.size());
    if (!stored.schedules.isEmpty()) {
        snapshot.summary.nextAlarmAt = stored.schedules.first().triggerAt;
        snapshot.summary.nextAlarmName = stored.schedules.first().action;
    }
    if (snapshot.summary.forecast.kind == QLatin1String("asleep"))
        snapshot.summary.forecast.at = snapshot.summary.nextAlarmAt;
    if (snapshot.summary.lastActivityAt == 0)
        snapshot.summary.lastActivityAt = stored.savedAt;
}

} // namespace

wire::ActorSummary summarize(const ChangeLog &log, const wire::TypeInfo &type)
{
    wire::ActorSummary summary = log.summary();
    fillType(summary, type);
    return summary;
}

wire::ActorSummary summarize(const ActorRow &row, const wire::TypeInfo &type, qint64 nextAlarmAt)
{
    wire::ActorSummary summary;
    summary.id = row.id;
    summary.type = row.type;
    summary.key = row.key;
    summary.generation = row.generation;
    summary.createdAt = row.createdAt;
    summary.nextAlarmAt = nextAlarmAt;
    if (row.destroyedAt != 0) {
        summary.status = wire::ActorStatus::destroyed;
        summary.since = row.destroyedAt;
    } else {
        summary.status = row.generation == 0 ? wire::ActorStatus::pending : wire::ActorStatus::sleeping;
        summary.since = row.generation == 0 ? row.createdAt : 0;
        summary.forecast.kind = QStringLiteral("asleep");
        summary.forecast.at = nextAlarmAt;
    }
    fillType(summary, type);
    return summary;
}

wire::Snapshot takeSnapshot(const ChangeLog &log, const wire::TypeInfo &type, const StoredActor *stored,
                            bool withRecords)
{
    wire::Snapshot snapshot;
    ActorTask *task = log.task();
    if (task != nullptr)
        snapshot.state = task->refreshState(); // first: it may add a change to the log
    else
        snapshot.state = log.state();
    snapshot.summary = summarize(log, type);
    snapshot.type = type;
    snapshot.position = log.position();
    snapshot.sequence = log.sequence();
    snapshot.savedSequence = log.savedSequence();
    if (withRecords)
        snapshot.records = log.records();
    snapshot.keptSince = log.keptSince();
    if (task != nullptr) {
        snapshot.live = true;
        snapshot.savedAt = task->savedAt();
        snapshot.blockers = allBlockers(*task);
        snapshot.summary.stateBytes = snapshot.state.size();
    } else if (stored != nullptr) {
        fillStored(snapshot, *stored);
    }
    return snapshot;
}

wire::Snapshot takeSnapshot(const StoredActor &stored, const wire::TypeInfo &type)
{
    wire::Snapshot snapshot;
    const qint64 nextAlarmAt = stored.schedules.isEmpty() ? 0 : stored.schedules.first().triggerAt;
    snapshot.summary = summarize(stored.actor, type, nextAlarmAt);
    snapshot.type = type;
    fillStored(snapshot, stored);
    return snapshot;
}

} // namespace terrarium
