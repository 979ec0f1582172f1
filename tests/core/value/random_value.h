#pragma once
// Random values for the tests of properties. A test prints its seed; TERRARIUM_TEST_SEED runs it again.

#include <terrarium/value.h>

#include <QByteArray>
#include <QRandomGenerator>

#include <cmath>
#include <limits>
#include <random>

namespace terrarium::testing {

class RandomValues final {
public:
    RandomValues()
    {
        bool isGiven = false;
        m_seed = qEnvironmentVariable("TERRARIUM_TEST_SEED").toULongLong(&isGiven);
        if (!isGiven)
            m_seed = QRandomGenerator::global()->generate64();
        m_engine.seed(m_seed);
        qInfo("TERRARIUM_TEST_SEED=%llu", static_cast<unsigned long long>(m_seed));
    }

    /// Only kinds that JSON has, and no double that is whole (another JSON library may call it an integer).
    bool jsonOnly = false;

    /// 0 .. most-1
    int below(int most) { return int(m_engine() % quint64(most)); }

    QString key()
    {
        static const QString odd[] = {QString(),
                                      QStringLiteral("a.b"),
                                      QStringLiteral("a/b~c"),
                                      QStringLiteral("[0]"),
                                      QStringLiteral("ключ"),
                                      QStringLiteral("😀"),
                                      QStringLiteral("\"\\\n")};
        return below(6) == 0 ? odd[below(int(std::size(odd)))] : QString(QChar(u'a' + below(8)));
    }

    Value leaf()
    {
        switch (below(jsonOnly ? 6 : 10)) {
        case 0: return Value();
        case 1: return below(2) == 1;
        case 2: return below(5);
        case 3: return qint64(m_engine()) >> below(63);
        case 4: return below(1000) + 0.5;
        case 5:
            return QString(below(4), QChar(u'a' + below(3))) + (below(4) == 0 ? QStringLiteral("ü世😀") : QString());
        case 6: return Value::undefined();
        case 7: return Value(quint64(m_engine()) | quint64(1) << 63);
        case 8: return QByteArray(below(5), char(below(256)));
        default: {
            static const double odd[] = {0.0,       -0.0, 1.0,    NAN,   INFINITY,
                                         -INFINITY, 0.1,  1e-320, 1e300, std::numeric_limits<double>::denorm_min()};
            return odd[below(int(std::size(odd)))];
        }
        }
    }

    Value value(int depth = 4)
    {
        const int kind = depth == 0 ? 0 : below(jsonOnly ? 9 : 10);
        if (kind < 3)
            return leaf();
        if (kind < 6) {
            Value array = Value::array();
            for (int count = below(6); count > 0; --count)
                array.append(value(depth - 1));
            return array;
        }
        if (kind < 9) {
            Value map = Value::map();
            for (int count = below(below(8) == 0 ? 40 : 6); count > 0; --count)
                map.set(key() + (below(3) == 0 ? QString::number(count) : QString()), value(depth - 1));
            return map;
        }
        return Value::tagged(quint64(below(30)), value(depth - 1));
    }

    /// `from` with a few places changed, as a program would.
    Value changed(const Value &from, int depth = 0)
    {
        if (below(8) == 0 || depth > 5)
            return value(2);
        Value to = from;
        if (from.isMap()) {
            for (int changes = below(3) + 1; changes > 0; --changes) {
                if (to.size() > 0 && below(3) > 0) {
                    const qsizetype place = below(int(to.size()));
                    if (below(3) == 0)
                        to.remove(QString(to.entries()[std::size_t(place)].first));
                    else
                        to.mutableEntry(place) = changed(to.entries()[std::size_t(place)].second, depth + 1);
                } else {
                    to.set(key(), value(2));
                }
            }
        } else if (from.isArray()) {
            const int trick = below(6);
            if (trick == 0 && to.size() > 1) { // a bounded list: oldest out, new in
                to.removeRange(0, 1 + below(int(to.size()) / 2));
                to.append(value(1));
            } else if (trick == 1 && to.size() > 1) {
                to.removeRange(to.size() - 1, 1);
                to.insert(0, value(1));
            } else {
                for (int changes = below(3) + 1; changes > 0; --changes) {
                    const int what = below(3);
                    if (what == 0 || to.size() == 0)
                        to.insert(below(int(to.size()) + 1), value(2));
                    else if (what == 1)
                        to.removeAt(below(int(to.size())));
                    else
                        to.mutableItem(below(int(to.size()))) = changed(to.at(below(int(to.size()))), depth + 1);
                }
            }
        } else {
            return value(2);
        }
        return to;
    }

private:
    quint64 m_seed = 0;
    std::mt19937_64 m_engine;
};

} // namespace terrarium::testing
