#include "server/management_endpoint.h"

#include "server/actor_endpoint.h"
#include "value/cbor.h"
#include "value/json.h"

namespace terrarium {

namespace {

constexpr int maxListed = 100;

Error apiError(const char *code, const QString &message, Value metadata = {})
{
    return Error(QStringLiteral("api"), QString::fromLatin1(code), message, std::move(metadata));
}

Error badRequest(const QString &reason)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("reason"), reason);
    return apiError("bad_request", QStringLiteral("Request is invalid: %1").arg(reason), std::move(metadata));
}

Error managementNotFound(const QString &path)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("path"), path);
    return apiError("not_found", QStringLiteral("The requested resource was not found: %1").arg(path),
                    std::move(metadata));
}

Error invalidInput(const QString &message)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("message"), message);
    return Error(QStringLiteral("validation"), QStringLiteral("invalid_input"), message, std::move(metadata));
}

void requireNamespace(const QueryString &query)
{
    if (!query.contains(u"namespace"))
        throw badRequest(QStringLiteral("Failed to deserialize query string: missing field `namespace`"));
    if (query.value(u"namespace") != u"default")
        throw Error(QStringLiteral("namespace"), QStringLiteral("not_found"),
                    QStringLiteral("The namespace \"%1\" does not exist; this host has \"default\" only.")
                        .arg(query.value(u"namespace")));
}

Value page(const char *name, Value items, const Value &cursor = {})
{
    Value pagination = Value::map();
    pagination.set(QStringLiteral("cursor"), cursor);
    Value result = Value::map();
    result.set(QString::fromLatin1(name), std::move(items));
    result.set(QStringLiteral("pagination"), std::move(pagination));
    return result;
}

struct Creation {
    QString name;
    ActorKey key;
    std::optional<Value> input;
};

QString textField(const Value &body, const QString &field, bool isNeeded)
{
    const Value &value = body[field];
    if (value.isText())
        return value.toText();
    if (value.isUndefined() || value.isNull()) {
        if (isNeeded)
            throw badRequest(QStringLiteral("missing field `%1`").arg(field));
        return {};
    }
    throw badRequest(QStringLiteral("%1: invalid type, expected a string").arg(field));
}

Creation creationFrom(const HttpRequest &request)
{
    static const QStringList known{QStringLiteral("datacenter"),
                                   QStringLiteral("name"),
                                   QStringLiteral("key"),
                                   QStringLiteral("input"),
                                   QStringLiteral("runner_name_selector"),
                                   QStringLiteral("crash_policy")};
    if (request.bodyCut)
        throw badRequest(QStringLiteral("the body is longer than %1 bytes").arg(ManagementEndpoint::maxIncoming));
    Value body;
    try {
        body = json::parse(request.body);
    } catch (const Error &error) {
        throw badRequest(QStringLiteral("Failed to parse the request body as JSON: %1").arg(error.message()));
    }
    if (!body.isMap())
        throw badRequest(QStringLiteral("the body is no JSON object"));
    for (const auto &[field, value] : body.entries()) {
        if (!known.contains(field)) {
            throw badRequest(QStringLiteral("unknown field `%1`, expected one of `%2`")
                                 .arg(field, known.join(QStringLiteral("`, `"))));
        }
    }
    Creation creation;
    creation.name = textField(body, QStringLiteral("name"), true);
    const QString pool = textField(body, QStringLiteral("runner_name_selector"), false);
    if (!pool.isEmpty() && pool != u"default") {
        Value metadata = Value::map();
        metadata.set(QStringLiteral("namespace"), QStringLiteral("default"));
        metadata.set(QStringLiteral("pool_name"), pool);
        throw Error(QStringLiteral("actor"), QStringLiteral("no_runner_config_configured"),
                    QStringLiteral("this host has one pool, \"default\", not \"%1\"").arg(pool), std::move(metadata));
    }
    textField(body, QStringLiteral("crash_policy"), false);
    textField(body, QStringLiteral("datacenter"), false);
    const QString key = textField(body, QStringLiteral("key"), false);
    if (!key.isEmpty()) {
        const auto read = ActorKey::fromText(key);
        if (!read)
            throw badRequest(QStringLiteral("key: \"%1\" has a broken escape").arg(key));
        creation.key = *read;
    }
    const QString input = textField(body, QStringLiteral("input"), false);
    if (!input.isEmpty()) {
        const auto bytes = QByteArray::fromBase64Encoding(input.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
        if (!bytes)
            throw badRequest(QStringLiteral("input: it is no base64"));
        try {
            creation.input = json::fromExtended(cbor::decode(*bytes));
        } catch (const Error &error) {
            throw badRequest(QStringLiteral("input: it is no CBOR: %1").arg(error.message()));
        }
    }
    return creation;
}

} // namespace

