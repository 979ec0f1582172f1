#include "server/http_parser.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace terrarium {

namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

QByteArray httpBytes(beast::string_view text)
{
    return QByteArray(text.data(), qsizetype(text.size()));
}

} // namespace

class HttpParser::Reader final : public http::basic_parser<true> {
public:
    explicit Reader(const HttpLimits &limits) : m_limits(limits), m_keep(limits.body)
    {
        eager(true);
        header_limit(std::uint32_t(limits.head));
        body_limit(std::uint64_t(limits.body));
    }

    void fail(int status, const QByteArray &code, const QString &message)
    {
        if (m_failed)
            return;
        m_failed = true;
        m_problem = HttpProblem{status, code, message};
    }

    void failFrom(beast::error_code ec)
    {
        if (ec == http::error::header_limit) {
            fail(431, "headers_too_large", tooLarge());
        } else if (ec == http::error::body_limit) {
            fail(413, "body_too_large", QStringLiteral("the request body is longer than %1 bytes").arg(m_limits.body));
        } else if (ec == http::error::bad_version) {
            fail(505, "not_supported", QStringLiteral("the HTTP version is neither 1.0 nor 1.1"));
        } else {
            fail(400, "bad_request",
                 QStringLiteral("the request is malformed: %1").arg(QString::fromStdString(ec.message())));
        }
    }

    QString tooLarge() const
    {
        return QStringLiteral("the request head is longer than %1 bytes or has more than %2 headers")
            .arg(m_limits.head)
            .arg(m_limits.headerCount);
    }

    HttpLimits m_limits;
    HttpRequest m_request;
    HttpProblem m_problem;
    qint64 m_keep;
    bool m_failed = false;
    bool m_headSeen = false;
    bool m_headDone = false;
    bool m_finished = false;
    bool m_expectsContinue = false;

private:
    void refuse(beast::error_code &ec, const QString &message, int status = 400, const QByteArray &code = "bad_request")
    {
        fail(status, code, message);
        ec = http::error::bad_value;
    }

    void on_request_impl(http::verb, beast::string_view method, beast::string_view target, int version,
                         beast::error_code &) override
    {
        m_request.method = httpBytes(method);
        m_request.target = httpBytes(target);
        m_request.minorVersion = version % 10;
    }

    void on_response_impl(int, beast::string_view, int, beast::error_code &) override {}

    void on_field_impl(http::field field, beast::string_view name, beast::string_view value,
                       beast::error_code &ec) override
    {
        if (m_headDone)
            return; // trailers carry nothing that we use, and must not change the head
        if (m_request.headers.size() >= m_limits.headerCount)
            return refuse(ec, tooLarge(), 431, "headers_too_large");
        switch (field) {
        case http::field::content_length:
            if (m_request.hasHeader("content-length"))
                return refuse(ec, QStringLiteral("Content-Length is given more than once"));
            if (value.empty() || value.find_first_not_of("0123456789") != beast::string_view::npos)
                return refuse(ec, QStringLiteral("Content-Length \"%1\" is no number")
                                      .arg(QString::fromLatin1(value.data(), qsizetype(value.size()))));
            break;
        case http::field::transfer_encoding:
            if (!beast::iequals(value, "chunked"))
                return refuse(ec, QStringLiteral("Transfer-Encoding \"%1\" is not supported, only \"chunked\"")
                                      .arg(QString::fromLatin1(value.data(), qsizetype(value.size()))));
            if (m_request.minorVersion == 0)
                return refuse(ec, QStringLiteral("HTTP/1.0 has no Transfer-Encoding"));
            break;
        case http::field::host:
            if (m_request.hasHeader("host"))
                return refuse(ec, QStringLiteral("Host is given more than once"));
            break;
        case http::field::expect:
            if (!beast::iequals(value, "100-continue"))
                return refuse(ec,
                              QStringLiteral("the expectation \"%1\" is not known")
                                  .arg(QString::fromLatin1(value.data(), qsizetype(value.size()))),
                              417, "not_supported");
            m_expectsContinue = m_request.minorVersion == 1;
            break;
        default: break;
        }
        m_request.headers.append(HttpHeader(httpBytes(name), httpBytes(value)));
    }

