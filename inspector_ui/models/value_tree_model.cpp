#include "models/value_tree_model.h"

#include "models/format.h"
#include "models/value_text.h"
#include "value/cbor.h"
#include "value/json.h"
#include "widgets/cell.h"

#include <QHash>

#include <algorithm>

namespace terrarium::ui {

struct ValueTreeModel::Node {
    enum Kind : quint8 { Item, Bucket, Gone };

    Kind kind = Item;
    bool made = false; ///< children exist
    bool opened = false;
    int row = 0;
    Node *parent = nullptr;
    Path::Step step;
    Value value;         ///< of a bucket: the whole container
    qsizetype first = 0; ///< of a bucket
    qsizetype count = 0;
    qsizetype span = 0;
    mutable qint64 size = -1;
    mutable qint64 sizedAt = 0;
    mutable bool sizeStale = true;
    std::vector<std::unique_ptr<Node>> children;

    bool isContainer() const { return kind != Gone && (value.isArray() || value.isMap()); }
    bool hasChildren() const { return kind == Bucket || (isContainer() && value.size() > 0); }
};

struct ValueTreeModel::Spec {
    Node::Kind kind = Node::Item;
    Path::Step step;
    const Value *value = nullptr;
    qsizetype first = 0;
    qsizetype count = 0;
    qsizetype span = 0;
};

namespace {

bool sameContent(const Value &a, const Value &b)
{
    return a.sharesWith(b) || a == b;
}

/// How many children a bucket holds so that there are at most a hundred buckets.
qsizetype spanFor(qsizetype count)
{
    qsizetype span = ValueTreeModel::bucketSize;
    while (count > span * ValueTreeModel::bucketSize)
        span *= ValueTreeModel::bucketSize;
    return span;
}

bool matchesNeedle(const QString &text, const QString &needle)
{
    return text.contains(needle, Qt::CaseInsensitive);
}

bool isBelow(const Path &path, const Path &ancestor)
{
    return path.size() > ancestor.size() && path.startsWith(ancestor);
}

} // namespace

ValueTreeModel::ValueTreeModel(QObject *parent) : QAbstractItemModel(parent) {}
ValueTreeModel::~ValueTreeModel() = default;

void ValueTreeModel::resetState(const Value &value, const MarkSet &marks)
{
    beginResetModel();
    m_value = value;
    m_marks = marks;
    m_root.reset();
    if (!value.isUndefined()) {
        m_root = std::make_unique<Node>();
        m_root->value = value;
        m_root->step = QString();
    }
    endResetModel();
}

void ValueTreeModel::setState(const Value &value, const MarkSet &marks)
{
    if (!m_root || value.isUndefined()) {
        if (m_root || !value.isUndefined())
            resetState(value, marks);
        return;
    }
    const MarkSet before = m_marks;
    m_marks = marks;
    m_value = value;
    if (!m_root->value.sharesWith(value)) {
        m_root->value = value;
        m_root->sizeStale = true;
        if (m_root->made)
            reconcile(*m_root);
        Q_EMIT dataChanged(indexOfNode(m_root.get(), 0), indexOfNode(m_root.get(), ColumnCount - 1));
    }
    // Marks that came or went without the value changing: ghosts first, then the look of rows.
    QSet<Path> ghostParents;
    for (const Path &path : before.ghostParents())
        ghostParents.insert(path);
    for (const Path &path : marks.ghostParents())
        ghostParents.insert(path);
    for (const Path &path : std::as_const(ghostParents)) {
        if (Node *node = findMade(path); node && node->made)
            reconcile(*node);
    }
    QSet<Path> touched;
    for (const MarkSet *set : {&before, &marks}) {
        for (auto it = set->marks().keyBegin(); it != set->marks().keyEnd(); ++it)
            touched.insert(*it);
        touched.unite(set->parents());
    }
    if (touched.size() > 300) {
        // Too many places to name one by one: every row is looked at again, no row moves.
        Q_EMIT layoutAboutToBeChanged();
        Q_EMIT layoutChanged();
        return;
    }
    for (const Path &path : std::as_const(touched))
        touch(path);
}

void ValueTreeModel::touch(const Path &path)
{
    if (Node *node = findMade(path))
        Q_EMIT dataChanged(indexOfNode(node, 0), indexOfNode(node, ColumnCount - 1));
}

void ValueTreeModel::setChangeTimes(const ChangeIndex *index, qint64 now, qint64 otherwise)
{
    m_times = index;
    m_now = now;
    m_otherwise = otherwise;
}

std::vector<ValueTreeModel::Spec> ValueTreeModel::specs(const Node &node) const
{
    std::vector<Spec> out;
    if (node.kind == Node::Gone || !node.isContainer())
        return out;
    const Value &value = node.value;
    const qsizetype first = node.kind == Node::Bucket ? node.first : 0;
    const qsizetype count = node.kind == Node::Bucket ? node.count : value.size();
    if (count > bucketSize) {
        const qsizetype span = spanFor(count);
        for (qsizetype at = first; at < first + count; at += span) {
            Spec spec;
            spec.kind = Node::Bucket;
            spec.step = at;
            spec.value = &value;
            spec.first = at;
            spec.count = qMin(span, first + count - at);
            spec.span = span;
            out.push_back(spec);
        }
        return out;
    }
    const QList<Ghost> *ghosts = node.kind == Node::Item ? m_marks.ghosts(pathOf(node)) : nullptr;
    const auto addGhosts = [&](qsizetype before, bool rest) {
        if (!ghosts)
            return;
        for (const Ghost &ghost : *ghosts) {
            const bool here = value.isArray() ? (rest ? ghost.before >= before : ghost.before == before) : rest;
            if (!here)
                continue;
            Spec spec;
            spec.kind = Node::Gone;
            spec.step = ghost.step;
            spec.value = &ghost.old;
            out.push_back(spec);
        }
    };
    out.reserve(size_t(count) + size_t(ghosts ? ghosts->size() : 0));
    for (qsizetype i = first; i < first + count; ++i) {
        if (value.isArray())
            addGhosts(i, false);
        Spec spec;
        if (value.isArray()) {
            spec.step = i;
            spec.value = &value.items()[size_t(i)];
        } else {
            const MapEntry &entry = value.entries()[size_t(i)];
            spec.step = entry.first;
            spec.value = &entry.second;
        }
        out.push_back(spec);
    }
    addGhosts(first + count, true);
    return out;
}

std::unique_ptr<ValueTreeModel::Node> ValueTreeModel::makeNode(Node &parent, const Spec &spec) const
{
    auto node = std::make_unique<Node>();
    node->kind = spec.kind;
    node->parent = &parent;
    node->step = spec.step;
    node->value = *spec.value;
    node->first = spec.first;
    node->count = spec.count;
    node->span = spec.span;
    return node;
}

const std::vector<std::unique_ptr<ValueTreeModel::Node>> &ValueTreeModel::children(Node &node) const
{
    if (!node.made) {
        node.made = true;
        for (const Spec &spec : specs(node)) {
            node.children.push_back(makeNode(node, spec));
            node.children.back()->row = int(node.children.size()) - 1;
        }
    }
    return node.children;
}

bool ValueTreeModel::updateNode(Node &node, const Spec &spec)
{
    const bool moved = !(node.step == spec.step);
    const bool resized = node.count != spec.count;
    node.step = spec.step;
    node.first = spec.first;
    node.count = spec.count;
    node.span = spec.span;
    if (node.value.sharesWith(*spec.value))
        return moved || resized;
    const bool leaf = !node.isContainer() && !(spec.value->isArray() || spec.value->isMap());
    if (leaf && node.value == *spec.value)
        return moved;
    node.value = *spec.value;
    node.sizeStale = true;
    if (node.made)
        reconcile(node);
    return true;
}

void ValueTreeModel::reconcile(Node &node)
{
    std::vector<Spec> wanted = specs(node);
    std::vector<std::unique_ptr<Node>> &have = node.children;
    std::vector<int> match(wanted.size(), -1); // index in have

    const bool list = node.value.isArray();
    if (list && !wanted.empty() && wanted.front().kind != Node::Bucket
        && (have.empty() || have.front()->kind != Node::Bucket)) {
        // Items of a list: the common head and tail stay the same nodes, the middle is matched in pairs.
        std::vector<int> oldItems, newItems;
        for (size_t i = 0; i < have.size(); ++i)
            if (have[i]->kind == Node::Item)
                oldItems.push_back(int(i));
        for (size_t i = 0; i < wanted.size(); ++i)
            if (wanted[i].kind == Node::Item)
                newItems.push_back(int(i));
        const size_t common = qMin(oldItems.size(), newItems.size());
        const auto equal = [&](size_t o, size_t n) {
            return sameContent(have[size_t(oldItems[o])]->value, *wanted[size_t(newItems[n])].value);
        };
        size_t head = 0;
        while (head < common && equal(head, head))
            ++head;
        size_t tail = 0;
        while (tail < common - head && equal(oldItems.size() - 1 - tail, newItems.size() - 1 - tail))
            ++tail;
        const size_t middle = qMin(oldItems.size(), newItems.size()) - head - tail;
        for (size_t i = 0; i < head + middle; ++i)
            match[size_t(newItems[i])] = oldItems[i];
        for (size_t i = 0; i < tail; ++i)
            match[size_t(newItems[newItems.size() - 1 - i])] = oldItems[oldItems.size() - 1 - i];
    } else {
        QHash<QString, int> keys;
        QHash<qsizetype, int> buckets;
        for (size_t i = 0; i < have.size(); ++i) {
            if (have[i]->kind == Node::Bucket)
                buckets.insert(have[i]->first, int(i));
            else if (have[i]->kind == Node::Item)
                if (const auto *key = std::get_if<QString>(&have[i]->step))
                    keys.insert(*key, int(i));
        }
        int last = -1;
        for (size_t i = 0; i < wanted.size(); ++i) {
            int found = -1;
            if (wanted[i].kind == Node::Bucket) {
                found = buckets.value(wanted[i].first, -1);
                if (found >= 0 && have[size_t(found)]->span != wanted[i].span)
                    found = -1;
            } else if (wanted[i].kind == Node::Item) {
                if (const auto *key = std::get_if<QString>(&wanted[i].step))
                    found = keys.value(*key, -1);
            }
            if (found > last) {
                match[i] = found;
                last = found;
            }
        }
    }
    // Ghosts stay when the same one is wanted and it lies between the same neighbours.
    {
        int last = -1;
        for (size_t i = 0; i < wanted.size(); ++i) {
            if (match[i] >= 0) {
                last = match[i];
                continue;
            }
            if (wanted[i].kind != Node::Gone)
                continue;
            for (size_t o = size_t(last + 1); o < have.size() && have[o]->kind == Node::Gone; ++o) {
                if (have[o]->step == wanted[i].step && sameContent(have[o]->value, *wanted[i].value)) {
                    match[i] = int(o);
                    last = int(o);
                    break;
                }
            }
        }
    }

    const QModelIndex self = indexOfNode(&node);
    // Removes, from the end, in runs.
    std::vector<bool> kept(have.size(), false);
    for (int m : match)
        if (m >= 0)
            kept[size_t(m)] = true;
    const auto renumber = [&have](size_t from) {
        for (size_t i = from; i < have.size(); ++i)
            have[i]->row = int(i);
    };
    for (int end = int(have.size()) - 1; end >= 0;) {
        if (kept[size_t(end)]) {
            --end;
            continue;
        }
        int start = end;
        while (start > 0 && !kept[size_t(start - 1)])
            --start;
        beginRemoveRows(self, start, end);
        have.erase(have.begin() + start, have.begin() + end + 1);
        renumber(size_t(start));
        endRemoveRows();
        end = start - 1;
    }
    // What is left stands in the wanted order: update it, insert the rest in runs.
    int changedFirst = -1;
    int changedLast = -1;
    for (size_t i = 0; i < wanted.size();) {
        if (match[i] >= 0) {
            ++i;
            continue;
        }
        size_t end = i;
        while (end + 1 < wanted.size() && match[end + 1] < 0)
            ++end;
        beginInsertRows(self, int(i), int(end));
        std::vector<std::unique_ptr<Node>> fresh;
        for (size_t k = i; k <= end; ++k)
            fresh.push_back(makeNode(node, wanted[k]));
        have.insert(have.begin() + qsizetype(i), std::make_move_iterator(fresh.begin()),
                    std::make_move_iterator(fresh.end()));
        renumber(i);
        endInsertRows();
        i = end + 1;
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
        if (match[i] < 0)
            continue;
        if (updateNode(*have[i], wanted[i])) {
            if (changedFirst < 0)
                changedFirst = int(i);
            changedLast = int(i);
        }
    }
    if (changedFirst >= 0)
        Q_EMIT dataChanged(indexOfNode(have[size_t(changedFirst)].get(), 0),
                           indexOfNode(have[size_t(changedLast)].get(), ColumnCount - 1));
    if (have.empty() && !node.hasChildren())
        node.made = false;
}

ValueTreeModel::Node *ValueTreeModel::nodeOf(const QModelIndex &index) const
{
    return static_cast<Node *>(index.internalPointer());
}

QModelIndex ValueTreeModel::indexOfNode(const Node *node, int column) const
{
    if (!node)
        return {};
    return createIndex(node->row, column, const_cast<Node *>(node));
}

ValueTreeModel::Node *ValueTreeModel::findMade(const Path &path) const
{
    Node *node = m_root.get();
    for (const Path::Step &step : path.steps()) {
        if (!node)
            return nullptr;
        // Down through buckets to the child with this step.
        qsizetype position = -1;
        if (const auto *key = std::get_if<QString>(&step))
            position = node->value.indexOf(*key);
        else
            position = std::get<qsizetype>(step);
        if (position < 0 || !node->isContainer() || position >= node->value.size())
            return nullptr;
        for (;;) {
            if (!node->made || node->children.empty())
                return nullptr;
            if (node->children.front()->kind == Node::Bucket) {
                const qsizetype base = node->kind == Node::Bucket ? node->first : 0;
                const qsizetype at = (position - base) / node->children.front()->span;
                if (at < 0 || at >= qsizetype(node->children.size()))
                    return nullptr;
                node = node->children[size_t(at)].get();
                continue;
            }
            const qsizetype base = node->kind == Node::Bucket ? node->first : 0;
            const auto it = std::find_if(
                node->children.begin() + qMin(position - base, qsizetype(node->children.size())), node->children.end(),
                [&](const auto &c) { return c->kind == Node::Item && c->step == step; });
            if (it == node->children.end())
                return nullptr;
            node = it->get();
            break;
        }
    }
    return node;
}

QModelIndex ValueTreeModel::indexOf(const Path &path) const
{
    if (!m_root || !path.find(m_value))
        return {};
    Node *node = m_root.get();
    for (const Path::Step &step : path.steps()) {
        qsizetype position = -1;
        if (const auto *key = std::get_if<QString>(&step))
            position = node->value.indexOf(*key);
        else
            position = std::get<qsizetype>(step);
        for (;;) {
            const auto &kids = children(*node);
            const qsizetype base = node->kind == Node::Bucket ? node->first : 0;
            if (!kids.empty() && kids.front()->kind == Node::Bucket) {
                node = kids[size_t((position - base) / kids.front()->span)].get();
                continue;
            }
            const auto it = std::find_if(kids.begin(), kids.end(),
                                         [&](const auto &c) { return c->kind == Node::Item && c->step == step; });
            if (it == kids.end())
                return {};
            node = it->get();
            break;
        }
    }
    return indexOfNode(node);
}

Path ValueTreeModel::pathOf(const Node &node) const
{
    QList<Path::Step> steps;
    for (const Node *n = &node; n->parent; n = n->parent)
        if (n->kind != Node::Bucket)
            steps.prepend(n->step);
    return Path(steps);
}

Path ValueTreeModel::pathOf(const QModelIndex &index) const
{
    return index.isValid() ? pathOf(*nodeOf(index)) : Path();
}

Value ValueTreeModel::valueOf(const QModelIndex &index) const
{
    if (!index.isValid() || nodeOf(index)->kind == Node::Bucket)
        return Value::undefined();
    return nodeOf(index)->value;
}

bool ValueTreeModel::isGhost(const QModelIndex &index) const
{
    return index.isValid() && nodeOf(index)->kind == Node::Gone;
}

bool ValueTreeModel::isBucket(const QModelIndex &index) const
{
    return index.isValid() && nodeOf(index)->kind == Node::Bucket;
}

void ValueTreeModel::setOpened(const QModelIndex &index, bool opened)
{
    if (!index.isValid() || nodeOf(index)->opened == opened)
        return;
    nodeOf(index)->opened = opened;
    const QModelIndex cell = index.siblingAtColumn(ValueColumn);
    Q_EMIT dataChanged(cell, cell);
}

void ValueTreeModel::setStarred(const QSet<Path> &paths)
{
    const QSet<Path> before = std::exchange(m_starred, paths);
    for (const Path &path : before)
        if (!m_starred.contains(path))
            touch(path);
    for (const Path &path : std::as_const(m_starred))
        if (!before.contains(path))
            touch(path);
}

std::optional<Path> ValueTreeModel::findNext(const QString &needle, const Path &from, bool backwards) const
{
    if (needle.isEmpty() || !m_root)
        return std::nullopt;
    // One walk in tree order; the first and the last hit before `from`, the first after it.
    std::optional<Path> first, before, after, last;
    bool passed = false;
    QList<Path::Step> steps;
    const std::function<bool(const Value &, const QString &)> walk = [&](const Value &value, const QString &name) {
        const Path here(steps);
        const bool isFrom = here == from;
        bool hit = matchesNeedle(name, needle);
        if (!hit && !value.isArray() && !value.isMap())
            hit = matchesNeedle(value.isText() ? value.toText() : value_text::oneLine(value), needle);
        if (!hit && needle.contains(QLatin1Char('.')) && !steps.isEmpty())
            hit = matchesNeedle(here.toText(), needle) && !matchesNeedle(here.parent().toText(), needle);
        if (isFrom)
            passed = true;
        if (hit) {
            if (!first)
                first = here;
            if (!passed)
                before = here;
            else if (!isFrom && !after)
                after = here;
            last = here;
        }
        if (!backwards && after)
            return false;
        if (value.isArray()) {
            for (qsizetype i = 0; i < value.size(); ++i) {
                steps.append(i);
                const bool goOn = walk(value.items()[size_t(i)], QString());
                steps.removeLast();
                if (!goOn)
                    return false;
            }
        } else {
            for (const auto &[key, item] : value.entries()) {
                steps.append(key);
                const bool goOn = walk(item, key);
                steps.removeLast();
                if (!goOn)
                    return false;
            }
        }
        return true;
    };
    walk(m_value, QString());
    if (backwards)
        return before ? before : last;
    return after ? after : first;
}

QModelIndex ValueTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || column < 0 || column >= ColumnCount)
        return {};
    if (!parent.isValid())
        return m_root && row == 0 ? createIndex(0, column, m_root.get()) : QModelIndex();
    if (parent.column() != 0)
        return {};
    const auto &kids = children(*nodeOf(parent));
    return size_t(row) < kids.size() ? createIndex(row, column, kids[size_t(row)].get()) : QModelIndex();
}

