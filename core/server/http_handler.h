#pragma once
// What an HTTP server asks of the program behind it.

#include "server/http_message.h"
#include "server/http_parser.h"

#include <memory>
#include <optional>

namespace terrarium {

class HttpConnection;

/// The right to answer one request, once, now or later. May outlive the connection: answering then does
/// nothing. When every copy is gone without an answer, the client gets 500.
class HttpResponder final {
public:
    HttpResponder() = default;

    void respond(HttpResponse response) const;
    /// False when the client has gone.
    bool isWanted() const;

private:
    friend class HttpConnection;
    struct Exchange;
    struct Right;
    explicit HttpResponder(std::shared_ptr<Exchange> exchange);
    std::shared_ptr<Right> m_right;
};

class HttpHandler {
public:
    virtual ~HttpHandler() = default;

    /// Looks at a head before any of the body is read: a refusal, or nothing and in `maxBody` how many bytes of
    /// body are wanted at most.
    virtual std::optional<HttpResponse> admit(const HttpRequest &head, qint64 &maxBody) = 0;
    /// A request that was admitted. `request.bodyCut` when its body was longer than wanted.
    virtual void handle(HttpRequest &&request, HttpResponder responder) = 0;
    /// A request for a WebSocket: a refusal, or nothing when its socket is to be handed over.
    virtual std::optional<HttpResponse> refuseUpgrade(const HttpRequest &request) = 0;
    /// The answer to something that is no request.
    virtual HttpResponse problemResponse(const HttpProblem &problem) = 0;
};

} // namespace terrarium
