#include "server/http_parser.h"

#include <QTest>

using namespace terrarium;

namespace {

using State = HttpParser::State;

/// Feeds everything at once.
State feedAll(HttpParser &parser, QByteArray &bytes)
{
    State state = parser.feed(bytes);
    if (state == State::Body)
        state = parser.feed(bytes);
    return state;
}

} // namespace

class tst_HttpParser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsARequestByteByByte();
    void readsTwoRequestsInOneBuffer();
    void readsChunkedBodies();
    void chunkedBodyInEveryCut();
    void trailersDoNotChangeTheHead();
    void keepAliveFollowsVersionAndHeader_data();
    void keepAliveFollowsVersionAndHeader();
    void splitsTargetIntoPathAndQuery();
    void absoluteTargetLosesItsHost();
    void longBodyIsCutWhenAsked();
    void expectContinueIsSeen();
    void refuses_data();
    void refuses();
    void endlessHeadIsRefused();
    void endlessChunkHeaderIsRefused();
    void endlessTrailerIsRefused();
    void headersAreLimitedInNumber();
    void declaredBodyOverTheLimitIsRefused();
    void chunkedBodyOverTheLimitIsRefused();
    void randomBytesNeverHang();
};

void tst_HttpParser::readsARequestByteByByte()
{
    const QByteArray text = "POST /a?b=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    HttpParser parser;
    QByteArray buffer;

    for (const char c : text) {
        QVERIFY(parser.state() != State::Complete);
        buffer.append(c);
        while (!buffer.isEmpty()) {
            const qsizetype before = buffer.size();
            parser.feed(buffer);
            if (buffer.size() == before)
                break;
        }
    }

    QVERIFY(parser.state() == State::Complete);
    const HttpRequest request = parser.takeRequest();
    QCOMPARE(request.method, QByteArray("POST"));
    QCOMPARE(request.body, QByteArray("hello"));
    QCOMPARE(request.header("HOST"), QByteArray("x"));
    QVERIFY(parser.state() == State::Head);
}

void tst_HttpParser::readsTwoRequestsInOneBuffer()
{
    QByteArray buffer =
        "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nokGET /3";
    HttpParser parser;

    QVERIFY(feedAll(parser, buffer) == State::Complete);
    QCOMPARE(parser.takeRequest().path, QByteArray("/1"));
    QVERIFY(feedAll(parser, buffer) == State::Complete);
    QCOMPARE(parser.takeRequest().body, QByteArray("ok"));
    QVERIFY(feedAll(parser, buffer) == State::Head);
    QCOMPARE(buffer, QByteArray("GET /3"));
}

void tst_HttpParser::readsChunkedBodies()
{
    QByteArray buffer = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "3;note=1\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
    HttpParser parser;

    QVERIFY(feedAll(parser, buffer) == State::Complete);
    QCOMPARE(parser.takeRequest().body, QByteArray("abc0123456789"));
    QVERIFY(buffer.isEmpty());
}

void tst_HttpParser::chunkedBodyInEveryCut()
{
    const QByteArray text = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                            "3\r\nabc\r\n1\r\nd\r\n0\r\nTrailer: 1\r\n\r\n";
    for (qsizetype cut = 1; cut < text.size(); ++cut) {
        HttpParser parser;
        QByteArray buffer = text.left(cut);
        feedAll(parser, buffer);
        buffer += text.mid(cut);
        QVERIFY2(feedAll(parser, buffer) == State::Complete, QByteArray::number(cut).constData());
        QCOMPARE(parser.takeRequest().body, QByteArray("abcd"));
    }
}

void tst_HttpParser::trailersDoNotChangeTheHead()
{
    QByteArray buffer = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "0\r\nHost: evil\r\nX-Rivet-Token: t\r\n\r\n";
    HttpParser parser;

    QVERIFY(feedAll(parser, buffer) == State::Complete);

    const HttpRequest request = parser.takeRequest();
    QCOMPARE(request.header("host"), QByteArray("x"));
    QVERIFY(!request.hasHeader("x-rivet-token"));
}

void tst_HttpParser::keepAliveFollowsVersionAndHeader_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<bool>("keepAlive");
    QTest::newRow("1.1") << QByteArray("GET / HTTP/1.1\r\nHost: x\r\n\r\n") << true;
    QTest::newRow("1.1 close") << QByteArray("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") << false;
    QTest::newRow("1.0") << QByteArray("GET / HTTP/1.0\r\n\r\n") << false;
    QTest::newRow("1.0 keep") << QByteArray("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n") << true;
}

