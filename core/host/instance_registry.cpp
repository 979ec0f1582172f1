#include "host/instance_registry.h"

#include "adapter/make_actor.h"
#include "host/client_connection.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace terrarium {

namespace {

using namespace std::chrono_literals;

constexpr Duration registryFirstRetry = 500ms;
constexpr Duration registryLongestRetry = 30s;
// After this long without a crash the next one counts as the first again.
constexpr Duration registryCalmTime = 60s;
constexpr int registryMostRefusals = 5;
constexpr int registryManyDropped = 256;

Error registryNotFound(const QString &id)
{
    Value metadata;
    metadata.set(QStringLiteral("actor_id"), id);
    return Error(QStringLiteral("actor"), QStringLiteral("not_found"),
                 QStringLiteral("there is no actor with the id \"%1\"").arg(id), std::move(metadata));
}

Error registryStopping()
{
    return Error(QStringLiteral("host"), QStringLiteral("stopping"), QStringLiteral("the host is stopping"));
}

Error registryDestroying()
{
    return Error(QStringLiteral("actor"), QStringLiteral("destroying"), QStringLiteral("the actor is being destroyed"));
}

QString registryStopWhy(const Cause &cause)
{
    if (cause.kind == QLatin1String("inspector"))
        return QStringLiteral("inspector");
    return cause.kind == QLatin1String("host") ? QStringLiteral("hostShutdown") : QStringLiteral("action");
}

} // namespace

InstanceRegistry::Waiters &InstanceRegistry::Instance::waiting()
{
    if (!waiters)
        waiters = std::make_unique<Waiters>();
    return *waiters;
}

InstanceRegistry::InstanceRegistry(Environment &environment, const TypeRegistry &types, ChangeLogs &logs,
                                   TurnSaves &turnSaves)
    : m_environment(environment),
      m_types(types),
      m_logs(logs),
      m_turnSaves(turnSaves),
      m_alive(std::make_shared<bool>(true))
{}

InstanceRegistry::~InstanceRegistry()
{
    *m_alive = false;
    m_stopping = true;
    // Tasks answer what they hold while they go; nothing of that comes back here.
    for (auto &[id, instance] : m_instances) {
        if (instance->log != nullptr)
            instance->log->setTask(nullptr, instance->log->row().generation);
    }
    auto instances = std::move(m_instances);
    m_instances.clear();
    instances.clear();
}

void InstanceRegistry::later(std::function<void()> work)
{
    m_environment.executor.post([alive = m_alive, work = std::move(work)] {
        if (*alive)
            work();
    });
}

void InstanceRegistry::answerLater(DoneReply done, std::optional<Error> error)
{
    if (!done)
        return;
    m_environment.executor.post([done = std::move(done), error = std::move(error)] { done(error); });
}

InstanceRegistry::Instance *InstanceRegistry::find(const QString &id) const
{
    const auto at = m_instances.find(id);
    return at == m_instances.end() ? nullptr : at->second.get();
}

ActorTask *InstanceRegistry::task(const QString &id) const
{
    const Instance *instance = find(id);
    return instance != nullptr ? instance->task.get() : nullptr;
}

InstanceRegistry::Instance &InstanceRegistry::obtain(const QString &id)
{
    if (Instance *known = find(id))
        return *known;
    const std::optional<ActorRow> row = m_driver->findById(id);
    if (!row || row->destroyedAt != 0)
        throw registryNotFound(id);
    const HostedType &type = m_types.get(row->type);
    ChangeLog &log = m_logs.obtain(*row);
    m_logs.setIdle(log, false);
    auto instance = std::make_unique<Instance>();
    instance->id = row->id;
    instance->type = &type;
    instance->log = &log;
    return *m_instances.emplace(row->id, std::move(instance)).first->second;
}

void InstanceRegistry::drop(Instance &instance)
{
    m_logs.setIdle(*instance.log, true);
    m_instances.erase(m_instances.find(QString(instance.id)));
    if (++m_dropped >= registryManyDropped)
        trimMemoryLater();
}

