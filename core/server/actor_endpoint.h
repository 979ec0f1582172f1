#pragma once
// The HTTP routes behind the gateway: what can be asked of one actor.
//
//   POST /action/{name}     a call; body {"args": [..]}
//   GET  /metadata, /health, /
//
// None but the action wakes an actor.

#include "host/host_core.h"
#include "server/answer.h"
#include "server/gateway_address.h"

namespace terrarium {

class ActorEndpoint final {
public:
    /// Limits of what clients send and get, envelope included.
    static constexpr qint64 maxIncoming = 64 * 1024;
    static constexpr qint64 maxOutgoing = 1024 * 1024;
    static constexpr qint64 maxParams = 4 * 1024;

    explicit ActorEndpoint(HostCore &host) : m_host(host) {}

    void handle(const HttpRequest &request, const GatewayAddress &address, bool isShortCall, const Answer &answer);

private:
    void act(const HttpRequest &request, const ActorRef &actor, const QString &action, bool isShortCall,
             const Answer &answer);

    HostCore &m_host;
};

/// The version of RivetKit whose protocol is spoken.
constexpr QLatin1String rivetkitVersion{"2.3.19"};

/// Connection parameters as JSON text; nothing gives Null. Throws `actor/invalid_request`.
Value connectionParams(QByteArrayView json);

} // namespace terrarium
