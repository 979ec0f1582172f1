#include "wire/client_protocol.h"

#include "value/json.h"

namespace terrarium::wire {

namespace {

Value clientMessageMap(const char *tag, Value content)
{
    Value body = Value::map();
    body.set(QStringLiteral("tag"), Value(tag));
    body.set(QStringLiteral("val"), std::move(content));
    Value message = Value::map();
    message.set(QStringLiteral("body"), std::move(body));
    return message;
}

/// Ids travel as ["$BigInt", "0"] whatever their size, which json::Form::Extended only writes for large ones.
Value bigInt(const Value &id)
{
    if (!id.isInteger())
        return id;
    const QString digits = id.isUInt() ? QString::number(id.toUInt()) : QString::number(id.toInt());
    return Value::array({Value(QStringLiteral("$BigInt")), Value(digits)});
}

Value errorMap(const Error &error)
{
    Value map = Value::map();
    map.set(QStringLiteral("group"), error.group());
    map.set(QStringLiteral("code"), error.code());
    map.set(QStringLiteral("message"), error.message());
    if (!error.metadata().isNull() && !error.metadata().isUndefined())
        map.set(QStringLiteral("metadata"), json::toExtended(error.metadata()));
    if (const auto &actor = error.actor()) {
        Value who = Value::map();
        who.set(QStringLiteral("actorId"), actor->actorId);
        who.set(QStringLiteral("generation"), actor->generation);
        who.set(QStringLiteral("key"), actor->key);
        map.set(QStringLiteral("actor"), std::move(who));
    }
    return map;
}

Error invalidRequest(const QString &reason)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("reason"), reason);
    return Error(QStringLiteral("actor"), QStringLiteral("invalid_request"),
                 QStringLiteral("the message is not understood: %1").arg(reason), std::move(metadata));
}

ClientAction actionFrom(const Value &content)
{
    ClientAction action;
    action.id = content["id"];
    if (!action.id.isInteger() || (action.id.isInt() && action.id.toInt() < 0))
        throw invalidRequest(QStringLiteral("\"id\" of an ActionRequest is no number of 0 or more"));
    if (!content["name"].isText())
        throw invalidRequest(QStringLiteral("\"name\" of an ActionRequest is no text"));
    action.name = content["name"].toText();
    action.args = normalizedArgs(content["args"]);
    return action;
}

ClientSubscription subscriptionFrom(const Value &content)
{
    ClientSubscription subscription;
    if (!content["eventName"].isText())
        throw invalidRequest(QStringLiteral("\"eventName\" of a SubscriptionRequest is no text"));
    if (!content["subscribe"].isBool())
        throw invalidRequest(QStringLiteral("\"subscribe\" of a SubscriptionRequest is neither true nor false"));
    subscription.event = content["eventName"].toText();
    subscription.on = content["subscribe"].toBool();
    return subscription;
}

} // namespace

std::optional<ClientEncoding> clientEncodingFromName(QStringView name)
{
    if (name == u"json")
        return ClientEncoding::Json;
    if (name == u"cbor")
        return ClientEncoding::Cbor;
    if (name == u"bare")
        return ClientEncoding::Bare;
    return std::nullopt;
}

QString clientEncodingName(ClientEncoding encoding)
{
    switch (encoding) {
    case ClientEncoding::Json: return QStringLiteral("json");
    case ClientEncoding::Cbor: return QStringLiteral("cbor");
    case ClientEncoding::Bare: return QStringLiteral("bare");
    }
    return {};
}

Value normalizedArgs(const Value &args)
{
    if (args.isUndefined() || args.isNull())
        return Value::array();
    if (args.isArray())
        return args;
    return Value::array({args});
}

ClientMessage decodeClientMessage(QByteArrayView text)
{
    Value message;
    try {
        message = json::parse(text, json::Form::Extended);
    } catch (const Error &error) {
        throw invalidRequest(error.message());
    }
    const Value &body = message["body"];
    const Value &content = body["val"];
    if (!body["tag"].isText() || !content.isMap())
        throw invalidRequest(QStringLiteral("it is not {\"body\": {\"tag\": text, \"val\": map}}"));
    const QString tag = body["tag"].toText();
    if (tag == u"ActionRequest")
        return actionFrom(content);
    if (tag == u"SubscriptionRequest")
        return subscriptionFrom(content);
    throw invalidRequest(QStringLiteral("unknown tag \"%1\"").arg(tag));
}

Value decodeActionBody(QByteArrayView text)
{
    if (text.isEmpty())
        return Value::array();
    QString reason;
    try {
        const Value body = json::parse(text, json::Form::Extended);
        if (body.isMap())
            return normalizedArgs(body["args"]);
        reason = QStringLiteral("the body is no JSON object with \"args\"");
    } catch (const Error &error) {
        reason = error.message();
    }
    Value metadata = Value::map();
    metadata.set(QStringLiteral("reason"), reason);
    throw Error(QStringLiteral("core"), QStringLiteral("internal_error"),
                QStringLiteral("the request body is not understood: %1").arg(reason), std::move(metadata));
}

QByteArray encodeInit(const QString &actorId, const QString &connectionId)
{
    Value content = Value::map();
    content.set(QStringLiteral("actorId"), actorId);
    content.set(QStringLiteral("connectionId"), connectionId);
    return json::write(clientMessageMap("Init", std::move(content)));
}

QByteArray encodeActionResponse(const Value &id, const Value &output)
{
    // Written by hand around the output: this is the hot path.
    QByteArray text = "{\"body\":{\"tag\":\"ActionResponse\",\"val\":{\"id\":";
    text += json::write(bigInt(id));
    text += ",\"output\":";
    text += json::write(output, json::Form::Extended);
    text += "}}}";
    return text;
}

QByteArray encodeEvent(const QString &name, const Value &args)
{
    QByteArray text = "{\"body\":{\"tag\":\"Event\",\"val\":{\"args\":";
    text += json::write(normalizedArgs(args), json::Form::Extended);
    text += ",\"name\":";
    text += json::write(Value(name));
    text += "}}}";
    return text;
}

QByteArray encodeClientError(const Error &error, const Value &actionId)
{
    Value content = Value::map();
    content.set(QStringLiteral("actionId"), actionId.isUndefined() ? Value() : bigInt(actionId));
    const Value fields = errorMap(error);
    for (const auto &[name, value] : fields.entries())
        content.set(name, value);
    return json::write(clientMessageMap("Error", std::move(content)));
}

QByteArray encodeActionOutput(const Value &output)
{
    QByteArray text = "{\"output\":";
    text += json::write(output, json::Form::Extended);
    text += '}';
    return text;
}

QByteArray encodeErrorBody(const Error &error)
{
    return json::write(errorMap(error));
}

} // namespace terrarium::wire
