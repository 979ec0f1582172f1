#include "client/host_store.h"

#include <QSet>

namespace terrarium {

const wire::ActorSummary *HostStore::actor(const QString &id) const
{
    const auto it = m_actors.constFind(id);
    return it == m_actors.cend() ? nullptr : &*it;
}

const wire::ActorSummary *HostStore::find(const QString &type, const ActorKey &key) const
{
    for (const wire::ActorSummary &summary : m_actors) {
        if (summary.type == type && summary.key == key && summary.status != wire::ActorStatus::destroyed)
            return &summary;
    }
    return nullptr;
}

void HostStore::apply(const QList<wire::ActorsChanged> &changes)
{
    ActorsBatch batch;
    enum class Mark { Added, Changed, Removed };
    QHash<QString, Mark> marks;
    QStringList order; // of first mention, so that signals do not depend on hashing
    const auto mark = [&](const QString &id, Mark value) {
        if (!marks.contains(id))
            order.append(id);
        marks.insert(id, value);
    };
    for (const wire::ActorsChanged &change : changes) {
        if (change.full) {
            batch.reset = true;
            m_loaded = true;
            QSet<QString> kept;
            for (const wire::ActorSummary &summary : change.upserts)
                kept.insert(summary.id);
            QStringList gone;
            for (auto it = m_actors.cbegin(); it != m_actors.cend(); ++it) {
                if (!kept.contains(it.key()))
                    gone.append(it.key());
            }
            gone.sort();
            for (const QString &id : std::as_const(gone)) {
                m_actors.remove(id);
                mark(id, Mark::Removed);
            }
        }
        for (const wire::ActorSummary &summary : change.upserts) {
            const auto it = m_actors.find(summary.id);
            if (it == m_actors.end()) {
                m_actors.insert(summary.id, summary);
                // Removed and back within one beat: for those who look, it has changed.
                mark(summary.id, marks.value(summary.id, Mark::Added) == Mark::Removed ? Mark::Changed : Mark::Added);
            } else {
                *it = summary;
                mark(summary.id, marks.value(summary.id, Mark::Changed) == Mark::Added ? Mark::Added : Mark::Changed);
            }
        }
        for (const QString &id : change.removed) {
            if (m_actors.remove(id) == 0)
                continue;
            if (marks.value(id, Mark::Changed) == Mark::Added) {
                marks.remove(id);
                order.removeOne(id);
            } else {
                mark(id, Mark::Removed);
            }
        }
    }
    for (const QString &id : std::as_const(order)) {
        switch (marks.value(id)) {
        case Mark::Added: batch.added.append(id); break;
        case Mark::Changed: batch.changed.append(id); break;
        case Mark::Removed: batch.removed.append(id); break;
        }
    }
    if (batch.reset || !order.isEmpty())
        Q_EMIT changed(batch);
}

} // namespace terrarium
