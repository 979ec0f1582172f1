#include "wire/socket_writer.h"

#ifdef Q_OS_UNIX
#include <cerrno>
#include <sys/socket.h>
#endif

namespace terrarium {

void SocketWriter::write(const QByteArray &bytes)
{
    if (!m_socket || bytes.isEmpty())
        return;
    if (m_gathered.isEmpty())
        m_gathered = bytes;
    else
        m_gathered.append(bytes);
    m_turn.mark(*this);
}

void SocketWriter::flush()
{
    if (m_gathered.isEmpty())
        return;
    const QByteArray bytes = std::exchange(m_gathered, {});
    if (!m_socket || m_socket->state() != QAbstractSocket::ConnectedState || !m_socket->isOpen())
        return;
    qsizetype sent = 0;
#ifdef Q_OS_UNIX
    if (m_socket->bytesToWrite() == 0) {
        const auto descriptor = int(m_socket->socketDescriptor());
        while (sent < bytes.size()) {
            const auto n = ::send(descriptor, bytes.constData() + sent, size_t(bytes.size() - sent), MSG_NOSIGNAL);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                break; // full or broken: QTcpSocket waits or reports
            sent += qsizetype(n);
        }
    }
#endif
    if (sent < bytes.size())
        m_socket->write(bytes.constData() + sent, bytes.size() - sent);
    else if (m_taken)
        m_taken();
}

qint64 SocketWriter::pendingBytes() const
{
    return m_gathered.size() + (m_socket ? m_socket->bytesToWrite() : 0);
}

} // namespace terrarium
