#pragma once
// Chance: ids, jitter, tokens.

#include <QByteArray>
#include <QString>

namespace terrarium {

class Random {
public:
    virtual ~Random() = default;

    virtual quint64 next() = 0;
    /// `count` bytes fit for secrets (in the simulated environment: from the seed).
    virtual QByteArray bytes(int count) = 0;

    /// 0 <= result < bound; bound > 0.
    quint64 below(quint64 bound) { return next() % bound; }
    /// 0 <= result < 1.
    double unit() { return double(next() >> 11) / double(1ULL << 53); }
    /// A UUIDv4 as lower-case text without braces.
    QString uuid();
};

} // namespace terrarium
