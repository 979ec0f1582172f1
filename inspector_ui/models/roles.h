#pragma once
// What models tell beyond text. Tests read the same roles that painting does.

#include <Qt>

namespace terrarium::ui {

enum Role : int {
    PathRole = Qt::UserRole + 1, ///< text of the path in the state
    OldValueRole,                ///< text of the value before
    NewValueRole,
    GutterRole,  ///< Gutter as int
    StatusRole,  ///< "running", "ok", "failed": names as on the wire
    CauseRole,   ///< "action:move"
    SeqRole,     ///< quint64, number of the delta
    TimeRole,    ///< qint64, wall ms of the host
    ReasonRole,  ///< reason of a transition, gap or missing value, as on the wire
    LinkRole,    ///< where Enter leads: "delta:1284", see PageContext
    RowKindRole, ///< RowKind as int
    CellRole,    ///< Cell (widgets/cell.h): how to paint it
    RowLookRole, ///< RowLook (widgets/cell.h), asked of column 0
    ActorIdRole,
    HostRole, ///< int, index of the host in HostLinks
    KindRole, ///< kind of a blocker, cause or record, as on the wire
    LabelRole,
    CountRole,
    OnRole,   ///< bool: counts right now
    JsonRole, ///< QString: the row or value as JSON, for copying
    SortRole,
    FirstFreeRole = Qt::UserRole + 100
};

/// Mark in front of a value.
enum class Gutter : int { None, Added, Changed, Removed, ChildChanged };

enum class RowKind : int { Row, Gap, Divider, Loading };

} // namespace terrarium::ui
