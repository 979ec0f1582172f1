#include "server/access.h"

#include <QTest>

using namespace terrarium;

namespace {

HttpRequest requestWith(const QByteArray &host, const QByteArray &origin = {})
{
    HttpRequest request;
    request.method = "POST";
    if (!host.isNull())
        request.headers.append(HttpHeader("Host", host));
    if (!origin.isNull())
        request.headers.append(HttpHeader("Origin", origin));
    return request;
}

Access loopbackAccess()
{
    Access::Rules rules;
    rules.port = 6420;
    rules.allowedOrigins = QStringList{QStringLiteral("https://app.example")};
    return Access(rules);
}

} // namespace

class tst_Access : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostMustNameThisMachine_data();
    void hostMustNameThisMachine();
    void missingHostIsForOldClientsOnly();
    void originMustBeAllowed_data();
    void originMustBeAllowed();
    void listenedAddressIsAHost();
    void anyAddressTakesAddressesButNoNames();
    void tokenIsTakenFromEveryPlace();
    void wrongTokenIsRefused_data();
    void wrongTokenIsRefused();
    void secretsAreEqualOnlyWhenEveryByteIs();
};

void tst_Access::hostMustNameThisMachine_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<bool>("isAllowed");
    const auto row = [](const char *host, bool isAllowed) { QTest::newRow(host) << QByteArray(host) << isAllowed; };
    row("localhost:6420", true);
    row("LOCALHOST:6420", true);
    row("127.0.0.1:6420", true);
    row("127.0.0.2:6420", true);
    row("[::1]:6420", true);
    row("localhost", false);
    row("localhost:6421", false);
    row("localhost:06420x", false);
    row("localhost:", false);
    row("evil.test:6420", false);
    row("localhost.evil.test:6420", false);
    row("127.0.0.1.evil.test:6420", false);
    row("localhost.:6420", false);
    row("127.1:6420", false);
    row("0x7f000001:6420", false);
    row("2130706433:6420", false);
    row("0.0.0.0:6420", false);
    row("192.168.0.7:6420", false);
    row("[::]:6420", false);
    row("::1:6420", false);
    row("user@localhost:6420", false);
    row("localhost:6420, evil.test", false);
    row("localhost:6420/evil.test", false);
    row("", false);
}

void tst_Access::hostMustNameThisMachine()
{
    QFETCH(QByteArray, host);
    QFETCH(bool, isAllowed);

    const auto verdict = loopbackAccess().check(requestWith(host));

    QVERIFY(verdict == (isAllowed ? Access::Verdict::Allowed : Access::Verdict::WrongHost));
}

void tst_Access::missingHostIsForOldClientsOnly()
{
    HttpRequest request = requestWith(QByteArray());

    QVERIFY(loopbackAccess().check(request) == Access::Verdict::WrongHost);

    request.minorVersion = 0;
    QVERIFY(loopbackAccess().check(request) == Access::Verdict::Allowed);
}

void tst_Access::originMustBeAllowed_data()
{
    QTest::addColumn<QByteArray>("origin");
    QTest::addColumn<bool>("isAllowed");
    const auto row = [](const char *origin, bool isAllowed) {
        QTest::newRow(origin) << QByteArray(origin) << isAllowed;
    };
    row("http://localhost:5173", true);
    row("https://localhost", true);
    row("http://127.0.0.1:3000", true);
    row("http://[::1]:3000", true);
    row("https://app.example", true);
    row("https://app.example:444", false);
    row("http://app.example", false);
    row("https://evil.test", false);
    row("https://localhost.evil.test", false);
    row("http://evil.test:6420", false);
    row("null", false);
    row("", false);
    row("file://", false);
    row("chrome-extension://localhost", false);
    row("http://localhost@evil.test", false);
    row("http://localhost:80/evil", false);
}

void tst_Access::originMustBeAllowed()
{
    QFETCH(QByteArray, origin);
    QFETCH(bool, isAllowed);

    const auto verdict = loopbackAccess().check(requestWith("localhost:6420", origin));

    QVERIFY(verdict == (isAllowed ? Access::Verdict::Allowed : Access::Verdict::WrongOrigin));
}

void tst_Access::listenedAddressIsAHost()
{
    Access::Rules rules;
    rules.port = 6420;
    rules.address = QHostAddress(QStringLiteral("192.168.0.7"));
    const Access access(rules);

    QVERIFY(access.check(requestWith("192.168.0.7:6420")) == Access::Verdict::Allowed);
    QVERIFY(access.check(requestWith("192.168.0.8:6420")) == Access::Verdict::WrongHost);
}

void tst_Access::anyAddressTakesAddressesButNoNames()
{
    Access::Rules rules;
    rules.port = 6420;
    rules.address = QHostAddress(QHostAddress::Any);
    rules.allowedHosts = QStringList{QStringLiteral("build.lan")};
    const Access access(rules);

    QVERIFY(access.check(requestWith("192.168.0.7:6420")) == Access::Verdict::Allowed);
    QVERIFY(access.check(requestWith("build.lan:6420")) == Access::Verdict::Allowed);
    QVERIFY(access.check(requestWith("other.lan:6420")) == Access::Verdict::WrongHost);
}

void tst_Access::tokenIsTakenFromEveryPlace()
{
    Access::Rules rules;
    rules.token = QStringLiteral("s3cret");
    const Access access(rules);
    const auto with = [](const char *name, const char *value) {
        HttpRequest request;
        request.headers.append(HttpHeader(name, value));
        return request;
    };

    QVERIFY(access.hasToken(with("authorization", "Bearer s3cret")));
    QVERIFY(access.hasToken(with("Authorization", "bearer s3cret")));
    QVERIFY(access.hasToken(with("x-rivet-token", "s3cret")));
    QVERIFY(access.hasToken(with("sec-websocket-protocol", "rivet, rivet_token.s3cret")));
    QVERIFY(access.hasToken(HttpRequest(), QStringLiteral("s3cret")));
}

void tst_Access::wrongTokenIsRefused_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::newRow("none") << QByteArray("");
    QTest::newRow("prefix") << QByteArray("s3cre");
    QTest::newRow("longer") << QByteArray("s3crets");
    QTest::newRow("case") << QByteArray("S3cret");
    QTest::newRow("twice") << QByteArray("s3crets3cret");
}

void tst_Access::wrongTokenIsRefused()
{
    QFETCH(QByteArray, token);
    Access::Rules rules;
    rules.token = QStringLiteral("s3cret");
    HttpRequest request;
    request.headers.append(HttpHeader("authorization", "Bearer " + token));
    request.headers.append(HttpHeader("x-rivet-token", token));

    QVERIFY(!Access(rules).hasToken(request, QString::fromLatin1(token)));
}

void tst_Access::secretsAreEqualOnlyWhenEveryByteIs()
{
    QVERIFY(isSameSecret("abc", "abc"));
    QVERIFY(!isSameSecret("abd", "abc"));
    QVERIFY(!isSameSecret("", "abc"));
    QVERIFY(!isSameSecret("abc", ""));
    QVERIFY(!isSameSecret("abcabc", "abc"));
}

QTEST_APPLESS_MAIN(tst_Access)
#include "tst_access.moc"
