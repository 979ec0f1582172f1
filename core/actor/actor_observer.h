#pragma once
// Who watches one live actor: one interface, every method empty by default. The change log is the one implementation
// of the product.
//
// Calls come on the host thread, in the order in which things happened, often within the actor's turn: they must be
// cheap, must not throw and must not call back into the actor.

#include "actor/lifecycle.h"

#include <terrarium/cause.h>
#include <terrarium/error.h>

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <optional>

namespace terrarium {

/// How long a hook took, and how it ended: ok, failed, timedOut, cutOff.
struct HookTime {
    HookTime() = default;
    HookTime(QString name, qint64 tookUs, QString outcome)
        : name(std::move(name)),
          tookUs(tookUs),
          outcome(std::move(outcome))
    {}

    QString name;
    qint64 tookUs = 0;
    QString outcome;
};

struct Transition {
    LifecycleState from = LifecycleState::Loading;
    LifecycleState to = LifecycleState::Loading;
    QString reason; ///< idle, action, request, connection, alarm, inspector, self, hostShutdown, crash, deadline,
                    ///< drained, hookFinished, loaded, saved, created
    QString detail; ///< for people, English
    Cause cause;
    qint64 tookUs = 0;     ///< how long it had been in `from`
    QList<HookTime> hooks; ///< finished since the last transition
    QStringList cutOff;    ///< work that was cut off at the deadline
    std::optional<Error> error;
};

struct StateChange {
    QByteArray state;         ///< CBOR of the whole state; differs from the one before
    QList<Cause> causes;      ///< one when exact
    quint64 saveRevision = 0; ///< durable once saved() names this revision or a later one
};

struct FinishedCall {
    Cause cause;        ///< kind action or timer; name of the action
    QString connection; ///< id, or empty
    qint64 tookUs = 0;
    const Error *error = nullptr; ///< null: it succeeded
    quint64 firstSequence = 0;
    quint64 lastSequence = 0;
};

class ActorObserver {
public:
    virtual ~ActorObserver() = default;

    virtual void transition(const Transition &transition) { (void)transition; }
    /// A hook of the start runs now; empty: none.
    virtual void hookRunning(const QString &name) { (void)name; }
    /// Returns the sequence number given to this change; 0 when nobody counts.
    virtual quint64 stateChanged(const StateChange &change)
    {
        (void)change;
        return 0;
    }
    /// Changes up to `saveRevision` are durable. `tookUs`: since the oldest of them.
    virtual void saved(quint64 saveRevision, qint64 tookUs)
    {
        (void)saveRevision;
        (void)tookUs;
    }
    virtual void callFinished(const FinishedCall &call) { (void)call; }
    /// kind: idleTimerStayedUp, hookFailed, runFailed, saveFailed, stopIgnored, taskFailed
    virtual void note(const QString &kind, const QString &text, const Error *error)
    {
        (void)kind;
        (void)text;
        (void)error;
    }
    /// How many connections there are now.
    virtual void connectionsChanged(int count) { (void)count; }
    virtual void schedulesChanged() {}
    virtual void awakeBegan(quint64 span, const QString &kind, const QString &label)
    {
        (void)span;
        (void)kind;
        (void)label;
    }
    virtual void awakeEnded(quint64 span) { (void)span; }
    /// Something of the summary or of the list of blockers may have changed. Comes often: set a flag.
    virtual void summaryChanged() {}
};

} // namespace terrarium
