// Deltas: fixed examples, and properties on random values with nlohmann's diff and patch as oracle.

#include "core/value/random_value.h"
#include "value/cbor_text.h"
#include "value/delta.h"
#include "value/json.h"

#include <terrarium/error.h>

#include <nlohmann/json.hpp>

#include <QTest>

using namespace terrarium;
using Oracle = nlohmann::json;

namespace {

Value fromJson(const char *text)
{
    return json::parse(text);
}

Oracle toOracle(const Value &value)
{
    const QByteArray text = json::write(value);
    return Oracle::parse(text.begin(), text.end());
}

Value fromOracle(const Oracle &value)
{
    return json::parse(QByteArray::fromStdString(value.dump()));
}

std::string pointerOf(const Path &path)
{
    Oracle::json_pointer pointer;
    for (const Path::Step &step : path.steps()) {
        if (const auto *index = std::get_if<qsizetype>(&step))
            pointer.push_back(std::to_string(*index));
        else
            pointer.push_back(std::get<QString>(step).toStdString());
    }
    return pointer.to_string();
}

/// Our delta as RFC 6902.
Oracle patchOf(const Delta &delta)
{
    Oracle patch = Oracle::array();
    for (const DeltaOp &op : delta) {
        Oracle entry{{"path", pointerOf(op.path)}};
        if (op.kind == DeltaOp::Kind::Remove)
            entry["op"] = "remove";
        else
            entry["op"] = op.kind == DeltaOp::Kind::Set && !op.isAdd() ? "replace" : "add";
        if (op.kind != DeltaOp::Kind::Remove)
            entry["value"] = toOracle(op.value);
        patch.push_back(entry);
    }
    return patch;
}

/// RFC 6902 as nlohmann writes it, as our delta.
Delta deltaOf(const Value &base, const Oracle &patch)
{
    Delta delta;
    Value now = base;
    for (const Oracle &entry : patch) {
        Oracle::json_pointer pointer(entry["path"].get<std::string>());
        QStringList steps;
        for (; !pointer.empty(); pointer.pop_back())
            steps.prepend(QString::fromStdString(pointer.back()));
        Path path;
        const Value *at = &now;
        for (const QString &step : steps) {
            if (at->isArray()) {
                const qsizetype index = step == QLatin1String("-") ? at->size() : step.toLongLong();
                path = path.child(index);
                at = &at->at(index);
            } else {
                path = path.child(step);
                at = &(*at)[step];
            }
        }
        const std::string op = entry["op"];
        const bool isItem = !path.isRoot() && std::holds_alternative<qsizetype>(path.steps().last());
        const Value value = op == "remove" ? Value() : fromOracle(entry["value"]);
        const auto kind = op == "remove"          ? DeltaOp::Kind::Remove
                          : op == "add" && isItem ? DeltaOp::Kind::Insert
                                                  : DeltaOp::Kind::Set;
        delta.append(DeltaOp(kind, path, value));
        now = delta::apply(now, {delta.last()});
    }
    return delta;
}

QString textOf(const Value &value)
{
    return cbor::diagnostic(value);
}

QString textOf(const Delta &delta)
{
    return cbor::diagnostic(delta::toValue(delta));
}

template <typename Call>
QString errorOf(Call call)
{
    try {
        call();
    } catch (const Error &error) {
        return error.group() + u'/' + error.code();
    }
    return QStringLiteral("no error");
}

} // namespace

