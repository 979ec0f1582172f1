#include "models/lifecycle_data.h"

namespace terrarium::ui {

void LifecycleData::clear()
{
    *this = LifecycleData{};
}

void LifecycleData::add(const std::vector<FeedRecord> &records, size_t from)
{
    for (size_t i = from; i < records.size(); ++i) {
        const wire::Record &record = records[i].record;
        const qint64 at = record.at;
        if (const auto *t = std::get_if<wire::TransitionRecord>(&record.body)) {
            if (spans.isEmpty()) {
                if (t->tookUs > 0 && t->from != wire::ActorStatus::unknown)
                    spans.append({t->from, at - t->tookUs / 1000, at, t->generation});
            } else {
                spans.last().end = at;
            }
            if (t->generation > 0 && (generations.isEmpty() || generations.last().generation != t->generation))
                generations.append({at, t->generation});
            spans.append({t->to, at, 0, t->generation});
        } else if (const auto *c = std::get_if<wire::CallRecord>(&record.body)) {
            calls.append({at, c->ok});
            if (c->cause.kind == QLatin1String("timer"))
                alarms.append({at, true, c->cause.name});
        } else if (const auto *g = std::get_if<wire::GaugeRecord>(&record.body)) {
            if (connections.isEmpty() || connections.last().count != g->connections)
                connections.append({at, g->connections});
            if (queue.isEmpty() || queue.last().count != g->queueSize)
                queue.append({at, g->queueSize});
        } else if (const auto *a = std::get_if<wire::AwakeRecord>(&record.body)) {
            if (a->begin) {
                m_open.insert(a->span, int(awake.size()));
                awake.append({a->span, a->kind, a->label, at, 0});
            } else if (const auto it = m_open.constFind(a->span); it != m_open.constEnd()) {
                awake[*it].end = at;
                m_open.erase(it);
            } else {
                awake.append({a->span, a->kind, a->label, 0, at});
            }
        }
    }
}

void LifecycleData::setNow(const wire::ActorSummary &summary, bool complete)
{
    if (spans.isEmpty() && summary.since > 0)
        spans.append({summary.status, summary.since, 0, summary.generation});
    if (!spans.isEmpty() && spans.last().end == 0 && spans.last().status != summary.status
        && summary.since > spans.last().begin) {
        spans.last().end = summary.since;
        spans.append({summary.status, summary.since, 0, summary.generation});
    }
    if (complete && generations.size() == 1 && !spans.isEmpty() && generations.first().at <= spans.first().begin + 1)
        generations.first().at = spans.first().begin;
}

} // namespace terrarium::ui
