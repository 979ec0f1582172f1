#pragma once
// One live actor: its lifecycle, what waits for it, its saves, its sleep and its stop.
//
// It is a state machine, not a long-lived coroutine: whatever happens marks it and posts one run to the executor; a
// run serves the sources in a fixed order until none is ready. That keeps an idle actor small (no coroutine frame, no
// watchers) and makes the order a function that tests can read (nextSource()). Nothing here blocks: author's code
// runs in Behavior, side by side, and reports back.
//
// Made by makeActor() of core/adapter; owned by the host through a shared_ptr, which it holds itself only while a run
// is posted. After terminated() everything is answered and it does nothing any more.

#include "actor/actor_observer.h"
#include "actor/actor_options.h"
#include "actor/actor_owner.h"
#include "actor/behavior.h"
#include "actor/connections.h"
#include "actor/inboxes.h"
#include "actor/lifecycle.h"
#include "actor/outbox.h"
#include "actor/schedules.h"
#include "actor/sleep_policy.h"
#include "actor/state_saver.h"
#include "actor/turn_context.h"
#include "actor/turn_saves.h"
#include "actor/work_tracker.h"
#include "async/environment.h"
#include "storage/actor_storage.h"

#include <memory>
#include <optional>

namespace terrarium {

/// What an actor is made of. The references outlive it.
struct ActorParts {
    ActorParts(Environment &environment, std::unique_ptr<ActorStorage> storage, ActorObserver &observer,
               ActorOwner &owner, TurnSaves &turnSaves, std::shared_ptr<const ActorConfig> config)
        : environment(environment),
          storage(std::move(storage)),
          observer(observer),
          owner(owner),
          turnSaves(turnSaves),
          config(std::move(config))
    {}

    Environment &environment;
    std::unique_ptr<ActorStorage> storage;
    ActorObserver &observer;
    ActorOwner &owner;
    TurnSaves &turnSaves;
    std::shared_ptr<const ActorConfig> config; ///< shared by all actors of a type
};

class ActorTask final : public std::enable_shared_from_this<ActorTask> {
public:
    static std::shared_ptr<ActorTask> create(ActorParts parts);
    ActorTask(const ActorTask &) = delete;
    ActorTask &operator=(const ActorTask &) = delete;
    /// Answers what is left: calls `actor/stopping`, a parked stop `actor/dropped_reply`.
    ~ActorTask();

    /// Before start(), once.
    void setBehavior(std::shared_ptr<Behavior> behavior);

    const ActorRow &row() const noexcept { return m_storage->actor(); }
    const ActorOptions &options() const noexcept { return m_config->options; }
    Environment &environment() const noexcept { return m_environment; }
    ActorIdentity identity() const;

    // Commands. They only queue; replies come later and exactly once.

    /// Answered when clients can be served. Errors carry the actor's identity.
    void start(StartCommand command);
    /// The first is answered when the actor has ended, later ones at once. `actor/not_ready` before the start.
    void stop(StopCommand command);
    /// Runs the schedules that are due. The actor does so by itself while it is started.
    void fireAlarm(LifecycleReply reply);
    /// Waits while the actor starts. Refused with `actor/stopping` or `actor/destroying` when it ends.
    void dispatch(DispatchCommand command);
    /// From now on calls are refused with `actor/destroying`: said before a destroy's stop().
    void markDestroyRequested() noexcept { m_destroyRequested = true; }
    /// The host is going without a stop: leaves the loop, saves nothing, answers everything.
    void abandon();

    /// Somebody looks: changes are told turn by turn (with Replies::Immediate at most every 50 ms).
    void setWatched(bool watched);

    // Looking. Never changes anything.

    LifecycleState state() const noexcept { return m_state; }
    /// When it came into this state; wall ms.
    qint64 stateSince() const noexcept { return m_stateSinceWall; }
    /// Of the grace, wall ms; 0 outside of grace.
    qint64 graceDeadline() const noexcept;
    QString runningHook() const { return m_runningHook; }
    int connectionCount() const noexcept { return m_connections.count(); }
    const QList<ScheduleRow> &schedules() const noexcept { return m_schedules.rows(); }
    /// The last state told to the observer or read at the start: CBOR, empty when there is none yet.
    const QByteArray &lastState() const noexcept { return m_lastState; }
    /// Encodes the state now and tells the observer when it differs from the last one told. For a new watcher.
    const QByteArray &refreshState();
    /// Wall ms since when memory is ahead of disk; 0: it is not.
    qint64 unsavedSince() const noexcept { return m_saver.unsavedSince(); }
    quint64 savedRevision() const noexcept { return m_saver.completed(); }
    qint64 savedAt() const noexcept { return m_savedAt; }
    qint64 lastActivityAt() const noexcept { return m_lastActivityWall; }
    SleepFacts sleepFacts() const;
    /// Everything that keeps it awake or would, in the order in which it is looked at.
    QList<AwakeReason> awakeReasons() const;
    SleepOutlook sleepOutlook() const;
    bool isSleepRequested() const noexcept { return m_sleepRequested; }
    bool isDestroyRequested() const noexcept { return m_destroyRequested; }
    int pendingDispatch() const noexcept { return int(m_inboxes.dispatch.size()); }