class tst_Delta : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void examples_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("delta");
        const auto row = [](const char *name, const char *from, const char *to, const char *delta) {
            QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(delta);
        };
        row("nothing", R"({"a":1,"b":[1,{"c":2}]})", R"({"b":[1,{"c":2}],"a":1})", "[]");
        row("one field", R"({"count":1,"by":"ann"})", R"({"count":2,"by":"ann"})",
            R"([{"op": "set", "path": ["count"], "value": 2, "old": 1}])");
        row("append", R"([1,2])", R"([1,2,3])", R"([{"op": "insert", "path": [2], "value": 3}])");
        row("prepend", R"([1,2])", R"([0,1,2])", R"([{"op": "insert", "path": [0], "value": 0}])");
        row("item removed", R"(["a","b","c"])", R"(["a","c"])", R"([{"op": "remove", "path": [1], "old": "b"}])");
        row("first two removed", R"(["a","b","c"])", R"(["c"])",
            R"([{"op": "remove", "path": [1], "old": "b"}, {"op": "remove", "path": [0], "old": "a"}])");
        row("bounded list moves on", R"([1,2,3,4])", R"([2,3,4,5])",
            R"([{"op": "remove", "path": [0], "old": 1}, {"op": "insert", "path": [3], "value": 5}])");
        row("bounded list from the front", R"([1,2,3,4])", R"([0,1,2,3])",
            R"([{"op": "remove", "path": [3], "old": 4}, {"op": "insert", "path": [0], "value": 0}])");
        row("key added", R"({"a":1})", R"({"a":1,"b":null})", R"([{"op": "set", "path": ["b"], "value": null}])");
        row("key removed", R"({"a":1,"b":2})", R"({"b":2})", R"([{"op": "remove", "path": ["a"], "old": 1}])");
        row("deep", R"({"m":{"ada":[{"n":1},{"n":2}]}})", R"({"m":{"ada":[{"n":1},{"n":3}]}})",
            R"([{"op": "set", "path": ["m", "ada", 1, "n"], "value": 3, "old": 2}])");
        row("another kind", R"({"a":1})", R"([1])", R"([{"op": "set", "path": [], "value": [1], "old": {"a": 1}}])");
        row("integer is not double", R"({"a":1})", R"({"a":1.0})",
            R"([{"op": "set", "path": ["a"], "value": 1.0, "old": 1}])");
        row("maps with nothing in common", R"({"p":{"a":1}})", R"({"p":{"b":1}})",
            R"([{"op": "set", "path": ["p"], "value": {"b": 1}, "old": {"a": 1}}])");
    }
    void examples()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, delta);
        const Value a = json::parse(from.toUtf8());
        const Value b = json::parse(to.toUtf8());

        const Delta found = delta::diff(a, b);

        QCOMPARE(textOf(found), delta);
        QCOMPARE(delta::apply(a, found), b);
    }

    void applyingRefusesPlacesThatAreNotThere_data()
    {
        QTest::addColumn<QString>("delta");
        QTest::newRow("index beyond the end") << QStringLiteral(R"([{"op":"set","path":["list",3],"value":1}])");
        QTest::newRow("insert beyond the end") << QStringLiteral(R"([{"op":"insert","path":["list",4],"value":1}])");
        QTest::newRow("remove beyond the end") << QStringLiteral(R"([{"op":"remove","path":["list",3]}])");
        QTest::newRow("many removes beyond the end")
            << QStringLiteral(R"([{"op":"remove","path":["list",3]},{"op":"remove","path":["list",2]}])");
        QTest::newRow("key of a list") << QStringLiteral(R"([{"op":"set","path":["list","x"],"value":1}])");
        QTest::newRow("index of a map") << QStringLiteral(R"([{"op":"set","path":[0],"value":1}])");
        QTest::newRow("insert into a map") << QStringLiteral(R"([{"op":"insert","path":["list"],"value":1}])");
        QTest::newRow("absent key") << QStringLiteral(R"([{"op":"remove","path":["gone"]}])");
        QTest::newRow("absent on the way") << QStringLiteral(R"([{"op":"set","path":["gone","x"],"value":1}])");
        QTest::newRow("below a number") << QStringLiteral(R"([{"op":"set","path":["n","x"],"value":1}])");
        QTest::newRow("remove the root") << QStringLiteral(R"([{"op":"remove","path":[]}])");
    }
    void applyingRefusesPlacesThatAreNotThere()
    {
        QFETCH(QString, delta);
        const Value base = json::parse(R"({"list":[1,2,3],"n":5})");
        const Delta parsed = delta::fromValue(json::parse(delta.toUtf8()));

        QCOMPARE(errorOf([&] { delta::apply(base, parsed); }), QStringLiteral("value/delta_conflict"));
        QCOMPARE(errorOf([&] { delta::invert(base, parsed); }), QStringLiteral("value/delta_conflict"));
    }

    void applyingLeavesTheBaseAlone()
    {
        const Value base = json::parse(R"({"a":{"b":[1,2,3]}})");
        const Value before = json::parse(R"({"a":{"b":[1,2,3]}})");

        delta::apply(base, delta::diff(base, json::parse(R"({"a":{"b":[3]}})")));

        QVERIFY(base.identical(before));
    }

    void brokenWireFormsAreRefused()
    {
        for (const char *text : {R"({})", R"([{"op":"move","path":[]}])", R"([{"op":"set","path":["a"]}])",
                                 R"([{"op":"set","path":[-1],"value":1}])", R"([{"op":"set","path":"a","value":1}])",
                                 R"([{"path":[],"value":1}])", R"([5])", R"([{"op":"insert","path":[0]}])"})
            QCOMPARE(errorOf([&] { delta::fromValue(fromJson(text)); }), QStringLiteral("value/invalid_delta"));
    }

    void mergeKeepsOneOperationForOnePlace()
    {
        const auto set = [](int value, Value old) {
            return Delta{DeltaOp(DeltaOp::Kind::Set, Path().child(QStringLiteral("n")), value, std::move(old))};
        };
        Delta merged = set(1, 0);
        for (int i = 2; i <= 1000; ++i)
            merged = delta::merge(merged, set(i, i - 1));

        QCOMPARE(textOf(merged), QStringLiteral(R"([{"op": "set", "path": ["n"], "value": 1000, "old": 0}])"));
        QCOMPARE(delta::merge(merged, set(0, 1000)).size(), 0);
    }

    void mergeFoldsChangesBelowAnInsertedItem()
    {
        const Path item = Path().child(0);
        const Delta first{DeltaOp(DeltaOp::Kind::Insert, item, Value::map({{QStringLiteral("n"), 1}}))};
        const Delta second{DeltaOp(DeltaOp::Kind::Set, item.child(QStringLiteral("n")), 2, 1)};

        QCOMPARE(textOf(delta::merge(first, second)),
                 QStringLiteral(R"([{"op": "insert", "path": [0], "value": {"n": 2}}])"));
        QCOMPARE(delta::merge(first, Delta{DeltaOp(DeltaOp::Kind::Remove, item, Value(), 1)}).size(), 0);
    }

    void pathsAreSummarized()
    {
        const auto summary = [](const char *from, const char *to, int most) {
            return delta::summarizePaths(delta::diff(fromJson(from), fromJson(to)), most);
        };

        QCOMPARE(summary(R"({"messages":[1,2,3,4],"n":1})", R"({"messages":[4],"n":2})", 2),
                 (QStringList{QStringLiteral("messages[0..2]"), QStringLiteral("n")}));
        QCOMPARE(summary(R"({"l":[1]})", R"({"l":[1,2,3]})", 2), QStringList{QStringLiteral("l[1..2]")});
        QCOMPARE(summary("[1]", "[1,2]", 2), QStringList{QStringLiteral("[1]")});
        QCOMPARE(summary("1", "2", 2), QStringList{QStringLiteral("$")});
        QCOMPARE(summary(R"({"a":1,"b":1,"c":1,"d":1})", R"({"a":2,"b":2,"c":2,"d":2})", 2),
                 (QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("+2")}));
        QCOMPARE(summary(R"({"a":1,"b":1,"c":1})", R"({"a":2,"b":2,"c":2})", -1).size(), 3);
    }

    void manyRemovesAreQuick()
    {
        std::vector<Value> items;
        for (int i = 0; i < 200000; ++i)
            items.emplace_back(i);
        const Value from = Value::array(items);
        const Value to = Value::array({items.begin() + 150000, items.end()});

        QCOMPARE(delta::apply(from, delta::diff(from, to)), to);
    }

    void propertiesHoldForRandomValues()
    {
        testing::RandomValues random;
        for (int round = 0; round < 4000; ++round) {
            const Value a = random.value();
            const Value b = random.below(10) == 0 ? random.value() : random.changed(a);
            const Value c = random.changed(b);
            const QByteArray story =
                (textOf(a) + QLatin1String("\n") + textOf(b) + QLatin1String("\n") + textOf(c)).toUtf8();

            const Delta d1 = delta::diff(a, b);
            const Delta d2 = delta::diff(b, c);
            const Delta merged = delta::merge(d1, d2);

            QVERIFY2(delta::diff(a, a).isEmpty(), story.constData());
            QVERIFY2(delta::apply(a, d1) == b, story.constData());
            QVERIFY2(delta::apply(b, d2) == c, story.constData());
            QVERIFY2(delta::apply(delta::apply(a, d1), delta::invert(a, d1)) == a, story.constData());
            QVERIFY2(delta::apply(a, merged) == c, story.constData());
            QVERIFY2(merged.size() <= d1.size() + d2.size(), story.constData());
            QVERIFY2(delta::apply(c, delta::invert(a, merged)) == a, story.constData());
            QVERIFY2(delta::fromValue(delta::toValue(d1)) == d1, story.constData());
            Value now = a;
            for (const DeltaOp &op : merged) {
                const Value *there = op.kind == DeltaOp::Kind::Insert ? nullptr : op.path.find(now);
                QVERIFY2(op.old == (there ? *there : Value::undefined()),
                         (story + textOf(merged).toUtf8()).constData());
                now = delta::apply(now, {op});
            }
        }
    }

    void longRunsOfChangesMerge()
    {
        testing::RandomValues random;
        for (int round = 0; round < 200; ++round) {
            const Value start = random.value();
            Value now = start;
            Delta merged;
            for (int step = 0; step < 20; ++step) {
                const Value next = random.changed(now);
                merged = delta::merge(merged, delta::diff(now, next));
                now = next;
            }
            QVERIFY2(delta::apply(start, merged) == now, (textOf(start) + textOf(merged)).toUtf8().constData());
        }
    }

    void anotherLibraryAgrees()
    {
        testing::RandomValues random;
        random.jsonOnly = true;
        for (int round = 0; round < 2000; ++round) {
            const Value a = random.value();
            const Value b = random.changed(a);
            const Oracle oracleA = toOracle(a);
            const Oracle oracleB = toOracle(b);
            const QByteArray story = (textOf(a) + QLatin1String("\n") + textOf(b)).toUtf8();

            QVERIFY2(oracleA.patch(patchOf(delta::diff(a, b))) == oracleB, story.constData());
            QVERIFY2(delta::apply(a, deltaOf(a, Oracle::diff(oracleA, oracleB))) == b, story.constData());
        }
    }
};

QTEST_GUILESS_MAIN(tst_Delta)
#include "tst_delta.moc"
