#include "client/actor_feed.h"

#include "client/actor_history.h"
#include "client/feed_update.h"

#include <QPointer>

#include <atomic>
#include <mutex>

namespace terrarium {

namespace {
constexpr size_t feedMostRecords = 20'000;
constexpr size_t feedCachedStates = 8;
/// Computed in place of being sent to the worker: a short way over a small state.
constexpr size_t feedCheapDeltas = 64;
constexpr qint64 feedCheapBytes = 64 * 1024;
} // namespace

struct ActorFeed::Private {
    QString actorId;
    Hooks hooks;
    bool isLoaded = false;
    wire::ActorSummary summary;
    wire::TypeInfo type;
    QList<wire::Blocker> blockers;
    wire::SleepForecast forecast;
    Update::Facts facts;
    qint64 attachedAt = 0;
    bool isCurrent = false;
    qint64 currentAsOf = 0;
    std::vector<FeedRecord> records;

    mutable std::mutex mutex; ///< history and state, for stateAtNow() from other threads
    ActorHistory history;
    QList<FeedGap> gaps;
    quint64 newestSequence = 0;
    Value state = Value::undefined();

    std::vector<std::pair<quint64, Value>> cache; ///< newest last
    std::shared_ptr<std::atomic<quint64>> ticket = std::make_shared<std::atomic<quint64>>(0);

