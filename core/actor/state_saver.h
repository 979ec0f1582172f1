#pragma once
// When one actor's state is saved, and who is told.
//
// Pure bookkeeping of requests: every request counts a revision up; a save completes every request made before it
// began; one save is under way at a time; a request made meanwhile leads to another. A failed save is tried again
// one interval later, never in a tight loop. What is written besides the state (schedules, the mark of the first
// start) waits here too, so that it goes with the state it belongs to.

#include "async/clock.h"
#include "storage/write_batch.h"

#include <terrarium/error.h>

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace terrarium {

class StateSaver final {
public:
    using Waiter = std::function<void(const std::optional<Error> &)>;

    explicit StateSaver(Duration interval) noexcept : m_interval(interval) {}

    /// One more request; returns its revision. Immediate: due now. `maxWait`: due no later than that.
    quint64 request(Instant now, qint64 wallMs, bool immediate, std::optional<Duration> maxWait = std::nullopt);
    /// Told once the save of `revision` ended: durable, or why not (`actor/stopping`: there will be none).
    void await(quint64 revision, Waiter waiter);
    /// Goes with the next save. Does not request one.
    void alsoWrite(WriteBatch::Write write);

    quint64 requested() const noexcept { return m_requested; }
    quint64 completed() const noexcept { return m_completed; }
    /// Why the request `revision` is not durable, when saving it was tried and failed; null else.
    const Error *failureOf(quint64 revision) const noexcept
    {
        return m_failure && revision > m_completed && revision <= m_failedRevision ? m_failure.get() : nullptr;
    }
    bool isPending() const noexcept { return m_pending; }
    bool isImmediatePending() const noexcept { return m_immediate; }
    bool isInFlight() const noexcept { return m_inFlight; }
    /// Something besides the state waits to be written.
    bool hasWrites() const noexcept { return bool(m_writes) && !m_writes->empty(); }
    /// When the pending request is due, if no save is under way; Instant::max(): nothing to do.
    Instant dueAt() const noexcept { return m_pending && !m_inFlight ? m_dueAt : Instant::max(); }
    /// Wall ms of the oldest request that is not durable; 0: all are.
    qint64 unsavedSince() const noexcept { return m_oldest.wallMs; }

    /// A save begins: what is to be written. `state` is left out when null. The request revision is captured.
    WriteBatch begin(const QByteArray *state, qint64 wallMs);
    quint64 inFlightRevision() const noexcept { return m_inFlightRevision; }
    /// There is nothing to write: the requests so far are complete.
    void completeEmpty();
    /// Returns how long the oldest request of it had waited.
    Duration succeeded(Instant now);
    /// What was to be written is kept; the next try is one interval away.
    void failed(Instant now, const Error &error);
    /// No save will run any more: present and later waiters get `actor/stopping`.
    void close(const Error &error);
    bool isClosed() const noexcept { return m_closed; }

private:
    struct Waiting {
        quint64 revision;
        Waiter waiter;
    };
    struct Oldest {
        Instant at{};
        qint64 wallMs = 0;
    };
    using Writes = std::vector<WriteBatch::Write>;

    void tell(quint64 upTo, const std::optional<Error> &error);

    Duration m_interval;
    Instant m_lastSaveAt{};
    Instant m_dueAt = Instant::max();
    quint64 m_requested = 0;
    quint64 m_completed = 0;
    quint64 m_inFlightRevision = 0;
    quint64 m_failedRevision = 0;
    std::unique_ptr<Error> m_failure; // of the last try, if it failed
    Oldest m_oldest;                  // request that is not durable
    Oldest m_next;                    // of those made while a save is under way
    std::unique_ptr<std::vector<Waiting>> m_waiters;
    std::unique_ptr<Writes> m_writes;         // for the next save
    std::unique_ptr<Writes> m_inFlightWrites; // of the one under way
    bool m_pending = false;
    bool m_immediate = false;
    bool m_inFlight = false;
    bool m_closed = false;
    bool m_everSaved = false;
};

} // namespace terrarium
