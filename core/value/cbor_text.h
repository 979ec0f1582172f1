#pragma once
// CBOR diagnostic notation (RFC 8949, section 8), for people to read and copy.

#include <terrarium/value.h>

#include <QString>

namespace terrarium::cbor {

/// One line when `indent` is 0, else one entry a line indented by that many spaces a level.
/// Bytes as h'..', undefined, NaN, Infinity, tags as 1(...).
QString diagnostic(const Value &value, int indent = 0);

} // namespace terrarium::cbor