    /// What a run would serve next. The order of the enumerators is the order of preference. The end of a save is not
    /// among them: it is served where it is reported, so that replies leave in the event-loop turn of their commit.
    enum class Served : quint8 {
        Lifecycle,
        Events,
        Activity,
        GraceDeadline,
        Dispatch,
        SaveDeadline,
        OverlayDeadline,
        SleepDeadline,
        Alarm,
        Shutdown,
        Nothing,
    };
    Served nextSource() const;

    // For the author's side (Behavior and what it is made of), within turns.

    /// The running turn may change the state. Throws `actor/state_mutation_reentrant` inside onStateChange.
    void touchState();
    /// To every connection subscribed to `event`, when it may leave.
    void broadcast(const QString &event, Value args);
    void finishAction(ActionRun &run, std::variant<Value, Error> &&result);
    /// A hook ended: kept for the next transition, told as a note when it failed.
    void hookFinished(const QString &name, Instant startedAt, const std::optional<Error> &error);
    void setRunningHook(const QString &name);
    /// Runs `action` at `at` (wall ms). Throws `schedule/max_schedules_exceeded` {maximum}. Returns its id.
    QString scheduleAt(qint64 at, const QString &action, QByteArray args);
    /// Every `intervalMs` (>= 5,000: else `schedule/invalid_interval`), replacing the one of this name.
    QString scheduleEvery(const QString &name, qint64 intervalMs, const QString &action, QByteArray args);
    /// By id of a one-shot or name of a recurring one. False when there is none.
    bool cancelSchedule(const QString &idOrName);
    /// Saves at the end of this event-loop turn. `done` may be empty; else it is told how this save ended.
    void requestSave(std::function<void(const std::optional<Error> &)> done);
    /// Throws `actor/starting`, or `actor/stopping` when it was asked before.
    void requestSleep(const Cause &cause);
    void requestDestroy(const Cause &cause);
    void stopWithError(const Error &error);
    WorkTracker &work() noexcept { return m_work; }
    /// To call after every change of work().
    void workChanged();
    void setRunHandler(bool active, bool parked);
    Connections &connections() noexcept { return m_connections; }
    /// Ends a connection from the actor's side; its onDisconnect runs. False when it is not open.
    bool disconnect(const QString &connectionId, const QString &reason);
    ActorObserver &observer() noexcept { return m_observer; }
    /// A coroutine of the author's side ended: looks whether a stop can go on.
    void behaviorIdled();

private:
    friend class ActionRun;
    friend class TurnSaves;
    struct Stop;
    /// A connection whose connect hook still runs.
    struct Opening {
        Opening(std::shared_ptr<ActorConnection> connection, OpenReply reply)
            : connection(std::move(connection)),
              reply(std::move(reply))
        {}

        std::shared_ptr<ActorConnection> connection;
        OpenReply reply;
    };

    explicit ActorTask(ActorParts &&parts);

    void wake();
    void run();
    void serveLifecycle();
    void serveEvents();
    void serveActivity();
    void serveDispatch(DispatchCommand &&command);
    void armTimer();

    // start
    void beginStart(StartCommand &&command);
    void startFinished(const std::optional<Error> &error);
    void failStart(const Error &error);

    // turns and saves
    void turnEnded();
    void settleTurn(TurnContext *context);
    void settleStray();
    void sendStaged(quint64 mark);
    void addDirtyCause(const Cause &cause);
    bool noteState(TurnContext *context);
    void tryNoteState(TurnContext *context);
    void saveAtTurnEnd();
    bool beginSave();
    void saveDone(const std::optional<Error> &error);
    void saveFailed(const Error &error);
    void wantTurnSave();
    quint64 replyMark(const TurnContext &context) const noexcept;
    bool isDurable() const noexcept { return m_config->options.replies == Replies::Durable; }

