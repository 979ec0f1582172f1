// Paths and their text, which people type and read.

#include "core/value/random_value.h"
#include "value/path.h"

#include <terrarium/value.h>

#include <QTest>

using namespace terrarium;

class tst_Path : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textForm_data()
    {
        QTest::addColumn<Path>("path");
        QTest::addColumn<QString>("text");
        const Path root;
        QTest::newRow("root") << root << QStringLiteral("$");
        QTest::newRow("key") << root.child(QStringLiteral("count")) << QStringLiteral("count");
        QTest::newRow("deep") << root.child(QStringLiteral("members")).child(QStringLiteral("ada")).child(3)
                              << QStringLiteral("members.ada[3]");
        QTest::newRow("index first") << root.child(0).child(QStringLiteral("x")) << QStringLiteral("[0].x");
        QTest::newRow("dot in a key") << root.child(QStringLiteral("members")).child(QStringLiteral("a.b"))
                                      << QStringLiteral("members[\"a.b\"]");
        QTest::newRow("empty key") << root.child(QString()) << QStringLiteral("[\"\"]");
        QTest::newRow("digits") << root.child(QStringLiteral("7")) << QStringLiteral("[\"7\"]");
        QTest::newRow("dollar") << root.child(QStringLiteral("$")).child(1) << QStringLiteral("[\"$\"][1]");
        QTest::newRow("quotes") << root.child(QStringLiteral("a\"b\\c\n")) << QStringLiteral("[\"a\\\"b\\\\c\\n\"]");
        QTest::newRow("other script") << root.child(QStringLiteral("名前")) << QStringLiteral("名前");
        QTest::newRow("bracket") << root.child(QStringLiteral("]")) << QStringLiteral("[\"]\"]");
        QTest::newRow("half a surrogate") << root.child(QString(QChar(0xd83d))) << QStringLiteral("[\"\\ud83d\"]");
    }
    void textForm()
    {
        QFETCH(Path, path);
        QFETCH(QString, text);

        QCOMPARE(path.toText(), text);
        QVERIFY(Path::fromText(text) == path);
    }

    void dollarInFrontMayBeWritten()
    {
        const Path path = Path().child(QStringLiteral("a")).child(1);

        QVERIFY(Path::fromText(u"$.a[1]") == path);
        QVERIFY(Path::fromText(u"$[\"a\"][1]") == path);
        QVERIFY(Path::fromText(u"[\"\\u0061\"][1]") == path);
    }

    void brokenTextIsNoPath()
    {
        for (const QStringView text : {u"",      u".",      u"a.",      u".a",         u"a..b",
                                       u"a[",    u"a[]",    u"a[x]",    u"a[-1]",      u"a[1",
                                       u"a[01]", u"a[\"x]", u"a[\"x\"", u"a[\"\\x\"]", u"a[\"\\u12\"]",
                                       u"a b",   u"1",      u"$a",      u"$.",         u"a[99999999999999999999]"})
            QVERIFY2(!Path::fromText(text), qPrintable(text.toString()));
    }

    void randomPathsSurviveTextAndValue()
    {
        testing::RandomValues random;
        for (int round = 0; round < 2000; ++round) {
            Path path;
            for (int steps = random.below(6); steps > 0; --steps) {
                if (random.below(2))
                    path = path.child(random.key() + random.leaf().toText());
                else
                    path = path.child(qsizetype(random.below(1000)));
            }

            QVERIFY2(Path::fromText(path.toText()) == path, qPrintable(path.toText()));
            QVERIFY2(Path::fromValue(path.toValue()) == path, qPrintable(path.toText()));
        }
    }

    void brokenValuesAreNoPath()
    {
        QVERIFY(!Path::fromValue("a"));
        QVERIFY(!Path::fromValue(Value::array({-1})));
        QVERIFY(!Path::fromValue(Value::array({1.0})));
        QVERIFY(!Path::fromValue(Value::array({Value()})));
    }

    void findsWhatIsThere()
    {
        const Value root =
            Value::map({{QStringLiteral("a"), Value::array({1, Value::map({{QStringLiteral("b"), 2}})})}});
        const auto at = [&](QStringView text) { return Path::fromText(text)->find(root); };

        QCOMPARE(at(u"$"), &root);
        QCOMPARE(*at(u"a[1].b"), Value(2));
        QVERIFY(!at(u"a[2]") && !at(u"a.b") && !at(u"x") && !at(u"[0]") && !at(u"a[1].b.c"));
    }

    void prefixesAndParents()
    {
        const Path path = *Path::fromText(u"a.b[1]");

        QVERIFY(path.startsWith(Path()) && path.startsWith(path) && path.startsWith(*Path::fromText(u"a.b")));
        QVERIFY(!path.startsWith(*Path::fromText(u"a.b[1].c")) && !path.startsWith(*Path::fromText(u"b")));
        QCOMPARE(path.parent().toText(), QStringLiteral("a.b"));
        QVERIFY(Path().parent().isRoot());
    }

    void hashAndOrderAgreeWithEquality()
    {
        const Path a = *Path::fromText(u"a[1]");
        const Path b = *Path::fromText(u"a[\"1\"]");

        QVERIFY(a != b && (a < b) != (b < a));
        QCOMPARE(qHash(a, 3), qHash(*Path::fromText(u"$.a[1]"), 3));
        QVERIFY(qHash(a, 3) != qHash(b, 3));
    }
};

QTEST_GUILESS_MAIN(tst_Path)
#include "tst_path.moc"
