// Every message survives; the golden frames still read and still come out; hostile frames are refused.
//
// TERRARIUM_WRITE_GOLDEN=1 writes tests/wire/golden anew. Do that only for an addition: a frame that changes
// means that older windows and hosts no longer understand this one.

#include "value/cbor.h"
#include "value/cbor_text.h"
#include "wire/codec.h"
#include "wire/sample_messages.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace terrarium;
using namespace terrarium::wire;

namespace {

QMap<QString, QByteArray> allFrames()
{
    QMap<QString, QByteArray> frames;
    const auto requests = samples::requests();
    for (auto at = requests.begin(); at != requests.end(); ++at)
        frames.insert(QStringLiteral("request-") + at.key(), encode(RequestFrame{7, at.value()}));
    const auto replies = samples::replies();
    for (auto at = replies.begin(); at != replies.end(); ++at)
        frames.insert(QStringLiteral("reply-") + at.key(), encode(ReplyFrame{4000000000u, at.value()}));
    const auto pushes = samples::pushes();
    for (auto at = pushes.begin(); at != pushes.end(); ++at)
        frames.insert(QStringLiteral("push-") + at.key(), encode(PushFrame{at.value()}));
    return frames;
}

/// Reads a frame of either side and writes it again.
QByteArray again(const QString &name, const QByteArray &frame)
{
    if (name.startsWith(QLatin1String("request-")))
        return encode(decodeRequest(frame));
    const std::optional<HostFrame> read = decodeHostFrame(frame);
    if (!read)
        return QByteArray();
    return std::visit([](const auto &one) { return encode(one); }, *read);
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

QByteArray frameOf(std::vector<MapEntry> entries)
{
    return cbor::encode(Value::map(std::move(entries)));
}

} // namespace

class tst_Codec : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void samplesCoverEveryMessage()
    {
        QCOMPARE(std::size_t(samples::requests().size()), std::variant_size_v<Request>);
        QCOMPARE(std::size_t(samples::replies().size()), std::variant_size_v<ReplyBody>);
        QCOMPARE(std::size_t(samples::pushes().size()), std::variant_size_v<Push>);
        QCOMPARE(std::size_t(samples::records().size()), std::variant_size_v<decltype(Record::body)>);
    }

