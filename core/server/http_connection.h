#pragma once
// One HTTP connection: requests in, answers out in the same order, limits on size and time.
//
// Requests that arrive together are handled side by side and answered in order. While many answers are owed
// or the client takes none, nothing more is read. A request for a WebSocket that comes when nothing else is
// going on is only peeked at, so that the socket can be handed over with all its bytes.

#include "async/environment.h"
#include "server/http_handler.h"
#include "wire/socket_writer.h"

#include <QObject>
#include <QTcpSocket>

#include <deque>
#include <memory>

namespace terrarium {

struct HttpTimes {
    Duration head = std::chrono::seconds(10);  ///< from the first byte of a head to its end
    Duration body = std::chrono::seconds(60);  ///< from the end of the head to the end of the body
    Duration idle = std::chrono::seconds(120); ///< without a request
    Duration stall = std::chrono::seconds(60); ///< without the client taking anything of an answer
    Duration linger = std::chrono::seconds(2); ///< reading on after the last answer, so that it arrives
};

struct HttpBounds {
    HttpLimits request;
    int pipelined = 32;                ///< answers owed before reading stops
    qint64 pendingBytes = 1024 * 1024; ///< answers not taken before reading stops
};

class HttpConnection final : public QObject {
    Q_OBJECT
public:
    /// Takes `socket` over.
    HttpConnection(QTcpSocket *socket, HttpHandler &handler, Environment &environment, TurnFlush &turn,
                   const HttpBounds &bounds, const HttpTimes &times);
    ~HttpConnection() override;

    /// Reads what has arrived already. Call it once the signals are connected.
    void start();
    /// Answers what it owes, then ends.
    void finish();

Q_SIGNALS:
    /// The socket is no longer ours; its bytes, head included, are unread. gone() follows.
    void upgrade(QTcpSocket *socket, const HttpRequest &request);
    /// Delete this object later.
    void gone();

private:
    friend class HttpResponder;
    using Exchange = HttpResponder::Exchange;

    void read();
    void process();
    void processLater();
    /// The kernel took bytes.
    void taken();
    bool tryUpgrade();
    bool isFull() const;
    void accept(HttpRequest &&request);
    void answered();
    void sendReady();
    void closeAfterAnswers();
    void startLinger();
    void end();
    void setDeadline(Instant deadline);
    void checkTime();

    QTcpSocket *m_socket;
    HttpHandler &m_handler;
    Environment &m_environment;
    const HttpBounds m_bounds;
    const HttpTimes m_times;
    SocketWriter m_writer;
    HttpParser m_parser;
    QByteArray m_in;
    std::deque<std::shared_ptr<Exchange>> m_exchanges;
    std::optional<HttpResponse> m_refusal; ///< answer to the request that is being read
    QString m_peer;
    bool m_headHandled = false;
    bool m_processing = false;
    bool m_paused = false;
    bool m_lastRequestSeen = false; ///< nothing after it is read
    bool m_lingering = false;
    bool m_over = false;
    Timer m_timer;
    Instant m_deadline = Instant::max();
    Instant m_timerAt = Instant::max();
    Instant m_lastProgress;
};

} // namespace terrarium
