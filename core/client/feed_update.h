#pragma once
// What happened to one watched actor since the last beat: made by the link's worker, taken by the feed.
//
// Immutable once handed over. Two updates in a row merge into one; what cannot be shown any more because it would
// leave the feed's bounds at once is dropped here already, so a window that does not look costs bounded memory.

#include "client/actor_feed.h"
#include "client/actor_history.h"

#include <optional>
#include <vector>

namespace terrarium {

struct ActorFeed::Update {
    /// Facts of a snapshot that stay until the next.
    struct Facts {
        bool live = false;
        qint64 savedAt = 0;
        qint64 keptSince = 0;
        qint64 takenAt = 0; ///< host time of arrival
        QByteArray stateBytes;
        std::optional<Error> stateError;
    };
    struct Awake {
        QList<wire::Blocker> blockers;
        wire::SleepForecast forecast;
    };
    struct SavedMark {
        quint64 sequence = 0;
        qint64 tookUs = 0;
        qint64 at = 0; ///< 0: not known
    };
    struct Newest {
        quint64 sequence = 0;
        Value state;
    };
    struct Freshness {
        bool isCurrent = false;
        qint64 asOf = 0; ///< wall ms of this computer
    };

    bool reset = false;        ///< everything known before goes first
    bool skipsHistory = false; ///< deltas known before go first: these alone fill the bounds
    qint64 deltaBytes = 0;     ///< sum of weights
    std::optional<wire::ActorSummary> summary;
    std::optional<wire::TypeInfo> type;
    std::optional<Awake> awake;
    std::optional<Facts> facts;
    std::vector<FeedDelta> deltas;
    std::vector<qint64> weights; ///< beside deltas
    std::vector<ActorHistory::Keyframe> keyframes;
    std::vector<FeedRecord> records;
    std::vector<SavedMark> saved;
    QList<FeedGap> gaps;
    std::optional<Newest> newest;
    std::optional<Freshness> freshness;

    bool isEmpty() const;
    /// Puts `later` after this one.
    void merge(Update &&later);
};

} // namespace terrarium
