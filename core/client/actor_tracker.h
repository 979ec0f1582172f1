#pragma once
// Follows one subscribed actor on the link's thread: keeps the newest state, finds holes, makes updates for the feed.
//
// Records must come in order of position. A hole, or a delta that does not fit the state, is reported and nothing
// more is taken until a snapshot (or a resumed answer) closes it; what could not be filled becomes one gap.

#include "client/feed_update.h"
#include "wire/inspector_messages.h"

#include <QString>

namespace terrarium {

class ActorTracker final {
public:
    enum class Verdict {
        Taken,
        Hole,     ///< records are missing: ask for everything after position()
        Conflict, ///< the state is not to be trusted: ask for a snapshot
    };
    /// Why a snapshot replaces what was known, should it leave a hole.
    struct Reason {
        QString reason;    ///< as FeedGap::reason
        qint64 from = 0;   ///< host time; 0: of the last record taken
        qint64 to = 0;     ///< host time
        quint64 count = 0; ///< deltas lost; 0: by sequence numbers
    };

    explicit ActorTracker(QString actorId) : m_actorId(std::move(actorId)) {}

    const QString &actorId() const { return m_actorId; }
    /// The last record taken; 0: none.
    quint64 position() const { return m_position; }
    quint64 sequence() const { return m_sequence; }
    const Value &state() const { return m_state; }
    bool isLoaded() const { return m_isLoaded; }
    /// Host time of the newest record taken.
    qint64 newestAt() const { return m_newestAt; }

    Verdict append(const QList<wire::Record> &records);
    /// The answer to a subscription.
    Verdict takeSubscribed(const wire::Subscribed &subscribed, const Reason &reason);
    /// A snapshot that restarts the feed. Fills from its records what it can; else leaves one gap.
    void takeSnapshot(const wire::Snapshot &snapshot, const Reason &reason);
    void setSummary(const wire::ActorSummary &summary);
    void setAwake(const QList<wire::Blocker> &blockers, const wire::SleepForecast &forecast);
    void setFreshness(bool isCurrent, qint64 asOf);
    /// The host was restarted: its positions and sequences start over, so nothing known fits what comes.
    void forgetRun();

    bool hasUpdate() const { return m_hasNewState || !m_update.isEmpty(); }
    ActorFeed::Update takeUpdate();

private:
    bool take(const wire::Record &record);
    void takeDelta(const wire::Record &record, const wire::DeltaRecord &delta);
    void takeOther(const wire::Record &record);
    void addKeyframe(quint64 sequence, const Value &state, qint64 bytes);
    /// Reverts the deltas of records [first, end) from the present state, with keyframes on the way, newest first.
    /// Returns the index of the record that does not fit, or less than `first`.
    qsizetype walkBack(const QList<wire::Record> &records, qsizetype first, quint64 sequence,
                       std::vector<ActorHistory::Keyframe> &keyframes) const;
    void takeFacts(const wire::Snapshot &snapshot, qint64 at, bool withState);

    const QString m_actorId;
    bool m_isLoaded = false;
    bool m_isRestarted = false;  ///< forgetRun() came after data
    bool m_isStateKnown = false; ///< false: undecodable bytes; deltas are listed but not applied
    quint64 m_position = 0;
    quint64 m_sequence = 0;
    qint64 m_newestAt = 0;
    qint64 m_takenAt = 0; ///< host time of the last snapshot
    Value m_state = Value::undefined();
    qint64 m_stateBytes = 0;
    bool m_hasNewState = false;
    int m_deltasSinceKeyframe = 0;
    qint64 m_bytesSinceKeyframe = 0;
    ActorFeed::Update m_update;
};

} // namespace terrarium
