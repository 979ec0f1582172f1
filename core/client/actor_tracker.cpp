#include "client/actor_tracker.h"

#include "client/replay.h"
#include "value/cbor.h"

namespace terrarium {

namespace {
constexpr int trackerKeyframeDeltas = 256;
constexpr qint64 trackerKeyframeBytes = 4LL * 1024 * 1024;
} // namespace

ActorTracker::Verdict ActorTracker::append(const QList<wire::Record> &records)
{
    for (const wire::Record &record : records) {
        if (record.position <= m_position)
            continue;
        if (record.position != m_position + 1)
            return Verdict::Hole;
        if (!take(record))
            return Verdict::Conflict;
    }
    return Verdict::Taken;
}

bool ActorTracker::take(const wire::Record &record)
{
    if (const auto *delta = std::get_if<wire::DeltaRecord>(&record.body)) {
        if (m_isStateKnown) {
            if (delta->base != m_sequence || !replay::apply(m_state, delta->ops)) {
                m_isStateKnown = false;
                return false;
            }
            m_hasNewState = true;
        }
        takeDelta(record, *delta);
        m_stateBytes = delta->stateBytes;
        if (m_isStateKnown
            && (++m_deltasSinceKeyframe >= trackerKeyframeDeltas || m_bytesSinceKeyframe >= trackerKeyframeBytes))
            addKeyframe(m_sequence, m_state, m_stateBytes);
    } else {
        takeOther(record);
    }
    m_position = record.position;
    m_newestAt = std::max(m_newestAt, record.at);
    return true;
}

void ActorTracker::takeDelta(const wire::Record &record, const wire::DeltaRecord &delta)
{
    const qint64 weight = replay::weight(delta.ops);
    m_update.deltas.push_back(FeedDelta{delta, record.at, -1});
    m_update.weights.push_back(weight);
    m_update.deltaBytes += weight;
    m_bytesSinceKeyframe += weight;
    m_sequence = delta.sequence;
}

void ActorTracker::takeOther(const wire::Record &record)
{
    if (const auto *saved = std::get_if<wire::SavedRecord>(&record.body))
        m_update.saved.push_back({saved->sequence, saved->tookUs, record.at});
    else
        m_update.records.push_back(FeedRecord{record, m_sequence});
}

void ActorTracker::addKeyframe(quint64 sequence, const Value &state, qint64 bytes)
{
    m_update.keyframes.push_back({sequence, state, std::max<qint64>(bytes, 64)});
    m_deltasSinceKeyframe = 0;
    m_bytesSinceKeyframe = 0;
}

void ActorTracker::takeFacts(const wire::Snapshot &snapshot, qint64 at, bool withState)
{
    m_update.summary = snapshot.summary;
    m_update.type = snapshot.type;
    m_update.awake = ActorFeed::Update::Awake{snapshot.blockers, snapshot.summary.forecast};
    ActorFeed::Update::Facts facts;
    facts.live = snapshot.live;
    facts.savedAt = snapshot.savedAt;
    facts.keptSince = snapshot.keptSince;
    facts.takenAt = at;
    facts.stateBytes = snapshot.state;
    if (withState) {
        m_state = Value::undefined();
        m_isStateKnown = true;
        if (!snapshot.state.isEmpty()) {
            try {
                m_state = cbor::decode(snapshot.state);
            } catch (const Error &error) {
                facts.stateError = error;
                m_isStateKnown = false;
            }
        }
        m_stateBytes = snapshot.state.size();
        m_hasNewState = true;
    }
    m_update.facts = std::move(facts);
}

ActorTracker::Verdict ActorTracker::takeSubscribed(const wire::Subscribed &subscribed, const Reason &reason)
{
    const wire::Snapshot &snapshot = subscribed.snapshot;
    if (subscribed.resumed && m_isLoaded && !m_isRestarted && m_isStateKnown) {
        const Verdict verdict = append(snapshot.records);
        if (verdict != Verdict::Taken)
            return verdict;
        if (m_position != snapshot.position || m_sequence != snapshot.sequence)
            return Verdict::Conflict;
        takeFacts(snapshot, reason.to, false);
        m_update.saved.push_back({snapshot.savedSequence, 0, 0});
        return Verdict::Taken;
    }
    takeSnapshot(snapshot, reason);
    return Verdict::Taken;
}

qsizetype ActorTracker::walkBack(const QList<wire::Record> &records, qsizetype first, quint64 sequence,
                                 std::vector<ActorHistory::Keyframe> &keyframes) const
{
    Value state = m_state;
    keyframes.clear();
    keyframes.push_back({sequence, state, std::max<qint64>(m_stateBytes, 64)});
    int sinceKeyframe = 0;
    qint64 bytesSinceKeyframe = 0;
    qint64 stateBytes = m_stateBytes;
    for (qsizetype i = records.size() - 1; i >= first; --i) {
        const auto *delta = std::get_if<wire::DeltaRecord>(&records[i].body);
        if (!delta)
            continue;
        if (!replay::revert(state, delta->ops))
            return i;
        sequence = delta->base;
        stateBytes = delta->stateBytes;
        bytesSinceKeyframe += replay::weight(delta->ops);
        if (++sinceKeyframe >= trackerKeyframeDeltas || bytesSinceKeyframe >= trackerKeyframeBytes) {
            keyframes.push_back({sequence, state, std::max<qint64>(stateBytes, 64)});
            sinceKeyframe = 0;
            bytesSinceKeyframe = 0;
        }
    }
    if (sequence != keyframes.back().sequence)
        keyframes.push_back({sequence, state, std::max<qint64>(stateBytes, 64)});
    return first - 1;
}

void ActorTracker::takeSnapshot(const wire::Snapshot &snapshot, const Reason &reason)
{
    const bool wasLoaded = m_isLoaded;
    const bool startsOver = m_isRestarted || !wasLoaded || snapshot.position < m_position;
    const quint64 lastPosition = startsOver ? 0 : m_position;
    const quint64 lastSequence = startsOver ? 0 : m_sequence;
    const qint64 lastAt = std::max(m_newestAt, m_takenAt);

    QList<wire::Record> records;
    for (const wire::Record &record : snapshot.records) {
        if (record.position > lastPosition && record.position <= snapshot.position)
            records.append(record);
    }

    if (!startsOver && snapshot.position == lastPosition && snapshot.sequence == lastSequence) {
        takeFacts(snapshot, reason.to, !m_isStateKnown);
        if (m_isStateKnown)
            addKeyframe(m_sequence, m_state, m_stateBytes);
        m_update.saved.push_back({snapshot.savedSequence, 0, 0});
        return;
    }

    // Nothing is missing when the records we get start where ours ended.
    const bool isWhole = !startsOver && m_isStateKnown && !records.isEmpty()
                         && records.first().position == lastPosition + 1
                         && quint64(records.size()) == snapshot.position - lastPosition;
    if (isWhole) {
        ActorFeed::Update before = m_update;
        if (append(records) == Verdict::Taken && m_sequence == snapshot.sequence) {
            takeFacts(snapshot, reason.to, false);
            m_update.saved.push_back({snapshot.savedSequence, 0, 0});
            return;
        }
        m_update = std::move(before);
    }

    if (startsOver) {
        ActorFeed::Update update;
        update.reset = true;
        m_update.merge(std::move(update));
        m_newestAt = 0;
    }
    takeFacts(snapshot, reason.to, true);

    // From the snapshot back to the oldest record that leads there without a break; the state there starts the run.
    qsizetype first = records.size();
    quint64 reached = snapshot.sequence;
    for (quint64 next = snapshot.position + 1; first > 0 && records[first - 1].position + 1 == next; --first) {
        const wire::Record &record = records[first - 1];
        if (const auto *delta = std::get_if<wire::DeltaRecord>(&record.body)) {
            if (delta->sequence != reached)
                break;
            reached = delta->base;
        }
        next = record.position;
    }
    std::vector<ActorHistory::Keyframe> keyframes;
    while (m_isStateKnown) {
        const qsizetype unfit = walkBack(records, first, snapshot.sequence, keyframes);
        if (unfit < first)
            break;
        first = unfit + 1;
    }
    reached = keyframes.empty() ? reached : keyframes.back().sequence;

    if (wasLoaded) {
        FeedGap gap;
        gap.actorId = m_actorId;
        gap.afterSequence = lastSequence;
        gap.resyncSequence = reached;
        gap.from = reason.from > 0 ? reason.from : lastAt;
        gap.to = reason.to;
        gap.reason = m_isRestarted ? QStringLiteral("hostRestarted") : reason.reason;
        if (!startsOver) {
            // What the host counted, less what its snapshot brought along after all.
            const quint64 recovered = snapshot.sequence - reached;
            if (reason.count > recovered)
                gap.count = reason.count - recovered;
            else
                gap.count = reached > lastSequence ? reached - lastSequence : 0;
        }
        if (first < records.size())
            gap.to = std::min(gap.to, records[first].at);
        m_update.gaps.append(gap);
    }

    m_sequence = reached;
    if (m_isStateKnown) {
        for (auto it = keyframes.rbegin(); it != keyframes.rend(); ++it)
            m_update.keyframes.push_back(std::move(*it));
    }
    for (qsizetype i = first; i < records.size(); ++i) {
        const wire::Record &record = records[i];
        if (const auto *delta = std::get_if<wire::DeltaRecord>(&record.body))
            takeDelta(record, *delta);
        else
            takeOther(record);
        m_newestAt = std::max(m_newestAt, record.at);
    }
    m_update.saved.push_back({snapshot.savedSequence, 0, 0});
    m_position = snapshot.position;
    m_sequence = snapshot.sequence;
    m_takenAt = reason.to;
    m_deltasSinceKeyframe = 0;
    m_bytesSinceKeyframe = 0;
    m_isLoaded = true;
    m_isRestarted = false;
}

void ActorTracker::setSummary(const wire::ActorSummary &summary)
{
    m_update.summary = summary;
}

void ActorTracker::setAwake(const QList<wire::Blocker> &blockers, const wire::SleepForecast &forecast)
{
    m_update.awake = ActorFeed::Update::Awake{blockers, forecast};
}

void ActorTracker::setFreshness(bool isCurrent, qint64 asOf)
{
    m_update.freshness = ActorFeed::Update::Freshness{isCurrent, asOf};
}

void ActorTracker::forgetRun()
{
    m_isRestarted = m_isLoaded;
    m_position = 0;
}

ActorFeed::Update ActorTracker::takeUpdate()
{
    if (m_hasNewState) {
        m_update.newest = ActorFeed::Update::Newest{m_sequence, m_isStateKnown ? m_state : Value::undefined()};
        m_hasNewState = false;
    }
    ActorFeed::Update update = std::move(m_update);
    m_update = {};
    return update;
}

} // namespace terrarium
