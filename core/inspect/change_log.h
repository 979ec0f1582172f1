#pragma once
// What happened to one actor, in one order: the one place that every feed hangs on.
//
// It observes the actor's incarnations and outlives them: positions and sequence numbers go on across sleep within
// one host run. While nobody watches it is a flight recorder: the last transitions, notes and calls, and the states of
// the last changes as the engine encoded them, a few hundred bytes for an idle actor and no decoding. While somebody
// watches (and for a while after) it keeps every record, in a ring, and tells each change as a delta. The changes
// from before are told apart only when the first watcher comes.

#include "actor/actor_observer.h"
#include "async/environment.h"
#include "inspect/log_queue.h"
#include "inspect/sliding_count.h"
#include "storage/stored_actor.h"
#include "wire/inspector_messages.h"

#include <list>
#include <memory>
#include <optional>
#include <vector>

namespace terrarium {

class ActorTask;
class ChangeLogs;

class ChangeLog final : public ActorObserver {
public:
    // How much is kept.
    static constexpr int flightRecords = 64;                 ///< of each kind, while nobody watches
    static constexpr qint64 flightBytes = 64 * 1024;         ///< of states
    static constexpr int watchedRecords = 1'000;             ///< of each kind
    static constexpr qint64 watchedBytes = 64 * 1024 * 1024; ///< of deltas
    static constexpr qint64 lingerMs = 60'000;               ///< how long all is kept after the last watcher left

    /// Positions and sequence numbers count up from `base`.
    ChangeLog(ChangeLogs &owner, Environment &environment, ActorRow row, quint64 base);
    ChangeLog(const ChangeLog &) = delete;
    ChangeLog &operator=(const ChangeLog &) = delete;
    ~ChangeLog() override;

    const ActorRow &row() const noexcept { return m_row; }
    const QString &id() const noexcept { return m_row.id; }

    // What the host tells.

    void setCreatedBy(const Cause &cause) { m_createdBy = shared(cause); }
    /// The incarnation that runs from now on, or none.
    void setTask(ActorTask *task, quint32 generation);
    /// How the next end of an incarnation is to be called, when it is not an ordinary one.
    void expectCrash(const Error &error);
    /// Into a status that no incarnation tells: pending, backoff (`deadline`: the next try), crashed, destroyed.
    void enter(wire::ActorStatus status, const QString &reason, const QString &detail, const Cause &cause,
               qint64 deadline = 0, const Error *error = nullptr);
    /// The state on disk, for an actor that sleeps: what the next change is compared with.
    void setStoredState(const QByteArray &state);
    /// Its schedules while it sleeps.
    void setAlarms(int count, qint64 nextAt, const QString &nextName);

    // Watching.

    void watch();
    void unwatch();
    bool isWatched() const noexcept { return m_watch && m_watch->watchers > 0; }
    /// What happened since the last call; only while watched.
    QList<wire::Record> takeNews();

    // Looking.

    ActorTask *task() const noexcept { return m_task; }
    wire::ActorStatus status() const noexcept { return m_status; }
    bool isAsleep() const noexcept { return m_task == nullptr; }
    quint64 position() const noexcept { return m_position; }
    quint64 sequence() const noexcept { return m_sequence; }
    quint64 savedSequence() const noexcept { return m_savedSequence; }
    const QByteArray &state() const noexcept { return m_state; } ///< the newest known; empty: none, or not known
    bool isStateKnown() const noexcept { return m_stateKnown; }
    /// Records that are kept, oldest first. Changes from before the first watcher have been told apart by then.
    QList<wire::Record> records() const;
    /// All records after `position`, or nothing when some of them are not kept.
    std::optional<QList<wire::Record>> recordsAfter(quint64 position) const;
    /// Since when records are complete; wall ms. 0: since the host started.
    qint64 keptSince() const;
    /// How many places of the state the changes `first` to `last` touched; 0 when they are not kept.
    int changedPaths(quint64 first, quint64 last) const;
    /// What falls by itself as time passes.
    struct Figures {
        double rate = 0;       ///< changes per second over the last 5 s
        double actionRate = 0; ///< calls per second over the last 5 s
        int errors5m = 0;      ///< in the last 5 minutes
        friend bool operator==(const Figures &, const Figures &) = default;
    };
    Figures figures() const;
    /// `hasState` and the like are the caller's to fill.
    wire::ActorSummary summary() const;
    /// About the memory it holds.
    qint64 bytes() const noexcept { return m_deltaBytes + (m_baseline.isSharedWith(m_state) ? 0 : m_baseline.size()); }
    qint64 lastChangeAt() const noexcept { return m_lastChangeAt; }
    /// Forgets the states of changes while nobody watches.
    void dropFlightStates();

    // ActorObserver.

    void transition(const Transition &transition) override;
    void hookRunning(const QString &name) override;
    quint64 stateChanged(const StateChange &change) override;
    void saved(quint64 saveRevision, qint64 tookUs) override;
    void callFinished(const FinishedCall &call) override;
    void note(const QString &kind, const QString &text, const Error *error) override;
    void connectionsChanged(int count) override;
    void schedulesChanged() override;
    void awakeBegan(quint64 span, const QString &kind, const QString &label) override;
    void awakeEnded(quint64 span) override;
    void summaryChanged() override;

private:
    friend class ChangeLogs;

