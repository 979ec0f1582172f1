#pragma once
// Walking a value along its changes, forwards and backwards, in place.
//
// delta::apply() makes a new value for each delta, which copies the containers on the path while the old value is
// still held. A link under flood applies thousands of deltas a second to one state, so here the value is changed
// where it stands. Nothing throws: a delta that does not fit leaves the value half changed and says so.

#include "value/delta.h"

#include <terrarium/value.h>

namespace terrarium::replay {

/// False when an operation names a place that does not exist; the value is then of no use.
bool apply(Value &value, const Delta &delta);
/// From the value after `delta` to the one before it, by the old values the operations carry. The order of map
/// entries may differ from the original where keys were removed.
bool revert(Value &value, const Delta &delta);
/// About how many bytes keeping the delta costs.
qint64 weight(const Delta &delta);

} // namespace terrarium::replay
