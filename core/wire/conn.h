#pragma once
// A WebSocket that a client opened to us: QWebSocket reads and answers pings, we frame and write.
//
// Frames written during an event-loop turn leave together at its end. The peer is pinged now and then and
// cut when it shows no sign of life or takes nothing for long, so memory stays bounded whatever it does.

#include "async/environment.h"
#include "wire/socket_writer.h"
#include "wire/websocket_frame.h"

#include <QObject>
#include <QPointer>
#include <QWebSocket>

namespace terrarium {

struct ConnLimits {
    qint64 incomingMessage = 4 * 1024 * 1024; ///< larger ones end the connection with 1009
    qint64 pendingBytes = 16 * 1024 * 1024;   ///< a peer this far behind is cut
    Duration pingEvery = std::chrono::seconds(30);
    Duration silence = std::chrono::seconds(120); ///< without any sign of life
};

/// Lives in the host thread. Owns both sockets.
class Conn final : public QObject {
    Q_OBJECT
public:
    /// `tcp` is the socket below `webSocket`.
    Conn(QWebSocket *webSocket, QTcpSocket *tcp, Environment &environment, TurnFlush &turn, ConnLimits limits = {});
    ~Conn() override;

    void sendText(QByteArrayView utf8) { sendFrame(websocketFrame(FrameKind::Text, utf8)); }
    void sendBinary(QByteArrayView bytes) { sendFrame(websocketFrame(FrameKind::Binary, bytes)); }
    /// A frame made by websocketFrame(), perhaps shared by many. Dropped after close().
    void sendFrame(const QByteArray &frame);
    /// Writes what is pending, then the close frame. closed() follows.
    void close(quint16 code, const QString &reason = {});
    /// Ends the connection without a word.
    void cut(const QString &reason);

    void setLimits(const ConnLimits &limits);
    bool isOpen() const { return m_open; }
    qint64 pendingBytes() const { return m_writer.pendingBytes(); }
    QString peer() const { return m_peer; } ///< "127.0.0.1:51234"

Q_SIGNALS:
    void textReceived(const QString &text);
    void binaryReceived(const QByteArray &bytes);
    /// The kernel took bytes; pendingBytes() is smaller now. Send more from here, but do not delete this object.
    void drained();
    /// Once, never from inside a call on this object. Code 0: cut without a close frame.
    void closed(quint16 code, const QString &reason);

private:
    void alive() { m_lastSign = m_environment.clock.now(); }
    void beat();
    void finish();

    Environment &m_environment;
    ConnLimits m_limits;
    QPointer<QWebSocket> m_webSocket;
    QPointer<QTcpSocket> m_tcp;
    SocketWriter m_writer;
    QString m_peer;
    Timer m_timer;
    Instant m_lastSign;
    bool m_open = true;
    bool m_finished = false;
    quint16 m_closeCode = 0;
    QString m_closeReason;
};

} // namespace terrarium
