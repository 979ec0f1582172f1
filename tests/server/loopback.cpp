#include "server/loopback.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QHostAddress>

namespace terrarium::test {

bool loopUntil(const std::function<bool()> &condition)
{
    const QDeadlineTimer deadline(std::chrono::seconds(10));
    while (!condition()) {
        if (deadline.hasExpired())
            return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

void settle()
{
    for (int i = 0; i < 50; ++i) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

void StillEnvironment::advance(Duration by)
{
    m_clock.moveTo(m_clock.now() + by);
    m_clock.timers().runDue(m_clock.now());
    settle();
}

QByteArray RawResponse::header(const QByteArray &name) const
{
    for (const auto &[key, value] : headers) {
        if (key == name)
            return value;
    }
    return {};
}

RawClient::RawClient(quint16 port)
{
    m_socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
    loopUntil([this] {
        return m_socket.state() != QAbstractSocket::HostLookupState
               && m_socket.state() != QAbstractSocket::ConnectingState;
    });
}

void RawClient::send(const QByteArray &bytes)
{
    m_socket.write(bytes);
    m_socket.flush();
}

RawResponse RawClient::receive(bool isHead)
{
    qsizetype end = -1;
    RawResponse response;
    const auto readMore = [this] { m_in += m_socket.readAll(); };
    const bool hasHead = loopUntil([&] {
        readMore();
        end = m_in.indexOf("\r\n\r\n");
        return end >= 0 || m_socket.state() == QAbstractSocket::UnconnectedState;
    });
    if (!hasHead || end < 0)
        return response;
    const auto lines = m_in.left(end).split('\n');
    m_in.remove(0, end + 4);
    response.status = lines.first().mid(9, 3).toInt();
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        response.headers.append({line.left(colon).toLower(), line.mid(colon + 1).trimmed()});
    }
    const qsizetype length = isHead ? 0 : response.header("content-length").toLongLong();
    loopUntil([&] {
        readMore();
        return m_in.size() >= length || m_socket.state() == QAbstractSocket::UnconnectedState;
    });
    response.body = m_in.left(length);
    m_in.remove(0, length);
    return response;
}

bool RawClient::isClosedByPeer()
{
    return loopUntil([this] {
        m_in += m_socket.readAll();
        return m_socket.state() == QAbstractSocket::UnconnectedState;
    });
}

} // namespace terrarium::test
