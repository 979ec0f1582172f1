// CBOR: the examples of RFC 8949, Qt's reader as a second opinion, and everything that must be refused.

#include "core/value/random_value.h"
#include "value/cbor.h"
#include "value/cbor_text.h"

#include <terrarium/error.h>

#include <QCborStreamReader>
#include <QCborValue>
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

/// The next item of Qt's reader, as a value.
Value fromQt(QCborStreamReader &reader)
{
    switch (reader.type()) {
    case QCborStreamReader::UnsignedInteger: {
        const quint64 number = reader.toUnsignedInteger();
        reader.next();
        return number;
    }
    case QCborStreamReader::NegativeInteger: {
        const qint64 number = qint64(reader.toNegativeInteger()); // the absolute value, wrapped
        reader.next();
        return qint64(-quint64(number));
    }
    case QCborStreamReader::ByteArray:
    case QCborStreamReader::TextString: {
        const bool isText = reader.isString();
        QByteArray bytes;
        QString text;
        for (;;) {
            if (isText) {
                const auto chunk = reader.readString();
                if (chunk.status != QCborStreamReader::Ok)
                    break;
                text += chunk.data;
            } else {
                const auto chunk = reader.readByteArray();
                if (chunk.status != QCborStreamReader::Ok)
                    break;
                bytes += chunk.data;
            }
        }
        return isText ? Value(text) : Value(bytes);
    }
    case QCborStreamReader::Array: {
        Value array = Value::array();
        reader.enterContainer();
        while (reader.lastError() == QCborError::NoError && reader.hasNext())
            array.append(fromQt(reader));
        reader.leaveContainer();
        return array;
    }
    case QCborStreamReader::Map: {
        Value map = Value::map();
        reader.enterContainer();
        while (reader.lastError() == QCborError::NoError && reader.hasNext()) {
            const QString key = fromQt(reader).toText();
            map.set(key, fromQt(reader));
        }
        reader.leaveContainer();
        return map;
    }
    case QCborStreamReader::Tag: {
        const quint64 tag = quint64(reader.toTag());
        reader.next();
        return Value::tagged(tag, fromQt(reader));
    }
    case QCborStreamReader::SimpleType: {
        const QCborSimpleType type = reader.toSimpleType();
        reader.next();
        if (type == QCborSimpleType::Null)
            return Value();
        return type == QCborSimpleType::Undefined ? Value::undefined() : Value(type == QCborSimpleType::True);
    }
    case QCborStreamReader::Float16: {
        const double number = float(reader.toFloat16());
        reader.next();
        return number;
    }
    case QCborStreamReader::Float: {
        const double number = reader.toFloat();
        reader.next();
        return number;
    }
    case QCborStreamReader::Double: {
        const double number = reader.toDouble();
        reader.next();
        return number;
    }
    case QCborStreamReader::Invalid: break;
    }
    return Value("invalid");
}

} // namespace

