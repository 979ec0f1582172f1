#include "client/actor_history.h"

#include "client/replay.h"

#include <algorithm>

namespace terrarium {

Value ActorHistory::Replay::run() const
{
    Value state = base;
    for (const Delta &delta : deltas) {
        if (!replay::apply(state, delta))
            return Value::undefined();
    }
    return state;
}

void ActorHistory::clear()
{
    const Limits limits = m_limits;
    *this = ActorHistory(limits);
}

void ActorHistory::append(std::vector<FeedDelta> deltas, const std::vector<qint64> &weights)
{
    for (size_t i = 0; i < deltas.size(); ++i) {
        const qint64 weight = i < weights.size() ? weights[i] : replay::weight(deltas[i].delta.ops);
        m_weights.push_back(weight);
        m_deltaBytes += weight;
        m_deltas.push_back(std::move(deltas[i]));
    }
}

void ActorHistory::addKeyframe(Keyframe keyframe)
{
    if (!m_keyframes.empty() && m_keyframes.back().sequence >= keyframe.sequence)
        return;
    m_keyframeBytes += keyframe.bytes;
    m_keyframes.push_back(std::move(keyframe));
}

void ActorHistory::thinKeyframes()
{
    // Every second one goes, but never one that starts a run after a hole: nothing before it leads there.
    std::vector<Keyframe> kept;
    kept.reserve(m_keyframes.size() / 2 + 1);
    bool dropNext = false;
    for (size_t i = 0; i < m_keyframes.size(); ++i) {
        const int index = indexOf(m_keyframes[i].sequence);
        const bool isReachable =
            index > 0 && m_deltas[size_t(index)].delta.base == m_deltas[size_t(index) - 1].delta.sequence;
        if (dropNext && isReachable) {
            m_keyframeBytes -= m_keyframes[i].bytes;
            dropNext = false;
            continue;
        }
        dropNext = true;
        kept.push_back(std::move(m_keyframes[i]));
    }
    m_keyframes = std::move(kept);
}

int ActorHistory::trim()
{
    for (int round = 0; round < 16 && m_keyframeBytes > m_limits.bytes / 2 && m_keyframes.size() > 2; ++round) {
        const size_t before = m_keyframes.size();
        thinKeyframes();
        if (m_keyframes.size() == before)
            break;
    }
    if (qint64(m_deltas.size()) <= m_limits.deltas && bytes() <= m_limits.bytes)
        return 0;

    const qint64 wantedCount = qint64(m_limits.deltas) * 95 / 100;
    const qint64 wantedBytes = m_limits.bytes / 100 * 95;
    size_t cut = 0;
    qint64 remaining = bytes();
    size_t keyframe = 0;
    // The newest delta always stays, whatever it weighs.
    while (cut + 1 < m_deltas.size() && (qint64(m_deltas.size() - cut) > wantedCount || remaining > wantedBytes)) {
        remaining -= m_weights[cut];
        ++cut;
        while (keyframe + 1 < m_keyframes.size() && m_keyframes[keyframe + 1].sequence <= m_deltas[cut].delta.base) {
            remaining -= m_keyframes[keyframe].bytes;
            ++keyframe;
        }
    }
    // On to the next keyframe, unless that would leave nothing.
    for (const Keyframe &candidate : m_keyframes) {
        if (candidate.sequence < m_deltas[cut].delta.base)
            continue;
        const auto first = std::upper_bound(m_deltas.begin(), m_deltas.end(), candidate.sequence,
                                            [](quint64 s, const FeedDelta &d) { return s < d.delta.sequence; });
        if (first != m_deltas.end())
            cut = size_t(first - m_deltas.begin());
        break;
    }
    if (cut == 0)
        return 0;
    for (size_t i = 0; i < cut; ++i)
        m_deltaBytes -= m_weights[i];
    m_deltas.erase(m_deltas.begin(), m_deltas.begin() + std::ptrdiff_t(cut));
    m_weights.erase(m_weights.begin(), m_weights.begin() + std::ptrdiff_t(cut));
    m_firstUnsaved -= std::min(m_firstUnsaved, cut);
    const quint64 base = m_deltas.front().delta.base;
    const auto firstKept =
        std::find_if(m_keyframes.begin(), m_keyframes.end(), [base](const Keyframe &k) { return k.sequence >= base; });
    for (auto it = m_keyframes.begin(); it != firstKept; ++it)
        m_keyframeBytes -= it->bytes;
    m_keyframes.erase(m_keyframes.begin(), firstKept);
    return int(cut);
}

bool ActorHistory::setSaved(quint64 sequence, qint64 tookUs, qint64 at)
{
    bool hasChanged = false;
    while (m_firstUnsaved < m_deltas.size() && m_deltas[m_firstUnsaved].delta.sequence <= sequence) {
        FeedDelta &delta = m_deltas[m_firstUnsaved];
        if (delta.savedUs < 0) {
            if (delta.delta.sequence == sequence)
                delta.savedUs = tookUs;
            else
                delta.savedUs = at > 0 ? std::max(tookUs, (at - delta.at) * 1000) : 0;
            hasChanged = true;
        }
        ++m_firstUnsaved;
    }
    return hasChanged;
}

int ActorHistory::indexOf(quint64 sequence) const
{
    const auto it = std::lower_bound(m_deltas.begin(), m_deltas.end(), sequence,
                                     [](const FeedDelta &d, quint64 s) { return d.delta.sequence < s; });
    if (it == m_deltas.end() || it->delta.sequence != sequence)
        return -1;
    return int(it - m_deltas.begin());
}

std::optional<ActorHistory::Replay> ActorHistory::replayTo(quint64 sequence) const
{
    auto keyframe = std::upper_bound(m_keyframes.begin(), m_keyframes.end(), sequence,
                                     [](quint64 s, const Keyframe &k) { return s < k.sequence; });
    if (keyframe == m_keyframes.begin())
        return std::nullopt;
    --keyframe;
    Replay replay{keyframe->state, {}};
    if (keyframe->sequence == sequence)
        return replay;
    const int last = indexOf(sequence);
    if (last < 0)
        return std::nullopt;
    const auto first = std::upper_bound(m_deltas.begin(), m_deltas.end(), keyframe->sequence,
                                        [](quint64 s, const FeedDelta &d) { return s < d.delta.sequence; });
    quint64 reached = keyframe->sequence;
    for (auto it = first; it <= m_deltas.begin() + last; ++it) {
        if (it->delta.base != reached)
            return std::nullopt;
        reached = it->delta.sequence;
        replay.deltas.push_back(it->delta.ops);
    }
    return replay;
}

} // namespace terrarium
