#pragma once
// A cause as a cell shows it: icon, kind in muted, name. "action move", "edited here".

#include "widgets/cell.h"

#include <terrarium/cause.h>

namespace terrarium::ui {

QList<Run> causeRuns(const Cause &cause);
/// The first cause and how many more.
QList<Run> causeRuns(const QList<Cause> &causes);

} // namespace terrarium::ui
