#pragma once
// The deltas of one actor that are kept, and the state at any of them.
//
// Deltas are one contiguous run in memory, oldest first. Every few hundred deltas a keyframe holds the whole state
// (it shares what did not change with its neighbours), so the state at N is the nearest keyframe before it and a
// short replay. Bounded by count and bytes: the oldest deltas go, a few percent at a time and always up to a
// keyframe, so that the state at the oldest kept delta stays known.

#include "client/actor_feed.h"

#include <optional>
#include <vector>

namespace terrarium {

class ActorHistory final {
public:
    struct Limits {
        int deltas = 100'000;
        qint64 bytes = 64LL * 1024 * 1024;
    };
    /// A state after delta `sequence` (or at the snapshot that had this sequence).
    struct Keyframe {
        quint64 sequence = 0;
        Value state;
        qint64 bytes = 0;
    };
    /// What run() needs to compute one state. Self-contained: may be run on any thread, later.
    struct Replay {
        Value base;
        std::vector<Delta> deltas;
        /// Undefined when a delta does not fit.
        Value run() const;
    };

    ActorHistory() = default;
    explicit ActorHistory(Limits limits) : m_limits(limits) {}

    void clear();
    /// In order of sequence. `weights` are replay::weight of each.
    void append(std::vector<FeedDelta> deltas, const std::vector<qint64> &weights);
    /// In order of sequence.
    void addKeyframe(Keyframe keyframe);
    /// Back inside the limits; returns how many deltas went from the front.
    int trim();
    /// Deltas up to `sequence` are durable. `tookUs` belongs to that one; earlier ones that were still waiting get
    /// the time from their change to `at` (0: not known). False when none was waiting.
    bool setSaved(quint64 sequence, qint64 tookUs, qint64 at);

    const std::vector<FeedDelta> &deltas() const noexcept { return m_deltas; }
    int indexOf(quint64 sequence) const;
    qint64 bytes() const noexcept { return m_deltaBytes + m_keyframeBytes; }
    qsizetype keyframeCount() const noexcept { return qsizetype(m_keyframes.size()); }
    /// nullopt: not kept.
    std::optional<Replay> replayTo(quint64 sequence) const;

private:
    void thinKeyframes();

    Limits m_limits;
    std::vector<FeedDelta> m_deltas;
    std::vector<qint64> m_weights; ///< beside m_deltas
    std::vector<Keyframe> m_keyframes;
    qint64 m_deltaBytes = 0;
    qint64 m_keyframeBytes = 0;
    size_t m_firstUnsaved = 0; ///< all deltas before it are saved
};

} // namespace terrarium
