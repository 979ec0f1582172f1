#include "server/doors.h"

#include "value/json.h"

#include <QWebSocketHandshakeOptions>

namespace terrarium::test {

namespace {

constexpr Event<int, Value> changed{"changed"};
constexpr Event<Value> tick{"tick"};

struct CounterState {
    int count = 0;
    QList<Value> log;
    ACTOR_FIELDS(CounterState, count, log)
};

Value mapOf(std::initializer_list<MapEntry> entries)
{
    return Value::map(std::vector<MapEntry>(entries));
}

class Counter final : public Actor<CounterState> {
public:
    using Actor::Actor;

    void onConnect(const ConnectionInfo &client)
    {
        if (client.params["token"] == Value("bad"))
            throw Error(QStringLiteral("user"), QStringLiteral("bad_token"), QStringLiteral("Bad token"),
                        mapOf({{QStringLiteral("hint"), Value("use good")}}));
    }

    int increment(int by)
    {
        state().count += by;
        broadcast(changed, std::as_const(*this).state().count, mapOf({{QStringLiteral("by"), Value(by)}}));
        return std::as_const(*this).state().count;
    }
    CounterState get() const { return state(); }
    void boom()
    {
        throw Error(QStringLiteral("user"), QStringLiteral("boom_code"), QStringLiteral("nope"),
                    mapOf({{QStringLiteral("n"), Value(7)}, {QStringLiteral("why"), Value("test")}}));
    }
    void crash() { throw std::runtime_error("secret of the inside"); }
    QString big(int bytes) { return QString(bytes, QLatin1Char('x')); }
    void bigEvent(int bytes) { broadcast(tick, Value(QString(bytes, QLatin1Char('x')))); }
    void voidAction() {}
    QString deep() { return QStringLiteral("deep"); }
    bool sendMe(const Value &value)
    {
        broadcast(tick, value);
        return true;
    }
    void kick() { disconnect(caller().id, QStringLiteral("kicked")); }
    Value params() { return caller().params; }
    Value whoami()
    {
        const Value &given = caller().params;
        Value keys = Value::array();
        for (const QString &segment : key().segments())
            keys.append(segment);
        return mapOf({{QStringLiteral("actorId"), Value(id())},
                      {QStringLiteral("id"), Value(caller().id)},
                      {QStringLiteral("key"), keys},
                      {QStringLiteral("name"), Value(typeName())},
                      {QStringLiteral("params"), given},
                      {QStringLiteral("region"), Value("")},
                      {QStringLiteral("state"),
                       mapOf({{QStringLiteral("tag"), given["tag"].isText() ? given["tag"] : Value("none")}})}});
    }
    Task<int> slow(int result)
    {
        co_await delay(std::chrono::seconds(1));
        co_return result;
    }
};

} // namespace

TypeDefinition namedType(const QString &name)
{
    TypeDefinition type = ActorType<Counter>(name)
                              .action("increment", &Counter::increment, {"by"})
                              .action("get", &Counter::get)
                              .action("boom", &Counter::boom)
                              .action("crash", &Counter::crash)
                              .action("big", &Counter::big, {"bytes"})
                              .action("bigEvent", &Counter::bigEvent, {"bytes"})
                              .action("voidAction", &Counter::voidAction)
                              .action("ns.deep", &Counter::deep)
                              .action("sendMe", &Counter::sendMe, {"value"})
                              .action("kick", &Counter::kick)
                              .action("params", &Counter::params)
                              .action("whoami", &Counter::whoami)
                              .action("slow", &Counter::slow, {"result"})
                              .event(changed)
                              .event(tick);
    // Two that take what comes, as a typed action cannot.
    const auto addUntyped = [&type](const QString &action, Value (*answer)(const Value &args)) {
        ActionDefinition definition;
        definition.name = action;
        definition.memberKey = action.toUtf8();
        definition.invoke = [answer](ActorBase &, const Value &args) -> HandlerResult { return answer(args); };
        type.actionIndex.insert(action, type.actions.size());
        type.actions.append(std::move(definition));
    };
    addUntyped(QStringLiteral("echo"), [](const Value &args) { return args.at(0); });
    addUntyped(QStringLiteral("echoMany"), [](const Value &args) { return args; });
    return type;
}

TypeDefinition counterType()
{
    return namedType(QStringLiteral("counter"));
}

ServerOptions Doors::anyPort()
{
    ServerOptions options;
    options.port = 0;
    options.lastPort = 0;
    options.inspectorToken = QStringLiteral("inspector-secret");
    return options;
}

Doors::Doors(ServerOptions options)
{
    HostOptions hostOptions;
    hostOptions.dataDir = QStringLiteral(":memory:");
    hostOptions.name = QStringLiteral("test-host");
    m_host = std::make_unique<HostCore>(m_environment.environment(), hostOptions);
    m_host->add(counterType());
    m_host->add(namedType(QStringLiteral("stateless")));
    m_host->open();
    m_server = std::make_unique<HostServer>(*m_host, std::move(options));
    m_server->listen();
}

Doors::~Doors()
{
    bool isStopped = false;
    m_host->stop([&isStopped](const std::optional<Error> &) { isStopped = true; });
    loopUntil([&] {
        m_environment.advance(std::chrono::milliseconds(100));
        return isStopped;
    });
    m_server->close();
    settle();
    m_server.reset();
    m_host.reset();
}

QByteArray Doors::hostLine() const
{
    return "Host: 127.0.0.1:" + QByteArray::number(port()) + "\r\n";
}

RawResponse Doors::request(const QByteArray &method, const QByteArray &target, const QByteArray &body,
                           const QByteArray &headers)
{
    RawClient client(port());
    QByteArray text = method + ' ' + target + " HTTP/1.1\r\n" + hostLine() + headers;
    if (!body.isEmpty())
        text += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    client.send(text + "\r\n" + body);
    return client.receive(method == "HEAD");
}

QString Doors::actorId(const QString &key)
{
    return m_host->getOrCreate(QStringLiteral("counter"), ActorKey(key), std::nullopt, Cause(QStringLiteral("create")))
        .first.id;
}

SocketClient::SocketClient(quint16 port, const QString &path, const QStringList &protocols)
{
    connect(&m_socket, &QWebSocket::textMessageReceived, this,
            [this](const QString &text) { m_texts.append(text.toUtf8()); });
    connect(&m_socket, &QWebSocket::disconnected, this, [this] { m_wasClosed = true; });
    QNetworkRequest request(QUrl(QStringLiteral("ws://127.0.0.1:%1%2").arg(port).arg(path)));
    if (!protocols.isEmpty())
        request.setRawHeader("Sec-WebSocket-Protocol", protocols.join(QStringLiteral(", ")).toLatin1());
    m_socket.open(request);
    loopUntil([this] { return m_wasClosed || m_socket.state() == QAbstractSocket::ConnectedState; });
}

SocketClient::~SocketClient()
{
    m_socket.disconnect(this);
    m_socket.abort();
}

QByteArray SocketClient::receive()
{
    loopUntil([this] { return !m_texts.isEmpty() || m_wasClosed; });
    return m_texts.isEmpty() ? QByteArray() : m_texts.takeFirst();
}

Value SocketClient::receiveJson()
{
    return parseJson(receive());
}

bool SocketClient::isClosed()
{
    return loopUntil([this] { return m_wasClosed; });
}

Value parseJson(const QByteArray &text)
{
    if (text.isEmpty())
        return Value::undefined();
    return json::parse(text);
}

QByteArray gateway(const QByteArray &rest, const QByteArray &key)
{
    return "/gateway/counter" + rest
           + "?rvt-namespace=default&rvt-method=getOrCreate&rvt-runner=default&rvt-key=" + key;
}

} // namespace terrarium::test
