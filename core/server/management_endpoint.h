#pragma once
// The management API: find, create, list, put to sleep and destroy actors, in RivetKit's paths and shapes.
//
// Routes: GET /metadata, /health, /; PUT, POST, GET /actors; DELETE /actors/{id}; POST /actors/{id}/sleep and
// /reschedule; GET /actors/names, /namespaces, /datacenters, /runners/names, /runner-configs, /envoys.

#include "host/host_core.h"
#include "server/answer.h"
#include "server/query_string.h"

namespace terrarium {

class ManagementEndpoint final {
public:
    /// Creation input comes in base64.
    static constexpr qint64 maxIncoming = 6 * 1024 * 1024;

    explicit ManagementEndpoint(HostCore &host) : m_host(host) {}

    void handle(const HttpRequest &request, const Answer &answer);

private:
    void actors(const HttpRequest &request, const QueryString &query, const Answer &answer);
    void oneActor(const HttpRequest &request, const QString &id, const QString &command, const Answer &answer);
    void put(const HttpRequest &request, bool mayExist, const Answer &answer);
    void list(const QueryString &query, const Answer &answer);
    Value describe(const ActorRef &actor) const;

    HostCore &m_host;
};

} // namespace terrarium