void tst_HttpParser::keepAliveFollowsVersionAndHeader()
{
    QFETCH(QByteArray, head);
    QFETCH(bool, keepAlive);
    HttpParser parser;

    QVERIFY(feedAll(parser, head) == State::Complete);

    QCOMPARE(parser.takeRequest().keepAlive, keepAlive);
}

void tst_HttpParser::splitsTargetIntoPathAndQuery()
{
    QByteArray buffer = "GET /a%20b?x=%2F&y HTTP/1.1\r\nHost: x\r\n\r\n";
    HttpParser parser;

    QVERIFY(feedAll(parser, buffer) == State::Complete);

    const HttpRequest request = parser.takeRequest();
    QCOMPARE(request.path, QByteArray("/a%20b"));
    QCOMPARE(request.query, QByteArray("x=%2F&y"));
}

void tst_HttpParser::absoluteTargetLosesItsHost()
{
    QByteArray buffer = "GET http://other.test/p?q HTTP/1.1\r\nHost: x\r\n\r\n";
    HttpParser parser;

    QVERIFY(feedAll(parser, buffer) == State::Complete);

    QCOMPARE(parser.takeRequest().path, QByteArray("/p"));
}

void tst_HttpParser::longBodyIsCutWhenAsked()
{
    QByteArray buffer = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789GET";
    HttpParser parser;

    QVERIFY(parser.feed(buffer) == State::Body);
    parser.keepBody(9);
    QVERIFY(parser.feed(buffer) == State::Complete);

    const HttpRequest request = parser.takeRequest();
    QVERIFY(request.bodyCut);
    QVERIFY(request.body.isEmpty());
    QCOMPARE(buffer, QByteArray("GET"));
}

void tst_HttpParser::expectContinueIsSeen()
{
    QByteArray buffer = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
    HttpParser parser;

    QVERIFY(parser.feed(buffer) == State::Body);

    QVERIFY(parser.expectsContinue());
}

