#include "actor/actor_task.h"

#include <terrarium/value_codec.h>

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace terrarium {

namespace {

constexpr Duration overlayDelay = std::chrono::milliseconds(50);
constexpr Duration shortestJoin = std::chrono::seconds(1);
// A state larger than this is encoded once per event-loop turn, not once per turn, even while somebody watches.
constexpr qsizetype largeState = 256 * 1024;
constexpr std::size_t mostDirtyCauses = 64;

Error stoppingError()
{
    return Error(QStringLiteral("actor"), QStringLiteral("stopping"), QStringLiteral("the actor is shutting down"));
}

QString secondsText(Duration duration)
{
    return QStringLiteral("%1 s").arg(
        double(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()) / 1000.0, 0, 'g', 4);
}

} // namespace

struct ActorTask::Stop {
    enum class Phase : quint8 { Grace, Join, Saving, Destroying };

    StopReason reason = StopReason::Sleep;
    LifecycleReply reply;
    Cause cause;
    Instant deadline{}; // of the grace, then of joining
    Phase phase = Phase::Grace;
    QStringList cutOff;
    std::optional<Error> error; // the first
    bool storageDone = false;   // what the phase waits for was reported
    bool finalSaveBegun = false;
};

std::shared_ptr<ActorTask> ActorTask::create(ActorParts parts)
{
    return std::shared_ptr<ActorTask>(new ActorTask(std::move(parts)));
}

ActorTask::ActorTask(ActorParts &&parts)
    : m_environment(parts.environment),
      m_storage(std::move(parts.storage)),
      m_observer(parts.observer),
      m_owner(parts.owner),
      m_turnSaves(parts.turnSaves),
      m_config(std::move(parts.config)),
      m_saver(m_config->options.stateSaveInterval)
{
    m_stateSince = m_environment.clock.now();
    m_stateSinceWall = m_environment.clock.wallMs();
    m_lastActivityWall = m_stateSinceWall;
}

ActorTask::~ActorTask()
{
    if (m_inTurnSaves)
        m_turnSaves.remove(this);
    if (!m_left)
        leave(Error(QStringLiteral("actor"), QStringLiteral("dropped_reply"),
                    QStringLiteral("the actor went away before it answered")));
}

void ActorTask::setBehavior(std::shared_ptr<Behavior> behavior)
{
    m_behavior = std::move(behavior);
    m_behavior->slot().onTurnEnded([this] { turnEnded(); });
}

ActorIdentity ActorTask::identity() const
{
    return ActorIdentity(row().id, row().generation, row().key.toText());
}

// ---- Commands --------------------------------------------------------------------------------------

void ActorTask::start(StartCommand command)
{
    if (m_left) {
        command.reply(stoppingError().withActor(identity()));
        return;
    }
    m_inboxes.lifecycle.push(std::move(command));
    wake();
}

void ActorTask::stop(StopCommand command)
{
    if (m_left) {
        command.reply(std::nullopt);
        return;
    }
    m_inboxes.lifecycle.push(std::move(command));
    wake();
}

void ActorTask::fireAlarm(LifecycleReply reply)
{
    if (m_left) {
        reply(std::nullopt);
        return;
    }
    m_inboxes.lifecycle.push(FireAlarmCommand{std::move(reply)});
    wake();
}

void ActorTask::dispatch(DispatchCommand command)
{
    if (m_left) {
        refuse(std::move(command), refusal(answerDispatch(LifecycleState::Terminated, m_destroyRequested)));
        return;
    }
    m_inboxes.dispatch.push(std::move(command));
    wake();
}

void ActorTask::abandon()
{
    if (m_left)
        return;
    const auto self = shared_from_this();
    m_observer.note(QStringLiteral("stopIgnored"), QStringLiteral("the host let go of the actor without stopping it"),
                    nullptr);
    if (m_behavior)
        m_behavior->cutOff();
    leave(stoppingError());
    m_owner.terminated(*this, std::nullopt);
}

void ActorTask::setWatched(bool watched)
{
    if (m_watched == watched)
        return;
    m_watched = watched;
    m_inboxes.events.watchChanged = true;
    wake();
}

// ---- The loop --------------------------------------------------------------------------------------

void ActorTask::wake()
{
    if (m_posted || m_running || m_left)
        return;
    m_posted = true;
    m_self = shared_from_this();
    m_environment.executor.postFor(this, [this] { run(); });
}

ActorTask::Served ActorTask::nextSource() const
{
    if (m_left)
        return Served::Nothing;
    if (!m_inboxes.lifecycle.isEmpty())
        return Served::Lifecycle;
    if (m_inboxes.events.any())
        return Served::Events;
    if (m_inboxes.activity)
        return Served::Activity;
    const Instant now = m_environment.clock.now();
    if (m_stop && m_stop->phase == Stop::Phase::Grace && now >= m_stop->deadline)
        return Served::GraceDeadline;
    if (!m_inboxes.dispatch.isEmpty() && (m_state == LifecycleState::Started || isGraceState(m_state)))
        return Served::Dispatch;
    if (!m_inTurnSaves && isStartedState(m_state) && now >= m_saver.dueAt())
        return Served::SaveDeadline;
    if (now >= m_overlayAt)
        return Served::OverlayDeadline;
    if (now >= m_sleepAt)
        return Served::SleepDeadline;
    if (m_state == LifecycleState::Started && now >= m_alarmAt)
        return Served::Alarm;
    if (m_stop && m_stop->phase == Stop::Phase::Join && (m_behavior->isIdle() || now >= m_stop->deadline))
        return Served::Shutdown;
    if (m_stop && m_stop->phase > Stop::Phase::Join && m_stop->storageDone)
        return Served::Shutdown;
    return Served::Nothing;
}

void ActorTask::run()
{
    const auto self = std::move(m_self);
    m_posted = false;
    m_running = true;
    if (m_stray)
        settleStray();
    for (Served served = nextSource(); served != Served::Nothing; served = nextSource()) {
        switch (served) {
        case Served::Lifecycle: serveLifecycle(); break;
        case Served::Events: serveEvents(); break;
        case Served::Activity: serveActivity(); break;
        case Served::GraceDeadline: graceDeadlineReached(); break;
        case Served::Dispatch: serveDispatch(m_inboxes.dispatch.take()); break;
        case Served::SaveDeadline: wantTurnSave(); break;
        case Served::OverlayDeadline:
            m_overlayAt = Instant::max();
            if (m_watched && isStartedState(m_state) && m_dirty)
                tryNoteState(nullptr);
            break;
        case Served::SleepDeadline: {
            m_sleepAt = Instant::max();
            const CanSleep answer = canSleep(sleepFacts());
            if (m_state != LifecycleState::Started)
                break;
            if (answer == CanSleep::Yes) {
                if (!m_sleepRequested) {
                    m_sleepRequested = true;
                    m_owner.sleepRequested(*this, QStringLiteral("idle"),
                                           Cause(QStringLiteral("host"), QStringLiteral("idle timer")));
                }
            } else {
                spdlog::warn("actor {}: its idle timer ran out while it was busy: {}", row().id.toStdString(),
                             canSleepText(answer).toStdString());
                m_observer.note(QStringLiteral("idleTimerStayedUp"), canSleepText(answer), nullptr);
                m_inboxes.activity = true;
            }
            break;
        }
        case Served::Alarm: fireDueSchedules(); break;
        case Served::Shutdown: continueShutdown(); break;
        case Served::Nothing: break;
        }
    }
    m_running = false;
    if (!m_left)
        armTimer();
}

void ActorTask::armTimer()
{
    Instant next = std::min({m_sleepAt, m_overlayAt, m_alarmAt});
    if (!m_inTurnSaves && isStartedState(m_state))
        next = std::min(next, m_saver.dueAt());
    if (m_stop && m_stop->phase <= Stop::Phase::Join)
        next = std::min(next, m_stop->deadline);
    // Moving it later is left to the timer: it fires, looks and arms itself again.
    if (next == Instant::max() || (m_timer.isArmed() && m_timerAt <= next))
        return;
    m_timerAt = next;
    m_timer = m_environment.clock.at(next, [this] {
        m_timerAt = Instant::max();
        wake();
    });
}

void ActorTask::serveLifecycle()
{
    LifecycleCommand command = m_inboxes.lifecycle.take();
    m_inboxes.lifecycle.trim();
    if (auto *start = std::get_if<StartCommand>(&command)) {
        switch (answerStart(m_state)) {
        case StartAnswer::Run: beginStart(std::move(*start)); break;
        case StartAnswer::AlreadyStarted:
            spdlog::warn("actor {}: started again while it is {}", row().id.toStdString(),
                         lifecycleName(m_state).toStdString());
            start->reply(std::nullopt);
            break;
        case StartAnswer::Stopping: start->reply(stoppingError().withActor(identity())); break;
        }
        return;
    }
    if (auto *stop = std::get_if<StopCommand>(&command)) {
        switch (answerStop(m_state)) {
        case StopAnswer::NotReady:
            stop->reply(Error(QStringLiteral("actor"), QStringLiteral("not_ready"),
                              QStringLiteral("the actor was not started yet"))
                            .withActor(identity()));
            break;
        case StopAnswer::Begin:
            if (m_state == LifecycleState::Starting)
                m_deferredStop = std::make_unique<StopCommand>(std::move(*stop)); // until the start hooks have ended
            else
                beginStop(std::move(*stop));
            break;
        case StopAnswer::Acknowledge:
            if (m_stop && m_stop->reason != stop->reason) {
                m_observer.note(QStringLiteral("stopIgnored"),
                                QStringLiteral("asked to %1 while it stops to %2")
                                    .arg(stopReasonName(stop->reason), stopReasonName(m_stop->reason)),
                                nullptr);
            }
            stop->reply(std::nullopt);
            break;
        }
        return;
    }
    auto &alarm = std::get<FireAlarmCommand>(command);
    if (m_state == LifecycleState::Started)
        fireDueSchedules();
    alarm.reply(std::nullopt);
}

void ActorTask::serveEvents()
{
    const LifecycleEvents events = std::exchange(m_inboxes.events, LifecycleEvents());
    if (events.watchChanged) {
        m_overlayAt = Instant::max();
        if (m_watched && m_dirty && isStartedState(m_state))
            m_overlayAt = m_environment.clock.now() + overlayDelay;
    }
    if (events.sleepTick)
        m_sleepAt = m_environment.clock.now();
    if (m_disconnects) {
        const auto disconnects = std::move(m_disconnects);
        for (const auto &[connection, reason] : *disconnects) {
            if (ConnectionOutlet *outlet = connection->outlet()) {
                connection->dropOutlet();
                outlet->closed(1000, reason);
            }
            runDisconnectHook(connection, false);
        }
    }
}

void ActorTask::serveActivity()
{
    m_inboxes.activity = false;
    m_observer.summaryChanged();
    if (isGraceState(m_state)) {
        tryFinishGrace();
        return;
    }
    if (m_state != LifecycleState::Started)
        return;
    if (m_runs == nullptr)
        m_inboxes.dispatch.trim(); // an idle actor holds no buffers
    m_sleepAt = !m_sleepRequested && canSleep(sleepFacts()) == CanSleep::Yes
                    ? m_environment.clock.now() + m_config->options.sleepTimeout
                    : Instant::max();
}

void ActorTask::active(const Cause &cause)
{
    m_lastActivity = cause;
    m_lastActivityWall = m_environment.clock.wallMs();
    m_inboxes.activity = true;
    wake();
}

void ActorTask::workChanged()
{
    m_inboxes.activity = true;
    wake();
}

void ActorTask::setRunHandler(bool active, bool parked)
{
    m_runHandler = active;
    m_runHandlerParked = parked;
    workChanged();
}

void ActorTask::behaviorIdled()
{
    if (m_stop)
        wake();
}

// ---- Start -----------------------------------------------------------------------------------------

void ActorTask::beginStart(StartCommand &&command)
{
    m_startReply = std::move(command.reply);
    m_lastActivity = command.cause;
    Transition begun;
    begun.from = LifecycleState::Terminated;
    begun.to = LifecycleState::Loading;
    begun.reason = command.why;
    begun.cause = command.cause;
    m_observer.transition(begun);

    StartInfo info;
    try {
        StoredActor stored = m_storage->load();
        m_isNew = !stored.hasInitialized;
        m_savedAt = stored.savedAt;
        m_savedState = stored.state;
        m_lastState = stored.state;
        m_schedules.load(std::move(stored.schedules));
        info.input = std::move(stored.input);
        info.state = std::move(stored.state);
        info.isNew = m_isNew;
    } catch (...) {
        failStart(Error::fromException(std::current_exception()));
        return;
    }
    transitionTo(LifecycleState::Starting, QStringLiteral("loaded"), {}, command.cause);
    m_behavior->start(info, [this](const std::optional<Error> &error) { startFinished(error); });
}

void ActorTask::startFinished(const std::optional<Error> &error)
{
    if (m_state != LifecycleState::Starting)
        return;
    m_runningHook.clear();
    if (error) {
        failStart(*error);
        return;
    }
    const Instant now = m_environment.clock.now();
    if (m_isNew) {
        // The first state and the mark of the first start are one save; what clients get to see waits for it.
        m_saver.alsoWrite(WriteBatch::SetInitialized{});
        m_dirty = true;
        addDirtyCause(Cause(QStringLiteral("create")));
        m_startMark = m_saver.request(now, m_environment.clock.wallMs(), true);
        wantTurnSave();
    }
    transitionTo(LifecycleState::Started, QStringLiteral("hookFinished"), {}, m_lastActivity);
    m_inboxes.activity = true;
    armAlarm();
    if (auto reply = std::exchange(m_startReply, nullptr))
        reply(std::nullopt);
    if (m_deferredStop) {
        const auto stop = std::move(m_deferredStop);
        m_inboxes.lifecycle.push(std::move(*stop));
    }
    wake();
}

void ActorTask::failStart(const Error &error)
{
    const Error named = error.withActor(identity());
    spdlog::error("actor {}: its start failed: {}", row().id.toStdString(), named.text().toStdString());
    m_behavior->requestAbort();
    m_behavior->cutOff();
    const auto reply = std::exchange(m_startReply, nullptr);
    const auto deferred = std::move(m_deferredStop);
    transitionTo(LifecycleState::Terminated, QStringLiteral("crash"), {}, m_lastActivity, named);
    const auto self = shared_from_this();
    refuseAllDispatch(named);
    if (reply)
        reply(named);
    if (deferred)
        deferred->reply(std::nullopt);
    leave(named);
    m_owner.terminated(*this, named);
}

void ActorTask::setRunningHook(const QString &name)
{
    m_runningHook = name;
    m_observer.hookRunning(name);
    m_observer.summaryChanged();
}

void ActorTask::hookFinished(const QString &name, Instant startedAt, const std::optional<Error> &error)
{
    const Duration took = m_environment.clock.now() - startedAt;
    const bool timedOut = error && error->is(QLatin1String("actor"), QLatin1String("callback_timed_out"));
    m_hooks.append(HookTime(name, std::chrono::duration_cast<std::chrono::microseconds>(took).count(),
                            !error     ? QStringLiteral("ok")
                            : timedOut ? QStringLiteral("timedOut")
                                       : QStringLiteral("failed")));
    if (m_hooks.size() > 64)
        m_hooks.removeFirst();
    if (error) {
        spdlog::warn("actor {}: {} failed: {}", row().id.toStdString(), name.toStdString(),
                     error->text().toStdString());
        m_observer.note(QStringLiteral("hookFailed"), QStringLiteral("%1: %2").arg(name, error->text()), &*error);
    }
}

// ---- Turns and saves -------------------------------------------------------------------------------

void ActorTask::touchState()
{
    if (m_tellingChange) {
        throw Error(QStringLiteral("actor"), QStringLiteral("state_mutation_reentrant"),
                    QStringLiteral("the state cannot be changed inside onStateChange"));
    }
    m_turnTouched = true;
    if (!m_behavior->slot().isInTurn()) {
        m_stray = true;
        wake();
    }
}

void ActorTask::broadcast(const QString &event, Value args)
{
    if (m_connections.count() == 0)
        return;
    if (!m_staged)
        m_staged = std::make_unique<std::vector<std::pair<QString, Value>>>();
    m_staged->emplace_back(event, std::move(args));
    if (!m_behavior->slot().isInTurn()) {
        m_stray = true;
        wake();
    }
}

void ActorTask::turnEnded()
{
    if (!m_turnTouched && !m_turnWrote && !m_staged)
        return;
    auto *context = static_cast<TurnContext *>(const_cast<void *>(m_behavior->slot().context().get()));
    settleTurn(context);
}

void ActorTask::settleStray()
{
    m_stray = false;
    if (!m_turnTouched && !m_turnWrote && !m_staged)
        return;
    // Code came back from a wait that is not ours, so nobody says whose turn this was. With one action under way it
    // was that one; with several, all of them wait for what was changed.
    if (m_runs != nullptr && m_runs->m_next == nullptr) {
        settleTurn(m_runs);
        return;
    }
    TurnContext nobody(Cause(QStringLiteral("unknown")));
    settleTurn(&nobody);
    for (ActionRun *run = m_runs; run != nullptr; run = run->m_next)
        run->mark = std::max(run->mark, nobody.mark);
}

void ActorTask::addDirtyCause(const Cause &cause)
{
    if (!m_dirtyCauses)
        m_dirtyCauses = std::make_unique<std::vector<Cause>>();
    auto &causes = *m_dirtyCauses;
    if (causes.size() < mostDirtyCauses && (causes.empty() || causes.back() != cause))
        causes.push_back(cause);
}

void ActorTask::settleTurn(TurnContext *context)
{
    TurnContext nobody(Cause(QStringLiteral("unknown")));
    if (context == nullptr)
        context = &nobody;
    const bool touched = std::exchange(m_turnTouched, false);
    const bool wrote = std::exchange(m_turnWrote, false);
    if ((touched || wrote) && !m_saver.isClosed()) {
        const quint64 revision =
            m_saver.request(m_environment.clock.now(), m_environment.clock.wallMs(), isDurable() || wrote);
        if (isDurable())
            context->mark = revision;
        if (touched) {
            m_dirty = true;
            addDirtyCause(context->cause);
            const bool perTurn =
                m_behavior->wantsStateChanges() || (m_watched && isDurable() && m_lastState.size() <= largeState);
            if (perTurn && m_state != LifecycleState::Loading)
                tryNoteState(context);
            else if (m_watched && !isDurable() && m_overlayAt == Instant::max())
                m_overlayAt = m_environment.clock.now() + overlayDelay;
        }
        if (m_saver.isImmediatePending())
            wantTurnSave();
        else
            wake(); // arms the timer of the throttled save
    }
    if (m_staged)
        sendStaged(std::max(context->mark, m_startMark));
}

void ActorTask::sendStaged(quint64 mark)
{
    const auto staged = std::move(m_staged);
    if (!isDurable())
        mark = 0;
    for (const auto &[name, args] : *staged) {
        std::shared_ptr<QByteArray> frame;
        for (const auto &connection : m_connections.all()) {
            if (!connection->isSubscribed(name))
                continue;
            if (!frame)
                frame = std::make_shared<QByteArray>();
            m_outbox.event(connection, name, args, frame, mark, m_saver.completed());
        }
    }
}

// Encodes the state. True when it differs from the last encoding; then the observer was told.
bool ActorTask::noteState(TurnContext *context)
{
    m_dirty = false;
    const quint64 before = std::exchange(m_notedRevision, m_saver.requested());
    const auto causes = std::move(m_dirtyCauses);
    QByteArray state;
    try {
        state = m_behavior->serialize();
    } catch (...) {
        m_dirty = true;
        m_notedRevision = before;
        m_dirtyCauses = std::make_unique<std::vector<Cause>>(causes ? *causes : std::vector<Cause>());
        throw;
    }
    if (state == m_lastState)
        return false;
    m_lastState = state;
    StateChange change;
    change.state = std::move(state);
    if (causes)
        change.causes = QList<Cause>(causes->begin(), causes->end());
    change.saveRevision = m_saver.requested();
    const quint64 sequence = m_observer.stateChanged(change);
    if (sequence != 0) {
        if (context != nullptr) {
            if (context->firstSequence == 0)
                context->firstSequence = sequence;
            context->lastSequence = sequence;
        } else {
            m_outbox.numberChanges(before, m_notedRevision, sequence);
            for (ActionRun *run = m_runs; run != nullptr; run = run->m_next) {
                if (run->mark <= before)
                    continue;
                if (run->firstSequence == 0)
                    run->firstSequence = sequence;
                run->lastSequence = sequence;
            }
        }
    }
    if (m_behavior->wantsStateChanges() && isStartedState(m_state) && !m_tellingChange) {
        m_tellingChange = true;
        m_behavior->stateChanged(change.causes.isEmpty() ? Cause(QStringLiteral("unknown"))
                                                         : change.causes.constLast());
        m_tellingChange = false;
    }
    return true;
}

const QByteArray &ActorTask::refreshState()
{
    if (m_dirty && isStartedState(m_state))
        tryNoteState(nullptr);
    return m_lastState;
}

void ActorTask::tryNoteState(TurnContext *context)
{
    try {
        noteState(context);
    } catch (...) {
        // It stays dirty; the save that follows fails for the same reason and says so to everybody who waits for it.
    }
}

void ActorTask::wantTurnSave()
{
    if (m_inTurnSaves || m_left)
        return;
    m_inTurnSaves = true;
    m_turnSaves.add(this);
}

void ActorTask::saveAtTurnEnd()
{
    m_inTurnSaves = false;
    if (m_left || m_saver.isInFlight() || !m_saver.isPending() || !isStartedState(m_state))
        return; // the end of the save under way looks again
    beginSave();
}

// False when there was nothing to write.
bool ActorTask::beginSave()
{
    m_overlayAt = Instant::max();
    if (m_dirty) {
        try {
            noteState(nullptr);
        } catch (...) {
            m_saver.begin(nullptr, 0);
            saveFailed(Error::fromException(std::current_exception()));
            return true;
        }
    }
    const bool changed = m_lastState != m_savedState;
    if (!changed && !m_saver.hasWrites()) {
        m_saver.completeEmpty();
        m_outbox.release(m_saver.completed());
        return false;
    }
    m_flightState = m_lastState;
    WriteBatch batch = m_saver.begin(changed ? &m_flightState : nullptr, m_environment.clock.wallMs());
    m_storage->commit(std::move(batch), [this](const std::optional<Error> &error) { saveDone(error); });
    return true;
}

void ActorTask::saveDone(const std::optional<Error> &error)
{
    const auto self = shared_from_this();
    if (error) {
        saveFailed(*error);
    } else {
        const quint64 revision = m_saver.inFlightRevision();
        const Duration took = m_saver.succeeded(m_environment.clock.now());
        m_savedState = std::exchange(m_flightState, QByteArray());
        m_savedAt = m_environment.clock.wallMs();
        m_observer.saved(revision, std::chrono::duration_cast<std::chrono::microseconds>(took).count());
        m_outbox.release(m_saver.completed());
    }
    if (m_left)
        return;
    if (m_stop && m_stop->phase == Stop::Phase::Saving) {
        m_stop->storageDone = true;
        wake();
        return;
    }
    if (m_saver.isImmediatePending() && isStartedState(m_state))
        wantTurnSave();
    if (m_stop || m_saver.isPending())
        workChanged();
}

void ActorTask::saveFailed(const Error &error)
{
    const Error named = error.withActor(identity());
    spdlog::error("actor {}: a save failed: {}", row().id.toStdString(), named.text().toStdString());
    const quint64 revision = m_saver.inFlightRevision();
    m_flightState.clear();
    m_saver.failed(m_environment.clock.now(), named);
    if (m_stop && m_stop->finalSaveBegun && !m_stop->error)
        m_stop->error = named;
    m_observer.note(QStringLiteral("saveFailed"), named.text(), &named);
    m_observer.summaryChanged();
    m_outbox.fail(revision, named);
    wake();
}

void ActorTask::requestSave(std::function<void(const std::optional<Error> &)> done)
{
    const quint64 revision = m_saver.request(m_environment.clock.now(), m_environment.clock.wallMs(), true);
    if (done)
        m_saver.await(revision, std::move(done));
    wantTurnSave();
}

quint64 ActorTask::replyMark(const TurnContext &context) const noexcept
{
    return isDurable() ? std::max(context.mark, m_startMark) : 0;
}

// ---- Dispatch --------------------------------------------------------------------------------------

Error ActorTask::refusal(DispatchAnswer answer) const
{
    switch (answer) {
    case DispatchAnswer::Destroying:
        return Error(QStringLiteral("actor"), QStringLiteral("destroying"),
                     QStringLiteral("the actor is being destroyed"))
            .withActor(identity());
    case DispatchAnswer::NotReady:
        return Error(QStringLiteral("actor"), QStringLiteral("not_ready"), QStringLiteral("the actor is not ready"))
            .withActor(identity());
    default: return stoppingError().withActor(identity());
    }
}

void ActorTask::refuse(DispatchCommand &&command, const Error &error)
{
    if (auto *action = std::get_if<ActionCommand>(&command)) {
        ActionOutcome outcome;
        outcome.result = error;
        outcome.refused = true;
        action->reply(std::move(outcome));
    } else if (auto *open = std::get_if<OpenCommand>(&command)) {
        open->reply(error);
    }
}

void ActorTask::refuseAllDispatch(const Error &error)
{
    while (!m_inboxes.dispatch.isEmpty())
        refuse(m_inboxes.dispatch.take(), error);
}

void ActorTask::serveDispatch(DispatchCommand &&command)
{
    if (auto *close = std::get_if<CloseCommand>(&command)) {
        closeConnection(close->connection);
        return;
    }
    const DispatchAnswer answer = answerDispatch(m_state, m_destroyRequested);
    if (answer != DispatchAnswer::Accept) {
        refuse(std::move(command), refusal(answer));
        return;
    }
    if (auto *action = std::get_if<ActionCommand>(&command)) {
        beginAction(std::move(*action));
        return;
    }
    auto &open = std::get<OpenCommand>(command);
    auto connection = std::make_shared<ActorConnection>(m_environment.random.uuid(), std::move(open.params),
                                                        std::move(open.remoteAddress), open.outlet);
    openConnection(std::move(connection), open.cause, std::move(open.reply));
}

void ActorTask::beginAction(ActionCommand &&command)
{
    if (command.connection || !m_behavior->hasConnectHooks()) {
        runAction(std::move(command), false, false);
        return;
    }
    // A call without a connection passes the same hooks as one that stays.
    auto connection =
        std::make_shared<ActorConnection>(m_environment.random.uuid(), command.params, QString(), nullptr);
    const Cause cause = command.cause;
    auto held = std::make_shared<ActionCommand>(std::move(command));
    openConnection(std::move(connection), cause,
                   [this, held](std::variant<std::shared_ptr<ActorConnection>, Error> &&opened) {
                       if (auto *error = std::get_if<Error>(&opened)) {
                           refuse(std::move(*held), *error);
                           return;
                       }
                       held->connection = std::get<std::shared_ptr<ActorConnection>>(std::move(opened));
                       runAction(std::move(*held), false, true);
                   });
}

void ActorTask::runAction(ActionCommand &&command, bool scheduled, bool closesConnection)
{
    turnEnded(); // called from within a turn, what that changed so far is its own
    const qint64 own = m_config->options.actionTimeout.count();
    const qint64 limitMs = command.timeoutMs > 0 ? std::min(command.timeoutMs, own) : own;
    auto run = std::make_shared<ActionRun>(*this, std::move(command), m_environment.clock.now(), scheduled);
    run->m_closesConnection = closesConnection;
    (scheduled ? m_scheduledHandlers : m_actions) += 1;
    active(run->cause);
    m_behavior->runAction(run);
    if (run->m_task == nullptr || limitMs <= 0)
        return;
    // It waits for something: only now is there anything to limit.
    ActionRun *waiting = run.get();
    waiting->m_limit =
        m_environment.clock.at(run->startedAt() + std::chrono::milliseconds(limitMs), [this, waiting, limitMs] {
            const auto self = shared_from_this();
            waiting->m_answered = true;
            answer(*waiting,
                   Error(QStringLiteral("actor"), QStringLiteral("action_timed_out"),
                         QStringLiteral("action \"%1\" took longer than %2 ms").arg(waiting->name()).arg(limitMs)));
        });
}

void ActorTask::unlink(ActionRun &run) noexcept
{
    if (run.m_previous != nullptr)
        run.m_previous->m_next = run.m_next;
    else
        m_runs = run.m_next;
    if (run.m_next != nullptr)
        run.m_next->m_previous = run.m_previous;
    run.m_next = nullptr;
    run.m_previous = nullptr;
    run.m_task = nullptr;
}

void ActorTask::finishAction(ActionRun &run, std::variant<Value, Error> &&result)
{
    if (run.m_task == nullptr)
        return;
    // What the handler did last belongs to it, whether or not its turn is over.
    if (m_turnTouched || m_turnWrote || m_staged) {
        if (m_stray && !m_behavior->slot().isInTurn())
            settleStray();
        else
            settleTurn(&run);
    }
    run.m_limit.cancel();
    if (!run.m_answered)
        answer(run, std::move(result));
    const bool closes = run.m_closesConnection;
    const auto connection = run.connection;
    (run.isScheduled() ? m_scheduledHandlers : m_actions) -= 1;
    unlink(run);
    m_inboxes.activity = true;
    if (closes)
        closeConnection(connection);
    wake();
}

void ActorTask::answer(ActionRun &run, std::variant<Value, Error> &&result)
{
    ActionOutcome outcome;
    quint64 mark = replyMark(run);
    if (const Error *failure = m_saver.failureOf(mark)) {
        // Saving what it changed was tried and failed before it ended.
        if (std::holds_alternative<Value>(result))
            result = *failure;
        mark = 0;
    }
    if (auto *error = std::get_if<Error>(&result))
        outcome.result = error->withActor(identity());
    else
        outcome.result = std::get<Value>(std::move(result));
    outcome.tookUs =
        std::chrono::duration_cast<std::chrono::microseconds>(m_environment.clock.now() - run.startedAt()).count();
    outcome.firstSequence = run.firstSequence;
    outcome.lastSequence = run.lastSequence;

    FinishedCall call;
    call.cause = run.cause;
    if (run.connection)
        call.connection = run.connection->id();
    call.tookUs = outcome.tookUs;
    call.error = std::get_if<Error>(&outcome.result);
    call.firstSequence = run.firstSequence;
    call.lastSequence = run.lastSequence;
    m_observer.callFinished(call);

    m_outbox.reply(run.connection, std::exchange(run.m_reply, nullptr), std::move(outcome), mark, m_saver.completed());
}

// ---- Connections -----------------------------------------------------------------------------------

void ActorTask::openConnection(std::shared_ptr<ActorConnection> connection, const Cause &cause, OpenReply reply)
{
    m_connections.add(connection, m_environment.clock.wallMs());
    m_observer.connectionsChanged(m_connections.count());
    active(cause);
    if (!m_behavior->hasConnectHooks()) {
        reply(std::move(connection));
        return;
    }
    if (!m_openings)
        m_openings = std::make_unique<std::vector<Opening>>();
    m_openings->push_back(Opening(connection, std::move(reply)));
    ActorConnection *opening = connection.get();
    m_behavior->connected(connection, cause,
                          [this, opening](const std::optional<Error> &error) { opened(opening, error); });
}

void ActorTask::opened(ActorConnection *connection, const std::optional<Error> &error)
{
    if (!m_openings)
        return;
    const auto at = std::find_if(m_openings->begin(), m_openings->end(),
                                 [&](const Opening &opening) { return opening.connection.get() == connection; });
    if (at == m_openings->end())
        return;
    const Opening opening = std::move(*at);
    m_openings->erase(at);
    if (m_openings->empty())
        m_openings.reset();
    if (!error && opening.connection->isOpen()) {
        opening.reply(opening.connection);
        return;
    }
    opening.connection->dropOutlet();
    if (m_connections.remove(*opening.connection)) {
        m_observer.connectionsChanged(m_connections.count());
        workChanged();
    }
    opening.reply(error ? error->withActor(identity()) : stoppingError().withActor(identity()));
}

void ActorTask::closeConnection(const std::shared_ptr<ActorConnection> &connection)
{
    connection->dropOutlet();
    if (!m_connections.remove(*connection))
        return;
    m_observer.connectionsChanged(m_connections.count());
    active(Cause(QStringLiteral("disconnect"), QString(), connection->id()));
    runDisconnectHook(connection, false);
}

void ActorTask::runDisconnectHook(const std::shared_ptr<ActorConnection> &connection, bool ofStop)
{
    if (!m_behavior->hasConnectHooks()) {
        if (ofStop)
            stopHookEnded();
        return;
    }
    const quint64 region =
        m_work.begin(WorkKind::DisconnectCallback, QStringLiteral("onDisconnect"),
                     QStringLiteral("connection %1").arg(connection->id()), m_environment.clock.wallMs());
    m_behavior->disconnected(connection, [this, region, ofStop](const std::optional<Error> &) {
        m_work.end(region);
        if (ofStop)
            stopHookEnded();
        workChanged();
    });
}

bool ActorTask::disconnect(const QString &connectionId, const QString &reason)
{
    const auto connection = m_connections.find(connectionId);
    if (!connection)
        return false;
    m_connections.remove(*connection);
    m_observer.connectionsChanged(m_connections.count());
    if (!m_disconnects)
        m_disconnects = std::make_unique<std::vector<std::pair<std::shared_ptr<ActorConnection>, QString>>>();
    m_disconnects->emplace_back(connection, reason);
    m_inboxes.events.disconnects = true;
    workChanged();
    return true;
}

// ---- Schedules -------------------------------------------------------------------------------------

void ActorTask::schedulesMoved()
{
    m_turnWrote = true;
    m_observer.schedulesChanged();
    armAlarm();
    if (!m_behavior->slot().isInTurn())
        m_stray = true;
    wake();
}

void ActorTask::armAlarm()
{
    const std::optional<qint64> next = m_schedules.next();
    if (!next || m_state != LifecycleState::Started) {
        m_alarmAt = Instant::max();
        return;
    }
    // No further than a day ahead: the wall clock may be moved meanwhile.
    const qint64 wait = std::clamp<qint64>(*next - m_environment.clock.wallMs(), 0, 24LL * 3600 * 1000);
    m_alarmAt = m_environment.clock.now() + std::chrono::milliseconds(wait);
}

QString ActorTask::scheduleAt(qint64 at, const QString &action, QByteArray args)
{
    const ScheduleRow &added = m_schedules.addOneShot(m_environment.random.uuid(), at, action, std::move(args),
                                                      m_config->options.maxSchedules);
    m_saver.alsoWrite(WriteBatch::PutSchedule{added});
    const QString id = added.eventId;
    schedulesMoved();
    return id;
}

QString ActorTask::scheduleEvery(const QString &name, qint64 intervalMs, const QString &action, QByteArray args)
{
    const ScheduleRow &set = m_schedules.setEvery(name, intervalMs, action, std::move(args),
                                                  m_environment.clock.wallMs(), m_config->options.maxSchedules);
    m_saver.alsoWrite(WriteBatch::PutSchedule{set});
    const QString id = set.eventId;
    schedulesMoved();
    return id;
}

bool ActorTask::cancelSchedule(const QString &idOrName)
{
    const std::optional<QString> gone = m_schedules.cancel(idOrName);
    if (!gone)
        return false;
    m_saver.alsoWrite(WriteBatch::DeleteSchedule{*gone});
    schedulesMoved();
    return true;
}

void ActorTask::fireDueSchedules()
{
    const QList<Schedules::Fire> fires = m_schedules.claim(m_environment.clock.wallMs());
    armAlarm();
    if (fires.isEmpty())
        return;
    // Claiming is written with the save of this event-loop turn, and so is what the actions change in it: together
    // or not at all.
    for (const Schedules::Fire &fire : fires) {
        if (fire.row.kind == ScheduleKind::At)
            m_saver.alsoWrite(WriteBatch::DeleteSchedule{fire.row.eventId});
        else if (const ScheduleRow *moved = m_schedules.find(fire.row.eventId))
            m_saver.alsoWrite(WriteBatch::PutSchedule{*moved});
    }
    m_saver.request(m_environment.clock.now(), m_environment.clock.wallMs(), true);
    wantTurnSave();
    m_observer.schedulesChanged();

    for (const Schedules::Fire &fire : fires) {
        const QString id = fire.row.eventId;
        if (fire.skipped) {
            spdlog::info("actor {}: schedule {} skipped, its last run goes on", row().id.toStdString(),
                         id.toStdString());
            continue;
        }
        ActionCommand command;
        command.name = fire.row.action;
        command.cause = Cause(QStringLiteral("timer"), fire.row.action, id);
        const QString action = fire.row.action;
        command.reply = [this, id, action](ActionOutcome &&outcome) { scheduledEnded(id, action, outcome); };
        try {
            command.args = fire.row.args.isEmpty() ? Value::array() : decodeCbor<Value>(fire.row.args);
        } catch (...) {
            const Error error = Error::fromException(std::current_exception());
            m_observer.note(QStringLiteral("hookFailed"), QStringLiteral("schedule %1: %2").arg(id, error.text()),
                            &error);
            continue;
        }
        if (fire.row.kind != ScheduleKind::At)
            m_schedules.setRunning(id, true);
        runAction(std::move(command), true, false);
    }
}

void ActorTask::scheduledEnded(const QString &eventId, const QString &action, const ActionOutcome &outcome)
{
    m_schedules.setRunning(eventId, false);
    const auto *error = std::get_if<Error>(&outcome.result);
    if (error == nullptr || m_left)
        return;
    spdlog::warn("actor {}: scheduled action {} failed: {}", row().id.toStdString(), action.toStdString(),
                 error->text().toStdString());
    if (error->is(QLatin1String("actor"), QLatin1String("action_not_found"))
        && m_schedules.dropIfAction(eventId, action)) {
        m_saver.alsoWrite(WriteBatch::DeleteSchedule{eventId});
        schedulesMoved();
    }
}

// ---- Sleep -----------------------------------------------------------------------------------------

void ActorTask::requestSleep(const Cause &cause)
{
    if (!isStartedState(m_state)) {
        throw m_sleepRequested || m_destroyRequested ? stoppingError()
                                                     : Error(QStringLiteral("actor"), QStringLiteral("starting"),
                                                             QStringLiteral("the actor has not finished starting"));
    }
    if (m_sleepRequested || m_stop)
        return;
    m_sleepRequested = true;
    m_sleepAt = Instant::max();
    m_owner.sleepRequested(*this, QStringLiteral("self"), cause);
}

void ActorTask::requestDestroy(const Cause &cause)
{
    if (m_destroyRequested)
        throw stoppingError();
    if (!isStartedState(m_state) && !m_sleepRequested) {
        throw Error(QStringLiteral("actor"), QStringLiteral("starting"),
                    QStringLiteral("the actor has not finished starting"));
    }
    m_destroyRequested = true;
    m_sleepAt = Instant::max();
    m_owner.destroyRequested(*this, cause);
}

void ActorTask::stopWithError(const Error &error)
{
    const Error named = error.withActor(identity());
    spdlog::error("actor {}: its run function failed: {}", row().id.toStdString(), named.text().toStdString());
    m_observer.note(QStringLiteral("runFailed"), named.text(), &named);
    if (m_stop || m_left)
        return;
    m_sleepRequested = true;
    m_sleepAt = Instant::max();
    m_owner.crashed(*this, named);
}

SleepFacts ActorTask::sleepFacts() const
{
    SleepFacts facts;
    facts.started = isStartedState(m_state);
    facts.noSleep = m_config->options.noSleep;
    facts.httpRequests = m_work.count(WorkKind::HttpRequest);
    facts.keepAwake = m_work.count(WorkKind::KeepAwake);
    facts.internalKeepAwake = m_work.count(WorkKind::InternalKeepAwake);
    facts.actions = m_actions;
    facts.scheduledHandlers = m_scheduledHandlers;
    facts.runHandler = m_runHandler;
    facts.runHandlerParked = m_runHandlerParked;
    facts.disconnectCallbacks = m_work.count(WorkKind::DisconnectCallback);
    facts.connections = m_connections.count();
    facts.socketCallbacks = m_work.count(WorkKind::SocketCallback);
    return facts;
}

qint64 ActorTask::wallOf(Instant instant) const
{
    return m_environment.clock.wallMs()
           + std::chrono::duration_cast<std::chrono::milliseconds>(instant - m_environment.clock.now()).count();
}

QList<AwakeReason> ActorTask::awakeReasons() const
{
    QList<AwakeReason> reasons;
    const auto add = [&reasons](QString kind, int count) -> AwakeReason & {
        AwakeReason reason;
        reason.kind = std::move(kind);
        reason.count = count;
        reason.on = count > 0;
        reasons.append(reason);
        return reasons.last();
    };
    const auto addWork = [&](WorkKind kind) {
        AwakeReason &reason = add(workKindName(kind), m_work.count(kind));
        for (const WorkTracker::Region &region : m_work.regions()) {
            if (region.kind != kind)
                continue;
            if (reason.since == 0) {
                reason.since = region.since;
                reason.origin = region.origin;
            }
            reason.label = region.label;
        }
    };
    const auto addRuns = [&](QString kind, bool scheduled, int count) {
        AwakeReason &reason = add(std::move(kind), count);
        for (const ActionRun *run = m_runs; run != nullptr; run = run->m_next) { // newest first
            if (run->isScheduled() != scheduled)
                continue;
            if (reason.label.isEmpty())
                reason.label = run->name();
            reason.since = wallOf(run->startedAt());
            reason.origin = QStringLiteral("%1 %2").arg(run->cause.kind, run->name());
        }
    };

    AwakeReason &never = add(QStringLiteral("noSleep"), m_config->options.noSleep ? 1 : 0);
    if (never.on)
        never.origin = QStringLiteral("option noSleep");
    addWork(WorkKind::HttpRequest);
    addWork(WorkKind::KeepAwake);
    addWork(WorkKind::InternalKeepAwake);
    addRuns(QStringLiteral("actions"), false, m_actions);
    addRuns(QStringLiteral("scheduledHandler"), true, m_scheduledHandlers);
    AwakeReason &running = add(QStringLiteral("runHandler"), m_runHandler ? 1 : 0);
    if (m_runHandler) {
        running.label = QStringLiteral("run");
        running.origin = QStringLiteral("start");
        running.since = m_stateSinceWall;
        if (m_runHandlerParked) {
            running.on = false;
            running.note = QStringLiteral("waiting for something that the next start waits for again");
        }
    }
    addWork(WorkKind::DisconnectCallback);
    AwakeReason &connected = add(QStringLiteral("connections"), m_connections.count());
    if (connected.on) {
        connected.label = m_connections.all().back()->id();
        connected.since = m_connections.all().front()->openedAt();
        connected.origin = QStringLiteral("connect");
    }
    addWork(WorkKind::SocketCallback);
    return reasons;
}

SleepOutlook ActorTask::sleepOutlook() const
{
    SleepOutlook outlook;
    if (isGraceState(m_state) || m_state == LifecycleState::SleepFinalize || m_state == LifecycleState::Destroying) {
        outlook.kind = QStringLiteral("grace");
        outlook.at = graceDeadline();
    } else if (m_state == LifecycleState::Terminated) {
        outlook.kind = QStringLiteral("asleep");
        outlook.at = m_schedules.next().value_or(0);
    } else if (m_config->options.noSleep) {
        outlook.kind = QStringLiteral("never");
    } else if (m_sleepAt != Instant::max() && canSleep(sleepFacts()) == CanSleep::Yes) {
        outlook.kind = QStringLiteral("countdown");
        outlook.at = wallOf(m_sleepAt);
        outlook.resetBy = m_lastActivity;
    } else {
        outlook.kind = QStringLiteral("blocked");
    }
    return outlook;
}

qint64 ActorTask::graceDeadline() const noexcept
{
    return m_stop && m_stop->phase == Stop::Phase::Grace ? wallOf(m_stop->deadline) : 0;
}

// ---- Stop ------------------------------------------------------------------------------------------

void ActorTask::beginStop(StopCommand &&command)
{
    // What clients asked for before the stop is served before it.
    while (!m_inboxes.dispatch.isEmpty())
        serveDispatch(m_inboxes.dispatch.take());

    const bool destroys = command.reason == StopReason::Destroy;
    m_stop = std::make_unique<Stop>();
    m_stop->reason = command.reason;
    m_stop->reply = std::move(command.reply);
    m_stop->cause = command.cause;
    m_stop->deadline = m_environment.clock.now() + m_config->effectiveGrace();
    m_sleepAt = Instant::max();
    m_alarmAt = Instant::max();
    QString detail;
    if (command.why == QLatin1String("idle"))
        detail = QStringLiteral("idle for %1").arg(secondsText(m_config->options.sleepTimeout));
    transitionTo(destroys ? LifecycleState::DestroyGrace : LifecycleState::SleepGrace, command.why, detail,
                 command.cause);
    m_behavior->requestAbort();

    const std::vector<std::shared_ptr<ActorConnection>> connections = m_connections.all();
    m_hooksRunning = int(connections.size()) + 1;
    for (const auto &connection : connections) {
        m_connections.remove(*connection);
        if (ConnectionOutlet *outlet = connection->outlet()) {
            connection->dropOutlet();
            outlet->closed(destroys ? 1000 : 1011, destroys ? QString() : QStringLiteral("actor.stopping"));
        }
        runDisconnectHook(connection, true);
    }
    if (!connections.empty())
        m_observer.connectionsChanged(0);
    m_behavior->cleanUp(command.reason, [this](const std::optional<Error> &) { stopHookEnded(); });
    tryFinishGrace();
}

void ActorTask::stopHookEnded()
{
    --m_hooksRunning;
    workChanged();
}

bool ActorTask::graceDrained() const
{
    return m_hooksRunning <= 0 && m_actions == 0 && m_scheduledHandlers == 0 && m_work.total() == 0
           && !m_saver.isInFlight() && (m_stop->reason == StopReason::Destroy || !m_runHandler);
}

void ActorTask::tryFinishGrace()
{
    if (m_stop && m_stop->phase == Stop::Phase::Grace && graceDrained())
        beginShutdown(QStringLiteral("drained"), {});
}

void ActorTask::graceDeadlineReached()
{
    m_stop->cutOff = m_behavior->running();
    for (const WorkTracker::Region &region : m_work.regions()) {
        if (region.kind != WorkKind::DisconnectCallback && region.kind != WorkKind::WaitUntil)
            m_stop->cutOff.append(region.label.isEmpty() ? workKindName(region.kind) : region.label);
    }
    spdlog::warn("actor {}: its grace of {} ms is over; cut off: {}", row().id.toStdString(),
                 m_config->effectiveGrace().count(), m_stop->cutOff.join(QStringLiteral(", ")).toStdString());
    beginShutdown(QStringLiteral("deadline"),
                  QStringLiteral("grace of %1 is over").arg(secondsText(m_config->effectiveGrace())));
}

void ActorTask::beginShutdown(const QString &why, const QString &detail)
{
    const bool destroys = m_stop->reason == StopReason::Destroy;
    m_overlayAt = Instant::max();
    transitionTo(destroys ? LifecycleState::Destroying : LifecycleState::SleepFinalize, why, detail, m_stop->cause);
    m_stop->phase = Stop::Phase::Join;
    m_stop->deadline = m_environment.clock.now() + shortestJoin;
    refuseAllDispatch(refusal(answerDispatch(m_state, m_destroyRequested)));
    if (!m_behavior->isIdle())
        m_behavior->cutOff();
    wake();
}

void ActorTask::continueShutdown()
{
    const auto self = shared_from_this();
    switch (m_stop->phase) {
    case Stop::Phase::Grace: return;
    case Stop::Phase::Join:
        for (const WorkTracker::Region &region : m_work.regions()) {
            if (region.kind == WorkKind::KeepAwake || region.kind == WorkKind::WaitUntil)
                m_observer.awakeEnded(region.id);
        }
        m_work.clear();
        m_stop->phase = Stop::Phase::Saving;
        if (m_stray)
            settleStray();
        if (m_saver.isInFlight()) {
            m_stop->storageDone = false; // its end comes back here through the phase below
            return;
        }
        m_stop->storageDone = true;
        return;
    case Stop::Phase::Saving: {
        const bool unsaved = m_dirty || m_saver.hasWrites() || m_lastState != m_savedState;
        if (unsaved && !m_stop->finalSaveBegun) {
            m_stop->finalSaveBegun = true;
            m_stop->storageDone = false;
            if (beginSave() && m_saver.isInFlight())
                return;
            m_stop->storageDone = true;
        }
        if (!m_stop->error)
            m_saver.completeEmpty();
        m_outbox.release(m_saver.completed());
        m_saver.close(m_stop->error ? *m_stop->error : stoppingError());
        m_outbox.abandon(m_stop->error ? *m_stop->error : stoppingError());
        if (m_stop->reason == StopReason::Sleep) {
            terminate(m_stop->error);
            return;
        }
        m_stop->phase = Stop::Phase::Destroying;
        m_stop->storageDone = false;
        m_storage->destroy(m_environment.clock.wallMs(), [this](const std::optional<Error> &error) {
            if (m_left)
                return;
            if (error && !m_stop->error)
                m_stop->error = error->withActor(identity());
            m_stop->storageDone = true;
            wake();
        });
        return;
    }
    case Stop::Phase::Destroying: terminate(m_stop->error); return;
    }
}

void ActorTask::terminate(const std::optional<Error> &error)
{
    const auto self = shared_from_this();
    const auto stop = std::move(m_stop);
    if (stop->reply)
        stop->reply(error);
    transitionTo(LifecycleState::Terminated, QStringLiteral("saved"), {}, stop->cause, error);
    leave(stoppingError().withActor(identity()));
    m_owner.terminated(*this, error);
}

// Answers everything that is left. The last thing an actor does.
void ActorTask::leave(const Error &error)
{
    m_left = true;
    m_timer.cancel();
    if (m_inTurnSaves) {
        m_turnSaves.remove(this);
        m_inTurnSaves = false;
    }
    refuseAllDispatch(error);
    if (const auto openings = std::move(m_openings)) {
        for (const Opening &opening : *openings)
            opening.reply(error);
    }
    while (m_runs != nullptr) {
        ActionRun &run = *m_runs;
        run.m_limit.cancel();
        const bool answered = run.m_answered;
        auto reply = std::exchange(run.m_reply, nullptr);
        unlink(run);
        if (!answered && reply) {
            ActionOutcome outcome;
            outcome.result = error;
            reply(std::move(outcome));
        }
    }
    m_outbox.abandon(error);
    m_saver.close(error);
    if (m_stop && m_stop->reply)
        m_stop->reply(error);
    m_stop.reset();
    if (m_deferredStop)
        m_deferredStop->reply(std::nullopt);
    m_deferredStop.reset();
    if (m_startReply)
        std::exchange(m_startReply, nullptr)(error);
    while (!m_inboxes.lifecycle.isEmpty()) {
        LifecycleCommand command = m_inboxes.lifecycle.take();
        if (auto *start = std::get_if<StartCommand>(&command))
            start->reply(error);
        else if (auto *stop = std::get_if<StopCommand>(&command))
            stop->reply(std::nullopt);
        else
            std::get<FireAlarmCommand>(command).reply(std::nullopt);
    }
    if (m_behavior) {
        m_behavior->slot().onTurnEnded(nullptr);
        m_behavior->detach();
    }
    m_behavior.reset();
}

void ActorTask::transitionTo(LifecycleState to, const QString &reason, const QString &detail, const Cause &cause,
                             const std::optional<Error> &error)
{
    Q_ASSERT(mayTransition(m_state, to));
    const Instant now = m_environment.clock.now();
    Transition transition;
    transition.from = m_state;
    transition.to = to;
    transition.reason = reason;
    transition.detail = detail;
    transition.cause = cause;
    transition.tookUs = std::chrono::duration_cast<std::chrono::microseconds>(now - m_stateSince).count();
    transition.hooks = std::exchange(m_hooks, {});
    transition.error = error;
    if (m_stop)
        transition.cutOff = m_stop->cutOff;
    if (spdlog::should_log(spdlog::level::info)) {
        spdlog::info("actor {}: {} -> {} ({})", row().id.toStdString(), lifecycleName(m_state).toStdString(),
                     lifecycleName(to).toStdString(), reason.toStdString());
    }
    m_state = to;
    m_stateSince = now;
    m_stateSinceWall = m_environment.clock.wallMs();
    m_observer.transition(transition);
    m_observer.summaryChanged();
}

} // namespace terrarium
