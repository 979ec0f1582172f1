#pragma once
// One client's connection: between the door that holds it and the actor it is open to.

#include "actor/actor_task.h"
#include "host/host_core.h"

#include <memory>
#include <vector>

namespace terrarium {

class ChangeLogs;

class ClientConnection final : public HostConnection, public ConnectionOutlet {
public:
    ClientConnection(Environment &environment, ChangeLogs &logs, QString actorId, ConnectionSink *sink);
    ClientConnection(const ClientConnection &) = delete;
    ClientConnection &operator=(const ClientConnection &) = delete;
    ~ClientConnection() override;

    /// The actor took it.
    void opened(std::shared_ptr<ActorTask> task, std::shared_ptr<ActorConnection> connection);
    /// Gives it to its door; then what came meanwhile goes to the sink.
    static void handOver(std::unique_ptr<ClientConnection> connection, const ConnectReply &door);

    QString id() const override;
    QString actorId() const override { return m_actorId; }
    void call(const QString &action, Value args, CallReply reply) override;
    void subscribe(const QString &event, bool on) override;
    void close() override;

    void event(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &sharedFrame) override;
    void closed(quint16 code, const QString &reason) override;

private:
    struct Early {
        QString name;
        Value args;
        std::shared_ptr<QByteArray> sharedFrame;
        quint16 closeCode = 0; ///< not 0: it was closed, with `name` as the reason
    };

    Environment &m_environment;
    ChangeLogs &m_logs;
    QString m_actorId;
    ConnectionSink *m_sink;
    std::shared_ptr<ActorTask> m_task; // null: not opened yet, or over
    std::shared_ptr<ActorConnection> m_connection;
    std::unique_ptr<std::vector<Early>> m_early; // until it is handed over
    std::shared_ptr<bool> m_alive;
};

} // namespace terrarium