class tst_Cbor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Appendix A of RFC 8949, where this side can hold it.
    void readsTheExamplesOfTheStandard_data()
    {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isOurForm"); // what encode() gives back
        const auto row = [](const char *hex, const char *text, bool isOurForm = true) {
            QTest::newRow(hex) << QByteArray(hex) << QString::fromUtf8(text) << isOurForm;
        };
        row("00", "0");
        row("17", "23");
        row("1818", "24");
        row("1903e8", "1000");
        row("1a000f4240", "1000000");
        row("1b000000e8d4a51000", "1000000000000");
        row("1b7fffffffffffffff", "9223372036854775807");
        row("1b8000000000000000", "9223372036854775808");
        row("1bffffffffffffffff", "18446744073709551615");
        row("20", "-1");
        row("3863", "-100");
        row("3903e7", "-1000");
        row("3b7fffffffffffffff", "-9223372036854775808");
        row("1b0000000000000001", "1", false);
        row("f90000", "0.0", false);
        row("f98000", "-0.0", false);
        row("f93c00", "1.0", false);
        row("f93e00", "1.5", false);
        row("f97bff", "65504.0", false);
        row("f90001", "5.960464477539063e-08", false);
        row("f90400", "0.00006103515625", false);
        row("f9c400", "-4.0", false);
        row("fa47c35000", "100000.0", false);
        row("fa7f7fffff", "3.4028234663852886e+38", false);
        row("fb3ff199999999999a", "1.1");
        row("fb7e37e43c8800759c", "1e+300");
        row("f97c00", "Infinity", false);
        row("f9fc00", "-Infinity", false);
        row("f97e00", "NaN", false);
        row("fa7f800000", "Infinity", false);
        row("fb7ff8000000000000", "NaN");
        row("f4", "false");
        row("f5", "true");
        row("f6", "null");
        row("f7", "undefined");
        row("c074323031332d30332d32315432303a30343a30305a", "0(\"2013-03-21T20:04:00Z\")");
        row("c11a514b67b0", "1(1363896240)");
        row("d74401020304", "23(h'01020304')");
        row("40", "h''");
        row("60", "\"\"");
        row("62225c", "\"\\\"\\\\\"");
        row("62c3bc", "\"ü\"");
        row("63e6b0b4", "\"水\"");
        row("64f0908591", "\"𐅑\"");
        row("80", "[]");
        row("83010203", "[1, 2, 3]");
        row("8301820203820405", "[1, [2, 3], [4, 5]]");
        row("a0", "{}");
        row("a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}");
        row("5f42010243030405ff", "h'0102030405'", false);
        row("7f657374726561646d696e67ff", "\"streaming\"", false);
        row("7fff", "\"\"", false);
        row("9fff", "[]", false);
        row("9f018202039f0405ffff", "[1, [2, 3], [4, 5]]", false);
        row("bf61610161629f0203ffff", "{\"a\": 1, \"b\": [2, 3]}", false);
        row("b90001616101", "{\"a\": 1}", false);
    }
    void readsTheExamplesOfTheStandard()
    {
        QFETCH(QByteArray, hex);
        QFETCH(QString, text);
        QFETCH(bool, isOurForm);
        const Value value = cbor::decode(QByteArray::fromHex(hex));

        QCOMPARE(cbor::diagnostic(value), text);
        if (isOurForm)
            QCOMPARE(cbor::encode(value).toHex(), hex);
        QVERIFY(cbor::decode(cbor::encode(value)).identical(value));
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("hex");
        QTest::addColumn<int>("offset");
        QTest::newRow("nothing") << QByteArray() << 0;
        QTest::newRow("trailing byte") << QByteArray("0000") << 1;
        QTest::newRow("duplicate key") << QByteArray("a2616101616102") << 4;
        QTest::newRow("duplicate key, one in pieces") << QByteArray("a26161017f6161ff02") << 4;
        QTest::newRow("key is a number") << QByteArray("a10102") << 1;
        QTest::newRow("key is bytes") << QByteArray("a1416102") << 1;
        QTest::newRow("below -2^63") << QByteArray("3b8000000000000000") << 0;
        QTest::newRow("-2^64") << QByteArray("3bffffffffffffffff") << 0;
        QTest::newRow("reserved additional information 28") << QByteArray("1c") << 0;
        QTest::newRow("reserved in a list head") << QByteArray("9e") << 0;
        QTest::newRow("integer of indefinite length") << QByteArray("1f") << 0;
        QTest::newRow("negative of indefinite length") << QByteArray("3f") << 0;
        QTest::newRow("tag of indefinite length") << QByteArray("df00") << 0;
        QTest::newRow("lone break") << QByteArray("ff") << 0;
        QTest::newRow("break in a definite list") << QByteArray("81ff") << 1;
        QTest::newRow("break after a key") << QByteArray("bf6161ff") << 3;
        QTest::newRow("simple 16") << QByteArray("f0") << 0;
        QTest::newRow("simple 255") << QByteArray("f8ff") << 0;
        QTest::newRow("simple 24 in two bytes") << QByteArray("f818") << 0;
        QTest::newRow("text longer than the input") << QByteArray("7affffffff61") << 0;
        QTest::newRow("bytes of 2^64-1") << QByteArray("5bffffffffffffffff") << 0;
        QTest::newRow("list of 2^64-1") << QByteArray("9bffffffffffffffff00") << 0;
        QTest::newRow("map of 2^63") << QByteArray("bb80000000000000006161") << 0;
        QTest::newRow("map with half an entry") << QByteArray("a16161") << 3;
        QTest::newRow("piece of the other kind") << QByteArray("7f4161ff") << 1;
        QTest::newRow("piece without length") << QByteArray("7f7f6161ffff") << 1;
        QTest::newRow("unended text") << QByteArray("7f6161") << 3;
        QTest::newRow("unended list") << QByteArray("9f01") << 2;
        QTest::newRow("tag without item") << QByteArray("c1") << 1;
        QTest::newRow("lone continuation") << QByteArray("6180") << 1;
        QTest::newRow("overlong slash") << QByteArray("62c0af") << 1;
        QTest::newRow("overlong three") << QByteArray("63e08080") << 1;
        QTest::newRow("encoded surrogate") << QByteArray("63eda080") << 1;
        QTest::newRow("beyond U+10FFFF") << QByteArray("64f4908080") << 1;
        QTest::newRow("cut character") << QByteArray("6261c3") << 2;
        QTest::newRow("character across pieces") << QByteArray("7f61c361bcff") << 2;
        QTest::newRow("bad key") << QByteArray("a161ff01") << 2;
        QTest::newRow("cut double") << QByteArray("fb3ff1999999") << 6;
        QTest::newRow("cut half") << QByteArray("f93c") << 2;
    }
    void refuses()
    {
        QFETCH(QByteArray, hex);
        QFETCH(int, offset);

        const Error error = errorOf([&] { cbor::decode(QByteArray::fromHex(hex)); });

        QCOMPARE(nameOf(error), QStringLiteral("value/invalid_cbor"));
        QCOMPARE(error.metadata()["offset"], Value(offset));
    }

    void depthIsLimited()
    {
        const auto lists = [](int depth) { return QByteArray(depth, '\x81') + '\0'; };
        const auto maps = [](int depth) { return QByteArray("\xa1\x61k", 3).repeated(depth) + '\0'; };
        const auto tags = [](int depth) { return QByteArray(depth, '\xc1') + '\0'; };
        const auto open = [](int depth) { return QByteArray(depth, '\x9f') + QByteArray(depth, '\xff'); };
        for (const auto &make : {std::function<QByteArray(int)>(lists), std::function<QByteArray(int)>(maps),
                                 std::function<QByteArray(int)>(tags), std::function<QByteArray(int)>(open)}) {
            const Value deepest = cbor::decode(make(cbor::maxDepth));
            QVERIFY(cbor::decode(cbor::encode(deepest)) == deepest);
            QCOMPARE(nameOf(errorOf([&] { cbor::decode(make(cbor::maxDepth + 1)); })),
                     QStringLiteral("value/invalid_cbor"));
            QCOMPARE(nameOf(errorOf([&] { cbor::decode(make(2000000)); })), QStringLiteral("value/invalid_cbor"));
            QCOMPARE(nameOf(errorOf([&] { cbor::encode(Value::array({deepest})); })), QStringLiteral("value/too_deep"));
        }
    }

    void failedEncodingLeavesTheOutputAsBefore()
    {
        QByteArray out("kept");
        Value deep;
        for (int i = 0; i < 1500; ++i)
            deep = Value::array({QStringLiteral("text"), deep});

        QCOMPARE(nameOf(errorOf([&] { cbor::encode(deep, out); })), QStringLiteral("value/too_deep"));
        QCOMPARE(out, QByteArray("kept"));
        cbor::encode(Value(1), out);
        QCOMPARE(out, QByteArray("kept\x01"));
    }

    void hugeClaimsCostNoMemory()
    {
        // A thousand lists, each of which says that it fills the rest of a large input.
        QByteArray bytes;
        for (int i = 0; i < 1000; ++i)
            bytes += QByteArray::fromHex("9a000fffff");
        bytes += QByteArray(0x110000, '\0');

        QCOMPARE(nameOf(errorOf([&] { cbor::decode(bytes); })), QStringLiteral("value/invalid_cbor"));
    }

    void halfSurrogatesBecomeReplacementsButNeverInKeys()
    {
        const QString half = QStringLiteral("a") + QChar(0xd83d) + QStringLiteral("b");

        QCOMPARE(cbor::decode(cbor::encode(half)), Value("a\xef\xbf\xbd"
                                                         "b"));
        QCOMPARE(cbor::encodedSize(half), cbor::encode(half).size());
        QCOMPARE(nameOf(errorOf([&] { cbor::encode(Value::map({{half, 1}})); })), QStringLiteral("value/invalid_text"));
    }

    void byteOrderMarksStay()
    {
        const Value value = QString(QChar(0xfeff)) + QStringLiteral("x");

        QCOMPARE(cbor::decode(cbor::encode(value)).toText().size(), 2);
    }

    void keysThatLookAlikeInLatin1StayApart()
    {
        const Value value =
            Value::array({Value::map({{QStringLiteral("Ã©"), 1}}), Value::map({{QStringLiteral("é"), 2}}),
                          Value::map({{QStringLiteral("Ã©"), 3}})});

        QVERIFY(cbor::decode(cbor::encode(value)).identical(value));
    }

    void everyHalfFloatAgreesWithQt()
    {
        for (int bits = 0; bits < 0x10000; ++bits) {
            const QByteArray bytes = QByteArray("\xf9", 1) + char(bits >> 8) + char(bits & 0xff);
            QCborStreamReader reader(bytes);
            const Value expected = fromQt(reader);
            if (cbor::decode(bytes) != expected)
                QFAIL(bytes.toHex().constData());
        }
    }

    void randomValuesSurviveAndAgreeWithQt()
    {
        testing::RandomValues random;
        for (int round = 0; round < 3000; ++round) {
            const Value value = random.value();
            const QByteArray bytes = cbor::encode(value);
            const QByteArray story = cbor::diagnostic(value).toUtf8();

            QVERIFY2(cbor::decode(bytes).identical(value), story.constData());
            QVERIFY2(cbor::encodedSize(value) == bytes.size(), story.constData());
            QCborStreamReader reader(bytes);
            QVERIFY2(fromQt(reader).identical(value), story.constData());
            QVERIFY2(reader.lastError() == QCborError::NoError || reader.lastError() == QCborError::EndOfFile,
                     story.constData());
        }
    }

    void truncationAtEveryByteIsRefused()
    {
        testing::RandomValues random;
        for (int round = 0; round < 100; ++round) {
            const QByteArray bytes = cbor::encode(random.value());
            for (qsizetype length = 0; length < bytes.size(); ++length) {
                const Error error = errorOf([&] { cbor::decode(bytes.first(length)); });
                QCOMPARE(nameOf(error), QStringLiteral("value/invalid_cbor"));
                QVERIFY(error.metadata()["offset"].toInt() <= length);
            }
        }
    }

    void brokenBytesAreTakenExactlyOrRefused()
    {
        testing::RandomValues random;
        int taken = 0;
        for (int round = 0; round < 20000; ++round) {
            QByteArray bytes = cbor::encode(random.value(3));
            for (int flips = 1 + random.below(3); flips > 0; --flips)
                bytes[random.below(int(bytes.size()))] = char(random.below(256));
            Value value;
            const Error error = errorOf([&] { value = cbor::decode(bytes); });
            if (error.group() == QLatin1String("value"))
                continue;
            ++taken;
            // What is taken is what was meant: it comes back from our own form.
            QVERIFY2(cbor::decode(cbor::encode(value)).identical(value), bytes.toHex().constData());
        }
        QVERIFY(taken > 100);
    }

    void streamsWriteWhatValuesGive()
    {
        QByteArray out;
        {
            CborWriter writer(out);
            writer.map(3);
            writer.utf8("list");
            writer.array(4);
            writer.integer(-1000000);
            writer.unsignedInteger(UINT64_MAX);
            writer.number(0.5);
            writer.boolean(true);
            writer.key(u"ключ");
            writer.text(u"😀");
            writer.utf8("rest");
            writer.encoded(cbor::encode(Value::tagged(1000, QByteArray(300, 'x'))));
        }

        QCOMPARE(out, cbor::encode(cbor::decode(out)));
        QCOMPARE(cbor::decode(out)["list"].at(1), Value(UINT64_MAX));
        QCOMPARE(cbor::decode(out)["rest"].untagged().toBytes().size(), 300);
    }

    void readersTakeItemsOneByOne()
    {
        const QByteArray bytes = cbor::encode(Value::map(
            {{QStringLiteral("a"), Value::array({1, -2, 2.5})}, {QStringLiteral("b"), Value::tagged(9, "t")}}));
        CborReader reader(bytes);
        CborReader::Items entries = reader.map();

        QVERIFY(reader.more(entries));
        QCOMPARE(reader.key().toByteArray(), QByteArray("a"));
        CborReader::Items items = reader.array();
        QVERIFY(reader.more(items));
        QCOMPARE(reader.integer(), qint64(1));
        QVERIFY(reader.more(items));
        QCOMPARE(reader.kind(), Value::Kind::Int);
        QCOMPARE(reader.integer(), qint64(-2));
        QVERIFY(reader.more(items));
        QCOMPARE(nameOf(errorOf([&] { CborReader(bytes).text(); })), QStringLiteral("value/invalid_cbor"));
        QCOMPARE(reader.number(), 2.5);
        QVERIFY(!reader.more(items));
        QVERIFY(reader.more(entries));
        QCOMPARE(reader.key().toByteArray(), QByteArray("b"));
        QCOMPARE(reader.kind(), Value::Kind::Tagged);
        QCOMPARE(reader.tag(), quint64(9));
        QCOMPARE(reader.text(), QStringLiteral("t"));
        reader.untag();
        QVERIFY(!reader.more(entries) && reader.atEnd());
    }

    void diagnosticTextHasIndentation()
    {
        const Value value =
            Value::map({{QStringLiteral("a"), Value::array({1, Value::map()})}, {QStringLiteral("b"), Value::array()}});

        QCOMPARE(cbor::diagnostic(value, 2), QStringLiteral("{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}"));
    }
};

QTEST_GUILESS_MAIN(tst_Cbor)
#include "tst_cbor.moc"
