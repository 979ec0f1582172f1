#include "models/value_tree_model.h"

#include "models/roles.h"
#include "value/json.h"
#include "widgets/cell.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QtTest>

#include <random>

using namespace terrarium;
using namespace terrarium::ui;

namespace {

Value parsed(const char *json)
{
    return json::parse(QByteArray(json));
}

Path at(const char *text)
{
    return Path::fromText(QString::fromLatin1(text)).value_or(Path());
}

/// All rows as text, opened completely: what a person would read.
QStringList dump(const QAbstractItemModel &model, const QModelIndex &parent = {}, int depth = 0)
{
    QStringList out;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        out.append(QString(depth, QLatin1Char(' ')) + index.data().toString() + QLatin1Char('=')
                   + index.siblingAtColumn(ValueTreeModel::ValueColumn).data().toString()
                   + index.siblingAtColumn(ValueTreeModel::GutterColumn).data().toString());
        out += dump(model, index, depth + 1);
    }
    return out;
}

Value randomValue(std::mt19937 &random, int depth)
{
    switch (random() % (depth > 0 ? 7 : 5)) {
    case 0: return Value(qint64(random() % 100));
    case 1: return Value(QStringLiteral("t%1").arg(random() % 10));
    case 2: return Value(random() % 2 == 0);
    case 3: return Value();
    case 4: return Value(double(random() % 8) / 4);
    case 5: {
        Value list = Value::array();
        for (unsigned i = 0, n = random() % 6; i < n; ++i)
            list.append(randomValue(random, depth - 1));
        return list;
    }
    default: {
        Value map = Value::map();
        for (unsigned i = 0, n = random() % 6; i < n; ++i)
            map.set(QStringLiteral("k%1").arg(random() % 9), randomValue(random, depth - 1));
        return map;
    }
    }
}

} // namespace

class TestValueTreeModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hasNoRowsWithoutAState()
    {
        ValueTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QCOMPARE(model.rowCount(), 0);
        model.setState(parsed("{}"), {});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("$"));
        model.setState(Value::undefined(), {});
        QCOMPARE(model.rowCount(), 0);
    }

    void randomUpdatesEndAtTheSameRowsAsAFreshModel()
    {
        const unsigned seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        ValueTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        Value value = randomValue(random, 4);
        model.setState(value, {});
        dump(model); // makes every node
        for (int step = 0; step < 300; ++step) {
            Value next = step % 3 == 0 ? randomValue(random, 4) : value;
            if (step % 3 != 0) {
                // A change in one place, as an action makes it; the rest stays shared.
                const Value other = randomValue(random, 3);
                if (next.isMap())
                    next.set(QStringLiteral("k%1").arg(random() % 9), other);
                else if (next.isArray() && next.size() > 0 && random() % 2)
                    next.removeAt(qsizetype(random() % quint64(next.size())));
                else if (next.isArray())
                    next.insert(qsizetype(random() % quint64(next.size() + 1)), other);
            }
            const MarkSet marks(delta::diff(value, next));
            model.setState(next, marks);
            ValueTreeModel fresh;
            fresh.setState(next, marks);
            QCOMPARE(dump(model), dump(fresh));
            value = next;
        }
    }

    void anUpdateKeepsTheNodesOfPlacesThatStay()
    {
        ValueTreeModel model;
        model.setState(parsed(R"({"a": 1, "members": {"ada": {"x": 1}, "linus": {"x": 2}}})"), {});
        const QPersistentModelIndex linus = model.indexOf(at("members.linus"));
        const QPersistentModelIndex x = model.indexOf(at("members.linus.x"));
        QVERIFY(linus.isValid() && x.isValid());
        model.setState(parsed(R"({"members": {"grace": {}, "linus": {"x": 3}}, "b": 2})"), {});
        QVERIFY(linus.isValid());
        QCOMPARE(QModelIndex(linus), model.indexOf(at("members.linus")));
        QCOMPARE(x.sibling(x.row(), ValueTreeModel::ValueColumn).data().toString(), QStringLiteral("3"));
    }

    void anAppendInsertsOneRowAndTouchesNothingElse()
    {
        ValueTreeModel model;
        Value value = parsed(R"({"list": [1, 2, 3], "other": {"deep": [1]}})");
        model.setState(value, {});
        dump(model);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        const Delta ops{DeltaOp(DeltaOp::Kind::Insert, at("list[3]"), Value(4))};
        model.setState(delta::apply(value, ops), {});
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(inserted.first().at(1).toInt(), 3);
        QCOMPARE(removed.size(), 0);
        QCOMPARE(reset.size(), 0);
        for (const QList<QVariant> &signal : changed)
            QVERIFY(model.pathOf(signal.first().toModelIndex()) != at("other.deep[0]"));
    }

    void removalsFromTheFrontOfAListKeepTheRestOfItsNodes()
    {
        ValueTreeModel model;
        Value list = Value::array();
        for (int i = 0; i < 20; ++i)
            list.append(Value::map({{QStringLiteral("n"), Value(i)}}));
        const Value before = Value::map({{QStringLiteral("list"), list}});
        model.setState(before, {});
        const QPersistentModelIndex kept = model.indexOf(at("list[15]"));
        for (int i = 0; i < 12; ++i)
            list.removeAt(0);
        model.setState(Value::map({{QStringLiteral("list"), list}}), {});
        QVERIFY(kept.isValid());
        QCOMPARE(model.pathOf(kept), at("list[3]"));
        QCOMPARE(model.valueOf(kept)["n"].toInt(), 15);
    }

    void marksSayWhatChangedAndWhatWasThere()
    {
        ValueTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const Value before = parsed(R"({"title": "Lobby 2", "members": {"grace": {"x": 1}, "linus": {"x": 112}}})");
        const Value after = parsed(R"({"title": "Lobby", "members": {"linus": {"x": 118}, "mei": {}}})");
        model.setState(before, {});
        dump(model);
        model.setState(after, MarkSet(delta::diff(before, after)));
        QCOMPARE(model.marks().paths(), (QStringList{QStringLiteral("members.grace"), QStringLiteral("members.linus.x"),
                                                     QStringLiteral("members.mei"), QStringLiteral("title")}));
        const QModelIndex x = model.indexOf(at("members.linus.x"));
        QCOMPARE(x.data(OldValueRole).toString(), QStringLiteral("112"));
        QCOMPARE(x.data(NewValueRole).toString(), QStringLiteral("118"));
        const QModelIndex gutter = x.siblingAtColumn(ValueTreeModel::GutterColumn);
        QCOMPARE(Gutter(gutter.data(GutterRole).toInt()), Gutter::Changed);
        QVERIFY(gutter.data(Qt::AccessibleTextRole).toString().contains(QLatin1Char('~')));
        QCOMPARE(Gutter(model.indexOf(at("members")).siblingAtColumn(1).data(GutterRole).toInt()),
                 Gutter::ChildChanged);
        QCOMPARE(Gutter(model.indexOf(at("members.mei")).siblingAtColumn(1).data(GutterRole).toInt()), Gutter::Added);
        // What is gone is still shown, after the rest of the map.
        const QModelIndex members = model.indexOf(at("members"));
        const QModelIndex ghost = model.index(model.rowCount(members) - 1, 0, members);
        QVERIFY(model.isGhost(ghost));
        QCOMPARE(ghost.data(PathRole).toString(), QStringLiteral("members.grace"));
        QVERIFY(ghost.data(CellRole).value<Cell>().runs.last().isStruck);
        // And goes with the marks.
        model.setState(after, {});
        QCOMPARE(model.rowCount(model.indexOf(at("members"))), 2);
    }

    void aReplacedContainerIsMarkedWhereItDiffers()
    {
        const Delta ops{
            DeltaOp(DeltaOp::Kind::Set, at("cursor"), parsed(R"({"x": 1, "y": 3})"), parsed(R"({"x": 1, "y": 2})"))};
        QCOMPARE(MarkSet(ops).paths(), QStringList{QStringLiteral("cursor.y")});
    }

    void longListsAreSplitIntoBuckets()
    {
        ValueTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        Value list = Value::array();
        for (int i = 0; i < 250; ++i)
            list.append(Value(i));
        model.setState(list, {});
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(model.rowCount(root), 3);
        QCOMPARE(model.index(2, 0, root).data().toString(), QStringLiteral("[200..249]"));
        QCOMPARE(model.rowCount(model.index(2, 0, root)), 50);
        const QPersistentModelIndex deep = model.indexOf(at("[249]"));
        QCOMPARE(deep.data(NewValueRole).toString(), QStringLiteral("249"));
        list.append(Value(250));
        list.set(249, Value(-1));
        model.setState(list, {});
        QVERIFY(deep.isValid());
        QCOMPARE(deep.data(NewValueRole).toString(), QStringLiteral("-1"));
        QCOMPARE(model.rowCount(model.index(2, 0, root)), 51);
        Value small = Value::array({Value(1)});
        model.setState(small, {});
        QCOMPARE(model.rowCount(root), 1);
    }

    void aHundredThousandItemsStayLazy()
    {
        Value list = Value::array();
        for (int i = 0; i < 100000; ++i)
            list.append(Value(i));
        ValueTreeModel model;
        model.setState(list, {});
        const QModelIndex root = model.index(0, 0);
        QVERIFY(model.rowCount(root) <= 100);
        QCOMPARE(model.indexOf(at("[99999]")).data(NewValueRole).toString(), QStringLiteral("99999"));
    }

    void numbersAreExactAndTextIsQuoted()
    {
        ValueTreeModel model;
        model.setState(Value::map({{QStringLiteral("big"), Value(9007199254740993LL)},
                                   {QStringLiteral("huge"), Value(18446744073709551615ULL)},
                                   {QStringLiteral("one"), Value(1.0)},
                                   {QStringLiteral("text"), Value("a\n\"b\"")},
                                   {QStringLiteral("bytes"), Value(QByteArray("\x00\xff", 2))},
                                   {QStringLiteral("none"), Value()}}),
                       {});
        const auto shown = [&](const char *key) {
            return model.indexOf(at(key)).siblingAtColumn(ValueTreeModel::ValueColumn).data().toString();
        };
        QCOMPARE(shown("big"), QStringLiteral("9007199254740993"));
        QCOMPARE(shown("huge"), QStringLiteral("18446744073709551615"));
        QCOMPARE(shown("one"), QStringLiteral("1.0"));
        QCOMPARE(shown("text"), QStringLiteral("\"a\\n\\\"b\\\"\""));
        QCOMPARE(shown("bytes"), QStringLiteral("2 B h'00ff'"));
        QCOMPARE(shown("none"), QStringLiteral("null"));
    }

    void longTextIsCut()
    {
        ValueTreeModel model;
        model.setState(Value::map({{QStringLiteral("t"), Value(QString(1000000, QLatin1Char('x')))}}), {});
        const QString text = model.indexOf(at("t")).siblingAtColumn(ValueTreeModel::ValueColumn).data().toString();
        QVERIFY(text.size() < 1100);
        QVERIFY(text.contains(QChar(0x2026)));
    }

    void timesComeFromTheIndex()
    {
        ChangeIndex times;
        times.add({DeltaOp(DeltaOp::Kind::Set, at("a.b"), Value(1), Value(0))}, 5000);
        times.add({DeltaOp(DeltaOp::Kind::Set, at("a"), parsed(R"({"b": 0, "c": 0})"), Value())}, 2000);
        QCOMPARE(times.changedAt(at("a.b")), 5000);
        QCOMPARE(times.changedAt(at("a.c")), 2000);
        QCOMPARE(times.changedAt(at("a")), 5000);
        QCOMPARE(times.changedAt(Path()), 5000);
        QCOMPARE(times.changedAt(at("z")), 0);
    }

    void findGoesRoundInBothDirections()
    {
        ValueTreeModel model;
        model.setState(parsed(R"({"a": "needle", "b": {"needle": 1}, "c": [0, "x needle y"]})"), {});
        const auto next = [&](const Path &from, bool back) {
            return model.findNext(QStringLiteral("NEEDLE"), from, back).value_or(Path());
        };
        QCOMPARE(next(Path(), false), at("a"));
        QCOMPARE(next(at("a"), false), at("b.needle"));
        QCOMPARE(next(at("b.needle"), false), at("c[1]"));
        QCOMPARE(next(at("c[1]"), false), at("a"));
        QCOMPARE(next(at("a"), true), at("c[1]"));
        QCOMPARE(next(at("c[1]"), true), at("b.needle"));
        QVERIFY(!model.findNext(QStringLiteral("absent"), Path(), false));
    }
};

QTEST_MAIN(TestValueTreeModel)
#include "tst_value_tree_model.moc"
