#include "adapter/typed_behavior.h"

#include "async/sleep.h"
#include "async/wait.h"

#include <terrarium/context.h>
#include <terrarium/value_codec.h>

#include <spdlog/spdlog.h>

#include <utility>

namespace terrarium {

struct TypedBehavior::HookRun {
    QString name;
    HookDone done;
    Instant startedAt{};
    Timer limit;
    bool ended = false;
};

namespace {

constexpr int mostPromptAnswers = 16;

TurnSlot::Context turnContext(std::shared_ptr<TurnContext> context)
{
    // The slot carries it as void; what comes back is read as a TurnContext, so it goes in as one.
    return std::static_pointer_cast<const void>(std::static_pointer_cast<const TurnContext>(std::move(context)));
}

ConnectionInfo connectionInfo(const ActorConnection &connection)
{
    return ConnectionInfo(connection.id(), connection.params(), connection.remoteAddress());
}

Error stoppedError(const QString &what)
{
    return Error(QStringLiteral("actor"), QStringLiteral("stopping"),
                 QStringLiteral("%1 was cut off: the actor is shutting down").arg(what));
}

} // namespace

TypedBehavior::TypedBehavior(ActorTask &task, Environment &environment, std::shared_ptr<const TypeDefinition> type)
    : Behavior(environment.executor),
      m_environment(environment),
      m_task(&task),
      m_type(std::move(type)),
      m_row(task.row())
{}

TypedBehavior::Hold::~Hold()
{
    if (!m_self || m_self->m_task != nullptr)
        return;
    Executor &executor = m_self->m_environment.executor;
    executor.post([self = std::move(m_self)] {});
}

TypedBehavior::~TypedBehavior()
{
    m_task = nullptr;
    m_actor.reset();
}

ActorTask &TypedBehavior::attached() const
{
    if (m_task == nullptr)
        throw ActorStopped();
    return *m_task;
}

const TurnContext *TypedBehavior::turn() const
{
    return static_cast<const TurnContext *>(const_cast<TypedBehavior *>(this)->slot().context().get());
}

Cause TypedBehavior::turnCause() const
{
    const TurnContext *context = turn();
    return context != nullptr ? context->cause : Cause(QStringLiteral("unknown"));
}

void TypedBehavior::began(const QString &name)
{
    m_waiting.append(name);
}

void TypedBehavior::ended(const QString &name)
{
    m_waiting.removeOne(name);
    if (m_waiting.isEmpty()) {
        m_waiting.squeeze();
        if (m_task != nullptr)
            m_task->behaviorIdled();
    }
}

// ---- Start, hooks ----------------------------------------------------------------------------------

// What is called from here may end the actor, and this object with it: each way in holds on to it, longer than its
// scope on the slot.
void TypedBehavior::start(const StartInfo &info, HookDone done)
{
    const Self self = shared_from_this();
    auto context = std::make_shared<TurnContext>(Cause(QStringLiteral("create")));
    std::optional<Error> error;
    {
        const TurnSlot::Scope scope(slot(), turnContext(context));
        try {
            m_actor = m_type->make(*this);
            if (!info.state.isEmpty() && m_type->hasState)
                m_actor->readState(info.state);
        } catch (const ActorStopped &) {
            error = stoppedError(QStringLiteral("the start"));
        } catch (...) {
            error = Error::fromException(std::current_exception());
        }
    }
    if (error) {
        done(error);
        return;
    }
    const auto wake = [this, done = std::move(done)](const std::optional<Error> &createError) {
        if (createError) {
            done(createError);
            return;
        }
        const auto hook = m_type->hooks.onWake
                              ? std::function<HookResult()>([this] { return m_type->hooks.onWake(*m_actor); })
                              : std::function<HookResult()>();
        runHook(QStringLiteral("onWake"), hook, m_type->options.onWakeTimeout,
                std::make_shared<TurnContext>(Cause(QStringLiteral("hook"), QStringLiteral("onWake"))),
                [this, done](const std::optional<Error> &wakeError) {
                    if (!wakeError && m_type->hooks.run && !m_abort.isRequested())
                        beginRun();
                    done(wakeError);
                });
    };
    if (!info.isNew || !m_type->hooks.onCreate) {
        wake(std::nullopt);
        return;
    }
    std::optional<Value> input;
    try {
        if (info.input && !info.input->isEmpty())
            input = decodeCbor<Value>(*info.input);
    } catch (...) {
        wake(Error::fromException(std::current_exception()));
        return;
    }
    runHook(
        QStringLiteral("onCreate"), [this, input] { return m_type->hooks.onCreate(*m_actor, input); },
        m_type->options.onCreateTimeout, context, wake);
}

void TypedBehavior::runHook(const QString &name, const std::function<HookResult()> &call,
                            std::chrono::milliseconds limit, std::shared_ptr<TurnContext> context, HookDone done)
{
    if (!call) {
        done(std::nullopt);
        return;
    }
    const Self self = shared_from_this();
    auto hook = std::make_shared<HookRun>();
    hook->name = name;
    hook->done = std::move(done);
    hook->startedAt = m_environment.clock.now();
    m_task->setRunningHook(name);

    HookResult result;
    std::optional<Error> error;
    {
        const TurnSlot::Scope scope(slot(), turnContext(std::move(context)));
        try {
            result = call();
        } catch (const ActorStopped &) {
            error = stoppedError(name);
        } catch (...) {
            error = Error::fromException(std::current_exception());
        }
        if (result) {
            began(name);
            driveHook(Hold(self), hook, std::move(*result));
        }
    }
    if (!result) {
        endHook(*hook, error);
        return;
    }
    if (hook->ended || limit.count() <= 0)
        return;
    HookRun *limited = hook.get();
    hook->limit = m_environment.clock.after(limit, [this, limited, limit] {
        const Self self = shared_from_this();
        endHook(*limited, Error(QStringLiteral("actor"), QStringLiteral("callback_timed_out"),
                                QStringLiteral("%1 took longer than %2 ms").arg(limited->name).arg(limit.count()),
                                Value::map({{QStringLiteral("callback_name"), Value(limited->name)},
                                            {QStringLiteral("duration_ms"), Value(qint64(limit.count()))}})));
    });
}

void TypedBehavior::endHook(HookRun &hook, const std::optional<Error> &error)
{
    if (hook.ended)
        return;
    hook.ended = true;
    hook.limit.cancel();
    const HookDone done = std::exchange(hook.done, nullptr);
    if (m_task == nullptr)
        return;
    m_task->setRunningHook({});
    m_task->hookFinished(hook.name, hook.startedAt, error);
    done(error);
}

Task<> TypedBehavior::driveHook(Hold self, std::shared_ptr<HookRun> hook, Task<> task)
{
    std::optional<Error> error;
    try {
        co_await std::move(task);
    } catch (const ActorStopped &) {
        error = stoppedError(hook->name);
    } catch (...) {
        error = Error::fromException(std::current_exception());
    }
    self->ended(hook->name);
    self->endHook(*hook, error);
}

void TypedBehavior::beginRun()
{
    const Self self = shared_from_this();
    m_task->setRunHandler(true, false);
    began(QStringLiteral("run"));
    const TurnSlot::Scope scope(
        slot(), turnContext(std::make_shared<TurnContext>(Cause(QStringLiteral("run"), QStringLiteral("run")))));
    driveRun(Hold(self));
}

Task<> TypedBehavior::driveRun(Hold self)
{
    std::optional<Error> error;
    Context context(*self);
    try {
        Task<> task = self->m_type->hooks.run(*self->m_actor, context);
        co_await std::move(task);
    } catch (const ActorStopped &) {
        // An ordinary end: it was cut off.
    } catch (...) {
        error = Error::fromException(std::current_exception());
    }
    self->ended(QStringLiteral("run"));
    if (self->m_task != nullptr) {
        self->m_task->setRunHandler(false, false);
        if (error && !self->m_abort.isRequested())
            self->m_task->stopWithError(*error);
        else if (error)
            self->m_task->observer().note(QStringLiteral("runFailed"), error->text(), &*error);
    }
}

bool TypedBehavior::hasConnectHooks() const
{
    return bool(m_type->hooks.onConnect) || bool(m_type->hooks.onDisconnect);
}

void TypedBehavior::connected(const std::shared_ptr<ActorConnection> &connection, const Cause &cause, HookDone done)
{
    auto context = std::make_shared<TurnContext>(Cause(QStringLiteral("connect"), cause.name, connection->id()));
    context->connection = connection;
    std::function<HookResult()> call;
    if (m_type->hooks.onConnect)
        call = [this, connection] { return m_type->hooks.onConnect(*m_actor, connectionInfo(*connection)); };
    runHook(QStringLiteral("onConnect"), call, m_type->options.onConnectTimeout, std::move(context), std::move(done));
}

void TypedBehavior::disconnected(const std::shared_ptr<ActorConnection> &connection, HookDone done)
{
    auto context = std::make_shared<TurnContext>(Cause(QStringLiteral("disconnect"), {}, connection->id()));
    context->connection = connection;
    std::function<HookResult()> call;
    if (m_type->hooks.onDisconnect)
        call = [this, connection] { return m_type->hooks.onDisconnect(*m_actor, connectionInfo(*connection)); };
    runHook(QStringLiteral("onDisconnect"), call, m_type->options.onDisconnectTimeout, std::move(context),
            std::move(done));
}

void TypedBehavior::cleanUp(StopReason reason, HookDone done)
{
    const bool sleeps = reason == StopReason::Sleep;
    const auto &hook = sleeps ? m_type->hooks.onSleep : m_type->hooks.onDestroy;
    const QString name = sleeps ? QStringLiteral("onSleep") : QStringLiteral("onDestroy");
    std::function<HookResult()> call;
    if (hook)
        call = [this, &hook] { return hook(*m_actor); };
    runHook(name, call, std::chrono::milliseconds(0),
            std::make_shared<TurnContext>(Cause(QStringLiteral("hook"), name)), std::move(done));
}

bool TypedBehavior::wantsStateChanges() const
{
    return bool(m_type->hooks.onStateChange);
}

void TypedBehavior::stateChanged(const Cause &cause)
{
    const auto call = [this] {
        try {
            m_type->hooks.onStateChange(*m_actor);
        } catch (const ActorStopped &) {
            // It asked for something of an actor that is going.
        } catch (...) {
            const Error error = Error::fromException(std::current_exception());
            m_task->observer().note(QStringLiteral("hookFailed"), QStringLiteral("onStateChange: %1").arg(error.text()),
                                    &error);
        }
    };
    if (slot().isInTurn()) {
        call();
        return;
    }
    const TurnSlot::Scope scope(slot(), turnContext(std::make_shared<TurnContext>(cause)));
    call();
}

QByteArray TypedBehavior::serialize()
{
    QByteArray out;
    if (m_actor && m_type->hasState)
        m_actor->writeState(out);
    return out;
}

// ---- Actions ---------------------------------------------------------------------------------------

void TypedBehavior::runAction(const std::shared_ptr<ActionRun> &run)
{
    const ActionDefinition *action = m_type->find(run->name());
    if (action == nullptr) {
        m_task->finishAction(
            *run, Error(QStringLiteral("actor"), QStringLiteral("action_not_found"),
                        QStringLiteral("action \"%1\" is not registered for \"%2\"").arg(run->name(), m_type->name)));
        return;
    }
    const Self self = shared_from_this();
    std::variant<Value, Error> result;
    bool waits = false;
    {
        const TurnSlot::Scope scope(slot(), turnContext(run));
        try {
            HandlerResult handled = action->invoke(*m_actor, run->args());
            if (auto *value = std::get_if<Value>(&handled)) {
                result = std::move(*value);
            } else {
                waits = true;
                began(run->name());
                driveAction(Hold(self), run, std::get<Task<Value>>(std::move(handled)));
            }
        } catch (const ActorStopped &) {
            result = stoppedError(run->name());
        } catch (...) {
            result = Error::fromException(std::current_exception());
        }
    }
    if (!waits && m_task != nullptr)
        m_task->finishAction(*run, std::move(result));
}

Task<> TypedBehavior::driveAction(Hold self, std::shared_ptr<ActionRun> run, Task<Value> task)
{
    std::variant<Value, Error> result;
    try {
        Value value = co_await std::move(task);
        result = std::move(value);
    } catch (const ActorStopped &) {
        result = stoppedError(run->name());
    } catch (...) {
        result = Error::fromException(std::current_exception());
    }
    self->ended(run->name());
    if (self->m_task != nullptr)
        self->m_task->finishAction(*run, std::move(result));
}

// ---- Stop ------------------------------------------------------------------------------------------

void TypedBehavior::requestAbort()
{
    m_abort.request();
}

void TypedBehavior::cutOff()
{
    m_abort.request();
    slot().stop();
}

void TypedBehavior::detach()
{
    m_task = nullptr;
    slot().onTurnEnded(nullptr);
    if (!slot().isStopped())
        slot().stop();
}

// ---- What authors ask for --------------------------------------------------------------------------

void TypedBehavior::touchState()
{
    attached().touchState();
}

void TypedBehavior::broadcast(const QString &event, Value args)
{
    attached().broadcast(event, std::move(args));
}

QString TypedBehavior::actionOf(const QByteArray &memberKey) const
{
    const ActionDefinition *action = m_type->findByMember(memberKey);
    if (action == nullptr) {
        throw Error(QStringLiteral("actor"), QStringLiteral("action_not_found"),
                    QStringLiteral("this function is not registered as an action of \"%1\"").arg(m_type->name));
    }
    return action->name;
}

QString TypedBehavior::scheduleAt(qint64 wallMs, const QString &action, const Value &args)
{
    return attached().scheduleAt(wallMs, action, args.size() == 0 ? QByteArray() : encodeCbor<Value>(args));
}

QString TypedBehavior::scheduleEvery(const QString &name, qint64 intervalMs, const QString &action, const Value &args)
{
    return attached().scheduleEvery(name, intervalMs, action,
                                    args.size() == 0 ? QByteArray() : encodeCbor<Value>(args));
}

bool TypedBehavior::cancelSchedule(const QString &idOrName)
{
    return attached().cancelSchedule(idOrName);
}

Task<> TypedBehavior::saveNow()
{
    const Hold self(shared_from_this());
    Wait<> wait(slot());
    // The wait may be cut off before the save ends: then nobody is there to be told.
    const auto link = std::make_shared<Wait<> *>(&wait);
    struct Unlink {
        std::shared_ptr<Wait<> *> link;
        ~Unlink() { *link = nullptr; }
    };
    const Unlink unlink{link};
    attached().requestSave([link](const std::optional<Error> &error) {
        if (*link == nullptr)
            return;
        if (error)
            (*link)->fail(*error);
        else
            (*link)->finish();
    });
    co_await wait.done();
}

Task<> TypedBehavior::delay(std::chrono::nanoseconds duration)
{
    return terrarium::sleepFor(slot(), m_environment.clock, duration);
}

Task<bool> TypedBehavior::sleepFor(std::chrono::nanoseconds duration)
{
    const Hold self(shared_from_this());
    if (m_abort.isRequested()) {
        // A loop that does not listen must not spin: after some answers it waits, until it is cut off.
        if (++m_toldToFinish > mostPromptAnswers)
            co_await terrarium::sleepFor(slot(), m_environment.clock, duration);
        co_return false;
    }
    Wait<bool> wait(slot());
    const Timer timer = m_environment.clock.after(duration, [&wait] { wait.finish(true); });
    const AbortSignal::Subscription subscription = m_abort.subscribe([&wait] { wait.finish(false); });
    const bool passed = co_await wait.done();
    co_return passed;
}

void TypedBehavior::waitUntil(Task<> task, const QString &label)
{
    const QString name = label.isEmpty() ? QStringLiteral("waitUntil") : label;
    const Cause cause = turnCause();
    const quint64 region = attached().work().begin(WorkKind::WaitUntil, name,
                                                   QStringLiteral("%1 %2").arg(cause.kind, cause.name), wallMs());
    m_task->observer().awakeBegan(region, workKindName(WorkKind::WaitUntil), name);
    m_task->workChanged();
    began(name);
    driveWaitUntil(Hold(shared_from_this()), region, name, std::move(task));
}

Task<> TypedBehavior::driveWaitUntil(Hold self, quint64 region, QString name, Task<> task)
{
    std::optional<Error> error;
    try {
        co_await std::move(task);
    } catch (const ActorStopped &) {
        // Cut off at the deadline.
    } catch (...) {
        error = Error::fromException(std::current_exception());
    }
    self->ended(name);
    if (self->m_task != nullptr) {
        if (error)
            self->m_task->observer().note(QStringLiteral("taskFailed"),
                                          QStringLiteral("%1: %2").arg(name, error->text()), &*error);
        if (self->m_task->work().end(region))
            self->m_task->observer().awakeEnded(region);
        self->m_task->workChanged();
    }
}

quint64 TypedBehavior::beginKeepAwake(const QString &label, const QString &origin)
{
    const quint64 region = attached().work().begin(WorkKind::KeepAwake, label, origin, wallMs());
    m_task->observer().awakeBegan(region, workKindName(WorkKind::KeepAwake), label);
    m_task->workChanged();
    return region;
}

void TypedBehavior::endKeepAwake(quint64 region)
{
    if (m_task == nullptr || !m_task->work().end(region))
        return;
    m_task->observer().awakeEnded(region);
    m_task->workChanged();
}

void TypedBehavior::requestSleep()
{
    attached().requestSleep(turnCause());
}

void TypedBehavior::requestDestroy()
{
    attached().requestDestroy(turnCause());
}

ConnectionInfo TypedBehavior::caller() const
{
    const TurnContext *context = turn();
    if (context == nullptr || !context->connection)
        return {};
    return connectionInfo(*context->connection);
}

QList<ConnectionInfo> TypedBehavior::connections() const
{
    QList<ConnectionInfo> all;
    for (const auto &connection : attached().connections().all())
        all.append(connectionInfo(*connection));
    return all;
}

bool TypedBehavior::disconnect(const QString &connection, const QString &reason)
{
    return attached().disconnect(connection, reason);
}

} // namespace terrarium
