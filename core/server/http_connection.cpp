#include "server/http_connection.h"

#include <QHostAddress>

#ifdef Q_OS_UNIX
#include <sys/socket.h>
#endif

namespace terrarium {

struct HttpResponder::Exchange {
    HttpConnection *connection = nullptr; ///< null when it is gone or the answer is out
    HttpResponse response;
    bool answered = false;
    bool head = false;
    bool keepAlive = true;
};

struct HttpResponder::Right {
    explicit Right(std::shared_ptr<Exchange> exchange) : exchange(std::move(exchange)) {}
    ~Right()
    {
        respond(HttpResponse(500, "{\"group\":\"core\",\"code\":\"internal_error\","
                                  "\"message\":\"An internal error occurred\"}"));
    }
    Right(const Right &) = delete;
    Right &operator=(const Right &) = delete;

    void respond(HttpResponse &&response)
    {
        if (exchange->answered)
            return;
        exchange->answered = true;
        if (!exchange->connection)
            return;
        exchange->response = std::move(response);
        exchange->connection->answered();
    }

    std::shared_ptr<Exchange> exchange;
};

HttpResponder::HttpResponder(std::shared_ptr<Exchange> exchange) : m_right(std::make_shared<Right>(std::move(exchange)))
{}

void HttpResponder::respond(HttpResponse response) const
{
    if (m_right)
        m_right->respond(std::move(response));
}

bool HttpResponder::isWanted() const
{
    return m_right && m_right->exchange->connection && !m_right->exchange->answered;
}

HttpConnection::HttpConnection(QTcpSocket *socket, HttpHandler &handler, Environment &environment, TurnFlush &turn,
                               const HttpBounds &bounds, const HttpTimes &times)
    : m_socket(socket),
      m_handler(handler),
      m_environment(environment),
      m_bounds(bounds),
      m_times(times),
      m_writer(socket, turn, [this] { taken(); }),
      m_parser(bounds.request),
      m_peer(socket->peerAddress().toString() + QLatin1Char(':') + QString::number(socket->peerPort())),
      m_lastProgress(environment.clock.now())
{
    socket->setParent(this);
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    socket->setReadBufferSize(64 * 1024);
    connect(socket, &QTcpSocket::readyRead, this, &HttpConnection::read);
    connect(socket, &QTcpSocket::disconnected, this, &HttpConnection::end);
    connect(socket, &QTcpSocket::bytesWritten, this, &HttpConnection::taken);
    setDeadline(environment.clock.now() + times.head);
}

void HttpConnection::start()
{
    if (m_socket->bytesAvailable() > 0)
        read();
    else if (m_socket->state() != QAbstractSocket::ConnectedState)
        end();
}

HttpConnection::~HttpConnection()
{
    for (const auto &exchange : m_exchanges)
        exchange->connection = nullptr;
    if (m_socket)
        m_socket->disconnect(this);
}

void HttpConnection::finish()
{
    m_lastRequestSeen = true;
    if (m_exchanges.empty())
        startLinger();
    else
        m_exchanges.back()->keepAlive = false;
}

void HttpConnection::taken()
{
    m_lastProgress = m_environment.clock.now();
    if (m_paused && !isFull())
        processLater();
}

void HttpConnection::processLater()
{
    m_environment.executor.post([self = QPointer<HttpConnection>(this)] {
        if (self)
            self->process();
    });
}

bool HttpConnection::isFull() const
{
    return int(m_exchanges.size()) >= m_bounds.pipelined || m_writer.pendingBytes() > m_bounds.pendingBytes;
}

void HttpConnection::read()
{
    if (m_over)
        return;
    if (m_lastRequestSeen) {
        m_socket->skip(m_socket->bytesAvailable());
        return;
    }
    const bool isFresh =
        m_in.isEmpty() && m_exchanges.empty() && !m_processing && m_parser.state() == HttpParser::State::Head;
    if (isFresh && !m_refusal && tryUpgrade())
        return;
    process();
}

bool HttpConnection::tryUpgrade()
{
    static constexpr char get[] = "GET ";
    const QByteArray start = m_socket->peek(4);
    if (!QByteArrayView(get, 4).startsWith(start))
        return false;
    const QByteArray head = m_socket->peek(m_bounds.request.head + 4);
    const qsizetype end = head.indexOf("\r\n\r\n");
    if (end < 0) {
        if (head.size() >= m_bounds.request.head)
            return false; // the parser says what is wrong with it
        if (m_deadline > m_environment.clock.now() + m_times.head)
            setDeadline(m_environment.clock.now() + m_times.head);
        return true;
    }
    QByteArray headOnly = head.left(end + 4);
    if (!headOnly.toLower().contains("\nupgrade:"))
        return false;
    HttpParser parser(m_bounds.request);
    if (parser.feed(headOnly) != HttpParser::State::Complete)
        return false;
    HttpRequest request = parser.takeRequest();
    if (!request.isUpgrade())
        return false;
    request.remoteAddress = m_peer;
    if (auto refusal = m_handler.refuseUpgrade(request)) {
        m_refusal = std::move(refusal);
        m_refusal->close = true;
        return false;
    }
    m_over = true;
    m_timer.cancel();
    QTcpSocket *socket = std::exchange(m_socket, nullptr);
    socket->disconnect(this);
    socket->setParent(nullptr);
    Q_EMIT upgrade(socket, request);
    Q_EMIT gone();
    return true;
}

void HttpConnection::process()
{
    if (m_processing || m_over)
        return;
    m_processing = true;
    m_paused = false;
    while (!m_over && !m_lastRequestSeen) {
        if (isFull()) {
            m_paused = true;
            break;
        }
        if (m_socket->bytesAvailable() > 0)
            m_in += m_socket->readAll();
        if (m_in.isEmpty())
            break;
        const qsizetype before = m_in.size();
        const auto state = m_parser.feed(m_in);
        if (state == HttpParser::State::Failed) {
            auto exchange = std::make_shared<Exchange>();
            exchange->answered = true;
            exchange->keepAlive = false;
            exchange->response = m_handler.problemResponse(m_parser.problem());
            m_exchanges.push_back(std::move(exchange));
            m_lastRequestSeen = true;
            break;
        }
        if (state != HttpParser::State::Head && !m_headHandled) {
            m_headHandled = true;
            qint64 maxBody = m_bounds.request.body;
            if (!m_refusal)
                m_refusal = m_handler.admit(m_parser.head(), maxBody);
            m_parser.keepBody(m_refusal ? 0 : maxBody);
            if (state == HttpParser::State::Body) {
                setDeadline(m_environment.clock.now() + m_times.body);
                if (m_parser.expectsContinue()) {
                    if (m_refusal) {
                        // The body will not come: answer now and end, as its length cannot be skipped.
                        HttpRequest request = m_parser.head();
                        request.keepAlive = false;
                        accept(std::move(request));
                        break;
                    }
                    if (m_exchanges.empty())
                        m_writer.write("HTTP/1.1 100 Continue\r\n\r\n");
                }
                continue;
            }
        }
        if (state == HttpParser::State::Complete) {
            accept(m_parser.takeRequest());
            continue;
        }
        if (m_in.size() == before)
            break;
    }
    m_processing = false;
    if (m_over)
        return;
    sendReady();
    if (m_over || m_lingering)
        return;
    const bool isReading = m_parser.state() == HttpParser::State::Body || !m_in.isEmpty();
    if (!isReading)
        setDeadline(m_exchanges.empty() ? m_environment.clock.now() + m_times.idle : Instant::max());
    else if (m_parser.state() == HttpParser::State::Head && m_deadline > m_environment.clock.now() + m_times.head)
        setDeadline(m_environment.clock.now() + m_times.head);
}

void HttpConnection::accept(HttpRequest &&request)
{
    m_headHandled = false;
    request.remoteAddress = m_peer;
    auto exchange = std::make_shared<Exchange>();
    exchange->connection = this;
    exchange->head = request.method == "HEAD";
    exchange->keepAlive = request.keepAlive;
    m_lastRequestSeen = !request.keepAlive;
    m_exchanges.push_back(exchange);
    HttpResponder responder(exchange);
    if (m_refusal) {
        responder.respond(*std::exchange(m_refusal, std::nullopt));
        return;
    }
    m_handler.handle(std::move(request), std::move(responder));
}

void HttpConnection::answered()
{
    if (!m_processing)
        sendReady();
}

void HttpConnection::sendReady()
{
    bool close = false;
    while (!m_exchanges.empty() && m_exchanges.front()->answered && !close) {
        const std::shared_ptr<Exchange> exchange = m_exchanges.front();
        m_exchanges.pop_front();
        exchange->connection = nullptr;
        const bool keepAlive = exchange->keepAlive && !exchange->response.close;
        m_writer.write(exchange->response.serialize(keepAlive, exchange->head));
        close = !keepAlive;
    }
    if (close) {
        closeAfterAnswers();
        return;
    }
    if (m_processing || m_over)
        return;
    if (m_paused && !isFull())
        processLater();
    else if (m_exchanges.empty() && m_in.isEmpty() && m_parser.state() == HttpParser::State::Head)
        setDeadline(m_environment.clock.now() + m_times.idle);
}

void HttpConnection::closeAfterAnswers()
{
    for (const auto &exchange : m_exchanges)
        exchange->connection = nullptr;
    m_exchanges.clear();
    m_lastRequestSeen = true;
    startLinger();
}

void HttpConnection::startLinger()
{
    if (m_lingering || m_over)
        return;
    m_lingering = true;
    m_in.clear();
    m_writer.flush();
    // Closing with unread bytes would reset the connection and may destroy the answer on its way: say that
    // nothing more comes, and read on for a while.
#ifdef Q_OS_UNIX
    if (m_socket->bytesToWrite() == 0)
        ::shutdown(int(m_socket->socketDescriptor()), SHUT_WR);
    m_socket->skip(m_socket->bytesAvailable());
    setDeadline(m_environment.clock.now() + m_times.linger);
#else
    m_socket->disconnectFromHost();
#endif
}

void HttpConnection::end()
{
    if (m_over)
        return;
    m_over = true;
    m_timer.cancel();
    for (const auto &exchange : m_exchanges)
        exchange->connection = nullptr;
    m_exchanges.clear();
    Q_EMIT gone();
}

void HttpConnection::setDeadline(Instant deadline)
{
    m_deadline = deadline;
    // Later deadlines are noticed when the armed timer fires; only an earlier one needs a new timer.
    const Instant look = std::min(deadline, m_environment.clock.now() + m_times.stall);
    if (m_timer.isArmed() && m_timerAt <= look)
        return;
    m_timerAt = look;
    m_timer = m_environment.clock.at(look, [this] { checkTime(); });
}

void HttpConnection::checkTime()
{
    if (m_over)
        return;
    m_timerAt = Instant::max();
    const Instant now = m_environment.clock.now();
    const bool isStalled = m_writer.pendingBytes() > 0 && now - m_lastProgress >= m_times.stall;
    if (isStalled || (m_lingering && now >= m_deadline)) {
        m_socket->abort();
        end();
        return;
    }
    if (now < m_deadline) {
        setDeadline(m_deadline);
        return;
    }
    const bool isIdle =
        m_in.isEmpty() && m_socket->bytesAvailable() == 0 && m_parser.state() == HttpParser::State::Head;
    if (isIdle) {
        startLinger();
        return;
    }
    HttpProblem problem;
    problem.status = 408;
    problem.code = "request_timeout";
    problem.message = QStringLiteral("the request did not arrive in time");
    auto exchange = std::make_shared<Exchange>();
    exchange->answered = true;
    exchange->keepAlive = false;
    exchange->response = m_handler.problemResponse(problem);
    m_exchanges.push_back(std::move(exchange));
    m_lastRequestSeen = true;
    m_deadline = Instant::max();
    sendReady();
}

} // namespace terrarium
