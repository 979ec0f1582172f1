#pragma once
// The writing half of one TCP socket: gathers a turn's bytes and writes them at once.
//
// The bytes go straight to the socket's descriptor while QTcpSocket has nothing of its own waiting, and
// through QTcpSocket otherwise, so that the order never changes. A single piece written in a turn is not
// copied: a frame that is sent to many sockets is one shared byte array.

#include "wire/turn_flush.h"

#include <QByteArray>
#include <QPointer>
#include <QTcpSocket>

namespace terrarium {

class SocketWriter final : public TurnFlush::Member {
public:
    /// `socket` may die first; writing then does nothing. `taken` is called when a flush left nothing pending:
    /// QTcpSocket reports only the bytes that went through it.
    SocketWriter(QTcpSocket *socket, TurnFlush &turn, std::function<void()> taken = {})
        : m_socket(socket),
          m_turn(turn),
          m_taken(std::move(taken))
    {}
    ~SocketWriter() override = default;

    /// Appends to this turn's bytes.
    void write(const QByteArray &bytes);
    /// Writes what was gathered now, without waiting for the end of the turn.
    void flush();
    /// Bytes the kernel has not taken yet.
    qint64 pendingBytes() const;

private:
    void flushTurn() override { flush(); }

    QPointer<QTcpSocket> m_socket;
    TurnFlush &m_turn;
    std::function<void()> m_taken;
    QByteArray m_gathered;
};

} // namespace terrarium