    // dispatch
    void beginAction(ActionCommand &&command);
    void runAction(ActionCommand &&command, bool scheduled, bool closesConnection);
    static void refuse(DispatchCommand &&command, const Error &error);
    void refuseAllDispatch(const Error &error);
    void openConnection(std::shared_ptr<ActorConnection> connection, const Cause &cause, OpenReply reply);
    void opened(ActorConnection *connection, const std::optional<Error> &error);
    void closeConnection(const std::shared_ptr<ActorConnection> &connection);
    void runDisconnectHook(const std::shared_ptr<ActorConnection> &connection, bool ofStop);
    void answer(ActionRun &run, std::variant<Value, Error> &&result);
    void unlink(ActionRun &run) noexcept;
    Error refusal(DispatchAnswer answer) const;
    void active(const Cause &cause);

    // stop
    void beginStop(StopCommand &&command);
    bool graceDrained() const;
    void tryFinishGrace();
    void graceDeadlineReached();
    void beginShutdown(const QString &why, const QString &detail);
    void continueShutdown();
    void stopHookEnded();
    void terminate(const std::optional<Error> &error);
    void leave(const Error &error);

    void fireDueSchedules();
    void scheduledEnded(const QString &eventId, const QString &action, const ActionOutcome &outcome);
    void schedulesMoved();
    void armAlarm();
    void transitionTo(LifecycleState to, const QString &reason, const QString &detail, const Cause &cause,
                      const std::optional<Error> &error = std::nullopt);
    qint64 wallOf(Instant instant) const;

    Environment &m_environment;
    std::unique_ptr<ActorStorage> m_storage;
    ActorObserver &m_observer;
    ActorOwner &m_owner;
    TurnSaves &m_turnSaves;
    std::shared_ptr<const ActorConfig> m_config;
    std::shared_ptr<Behavior> m_behavior;
    std::shared_ptr<ActorTask> m_self; // while a run is posted

    Inboxes m_inboxes;
    StateSaver m_saver;
    Outbox m_outbox;
    WorkTracker m_work;
    Connections m_connections;
    Schedules m_schedules;
    ActionRun *m_runs = nullptr; // newest first
    std::unique_ptr<Stop> m_stop;
    std::unique_ptr<StopCommand> m_deferredStop; // came during the start
    LifecycleReply m_startReply;
    QList<HookTime> m_hooks; // since the last transition
    QString m_runningHook;
    QByteArray m_lastState;   // as last encoded
    QByteArray m_savedState;  // as on disk
    QByteArray m_flightState; // as being written
    Cause m_lastActivity;
    std::unique_ptr<std::vector<Cause>> m_dirtyCauses;                // of touched, not yet encoded turns
    std::unique_ptr<std::vector<std::pair<QString, Value>>> m_staged; // events of the running turn
    std::unique_ptr<std::vector<std::pair<std::shared_ptr<ActorConnection>, QString>>>
        m_disconnects; // asked for by its code
    std::unique_ptr<std::vector<Opening>> m_openings;
    quint64 m_startMark = 0;     // save revision of the start
    quint64 m_notedRevision = 0; // requests up to it are in m_lastState

    Timer m_timer;
    Instant m_timerAt = Instant::max();
    Instant m_sleepAt = Instant::max();
    Instant m_overlayAt = Instant::max();
    Instant m_alarmAt = Instant::max();
    Instant m_stateSince;
    qint64 m_stateSinceWall = 0;
    qint64 m_lastActivityWall = 0;
    qint64 m_savedAt = 0;
    int m_actions = 0;
    int m_scheduledHandlers = 0;
    int m_hooksRunning = 0; // cleanup and disconnect hooks of a stop

    LifecycleState m_state = LifecycleState::Loading;
    bool m_posted = false;
    bool m_running = false;
    bool m_inTurnSaves = false;
    bool m_turnTouched = false; // the running turn touched the state
    bool m_turnWrote = false;   // the running turn changed what is saved besides the state
    bool m_stray = false;       // something happened outside of a turn, in code resumed from a foreign wait
    bool m_dirty = false;       // touched since the last encoding
    bool m_tellingChange = false;
    bool m_watched = false;
    bool m_isNew = false;
    bool m_sleepRequested = false;
    bool m_destroyRequested = false;
    bool m_runHandler = false;
    bool m_runHandlerParked = false;
    bool m_left = false; // terminated; nothing happens any more
};

} // namespace terrarium
