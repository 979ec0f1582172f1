#include "server/answer.h"

namespace terrarium {

void Answer::decorate(HttpResponse &response, const QByteArray &origin, const QString &rayId)
{
    response.setHeader("x-rivet-ray-id", rayId.toLatin1());
    response.setHeader("access-control-allow-origin", origin.isEmpty() ? QByteArray("*") : origin);
    response.setHeader("access-control-allow-credentials", "true");
    response.setHeader("access-control-expose-headers", "*");
    if (!origin.isEmpty())
        response.setHeader("vary", "origin");
}

void Answer::send(HttpResponse response) const
{
    decorate(response, m_origin, m_rayId);
    m_responder.respond(std::move(response));
}

void Answer::refuse(const Error &error) const
{
    const Error shown = maskedForClients(error);
    HttpResponse response = errorResponse(shown);
    response.setHeader("x-rivet-error", (shown.group() + QLatin1Char('.') + shown.code()).toUtf8());
    send(std::move(response));
}

void Answer::fail(const Error &error, const QList<HttpHeader> &headers) const
{
    HttpResponse response = errorResponse(maskedForClients(error));
    for (const auto &[name, value] : headers)
        response.setHeader(name, value);
    send(std::move(response));
}

} // namespace terrarium
