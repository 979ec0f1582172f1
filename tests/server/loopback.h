#pragma once
// What the tests of the doors share: an event loop that turns until something is true, a bare TCP client, and an
// environment with a clock that stands still.

#include "async/qt_environment.h"
#include "async/virtual_clock.h"

#include <QList>
#include <QTcpSocket>

#include <functional>
#include <utility>

namespace terrarium::test {

/// Turns the event loop until `condition` holds. False after ten seconds, which only a broken program needs.
bool loopUntil(const std::function<bool()> &condition);
/// Lets what is on its way arrive: turns the loop until nothing happened for some turns.
void settle();

/// Real sockets, a clock that only moves by advance().
class StillEnvironment final {
public:
    StillEnvironment() : m_environment{m_clock, m_qt.environment().executor, m_qt.environment().random, {}, true} {}

    Environment &environment() { return m_environment; }
    QtEnvironment &qt() { return m_qt; }
    /// Moves time and runs what is due.
    void advance(Duration by);

private:
    QtEnvironment m_qt;
    VirtualClock m_clock;
    Environment m_environment;
};

struct RawResponse {
    int status = 0;
    QList<std::pair<QByteArray, QByteArray>> headers; ///< names in lower case
    QByteArray body;

    QByteArray header(const QByteArray &name) const;
};

/// Sends bytes as they are and reads responses.
class RawClient final {
public:
    explicit RawClient(quint16 port);

    void send(const QByteArray &bytes);
    /// The next response; status 0 when the connection ended or none came. `isHead`: it has no body.
    RawResponse receive(bool isHead = false);
    /// Waits for the end of the connection.
    bool isClosedByPeer();
    /// Takes in what has arrived.
    void pull() { m_in += m_socket.readAll(); }
    QTcpSocket &socket() { return m_socket; }
    /// Everything received and not taken by receive().
    const QByteArray &rest() const { return m_in; }

private:
    QTcpSocket m_socket;
    QByteArray m_in;
};

} // namespace terrarium::test