Value ManagementEndpoint::describe(const ActorRef &actor) const
{
    Value map = Value::map();
    map.set(QStringLiteral("actor_id"), actor.id);
    map.set(QStringLiteral("name"), actor.type);
    map.set(QStringLiteral("key"), actor.key.toText());
    map.set(QStringLiteral("namespace_id"), QStringLiteral("default"));
    map.set(QStringLiteral("datacenter"), QStringLiteral("default"));
    map.set(QStringLiteral("runner_name_selector"), QStringLiteral("default"));
    map.set(QStringLiteral("crash_policy"), QStringLiteral("sleep"));
    map.set(QStringLiteral("create_ts"), actor.createdAt);
    // When it came into its present status is known exactly; earlier starts are not kept.
    const Value none;
    Value started = actor.generation > 0 ? Value(actor.createdAt) : none;
    Value connectable;
    Value sleeping;
    Value destroyed;
    try {
        const wire::ActorSummary summary = m_host.snapshot(actor.id).summary;
        switch (summary.status) {
        case wire::ActorStatus::running: connectable = summary.since; break;
        case wire::ActorStatus::sleeping: sleeping = summary.since; break;
        case wire::ActorStatus::destroyed: destroyed = summary.since; break;
        default: break;
        }
    } catch (const Error &) {
        if (actor.destroyed)
            destroyed = actor.createdAt;
    }
    map.set(QStringLiteral("start_ts"), started);
    map.set(QStringLiteral("pending_allocation_ts"), none);
    map.set(QStringLiteral("connectable_ts"), connectable);
    map.set(QStringLiteral("sleep_ts"), sleeping);
    map.set(QStringLiteral("reschedule_ts"), none);
    map.set(QStringLiteral("destroy_ts"), destroyed);
    return map;
}

void ManagementEndpoint::handle(const HttpRequest &request, const Answer &answer)
{
    const QByteArray method = request.method == "HEAD" ? QByteArray("GET") : request.method;
    try {
        const auto query = QueryString::parse(request.query);
        if (!query)
            throw badRequest(QStringLiteral("the query is not percent-encoded UTF-8"));
        const QString path = percentDecoded(request.path, false).value_or(QString());
        const auto requireGet = [&] {
            if (method != "GET")
                throw apiError(
                    "method_not_allowed",
                    QStringLiteral("%1 is not allowed on %2").arg(QString::fromLatin1(request.method), path));
        };

        if (path == u"/actors")
            return actors(request, *query, answer);
        if (path == u"/actors/names") {
            requireGet();
            requireNamespace(*query);
            Value names = Value::map();
            const QStringList types = m_host.typeNames();
            for (const QString &type : types) {
                Value entry = Value::map();
                entry.set(QStringLiteral("metadata"), Value::map());
                names.set(type, std::move(entry));
            }
            return answer.sendJson(
                200, json::write(page("names", std::move(names), types.isEmpty() ? Value() : Value(types.last()))));
        }
        if (path.startsWith(u"/actors/")) {
            const QStringList parts = path.mid(8).split(QLatin1Char('/'));
            requireNamespace(*query);
            return oneActor(request, parts.first(), parts.mid(1).join(QLatin1Char('/')), answer);
        }

        Value body = Value::map();
        if (path == u"/metadata" || path == u"/health") {
            requireGet();
            body.set(QStringLiteral("runtime"), QStringLiteral("engine"));
            if (path == u"/health")
                body.set(QStringLiteral("status"), QStringLiteral("ok"));
            body.set(QStringLiteral("version"), QString(rivetkitVersion));
            body.set(QStringLiteral("product"), QStringLiteral("terrarium"));
            body.set(QStringLiteral("productVersion"), QStringLiteral(TERRARIUM_VERSION));
            return answer.sendJson(200, json::write(body));
        }
        if (path == u"/namespaces") {
            requireGet();
            body.set(QStringLiteral("namespace_id"), QStringLiteral("default"));
            body.set(QStringLiteral("name"), QStringLiteral("default"));
            body.set(QStringLiteral("display_name"), QStringLiteral("Default"));
            body.set(QStringLiteral("create_ts"), m_host.startedAt());
            return answer.sendJson(200, json::write(page("namespaces", Value::array({body}))));
        }
        if (path == u"/datacenters") {
            requireGet();
            body.set(QStringLiteral("label"), 0);
            body.set(QStringLiteral("name"), QStringLiteral("default"));
            return answer.sendJson(200, json::write(page("datacenters", Value::array({body}))));
        }
        if (path == u"/runners/names" || path == u"/envoys") {
            requireGet();
            return answer.sendJson(200, json::write(page(path == u"/envoys" ? "envoys" : "names", Value::array())));
        }
        if (path == u"/runner-configs") {
            requireGet();
            return answer.sendJson(200, json::write(page("runner_configs", Value::map())));
        }
        if (path == u"/") {
            requireGet();
            HttpResponse response(200,
                                  "This is a Terrarium host, version " TERRARIUM_VERSION ".\n"
                                  "Call an action:  curl -X POST http://"
                                      + request.header("host")
                                      + "/call/TYPE/KEY/ACTION -d '[ARGUMENTS]'\n"
                                        "List the actors: curl 'http://"
                                      + request.header("host") + "/actors?namespace=default'\n",
                                  "text/plain; charset=utf-8");
            return answer.send(std::move(response));
        }
        throw managementNotFound(path);
    } catch (const Error &error) {
        answer.refuse(error);
    }
}

