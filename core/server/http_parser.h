#pragma once
// Reads HTTP/1.x requests from a byte stream, one after another. Boost.Beast does the reading; it is used in
// this class's .cpp file and nowhere else.
//
// Strict where leniency is dangerous: a request whose end two readers could see in different places (both
// Content-Length and Transfer-Encoding, either of them repeated, any coding but "chunked", chunk sizes that are
// no numbers) is refused and the connection must be closed, since what follows cannot be trusted.

#include "server/http_message.h"

#include <memory>

namespace terrarium {

struct HttpLimits {
    qsizetype head = 16 * 1024; ///< request line and headers; also trailers and chunk headers
    int headerCount = 100;
    qint64 body = 20 * 1024 * 1024; ///< read at all
};

/// Why reading failed, as an answer.
struct HttpProblem {
    int status = 400;
    QByteArray code; ///< "bad_request", "headers_too_large", "body_too_large", "not_supported"
    QString message; ///< names the thing
};

class HttpParser final {
public:
    enum class State {
        Head,     ///< the head is not complete
        Body,     ///< head() can be read; the body is not complete
        Complete, ///< takeRequest() can be called
        Failed,   ///< problem() says why
    };

    explicit HttpParser(HttpLimits limits = {});
    ~HttpParser();
    HttpParser(const HttpParser &) = delete;
    HttpParser &operator=(const HttpParser &) = delete;

    State state() const;
    /// Consumes from the front of `buffer`, at most to the end of the request. Does nothing when Complete or
    /// Failed. Stops once after the head so that keepBody() can be called; call again to go on.
    State feed(QByteArray &buffer);

    /// The request as far as it is known, from State::Body on.
    const HttpRequest &head() const;
    /// True when the client waits for "100 Continue" before it sends the body.
    bool expectsContinue() const;
    /// Bodies longer than this are read and dropped: the request comes with `bodyCut` set.
    void keepBody(qint64 maxBytes);

    /// The complete request; the parser starts over with the next one.
    HttpRequest takeRequest();
    const HttpProblem &problem() const;

private:
    class Reader;
    HttpLimits m_limits;
    std::unique_ptr<Reader> m_reader;
};

} // namespace terrarium
