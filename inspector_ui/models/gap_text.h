#pragma once
// A gap in words: what is missing, and when, why and where the picture is whole again.

#include "client/actor_feed.h"

namespace terrarium::ui {

QString gapFact(const FeedGap &gap);   ///< "Gap: about 37 changes lost"
QString gapDetail(const FeedGap &gap); ///< "14:02:16.1 to 14:02:18.9, host overlay overflow. Resynchronised at #1279."
QString gapReason(const QString &reason);

} // namespace terrarium::ui
