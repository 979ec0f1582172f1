#include "wire/conn_transport.h"

namespace terrarium {

ConnTransport::ConnTransport(std::unique_ptr<Conn> conn, QObject *parent) : Transport(parent), m_conn(std::move(conn))
{
    connect(m_conn.get(), &Conn::binaryReceived, this, &ConnTransport::received);
    connect(m_conn.get(), &Conn::textReceived, this,
            [this](const QString &) { m_conn->close(1003, QStringLiteral("inspector.binary_only")); });
    connect(m_conn.get(), &Conn::drained, this, [this] {
        if (m_conn->pendingBytes() == 0)
            Q_EMIT drained();
    });
    connect(m_conn.get(), &Conn::closed, this, &ConnTransport::closed);
}

ConnTransport::~ConnTransport() = default;

void ConnTransport::send(const QByteArray &frame)
{
    m_conn->sendBinary(frame);
}

qint64 ConnTransport::pendingBytes() const
{
    return m_conn->pendingBytes();
}

void ConnTransport::close(quint16 code, const QString &reason)
{
    m_conn->close(code, reason);
}

bool ConnTransport::isOpen() const
{
    return m_conn->isOpen();
}

} // namespace terrarium
