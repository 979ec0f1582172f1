// C++ types to values and back: both ways of encoding agree byte for byte, and errors name the place.

#include "core/value/random_value.h"
#include "value/cbor.h"

#include <terrarium/error.h>
#include <terrarium/value_codec.h>

#include <QTest>

#include <cmath>

using namespace terrarium;
using namespace std::chrono_literals;

namespace {

enum class Colour : quint8 { Red, Green, Blue };

struct Point {
    int x = 0;
    int y = 0;
    ACTOR_FIELDS(Point, x, y)

    friend bool operator==(const Point &, const Point &) = default;
};

template <typename T>
struct Box {
    T content{};
    QString label;
    ACTOR_FIELDS(Box, content, label)

    friend bool operator==(const Box &, const Box &) = default;
};

struct Tree {
    QString name;
    QList<Tree> children;
    ACTOR_FIELDS(Tree, name, children)

    friend bool operator==(const Tree &, const Tree &) = default;
};

struct Everything {
    bool flag = true;
    qint8 tiny = -128;
    quint8 byte = 255;
    short small = -32768;
    unsigned count = 4000000000u;
    qint64 lowest = INT64_MIN;
    quint64 highest = UINT64_MAX;
    float single = 0.1f;
    double number = 0.2345678901234568;
    QString text = QStringLiteral("Grüße, 世界 😀");
    std::string narrow = "na\xc3\xafve";
    QByteArray bytes = QByteArray("\0\xff", 2);
    std::optional<int> none;
    std::optional<QString> some = QStringLiteral("here");
    QList<Point> points{Point{1, 2}, Point{3, 4}};
    std::vector<bool> bits{true, false};
    std::array<int, 3> three{1, 2, 3};
    QMap<QString, int> sorted{{QStringLiteral("b"), 2}, {QStringLiteral("a"), 1}};
    QHash<QString, Point> hashed{{QStringLiteral("z"), Point{1, 1}}, {QStringLiteral("y"), Point{2, 2}}};
    std::map<std::string, double> standard{{"k", 1.0}};
    std::unordered_map<std::string, int> unordered{{"q", 1}, {"p", 2}};
    std::pair<int, QString> pair{7, QStringLiteral("seven")};
    std::tuple<int, double, bool> tuple{1, 2.5, true};
    Colour colour = Colour::Blue;
    std::chrono::milliseconds delay = 1500ms;
    std::chrono::hours day = 24h;
    std::chrono::duration<double> fraction{0.0015};
    QDateTime date = QDateTime::fromMSecsSinceEpoch(1700000000123, Qt::UTC);
    QDateTime noDate;
    Value any = Value::array({1, "two", 3.0});
    Box<Point> box{{5, 6}, QStringLiteral("boxed")};
    Tree tree{QStringLiteral("root"), {Tree{QStringLiteral("leaf"), {}}}};
    ACTOR_FIELDS(Everything, flag, tiny, byte, small, count, lowest, highest, single, number, text, narrow, bytes, none,
                 some, points, bits, three, sorted, hashed, standard, unordered, pair, tuple, colour, delay, day,
                 fraction, date, noDate, any, box, tree)

    friend bool operator==(const Everything &, const Everything &) = default;
};

template <typename Call>
QString errorOf(Call call)
{
    try {
        call();
    } catch (const Error &error) {
        return error.text();
    }
    return QStringLiteral("no error");
}

/// The error of both ways of reading `value`, which must be the same.
template <typename T>
QString readingError(const Value &value)
{
    const QString slow = errorOf([&] { decodeValue<T>(value); });
    const QString fast = errorOf([&] { decodeCbor<T>(cbor::encode(value)); });
    return slow == fast ? slow : slow + QLatin1String(" | ") + fast;
}

template <typename T>
bool survives(const T &value)
{
    const QByteArray fast = encodeCbor(value);
    return fast == cbor::encode(encodeValue(value)) && decodeCbor<T>(fast) == value
           && decodeValue<T>(cbor::decode(fast)) == value;
}

} // namespace

