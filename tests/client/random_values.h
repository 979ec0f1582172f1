#pragma once
// Random values and random changes of them, from a seed.

#include "value/delta.h"

#include <random>

namespace terrarium::testing {

inline Value randomValue(std::mt19937_64 &random, int depth = 3)
{
    switch (random() % (depth > 0 ? 8 : 5)) {
    case 0: return Value(qint64(random()));
    case 1: return Value(QString::number(random() % 1000));
    case 2: return Value(random() % 2 == 0);
    case 3: return Value();
    case 4: return Value(double(random() % 1000) / 8.0);
    case 5: {
        std::vector<Value> items;
        for (quint64 i = random() % 6; i > 0; --i)
            items.push_back(randomValue(random, depth - 1));
        return Value::array(std::move(items));
    }
    default: {
        Value map = Value::map();
        for (quint64 i = random() % 6; i > 0; --i)
            map.set(QString(QChar(ushort('a' + random() % 8))), randomValue(random, depth - 1));
        return map;
    }
    }
}

/// One operation that fits `state`, with its old value.
inline DeltaOp randomOp(std::mt19937_64 &random, const Value &state)
{
    Path path;
    const Value *at = &state;
    while (at->size() > 0 && random() % 4 != 0) {
        const qsizetype index = qsizetype(random() % quint64(at->size()));
        if (at->isMap()) {
            const QString key = at->entries()[size_t(index)].first;
            path = path.child(key);
            at = at->find(key);
        } else {
            path = path.child(index);
            at = &at->at(index);
        }
        if (!at->isMap() && !at->isArray())
            break;
    }
    if (at->isMap() && random() % 2 == 0) {
        const QString key = QStringLiteral("new%1").arg(random() % 20);
        const Value *old = at->find(key);
        return DeltaOp(DeltaOp::Kind::Set, path.child(key), randomValue(random, 1), old ? *old : Value::undefined());
    }
    if (at->isArray() && random() % 2 == 0)
        return DeltaOp(DeltaOp::Kind::Insert, path.child(qsizetype(random() % quint64(at->size() + 1))),
                       randomValue(random, 1));
    if (!path.isRoot() && random() % 3 == 0)
        return DeltaOp(DeltaOp::Kind::Remove, path, Value(), *at);
    return DeltaOp(DeltaOp::Kind::Set, path, path.isRoot() ? Value::map() : randomValue(random, 1), *at);
}

} // namespace terrarium::testing
