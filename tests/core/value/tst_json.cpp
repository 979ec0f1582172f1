// JSON: integers stay exact, order stays, and what cannot be read exactly is refused with its place.

#include "core/value/random_value.h"
#include "value/cbor_text.h"
#include "value/json.h"

#include <terrarium/error.h>

#include <QTest>

#include <cmath>
#include <functional>

using namespace terrarium;

namespace {

Error errorOf(const std::function<void()> &call)
{
    try {
        call();
    } catch (const Error &error) {
        return error;
    }
    return Error(QStringLiteral("no"), QStringLiteral("error"), QString());
}

QString nameOf(const Error &error)
{
    return error.group() + u'/' + error.code();
}

/// What the `$` form keeps: tags are left out, NaN and infinities are null.
bool extendedKeeps(const Value &value)
{
    if (value.isTagged() || (value.isDouble() && !std::isfinite(value.toDouble())))
        return false;
    for (const Value &item : value.items()) {
        if (!extendedKeeps(item))
            return false;
    }
    for (const MapEntry &entry : value.entries()) {
        if (!extendedKeeps(entry.second))
            return false;
    }
    return true;
}

} // namespace

class tst_Json : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void compactTextComesBack_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"null", "true", "[]", "{}", "0", "-1", "9223372036854775807", "-9223372036854775808",
                                 "18446744073709551615", "3544790567247868102", "1.0", "-0.0", "0.2345678901234568",
                                 "1e-320", "1e+300", "{\"b\":1,\"a\":{\"z\":[1,2.5,\"x\"]},\"\":null}",
                                 "\"\\\"\\\\\\n\\t\\u0001\\u007f\"", "\"Grüße 世界 😀\"", "[[[[]]]]"})
            QTest::newRow(text) << QByteArray(text);
    }
    void compactTextComesBack()
    {
        QFETCH(QByteArray, text);

        QCOMPARE(json::write(json::parse(text)), text);
    }

    void otherSpellingsAreRead()
    {
        QCOMPARE(json::parse(" { \"a\" : [ 1 , 2 ] }\r\n\t"), json::parse("{\"a\":[1,2]}"));
        QCOMPARE(json::parse("\"\\u00fc\\ud83d\\ude00\\/\""), Value("ü😀/"));
        QCOMPARE(json::parse("1E2"), Value(100.0));
        QCOMPARE(json::parse("1.50"), Value(1.5));
        QCOMPARE(json::parse("-0"), Value(0));
        QCOMPARE(json::parse("\"\\u0000\"").toText(), QString(QChar(0)));
        QCOMPARE(json::parse("\"\\ufeffx\"").toText().size(), 2);
        QCOMPARE(json::parse("\xef\xbb\xbf[1]"), Value::array({1})); // a byte order mark in front
    }

    void kindsStayApart()
    {
        QVERIFY(json::parse("1").isInt());
        QVERIFY(json::parse("1.0").isDouble());
        QVERIFY(json::parse("1e0").isDouble());
        QVERIFY(json::parse("9223372036854775808").isUInt());
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::newRow("nothing") << QByteArray() << 1 << 1;
        QTest::newRow("trailing text") << QByteArray("1 x") << 1 << 3;
        QTest::newRow("two values") << QByteArray("{} {}") << 1 << 4;
        QTest::newRow("duplicate key") << QByteArray("{\"a\":1,\n \"a\":2}") << 2 << 4;
        QTest::newRow("integer above 2^64-1") << QByteArray("[18446744073709551616]") << 1 << 22;
        QTest::newRow("integer below -2^63") << QByteArray("-9223372036854775809") << 1 << 20;
        QTest::newRow("many digits") << QByteArray(400, '9') << 1 << 400;
        QTest::newRow("double beyond range") << QByteArray("1e999") << 1 << 5;
        QTest::newRow("leading zero") << QByteArray("01") << 1 << 2;
        QTest::newRow("plus") << QByteArray("+1") << 1 << 1;
        QTest::newRow("NaN") << QByteArray("NaN") << 1 << 1;
        QTest::newRow("single quotes") << QByteArray("{'a':1}") << 1 << 2;
        QTest::newRow("trailing comma") << QByteArray("[1,]") << 1 << 4;
        QTest::newRow("comment") << QByteArray("1 // one") << 1 << 3;
        QTest::newRow("control character") << QByteArray("\"a\nb\"") << 1 << 3;
        QTest::newRow("lone high surrogate") << QByteArray("\"\\ud83d\"") << 1 << 8;
        QTest::newRow("lone low surrogate") << QByteArray("\"\\ude00\"") << 1 << 7;
        QTest::newRow("invalid UTF-8") << QByteArray("\"\xff\"") << 1 << 2;
        QTest::newRow("overlong UTF-8") << QByteArray("\"\xc0\xaf\"") << 1 << 2;
        QTest::newRow("encoded surrogate") << QByteArray("\"\xed\xa0\x80\"") << 1 << 3;
        QTest::newRow("unended list") << QByteArray("[1,\n2") << 2 << 2;
    }
    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(int, column);

        const Error error = errorOf([&] { json::parse(text); });

        QCOMPARE(nameOf(error), QStringLiteral("value/invalid_json"));
        QCOMPARE(error.metadata()["line"], Value(line));
        QCOMPARE(error.metadata()["column"], Value(column));
    }

    void messagesSayWhatWasThere()
    {
        QCOMPARE(errorOf([] { json::parse("{\"a\":1,\"a\":2}"); }).message(),
                 QStringLiteral("JSON is malformed at line 1, column 10: key \"a\" is there twice"));
        QVERIFY(errorOf([] { json::parse("18446744073709551616"); })
                    .message()
                    .contains(QLatin1String("integer 18446744073709551616 does not fit into 64 bits")));
    }

    void depthIsLimited()
    {
        const auto lists = [](int depth) { return QByteArray(depth, '[') + QByteArray(depth, ']'); };
        const Value deepest = json::parse(lists(json::maxDepth));

        QCOMPARE(json::write(deepest), lists(json::maxDepth));
        QCOMPARE(nameOf(errorOf([&] { json::parse(lists(json::maxDepth + 1)); })),
                 QStringLiteral("value/invalid_json"));
        QCOMPARE(nameOf(errorOf([&] { json::parse(QByteArray(2000000, '[')); })), QStringLiteral("value/invalid_json"));
        QCOMPARE(nameOf(errorOf([&] { json::parse(QByteArray("{\"a\":").repeated(100000)); })),
                 QStringLiteral("value/invalid_json"));
        QCOMPARE(nameOf(errorOf([&] { json::write(Value::array({deepest})); })), QStringLiteral("value/too_deep"));
    }

    void truncationAtEveryByteIsRefused()
    {
        const QByteArray text = "{\"a\":[1,2.5e3,\"x\\u00fc\",true,null],\"b\":{\"c\":\"ü\"}}";
        QVERIFY(json::parse(text).isMap());

        for (qsizetype length = 0; length < text.size(); ++length)
            QCOMPARE(nameOf(errorOf([&] { json::parse(text.first(length)); })), QStringLiteral("value/invalid_json"));
    }

    void plainFormIsForPeople()
    {
        const Value value =
            Value::array({QByteArray("\xff\x00", 2), Value::undefined(), NAN, -INFINITY, Value(UINT64_MAX),
                          Value::tagged(5, "x"), Value::tagged(1, 1700000000.123), Value::tagged(1, 1700000000)});

        QCOMPARE(json::write(value), QByteArray("[\"/wA=\",null,null,null,18446744073709551615,\"x\","
                                                "\"2023-11-14T22:13:20.123Z\",\"2023-11-14T22:13:20.000Z\"]"));
    }

    void prettyFormHasOneEntryALine()
    {
        QCOMPARE(json::writePretty(json::parse("{\"a\":[1,{}],\"b\":[]}")),
                 QByteArray("{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}"));
    }

    void extendedForm_data()
    {
        QTest::addColumn<Value>("value");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("bytes") << Value(QByteArray("hi")) << QByteArray("[\"$Uint8Array\",\"aGk=\"]");
        QTest::newRow("undefined") << Value::undefined() << QByteArray("[\"$Undefined\",0]");
        QTest::newRow("safe integer") << Value(9007199254740991) << QByteArray("9007199254740991");
        QTest::newRow("unsafe integer") << Value(9007199254740992) << QByteArray("[\"$BigInt\",\"9007199254740992\"]");
        QTest::newRow("unsafe by one") << Value(9007199254740993) << QByteArray("[\"$BigInt\",\"9007199254740993\"]");
        QTest::newRow("unsafe negative") << Value(INT64_MIN) << QByteArray("[\"$BigInt\",\"-9223372036854775808\"]");
        QTest::newRow("unsigned") << Value(UINT64_MAX) << QByteArray("[\"$BigInt\",\"18446744073709551615\"]");
        QTest::newRow("a list that looks like a form")
            << Value::array({"$BigInt", "5"}) << QByteArray("[\"$$BigInt\",\"5\"]");
        QTest::newRow("a list that looks escaped") << Value::array({"$$x", 1}) << QByteArray("[\"$$$x\",1]");
        QTest::newRow("three items are no form") << Value::array({"$BigInt", 1, 2}) << QByteArray("[\"$BigInt\",1,2]");
        QTest::newRow("nested") << Value::map({{QStringLiteral("k"), Value::array({"$a", QByteArray()})}})
                                << QByteArray("{\"k\":[\"$$a\",[\"$Uint8Array\",\"\"]]}");
    }
    void extendedForm()
    {
        QFETCH(Value, value);
        QFETCH(QByteArray, text);

        QCOMPARE(json::write(value, json::Form::Extended), text);
        QVERIFY(json::parse(text, json::Form::Extended).identical(value));
        QCOMPARE(json::write(json::toExtended(value)), text);
        QVERIFY(json::fromExtended(json::parse(text)).identical(value));
    }

    void otherFormsOfTheClientAreRead()
    {
        const auto parsed = [](const char *text) { return json::parse(text, json::Form::Extended); };

        QCOMPARE(parsed("[\"$ArrayBuffer\",\"aGk=\"]"), Value(QByteArray("hi")));
        QCOMPARE(parsed("[\"$Set\",[1,[\"$BigInt\",\"2\"]]]"), Value::array({1, 2}));
        for (const char *text :
             {"[\"$Nonsense\",1]", "[\"$BigInt\",\"1.5\"]", "[\"$BigInt\",5]", "[\"$BigInt\",\"18446744073709551616\"]",
              "[\"$Uint8Array\",\"?\"]", "[\"$Uint8Array\",5]", "[\"$Set\",5]"})
            QCOMPARE(nameOf(errorOf([&] { parsed(text); })), QStringLiteral("value/invalid_json"));
    }

    void randomValuesSurvive()
    {
        testing::RandomValues random;
        int kept = 0;
        for (int round = 0; round < 3000; ++round) {
            const Value value = random.value();
            const QByteArray text = json::write(value, json::Form::Extended);
            const Value back = json::parse(text, json::Form::Extended);
            if (extendedKeeps(value)) {
                ++kept;
                QVERIFY2(back.identical(value), text.constData());
            }
            QVERIFY2(json::write(back, json::Form::Extended) == text, text.constData());
            QVERIFY2(json::parse(json::writePretty(value)) == json::parse(json::write(value)), text.constData());
        }
        QVERIFY(kept > 500);
    }

    void brokenTextNeverCrashes()
    {
        testing::RandomValues random;
        int refused = 0;
        for (int round = 0; round < 5000; ++round) {
            QByteArray text = json::write(random.value(3), json::Form::Extended);
            for (int flips = 1 + random.below(3); flips > 0; --flips)
                text[random.below(int(text.size()))] = char(random.below(256));
            const Error error = errorOf([&] { json::parse(text, json::Form::Extended); });
            if (error.group() == QLatin1String("value"))
                ++refused;
            else
                QCOMPARE(error.group(), QStringLiteral("no"));
        }
        QVERIFY(refused > 500);
    }
};

QTEST_GUILESS_MAIN(tst_Json)
#include "tst_json.moc"