// What many sleeping actors have freed lies in pieces between what lives, and malloc keeps it; the machine gets it
// back once things have calmed down, at most once a second.
void InstanceRegistry::trimMemoryLater()
{
#ifdef __GLIBC__
    if (m_trim.isArmed() || m_stopping || m_environment.singleThreaded)
        return;
    m_trim = m_environment.clock.after(1s, [this] {
        m_dropped = 0;
        malloc_trim(0);
    });
#endif
}

void InstanceRegistry::dropIfIdle(Instance &instance)
{
    if (instance.waiters && instance.waiters->ready.empty() && instance.waiters->asleep.empty()
        && instance.waiters->destroyed.empty() && !instance.waiters->stop)
        instance.waiters.reset();
    if (!instance.task && instance.phase == Phase::Idle && !instance.waiters && !instance.destroyWanted)
        drop(instance);
}

// ---- Requests --------------------------------------------------------------------------------------

bool InstanceRegistry::isAdmitting(const Instance &instance) const
{
    if (!instance.task || instance.destroyWanted)
        return false;
    if (instance.phase == Phase::Active)
        return !instance.crashing;
    // In the grace before a sleep clients are still served.
    return instance.phase == Phase::Stopping && instance.stopReason == StopReason::Sleep && !instance.crashing
           && !m_stopping
           && (instance.task->state() == LifecycleState::Started
               || instance.task->state() == LifecycleState::SleepGrace);
}

std::optional<Error> InstanceRegistry::refusalOf(const Instance &instance) const
{
    if (instance.destroyWanted || (instance.phase == Phase::Stopping && instance.stopReason == StopReason::Destroy)
        || (instance.task && instance.task->isDestroyRequested()))
        return registryDestroying();
    return std::nullopt;
}

void InstanceRegistry::whenReady(const QString &id, const QString &why, const Cause &cause, Ready ready)
{
    std::optional<Error> refused;
    Instance *instance = nullptr;
    if (m_stopping) {
        refused = registryStopping();
    } else {
        try {
            instance = &obtain(id);
            refused = refusalOf(*instance);
        } catch (...) {
            refused = Error::fromException(std::current_exception());
        }
    }
    if (refused) {
        later([ready = std::move(ready), error = *refused] { ready(nullptr, &error); });
        return;
    }
    if (isAdmitting(*instance)) {
        ready(instance, nullptr);
        return;
    }
    Waiters &waiting = instance->waiting();
    const bool hurries = instance->phase == Phase::Backoff && why == QLatin1String("inspector");
    if (waiting.ready.empty() || hurries) {
        waiting.why = why;
        waiting.cause = cause;
    }
    waiting.ready.push_back(std::move(ready));
    if (instance->phase == Phase::Idle || hurries)
        demand(*instance);
}

void InstanceRegistry::call(std::shared_ptr<CallRequest> request)
{
    // The way of nearly every call: the actor is there.
    if (Instance *instance = find(request->actor); instance != nullptr && isAdmitting(*instance)) {
        dispatch(*instance, std::move(request));
        return;
    }
    request->woke = true;
    const QString actor = request->actor;
    const QString why =
        request->cause.kind == QLatin1String("inspector") ? QStringLiteral("inspector") : QStringLiteral("action");
    const Cause cause = request->cause;
    whenReady(actor, why, cause, [this, request = std::move(request)](Instance *instance, const Error *error) {
        if (error != nullptr)
            failCall(request, *error);
        else
            dispatch(*instance, request);
    });
}

void InstanceRegistry::dispatch(Instance &instance, std::shared_ptr<CallRequest> request)
{
    ActionCommand command;
    command.name = request->action;
    command.args = request->args;
    command.params = request->params;
    command.cause = request->cause;
    command.timeoutMs = request->timeoutMs;
    command.reply = [this, request = std::move(request)](ActionOutcome &&outcome) {
        answerCall(request, std::move(outcome));
    };
    instance.task->dispatch(std::move(command));
}

