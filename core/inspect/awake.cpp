#include "inspect/awake.h"

#include "actor/actor_task.h"

namespace terrarium {

wire::Blocker toBlocker(const AwakeReason &reason)
{
    wire::Blocker blocker;
    blocker.kind = reason.kind;
    blocker.count = reason.count;
    blocker.on = reason.on;
    blocker.label = reason.label;
    blocker.since = reason.since;
    blocker.origin = reason.origin;
    blocker.note = reason.note;
    return blocker;
}

wire::SleepForecast toForecast(const SleepOutlook &outlook)
{
    wire::SleepForecast forecast;
    forecast.kind = outlook.kind;
    forecast.at = outlook.at;
    forecast.resetBy = outlook.resetBy;
    return forecast;
}

QList<wire::Blocker> allBlockers(const ActorTask &task)
{
    QList<wire::Blocker> blockers;
    const QList<AwakeReason> reasons = task.awakeReasons();
    blockers.reserve(reasons.size());
    for (const AwakeReason &reason : reasons)
        blockers.append(toBlocker(reason));
    return blockers;
}

QList<wire::Blocker> activeBlockers(const ActorTask &task)
{
    QList<wire::Blocker> blockers;
    const QList<AwakeReason> reasons = task.awakeReasons();
    for (const AwakeReason &reason : reasons) {
        if (reason.on)
            blockers.append(toBlocker(reason));
    }
    return blockers;
}

} // namespace terrarium
