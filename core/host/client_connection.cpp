#include "host/client_connection.h"

#include "inspect/change_logs.h"

#include <utility>

namespace terrarium {

ClientConnection::ClientConnection(Environment &environment, ChangeLogs &logs, QString actorId, ConnectionSink *sink)
    : m_environment(environment),
      m_logs(logs),
      m_actorId(std::move(actorId)),
      m_sink(sink),
      m_early(std::make_unique<std::vector<Early>>()),
      m_alive(std::make_shared<bool>(true))
{}

ClientConnection::~ClientConnection()
{
    *m_alive = false;
    close();
}

void ClientConnection::opened(std::shared_ptr<ActorTask> task, std::shared_ptr<ActorConnection> connection)
{
    m_task = std::move(task);
    m_connection = std::move(connection);
}

void ClientConnection::handOver(std::unique_ptr<ClientConnection> connection, const ConnectReply &door)
{
    ClientConnection *given = connection.get();
    const std::shared_ptr<bool> alive = given->m_alive;
    door(std::unique_ptr<HostConnection>(std::move(connection)));
    if (!*alive)
        return; // the door did not want it any more
    const auto early = std::move(given->m_early);
    for (const Early &held : *early) {
        if (!*alive)
            return;
        if (held.closeCode != 0)
            given->m_sink->closed(held.closeCode, held.name);
        else
            given->m_sink->event(held.name, held.args, held.sharedFrame);
    }
}

QString ClientConnection::id() const
{
    return m_connection ? m_connection->id() : QString();
}

void ClientConnection::call(const QString &action, Value args, CallReply reply)
{
    if (!m_task) {
        CallOutcome outcome;
        outcome.result = Error(QStringLiteral("actor"), QStringLiteral("stopping"),
                               QStringLiteral("the connection to the actor is closed"));
        m_environment.executor.post(
            [reply = std::move(reply), outcome = std::move(outcome)]() mutable { reply(std::move(outcome)); });
        return;
    }
    ActionCommand command;
    command.name = action;
    command.args = std::move(args);
    command.connection = m_connection;
    command.cause = Cause(QStringLiteral("action"), action, m_connection->id());
    command.reply = [reply = std::move(reply), logs = &m_logs, actor = m_actorId](ActionOutcome &&ended) {
        CallOutcome outcome;
        outcome.result = std::move(ended.result);
        outcome.tookUs = ended.tookUs;
        outcome.firstSequence = ended.firstSequence;
        outcome.lastSequence = ended.lastSequence;
        if (ended.firstSequence != 0) {
            const ChangeLog *log = logs->find(actor);
            if (log != nullptr && log->isWatched())
                outcome.changedPaths = log->changedPaths(ended.firstSequence, ended.lastSequence);
        }
        reply(std::move(outcome));
    };
    m_task->dispatch(std::move(command));
}

void ClientConnection::subscribe(const QString &event, bool on)
{
    if (m_connection && m_connection->subscribe(event, on) && m_task)
        m_task->observer().summaryChanged();
}

void ClientConnection::close()
{
    if (!m_task)
        return;
    m_connection->dropOutlet();
    CloseCommand command;
    command.connection = m_connection;
    const auto task = std::exchange(m_task, nullptr);
    task->dispatch(std::move(command));
}

void ClientConnection::event(const QString &name, const Value &args, const std::shared_ptr<QByteArray> &sharedFrame)
{
    if (m_early)
        m_early->push_back(Early{name, args, sharedFrame, 0});
    else
        m_sink->event(name, args, sharedFrame);
}

void ClientConnection::closed(quint16 code, const QString &reason)
{
    m_task.reset();
    if (m_early)
        m_early->push_back(Early{reason, Value(), nullptr, code});
    else
        m_sink->closed(code, reason);
}

} // namespace terrarium
