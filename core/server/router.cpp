#include "server/router.h"

#include "server/ray_id.h"

namespace terrarium {

namespace {

bool isGatewayPath(const QByteArray &path)
{
    return path.startsWith("/gateway/") || path.startsWith("/call/");
}

Error unauthorized()
{
    return Error(QStringLiteral("auth"), QStringLiteral("unauthorized"),
                 QStringLiteral("this host asks for a token: send it as \"Authorization: Bearer TOKEN\""));
}

} // namespace

Router::Router(HostCore &host, Environment &environment)
    : m_environment(environment),
      m_management(host),
      m_actors(host)
{}

std::optional<HttpResponse> Router::refuse(const HttpRequest &request)
{
    const auto verdict = m_access ? m_access->check(request) : Access::Verdict::WrongHost;
    if (verdict == Access::Verdict::Allowed)
        return std::nullopt;
    const QString text =
        verdict == Access::Verdict::WrongHost
            ? QStringLiteral("the Host header \"%1\" does not name this host")
                  .arg(QString::fromLatin1(request.header("host").left(200)))
            : QStringLiteral("pages from the origin \"%1\" may not use this host; --allow-origin lets them")
                  .arg(QString::fromLatin1(request.header("origin").left(200)));
    HttpResponse response = errorResponse(Error(QStringLiteral("auth"), QStringLiteral("forbidden"), text));
    response.setHeader("x-rivet-error", "auth.forbidden");
    response.setHeader("x-rivet-ray-id", newRayId(m_environment.random).toLatin1());
    return response;
}

std::optional<HttpResponse> Router::admit(const HttpRequest &head, qint64 &maxBody)
{
    maxBody = isGatewayPath(head.path) ? ActorEndpoint::maxIncoming : ManagementEndpoint::maxIncoming;
    return refuse(head);
}

HttpResponse Router::preflight(const HttpRequest &request) const
{
    HttpResponse response(204);
    response.setHeader("access-control-allow-methods", "GET, POST, PUT, DELETE, OPTIONS, PATCH");
    const QByteArray asked = request.header("access-control-request-headers");
    response.setHeader("access-control-allow-headers", asked.isEmpty() ? QByteArray("*") : asked);
    response.setHeader("access-control-max-age", "86400");
    return response;
}

void Router::handle(HttpRequest &&request, HttpResponder responder)
{
    const Answer answer(std::move(responder), request, newRayId(m_environment.random));
    if (request.method == "OPTIONS")
        return answer.send(preflight(request));
    if (request.isUpgrade())
        return answer.refuse(Error(QStringLiteral("api"), QStringLiteral("bad_request"),
                                   QStringLiteral("a WebSocket must be asked for on a connection of its own")));
    try {
        const auto address = GatewayAddress::parse(request.path, request.query);
        // What a client looks up before it knows the token says nothing worth hiding.
        const bool isOpenToAll = request.path == "/metadata" || request.path == "/health";
        if (!isOpenToAll && !m_access->hasToken(request, address ? address->token : QString()))
            return answer.refuse(unauthorized());
        if (address)
            m_actors.handle(request, *address, request.path.startsWith("/call/"), answer);
        else
            m_management.handle(request, answer);
    } catch (const Error &error) {
        answer.refuse(error);
    }
}

std::optional<HttpResponse> Router::refuseUpgrade(const HttpRequest &request)
{
    if (auto refusal = refuse(request))
        return refusal;
    // An inspector says its token in its first message; everybody else says it now.
    if (request.path == inspectorPath)
        return std::nullopt;
    HttpResponse response;
    if (!isGatewayPath(request.path) || request.path.startsWith("/call/")) {
        response =
            errorResponse(Error(QStringLiteral("guard"), QStringLiteral("no_route"),
                                QStringLiteral("No WebSocket is served at %1").arg(QString::fromLatin1(request.path))));
        response.setHeader("x-rivet-error", "guard.no_route");
        Answer::decorate(response, request.header("origin"), newRayId(m_environment.random));
        return response;
    }
    QString token;
    try {
        if (const auto address = GatewayAddress::parse(request.path, request.query))
            token = address->token;
    } catch (const Error &) {
        // Told on the socket, where clients look for it.
    }
    if (m_access->hasToken(request, token))
        return std::nullopt;
    response = errorResponse(unauthorized());
    Answer::decorate(response, request.header("origin"), newRayId(m_environment.random));
    return response;
}

HttpResponse Router::problemResponse(const HttpProblem &problem)
{
    HttpResponse response =
        errorResponse(problem.status, Error(QStringLiteral("api"), QString::fromLatin1(problem.code), problem.message));
    response.setHeader("x-rivet-ray-id", newRayId(m_environment.random).toLatin1());
    response.close = true;
    return response;
}

} // namespace terrarium
