#include "server/gateway_address.h"

#include <QTest>

using namespace terrarium;

namespace {

const QByteArray getOrCreate = "rvt-namespace=default&rvt-method=getOrCreate&rvt-runner=default";

/// "group.code" of the refusal, or "" when there was none.
QString refusalOf(const QByteArray &path, const QByteArray &query)
{
    try {
        GatewayAddress::parse(path, query);
    } catch (const Error &error) {
        return error.group() + QLatin1Char('.') + error.code();
    }
    return {};
}

} // namespace

class tst_GatewayAddress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherPathsAreNoAddress();
    void formOneNamesAnId();
    void formTwoNamesAKey();
    void keysAreSplitAtCommas_data();
    void keysAreSplitAtCommas();
    void restOfTheQueryStaysAsSent();
    void inputIsDecoded();
    void refusals_data();
    void refusals();
    void shortFormTakesKeyFromThePath_data();
    void shortFormTakesKeyFromThePath();
};

void tst_GatewayAddress::otherPathsAreNoAddress()
{
    QVERIFY(!GatewayAddress::parse("/actors", "rvt-namespace=default"));
    QVERIFY(!GatewayAddress::parse("/gateway", ""));
}

void tst_GatewayAddress::formOneNamesAnId()
{
    const auto address = GatewayAddress::parse("/gateway/lnzeld06f5ijpmdiljk3z0gdpicl00@tok/action/get", "a=1&b=%20z");

    QCOMPARE(std::get<GatewayAddress::ById>(address->target).id, QStringLiteral("lnzeld06f5ijpmdiljk3z0gdpicl00"));
    QCOMPARE(address->token, QStringLiteral("tok"));
    QCOMPARE(address->rest, QByteArray("/action/get"));
    QCOMPARE(address->query, QByteArray("a=1&b=%20z"));
}

void tst_GatewayAddress::formTwoNamesAKey()
{
    const auto address =
        GatewayAddress::parse("/gateway/chat%20room/connect", getOrCreate + "&rvt-key=a%2Cb&rvt-token=t");

    const auto &target = std::get<GatewayAddress::ByKey>(address->target);
    QCOMPARE(target.name, QStringLiteral("chat room"));
    QCOMPARE(target.key, ActorKey(QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    QVERIFY(target.create);
    QVERIFY(!target.input);
    QCOMPARE(address->rest, QByteArray("/connect"));
    QCOMPARE(address->token, QStringLiteral("t"));
}

void tst_GatewayAddress::keysAreSplitAtCommas_data()
{
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QStringList>("key");
    QTest::newRow("absent") << QByteArray() << QStringList();
    QTest::newRow("one") << QByteArray("&rvt-key=a") << QStringList{QStringLiteral("a")};
    QTest::newRow("escapes") << QByteArray("&rvt-key=x%2Fy%2Cp%5Cq%2C%2Cm")
                             << QStringList{QStringLiteral("x/y"), QStringLiteral("p\\q"), QString(),
                                            QStringLiteral("m")};
    QTest::newRow("plus is a space") << QByteArray("&rvt-key=a+b") << QStringList{QStringLiteral("a b")};
}

void tst_GatewayAddress::keysAreSplitAtCommas()
{
    QFETCH(QByteArray, written);
    QFETCH(QStringList, key);

    const auto address = GatewayAddress::parse("/gateway/counter/action/get", getOrCreate + written);

    QCOMPARE(std::get<GatewayAddress::ByKey>(address->target).key.segments(), key);
}

void tst_GatewayAddress::restOfTheQueryStaysAsSent()
{
    const auto address =
        GatewayAddress::parse("/gateway/raw/request/x", "a=1&" + getOrCreate + "&b=%20z&c&rvt-crash-policy=sleep");

    QCOMPARE(address->query, QByteArray("a=1&b=%20z&c"));
}

void tst_GatewayAddress::inputIsDecoded()
{
    // {"a": 1, "b": [undefined, null]} as the npm client writes it.
    const auto address =
        GatewayAddress::parse("/gateway/counter/action/get", getOrCreate + "&rvt-input=uQACYWEBYWKC9fY");

    const auto &input = std::get<GatewayAddress::ByKey>(address->target).input;
    QVERIFY(input);
    QCOMPARE((*input)["a"].toInt(), 1);
    QCOMPARE((*input)["b"].size(), 2);
}

void tst_GatewayAddress::refusals_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<QString>("refusal");
    const auto row = [](const char *name, const QByteArray &query, const char *refusal,
                        const QByteArray &path = "/gateway/counter/action/get") {
        QTest::newRow(name) << path << query << QString::fromLatin1(refusal);
    };
    row("missing namespace", "rvt-method=get", "guard.query_invalid_params");
    row("missing method", "rvt-namespace=default", "guard.query_invalid_params");
    row("unknown method", "rvt-namespace=default&rvt-method=zap", "guard.query_invalid_params");
    row("unknown parameter", "rvt-namespace=default&rvt-method=get&rvt-zap=1", "guard.query_invalid_params");
    row("repeated parameter", "rvt-namespace=default&rvt-method=get&rvt-key=a&rvt-key=b", "guard.query_invalid_params");
    row("repeated by alias", getOrCreate + "&rvt-pool=default", "guard.query_invalid_params");
    row("missing pool", "rvt-namespace=default&rvt-method=getOrCreate", "guard.query_missing_pool");
    row("get with input", "rvt-namespace=default&rvt-method=get&rvt-input=gA", "guard.query_get_disallowed_params");
    row("get with pool", "rvt-namespace=default&rvt-method=get&rvt-pool=x", "guard.query_get_disallowed_params");
    row("bad input", getOrCreate + "&rvt-input=!!", "guard.query_invalid_base64_input");
    row("token in the name", "rvt-namespace=default&rvt-method=get", "guard.query_path_token_syntax",
        "/gateway/counter@tok/action/get");
    row("other namespace", "rvt-namespace=ghost&rvt-method=get", "namespace.not_found");
    row("broken escape", "rvt-namespace=default&rvt-method=get&rvt-key=%zz", "guard.query_invalid_params");
}

void tst_GatewayAddress::refusals()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, query);
    QFETCH(QString, refusal);

    QCOMPARE(refusalOf(path, query), refusal);
}

void tst_GatewayAddress::shortFormTakesKeyFromThePath_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QStringList>("key");
    QTest::newRow("no key") << QByteArray("/call/counter/increment") << QStringList();
    QTest::newRow("one segment") << QByteArray("/call/counter/a/increment") << QStringList{QStringLiteral("a")};
    QTest::newRow("two segments") << QByteArray("/call/counter/a/b%2Fc/increment")
                                  << QStringList{QStringLiteral("a"), QStringLiteral("b/c")};
}

void tst_GatewayAddress::shortFormTakesKeyFromThePath()
{
    QFETCH(QByteArray, path);
    QFETCH(QStringList, key);

    const auto address = GatewayAddress::parse(path, "");

    const auto &target = std::get<GatewayAddress::ByKey>(address->target);
    QCOMPARE(target.name, QStringLiteral("counter"));
    QCOMPARE(target.key.segments(), key);
    QVERIFY(target.create);
    QCOMPARE(address->rest, QByteArray("/action/increment"));
}

QTEST_APPLESS_MAIN(tst_GatewayAddress)
#include "tst_gateway_address.moc"
