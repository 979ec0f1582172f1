#pragma once
// What a link's state means for what is on screen: what "now" is, and why a control is off.

#include "client/inspector_client.h"
#include "models/time_cursor.h"

namespace terrarium {
class Clock;
}

namespace terrarium::ui {

/// True in the states in which the host answers: live, behind, resyncing.
bool isLinked(const InspectorClient &client);
/// The host's wall clock in ms. Stands still at the last live moment while the link is lost.
qint64 hostNow(const Clock &clock, const InspectorClient &client);
/// Why `capability` ("call", "sleep", "destroy", ...) is off now, as a sentence; empty when it is on.
QString disabledReason(const InspectorClient &client, const ActorFeed *feed, const TimeCursor *cursor,
                       QLatin1String capability);

} // namespace terrarium::ui