void InstanceRegistry::answerCall(const std::shared_ptr<CallRequest> &request, ActionOutcome &&ended)
{
    // It was never begun: the actor stopped first. The next incarnation does it.
    if (ended.refused && !m_stopping && request->refusals < registryMostRefusals) {
        const auto *error = std::get_if<Error>(&ended.result);
        if (error != nullptr && error->is(QLatin1String("actor"), QLatin1String("stopping"))) {
            ++request->refusals;
            later([this, request] { call(request); });
            return;
        }
    }
    CallOutcome outcome;
    outcome.result = std::move(ended.result);
    outcome.tookUs = ended.tookUs;
    outcome.woke = request->woke;
    outcome.firstSequence = ended.firstSequence;
    outcome.lastSequence = ended.lastSequence;
    if (ended.firstSequence != 0) {
        const ChangeLog *log = m_logs.find(request->actor);
        if (log != nullptr && log->isWatched())
            outcome.changedPaths = log->changedPaths(ended.firstSequence, ended.lastSequence);
    }
    request->reply(std::move(outcome));
}

void InstanceRegistry::failCall(const std::shared_ptr<CallRequest> &request, const Error &error)
{
    CallOutcome outcome;
    outcome.result = error;
    outcome.woke = request->woke;
    request->reply(std::move(outcome));
}

void InstanceRegistry::connect(const QString &id, ConnectRequest request, ConnectReply reply)
{
    struct Opening {
        ConnectRequest request;
        ConnectReply reply;
        std::unique_ptr<ClientConnection> connection;
        int refusals = 0;
    };
    auto opening = std::make_shared<Opening>();
    opening->request = std::move(request);
    opening->reply = std::move(reply);
    opening->connection = std::make_unique<ClientConnection>(m_environment, m_logs, id, opening->request.sink);

    // Holds itself while it is on its way: tried again when the actor stopped before it took the connection.
    auto attempt = std::make_shared<std::function<void()>>();
    *attempt = [this, id, opening, weak = std::weak_ptr(attempt)] {
        const auto again = weak.lock();
        whenReady(id, QStringLiteral("connection"), Cause(QStringLiteral("connect")),
                  [this, opening, again](Instance *instance, const Error *error) {
                      if (error != nullptr) {
                          opening->reply(*error);
                          return;
                      }
                      OpenCommand command;
                      command.params = opening->request.params;
                      command.remoteAddress = opening->request.remoteAddress;
                      command.outlet = opening->connection.get();
                      command.cause = Cause(QStringLiteral("connect"));
                      const std::weak_ptr<ActorTask> task = instance->task;
                      command.reply = [this, opening, again,
                                       task](std::variant<std::shared_ptr<ActorConnection>, Error> &&opened) {
                          if (const auto *refused = std::get_if<Error>(&opened)) {
                              if (refused->is(QLatin1String("actor"), QLatin1String("stopping")) && !m_stopping
                                  && ++opening->refusals < registryMostRefusals) {
                                  later([again] { (*again)(); });
                                  return;
                              }
                              m_environment.executor.post([opening, error = *refused] { opening->reply(error); });
                              return;
                          }
                          const std::shared_ptr<ActorConnection> open =
                              std::get<std::shared_ptr<ActorConnection>>(opened);
                          opening->connection->opened(open->isOpen() ? task.lock() : nullptr, open);
                          // Later, so that the door never hears of it inside one of the actor's turns.
                          m_environment.executor.post([opening] {
                              ClientConnection::handOver(std::move(opening->connection), opening->reply);
                          });
                      };
                      instance->task->dispatch(std::move(command));
                  });
    };
    (*attempt)();
}

void InstanceRegistry::wake(const QString &id, const QString &why, const Cause &cause, DoneReply done)
{
    Ready ready = [this, done = std::move(done)](Instance *, const Error *error) {
        answerLater(done, error != nullptr ? std::optional<Error>(*error) : std::nullopt);
    };
    Instance *instance = find(id);
    if (instance != nullptr && instance->phase == Phase::Stopping && !m_stopping && !refusalOf(*instance)) {
        // An actor that goes to sleep is not awake, though it still serves.
        Waiters &waiting = instance->waiting();
        waiting.why = why;
        waiting.cause = cause;
        waiting.ready.push_back(std::move(ready));
        return;
    }
    whenReady(id, why, cause, std::move(ready));
}

// ---- Starting --------------------------------------------------------------------------------------