    void goldenFramesReadAndComeOutTheSame()
    {
        const QDir folder(QStringLiteral(GOLDEN_DIR));
        const auto frames = allFrames();
        if (qEnvironmentVariableIsSet("TERRARIUM_WRITE_GOLDEN")) {
            QFile texts(folder.filePath(QStringLiteral("frames.txt")));
            QVERIFY(texts.open(QIODevice::WriteOnly));
            for (auto at = frames.begin(); at != frames.end(); ++at) {
                QFile file(folder.filePath(at.key() + QLatin1String(".cbor")));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write(at.value());
                texts.write((at.key() + u'\n' + cbor::diagnostic(cbor::decode(at.value()), 2) + QLatin1String("\n\n"))
                                .toUtf8());
            }
        }
        QCOMPARE(folder.entryList({QStringLiteral("*.cbor")}, QDir::Files).size(), frames.size());
        for (auto at = frames.begin(); at != frames.end(); ++at) {
            QFile file(folder.filePath(at.key() + QLatin1String(".cbor")));
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(at.key()));
            const QByteArray golden = file.readAll();

            QCOMPARE(cbor::diagnostic(cbor::decode(at.value())), cbor::diagnostic(cbor::decode(golden)));
            QCOMPARE(at.value().toHex(), golden.toHex());
            QCOMPARE(again(at.key(), golden).toHex(), golden.toHex());
        }
    }

    void repliesAndPushesComeBackEqual()
    {
        for (const ReplyBody &body : samples::replies()) {
            const auto frame = decodeHostFrame(encode(ReplyFrame{9, body}));
            QVERIFY(frame && std::get<ReplyFrame>(*frame).id == 9);
            QVERIFY(std::get<ReplyFrame>(*frame).body == body);
        }
        for (const Push &push : samples::pushes()) {
            const auto frame = decodeHostFrame(encode(PushFrame{push}));
            QVERIFY(frame && std::get<PushFrame>(*frame).push == push);
        }
    }

    void defaultsComeBackEqual()
    {
        const auto check = [](const auto &message) {
            const auto frame = decodeHostFrame(encode(ReplyFrame{1, message}));
            return frame && std::get<ReplyFrame>(*frame).body == ReplyBody(message);
        };
        QVERIFY(check(Welcome()));
        QVERIFY(check(Subscribed()));
        QVERIFY(check(CallResult()));
        QVERIFY(check(Created()));
        QVERIFY(check(Types()));
        QVERIFY(check(Failure()));
        QVERIFY(recordFromValue(toValue(Record())) == Record());
    }

    void requestFieldsArriveWhereTheyBelong()
    {
        const auto call = std::get<CallAction>(
            decodeRequest(encode(RequestFrame{3, samples::requests()[QStringLiteral("callAction")]})).request);
        QCOMPARE(call.action, QStringLiteral("increment"));
        QCOMPARE(call.args, Value::array({5, "ann", Value(quint64(1) << 63)}));
        QCOMPARE(call.timeoutMs, qint64(5000));

        const auto create = std::get<CreateActor>(
            decodeRequest(encode(RequestFrame{3, samples::requests()[QStringLiteral("createActor")]})).request);
        QVERIFY(create.input.has_value() && create.input->isNull()); // null is an input, none is none
        QCOMPARE(create.key, samples::summary().key);
        QCOMPARE(create.wake, false);

        CreateActor bare;
        bare.type = QStringLiteral("counter");
        QVERIFY(!std::get<CreateActor>(decodeRequest(encode(RequestFrame{3, bare})).request).input.has_value());
    }

    void partsComeBackEqual()
    {
        QVERIFY(summaryFromValue(toValue(samples::summary())) == samples::summary());
        QVERIFY(snapshotFromValue(toValue(samples::snapshot())) == samples::snapshot());
        for (const Record &record : samples::records())
            QVERIFY(recordFromValue(toValue(record)) == record);
    }

    void statusNamesGoBothWays()
    {
        for (int i = 0; i <= int(ActorStatus::unknown); ++i)
            QCOMPARE(statusFromName(statusName(ActorStatus(i))), ActorStatus(i));
        QCOMPARE(statusName(ActorStatus::sleepGrace), QStringLiteral("sleepGrace"));
        QCOMPARE(statusFromName(u"dreaming"), ActorStatus::unknown);
        QCOMPARE(statusName(ActorStatus(200)), QStringLiteral("unknown"));
    }

    void keysMayComeInAnyOrder()
    {
        const QByteArray frame = frameOf({{QStringLiteral("after"), 4},
                                          {QStringLiteral("t"), "subscribe"},
                                          {QStringLiteral("actor"), "a1"},
                                          {QStringLiteral("id"), 5}});

        const RequestFrame request = decodeRequest(frame);

        QCOMPARE(request.id, 5u);
        QCOMPARE(std::get<Subscribe>(request.request).after, quint64(4));
        const auto reply = decodeHostFrame(frameOf({{QStringLiteral("t"), "done"}, {QStringLiteral("id"), 6}}));
        QCOMPARE(std::get<ReplyFrame>(*reply).id, 6u);
    }

    void aDeepStateStillFitsIntoAFrame()
    {
        Value deep = 1;
        for (int i = 0; i < cbor::maxDepth; ++i)
            deep = Value::array({deep});
        DeltaRecord delta;
        delta.ops = {DeltaOp(DeltaOp::Kind::Set, Path(), deep, deep)};
        Record record;
        record.body = delta;
        Subscribed subscribed;
        subscribed.snapshot.records = {record};

        const auto frame = decodeHostFrame(encode(ReplyFrame{1, subscribed}));

        QVERIFY(std::get<Subscribed>(std::get<ReplyFrame>(*frame).body) == subscribed);
    }

    void hostileFramesAreRefusedWithTheField_data()
    {
        QTest::addColumn<QByteArray>("frame");
        QTest::addColumn<QString>("field");
        const MapEntry id(QStringLiteral("id"), 1);
        const MapEntry subscribe(QStringLiteral("t"), "subscribe");
        QTest::newRow("not a map") << cbor::encode(Value::array({1})) << QStringLiteral("$");
        QTest::newRow("empty") << QByteArray() << QString();
        QTest::newRow("no name") << frameOf({id, {QStringLiteral("actor"), "a"}}) << QStringLiteral("t");
        QTest::newRow("no id") << frameOf({subscribe, {QStringLiteral("actor"), "a"}}) << QStringLiteral("id");
        QTest::newRow("id is text") << frameOf({{QStringLiteral("id"), "1"}, subscribe}) << QStringLiteral("id");
        QTest::newRow("id is too large") << frameOf({{QStringLiteral("id"), qint64(1) << 32}, subscribe})
                                         << QStringLiteral("id");
        QTest::newRow("id is negative") << frameOf({{QStringLiteral("id"), -1}, subscribe}) << QStringLiteral("id");
        QTest::newRow("name is no text") << frameOf({id, {QStringLiteral("t"), 5}}) << QStringLiteral("t");
        QTest::newRow("field missing") << frameOf({id, subscribe}) << QStringLiteral("actor");
        QTest::newRow("field of wrong kind")
            << frameOf({id, subscribe, {QStringLiteral("actor"), 5}}) << QStringLiteral("actor");
        QTest::newRow("optional field of wrong kind")
            << frameOf({id, subscribe, {QStringLiteral("actor"), "a"}, {QStringLiteral("after"), -1}})
            << QStringLiteral("after");
        QTest::newRow("trailing bytes") << frameOf({id, {QStringLiteral("t"), "listTypes"}}) + 'x' << QString();
        QTest::newRow("key with a dangling escape") << frameOf(
            {id, {QStringLiteral("t"), "createActor"}, {QStringLiteral("type"), "c"}, {QStringLiteral("key"), "a\\"}})
                                                    << QStringLiteral("key");
    }
    void hostileFramesAreRefusedWithTheField()
    {
        QFETCH(QByteArray, frame);
        QFETCH(QString, field);

        const Error error = errorOf([&] { decodeRequest(frame); });

        QCOMPARE(error.text().section(u':', 0, 0), QStringLiteral("inspector/invalid_message"));
        QCOMPARE(error.metadata()["field"].toText(), field);
    }

    void duplicateKeysAreRefused()
    {
        for (const char *hex : {"a36269640161746470696e6762696402", "a4626964016174697375627363726962656561"}) {
            const Error error = errorOf([&] { decodeRequest(QByteArray::fromHex(hex)); });
            QCOMPARE(error.text().section(u':', 0, 0), QStringLiteral("inspector/invalid_message"));
        }
    }

    void errorOfAnIncompleteRequestNamesItsId()
    {
        const Error error = errorOf([] {
            decodeRequest(frameOf({{QStringLiteral("id"), 77}, {QStringLiteral("t"), "subscribe"}}));
        });

        QCOMPARE(error.metadata()["id"], Value(77));
    }

    void nestedErrorsNameThePlace()
    {
        Value frame = cbor::decode(encode(PushFrame{samples::pushes()[QStringLiteral("recordsAppended")]}));
        Value &record = frame.mutableEntry(frame.indexOf(u"records")).mutableItem(1);
        record.mutableEntry(record.indexOf(u"saved")).set(QStringLiteral("tookUs"), "soon");

        const Error error = errorOf([&] { decodeHostFrame(cbor::encode(frame)); });

        QCOMPARE(error.metadata()["field"], Value("records[1].saved.tookUs"));
    }

    void truncationAtEveryByteIsRefused()
    {
        const auto frames = allFrames();
        for (auto at = frames.begin(); at != frames.end(); ++at) {
            for (qsizetype length = 0; length < at.value().size(); ++length) {
                const Error error = errorOf([&] { again(at.key(), at.value().first(length)); });
                QCOMPARE(error.text().section(u':', 0, 0), QStringLiteral("inspector/invalid_message"));
            }
        }
    }

    void changedBytesNeverCrash()
    {
        const auto frames = allFrames();
        int refused = 0;
        int taken = 0;
        for (auto at = frames.begin(); at != frames.end(); ++at) {
            for (qsizetype i = 0; i < at.value().size(); ++i) {
                for (const int flip : {0x01, 0xa0}) {
                    QByteArray frame = at.value();
                    frame[i] = char(frame[i] ^ flip);
                    const Error error = errorOf([&] { again(at.key(), frame); });
                    if (error.group() == QLatin1String("inspector"))
                        ++refused;
                    else if (error.group() == QLatin1String("no"))
                        ++taken;
                    else
                        QFAIL(qPrintable(error.text()));
                }
            }
        }
        QVERIFY(refused > 1000 && taken > 1000);
    }
};

QTEST_GUILESS_MAIN(tst_Codec)
#include "tst_codec.moc"
