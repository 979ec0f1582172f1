#include "value/delta.h"

#include <terrarium/error.h>

#include <algorithm>

namespace terrarium::delta {

namespace {

using Kind = DeltaOp::Kind;

[[noreturn]] void deltaConflict(const Path &path, const QString &why)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("path"), path.toText());
    throw Error(QStringLiteral("value"), QStringLiteral("delta_conflict"),
                QStringLiteral("a change at \"%1\" cannot be made: %2").arg(path.toText(), why), std::move(metadata));
}

[[noreturn]] void deltaInvalid(qsizetype index, const QString &why)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("index"), qint64(index));
    throw Error(QStringLiteral("value"), QStringLiteral("invalid_delta"),
                QStringLiteral("operation %1 of a delta %2").arg(index).arg(why), std::move(metadata));
}

const qsizetype *deltaIndex(const Path &path)
{
    return path.isRoot() ? nullptr : std::get_if<qsizetype>(&path.steps().last());
}

/// Sets what is there. An old value that is itself Undefined takes two operations at a key, because a Set whose
/// old value is Undefined means that the key was added.
void deltaReplace(Delta &delta, const Path &path, const Value &value, const Value &old)
{
    if (old.isUndefined() && !path.isRoot() && !deltaIndex(path)) {
        delta.append(DeltaOp(Kind::Remove, path, Value(), old));
        delta.append(DeltaOp(Kind::Set, path, value));
    } else {
        delta.append(DeltaOp(Kind::Set, path, value, old));
    }
}

// ---- diff ------------------------------------------------------------------------------------------

/// Walks two values in step and writes down where they part.
class DeltaDiff final {
public:
    Delta take() { return std::move(m_delta); }

    void compare(const Value &from, const Value &to)
    {
        if (from.sharesWith(to))
            return;
        if (from.isMap() && to.isMap() && haveKeyInCommon(from, to))
            compareMaps(from, to);
        else if (from.isArray() && to.isArray())
            compareArrays(from.items(), to.items());
        else if (from != to)
            deltaReplace(m_delta, Path(m_steps), to, from);
    }

private:
    /// Two maps without a common key are two things rather than one that changed.
    static bool haveKeyInCommon(const Value &from, const Value &to)
    {
        if (from.size() == 0 || to.size() == 0)
            return true;
        return std::any_of(from.entries().begin(), from.entries().end(),
                           [&](const MapEntry &entry) { return to.contains(entry.first); });
    }

    void compareMaps(const Value &from, const Value &to)
    {
        const auto &before = from.entries();
        const auto &after = to.entries();
        for (std::size_t i = 0; i < before.size(); ++i) {
            const QString &key = before[i].first;
            const Value *now = i < after.size() && after[i].first == key ? &after[i].second : to.find(key);
            if (now && now->sharesWith(before[i].second))
                continue;
            m_steps.append(Path::Step(key));
            if (now)
                compare(before[i].second, *now);
            else
                m_delta.append(DeltaOp(Kind::Remove, Path(m_steps), Value(), before[i].second));
            m_steps.removeLast();
        }
        for (std::size_t i = 0; i < after.size(); ++i) {
            const QString &key = after[i].first;
            if ((i < before.size() && before[i].first == key) || from.contains(key))
                continue;
            m_delta.append(DeltaOp(Kind::Set, Path(m_steps).child(key), after[i].second));
        }
    }

    void compareArrays(const std::vector<Value> &from, const std::vector<Value> &to)
    {
        std::size_t head = 0;
        while (head < from.size() && head < to.size() && from[head] == to[head])
            ++head;
        std::size_t tail = 0;
        while (head + tail < from.size() && head + tail < to.size()
               && from[from.size() - 1 - tail] == to[to.size() - 1 - tail])
            ++tail;
        const std::size_t gone = from.size() - head - tail;
        const std::size_t come = to.size() - head - tail;
        // A bounded list that lost its oldest and got new ones: what stayed has moved up, or down.
        if (const std::size_t moved = overlap(from.data() + head, gone, to.data() + head, come)) {
            removeRange(from, head, head + moved);
            insertRange(to, head + gone - moved, head + come);
            return;
        }
        if (const std::size_t moved = overlap(to.data() + head, come, from.data() + head, gone)) {
            removeRange(from, head + come - moved, head + gone);
            insertRange(to, head, head + moved);
            return;
        }
        const std::size_t both = std::min(gone, come);
        for (std::size_t i = head; i < head + both; ++i) {
            m_steps.append(Path::Step(qsizetype(i)));
            compare(from[i], to[i]);
            m_steps.removeLast();
        }
        removeRange(from, head + both, head + gone);
        insertRange(to, head + both, head + come);
    }