    /// Records in a row mostly have one cause: they share it.
    using SharedCause = std::shared_ptr<const Cause>;
    struct LoggedTransition {
        struct Details {
            QList<HookTime> hooks;
            QStringList cutOff;
            std::optional<wire::ErrorInfo> error;
        };
        wire::ActorStatus from = wire::ActorStatus::unknown;
        wire::ActorStatus to = wire::ActorStatus::unknown;
        quint32 generation = 0;
        qint64 tookUs = 0;
        QString reason;
        QString detail;
        SharedCause cause;
        std::unique_ptr<Details> details;
    };
    struct LoggedNote {
        QString kind;
        QString text;
        std::unique_ptr<wire::ErrorInfo> error;
    };
    struct LoggedCall {
        SharedCause cause;
        QString connection;
        QString errorCode;
        qint64 tookUs = 0;
        quint64 firstSequence = 0;
        quint64 lastSequence = 0;
    };
    struct LoggedDelta {
        quint64 sequence = 0;
        qint64 stateBytes = 0;
        qint64 bytes = 0;    // what it counts for
        SharedCause cause;   // when it is exactly one
        QList<Cause> causes; // else
        QByteArray state;    // until it is told apart
        Delta ops;
        bool isToldApart = false;
    };
    struct Watch {
        int watchers = 0;
        qint64 leftAt = 0;         // when the last watcher left
        quint64 completeAfter = 0; // every record after this position was recorded
        qint64 completeSince = 0;
        Value value; // the newest state
        QList<wire::Record> news;
    };
    struct Unsaved {
        quint64 revision;
        quint64 sequence;
    };

    SharedCause shared(const Cause &cause);
    int limit() const noexcept { return m_watch ? watchedRecords : flightRecords; }
    template <typename Body, typename Queue>
    void append(Queue &queue, Body &&body);
    void tell(wire::Record record);
    void appendTransition(LoggedTransition &&logged, qint64 now);
    void tellApart();
    void trimDeltas();
    void countBytes();
    void endLinger();
    void forgetState();
    void changed();
    wire::ErrorInfo errorInfo(const Error &error, qint64 at) const;

    static wire::Record toRecord(const LogQueue<LoggedTransition>::Entry &entry);
    static wire::Record toRecord(const LogQueue<LoggedNote>::Entry &entry);
    static wire::Record toRecord(const LogQueue<LoggedCall>::Entry &entry);
    static wire::Record toRecord(const LogQueue<LoggedDelta>::Entry &entry);
    static wire::Record toRecord(const LogQueue<wire::SavedRecord>::Entry &entry);
    static wire::Record toRecord(const LogQueue<wire::GaugeRecord>::Entry &entry);
    static wire::Record toRecord(const LogQueue<wire::AwakeRecord>::Entry &entry);

    ChangeLogs &m_owner;
    Environment &m_environment;
    ActorRow m_row;
    ActorTask *m_task = nullptr;
    SharedCause m_createdBy;
    SharedCause m_cause; // the newest

    wire::ActorStatus m_status;
    bool m_dirty = false;   // in the owner's list
    bool m_hasNews = false; // in the owner's list
    bool m_stateKnown = false;
    bool m_baselineKnown = false;
    qint64 m_since = 0;
    qint64 m_deadline = 0;
    qint64 m_lastActivityAt = 0;
    qint64 m_lastChangeAt = 0;
    QString m_hook;
    std::unique_ptr<wire::ErrorInfo> m_lastError;
    std::unique_ptr<Error> m_expectedCrash;

    quint64 m_position;
    quint64 m_sequence;
    quint64 m_savedSequence;
    quint64 m_firstPosition; // before the first record of this log
    std::vector<Unsaved> m_unsaved;
    QByteArray m_state;
    QByteArray m_baseline; // the state before the oldest change that is not told apart yet
    qint64 m_deltaBytes = 0;
    qint64 m_counted = 0; // of bytes(), by the owner
    qint64 m_stateBytes = 0;

    int m_connections = 0;
    int m_schedules = 0;
    qint64 m_nextAlarmAt = 0;
    QString m_nextAlarmName;
    SlidingCount<5, 1'000> m_deltas;
    SlidingCount<5, 1'000> m_calls;
    std::unique_ptr<SlidingCount<5, 60'000>> m_errors;

    LogQueue<LoggedTransition> m_transitionLog;
    LogQueue<LoggedNote> m_noteLog;
    LogQueue<LoggedCall> m_callLog;
    LogQueue<LoggedDelta> m_deltaLog;
    struct WatchedOnly {
        LogQueue<wire::SavedRecord> saved;
        LogQueue<wire::GaugeRecord> gauges;
        LogQueue<wire::AwakeRecord> awake;
    };
    std::unique_ptr<WatchedOnly> m_watchedOnly;
    std::unique_ptr<Watch> m_watch;
    std::optional<std::list<ChangeLog *>::iterator> m_idlePlace; // in the owner's list
};

} // namespace terrarium
