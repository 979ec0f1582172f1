#include "models/mark_set.h"

#include <algorithm>

namespace terrarium::ui {

namespace {
constexpr int mostMarks = 5000;
constexpr int mostGhostsPerParent = 100;
} // namespace

MarkSet::MarkSet(const Delta &given)
{
    // A container replaced by one of its kind is marked where it differs, not as a whole.
    Delta finer;
    for (const DeltaOp &op : given) {
        if (finer.size() > mostMarks)
            break;
        const bool same = op.kind == DeltaOp::Kind::Set
                          && ((op.old.isMap() && op.value.isMap()) || (op.old.isArray() && op.value.isArray()));
        if (!same) {
            finer.append(op);
            continue;
        }
        for (DeltaOp inner : delta::diff(op.old, op.value)) {
            inner.path = Path(op.path.steps() + inner.path.steps());
            finer.append(inner);
        }
    }
    for (const DeltaOp &op : std::as_const(finer)) {
        if (m_marks.size() > mostMarks)
            break;
        const Path parent = op.path.parent();
        switch (op.kind) {
        case DeltaOp::Kind::Set:
            if (const auto known = m_marks.find(op.path); known != m_marks.end()) {
                // Twice in one delta: what was there first is what people compare with.
                if (known->sign == Mark::Changed && known->old == op.value)
                    m_marks.erase(known);
                break;
            }
            if (op.old.isUndefined() && !op.path.isRoot()) {
                // Taken away and put back within the delta: a change, not an addition.
                auto ghosts = m_ghosts.find(parent);
                if (ghosts != m_ghosts.end()) {
                    const auto ghost = std::find_if(ghosts->begin(), ghosts->end(), [&](const Ghost &g) {
                        return g.step == op.path.steps().constLast();
                    });
                    if (ghost != ghosts->end()) {
                        m_marks.insert(op.path, Mark{Mark::Changed, ghost->old});
                        ghosts->erase(ghost);
                        if (ghosts->isEmpty())
                            m_ghosts.erase(ghosts);
                        break;
                    }
                }
                m_marks.insert(op.path, Mark{Mark::Added, Value::undefined()});
            } else {
                m_marks.insert(op.path, Mark{Mark::Changed, op.old});
            }
            addParents(op.path);
            break;
        case DeltaOp::Kind::Insert:
            m_marks.insert(op.path, Mark{Mark::Added, Value::undefined()});
            addParents(op.path);
            break;
        case DeltaOp::Kind::Remove: {
            const auto known = m_marks.constFind(op.path);
            const bool wasAdded = known != m_marks.constEnd() && known->sign == Mark::Added;
            m_marks.remove(op.path);
            addParents(op.path);
            if (wasAdded || op.path.isRoot())
                break;
            QList<Ghost> &ghosts = m_ghosts[parent];
            if (ghosts.size() >= mostGhostsPerParent)
                break;
            Ghost ghost;
            ghost.step = op.path.steps().constLast();
            ghost.old = op.old;
            if (const auto *index = std::get_if<qsizetype>(&ghost.step)) {
                // A run of removals at one index was a run of neighbours before.
                ghost.before = *index;
                qsizetype same = 0;
                for (const Ghost &other : ghosts)
                    same += other.before == ghost.before;
                ghost.step = *index + same;
            }
            ghosts.append(ghost);
            break;
        }
        }
    }
}

void MarkSet::addParents(const Path &path)
{
    for (Path p = path; !p.isRoot();) {
        p = p.parent();
        if (m_parents.contains(p))
            break;
        m_parents.insert(p);
    }
}

const Mark *MarkSet::find(const Path &path) const
{
    const auto it = m_marks.constFind(path);
    return it == m_marks.constEnd() ? nullptr : &*it;
}

const QList<Ghost> *MarkSet::ghosts(const Path &parent) const
{
    const auto it = m_ghosts.constFind(parent);
    return it == m_ghosts.constEnd() ? nullptr : &*it;
}

QStringList MarkSet::paths() const
{
    QStringList out;
    for (auto it = m_marks.constBegin(); it != m_marks.constEnd(); ++it)
        out.append(it.key().toText());
    for (auto it = m_ghosts.constBegin(); it != m_ghosts.constEnd(); ++it) {
        for (const Ghost &ghost : *it) {
            if (const auto *key = std::get_if<QString>(&ghost.step))
                out.append(it.key().child(*key).toText());
            else
                out.append(it.key().child(std::get<qsizetype>(ghost.step)).toText());
        }
    }
    out.sort();
    return out;
}

QString markSign(Mark::Sign sign)
{
    switch (sign) {
    case Mark::Added: return QStringLiteral("+");
    case Mark::Changed: return QStringLiteral("~");
    case Mark::Removed: return QStringLiteral("-");
    }
    return {};
}

} // namespace terrarium::ui
