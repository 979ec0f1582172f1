// The value itself: kinds, sharing, large maps, equality, depth.

#include "core/value/random_value.h"

#include <terrarium/error.h>
#include <terrarium/value.h>

#include <QTest>

#include <thread>

using namespace terrarium;

namespace {

Value nested(int depth)
{
    Value value = 1;
    for (int i = 0; i < depth; ++i) {
        switch (i % 3) {
        case 0: value = Value::array({std::move(value)}); break;
        case 1: value = Value::map({{QStringLiteral("k"), std::move(value)}}); break;
        default: value = Value::tagged(5, std::move(value));
        }
    }
    return value;
}

} // namespace

class tst_Value : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void kindsKeepTheirContent()
    {
        QVERIFY(Value().isNull());
        QVERIFY(Value(nullptr).isNull());
        QVERIFY(Value::undefined().isUndefined());
        QCOMPARE(Value(true).toBool(), true);
        QCOMPARE(Value(INT64_MIN).toInt(), INT64_MIN);
        QCOMPARE(Value(UINT64_MAX).toUInt(), UINT64_MAX);
        QCOMPARE(Value(2.5).toDouble(), 2.5);
        QCOMPARE(Value("naïve").toText(), QStringLiteral("naïve"));
        QCOMPARE(Value(QByteArray("\0x", 2)).toBytes(), QByteArray("\0x", 2));
        QCOMPARE(Value::tagged(1, 5).tag(), quint64(1));
        QCOMPARE(Value::tagged(1, 5).untagged(), Value(5));
        QCOMPARE(Value(QString()).toText(), QString());
        QVERIFY(Value(QString()).isText());
    }

    void smallUnsignedIsInt()
    {
        QVERIFY(Value(quint64(INT64_MAX)).isInt());
        QVERIFY(Value(quint64(INT64_MAX) + 1).isUInt());
        QCOMPARE(Value(5u), Value(5));
        QCOMPARE(Value(7).toUInt(), quint64(7));
        QCOMPARE(Value(-7).toUInt(1), quint64(1));
    }

    void otherKindsGiveTheDefault()
    {
        QCOMPARE(Value("5").toInt(9), qint64(9));
        QCOMPARE(Value(1.0).toInt(9), qint64(9));
        QCOMPARE(Value(1).toDouble(9), 1.0);
        QCOMPARE(Value(1).toText(QStringLiteral("no")), QStringLiteral("no"));
        QVERIFY(Value(1).items().empty() && Value(1).entries().empty());
        QVERIFY(Value(1)["x"].isUndefined() && Value(1).at(0).isUndefined());
        QVERIFY(Value::array({1}).at(1).isUndefined() && Value::array({1}).at(-1).isUndefined());
        QCOMPARE(Value(5).untagged(), Value(5));
    }

    void mapsKeepOrderAndLastValue()
    {
        Value map = Value::map({{QStringLiteral("b"), 1}, {QStringLiteral("a"), 2}, {QStringLiteral("b"), 3}});
        map.set(QStringLiteral("c"), 4);
        map.set(QStringLiteral("a"), 5);

        QCOMPARE(map.size(), 3);
        QCOMPARE(map.entries()[0], (MapEntry(QStringLiteral("b"), 3)));
        QCOMPARE(map.entries()[1], (MapEntry(QStringLiteral("a"), 5)));
        QCOMPARE(map.entries()[2], (MapEntry(QStringLiteral("c"), 4)));
        QVERIFY(!map.add(QStringLiteral("a"), 6));
        QCOMPARE(map["a"], Value(5));
        map.insertEntry(0, QStringLiteral("z"), 0);
        QCOMPARE(map.indexOf(u"z"), 0);
        QCOMPARE(map.indexOf(u"c"), 3);
    }

    void keysBeyondAsciiAreFound()
    {
        const Value map = Value::map({{QStringLiteral("ключ"), 1}, {QString(), 2}});

        QCOMPARE(map["ключ"], Value(1));
        QCOMPARE(map[u"ключ"], Value(1));
        QCOMPARE(map[""], Value(2));
    }

    void largeMapsAgreeWithASlowModel()
    {
        testing::RandomValues random;
        Value map = Value::map();
        std::vector<std::pair<QString, int>> model;
        for (int step = 0; step < 20000; ++step) {
            const QString key = QStringLiteral("key%1").arg(random.below(300));
            const auto known =
                std::find_if(model.begin(), model.end(), [&](const auto &entry) { return entry.first == key; });
            switch (random.below(4)) {
            case 0:
                QCOMPARE(map.remove(key), known != model.end());
                if (known != model.end())
                    model.erase(known);
                break;
            case 1:
                if (known == model.end()) {
                    const int place = random.below(int(model.size()) + 1);
                    map.insertEntry(place, key, step);
                    model.insert(model.begin() + place, {key, step});
                }
                break;
            default:
                map.set(key, step);
                if (known == model.end())
                    model.emplace_back(key, step);
                else
                    known->second = step;
            }
            QCOMPARE(map.size(), qsizetype(model.size()));
            const QString asked = QStringLiteral("key%1").arg(random.below(300));
            const auto expected =
                std::find_if(model.begin(), model.end(), [&](const auto &entry) { return entry.first == asked; });
            QCOMPARE(map.indexOf(asked), expected == model.end() ? -1 : expected - model.begin());
        }
        for (std::size_t i = 0; i < model.size(); ++i)
            QCOMPARE(map.entries()[i], MapEntry(model[i].first, model[i].second));
    }

    void changingACopyLeavesTheOther()
    {
        const Value original = Value::map({{QStringLiteral("list"), Value::array({1, 2})}});
        Value copy = original;
        QVERIFY(copy.sharesWith(original));

        copy.mutableEntry(0).append(3);
        copy.set(QStringLiteral("new"), true);

        QCOMPARE(original, Value::map({{QStringLiteral("list"), Value::array({1, 2})}}));
        QCOMPARE(copy["list"].size(), 3);
        QVERIFY(!copy.sharesWith(original));
    }

    void aValueMayHoldACopyOfItself()
    {
        Value list = Value::array({1});
        list.append(list);
        list.set(0, list);

        QCOMPARE(list.at(0), Value::array({1, Value::array({1})}));
        Value map = Value::map({{QStringLiteral("a"), 1}});
        map.set(QStringLiteral("a"), map);
        QCOMPARE(map["a"]["a"], Value(1));
        map = Value(map["a"]); // the right side is inside of the left
        QCOMPARE(map["a"], Value(1));
        list = list.at(0).at(1);
        QCOMPARE(list, Value::array({1}));
    }

    void textIsSharedNotCopied()
    {
        const QString text = QStringLiteral("a text that is longer than any buffer").repeated(3);
        const Value value(text);

        QCOMPARE(static_cast<const void *>(value.textView().data()), static_cast<const void *>(text.constData()));
        QCOMPARE(static_cast<const void *>(value.toText().constData()), static_cast<const void *>(text.constData()));
        Value copy = value;
        QString changed = copy.toText();
        changed[0] = u'X';
        QCOMPARE(value.toText(), text);
    }

    void equalityIsExact()
    {
        QVERIFY(Value(1) != Value(1.0));
        QVERIFY(Value(0.0) != Value(-0.0));
        QVERIFY(Value(NAN) == Value(-NAN));
        QVERIFY(Value("a") != Value(QByteArray("a")));
        QVERIFY(Value() != Value::undefined());
        QVERIFY(Value::tagged(1, 5) != Value::tagged(2, 5));
        QVERIFY(Value::tagged(1, 5) != Value(5));
        QVERIFY(Value::array({1, 2}) != Value::array({2, 1}));
        QVERIFY(Value(true) != Value(1));
    }

    void orderOfEntriesCountsOnlyForIdentical()
    {
        const Value ab = Value::map(
            {{QStringLiteral("a"), 1},
             {QStringLiteral("b"), Value::array({Value::map({{QStringLiteral("x"), 1}, {QStringLiteral("y"), 2}})})}});
        const Value ba = Value::map(
            {{QStringLiteral("b"), Value::array({Value::map({{QStringLiteral("y"), 2}, {QStringLiteral("x"), 1}})})},
             {QStringLiteral("a"), 1}});

        QVERIFY(ab == ba && !ab.identical(ba));
        QVERIFY(ab.identical(Value(ab)));
        QVERIFY(ab != Value::map({{QStringLiteral("a"), 1}, {QStringLiteral("c"), 1}}));
    }

    void depthCostsNoStackWhenAValueEnds()
    {
        Value value = nested(1000000);
        Value shared = value;
        value = Value();
        QVERIFY(shared.isArray() || shared.isMap() || shared.isTagged());
        shared = 5;
        QCOMPARE(shared, Value(5));
    }

    void deepValuesCompare()
    {
        QVERIFY(nested(1000) == nested(1000));
        QVERIFY(nested(1000) != nested(997));
    }

    void copiesMayBeReadFromSeveralThreads()
    {
        const Value shared = Value::map({{QStringLiteral("list"), Value::array({"one", QByteArray("two"), 3.0})}});
        std::atomic<int> found = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&found, shared] {
                for (int round = 0; round < 20000; ++round) {
                    Value copy = shared;
                    const QString text = copy["list"].at(0).toText();
                    if (round % 16 == 0)
                        copy.set(QStringLiteral("mine"), round);
                    found += text.size() == 3;
                }
            });
        }
        for (std::thread &thread : threads)
            thread.join();

        QCOMPARE(found.load(), 80000);
        QCOMPARE(shared.size(), 1);
    }

    void movingLeavesNull()
    {
        Value from = Value::array({1});
        const Value to = std::move(from);

        QVERIFY(from.isNull());
        QCOMPARE(to.size(), 1);
        from.append(2); // Null turns into a list
        QCOMPARE(from, Value::array({2}));
    }

    void errorsKeepTheirParts()
    {
        const Error error(QStringLiteral("actor"), QStringLiteral("not_found"), QStringLiteral("no actor \"x\""),
                          Value::map({{QStringLiteral("id"), "x"}}));

        QCOMPARE(error.text(), QStringLiteral("actor/not_found: no actor \"x\""));
        QCOMPARE(QByteArray(error.what()), error.text().toUtf8());
        QVERIFY(error.is(QLatin1String("actor"), QLatin1String("not_found")));
        const Error first = error.withActor(ActorIdentity(QStringLiteral("a1"), 2, QStringLiteral("dev")));
        QCOMPARE(first.withActor(ActorIdentity(QStringLiteral("b2"), 1, QString())).actor()->actorId,
                 QStringLiteral("a1"));
        QVERIFY(!error.actor());
    }

    void foreignExceptionsBecomeInternalErrors()
    {
        const auto caught = [](const std::function<void()> &call) {
            try {
                call();
            } catch (...) {
                return Error::fromException(std::current_exception());
            }
            return Error::fromException(nullptr);
        };
        const Error own(QStringLiteral("g"), QStringLiteral("c"), QStringLiteral("m"));

        QVERIFY(caught([&] { throw own; }) == own);
        QCOMPARE(caught([] { throw std::runtime_error("broken"); }).metadata()["error"], Value("broken"));
        QVERIFY(caught([] { throw 5; }).is(QLatin1String("core"), QLatin1String("internal_error")));
        QVERIFY(caught([] {}).is(QLatin1String("core"), QLatin1String("internal_error")));
    }
};

QTEST_GUILESS_MAIN(tst_Value)
#include "tst_value.moc"