    void on_header_impl(beast::error_code &ec) override
    {
        m_headDone = true;
        if (m_request.minorVersion == 1 && !m_request.hasHeader("host"))
            return refuse(ec, QStringLiteral("the Host header is missing"));
        QByteArray target = m_request.target;
        if (!target.startsWith('/')) {
            // Absolute form, as proxies send it; the Host header is what counts for access.
            const qsizetype scheme = target.indexOf("://");
            const qsizetype slash = scheme < 0 ? -1 : target.indexOf('/', scheme + 3);
            if (target != "*" && slash < 0)
                return refuse(ec,
                              QStringLiteral("the request target \"%1\" is no path").arg(QString::fromLatin1(target)));
            if (slash >= 0)
                target = target.mid(slash);
        }
        const qsizetype question = target.indexOf('?');
        m_request.path = question < 0 ? target : target.left(question);
        m_request.query = question < 0 ? QByteArray() : target.mid(question + 1);
        m_request.keepAlive = keep_alive();
    }

    void on_body_init_impl(const boost::optional<std::uint64_t> &length, beast::error_code &) override
    {
        if (length && *length == 0)
            m_expectsContinue = false;
    }

    std::size_t on_body_impl(beast::string_view body, beast::error_code &) override
    {
        addBody(body);
        return body.size();
    }

    void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code &) override {}

    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view body, beast::error_code &) override
    {
        addBody(body);
        return body.size();
    }

    void on_finish_impl(beast::error_code &) override { m_finished = true; }

    void addBody(beast::string_view body)
    {
        if (m_request.bodyCut)
            return;
        if (m_request.body.size() + qsizetype(body.size()) > m_keep) {
            m_request.bodyCut = true;
            m_request.body.clear();
            return;
        }
        m_request.body.append(body.data(), qsizetype(body.size()));
    }
};

HttpParser::HttpParser(HttpLimits limits) : m_limits(limits), m_reader(std::make_unique<Reader>(limits)) {}

HttpParser::~HttpParser() = default;

HttpParser::State HttpParser::state() const
{
    if (m_reader->m_failed)
        return State::Failed;
    if (m_reader->m_finished)
        return State::Complete;
    return m_reader->m_headSeen ? State::Body : State::Head;
}

HttpParser::State HttpParser::feed(QByteArray &buffer)
{
    Reader &reader = *m_reader;
    // Eager reading would go past the head at once; the caller first says how much of the body it wants.
    reader.eager(reader.m_headSeen);
    qsizetype consumed = 0;
    while (!reader.m_failed && !reader.m_finished && consumed < buffer.size()) {
        beast::error_code ec;
        const auto rest = size_t(buffer.size() - consumed);
        const std::size_t n = reader.put(boost::asio::const_buffer(buffer.constData() + consumed, rest), ec);
        consumed += qsizetype(n);
        if (ec == http::error::need_more) {
            // A line or a trailer that never ends stays in the buffer.
            if (qsizetype(rest - n) > m_limits.head)
                reader.fail(431, "headers_too_large", reader.tooLarge());
            break;
        }
        if (ec) {
            reader.failFrom(ec);
            break;
        }
        if (reader.m_headDone && !reader.m_headSeen)
            break;
        if (n == 0)
            break;
    }
    if (reader.m_headDone)
        reader.m_headSeen = true;
    buffer.remove(0, consumed);
    return state();
}

const HttpRequest &HttpParser::head() const
{
    return m_reader->m_request;
}

bool HttpParser::expectsContinue() const
{
    return m_reader->m_expectsContinue;
}

void HttpParser::keepBody(qint64 maxBytes)
{
    m_reader->m_keep = maxBytes;
}

HttpRequest HttpParser::takeRequest()
{
    Q_ASSERT(m_reader->m_finished);
    HttpRequest request = std::move(m_reader->m_request);
    m_reader = std::make_unique<Reader>(m_limits);
    return request;
}

const HttpProblem &HttpParser::problem() const
{
    return m_reader->m_problem;
}

} // namespace terrarium