QModelIndex ValueTreeModel::parent(const QModelIndex &index) const
{
    return index.isValid() ? indexOfNode(nodeOf(index)->parent) : QModelIndex();
}

int ValueTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return m_root ? 1 : 0;
    return parent.column() == 0 ? int(children(*nodeOf(parent)).size()) : 0;
}

int ValueTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

bool ValueTreeModel::hasChildren(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return m_root != nullptr;
    if (parent.column() != 0)
        return false;
    const Node &node = *nodeOf(parent);
    return node.made ? !node.children.empty()
                     : node.hasChildren() || (node.isContainer() && m_marks.ghosts(pathOf(node)) != nullptr);
}

const Mark *ValueTreeModel::markOf(const Node &node) const
{
    return node.kind == Node::Item && !m_marks.isEmpty() ? m_marks.find(pathOf(node)) : nullptr;
}

QString ValueTreeModel::label(const Node &node) const
{
    if (!node.parent)
        return QStringLiteral("$");
    if (node.kind == Node::Bucket)
        return QStringLiteral("[%1..%2]").arg(node.first).arg(node.first + node.count - 1);
    if (const auto *key = std::get_if<QString>(&node.step)) {
        if (key->isEmpty())
            return QStringLiteral("\"\"");
        QString text = value_text::quoted(*key, 200);
        return text.mid(1, text.size() - 2);
    }
    return QStringLiteral("[%1]").arg(std::get<qsizetype>(node.step));
}

