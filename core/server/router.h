#pragma once
// The HTTP door: checks who asks, then hands each request to the endpoint its path belongs to.

#include "server/access.h"
#include "server/actor_endpoint.h"
#include "server/management_endpoint.h"

namespace terrarium {

class Router final : public HttpHandler {
public:
    Router(HostCore &host, Environment &environment);

    /// Set once the port is known; before, everything is refused.
    void setAccess(Access access) { m_access = std::move(access); }

    std::optional<HttpResponse> admit(const HttpRequest &head, qint64 &maxBody) override;
    void handle(HttpRequest &&request, HttpResponder responder) override;
    std::optional<HttpResponse> refuseUpgrade(const HttpRequest &request) override;
    HttpResponse problemResponse(const HttpProblem &problem) override;

    /// Where inspectors connect.
    static constexpr char inspectorPath[] = "/inspector";

private:
    std::optional<HttpResponse> refuse(const HttpRequest &request);
    HttpResponse preflight(const HttpRequest &request) const;

    Environment &m_environment;
    std::optional<Access> m_access;
    ManagementEndpoint m_management;
    ActorEndpoint m_actors;
};

} // namespace terrarium