    /// How many items to drop from the front of `a` so that the rest is the beginning of `b`; 0 when there is
    /// no such number, or less than half would stay.
    static std::size_t overlap(const Value *a, std::size_t sizeA, const Value *b, std::size_t sizeB)
    {
        std::size_t tries = 2 * sizeA; // comparisons beyond the first of each place
        for (std::size_t drop = sizeA > sizeB ? sizeA - sizeB : 1; drop * 2 <= sizeA; ++drop) {
            std::size_t same = 0;
            while (drop + same < sizeA && a[drop + same] == b[same]) {
                ++same;
                if (--tries == 0)
                    return 0;
            }
            if (drop + same == sizeA)
                return drop;
        }
        return 0;
    }

    void removeRange(const std::vector<Value> &from, std::size_t first, std::size_t end)
    {
        // From the back, so that each index is the one the item has on screen.
        for (std::size_t i = end; i > first; --i)
            m_delta.append(DeltaOp(Kind::Remove, Path(m_steps).child(qsizetype(i - 1)), Value(), from[i - 1]));
    }

    void insertRange(const std::vector<Value> &to, std::size_t first, std::size_t end)
    {
        for (std::size_t i = first; i < end; ++i)
            m_delta.append(DeltaOp(Kind::Insert, Path(m_steps).child(qsizetype(i)), to[i]));
    }

    QList<Path::Step> m_steps;
    Delta m_delta;
};

// ---- apply -----------------------------------------------------------------------------------------

/// The value that holds the last step of `path`, ready to be changed.
Value &deltaParent(Value &root, const Path &path)
{
    Value *at = &root;
    for (qsizetype i = 0; i + 1 < path.size(); ++i) {
        const Path::Step &step = path.steps()[i];
        if (const auto *index = std::get_if<qsizetype>(&step)) {
            if (!at->isArray() || *index < 0 || *index >= at->size())
                deltaConflict(path, QStringLiteral("item %1 on the way is not there").arg(*index));
            at = &at->mutableItem(*index);
        } else {
            const qsizetype place = at->indexOf(std::get<QString>(step));
            if (place < 0)
                deltaConflict(path, QStringLiteral("key \"%1\" on the way is not there").arg(std::get<QString>(step)));
            at = &at->mutableEntry(place);
        }
    }
    return *at;
}

void deltaApplyOne(Value &root, const DeltaOp &op)
{
    if (op.path.isRoot()) {
        if (op.kind != Kind::Set)
            deltaConflict(op.path, QStringLiteral("the whole value can only be set"));
        root = op.value;
        return;
    }
    Value &parent = deltaParent(root, op.path);
    if (const qsizetype *index = deltaIndex(op.path)) {
        if (!parent.isArray())
            deltaConflict(op.path, QStringLiteral("there is no list"));
        const qsizetype last = op.kind == Kind::Insert ? parent.size() : parent.size() - 1;
        if (*index < 0 || *index > last)
            deltaConflict(op.path, QStringLiteral("the list has %1 items").arg(parent.size()));
        if (op.kind == Kind::Set)
            parent.set(*index, op.value);
        else if (op.kind == Kind::Insert)
            parent.insert(*index, op.value);
        else
            parent.removeAt(*index);
        return;
    }
    const QString &key = std::get<QString>(op.path.steps().last());
    if (!parent.isMap())
        deltaConflict(op.path, QStringLiteral("there is no map"));
    if (op.kind == Kind::Set)
        parent.set(key, op.value);
    else if (op.kind == Kind::Insert)
        deltaConflict(op.path, QStringLiteral("a map has no place to insert at"));
    else if (!parent.remove(key))
        deltaConflict(op.path, QStringLiteral("the key is not there"));
}

/// Number of operations from `first` on that take out neighbouring items of one list, from the back.
qsizetype deltaRemovesInARow(const Delta &delta, qsizetype first)
{
    const qsizetype *start = deltaIndex(delta[first].path);
    if (!start || delta[first].kind != Kind::Remove)
        return 1;
    qsizetype count = 1;
    while (first + count < delta.size()) {
        const DeltaOp &op = delta[first + count];
        const qsizetype *index = deltaIndex(op.path);
        if (op.kind != Kind::Remove || !index || *index != *start - count
            || op.path.parent() != delta[first].path.parent())
            break;
        ++count;
    }
    return count;
}

// ---- merge -----------------------------------------------------------------------------------------

/// The operation that undoes `op` where nothing else is known than its own old value.
DeltaOp deltaUndo(const DeltaOp &op)
{
    switch (op.kind) {
    case Kind::Insert: return DeltaOp(Kind::Remove, op.path, Value(), op.value);
    case Kind::Remove:
        return deltaIndex(op.path) ? DeltaOp(Kind::Insert, op.path, op.old) : DeltaOp(Kind::Set, op.path, op.old);
    case Kind::Set: break;
    }
    if (op.old.isUndefined() && !op.path.isRoot() && !deltaIndex(op.path))
        return DeltaOp(Kind::Remove, op.path, Value(), op.value);
    return DeltaOp(Kind::Set, op.path, op.old, op.value);
}