qint64 ValueTreeModel::sizeOf(const Node &node) const
{
    if (!node.parent && m_rootSize >= 0)
        return m_rootSize;
    // What is large and changes all the time is measured once a second.
    const bool wait = node.size > 32 * 1024 && m_now - node.sizedAt < 1000 && m_now >= node.sizedAt;
    if (node.size < 0 || (node.sizeStale && !wait)) {
        node.size = cbor::encodedSize(node.value);
        node.sizedAt = m_now;
        node.sizeStale = false;
    }
    return node.size;
}

QVariant ValueTreeModel::cell(const Node &node, int column) const
{
    const bool gone = node.kind == Node::Gone;
    const Mark *mark = markOf(node);
    const auto dataCell = [](const Run &run) { return QVariant::fromValue(Cell(run)); };
    switch (column) {
    case PathColumn: {
        QList<Run> runs;
        if (node.kind == Node::Item && m_starred.contains(pathOf(node)))
            runs.append(Run::withIcon(QStringLiteral("star-on"), ColorRole::Warn, 14));
        const bool quiet = node.kind == Node::Bucket || !node.parent;
        Run name(label(node), quiet ? ColorRole::Muted : ColorRole::Text, FontRole::Data);
        name.strike(gone);
        if (!runs.isEmpty())
            name.after(6);
        runs.append(name);
        return QVariant::fromValue(Cell(runs));
    }
    case ValueColumn: {
        if (node.kind == Node::Bucket)
            return dataCell(Run(tr("%n values", nullptr, int(node.count)), ColorRole::Muted, FontRole::Secondary));
        const value_text::Look look = value_text::look(node.value);
        Run value(node.opened && !gone ? value_text::opened(node.value) : value_text::closed(node.value));
        switch (look) {
        case value_text::Look::Text: value.color = ColorRole::ValueText; break;
        case value_text::Look::Number: value.color = ColorRole::ValueNumber; break;
        case value_text::Look::Keyword: value.color = ColorRole::ValueKeyword; break;
        case value_text::Look::Container: value.color = ColorRole::Muted; break;
        }
        value.font = FontRole::Data;
        if (gone) {
            value.color = ColorRole::Muted;
            value.strike();
            return dataCell(value);
        }
        QList<Run> runs;
        if (mark && mark->sign == Mark::Changed && look != value_text::Look::Container)
            value.font = FontRole::DataStrong;
        runs.append(value);
        if (mark && mark->sign == Mark::Changed) {
            Run was(tr("was"), ColorRole::Muted, FontRole::Secondary);
            was.after(14);
            runs.append(was);
            Run old(value_text::closed(mark->old), ColorRole::Muted, FontRole::DataSmall);
            old.after(4);
            runs.append(old);
        }
        return QVariant::fromValue(Cell(runs));
    }
    case TypeColumn:
        if (node.kind == Node::Bucket)
            return {};
        return dataCell(Run(value_text::typeName(node.value), ColorRole::Muted, FontRole::Secondary));
    case SizeColumn: {
        if (node.kind != Node::Item)
            return {};
        return QVariant::fromValue(
            Cell(Run(format::bytesShort(sizeOf(node)), ColorRole::Muted, FontRole::DataSmall), Qt::AlignRight));
    }
    case ChangedColumn: {
        if (node.kind == Node::Bucket || !m_times)
            return {};
        qint64 at = m_times->changedAt(gone ? pathOf(*node.parent) : pathOf(node));
        if (at == 0)
            at = m_otherwise;
        if (at == 0)
            return {};
        return QVariant::fromValue(
            Cell(Run(format::age(qMax<qint64>(0, m_now - at)), ColorRole::Muted, FontRole::Secondary), Qt::AlignRight));
    }
    case GutterColumn: return QVariant::fromValue(Cell());
    default: return {};
    }
}

