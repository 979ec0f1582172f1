#include "client/feed_update.h"

#include <algorithm>
#include <iterator>

namespace terrarium {

namespace {

template <typename T>
void feedUpdateAppend(std::vector<T> &to, std::vector<T> &&from)
{
    if (to.empty())
        to = std::move(from);
    else
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

template <typename T>
void feedUpdateReplace(std::optional<T> &to, std::optional<T> &&from)
{
    if (from)
        to = std::move(from);
}

} // namespace

bool ActorFeed::Update::isEmpty() const
{
    return !reset && !summary && !type && !awake && !facts && deltas.empty() && keyframes.empty() && records.empty()
           && saved.empty() && gaps.isEmpty() && !newest && !freshness;
}

void ActorFeed::Update::merge(Update &&later)
{
    if (later.reset) {
        // What is shown goes, but nobody has seen the gaps of the part that is skipped: they stay.
        QList<FeedGap> kept = std::move(gaps);
        *this = std::move(later);
        kept.append(gaps);
        gaps = std::move(kept);
        return;
    }
    feedUpdateReplace(summary, std::move(later.summary));
    feedUpdateReplace(type, std::move(later.type));
    feedUpdateReplace(awake, std::move(later.awake));
    feedUpdateReplace(facts, std::move(later.facts));
    feedUpdateAppend(deltas, std::move(later.deltas));
    feedUpdateAppend(weights, std::move(later.weights));
    deltaBytes += later.deltaBytes;
    skipsHistory = skipsHistory || later.skipsHistory;
    feedUpdateAppend(keyframes, std::move(later.keyframes));
    feedUpdateAppend(records, std::move(later.records));
    feedUpdateAppend(saved, std::move(later.saved));
    gaps.append(later.gaps);
    feedUpdateReplace(newest, std::move(later.newest));
    feedUpdateReplace(freshness, std::move(later.freshness));

    const ActorHistory::Limits limits;
    if (qint64(deltas.size()) > limits.deltas || deltaBytes > limits.bytes) {
        ActorHistory history(limits);
        for (const ActorHistory::Keyframe &frame : keyframes)
            history.addKeyframe(frame);
        history.append(std::move(deltas), weights);
        const int dropped = history.trim();
        deltas = history.deltas();
        weights.erase(weights.begin(), weights.begin() + dropped);
        deltaBytes = 0;
        for (const qint64 weight : weights)
            deltaBytes += weight;
        const quint64 base = deltas.front().delta.base;
        keyframes.erase(std::remove_if(keyframes.begin(), keyframes.end(),
                                       [base](const ActorHistory::Keyframe &k) { return k.sequence < base; }),
                        keyframes.end());
        skipsHistory = true;
    }
    constexpr size_t mostRecords = 20'000;
    if (records.size() > mostRecords + mostRecords / 4)
        records.erase(records.begin(), records.end() - std::ptrdiff_t(mostRecords));
    constexpr size_t mostMarks = 4096;
    if (saved.size() > 2 * mostMarks)
        saved.erase(saved.begin(), saved.end() - std::ptrdiff_t(mostMarks));
}

} // namespace terrarium