    const Value *cached(quint64 sequence) const
    {
        for (const auto &[at, value] : cache) {
            if (at == sequence)
                return &value;
        }
        return nullptr;
    }
    void remember(quint64 sequence, const Value &value)
    {
        if (cached(sequence))
            return;
        if (cache.size() >= feedCachedStates)
            cache.erase(cache.begin());
        cache.emplace_back(sequence, value);
    }
};

ActorFeed::ActorFeed(QString actorId, QObject *parent) : QObject(parent), d(std::make_unique<Private>())
{
    d->actorId = std::move(actorId);
}

ActorFeed::~ActorFeed() = default;

const QString &ActorFeed::actorId() const
{
    return d->actorId;
}
bool ActorFeed::isLoaded() const
{
    return d->isLoaded;
}
const wire::ActorSummary &ActorFeed::summary() const
{
    return d->summary;
}
const wire::TypeInfo &ActorFeed::type() const
{
    return d->type;
}
const QList<wire::Blocker> &ActorFeed::blockers() const
{
    return d->blockers;
}
const wire::SleepForecast &ActorFeed::forecast() const
{
    return d->forecast;
}
bool ActorFeed::isIncarnationLive() const
{
    return d->facts.live;
}
qint64 ActorFeed::savedAt() const
{
    return d->facts.savedAt;
}
qint64 ActorFeed::keptSince() const
{
    return d->facts.keptSince;
}
qint64 ActorFeed::attachedAt() const
{
    return d->attachedAt;
}

bool ActorFeed::isCurrent() const
{
    return d->isLoaded && d->isCurrent && !(d->hooks.isBeatLate && d->hooks.isBeatLate());
}

qint64 ActorFeed::currentAsOf() const
{
    return isCurrent() && d->hooks.wallMs ? d->hooks.wallMs() : d->currentAsOf;
}

const std::vector<FeedDelta> &ActorFeed::deltas() const
{
    return d->history.deltas();
}
quint64 ActorFeed::newestSequence() const
{
    return d->newestSequence;
}
int ActorFeed::indexOf(quint64 sequence) const
{
    return d->history.indexOf(sequence);
}
const QList<FeedGap> &ActorFeed::gaps() const
{
    return d->gaps;
}
const std::vector<FeedRecord> &ActorFeed::records() const
{
    return d->records;
}
const Value &ActorFeed::state() const
{
    return d->state;
}
const QByteArray &ActorFeed::stateBytes() const
{
    return d->facts.stateBytes;
}
std::optional<Error> ActorFeed::stateError() const
{
    return d->facts.stateError;
}
void ActorFeed::setHooks(Hooks hooks)
{
    d->hooks = std::move(hooks);
}

void ActorFeed::stateAt(quint64 sequence, QObject *context, std::function<void(quint64, const Value &)> handler)
{
    const quint64 mine = d->ticket->fetch_add(1) + 1;
    if (sequence == d->newestSequence) {
        handler(sequence, d->state);
        return;
    }
    if (const Value *cached = d->cached(sequence)) {
        const Value value = *cached;
        handler(sequence, value);
        return;
    }
    std::optional<ActorHistory::Replay> replay = d->history.replayTo(sequence);
    if (!replay) {
        handler(sequence, Value::undefined());
        return;
    }
    const int index = d->history.indexOf(sequence);
    const qint64 bytes = index < 0 ? 0 : d->history.deltas()[size_t(index)].delta.stateBytes;
    if (!d->hooks.runLater || replay->deltas.empty()
        || (replay->deltas.size() <= feedCheapDeltas && bytes <= feedCheapBytes)) {
        const Value value = replay->run();
        d->remember(sequence, value);
        handler(sequence, value);
        return;
    }
    const auto ticket = d->ticket;
    auto job = [ticket, mine, replay = std::move(*replay)] {
        // A newer request has come meanwhile: nobody waits for this one.
        return ticket->load() == mine ? replay.run() : Value();
    };
    const QPointer<ActorFeed> self(this);
    const QPointer<QObject> guard(context);
    auto done = [self, guard, ticket, mine, sequence, handler = std::move(handler)](const Value &value) {
        if (!self || !guard || ticket->load() != mine)
            return;
        self->d->remember(sequence, value);
        handler(sequence, value);
    };
    d->hooks.runLater(std::move(job), std::move(done));
}

Value ActorFeed::stateAtNow(quint64 sequence) const
{
    std::optional<ActorHistory::Replay> replay;
    {
        const std::lock_guard lock(d->mutex);
        if (sequence == d->newestSequence)
            return d->state;
        replay = d->history.replayTo(sequence);
    }
    return replay ? replay->run() : Value::undefined();
}

void ActorFeed::apply(const Update &update)
{
    FeedChange change;
    {
        const std::lock_guard lock(d->mutex);
        if (update.reset || update.skipsHistory) {
            change.deltasDropped = int(d->history.deltas().size());
            d->history.clear();
            d->cache.clear();
        }
        if (update.reset) {
            change.reset = true;
            change.recordsDropped = int(d->records.size());
            d->records.clear();
            d->gaps.clear();
        }
        for (const ActorHistory::Keyframe &keyframe : update.keyframes)
            d->history.addKeyframe(keyframe);
        if (!update.deltas.empty()) {
            d->history.append(update.deltas, update.weights);
            const int before = int(d->history.deltas().size());
            const int dropped = d->history.trim();
            // Of what was shown, and of what never will be.
            const int shown = before - int(update.deltas.size());
            change.deltasDropped += std::min(dropped, shown);
            change.deltasAppended = int(update.deltas.size()) - std::max(0, dropped - shown);
        }
        for (const Update::SavedMark &mark : update.saved)
            change.savedChanged = d->history.setSaved(mark.sequence, mark.tookUs, mark.at) || change.savedChanged;
        if (update.newest) {
            d->newestSequence = update.newest->sequence;
            d->state = update.newest->state;
        }
    }
    if (!update.gaps.isEmpty()) {
        d->gaps.append(update.gaps);
        change.gapAppended = true;
    }
    if ((change.deltasDropped > 0 || update.skipsHistory) && !d->history.deltas().empty()) {
        const quint64 base = d->history.deltas().front().delta.base;
        d->gaps.erase(std::remove_if(d->gaps.begin(), d->gaps.end(),
                                     [base](const FeedGap &gap) { return gap.resyncSequence < base; }),
                      d->gaps.end());
    }
    if (!update.records.empty()) {
        d->records.insert(d->records.end(), update.records.begin(), update.records.end());
        change.recordsAppended = int(update.records.size());
        if (d->records.size() > feedMostRecords) {
            const int shown = int(d->records.size()) - change.recordsAppended;
            const int dropped = int(d->records.size() - feedMostRecords * 95 / 100);
            d->records.erase(d->records.begin(), d->records.begin() + dropped);
            change.recordsDropped += std::min(dropped, shown);
            change.recordsAppended -= std::max(0, dropped - shown);
        }
    }
    if (update.summary) {
        d->summary = *update.summary;
        change.summaryChanged = true;
    }
    if (update.type && (!d->isLoaded || *update.type != d->type)) {
        d->type = *update.type;
        change.typeChanged = true;
    }
    if (update.awake) {
        d->blockers = update.awake->blockers;
        d->forecast = update.awake->forecast;
        change.awakeChanged = true;
    }
    if (update.facts) {
        d->facts = *update.facts;
        if (!d->isLoaded)
            d->attachedAt = d->facts.takenAt;
        d->isLoaded = true;
    }
    if (update.freshness) {
        d->isCurrent = update.freshness->isCurrent;
        d->currentAsOf = update.freshness->asOf;
        change.freshnessChanged = true;
    }
    Q_EMIT changed(change);
}

} // namespace terrarium
