#pragma once
// What changed between two values, as a list of operations by path. Pure functions.
//
// Properties (tested with random values): apply(a, diff(a, b)) == b; diff(a, a) is empty;
// apply(apply(a, d), invert(a, d)) == a; apply(a, merge(d1, d2)) == apply(apply(a, d1), d2).
// Array changes are found as one splice of the middle: common head and tail are kept, so an append is one
// Insert and removing the first twelve of a list is twelve Removes (which delta_summary counts as a range).

#include "value/path.h"

#include <terrarium/value.h>

#include <QList>

namespace terrarium {

struct DeltaOp {
    enum class Kind : quint8 {
        Set,    ///< replace what is there; at a key that is absent: add the key at the end of the map
        Insert, ///< into an array before the index
        Remove, ///< a key of a map, or an item of an array
    };

    DeltaOp() = default;
    DeltaOp(Kind kind, Path path, Value value = {}, Value old = Value::undefined())
        : kind(kind),
          path(std::move(path)),
          value(std::move(value)),
          old(std::move(old))
    {}

    Kind kind = Kind::Set;
    Path path;
    Value value; ///< Set and Insert: the new value
    Value old;   ///< Set and Remove: what was there; Undefined when a key was added

    bool isAdd() const noexcept { return kind == Kind::Insert || (kind == Kind::Set && old.isUndefined()); }

    friend bool operator==(const DeltaOp &a, const DeltaOp &b) noexcept
    {
        return a.kind == b.kind && a.path == b.path && a.value == b.value && a.old == b.old;
    }
};

using Delta = QList<DeltaOp>;

namespace delta {

/// Operations in an order in which apply() can take them one by one. Old values are filled in.
Delta diff(const Value &from, const Value &to);
/// Throws `value/delta_conflict` with metadata {path} when a place does not exist.
Value apply(const Value &base, const Delta &delta);
/// The delta that leads back from apply(base, delta) to base.
Delta invert(const Value &base, const Delta &delta);
/// One delta for two in a row: operations of `first`, then of `second`, with those that cancel or are
/// overwritten left out where that is safe.
Delta merge(const Delta &first, const Delta &second);

/// Wire form: list of {op: "set"|"insert"|"remove", path: [...], value?, old?}.
Value toValue(const Delta &delta);
/// Throws `value/invalid_delta`.
Delta fromValue(const Value &value);
/// Paths for people: the changed places without repeats, runs of neighbouring items as "messages[0..11]". When
/// there are more than `most`, the last text is "+3" for the rest; a negative `most` gives all.
QStringList summarizePaths(const Delta &delta, int most = 2);

} // namespace delta
} // namespace terrarium
