#include "server/error_response.h"

#include "wire/client_protocol.h"

namespace terrarium {

Error maskedForClients(const Error &error)
{
    static const QStringList inner{QStringLiteral("core"), QStringLiteral("storage"), QStringLiteral("sqlite"),
                                   QStringLiteral("rivetkit"), QStringLiteral("wire")};
    if (!inner.contains(error.group()))
        return error;
    const bool isGeneral = error.group() == u"core";
    Error masked(isGeneral ? QStringLiteral("rivetkit") : error.group(),
                 isGeneral ? QStringLiteral("internal_error") : error.code(),
                 QStringLiteral("An internal error occurred"));
    if (error.actor())
        return masked.withActor(*error.actor());
    return masked;
}

int httpStatusOf(const Error &error)
{
    struct Row {
        QLatin1String group;
        QLatin1String code; ///< empty: every code of the group
        int status;
    };
    static constexpr Row rows[] = {
        {QLatin1String("auth"), QLatin1String("forbidden"), 403},
        {QLatin1String("auth"), QLatin1String("unauthorized"), 401},
        {QLatin1String("actor"), QLatin1String("action_not_found"), 404},
        {QLatin1String("actor"), QLatin1String("not_found"), 404},
        {QLatin1String("actor"), QLatin1String("not_registered"), 404},
        {QLatin1String("actor"), QLatin1String("method_not_allowed"), 405},
        {QLatin1String("actor"), QLatin1String("action_timed_out"), 408},
        {QLatin1String("actor"), QLatin1String("workflow_in_flight"), 409},
        {QLatin1String("actor"), QLatin1String("aborted"), 400},
        {QLatin1String("actor"), QLatin1String("duplicate_key"), 400},
        {QLatin1String("actor"), QLatin1String("invalid_request"), 400},
        {QLatin1String("actor"), QLatin1String("no_runner_config_configured"), 400},
        {QLatin1String("actor"), QLatin1String("unsupported_encoding"), 400},
        {QLatin1String("actor"), QLatin1String("validation_error"), 400},
        {QLatin1String("actor"), QLatin1String("overloaded"), 503},
        {QLatin1String("api"), QLatin1String("not_found"), 404},
        {QLatin1String("api"), QLatin1String("method_not_allowed"), 405},
        {QLatin1String("api"), QLatin1String(), 400},
        {QLatin1String("guard"), QLatin1String("no_route"), 404},
        {QLatin1String("guard"), QLatin1String(), 400},
        {QLatin1String("host"), QLatin1String("stopping"), 503},
        {QLatin1String("message"), QLatin1String(), 400},
        {QLatin1String("namespace"), QLatin1String(), 400},
        {QLatin1String("queue"), QLatin1String(), 400},
        {QLatin1String("schedule"), QLatin1String(), 400},
        {QLatin1String("kv"), QLatin1String(), 400},
        {QLatin1String("validation"), QLatin1String(), 400},
        {QLatin1String("value"), QLatin1String(), 400},
    };
    for (const Row &row : rows) {
        if (error.group() == row.group && (row.code.isEmpty() || error.code() == row.code))
            return row.status;
    }
    return 500;
}

HttpResponse errorResponse(int status, const Error &error)
{
    return HttpResponse(status, wire::encodeErrorBody(error));
}

HttpResponse errorResponse(const Error &error)
{
    return errorResponse(httpStatusOf(error), error);
}

} // namespace terrarium
