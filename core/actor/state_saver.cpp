#include "actor/state_saver.h"

#include <algorithm>
#include <utility>

namespace terrarium {

quint64 StateSaver::request(Instant now, qint64 wallMs, bool immediate, std::optional<Duration> maxWait)
{
    ++m_requested;
    if (m_closed)
        return m_requested;
    Oldest &oldest = m_inFlight ? m_next : m_oldest;
    if (oldest.wallMs == 0)
        oldest = Oldest{now, wallMs};
    Instant due = now;
    if (!immediate && !m_immediate) {
        // A saver that never saved waits a whole interval, as one that has just saved.
        const Duration since = m_everSaved ? now - m_lastSaveAt : Duration::zero();
        due = now + std::max(Duration::zero(), m_interval - since);
        if (maxWait)
            due = std::min(due, now + *maxWait);
    }
    m_dueAt = m_pending ? std::min(m_dueAt, due) : due;
    m_immediate = m_immediate || immediate;
    m_pending = true;
    return m_requested;
}

void StateSaver::await(quint64 revision, Waiter waiter)
{
    if (revision <= m_completed) {
        waiter(std::nullopt);
        return;
    }
    if (m_closed) {
        waiter(Error(QStringLiteral("actor"), QStringLiteral("stopping"),
                     QStringLiteral("the actor is shutting down; the state was not saved")));
        return;
    }
    if (!m_waiters)
        m_waiters = std::make_unique<std::vector<Waiting>>();
    m_waiters->push_back(Waiting{revision, std::move(waiter)});
}

void StateSaver::alsoWrite(WriteBatch::Write write)
{
    if (!m_writes)
        m_writes = std::make_unique<Writes>();
    m_writes->push_back(std::move(write));
}

WriteBatch StateSaver::begin(const QByteArray *state, qint64 wallMs)
{
    WriteBatch batch;
    if (m_writes) {
        for (const WriteBatch::Write &write : *m_writes) {
            if (const auto *put = std::get_if<WriteBatch::PutSchedule>(&write))
                batch.putSchedule(put->row);
            else if (const auto *gone = std::get_if<WriteBatch::DeleteSchedule>(&write))
                batch.deleteSchedule(gone->eventId);
            else if (std::holds_alternative<WriteBatch::SetInitialized>(write))
                batch.setInitialized();
        }
    }
    if (state != nullptr)
        batch.saveState(*state, wallMs);
    m_inFlightWrites = std::move(m_writes);
    m_inFlightRevision = m_requested;
    m_inFlight = true;
    m_pending = false;
    m_immediate = false;
    m_dueAt = Instant::max();
    return batch;
}

void StateSaver::completeEmpty()
{
    m_pending = false;
    m_immediate = false;
    m_dueAt = Instant::max();
    m_oldest = {};
    m_failure.reset();
    m_completed = m_requested;
    tell(m_completed, std::nullopt);
}

Duration StateSaver::succeeded(Instant now)
{
    m_inFlight = false;
    m_inFlightWrites.reset();
    m_lastSaveAt = now;
    m_everSaved = true;
    m_failure.reset();
    const Duration took = m_oldest.wallMs != 0 ? now - m_oldest.at : Duration::zero();
    m_oldest = std::exchange(m_next, {});
    m_completed = std::max(m_completed, m_inFlightRevision);
    if (m_pending && !m_immediate)
        m_dueAt = std::min(m_dueAt, now + m_interval);
    tell(m_completed, std::nullopt);
    return took;
}

void StateSaver::failed(Instant now, const Error &error)
{
    m_inFlight = false;
    if (m_inFlightWrites) {
        if (m_writes)
            m_inFlightWrites->insert(m_inFlightWrites->end(), std::make_move_iterator(m_writes->begin()),
                                     std::make_move_iterator(m_writes->end()));
        m_writes = std::move(m_inFlightWrites);
    }
    if (m_oldest.wallMs == 0)
        m_oldest = m_next;
    m_next = {};
    m_lastSaveAt = now;
    m_everSaved = true;
    m_failedRevision = m_inFlightRevision;
    m_failure = std::make_unique<Error>(error);
    // Requests made meanwhile keep their urgency; what failed is asked for once more, one interval from now.
    m_dueAt = m_pending && m_immediate ? m_dueAt : now + m_interval;
    m_pending = true;
    ++m_requested;
    tell(m_inFlightRevision, error);
}

void StateSaver::close(const Error &error)
{
    m_closed = true;
    m_pending = false;
    m_immediate = false;
    m_dueAt = Instant::max();
    tell(UINT64_MAX, error);
}

void StateSaver::tell(quint64 upTo, const std::optional<Error> &error)
{
    if (!m_waiters)
        return;
    std::vector<Waiting> due;
    auto &all = *m_waiters;
    const auto rest =
        std::stable_partition(all.begin(), all.end(), [upTo](const Waiting &w) { return w.revision > upTo; });
    due.assign(std::make_move_iterator(rest), std::make_move_iterator(all.end()));
    all.erase(rest, all.end());
    if (all.empty())
        m_waiters.reset();
    for (Waiting &waiting : due)
        waiting.waiter(error);
}

} // namespace terrarium
