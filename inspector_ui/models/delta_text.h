#pragma once
// A delta in one line: where, and what became of it.

#include "value/delta.h"

#include <QString>
#include <QStringList>

namespace terrarium::ui {

struct DeltaText {
    QString paths; ///< "members.linus.cursor.x", "title, members.mei +3"
    QString from;  ///< one change: what was there; else empty
    QString to;    ///< one change: what is there now; else empty
    QString words; ///< otherwise: "added", "12 removed", "3 changed, 1 added"

    static DeltaText of(const Delta &delta);
    /// "112 -> 118" with an arrow, or the words.
    QString change() const;
};

/// For the clipboard: one line per operation, "~ path: old -> new".
QString readableDiff(const Delta &delta);
/// Does the delta change this place, something in it, or something it is in?
bool touches(const Delta &delta, const Path &path);

} // namespace terrarium::ui