void InstanceRegistry::demand(Instance &instance)
{
    Waiters &waiting = instance.waiting();
    const auto crash = m_crashes.constFind(instance.id);
    if (crash != m_crashes.constEnd() && waiting.why != QLatin1String("inspector")) {
        const Duration wait = crash->retryAt - m_environment.clock.now();
        if (wait > Duration::zero()) {
            instance.phase = Phase::Backoff;
            instance.log->enter(wire::ActorStatus::backoff, QStringLiteral("crash"),
                                QStringLiteral("crashed %1 times in a row").arg(crash->count), waiting.cause,
                                crash->retryAtWall);
            const QString id = instance.id;
            waiting.backoff = m_environment.clock.at(crash->retryAt, [this, id] {
                if (Instance *waited = find(id); waited != nullptr && waited->phase == Phase::Backoff)
                    askDriver(*waited);
            });
            return;
        }
    }
    askDriver(instance);
}

void InstanceRegistry::askDriver(Instance &instance)
{
    Waiters &waiting = instance.waiting();
    waiting.backoff.cancel();
    instance.phase = Phase::Waiting;
    m_driver->wake(instance.id, waiting.why, waiting.cause);
}

void InstanceRegistry::start(StartOrder order)
{
    if (m_stopping)
        return;
    const ActorRow row = order.storage->actor();
    Instance *instance = nullptr;
    try {
        instance = &obtain(row.id);
    } catch (const Error &error) {
        spdlog::warn("host: asked to start actor {}: {}", row.id.toStdString(), error.text().toStdString());
        return;
    }
    if (instance->task) {
        spdlog::warn("host: asked to start actor {} again", row.id.toStdString());
        return;
    }
    if (instance->destroyWanted && !instance->type->definition->hooks.onDestroy) {
        destroyRows(*instance);
        return;
    }
    instance->phase = Phase::Starting;
    instance->crashing = false;
    try {
        ActorParts parts(m_environment, std::move(order.storage), *instance->log, *this, m_turnSaves,
                         instance->type->config);
        instance->task = makeActor(std::move(parts), instance->type->definition);
    } catch (...) {
        startFailed(row.id, Error::fromException(std::current_exception()));
        return;
    }
    ++m_live;
    instance->log->setTask(instance->task.get(), row.generation);
    if (instance->log->isWatched())
        instance->task->setWatched(true);
    StartCommand command;
    command.why = order.why;
    command.cause = order.cause;
    command.reply = [this, id = row.id](const std::optional<Error> &error) {
        if (Instance *begun = find(id); begun != nullptr && begun->phase == Phase::Starting && !error)
            started(*begun);
    };
    instance->task->start(std::move(command));
}

void InstanceRegistry::startFailed(const QString &actor, const Error &error)
{
    Instance *instance = find(actor);
    if (instance == nullptr || instance->task)
        return;
    spdlog::error("host: actor {} cannot be started: {}", actor.toStdString(), error.text().toStdString());
    instance->phase = Phase::Idle;
    instance->log->enter(wire::ActorStatus::crashed, QStringLiteral("crash"), {}, instance->waiting().cause, 0, &error);
    noteCrash(*instance);
    runReady(*instance, &error);
    if (Instance *left = find(actor); left != nullptr && !left->task) {
        if (left->destroyWanted) {
            destroyRows(*left);
            return;
        }
        for (DoneReply &done : std::exchange(left->waiting().asleep, {}))
            answerLater(std::move(done), std::nullopt);
        left->waiting().stop.reset();
        dropIfIdle(*left);
    }
}

void InstanceRegistry::started(Instance &instance)
{
    instance.phase = Phase::Active;
    const QString id = instance.id;
    runReady(instance, nullptr);
    Instance *running = find(id);
    if (running == nullptr || running->phase != Phase::Active)
        return;
    if (running->waiters && running->waiters->stop) {
        const ParkedStop stop = *std::exchange(running->waiters->stop, std::nullopt);
        beginStop(*running, stop.reason, stop.why, stop.cause);
    } else if (running->destroyWanted) {
        running->task->markDestroyRequested();
        beginStop(*running, StopReason::Destroy, registryStopWhy(running->waiting().cause), running->waiting().cause);
    } else {
        dropIfIdle(*running);
    }
}