void ManagementEndpoint::actors(const HttpRequest &request, const QueryString &query, const Answer &answer)
{
    requireNamespace(query);
    if (request.method == "GET" || request.method == "HEAD")
        return list(query, answer);
    if (request.method == "PUT" || request.method == "POST")
        return put(request, request.method == "PUT", answer);
    throw apiError("method_not_allowed",
                   QStringLiteral("%1 is not allowed on /actors").arg(QString::fromLatin1(request.method)));
}

void ManagementEndpoint::put(const HttpRequest &request, bool mayExist, const Answer &answer)
{
    const Creation creation = creationFrom(request);
    const Cause cause(QStringLiteral("create"), QStringLiteral("http"), answer.rayId());
    Value body = Value::map();
    if (mayExist) {
        const auto [actor, created] = m_host.getOrCreate(creation.name, creation.key, creation.input, cause);
        body.set(QStringLiteral("actor"), describe(actor));
        body.set(QStringLiteral("created"), created);
    } else {
        body.set(QStringLiteral("actor"), describe(m_host.create(creation.name, creation.key, creation.input, cause)));
    }
    answer.sendJson(200, json::write(body));
}

void ManagementEndpoint::list(const QueryString &query, const Answer &answer)
{
    const QString name = query.value(u"name");
    const bool withDestroyed = query.value(u"include_destroyed") == u"true";
    Value actors = Value::array();
    Value cursor;
    if (query.contains(u"key") && name.isEmpty())
        throw invalidInput(QStringLiteral("Name is required when key is provided."));

    QStringList ids;
    for (const QueryPair &pair : query.pairs()) {
        if (pair.name == u"actor_ids" || pair.name == u"actor_id")
            ids += pair.value.split(QLatin1Char(','), Qt::SkipEmptyParts);
    }
    if (query.contains(u"actor_ids") || query.contains(u"actor_id")) {
        if (ids.size() > maxListed)
            throw invalidInput(
                QStringLiteral("at most %1 ids can be asked for at once, not %2").arg(maxListed).arg(ids.size()));
        for (const QString &id : std::as_const(ids)) {
            if (const auto actor = m_host.findById(id))
                actors.append(describe(*actor));
        }
    } else if (query.contains(u"key")) {
        const auto key = ActorKey::fromText(query.value(u"key"));
        if (!key)
            throw badRequest(QStringLiteral("key: \"%1\" has a broken escape").arg(query.value(u"key")));
        const auto actor = m_host.find(name, *key);
        if (actor && (withDestroyed || !actor->destroyed))
            actors.append(describe(*actor));
    } else {
        int limit = maxListed;
        if (query.contains(u"limit")) {
            bool isNumber = false;
            limit = query.value(u"limit").toInt(&isNumber);
            if (!isNumber || limit < 1)
                throw badRequest(QStringLiteral("limit: \"%1\" is no number above 0").arg(query.value(u"limit")));
            limit = std::min(limit, maxListed);
        }
        const QList<ActorRef> found = m_host.list(name, limit, query.value(u"cursor"));
        for (const ActorRef &actor : found)
            actors.append(describe(actor));
        if (!found.isEmpty())
            cursor = found.last().id;
    }
    answer.sendJson(200, json::write(page("actors", std::move(actors), cursor)));
}

void ManagementEndpoint::oneActor(const HttpRequest &request, const QString &id, const QString &command,
                                  const Answer &answer)
{
    const Cause cause(QStringLiteral("host"), QStringLiteral("http"), answer.rayId());
    const auto done = [answer](const std::optional<Error> &error) {
        if (error)
            answer.refuse(*error);
        else
            answer.sendJson(200, "{}");
    };
    if (command.isEmpty() && request.method == "DELETE")
        return m_host.destroy(id, cause, done);
    if (command == u"sleep" && request.method == "POST")
        return m_host.sleep(id, cause, done);
    if (command == u"reschedule" && request.method == "POST")
        return m_host.wake(id, cause, done);
    if (command.isEmpty() || command == u"sleep" || command == u"reschedule")
        throw apiError("method_not_allowed",
                       QStringLiteral("%1 is not allowed on %2")
                           .arg(QString::fromLatin1(request.method), QString::fromLatin1(request.path)));
    throw managementNotFound(QString::fromLatin1(request.path));
}

} // namespace terrarium
