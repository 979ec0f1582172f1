#include "server/actor_endpoint.h"

#include "server/actor_target.h"
#include "server/query_string.h"
#include "value/json.h"
#include "wire/client_protocol.h"

namespace terrarium {

namespace {

QByteArray headerSafe(const QString &text)
{
    QByteArray safe;
    const QByteArray bytes = text.toUtf8();
    for (const char c : bytes) {
        if (uchar(c) < 0x20 || uchar(c) > 0x7e)
            safe += '%' + QByteArray(1, c).toHex().toUpper();
        else
            safe += c;
    }
    return safe;
}

QList<HttpHeader> actorHeaders(const ActorRef &actor)
{
    return {HttpHeader("x-rivet-actor", actor.id.toLatin1()),
            HttpHeader("x-rivet-actor-generation", QByteArray::number(actor.generation)),
            HttpHeader("x-rivet-actor-key", headerSafe(actor.key.toText()))};
}

Value actorMetadata(const QString &name, const QString &value)
{
    Value metadata = Value::map();
    metadata.set(name, value);
    return metadata;
}

Error actorMethodNotAllowed(const HttpRequest &request, const QString &path)
{
    Value metadata = actorMetadata(QStringLiteral("method"), QString::fromLatin1(request.method));
    metadata.set(QStringLiteral("path"), path);
    return Error(QStringLiteral("actor"), QStringLiteral("method_not_allowed"), QStringLiteral("Method not allowed"),
                 std::move(metadata));
}

Error actorMessageTooLong(const char *code, const QString &what, qint64 limit)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("limit"), limit);
    return Error(QStringLiteral("message"), QString::fromLatin1(code),
                 QStringLiteral("%1 is longer than %2 bytes").arg(what).arg(limit), std::move(metadata));
}

/// The arguments of a short call: a JSON list, or {"args": [..]}, or one value, or nothing.
Value shortCallArgs(const QByteArray &body)
{
    if (body.trimmed().isEmpty())
        return Value::array();
    Value value;
    try {
        value = json::parse(body, json::Form::Extended);
    } catch (const Error &error) {
        throw Error(QStringLiteral("actor"), QStringLiteral("invalid_request"),
                    QStringLiteral("the body is no JSON list of arguments: %1").arg(error.message()));
    }
    if (value.isMap() && value.size() == 1 && value.contains(u"args"))
        return wire::normalizedArgs(value["args"]);
    return wire::normalizedArgs(value);
}

} // namespace

Value connectionParams(QByteArrayView text)
{
    if (text.isEmpty())
        return {};
    if (text.size() > ActorEndpoint::maxParams)
        throw Error(QStringLiteral("actor"), QStringLiteral("invalid_request"),
                    QStringLiteral("connection parameters are longer than %1 bytes").arg(ActorEndpoint::maxParams));
    try {
        return json::parse(text, json::Form::Extended);
    } catch (const Error &error) {
        throw Error(QStringLiteral("actor"), QStringLiteral("invalid_request"),
                    QStringLiteral("connection parameters are no JSON: %1").arg(error.message()));
    }
}

