#pragma once
// The right to answer one request, together with what every answer carries: ray id and CORS headers.

#include "server/error_response.h"
#include "server/http_handler.h"

namespace terrarium {

class Answer final {
public:
    Answer(HttpResponder responder, const HttpRequest &request, QString rayId)
        : m_responder(std::move(responder)),
          m_origin(request.header("origin")),
          m_rayId(std::move(rayId))
    {}

    const QString &rayId() const { return m_rayId; }
    void send(HttpResponse response) const;
    void sendJson(int status, const QByteArray &json) const { send(HttpResponse(status, json)); }
    /// An error of the gateway or the management API: as it is, with `x-rivet-error`.
    void refuse(const Error &error) const;
    /// An error of an actor: masked.
    void fail(const Error &error, const QList<HttpHeader> &headers) const;

    /// Puts the headers that every answer carries on `response`.
    static void decorate(HttpResponse &response, const QByteArray &origin, const QString &rayId);

private:
    HttpResponder m_responder;
    QByteArray m_origin;
    QString m_rayId;
};

} // namespace terrarium
