#include "server/gateway_address.h"

#include "server/query_string.h"
#include "value/cbor.h"
#include "value/json.h"

#include <QSet>

namespace terrarium {

namespace {

constexpr qsizetype maxQueryInput = 4096;

Error guardError(const char *code, const QString &message)
{
    return Error(QStringLiteral("guard"), QString::fromLatin1(code), message);
}

Error invalidParams(const QString &detail)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("detail"), detail);
    return Error(QStringLiteral("guard"), QStringLiteral("query_invalid_params"),
                 QStringLiteral("invalid query gateway params: %1").arg(detail), std::move(metadata));
}

Value queryInput(const QString &text)
{
    const auto decoded = QByteArray::fromBase64Encoding(text.toLatin1(), QByteArray::Base64UrlEncoding
                                                                             | QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        throw guardError("query_invalid_base64_input", QStringLiteral("invalid base64url in query gateway input"));
    if ((*decoded).size() > maxQueryInput)
        throw invalidParams(QStringLiteral("input is longer than %1 bytes").arg(maxQueryInput));
    try {
        return json::fromExtended(cbor::decode(*decoded));
    } catch (const Error &error) {
        throw invalidParams(QStringLiteral("input is no CBOR: %1").arg(error.message()));
    }
}

GatewayAddress byQuery(const QByteArray &segment, const QueryString &query)
{
    static const QStringList known{QStringLiteral("namespace"), QStringLiteral("method"),
                                   QStringLiteral("runner"),    QStringLiteral("pool"),
                                   QStringLiteral("key"),       QStringLiteral("input"),
                                   QStringLiteral("region"),    QStringLiteral("crash-policy"),
                                   QStringLiteral("token"),     QStringLiteral("skip-ready-wait")};
    if (segment.contains('@'))
        throw guardError("query_path_token_syntax", QStringLiteral("query gateway paths must not use @token syntax"));

    QSet<QString> seen;
    for (const QueryPair &pair : query.pairs()) {
        if (!pair.name.startsWith(u"rvt-"))
            continue;
        QString field = pair.name.mid(4);
        if (!known.contains(field)) {
            throw invalidParams(QStringLiteral("unknown field `%1`, expected one of `%2`")
                                    .arg(field, known.join(QStringLiteral("`, `"))));
        }
        if (field == u"runner")
            field = QStringLiteral("pool");
        if (seen.contains(field))
            throw invalidParams(QStringLiteral("duplicate field `%1`").arg(field));
        seen.insert(field);
    }
    for (const QString &needed : {QStringLiteral("namespace"), QStringLiteral("method")}) {
        if (!seen.contains(needed))
            throw invalidParams(QStringLiteral("missing field `%1`").arg(needed));
    }

    const QString method = query.value(u"rvt-method");
    if (method != u"get" && method != u"getOrCreate")
        throw invalidParams(QStringLiteral("unknown method: %1, expected get or getOrCreate").arg(method));
    if (query.value(u"rvt-namespace") != u"default")
        throw Error(QStringLiteral("namespace"), QStringLiteral("not_found"),
                    QStringLiteral("the namespace \"%1\" does not exist; this host has \"default\" only")
                        .arg(query.value(u"rvt-namespace")));

    GatewayAddress::ByKey target;
    target.create = method == u"getOrCreate";
    if (target.create && !seen.contains(QStringLiteral("pool")))
        throw guardError("query_missing_pool",
                         QStringLiteral("query gateway method=getOrCreate requires rvt-pool param"));
    if (!target.create) {
        for (const QString &refused : {QStringLiteral("input"), QStringLiteral("region"),
                                       QStringLiteral("crash-policy"), QStringLiteral("pool")}) {
            if (seen.contains(refused)) {
                throw guardError("query_get_disallowed_params",
                                 QStringLiteral("query gateway method=get does not allow rvt-input, rvt-region, "
                                                "rvt-crash-policy, or rvt-pool params"));
            }
        }
    }
    const auto name = percentDecoded(segment, true);
    if (!name || name->isEmpty())
        throw invalidParams(QStringLiteral("the actor name is empty or not percent-encoded UTF-8"));
    target.name = *name;
    if (seen.contains(QStringLiteral("key")))
        target.key = ActorKey(query.value(u"rvt-key").split(QLatin1Char(',')));
    if (seen.contains(QStringLiteral("input")))
        target.input = queryInput(query.value(u"rvt-input"));

    GatewayAddress address;
    address.target = std::move(target);
    address.query = query.without(u"rvt-");
    address.token = query.value(u"rvt-token");
    return address;
}

GatewayAddress byShortForm(const QByteArray &path)
{
    QStringList segments;
    const auto raw = path.mid(qsizetype(sizeof("/call/") - 1)).split('/');
    for (const QByteArray &part : raw) {
        const auto text = percentDecoded(part, false);
        if (!text)
            throw invalidParams(QStringLiteral("\"%1\" is not percent-encoded UTF-8").arg(QString::fromLatin1(part)));
        segments.append(*text);
    }
    if (segments.size() < 2 || segments.first().isEmpty() || segments.last().isEmpty())
        throw invalidParams(QStringLiteral("a short call is /call/TYPE/KEY/ACTION, with as many key segments as the "
                                           "key has"));
    GatewayAddress::ByKey target;
    target.create = true;
    target.name = segments.first();
    target.key = ActorKey(segments.mid(1, segments.size() - 2));
    GatewayAddress address;
    address.target = std::move(target);
    address.rest = "/action/" + raw.last();
    return address;
}

} // namespace

std::optional<GatewayAddress> GatewayAddress::parse(const QByteArray &path, const QByteArray &query)
{
    if (path.startsWith("/call/")) {
        GatewayAddress address = byShortForm(path);
        address.query = query;
        return address;
    }
    if (!path.startsWith("/gateway/"))
        return std::nullopt;
    const qsizetype start = qsizetype(sizeof("/gateway/") - 1);
    const qsizetype slash = path.indexOf('/', start);
    const QByteArray segment = path.mid(start, slash < 0 ? -1 : slash - start);
    const QByteArray rest = slash < 0 ? QByteArray("/") : path.mid(slash);

    const auto pairs = QueryString::parse(query);
    const bool hasRouting = query.contains("rvt-");
    if (!pairs && hasRouting)
        throw invalidParams(QStringLiteral("the query is not percent-encoded UTF-8"));
    bool isForm2 = false;
    if (pairs && hasRouting) {
        for (const QueryPair &pair : pairs->pairs())
            isForm2 = isForm2 || pair.name.startsWith(u"rvt-");
    }
    if (isForm2) {
        GatewayAddress address = byQuery(segment, *pairs);
        address.rest = rest;
        return address;
    }

    GatewayAddress address;
    const qsizetype at = segment.indexOf('@');
    address.target = ById{percentDecoded(at < 0 ? segment : segment.left(at), false).value_or(QString())};
    if (at >= 0)
        address.token = percentDecoded(segment.mid(at + 1), false).value_or(QString());
    address.rest = rest;
    address.query = query;
    return address;
}

} // namespace terrarium
