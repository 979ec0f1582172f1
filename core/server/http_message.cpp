#include "server/http_message.h"

namespace terrarium {

namespace {

bool httpSameName(QByteArrayView a, QByteArrayView b)
{
    return a.size() == b.size() && qstrnicmp(a.data(), a.size(), b.data(), b.size()) == 0;
}

} // namespace

QByteArray HttpRequest::header(QByteArrayView name) const
{
    for (const auto &[key, value] : headers) {
        if (httpSameName(key, name))
            return value;
    }
    return {};
}

bool HttpRequest::hasHeader(QByteArrayView name) const
{
    for (const auto &[key, value] : headers) {
        if (httpSameName(key, name))
            return true;
    }
    return false;
}

bool HttpRequest::headerHasToken(QByteArrayView name, QByteArrayView token) const
{
    for (const auto &[key, value] : headers) {
        if (!httpSameName(key, name))
            continue;
        const auto parts = value.split(',');
        for (const QByteArray &part : parts) {
            if (httpSameName(part.trimmed(), token))
                return true;
        }
    }
    return false;
}

bool HttpRequest::isUpgrade() const
{
    return method == "GET" && headerHasToken("connection", "upgrade") && headerHasToken("upgrade", "websocket");
}

void HttpResponse::setHeader(const QByteArray &name, QByteArray value)
{
    value.removeIf([](char c) { return uchar(c) < 0x20 || uchar(c) == 0x7f; });
    for (auto &[key, old] : headers) {
        if (httpSameName(key, name)) {
            old = std::move(value);
            return;
        }
    }
    headers.append(HttpHeader(name, std::move(value)));
}

QByteArray HttpResponse::serialize(bool keepAlive, bool head) const
{
    const bool hasNoBody = status < 200 || status == 204 || status == 304;
    QByteArray out;
    out.reserve(512 + body.size());
    out += "HTTP/1.1 ";
    out += QByteArray::number(status);
    out += ' ';
    out += httpReason(status);
    out += "\r\n";
    if (!hasNoBody) {
        if (!body.isEmpty()) {
            out += "content-type: ";
            out += contentType;
            out += "\r\n";
        }
        out += "content-length: ";
        out += QByteArray::number(body.size());
        out += "\r\n";
    }
    for (const auto &[name, value] : headers) {
        out += name;
        out += ": ";
        out += value;
        out += "\r\n";
    }
    out += keepAlive ? "connection: keep-alive\r\n\r\n" : "connection: close\r\n\r\n";
    if (!hasNoBody && !head)
        out += body;
    return out;
}

QByteArray httpReason(int status)
{
    switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 204: return "No Content";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 417: return "Expectation Failed";
    case 426: return "Upgrade Required";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Status";
    }
}

} // namespace terrarium