// Everybody who waited for the actor is told, in the order in which they came.
void InstanceRegistry::runReady(Instance &instance, const Error *error)
{
    if (!instance.waiters)
        return;
    const std::vector<Ready> ready = std::exchange(instance.waiters->ready, {});
    for (const Ready &waiter : ready)
        waiter(error != nullptr ? nullptr : &instance, error);
}

// ---- Stopping --------------------------------------------------------------------------------------

void InstanceRegistry::sleepRequested(ActorTask &task, const QString &why, const Cause &cause)
{
    m_driver->askStop(Incarnation{task.row().id, task.row().generation}, StopReason::Sleep, why, cause);
}

void InstanceRegistry::destroyRequested(ActorTask &task, const Cause &cause)
{
    m_driver->askStop(Incarnation{task.row().id, task.row().generation}, StopReason::Destroy, QStringLiteral("self"),
                      cause);
}

void InstanceRegistry::crashed(ActorTask &task, const Error &error)
{
    Instance *instance = find(task.row().id);
    if (instance == nullptr || instance->task.get() != &task)
        return;
    instance->crashing = true;
    instance->log->expectCrash(error);
    m_driver->askStop(Incarnation{task.row().id, task.row().generation}, StopReason::Sleep, QStringLiteral("crash"),
                      Cause(QStringLiteral("run"), QStringLiteral("run")));
}

void InstanceRegistry::stop(const Incarnation &who, StopReason reason, const QString &why, const Cause &cause)
{
    Instance *instance = find(who.actor);
    if (instance == nullptr || !instance->task || instance->task->row().generation != who.generation)
        return;
    if (instance->phase == Phase::Active) {
        beginStop(*instance, instance->destroyWanted ? StopReason::Destroy : reason, why, cause);
    } else if (instance->phase == Phase::Starting) {
        if (reason == StopReason::Destroy)
            instance->destroyWanted = true;
        else if (!instance->waiting().stop)
            instance->waiting().stop = ParkedStop{reason, why, cause};
    } else if (instance->phase == Phase::Stopping && reason == StopReason::Destroy
               && instance->stopReason == StopReason::Sleep) {
        instance->destroyWanted = true; // once it sleeps
    }
}

void InstanceRegistry::beginStop(Instance &instance, StopReason reason, const QString &why, const Cause &cause)
{
    instance.phase = Phase::Stopping;
    instance.stopReason = reason;
    if (reason == StopReason::Destroy)
        instance.destroyWanted = true;
    StopCommand command;
    command.reason = reason;
    command.why = why;
    command.cause = cause;
    command.reply = [](const std::optional<Error> &) {}; // terminated() says more
    instance.task->stop(std::move(command));
}

void InstanceRegistry::sleep(const QString &id, const Cause &cause, DoneReply done)
{
    Instance *instance = find(id);
    if (instance == nullptr || instance->phase == Phase::Idle || instance->phase == Phase::Backoff) {
        const std::optional<ActorRow> row = instance != nullptr ? std::nullopt : m_driver->findById(id);
        const bool exists = instance != nullptr || (row && row->destroyedAt == 0);
        answerLater(std::move(done), exists ? std::nullopt : std::optional<Error>(registryNotFound(id)));
        return;
    }
    if (const std::optional<Error> refused = refusalOf(*instance)) {
        answerLater(std::move(done), refused);
        return;
    }
    instance->waiting().asleep.push_back(std::move(done));
    if (instance->phase == Phase::Active) {
        m_driver->askStop(Incarnation{id, instance->task->row().generation}, StopReason::Sleep, registryStopWhy(cause),
                          cause);
    } else if (instance->phase != Phase::Stopping && !instance->waiting().stop) {
        instance->waiting().stop = ParkedStop{StopReason::Sleep, registryStopWhy(cause), cause};
    }
}