/// `op`, seen from the value at `prefix`.
DeltaOp deltaBelow(const DeltaOp &op, const Path &prefix)
{
    return DeltaOp(op.kind, Path(op.path.steps().sliced(prefix.size())), op.value, op.old);
}

/// True when the order of the two does not matter: they touch different places and shift nothing of each other.
bool deltaCommute(const DeltaOp &a, const DeltaOp &b)
{
    if (a.path.startsWith(b.path) || b.path.startsWith(a.path))
        return false;
    const auto shifts = [](const DeltaOp &op) { return op.kind != Kind::Set && deltaIndex(op.path); };
    return !(shifts(a) && b.path.startsWith(a.path.parent())) && !(shifts(b) && a.path.startsWith(b.path.parent()));
}

/// Takes operations one by one and keeps the list short.
class DeltaMerge final {
public:
    explicit DeltaMerge(const Delta &first) : m_ops(first) {}

    Delta take() { return std::move(m_ops); }

    void add(DeltaOp op)
    {
        constexpr qsizetype farthest = 256; // so that merging long deltas stays linear

        for (qsizetype i = m_ops.size() - 1; i >= 0 && i >= m_ops.size() - farthest; --i) {
            const DeltaOp &earlier = m_ops[i];
            if (op.path == earlier.path) {
                if (joinSamePlace(i, op))
                    return;
                break;
            }
            if (op.path.startsWith(earlier.path) && earlier.kind != Kind::Remove) {
                deltaApplyOne(m_ops[i].value, deltaBelow(op, earlier.path));
                return dropWhenNothing(i);
            }
            if (earlier.path.startsWith(op.path) && op.kind != Kind::Insert) {
                // Overwritten. What was there before both is the old value of what stays.
                const DeltaOp undo = deltaUndo(deltaBelow(earlier, op.path));
                try {
                    deltaApplyOne(op.old, undo);
                } catch (const Error &) {
                    // A delta without old values: there is none to mend.
                }
                m_ops.removeAt(i);
                continue;
            }
            if (!deltaCommute(op, earlier))
                break;
        }
        m_ops.append(std::move(op));
    }

private:
    /// Makes one operation of the one at `i` and `op` on the same place, or none; false when it takes two.
    bool joinSamePlace(qsizetype i, const DeltaOp &op)
    {
        DeltaOp &earlier = m_ops[i];
        if (op.kind == Kind::Set && earlier.kind != Kind::Remove) {
            earlier.value = op.value;
            dropWhenNothing(i);
            return true;
        }
        if (op.kind == Kind::Set && !deltaIndex(op.path)
            && !earlier.old.isUndefined()) { // a key that was removed is back
            earlier = DeltaOp(Kind::Set, op.path, op.value, earlier.old);
            dropWhenNothing(i);
            return true;
        }
        if (op.kind == Kind::Remove && earlier.kind == Kind::Insert) {
            m_ops.removeAt(i);
            return true;
        }
        if (op.kind == Kind::Remove && earlier.kind == Kind::Set) {
            if (earlier.isAdd() && !deltaIndex(op.path))
                m_ops.removeAt(i);
            else
                earlier = DeltaOp(Kind::Remove, op.path, Value(), earlier.old);
            return true;
        }
        return false;
    }

    void dropWhenNothing(qsizetype i)
    {
        if (m_ops[i].kind == Kind::Set && !m_ops[i].isAdd() && m_ops[i].value == m_ops[i].old)
            m_ops.removeAt(i);
    }

    Delta m_ops;
};

QLatin1String deltaKindName(Kind kind)
{
    switch (kind) {
    case Kind::Set: return QLatin1String("set");
    case Kind::Insert: return QLatin1String("insert");
    case Kind::Remove: return QLatin1String("remove");
    }
    return QLatin1String();
}

} // namespace

Delta diff(const Value &from, const Value &to)
{
    DeltaDiff walk;
    walk.compare(from, to);
    return walk.take();
}

Value apply(const Value &base, const Delta &delta)
{
    Value result = base;
    for (qsizetype i = 0; i < delta.size();) {
        const qsizetype removes = deltaRemovesInARow(delta, i);
        if (removes == 1) {
            deltaApplyOne(result, delta[i++]);
            continue;
        }
        // In one go: a list that loses half of its items should not be moved once for each.
        Value &list = deltaParent(result, delta[i].path);
        const qsizetype last = *deltaIndex(delta[i].path);
        if (!list.isArray() || last >= list.size())
            deltaConflict(delta[i].path, QStringLiteral("the list has %1 items").arg(list.size()));
        list.removeRange(last - removes + 1, removes);
        i += removes;
    }
    return result;
}