QVariant ValueTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Node &node = *nodeOf(index);
    const auto gutter = [&] {
        if (node.kind == Node::Gone)
            return Gutter::Removed;
        if (m_marks.isEmpty())
            return Gutter::None;
        if (node.kind == Node::Bucket) {
            const Path owner = pathOf(node);
            if (!m_marks.isParent(owner))
                return Gutter::None;
            const auto inside = [&](const Path &path) {
                if (!isBelow(path, owner))
                    return false;
                const Path::Step &step = path.steps().at(owner.size());
                const auto *key = std::get_if<QString>(&step);
                const qsizetype at = key ? node.value.indexOf(*key) : std::get<qsizetype>(step);
                return at >= node.first && at < node.first + node.count;
            };
            for (auto it = m_marks.marks().keyBegin(); it != m_marks.marks().keyEnd(); ++it)
                if (inside(*it))
                    return Gutter::ChildChanged;
            return Gutter::None;
        }
        const Path path = pathOf(node);
        if (const Mark *mark = m_marks.find(path))
            return mark->sign == Mark::Added ? Gutter::Added : Gutter::Changed;
        return node.parent && m_marks.isParent(path) ? Gutter::ChildChanged : Gutter::None;
    };
    switch (role) {
    case CellRole: return cell(node, index.column());
    case Qt::DisplayRole: {
        if (index.column() == GutterColumn) {
            switch (gutter()) {
            case Gutter::Added: return QStringLiteral("+");
            case Gutter::Changed: return QStringLiteral("~");
            case Gutter::Removed: return QStringLiteral("-");
            default: return QString();
            }
        }
        const QVariant value = cell(node, index.column());
        return value.isValid() ? value.value<Cell>().plainText() : QString();
    }
    case Qt::AccessibleTextRole: {
        if (index.column() == GutterColumn) {
            switch (gutter()) {
            case Gutter::Added: return tr("+ added");
            case Gutter::Changed: return tr("~ changed");
            case Gutter::Removed: return tr("- removed");
            case Gutter::ChildChanged: return tr("something inside changed");
            case Gutter::None: return QString();
            }
        }
        return {};
    }
    case PathRole: {
        if (node.kind == Node::Gone) {
            const Path parent = pathOf(*node.parent);
            const auto *key = std::get_if<QString>(&node.step);
            return (key ? parent.child(*key) : parent.child(std::get<qsizetype>(node.step))).toText();
        }
        return pathOf(node).toText();
    }
    case GutterRole: return index.column() == GutterColumn ? QVariant(int(gutter())) : QVariant();
    case OldValueRole: {
        if (node.kind == Node::Gone)
            return value_text::oneLine(node.value);
        const Mark *mark = markOf(node);
        return mark && mark->sign == Mark::Changed ? QVariant(value_text::oneLine(mark->old)) : QVariant();
    }
    case NewValueRole: return node.kind == Node::Item ? QVariant(value_text::oneLine(node.value)) : QVariant();
    case RowLookRole: {
        RowLook look;
        switch (gutter()) {
        case Gutter::Added: look.tint = ColorRole::AddedRow; break;
        case Gutter::Changed: look.tint = ColorRole::ChangedRow; break;
        case Gutter::Removed: look.tint = ColorRole::RemovedRow; break;
        default: break;
        }
        return QVariant::fromValue(look);
    }
    case RowKindRole: return int(RowKind::Row);
    case JsonRole: return node.kind == Node::Bucket ? QVariant() : QVariant(QString::fromUtf8(json::write(node.value)));
    default: return {};
    }
}

QVariant ValueTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(section >= SizeColumn ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && section == GutterColumn)
        return tr("Mark");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case PathColumn: return tr("Path");
    case GutterColumn: return QString();
    case ValueColumn: return tr("Value");
    case TypeColumn: return tr("Type");
    case SizeColumn: return tr("Size");
    case ChangedColumn: return tr("Changed");
    default: return {};
    }
}

} // namespace terrarium::ui