void InstanceRegistry::destroy(const QString &id, const Cause &cause, DoneReply done)
{
    Instance *instance = find(id);
    if (instance == nullptr) {
        const std::optional<ActorRow> row = m_driver->findById(id);
        if (!row || row->destroyedAt != 0) {
            answerLater(std::move(done), row ? std::nullopt : std::optional<Error>(registryNotFound(id)));
            return;
        }
        if (m_stopping) {
            answerLater(std::move(done), registryStopping());
            return;
        }
        const HostedType *type = m_types.find(row->type);
        if (type == nullptr) {
            // Nobody can start it any more, but its rows can go.
            m_driver->destroy(id, [this, alive = m_alive, row = *row, cause,
                                   done = std::move(done)](const std::optional<Error> &error) {
                if (*alive && !error) {
                    ChangeLog &log = m_logs.obtain(row);
                    log.enter(wire::ActorStatus::destroyed, registryStopWhy(cause), {}, cause);
                    m_logs.setIdle(log, true);
                    if (onGone)
                        onGone(row);
                }
                done(error);
            });
            return;
        }
        instance = &obtain(id);
    }
    Waiters &waiting = instance->waiting();
    waiting.destroyed.push_back(std::move(done));
    if (std::exchange(instance->destroyWanted, true))
        return;
    waiting.cause = cause;
    waiting.why = registryStopWhy(cause);
    switch (instance->phase) {
    case Phase::Idle:
    case Phase::Backoff: {
        const Error error = registryDestroying();
        runReady(*instance, &error);
        if (instance->type->definition->hooks.onDestroy && !m_stopping)
            askDriver(*instance); // it starts once more, for its hook
        else
            destroyRows(*instance);
        break;
    }
    case Phase::Active:
        instance->task->markDestroyRequested();
        m_driver->askStop(Incarnation{id, instance->task->row().generation}, StopReason::Destroy, waiting.why, cause);
        break;
    case Phase::Waiting:
    case Phase::Starting:
    case Phase::Stopping: break; // once that is over
    }
}

void InstanceRegistry::destroyRows(Instance &instance)
{
    instance.phase = Phase::Stopping;
    instance.stopReason = StopReason::Destroy;
    const Error refused = registryDestroying();
    runReady(instance, &refused);
    const QString id = instance.id;
    m_driver->destroy(id, [this, alive = m_alive, id](const std::optional<Error> &error) {
        if (!*alive)
            return;
        Instance *left = find(id);
        if (left == nullptr)
            return;
        if (!error) {
            Waiters &waiting = left->waiting();
            left->log->enter(wire::ActorStatus::destroyed, waiting.why, {}, waiting.cause);
        }
        gone(*left, error);
    });
}

// The actor was destroyed, or could not be.
void InstanceRegistry::gone(Instance &instance, const std::optional<Error> &error)
{
    instance.phase = Phase::Idle;
    instance.destroyWanted = false;
    if (!error) {
        m_crashes.remove(instance.id);
        if (onGone)
            onGone(instance.log->row());
    }
    if (instance.waiters) {
        const Error missing = error ? *error : registryNotFound(instance.id);
        runReady(instance, &missing);
        for (DoneReply &done : std::exchange(instance.waiters->asleep, {}))
            answerLater(std::move(done), error);
        for (DoneReply &done : std::exchange(instance.waiters->destroyed, {}))
            answerLater(std::move(done), error);
        instance.waiters->stop.reset();
    }
    dropIfIdle(instance);
    checkStopped();
}

