// Either side may be newer: what the other does not know is skipped or answered, never misread.

#include "value/cbor.h"
#include "wire/codec.h"
#include "wire/sample_messages.h"

#include <QTest>

using namespace terrarium;
using namespace terrarium::wire;

namespace {

/// `frame` as a newer side would send it: with fields that this side does not have, at every level.
Value withMore(const Value &value)
{
    if (value.isArray()) {
        std::vector<Value> items;
        for (const Value &item : value.items())
            items.push_back(item.isMap() ? withMore(item) : item);
        return Value::array(items);
    }
    Value map = value;
    for (qsizetype i = 0; i < map.size(); ++i) {
        const MapEntry &entry = map.entries()[std::size_t(i)];
        // What a user put into these may not be touched.
        if (entry.first == QLatin1String("metadata") || entry.first == QLatin1String("value")
            || entry.first == QLatin1String("old"))
            continue;
        const bool isList = entry.second.isArray() && entry.second.at(0).isMap();
        if (entry.second.isMap() || isList)
            map.mutableEntry(i) = withMore(Value(entry.second));
    }
    map.set(QStringLiteral("newField"), Value::array({1, Value::map({{QStringLiteral("t"), "ping"}})}));
    return map;
}

Error errorOf(const std::function<void()> &call)
{
    try {
        call();
    } catch (const Error &error) {
        return error;
    }
    return Error(QStringLiteral("no"), QStringLiteral("error"), QString());
}

} // namespace

class tst_Versions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fieldsOfANewerSideAreIgnored()
    {
        for (const ReplyBody &body : samples::replies()) {
            const Value frame = cbor::decode(encode(ReplyFrame{5, body}));
            const auto read = decodeHostFrame(cbor::encode(withMore(frame)));
            QVERIFY(read && std::get<ReplyFrame>(*read).body == body);
        }
        for (const Push &push : samples::pushes()) {
            const Value frame = cbor::decode(encode(PushFrame{push}));
            const auto read = decodeHostFrame(cbor::encode(withMore(frame)));
            QVERIFY(read && std::get<PushFrame>(*read).push == push);
        }
        for (const Request &request : samples::requests()) {
            const QByteArray frame = encode(RequestFrame{5, request});
            QCOMPARE(encode(decodeRequest(cbor::encode(withMore(cbor::decode(frame))))), frame);
        }
    }

    void unknownRequestCanBeAnswered()
    {
        const QByteArray frame = cbor::encode(Value::map(
            {{QStringLiteral("t"), "teleport"}, {QStringLiteral("to"), "mars"}, {QStringLiteral("id"), 12}}));

        const Error error = errorOf([&] { decodeRequest(frame); });

        QCOMPARE(error.group() + u'/' + error.code(), QStringLiteral("inspector/unknown_message"));
        QCOMPARE(error.metadata()["id"], Value(12));
        QCOMPARE(error.metadata()["name"], Value("teleport"));
    }

    void unknownRequestWithoutIdIsRefused()
    {
        const Error error = errorOf([] {
            decodeRequest(cbor::encode(Value::map({{QStringLiteral("t"), "teleport"}})));
        });

        QCOMPARE(error.group() + u'/' + error.code(), QStringLiteral("inspector/unknown_message"));
        QVERIFY(!error.metadata().contains(u"id"));
    }

    void unknownPushIsSkipped()
    {
        QVERIFY(!decodeHostFrame(
            cbor::encode(Value::map({{QStringLiteral("t"), "weather"}, {QStringLiteral("sun"), true}}))));
    }

    void unknownReplyFailsTheCallThatWaits()
    {
        const auto frame =
            decodeHostFrame(cbor::encode(Value::map({{QStringLiteral("id"), 8}, {QStringLiteral("t"), "miracle"}})));

        QCOMPARE(std::get<ReplyFrame>(*frame).id, 8u);
        QCOMPARE(std::get<Failure>(std::get<ReplyFrame>(*frame).body).code, QStringLiteral("unknown_message"));
    }

    void recordOfUnknownKindKeepsItsPlace()
    {
        const Record record = recordFromValue(Value::map(
            {{QStringLiteral("position"), 9}, {QStringLiteral("at"), 5}, {QStringLiteral("dream"), Value::map()}}));

        QCOMPARE(record.position, quint64(9));
        QCOMPARE(std::get<NoteRecord>(record.body).kind, QStringLiteral("unknown"));
        QCOMPARE(std::get<NoteRecord>(record.body).text, QStringLiteral("dream"));
    }

    void statusOfANewerSideIsUnknown()
    {
        Value summary = toValue(samples::summary());
        summary.set(QStringLiteral("status"), "hibernating");

        QCOMPARE(summaryFromValue(summary).status, ActorStatus::unknown);
    }

    void helloOfAnotherVersionIsReadable()
    {
        Hello hello;
        hello.version = 99;

        QCOMPARE(std::get<Hello>(decodeRequest(encode(RequestFrame{1, hello})).request).version, 99);
    }
};

QTEST_GUILESS_MAIN(tst_Versions)
#include "tst_versions.moc"