class tst_ValueCodec : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyTypeSurvivesBothWays()
    {
        const Everything everything;
        const QByteArray fast = encodeCbor(everything);

        QCOMPARE(fast.toHex(), cbor::encode(encodeValue(everything)).toHex());
        QVERIFY(decodeCbor<Everything>(fast) == everything);
        QVERIFY(decodeValue<Everything>(cbor::decode(fast)) == everything);
        QVERIFY(survives(std::numeric_limits<double>::denorm_min()));
        QVERIFY(survives(-0.0f));
        QVERIFY(std::isnan(decodeCbor<float>(encodeCbor(NAN))));
    }

    void structBecomesMapInDeclaredOrder()
    {
        const Value value = encodeValue(Point{3, -4});

        QVERIFY(value.identical(Value::map({{QStringLiteral("x"), 3}, {QStringLiteral("y"), -4}})));
    }

    void localStructsWork()
    {
        struct Local {
            int one = 1;
            ACTOR_FIELDS(Local, one)
        };

        QCOMPARE(decodeCbor<Local>(encodeCbor(Local{5})).one, 5);
    }

    void unorderedMapsAreSortedByKey()
    {
        QHash<QString, int> hash;
        for (int i = 0; i < 100; ++i)
            hash.insert(QStringLiteral("key%1").arg(i, 3, 10, QLatin1Char('0')), i);
        const Value value = encodeValue(hash);

        for (int i = 0; i < 100; ++i)
            QCOMPARE(value.entries()[std::size_t(i)].second, Value(i));
        QCOMPARE(encodeCbor(hash), cbor::encode(value));
    }

    void missingFieldsKeepDefaultsAndUnknownAreIgnored()
    {
        const Value older = Value::map({{QStringLiteral("y"), 9}, {QStringLiteral("gone"), Value::array({1})}});

        QCOMPARE(decodeValue<Point>(older), (Point{0, 9}));
        QCOMPARE(decodeCbor<Point>(cbor::encode(older)), (Point{0, 9}));
    }

    void fieldsAreReadInAnyOrder()
    {
        const Value swapped = Value::map({{QStringLiteral("y"), 2}, {QStringLiteral("x"), 1}});

        QCOMPARE(decodeCbor<Point>(cbor::encode(swapped)), (Point{1, 2}));
    }

    void duplicateKeysAreRefused_data()
    {
        QTest::addColumn<QByteArray>("hex");
        QTest::newRow("known") << QByteArray("a2617801617802");
        QTest::newRow("unknown") << QByteArray("a2617a01617a02");
        QTest::newRow("inside an unknown") << QByteArray("a1617aa2616101616102");
    }
    void duplicateKeysAreRefused()
    {
        QFETCH(QByteArray, hex);
        const QByteArray bytes = QByteArray::fromHex(hex);

        QVERIFY(errorOf([&] { cbor::decode(bytes); }).startsWith(QLatin1String("value/invalid_cbor")));
        QVERIFY(errorOf([&] { decodeCbor<Point>(bytes); }).startsWith(QLatin1String("value/invalid_cbor")));
        QVERIFY(errorOf([] {
                    decodeCbor<QMap<QString, int>>(QByteArray::fromHex("a2617801617802"));
                }).startsWith(QLatin1String("value/invalid_cbor")));
    }

    void wholeNumbersAreRangeChecked()
    {
        QCOMPARE(readingError<quint8>(256),
                 QStringLiteral("value/out_of_range: \"$\" is 256, which does not fit into 8 bits without sign"));
        QCOMPARE(readingError<quint8>(-1),
                 QStringLiteral("value/out_of_range: \"$\" is -1, which does not fit into 8 bits without sign"));
        QCOMPARE(readingError<qint8>(128),
                 QStringLiteral("value/out_of_range: \"$\" is 128, which does not fit into 8 bits with sign"));
        QCOMPARE(readingError<qint8>(-129),
                 QStringLiteral("value/out_of_range: \"$\" is -129, which does not fit into 8 bits with sign"));
        QCOMPARE(readingError<qint64>(Value(UINT64_MAX)),
                 QStringLiteral(
                     "value/out_of_range: \"$\" is 18446744073709551615, which does not fit into 64 bits with sign"));
        QCOMPARE(readingError<quint64>(-1),
                 QStringLiteral("value/out_of_range: \"$\" is -1, which does not fit into 64 bits without sign"));
        QCOMPARE(readingError<quint64>(Value(UINT64_MAX)), QStringLiteral("no error"));
        QCOMPARE(readingError<qint64>(Value(INT64_MIN)), QStringLiteral("no error"));
    }

    void wholeNumbersAndDoublesMeetWhereNothingIsRounded()
    {
        QCOMPARE(decodeValue<int>(5.0), 5);
        QCOMPARE(decodeCbor<qint64>(encodeCbor(-0x1p63)), INT64_MIN);
        QCOMPARE(decodeValue<quint64>(0x1p63), quint64(1) << 63);
        QCOMPARE(decodeValue<double>(qint64(1) << 53), 0x1p53);
        QCOMPARE(readingError<int>(1.5),
                 QStringLiteral("value/out_of_range: \"$\" is 1.5, which is no whole number of 64 bits"));
        QCOMPARE(
            readingError<quint64>(0x1p64),
            QStringLiteral("value/out_of_range: \"$\" is 18446744073709551616.0, which is no whole number of 64 bits"));
        QCOMPARE(readingError<int>(NAN),
                 QStringLiteral("value/out_of_range: \"$\" is NaN, which is no whole number of 64 bits"));
        QCOMPARE(readingError<double>((qint64(1) << 53) + 1),
                 QStringLiteral("value/out_of_range: \"$\" is 9007199254740993, which a double would round"));
        QCOMPARE(readingError<double>(Value(INT64_MAX)),
                 QStringLiteral("value/out_of_range: \"$\" is 9223372036854775807, which a double would round"));
        QCOMPARE(readingError<double>(Value(UINT64_MAX)),
                 QStringLiteral("value/out_of_range: \"$\" is 18446744073709551615, which a double would round"));
        QCOMPARE(readingError<double>(Value(INT64_MIN)), QStringLiteral("no error"));
        QCOMPARE(readingError<float>(1e39),
                 QStringLiteral("value/out_of_range: \"$\" is 1e+39, which does not fit into a float"));
    }

    void errorsNameThePlaceAndTheKind()
    {
        const Value value = Value::map(
            {{QStringLiteral("points"), Value::array({Value::map(), Value::map({{QStringLiteral("x"), "one"}})})}});

        QCOMPARE(readingError<Everything>(value),
                 QStringLiteral("value/wrong_kind: \"points[1].x\" must be of kind int but is text"));
        QCOMPARE(readingError<Everything>(
                     Value::map({{QStringLiteral("sorted"), Value::map({{QStringLiteral("a b"), true}})}})),
                 QStringLiteral("value/wrong_kind: \"sorted[\"a b\"]\" must be of kind int but is bool"));
        QCOMPARE(readingError<Point>(Value()),
                 QStringLiteral("value/wrong_kind: \"$\" must be of kind map but is null"));
        QCOMPARE(readingError<QString>(QByteArray("x")),
                 QStringLiteral("value/wrong_kind: \"$\" must be of kind text but is bytes"));
        QCOMPARE(readingError<QList<int>>(Value::map()),
                 QStringLiteral("value/wrong_kind: \"$\" must be of kind list but is map"));
        QCOMPARE((readingError<std::pair<int, int>>(Value::array({1}))),
                 QStringLiteral("value/wrong_length: \"$\" must be a list of 2 but has 1"));
    }

    void argumentNamesComeFirst()
    {
        const QString text = errorOf([] {
            decodeValue<Point>(Value::map({{QStringLiteral("x"), "a"}}), ValuePlace(ValuePlace(), u"by"));
        });

        QCOMPARE(text, QStringLiteral("value/wrong_kind: \"by.x\" must be of kind int but is text"));
    }

    void metadataHasPathExpectedAndFound()
    {
        try {
            decodeValue<Point>(Value::map({{QStringLiteral("x"), Value()}}));
            QFAIL("not refused");
        } catch (const Error &error) {
            QCOMPARE(error.metadata()["path"], Value("x"));
            QCOMPARE(error.metadata()["expected"], Value("int"));
            QCOMPARE(error.metadata()["found"], Value("null"));
        }
    }

    void datesAreReadInEveryFormClientsSend()
    {
        const QDateTime date = QDateTime::fromMSecsSinceEpoch(1700000000123, Qt::UTC);

        QCOMPARE(decodeValue<QDateTime>(1700000000123), date);
        QCOMPARE(decodeValue<QDateTime>(Value::tagged(1, 1700000000.123)), date);
        QCOMPARE(decodeValue<QDateTime>(Value::tagged(0, "2023-11-14T22:13:20.123Z")), date);
        QCOMPARE(decodeValue<QDateTime>("2023-11-14T22:13:20.123Z"), date);
        QCOMPARE(readingError<QDateTime>("tomorrow"),
                 QStringLiteral("value/invalid_text: \"$\" is not readable as this kind of text"));
        QCOMPARE(readingError<QDateTime>(NAN),
                 QStringLiteral("value/out_of_range: \"$\" is NaN, which is no date of the next ten thousand years"));
    }

    void durationsThatWouldBeRoundedAreRefused()
    {
        QCOMPARE(readingError<std::chrono::seconds>(1500),
                 QStringLiteral("value/out_of_range: \"$\" is 1500, which is no whole number of this duration's unit, "
                                "in milliseconds"));
        QCOMPARE(decodeValue<std::chrono::seconds>(3000), 3s);
        QVERIFY(errorOf([] {
                    encodeValue(std::chrono::hours(INT64_MAX / 1000));
                }).startsWith(QLatin1String("value/out_of_range")));
    }

    void brokenStdStringIsRefusedAndOutputIsAsBefore()
    {
        QByteArray out("kept");

        QVERIFY(errorOf([&] {
                    encodeCbor(std::vector<std::string>{"ok", "\xff"}, out);
                }).startsWith(QLatin1String("value/invalid_text")));
        QCOMPARE(out, QByteArray("kept"));
    }

    void tooDeepStructIsRefusedWhenWritten()
    {
        Tree tree;
        for (int i = 0; i < 499; ++i)
            tree = Tree{QString(), {tree}};
        QVERIFY(decodeCbor<Tree>(encodeCbor(tree)) == tree); // each level is a map and a list
        tree = Tree{QString(), {tree}};

        QVERIFY(errorOf([&] { encodeCbor(tree); }).startsWith(QLatin1String("value/too_deep")));
        QVERIFY(errorOf([&] { cbor::encode(encodeValue(tree)); }).startsWith(QLatin1String("value/too_deep")));
    }

    void truncationAtEveryByteIsRefused()
    {
        const QByteArray whole = encodeCbor(Everything());

        for (qsizetype length = 0; length < whole.size(); ++length)
            QVERIFY(errorOf([&] { decodeCbor<Everything>(whole.first(length)); }).startsWith(QLatin1String("value/")));
    }

    void bothWaysTakeAndRefuseTheSame()
    {
        testing::RandomValues random;
        const QByteArray whole = encodeCbor(Everything());
        int taken = 0;
        for (int round = 0; round < 5000; ++round) {
            QByteArray bytes;
            if (random.below(2)) { // the right shape with another value somewhere
                Value value = cbor::decode(whole);
                value.mutableEntry(random.below(int(value.size()))) = random.value(2);
                bytes = cbor::encode(value);
            } else { // broken bytes
                bytes = whole;
                bytes[random.below(int(bytes.size()))] = char(random.below(256));
            }
            std::optional<Everything> slow;
            std::optional<Everything> fast;
            const QString slowError = errorOf([&] { slow = decodeValue<Everything>(cbor::decode(bytes)); });
            const QString fastError = errorOf([&] { fast = decodeCbor<Everything>(bytes); });

            QVERIFY2(slow.has_value() == fast.has_value(), qPrintable(slowError + QLatin1String(" | ") + fastError));
            if (slow) {
                ++taken;
                QCOMPARE(encodeCbor(*slow).toHex(), encodeCbor(*fast).toHex()); // by bytes, because of NaN
            }
        }
        QVERIFY(taken > 500);
    }

    void typeNamesAreWhatFormsAskFor()
    {
        QCOMPARE(typeName<int>(), QLatin1String("int"));
        QCOMPARE(typeName<const quint64 &>(), QLatin1String("int"));
        QCOMPARE(typeName<Colour>(), QLatin1String("int"));
        QCOMPARE(typeName<float>(), QLatin1String("number"));
        QCOMPARE(typeName<const QString &>(), QLatin1String("text"));
        QCOMPARE(typeName<std::optional<std::string>>(), QLatin1String("text"));
        QCOMPARE(typeName<bool>(), QLatin1String("bool"));
        QCOMPARE(typeName<QByteArray>(), QLatin1String("bytes"));
        QCOMPARE(typeName<QStringList>(), QLatin1String("list"));
        QCOMPARE((typeName<std::tuple<int, int>>()), QLatin1String("list"));
        QCOMPARE((typeName<QHash<QString, int>>()), QLatin1String("map"));
        QCOMPARE(typeName<Point>(), QLatin1String("map"));
        QCOMPARE(typeName<Value>(), QLatin1String("any"));
        QVERIFY(isOptional<std::optional<int>> && !isOptional<int>);
    }
};

QTEST_GUILESS_MAIN(tst_ValueCodec)
#include "tst_value_codec.moc"
