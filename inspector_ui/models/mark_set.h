#pragma once
// Which places of a state are marked as changed, and what was there. Made from a delta.

#include "value/delta.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace terrarium::ui {

struct Mark {
    enum Sign : quint8 { Added, Changed, Removed };
    Sign sign = Changed;
    Value old = Value::undefined(); ///< Changed and Removed: what was there
};

/// A place that is gone but still shown.
struct Ghost {
    Path::Step step; ///< key or index it had
    Value old;
    qsizetype before = 0; ///< shown before this child of a list; at the end of a map
};

class MarkSet final {
public:
    MarkSet() = default;
    /// `given` led to the state that is shown.
    explicit MarkSet(const Delta &given);

    bool isEmpty() const { return m_marks.isEmpty() && m_ghosts.isEmpty(); }
    const Mark *find(const Path &path) const;
    /// Something below the place changed.
    bool isParent(const Path &path) const { return m_parents.contains(path); }
    const QList<Ghost> *ghosts(const Path &parent) const;
    const QHash<Path, Mark> &marks() const { return m_marks; }
    const QSet<Path> &parents() const { return m_parents; }
    QList<Path> ghostParents() const { return m_ghosts.keys(); }
    /// All marked places in order, ghosts too, in the text form of Path.
    QStringList paths() const;

private:
    void addParents(const Path &path);

    QHash<Path, Mark> m_marks;
    QHash<Path, QList<Ghost>> m_ghosts;
    QSet<Path> m_parents;
};

/// The character that stands for a mark in accessible text: + ~ -
QString markSign(Mark::Sign sign);

} // namespace terrarium::ui
