#include "client/replay.h"

#include "value/cbor.h"

namespace terrarium::replay {

namespace {

using ReplayStep = Path::Step;

/// The container that holds the last step's place, or nullptr.
Value *replayParent(Value &root, const Path &path)
{
    Value *at = &root;
    const QList<ReplayStep> &steps = path.steps();
    for (qsizetype i = 0; i + 1 < steps.size(); ++i) {
        const ReplayStep &step = steps[i];
        if (const auto *key = std::get_if<QString>(&step)) {
            if (!at->isMap())
                return nullptr;
            const qsizetype index = at->indexOf(*key);
            if (index < 0)
                return nullptr;
            at = &at->mutableEntry(index);
        } else {
            const qsizetype index = std::get<qsizetype>(step);
            if (!at->isArray() || index < 0 || index >= at->size())
                return nullptr;
            at = &at->mutableItem(index);
        }
    }
    return at;
}

bool replaySet(Value &root, const Path &path, const Value &value)
{
    if (path.isRoot()) {
        root = value;
        return true;
    }
    Value *parent = replayParent(root, path);
    if (!parent)
        return false;
    const ReplayStep &last = path.steps().last();
    if (const auto *key = std::get_if<QString>(&last)) {
        if (!parent->isMap())
            return false;
        parent->set(*key, value);
        return true;
    }
    const qsizetype index = std::get<qsizetype>(last);
    if (!parent->isArray() || index < 0 || index >= parent->size())
        return false;
    parent->set(index, value);
    return true;
}

bool replayInsert(Value &root, const Path &path, const Value &value)
{
    if (path.isRoot())
        return false;
    Value *parent = replayParent(root, path);
    const auto *index = std::get_if<qsizetype>(&path.steps().last());
    if (!parent || !index || !parent->isArray() || *index < 0 || *index > parent->size())
        return false;
    parent->insert(*index, value);
    return true;
}

bool replayRemove(Value &root, const Path &path)
{
    if (path.isRoot()) {
        root = Value::undefined();
        return true;
    }
    Value *parent = replayParent(root, path);
    if (!parent)
        return false;
    const ReplayStep &last = path.steps().last();
    if (const auto *key = std::get_if<QString>(&last))
        return parent->isMap() && parent->remove(*key);
    const qsizetype index = std::get<qsizetype>(last);
    if (!parent->isArray() || index < 0 || index >= parent->size())
        return false;
    parent->removeAt(index);
    return true;
}

} // namespace

bool apply(Value &value, const Delta &delta)
{
    for (const DeltaOp &op : delta) {
        bool isDone = false;
        switch (op.kind) {
        case DeltaOp::Kind::Set: isDone = replaySet(value, op.path, op.value); break;
        case DeltaOp::Kind::Insert: isDone = replayInsert(value, op.path, op.value); break;
        case DeltaOp::Kind::Remove: isDone = replayRemove(value, op.path); break;
        }
        if (!isDone)
            return false;
    }
    return true;
}

bool revert(Value &value, const Delta &delta)
{
    for (auto it = delta.crbegin(); it != delta.crend(); ++it) {
        const DeltaOp &op = *it;
        bool isDone = false;
        switch (op.kind) {
        case DeltaOp::Kind::Set:
            isDone = op.old.isUndefined() ? replayRemove(value, op.path) : replaySet(value, op.path, op.old);
            break;
        case DeltaOp::Kind::Insert: isDone = replayRemove(value, op.path); break;
        case DeltaOp::Kind::Remove:
            if (!op.path.isRoot() && std::holds_alternative<qsizetype>(op.path.steps().last()))
                isDone = replayInsert(value, op.path, op.old);
            else
                isDone = replaySet(value, op.path, op.old);
            break;
        }
        if (!isDone)
            return false;
    }
    return true;
}

qint64 weight(const Delta &delta)
{
    qint64 bytes = 96;
    for (const DeltaOp &op : delta)
        bytes += 96 + 40 * op.path.size() + cbor::encodedSize(op.value) + cbor::encodedSize(op.old);
    return bytes;
}

} // namespace terrarium::replay
