#pragma once
// One actor as it is now: of a live one from memory, of any other from its rows. Never wakes anything.

#include "inspect/change_log.h"
#include "storage/stored_actor.h"
#include "wire/inspector_messages.h"

namespace terrarium {

/// The summary of an actor with a log.
wire::ActorSummary summarize(const ChangeLog &log, const wire::TypeInfo &type);
/// Of one without: it sleeps, or never ran. `nextAlarmAt`: wall ms, 0: none.
wire::ActorSummary summarize(const ActorRow &row, const wire::TypeInfo &type, qint64 nextAlarmAt);

/// `stored`: its rows when it is not live; null when they are gone (then what the log knows is shown). A live actor
/// is asked for its state, which counts as no activity. `withRecords` false: those of the log are left out.
wire::Snapshot takeSnapshot(const ChangeLog &log, const wire::TypeInfo &type, const StoredActor *stored,
                            bool withRecords = true);
wire::Snapshot takeSnapshot(const StoredActor &stored, const wire::TypeInfo &type);

} // namespace terrarium