void tst_HttpParser::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("status");
    const QByteArray post = "POST / HTTP/1.1\r\nHost: x\r\n";
    const auto row = [](const char *name, const QByteArray &text, int status = 400) {
        QTest::newRow(name) << text << status;
    };
    row("length, then chunked", post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("chunked, then length", post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n");
    row("two different lengths", post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd");
    row("the same length twice", post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc");
    row("list of lengths", post + "Content-Length: 3, 3\r\n\r\nabc");
    row("negative length", post + "Content-Length: -1\r\n\r\n");
    row("signed length", post + "Content-Length: +3\r\n\r\nabc");
    row("hexadecimal length", post + "Content-Length: 0x3\r\n\r\nabc");
    row("huge length", post + "Content-Length: 99999999999999999999\r\n\r\n");
    row("empty length", post + "Content-Length:\r\n\r\n");
    row("gzip, chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
    row("chunked, identity", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n");
    row("xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n");
    row("chunked twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("space before the colon", post + "Content-Length : 3\r\n\r\nabc");
    row("header without a name", post + ": 3\r\n\r\n");
    row("control character in a value", post
                                            + "A: a\x01"
                                              "b\r\n\r\n");
    row("zero byte in a value", post + QByteArray("A: a\0b\r\n\r\n", 10));
    row("bare line feeds", "GET / HTTP/1.1\nHost: x\n\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", 505);
    row("bare carriage return in a value", post + "A: a\rb\r\n\r\n");
    row("chunk size that is no number", post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n");
    row("chunk size with 0x", post + "Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n");
    row("negative chunk size", post + "Transfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n");
    row("chunk size beyond 64 bits", post + "Transfer-Encoding: chunked\r\n\r\n11111111111111111\r\na\r\n0\r\n\r\n");
    row("chunk longer than its size", post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n");
    row("no Host", "GET / HTTP/1.1\r\n\r\n");
    row("two Hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n");
    row("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505);
    row("no version", "GET /\r\n\r\n");
    row("TLS", QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15));
    row("target with a space", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 505);
    row("target without a slash", "GET a HTTP/1.1\r\nHost: x\r\n\r\n");
    row("unknown expectation", post + "Expect: miracle\r\nContent-Length: 1\r\n\r\na", 417);
}

void tst_HttpParser::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(int, status);
    HttpParser parser;

    const State state = feedAll(parser, text);

    QVERIFY(state == State::Failed);
    QCOMPARE(parser.problem().status, status);
    QVERIFY(!parser.problem().message.isEmpty());
    QByteArray more = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    QVERIFY(parser.feed(more) == State::Failed);
}

void tst_HttpParser::endlessHeadIsRefused()
{
    HttpParser parser;
    QByteArray buffer = "GET / HTTP/1.1\r\nHost: x\r\nA: ";
    State state = State::Head;

    for (int i = 0; i < 64 && state == State::Head; ++i) {
        buffer += QByteArray(1024, 'a');
        state = parser.feed(buffer);
        QVERIFY(buffer.size() < 20 * 1024);
    }

    QVERIFY(state == State::Failed);
    QCOMPARE(parser.problem().status, 431);
}

void tst_HttpParser::endlessChunkHeaderIsRefused()
{
    HttpParser parser;
    QByteArray buffer = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;a=";
    State state = feedAll(parser, buffer);

    for (int i = 0; i < 64 && state == State::Body; ++i) {
        buffer += QByteArray(1024, 'a');
        state = parser.feed(buffer);
    }

    QVERIFY(state == State::Failed);
    QCOMPARE(parser.problem().status, 431);
}

void tst_HttpParser::endlessTrailerIsRefused()
{
    HttpParser parser;
    QByteArray buffer = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
    State state = feedAll(parser, buffer);

    for (int i = 0; i < 64 && state == State::Body; ++i) {
        buffer += "A: " + QByteArray(1000, 'a') + "\r\n";
        state = parser.feed(buffer);
    }

    QVERIFY(state == State::Failed);
    QCOMPARE(parser.problem().status, 431);
}

void tst_HttpParser::headersAreLimitedInNumber()
{
    HttpParser parser;
    QByteArray buffer = "GET / HTTP/1.1\r\nHost: x\r\n";
    for (int i = 0; i < 100; ++i)
        buffer += "a: b\r\n";
    buffer += "\r\n";

    QVERIFY(feedAll(parser, buffer) == State::Failed);

    QCOMPARE(parser.problem().status, 431);
}

void tst_HttpParser::declaredBodyOverTheLimitIsRefused()
{
    HttpLimits limits;
    limits.body = 100;
    HttpParser parser(limits);
    QByteArray buffer = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n";

    QVERIFY(feedAll(parser, buffer) == State::Failed);

    QCOMPARE(parser.problem().status, 413);
}

void tst_HttpParser::chunkedBodyOverTheLimitIsRefused()
{
    HttpLimits limits;
    limits.body = 100;
    HttpParser parser(limits);
    QByteArray buffer = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "40\r\n"
                        + QByteArray(64, 'a') + "\r\n40\r\n" + QByteArray(64, 'a') + "\r\n0\r\n\r\n";

    QVERIFY(feedAll(parser, buffer) == State::Failed);

    QCOMPARE(parser.problem().status, 413);
}

void tst_HttpParser::randomBytesNeverHang()
{
    const auto seed = quint32(qEnvironmentVariableIntValue("TERRARIUM_SEED"));
    qInfo("TERRARIUM_SEED=%u", seed);
    quint64 state = seed + 0x9e3779b97f4a7c15ULL;
    const auto next = [&state] {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    };
    const QByteArray model = "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    int complete = 0;
    int failed = 0;
    for (int round = 0; round < 5000; ++round) {
        QByteArray text = model;
        for (quint64 i = 0, n = next() % 4; i < n; ++i)
            text[qsizetype(next() % quint64(text.size()))] = char(next() % 256);
        HttpParser parser;
        QByteArray buffer;
        qsizetype fed = 0;
        while (fed < text.size()) {
            const auto step = qsizetype(1 + next() % 20);
            buffer += text.mid(fed, step);
            fed += step;
            feedAll(parser, buffer);
        }
        if (parser.state() == State::Complete)
            ++complete;
        else if (parser.state() == State::Failed)
            ++failed;
    }
    QVERIFY(complete > 500);
    QVERIFY(failed > 500);
}

QTEST_APPLESS_MAIN(tst_HttpParser)
#include "tst_http_parser.moc"