void ActorEndpoint::handle(const HttpRequest &request, const GatewayAddress &address, bool isShortCall,
                           const Answer &answer)
{
    ActorRef actor;
    try {
        actor = resolveTarget(m_host, address, Cause(QStringLiteral("create"), QStringLiteral("http"), answer.rayId()));
    } catch (const Error &error) {
        answer.refuse(error);
        return;
    }
    const QByteArray method = request.method == "HEAD" ? QByteArray("GET") : request.method;
    const auto pathText = [&] {
        return percentDecoded(address.rest, false).value_or(QString::fromLatin1(address.rest));
    };
    const auto fail = [&](const Error &error) { answer.fail(error.withActor(identityOf(actor)), actorHeaders(actor)); };
    const auto sendText = [&](const QByteArray &body, const QByteArray &type) {
        HttpResponse response(200, body, type);
        response.headers = actorHeaders(actor);
        answer.send(std::move(response));
    };

    if (address.rest.startsWith("/action/")) {
        const auto name = percentDecoded(address.rest.mid(qsizetype(sizeof("/action/") - 1)), false);
        if (request.method != "POST")
            return fail(actorMethodNotAllowed(request, pathText()));
        if (!name || name->isEmpty())
            return fail(Error(QStringLiteral("actor"), QStringLiteral("invalid_request"),
                              QStringLiteral("the action name in \"%1\" is empty or not percent-encoded UTF-8")
                                  .arg(QString::fromLatin1(address.rest))));
        return act(request, actor, *name, isShortCall, answer);
    }
    const QString path = pathText();
    const bool isKnown = path == u"/metadata" || path == u"/health" || path == u"/";
    if (!isKnown) {
        Value metadata = actorMetadata(QStringLiteral("id"), path);
        metadata.set(QStringLiteral("resource"), QStringLiteral("route"));
        return fail(Error(QStringLiteral("actor"), QStringLiteral("not_found"),
                          QStringLiteral("Actor route '%1' was not found.").arg(path), std::move(metadata)));
    }
    if (method != "GET")
        return fail(actorMethodNotAllowed(request, path));
    if (path == u"/metadata")
        sendText("{\"runtime\":\"rivetkit\",\"type\":\"local\",\"version\":\"" + QByteArray(rivetkitVersion.data())
                     + "\",\"product\":\"terrarium\"}",
                 "application/json");
    else if (path == u"/health")
        sendText("ok", "text/plain; charset=utf-8");
    else
        sendText("This is an actor of a Terrarium host.\n", "text/plain; charset=utf-8");
}

void ActorEndpoint::act(const HttpRequest &request, const ActorRef &actor, const QString &action, bool isShortCall,
                        const Answer &answer)
{
    Value args;
    Value params;
    try {
        if (request.bodyCut)
            throw actorMessageTooLong("incoming_too_long", QStringLiteral("the request body"), maxIncoming);
        // Unknown names mean JSON, as with the original; the other two known ones are not spoken yet.
        const QString encoding = QString::fromLatin1(request.header("x-rivet-encoding"));
        const auto known = wire::clientEncodingFromName(encoding);
        if (known && *known != wire::ClientEncoding::Json)
            throw Error(QStringLiteral("actor"), QStringLiteral("unsupported_encoding"),
                        QStringLiteral("this host speaks the encoding \"json\", not \"%1\"").arg(encoding),
                        actorMetadata(QStringLiteral("encoding"), encoding));
        args = isShortCall ? shortCallArgs(request.body) : wire::decodeActionBody(request.body);
        try {
            params = connectionParams(request.header("x-rivet-conn-params"));
        } catch (const Error &error) {
            // Over HTTP clients know this failure by another name than on the socket.
            throw Error(QStringLiteral("core"), QStringLiteral("internal_error"), error.message());
        }
    } catch (const Error &error) {
        // What the client itself sent is told in full, whatever the group.
        HttpResponse response =
            errorResponse(error.group() == u"core" ? 400 : httpStatusOf(error), error.withActor(identityOf(actor)));
        response.headers = actorHeaders(actor);
        answer.send(std::move(response));
        return;
    }

    const Cause cause(QStringLiteral("action"), action, answer.rayId());
    m_host.call(actor.id, action, std::move(args), std::move(params), cause, 0,
                [answer, found = actor, &host = m_host](CallOutcome &&outcome) {
                    // The call may have started the actor: its generation is known now.
                    const ActorRef now = host.findById(found.id).value_or(found);
                    const QList<HttpHeader> headers = actorHeaders(now);
                    if (const auto *error = std::get_if<Error>(&outcome.result)) {
                        answer.fail(error->withActor(identityOf(now)), headers);
                        return;
                    }
                    QByteArray body;
                    try {
                        body = wire::encodeActionOutput(std::get<Value>(outcome.result));
                        if (body.size() > maxOutgoing)
                            throw actorMessageTooLong("outgoing_too_long", QStringLiteral("the result"), maxOutgoing);
                    } catch (const Error &error) {
                        answer.fail(error.withActor(identityOf(now)), headers);
                        return;
                    }
                    HttpResponse response(200, body);
                    response.headers = headers;
                    answer.send(std::move(response));
                });
}

} // namespace terrarium