void InstanceRegistry::terminated(ActorTask &task, const std::optional<Error> &error)
{
    Instance *instance = find(task.row().id);
    if (instance == nullptr || instance->task.get() != &task)
        return;
    const std::shared_ptr<ActorTask> over = std::exchange(instance->task, nullptr);
    --m_live;
    const Incarnation who{over->row().id, over->row().generation};
    const bool startFailed = instance->phase == Phase::Starting;
    const bool crashed = startFailed || instance->crashing;
    const bool destroyed = instance->log->status() == wire::ActorStatus::destroyed;

    std::optional<qint64> nextAlarm;
    if (!destroyed) {
        const QList<ScheduleRow> &schedules = over->schedules();
        if (!schedules.isEmpty())
            nextAlarm = schedules.first().triggerAt;
        instance->log->setAlarms(int(schedules.size()), nextAlarm.value_or(0),
                                 schedules.isEmpty() ? QString() : schedules.first().action);
    }
    instance->log->setTask(nullptr, who.generation);
    instance->phase = Phase::Idle;
    instance->crashing = false;
    if (crashed)
        noteCrash(*instance);
    else if (const auto crash = m_crashes.constFind(who.actor);
             crash != m_crashes.constEnd() && m_environment.clock.now() - crash->at > registryCalmTime)
        m_crashes.erase(crash);
    m_driver->ended(who, nextAlarm);

    if (destroyed) {
        gone(*instance, std::nullopt);
        return;
    }
    if (instance->waiters) {
        for (DoneReply &done : std::exchange(instance->waiters->asleep, {}))
            answerLater(std::move(done), startFailed ? std::nullopt : error);
        instance->waiters->stop.reset();
    }
    if (instance->destroyWanted) {
        if (instance->stopReason == StopReason::Destroy && error && !startFailed)
            gone(*instance, error); // its rows could not go
        else
            destroyRows(*instance);
        return;
    }
    if (startFailed && error)
        runReady(*instance, &*error);
    if (m_stopping) {
        const Error stopping = registryStopping();
        runReady(*instance, &stopping);
    }
    if (instance->waiters && !instance->waiters->ready.empty())
        demand(*instance); // what came while it stopped
    else
        dropIfIdle(*instance);
    checkStopped();
}

void InstanceRegistry::noteCrash(Instance &instance)
{
    Crash &crash = m_crashes[instance.id];
    const Instant now = m_environment.clock.now();
    crash.count = crash.count > 0 && now - crash.retryAt > registryCalmTime ? 1 : crash.count + 1;
    crash.at = now;
    const Duration wait =
        std::min<Duration>(registryLongestRetry, registryFirstRetry * (1 << std::min(crash.count - 1, 10)));
    crash.retryAt = now + wait;
    crash.retryAtWall =
        m_environment.clock.wallMs() + std::chrono::duration_cast<std::chrono::milliseconds>(wait).count();
}

void InstanceRegistry::alarmDue(const ActorRow &actor)
{
    if (m_stopping)
        return;
    if (const Instance *instance = find(actor.id); instance != nullptr && instance->phase != Phase::Idle) {
        if (instance->phase != Phase::Stopping)
            return; // it fires its own, or is about to
    }
    if (m_types.find(actor.type) == nullptr)
        return;
    whenReady(actor.id, QStringLiteral("alarm"), Cause(QStringLiteral("timer")), [](Instance *, const Error *) {});
}

void InstanceRegistry::stopAll(std::function<void()> done)
{
    m_allStopped = std::move(done);
    if (std::exchange(m_stopping, true)) {
        checkStopped();
        return;
    }
    const Error stopping = registryStopping();
    const Cause cause(QStringLiteral("host"), QStringLiteral("shutdown"));
    std::vector<QString> ids;
    ids.reserve(m_instances.size());
    for (const auto &[id, instance] : m_instances)
        ids.push_back(id);
    for (const QString &id : ids) {
        Instance *instance = find(id);
        if (instance == nullptr)
            continue;
        switch (instance->phase) {
        case Phase::Active:
            beginStop(*instance, instance->destroyWanted ? StopReason::Destroy : StopReason::Sleep,
                      QStringLiteral("hostShutdown"), cause);
            break;
        case Phase::Starting:
            if (!instance->waiting().stop)
                instance->waiting().stop = ParkedStop{StopReason::Sleep, QStringLiteral("hostShutdown"), cause};
            break;
        case Phase::Stopping: break;
        case Phase::Idle:
        case Phase::Waiting:
        case Phase::Backoff:
            instance->phase = Phase::Idle;
            runReady(*instance, &stopping);
            if (instance->waiters) {
                instance->waiters->backoff.cancel();
                instance->waiters->stop.reset();
                for (DoneReply &asleep : std::exchange(instance->waiters->asleep, {}))
                    answerLater(std::move(asleep), std::nullopt);
            }
            if (instance->destroyWanted)
                destroyRows(*instance);
            else
                dropIfIdle(*instance);
            break;
        }
    }
    checkStopped();
}

void InstanceRegistry::checkStopped()
{
    if (!m_stopping || !m_allStopped || !m_instances.empty())
        return;
    later(std::exchange(m_allStopped, nullptr));
}

} // namespace terrarium
