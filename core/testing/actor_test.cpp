#include "testing/actor_test.h"

#include <utility>
#include <vector>

namespace terrarium::testing {

namespace {

using RecordedEvents = QList<std::pair<QString, Value>>;

/// The engine's port, and a list of what was broadcast through it.
class RecordingPort final : public detail::ActorPort {
public:
    RecordingPort(detail::ActorPort &port, RecordedEvents &events) : m_port(port), m_events(events) {}

    std::weak_ptr<detail::ActorPort> weak() override { return m_port.weak(); }
    const QString &id() const override { return m_port.id(); }
    const QString &type() const override { return m_port.type(); }
    const ActorKey &key() const override { return m_port.key(); }
    quint32 generation() const override { return m_port.generation(); }
    qint64 wallMs() const override { return m_port.wallMs(); }
    void touchState() override { m_port.touchState(); }
    void broadcast(const QString &event, Value args) override
    {
        m_events.append({event, args});
        m_port.broadcast(event, std::move(args));
    }
    QString actionOf(const QByteArray &memberKey) const override { return m_port.actionOf(memberKey); }
    QString scheduleAt(qint64 wallMs, const QString &action, const Value &args) override
    {
        return m_port.scheduleAt(wallMs, action, args);
    }
    QString scheduleEvery(const QString &name, qint64 intervalMs, const QString &action, const Value &args) override
    {
        return m_port.scheduleEvery(name, intervalMs, action, args);
    }
    bool cancelSchedule(const QString &idOrName) override { return m_port.cancelSchedule(idOrName); }
    Task<> saveNow() override { return m_port.saveNow(); }
    Task<> delay(std::chrono::nanoseconds duration) override { return m_port.delay(duration); }
    Task<bool> sleepFor(std::chrono::nanoseconds duration) override { return m_port.sleepFor(duration); }
    void waitUntil(Task<> task, const QString &label) override { m_port.waitUntil(std::move(task), label); }
    quint64 beginKeepAwake(const QString &label, const QString &origin) override
    {
        return m_port.beginKeepAwake(label, origin);
    }
    void endKeepAwake(quint64 region) override { m_port.endKeepAwake(region); }
    void requestSleep() override { m_port.requestSleep(); }
    void requestDestroy() override { m_port.requestDestroy(); }
    bool isFinishing() const override { return m_port.isFinishing(); }
    ConnectionInfo caller() const override { return m_port.caller(); }
    QList<ConnectionInfo> connections() const override { return m_port.connections(); }
    bool disconnect(const QString &connection, const QString &reason) override
    {
        return m_port.disconnect(connection, reason);
    }

private:
    detail::ActorPort &m_port;
    RecordedEvents &m_events;
};

HostOptions actorTestOptions()
{
    HostOptions options;
    options.dataDir = QStringLiteral(":memory:");
    options.name = QStringLiteral("actor test");
    return options;
}

} // namespace

struct ActorTestBase::Private {
    Private(TypeDefinition definition, quint64 seed)
        : environment(seed),
          type(std::move(definition)),
          host(environment.environment(), actorTestOptions())
    {}

    /// Runs until `answered`; false when nothing is left that could lead to it.
    template <typename T>
    bool runUntil(const std::optional<T> &answered)
    {
        environment.runUntilIdle();
        while (!answered) {
            if (!environment.advanceToNext())
                return false;
            environment.runUntilIdle();
        }
        return true;
    }
    void wait(void (HostCore::*act)(const QString &, const Cause &, DoneReply))
    {
        struct Answer {
            std::optional<Error> error;
        };
        std::optional<Answer> answer;
        (host.*act)(id, Cause(QStringLiteral("host"), QStringLiteral("test")),
                    [&answer](std::optional<Error> error) { answer = Answer{std::move(error)}; });
        if (!runUntil(answer))
            throw Error(QStringLiteral("test"), QStringLiteral("no_answer"), QStringLiteral("the host did not answer"));
        if (answer->error)
            throw *answer->error;
    }

    SimulatedEnvironment environment;
    RecordedEvents events;
    std::vector<std::unique_ptr<RecordingPort>> ports; // outlive the actors, which end with the host
    TypeDefinition type;
    HostCore host;
    QString id;
};

ActorTestBase::ActorTestBase(TypeDefinition type, const ActorKey &key, const std::optional<Value> &input, quint64 seed)
    : d(std::make_unique<Private>(std::move(type), seed))
{
    TypeDefinition recorded = d->type;
    recorded.make = [data = d.get(), make = d->type.make](detail::ActorPort &port) {
        data->ports.push_back(std::make_unique<RecordingPort>(port, data->events));
        return make(*data->ports.back());
    };
    const QString name = recorded.name;
    d->host.add(std::move(recorded));
    d->host.open();
    d->id = d->host.create(name, key, input, Cause(QStringLiteral("create"))).id;
    d->wait(&HostCore::wake);
}

ActorTestBase::~ActorTestBase() = default;

SimulatedEnvironment &ActorTestBase::environment() noexcept
{
    return d->environment;
}

HostCore &ActorTestBase::host() noexcept
{
    return d->host;
}

const QString &ActorTestBase::id() const noexcept
{
    return d->id;
}

Value ActorTestBase::call(const QString &action, Value args)
{
    std::optional<CallOutcome> outcome;
    d->host.call(d->id, action, std::move(args), Value(), Cause(QStringLiteral("action"), action), 0,
                 [&outcome](CallOutcome &&ended) { outcome = std::move(ended); });
    if (!d->runUntil(outcome))
        throw Error(QStringLiteral("test"), QStringLiteral("no_answer"),
                    QStringLiteral("action \"%1\" did not answer").arg(action));
    if (auto *error = std::get_if<Error>(&outcome->result))
        throw *error;
    return std::get<Value>(std::move(outcome->result));
}

void ActorTestBase::advance(std::chrono::nanoseconds duration)
{
    d->environment.advance(duration);
}

void ActorTestBase::restart()
{
    d->wait(&HostCore::restart);
}

void ActorTestBase::sleep()
{
    d->wait(&HostCore::sleep);
}

wire::ActorStatus ActorTestBase::status()
{
    return d->host.snapshot(d->id).summary.status;
}

QList<Value> ActorTestBase::eventValues(const QString &event) const
{
    QList<Value> values;
    for (const auto &[name, args] : d->events) {
        if (name == event)
            values.append(args);
    }
    return values;
}

QString ActorTestBase::actionName(const QByteArray &memberKey) const
{
    if (const ActionDefinition *action = d->type.findByMember(memberKey))
        return action->name;
    throw Error(QStringLiteral("actor"), QStringLiteral("action_not_found"),
                QStringLiteral("this function is not an action of \"%1\"").arg(d->type.name));
}

QByteArray ActorTestBase::stateBytes()
{
    return d->host.snapshot(d->id).state;
}

} // namespace terrarium::testing
