#pragma once
// A Transport over a WebSocket that a peer opened to us. Frames are binary messages.

#include "wire/conn.h"
#include "wire/transport.h"

#include <memory>

namespace terrarium {

class ConnTransport final : public Transport {
    Q_OBJECT
public:
    explicit ConnTransport(std::unique_ptr<Conn> conn, QObject *parent = nullptr);
    ~ConnTransport() override;

    void send(const QByteArray &frame) override;
    qint64 pendingBytes() const override;
    void close(quint16 code, const QString &reason) override;
    bool isOpen() const override;

private:
    std::unique_ptr<Conn> m_conn;
};

} // namespace terrarium
