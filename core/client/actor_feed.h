#pragma once
// Everything the window knows about one watched actor: state at any kept delta, records, gaps.
//
// Filled by the client once a beat. All getters are of the window's thread; values are shared, not copied.

#include "wire/inspector_messages.h"

#include <QObject>

#include <functional>
#include <memory>

namespace terrarium {

/// Deltas known to be missing. Shown as a row between two deltas.
struct FeedGap {
    QString actorId;
    quint64 afterSequence = 0;  ///< the last delta before the hole (0: none)
    quint64 resyncSequence = 0; ///< state was taken whole at this sequence
    qint64 from = 0;            ///< wall ms, host time
    qint64 to = 0;
    quint64 count = 0; ///< deltas lost; 0: not known
    QString reason;    ///< linkLost, hostDropped, hostRestarted, paused

    friend bool operator==(const FeedGap &, const FeedGap &) = default;
};

/// One row of the list of changes.
struct FeedDelta {
    wire::DeltaRecord delta;
    qint64 at = 0;
    qint64 savedUs = -1; ///< how long until it was durable; -1: not yet; 0: it is, time not known
};

/// One record that is no delta, in order of arrival. Saves are not among them: they become FeedDelta::savedUs.
struct FeedRecord {
    wire::Record record;
    quint64 afterSequence = 0; ///< the newest delta when it happened
};

/// What one beat changed in a feed.
struct FeedChange {
    bool reset = false;    ///< a snapshot replaced everything shown
    int deltasDropped = 0; ///< removed from the front (ring full)
    int deltasAppended = 0;
    bool savedChanged = false; ///< savedUs of some deltas
    int recordsDropped = 0;
    int recordsAppended = 0;
    bool gapAppended = false;
    bool summaryChanged = false;
    bool awakeChanged = false;
    bool typeChanged = false;
    bool freshnessChanged = false;
};

class ActorFeed final : public QObject {
    Q_OBJECT
public:
    ActorFeed(QString actorId, QObject *parent = nullptr);
    ~ActorFeed() override;

    const QString &actorId() const;
    /// False until the first snapshot.
    bool isLoaded() const;
    const wire::ActorSummary &summary() const;
    const wire::TypeInfo &type() const;
    const QList<wire::Blocker> &blockers() const; ///< the full list, those that are off too
    const wire::SleepForecast &forecast() const;
    bool isIncarnationLive() const; ///< false: read from disk at savedAt()
    qint64 savedAt() const;
    qint64 keptSince() const;  ///< records are complete from here; 0: since host start
    qint64 attachedAt() const; ///< wall ms, host time, of the first snapshot

    /// True while what is shown is current: the link is live, no resync runs, nothing waits beyond one beat.
    bool isCurrent() const;
    /// When it was current last (this computer's wall ms); now when isCurrent().
    qint64 currentAsOf() const;

    // Deltas, oldest first, bounded (100,000 deltas or 64 MiB).
    const std::vector<FeedDelta> &deltas() const; ///< contiguous window; index 0 is the oldest kept
    quint64 newestSequence() const;               ///< of the state; also without any delta
    int indexOf(quint64 sequence) const;          ///< in deltas(), or -1
    const QList<FeedGap> &gaps() const;

    // Other records, oldest first, bounded (20,000).
    const std::vector<FeedRecord> &records() const;

    /// The newest state. Undefined when the actor has none; see stateError() when it cannot be decoded.
    const Value &state() const;
    const QByteArray &stateBytes() const; ///< CBOR; only of the last snapshot when state() is newer: use cbor::encode
    std::optional<Error> stateError() const; ///< undecodable bytes: show them as hex
    /// The state right after delta `sequence`. Calls back at once when it is cheap, else later from a
    /// worker; a newer request replaces an older one that has not been answered. Undefined: not kept.
    void stateAt(quint64 sequence, QObject *context, std::function<void(quint64, const Value &)> handler);
    /// The same, waiting; for tests and export off the window's thread.
    Value stateAtNow(quint64 sequence) const;

    // Filled by the client and by tests (client/feed_update.h).
    struct Update;
    void apply(const Update &update);
    /// What a feed gets from its client. Without them stateAt() always answers at once and currentAsOf() is the time
    /// of the last update.
    struct Hooks {
        std::function<qint64()> wallMs;
        /// Something has been waiting for a beat for more than a second.
        std::function<bool()> isBeatLate;
        /// Runs `job` on the worker, then `done` with its result in the window's thread.
        std::function<void(std::function<Value()> job, std::function<void(const Value &)> done)> runLater;
    };
    void setHooks(Hooks hooks);

Q_SIGNALS:
    void changed(const terrarium::FeedChange &change);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
