#pragma once
// One HTTP request and one HTTP response, whole.

#include <QByteArray>
#include <QList>
#include <QString>

#include <utility>

namespace terrarium {

using HttpHeader = std::pair<QByteArray, QByteArray>;

struct HttpRequest {
    QByteArray method;
    QByteArray target;    ///< as sent
    QByteArray path;      ///< of the target, still percent-encoded
    QByteArray query;     ///< without '?', as sent
    int minorVersion = 1; ///< HTTP/1.minor
    bool keepAlive = true;
    QList<HttpHeader> headers; ///< in order, names as sent
    QByteArray body;
    bool bodyCut = false;  ///< longer than its limit: `body` holds nothing
    QString remoteAddress; ///< "127.0.0.1:51234"

    /// The first header of that name (compared without case), or an empty array.
    QByteArray header(QByteArrayView name) const;
    bool hasHeader(QByteArrayView name) const;
    /// True when a comma-separated header holds `token`, compared without case.
    bool headerHasToken(QByteArrayView name, QByteArrayView token) const;
    /// Asks for a WebSocket.
    bool isUpgrade() const;
};

struct HttpResponse {
    HttpResponse() = default;
    HttpResponse(int status, QByteArray body = {}, QByteArray contentType = "application/json")
        : status(status),
          body(std::move(body)),
          contentType(std::move(contentType))
    {}

    int status = 200;
    QByteArray body;
    QByteArray contentType;    ///< not written when the body is empty
    QList<HttpHeader> headers; ///< further ones
    bool close = false;        ///< end the connection after it

    /// Line breaks and other control characters are taken out of the value.
    void setHeader(const QByteArray &name, QByteArray value);
    /// Status line, headers and body. For an answer to HEAD the body is left out and its length is kept.
    QByteArray serialize(bool keepAlive, bool head) const;
};

/// "Not Found"
QByteArray httpReason(int status);

} // namespace terrarium