Delta invert(const Value &base, const Delta &delta)
{
    Value now = base;
    Delta back; // last first
    back.reserve(delta.size());
    for (const DeltaOp &op : delta) {
        const Value *found = op.kind == Kind::Insert ? nullptr : op.path.find(now);
        const std::optional<Value> there = found ? std::optional<Value>(*found) : std::nullopt;
        deltaApplyOne(now, op); // throws when an item to set or to remove is not there
        if (!there) {
            back.append(DeltaOp(Kind::Remove, op.path, Value(), op.value));
        } else if (op.kind == Kind::Set) {
            Delta undo;
            deltaReplace(undo, op.path, *there, op.value);
            std::reverse(undo.begin(), undo.end());
            back.append(undo);
        } else {
            back.append(DeltaOp(deltaIndex(op.path) ? Kind::Insert : Kind::Set, op.path, *there));
        }
    }
    std::reverse(back.begin(), back.end());
    return back;
}

Delta merge(const Delta &first, const Delta &second)
{
    DeltaMerge merged(first);
    for (const DeltaOp &op : second)
        merged.add(op);
    return merged.take();
}

Value toValue(const Delta &delta)
{
    std::vector<Value> ops;
    ops.reserve(std::size_t(delta.size()));
    for (const DeltaOp &op : delta) {
        Value map = Value::map();
        map.set(QStringLiteral("op"), deltaKindName(op.kind));
        map.set(QStringLiteral("path"), op.path.toValue());
        if (op.kind != Kind::Remove)
            map.set(QStringLiteral("value"), op.value);
        if (op.kind != Kind::Insert && !op.old.isUndefined())
            map.set(QStringLiteral("old"), op.old);
        ops.push_back(std::move(map));
    }
    return Value::array(std::move(ops));
}

Delta fromValue(const Value &value)
{
    if (!value.isArray())
        deltaInvalid(0, QStringLiteral("is missing: a delta is a list"));
    Delta delta;
    delta.reserve(value.size());
    for (const Value &map : value.items()) {
        const qsizetype index = delta.size();
        DeltaOp op;
        const QStringView name = map["op"].textView();
        if (name == QLatin1String("set"))
            op.kind = Kind::Set;
        else if (name == QLatin1String("insert"))
            op.kind = Kind::Insert;
        else if (name == QLatin1String("remove"))
            op.kind = Kind::Remove;
        else
            deltaInvalid(index, QStringLiteral("has no known \"op\""));
        const std::optional<Path> path = Path::fromValue(map["path"]);
        if (!path)
            deltaInvalid(index, QStringLiteral("has no \"path\" of keys and indexes"));
        op.path = *path;
        const Value *content = map.find(u"value");
        if (op.kind != Kind::Remove && !content)
            deltaInvalid(index, QStringLiteral("has no \"value\""));
        if (op.kind != Kind::Remove)
            op.value = *content;
        op.old = map["old"];
        delta.append(std::move(op));
    }
    return delta;
}

QStringList summarizePaths(const Delta &delta, int most)
{
    struct Place {
        Path parent;
        qsizetype first = -1; ///< of a range of items; -1: `parent` is the place itself
        qsizetype last = -1;
    };
    QList<Place> places;
    for (const DeltaOp &op : delta) {
        const qsizetype *index = deltaIndex(op.path);
        if (!index) {
            const bool isKnown = std::any_of(places.cbegin(), places.cend(), [&](const Place &place) {
                return place.first < 0 && place.parent == op.path;
            });
            if (!isKnown)
                places.append(Place{op.path});
            continue;
        }
        const Path parent = op.path.parent();
        const auto neighbour = std::find_if(places.begin(), places.end(), [&](const Place &place) {
            return place.first >= 0 && *index >= place.first - 1 && *index <= place.last + 1 && place.parent == parent;
        });
        if (neighbour == places.end()) {
            places.append(Place{parent, *index, *index});
        } else {
            neighbour->first = std::min(neighbour->first, *index);
            neighbour->last = std::max(neighbour->last, *index);
        }
    }
    QStringList texts;
    for (const Place &place : places) {
        if (most >= 0 && texts.size() == most) {
            texts.append(QStringLiteral("+%1").arg(places.size() - most));
            break;
        }
        if (place.first < 0) {
            texts.append(place.parent.toText());
        } else if (place.first == place.last) {
            texts.append(place.parent.child(place.first).toText());
        } else {
            const QString list = place.parent.isRoot() ? QString() : place.parent.toText();
            texts.append(QStringLiteral("%1[%2..%3]").arg(list).arg(place.first).arg(place.last));
        }
    }
    return texts;
}

} // namespace terrarium::delta
