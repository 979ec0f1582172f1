#include "client/link_inbox.h"

namespace terrarium {

namespace {
/// The same outcome in one change.
wire::ActorsChanged linkInboxFold(const QList<wire::ActorsChanged> &changes)
{
    wire::ActorsChanged folded;
    QHash<QString, std::optional<wire::ActorSummary>> last;
    QStringList order;
    const auto set = [&](const QString &id, std::optional<wire::ActorSummary> summary) {
        if (!last.contains(id))
            order.append(id);
        last.insert(id, std::move(summary));
    };
    for (const wire::ActorsChanged &change : changes) {
        if (change.full) {
            folded.full = true;
            last.clear();
            order.clear();
        }
        for (const wire::ActorSummary &summary : change.upserts)
            set(summary.id, summary);
        for (const QString &id : change.removed)
            set(id, std::nullopt);
    }
    for (const QString &id : std::as_const(order)) {
        if (const std::optional<wire::ActorSummary> &summary = last[id])
            folded.upserts.append(*summary);
        else
            folded.removed.append(id);
    }
    return folded;
}
} // namespace

template <typename Change>
void LinkInbox::put(Change change)
{
    bool wasEmpty = false;
    {
        const std::lock_guard lock(m_mutex);
        wasEmpty = m_batch.isEmpty();
        change(m_batch);
    }
    if (wasEmpty && m_wake)
        m_wake();
}

void LinkInbox::putStatus(const LinkStatus &status)
{
    put([&](LinkBatch &batch) { batch.status = status; });
}

void LinkInbox::putActors(const wire::ActorsChanged &change)
{
    put([&](LinkBatch &batch) {
        if (change.full) {
            batch.actors.clear();
            m_summaryPlaces.clear();
        }
        // One entry collects upserts; a removal closes it, so that order is kept.
        if (batch.actors.size() > 64) {
            batch.actors = {linkInboxFold(batch.actors)};
            m_summaryPlaces.clear();
        }
        if (batch.actors.isEmpty() || change.full || !batch.actors.last().removed.isEmpty()) {
            batch.actors.append(wire::ActorsChanged{});
            batch.actors.last().full = change.full;
            m_summaryPlaces.clear();
        }
        wire::ActorsChanged &open = batch.actors.last();
        for (const wire::ActorSummary &summary : change.upserts) {
            const auto place = m_summaryPlaces.constFind(summary.id);
            if (place != m_summaryPlaces.cend()) {
                open.upserts[*place] = summary;
            } else {
                m_summaryPlaces.insert(summary.id, open.upserts.size());
                open.upserts.append(summary);
            }
        }
        open.removed.append(change.removed);
    });
}

void LinkInbox::putFeed(const QString &actorId, ActorFeed::Update update, qint64 newestAt)
{
    put([&](LinkBatch &batch) {
        batch.newestAt = std::max(batch.newestAt, newestAt);
        const auto place = m_feedPlaces.constFind(actorId);
        if (place != m_feedPlaces.cend()) {
            batch.feeds[*place].second.merge(std::move(update));
        } else {
            m_feedPlaces.insert(actorId, batch.feeds.size());
            batch.feeds.emplace_back(actorId, std::move(update));
        }
    });
}

void LinkInbox::putConfirmed(qint64 newestAt)
{
    put([&](LinkBatch &batch) { batch.newestAt = std::max(batch.newestAt, newestAt); });
}

void LinkInbox::putAnswer(quint32 id, LinkAnswer answer)
{
    put([&](LinkBatch &batch) { batch.answers.emplace_back(id, std::move(answer)); });
}

void LinkInbox::putResult(std::function<void()> result)
{
    put([&](LinkBatch &batch) { batch.results.push_back(std::move(result)); });
}

LinkBatch LinkInbox::take()
{
    const std::lock_guard lock(m_mutex);
    LinkBatch batch = std::move(m_batch);
    m_batch = {};
    m_summaryPlaces.clear();
    m_feedPlaces.clear();
    return batch;
}

bool LinkInbox::isEmpty() const
{
    const std::lock_guard lock(m_mutex);
    return m_batch.isEmpty();
}

} // namespace terrarium
