#include "inspect/change_log.h"

#include "actor/actor_task.h"
#include "inspect/awake.h"
#include "inspect/change_logs.h"
#include "value/cbor.h"

#include <algorithm>
#include <utility>

namespace terrarium {

namespace {

wire::ActorStatus logStatusOf(LifecycleState state)
{
    switch (state) {
    case LifecycleState::Loading: return wire::ActorStatus::loading;
    case LifecycleState::Starting: return wire::ActorStatus::starting;
    case LifecycleState::Started: return wire::ActorStatus::running;
    case LifecycleState::SleepGrace: return wire::ActorStatus::sleepGrace;
    case LifecycleState::SleepFinalize: return wire::ActorStatus::sleepFinalize;
    case LifecycleState::DestroyGrace: return wire::ActorStatus::destroyGrace;
    case LifecycleState::Destroying: return wire::ActorStatus::destroying;
    case LifecycleState::Terminated: return wire::ActorStatus::sleeping;
    }
    return wire::ActorStatus::unknown;
}

qint64 logValueBytes(const Value &value)
{
    qint64 bytes = qint64(sizeof(Value));
    switch (value.kind()) {
    case Value::Kind::Text: return bytes + value.textView().size() * 2;
    case Value::Kind::Bytes: return bytes + value.bytesView().size();
    case Value::Kind::Array:
        for (const Value &item : value.items())
            bytes += logValueBytes(item);
        return bytes;
    case Value::Kind::Map:
        for (const MapEntry &entry : value.entries())
            bytes += qint64(sizeof(QString)) + entry.first.size() * 2 + logValueBytes(entry.second);
        return bytes;
    case Value::Kind::Tagged: return bytes + logValueBytes(value.untagged());
    default: return bytes;
    }
}

qint64 logDeltaBytes(const Delta &delta)
{
    qint64 bytes = 0;
    for (const DeltaOp &op : delta)
        bytes += qint64(sizeof(DeltaOp)) + op.path.size() * 40 + logValueBytes(op.value) + logValueBytes(op.old);
    return bytes;
}

template <typename Entry>
wire::Record logRecordOf(const Entry &entry)
{
    wire::Record record;
    record.position = entry.position;
    record.at = entry.at;
    record.body = entry.body;
    return record;
}

/// Undefined: there is no state.
Value logDecoded(const QByteArray &state)
{
    if (state.isEmpty())
        return Value::undefined();
    try {
        return cbor::decode(state);
    } catch (const Error &) {
        return Value::undefined(); // what the engine cannot read it never hands over
    }
}

} // namespace

ChangeLog::ChangeLog(ChangeLogs &owner, Environment &environment, ActorRow row, quint64 base)
    : m_owner(owner),
      m_environment(environment),
      m_row(std::move(row)),
      m_position(base),
      m_sequence(base),
      m_savedSequence(base),
      m_firstPosition(base)
{
    m_status = m_row.destroyedAt != 0  ? wire::ActorStatus::destroyed
               : m_row.generation == 0 ? wire::ActorStatus::pending
                                       : wire::ActorStatus::sleeping;
    m_since = m_row.destroyedAt != 0 ? m_row.destroyedAt : m_row.generation == 0 ? m_row.createdAt : 0;
}

ChangeLog::~ChangeLog() = default;

// ---- What the host tells ---------------------------------------------------------------------------

void ChangeLog::setTask(ActorTask *task, quint32 generation)
{
    m_task = task;
    m_row.generation = generation;
    if (task == nullptr) {
        m_connections = 0;
        m_hook.clear();
        m_unsaved.clear();
        m_unsaved.shrink_to_fit();
        m_expectedCrash.reset();
        forgetState();
    }
    changed();
}

void ChangeLog::expectCrash(const Error &error)
{
    m_expectedCrash = std::make_unique<Error>(error);
}

void ChangeLog::enter(wire::ActorStatus status, const QString &reason, const QString &detail, const Cause &cause,
                      qint64 deadline, const Error *error)
{
    const qint64 now = m_environment.clock.wallMs();
    m_deadline = deadline;
    if (error != nullptr)
        m_lastError = std::make_unique<wire::ErrorInfo>(errorInfo(*error, now));
    if (status != m_status) {
        LoggedTransition logged;
        logged.to = status;
        logged.reason = reason;
        logged.detail = detail;
        logged.cause = shared(cause);
        if (error != nullptr) {
            logged.details = std::make_unique<LoggedTransition::Details>();
            logged.details->error = *m_lastError;
        }
        appendTransition(std::move(logged), now);
    }
    changed();
}

void ChangeLog::setStoredState(const QByteArray &state)
{
    m_state = state;
    m_stateBytes = state.size();
    m_stateKnown = true;
    if (m_deltaLog.count() == 0 && !m_baselineKnown) {
        m_baseline = state;
        m_baselineKnown = true;
    }
    if (m_watch)
        m_watch->value = logDecoded(state);
    countBytes();
}

void ChangeLog::setAlarms(int count, qint64 nextAt, const QString &nextName)
{
    m_schedules = count;
    m_nextAlarmAt = nextAt;
    m_nextAlarmName = nextName;
    changed();
}

// ---- Watching --------------------------------------------------------------------------------------

void ChangeLog::watch()
{
    endLinger();
    if (!m_watch) {
        m_watch = std::make_unique<Watch>();
        m_watch->completeAfter = m_position;
        m_watch->completeSince = m_environment.clock.wallMs();
        m_watchedOnly = std::make_unique<WatchedOnly>();
        tellApart();
        m_watch->value = logDecoded(m_state);
    }
    ++m_watch->watchers;
}

void ChangeLog::unwatch()
{
    if (!isWatched() || --m_watch->watchers > 0)
        return;
    m_watch->leftAt = m_environment.clock.wallMs();
    m_watch->news.clear();
}

QList<wire::Record> ChangeLog::takeNews()
{
    m_hasNews = false;
    return m_watch ? std::exchange(m_watch->news, {}) : QList<wire::Record>();
}

void ChangeLog::endLinger()
{
    if (!m_watch || m_watch->watchers > 0 || m_environment.clock.wallMs() - m_watch->leftAt < lingerMs)
        return;
    m_watch.reset();
    m_watchedOnly.reset();
    m_baseline = m_state;
    m_baselineKnown = m_stateKnown;
    if (m_task == nullptr)
        forgetState();
    m_transitionLog.trim(flightRecords);
    m_noteLog.trim(flightRecords);
    m_callLog.trim(flightRecords);
    trimDeltas();
}

// Changes recorded as whole states become deltas.
void ChangeLog::tellApart()
{
    auto *entry = m_deltaLog.first();
    while (entry != nullptr && entry->body.isToldApart)
        entry = entry->next;
    if (entry == nullptr)
        return;
    if (!m_baselineKnown) {
        // Nobody knows what the first one changed: it is where the others begin.
        m_baseline = entry->body.state;
        m_baselineKnown = true;
        const auto *unknown = entry;
        entry = entry->next;
        bool removed = false;
        while (!removed) {
            removed = m_deltaLog.first() == unknown;
            m_deltaBytes -= m_deltaLog.first()->body.bytes;
            m_deltaLog.removeFirst();
        }
    }
    Value previous = logDecoded(m_baseline);
    for (; entry != nullptr; entry = entry->next) {
        Value next = logDecoded(entry->body.state);
        entry->body.ops = delta::diff(previous, next);
        entry->body.state.clear();
        entry->body.isToldApart = true;
        m_deltaBytes -= entry->body.bytes;
        entry->body.bytes = logDeltaBytes(entry->body.ops);
        m_deltaBytes += entry->body.bytes;
        previous = std::move(next);
    }
    m_baseline.clear();
    countBytes();
}

void ChangeLog::dropFlightStates()
{
    endLinger();
    if (m_watch)
        return;
    while (m_deltaLog.count() > 0) {
        m_deltaBytes -= m_deltaLog.first()->body.bytes;
        m_deltaLog.removeFirst();
    }
    m_baseline = m_state;
    m_baselineKnown = m_stateKnown;
    countBytes();
}

void ChangeLog::trimDeltas()
{
    const qint64 most = m_watch ? watchedBytes : flightBytes;
    while (m_deltaLog.count() > limit() || (m_deltaLog.count() > 0 && bytes() > most)) {
        LoggedDelta &oldest = m_deltaLog.first()->body;
        m_deltaBytes -= oldest.bytes;
        if (!oldest.isToldApart) {
            m_baseline = std::move(oldest.state);
            m_baselineKnown = true;
        }
        m_deltaLog.removeFirst();
    }
    if (m_deltaLog.count() == 0 && !m_watch) {
        m_baseline = m_state; // shared with the engine
        m_baselineKnown = m_stateKnown;
    }
    countBytes();
}

void ChangeLog::countBytes()
{
    const qint64 difference = bytes() - m_counted;
    m_counted += difference;
    m_owner.countBytes(difference);
}

// Of an actor that sleeps: it is on disk. What a destroyed one was last stays, unless it is large.
void ChangeLog::forgetState()
{
    if (m_watch || (m_status == wire::ActorStatus::destroyed && m_state.size() <= flightBytes))
        return;
    m_state.clear();
    m_stateKnown = false;
    if (m_deltaLog.count() == 0) {
        m_baseline.clear();
        m_baselineKnown = false;
    }
    countBytes();
}

ChangeLog::SharedCause ChangeLog::shared(const Cause &cause)
{
    if (!m_cause || *m_cause != cause)
        m_cause = std::make_shared<const Cause>(cause);
    return m_cause;
}

// ---- Recording -------------------------------------------------------------------------------------

template <typename Body, typename Queue>
void ChangeLog::append(Queue &queue, Body &&body)
{
    ++m_position;
    auto &entry = queue.push(m_position, m_environment.clock.wallMs(), std::forward<Body>(body), limit());
    if (isWatched())
        tell(toRecord(entry));
}

void ChangeLog::tell(wire::Record record)
{
    m_watch->news.append(std::move(record));
    if (!m_hasNews) {
        m_hasNews = true;
        m_owner.markNews(*this);
    }
}

void ChangeLog::changed()
{
    if (!m_dirty && m_owner.isListening()) {
        m_dirty = true;
        m_owner.markChanged(*this);
    }
}

wire::ErrorInfo ChangeLog::errorInfo(const Error &error, qint64 at) const
{
    wire::ErrorInfo info;
    info.group = error.group();
    info.code = error.code();
    info.message = error.message();
    info.metadata = error.metadata();
    info.at = at;
    return info;
}

void ChangeLog::appendTransition(LoggedTransition &&logged, qint64 now)
{
    logged.from = m_status;
    logged.generation = m_row.generation;
    if (logged.tookUs == 0 && m_since != 0)
        logged.tookUs = std::max<qint64>(0, now - m_since) * 1000;
    m_status = logged.to;
    m_since = now;
    append(m_transitionLog, std::move(logged));
}

void ChangeLog::transition(const Transition &transition)
{
    endLinger();
    const qint64 now = m_environment.clock.wallMs();
    LoggedTransition logged;
    logged.to = logStatusOf(transition.to);
    logged.reason = transition.reason;
    logged.detail = transition.detail;
    logged.cause = shared(transition.cause);
    logged.tookUs = transition.tookUs;
    std::optional<Error> error = transition.error;
    if (transition.to == LifecycleState::Terminated) {
        if (m_expectedCrash) {
            logged.to = wire::ActorStatus::crashed;
            logged.reason = QStringLiteral("crash");
            if (!error)
                error = *m_expectedCrash;
        } else if (transition.error
                   && (transition.from == LifecycleState::Loading || transition.from == LifecycleState::Starting)) {
            logged.to = wire::ActorStatus::crashed;
        } else if (transition.from == LifecycleState::Destroying && !transition.error) {
            logged.to = wire::ActorStatus::destroyed;
        }
        m_lastActivityAt = m_task != nullptr ? m_task->lastActivityAt() : now;
    }
    if (error || !transition.hooks.isEmpty() || !transition.cutOff.isEmpty()) {
        logged.details = std::make_unique<LoggedTransition::Details>();
        logged.details->hooks = transition.hooks;
        logged.details->cutOff = transition.cutOff;
        if (error) {
            logged.details->error = errorInfo(*error, now);
            m_lastError = std::make_unique<wire::ErrorInfo>(*logged.details->error);
        }
    }
    if (transition.to == LifecycleState::Starting && m_task != nullptr && !m_stateKnown)
        setStoredState(m_task->lastState());
    if (transition.to == LifecycleState::Started)
        m_hook.clear();
    m_deadline = 0;
    appendTransition(std::move(logged), now);
    changed();
}

void ChangeLog::hookRunning(const QString &name)
{
    m_hook = name;
    changed();
}

quint64 ChangeLog::stateChanged(const StateChange &change)
{
    endLinger();
    m_lastChangeAt = m_environment.clock.wallMs();
    m_deltas.add(m_lastChangeAt);
    LoggedDelta logged;
    logged.sequence = ++m_sequence;
    if (change.causes.size() == 1)
        logged.cause = shared(change.causes.constFirst());
    else
        logged.causes = change.causes;
    logged.stateBytes = change.state.size();
    if (m_watch) {
        Value next = logDecoded(change.state);
        logged.ops = delta::diff(m_watch->value, next);
        logged.isToldApart = true;
        logged.bytes = logDeltaBytes(logged.ops);
        m_watch->value = std::move(next);
    } else {
        logged.state = change.state;
        logged.bytes = change.state.size();
    }
    m_state = change.state;
    m_stateBytes = change.state.size();
    m_stateKnown = true;
    m_unsaved.push_back(Unsaved{change.saveRevision, m_sequence});
    m_deltaBytes += logged.bytes;
    if (m_deltaLog.count() >= limit()) {
        LoggedDelta &oldest = m_deltaLog.first()->body;
        m_deltaBytes -= oldest.bytes;
        if (!oldest.isToldApart) {
            m_baseline = std::move(oldest.state);
            m_baselineKnown = true;
        }
    }
    append(m_deltaLog, std::move(logged));
    countBytes();
    if (bytes() > (m_watch ? watchedBytes : flightBytes))
        trimDeltas();
    changed();
    return m_sequence;
}

void ChangeLog::saved(quint64 saveRevision, qint64 tookUs)
{
    quint64 sequence = 0;
    std::size_t done = 0;
    while (done < m_unsaved.size() && m_unsaved[done].revision <= saveRevision)
        sequence = m_unsaved[done++].sequence;
    if (done == 0)
        return;
    m_unsaved.erase(m_unsaved.begin(), m_unsaved.begin() + std::ptrdiff_t(done));
    m_savedSequence = sequence;
    if (m_watch) {
        wire::SavedRecord record;
        record.sequence = sequence;
        record.tookUs = tookUs;
        append(m_watchedOnly->saved, std::move(record));
    }
    changed();
}

void ChangeLog::callFinished(const FinishedCall &call)
{
    endLinger();
    const qint64 now = m_environment.clock.wallMs();
    m_calls.add(now);
    LoggedCall logged;
    logged.cause = shared(call.cause);
    logged.connection = call.connection;
    logged.tookUs = call.tookUs;
    logged.firstSequence = call.firstSequence;
    logged.lastSequence = call.lastSequence;
    if (call.error != nullptr) {
        logged.errorCode = call.error->group() + QLatin1Char('/') + call.error->code();
        m_lastError = std::make_unique<wire::ErrorInfo>(errorInfo(*call.error, now));
        if (!m_errors)
            m_errors = std::make_unique<SlidingCount<5, 60'000>>();
        m_errors->add(now);
    }
    append(m_callLog, std::move(logged));
    changed();
}

void ChangeLog::note(const QString &kind, const QString &text, const Error *error)
{
    const qint64 now = m_environment.clock.wallMs();
    LoggedNote logged;
    logged.kind = kind;
    logged.text = text;
    if (error != nullptr) {
        logged.error = std::make_unique<wire::ErrorInfo>(errorInfo(*error, now));
        m_lastError = std::make_unique<wire::ErrorInfo>(*logged.error);
        if (!m_errors)
            m_errors = std::make_unique<SlidingCount<5, 60'000>>();
        m_errors->add(now);
    }
    append(m_noteLog, std::move(logged));
    changed();
}

void ChangeLog::connectionsChanged(int count)
{
    m_connections = count;
    if (m_watch) {
        wire::GaugeRecord record;
        record.connections = count;
        append(m_watchedOnly->gauges, std::move(record));
    }
    changed();
}

void ChangeLog::schedulesChanged()
{
    changed();
}

void ChangeLog::awakeBegan(quint64 span, const QString &kind, const QString &label)
{
    if (m_watch) {
        wire::AwakeRecord record;
        record.span = QString::number(span);
        record.kind = kind;
        record.label = label;
        append(m_watchedOnly->awake, std::move(record));
    }
    changed();
}

void ChangeLog::awakeEnded(quint64 span)
{
    if (m_watch) {
        wire::AwakeRecord record;
        record.span = QString::number(span);
        record.begin = false;
        append(m_watchedOnly->awake, std::move(record));
    }
    changed();
}

void ChangeLog::summaryChanged()
{
    changed();
}

// ---- Looking ---------------------------------------------------------------------------------------

wire::Record ChangeLog::toRecord(const LogQueue<LoggedTransition>::Entry &entry)
{
    const LoggedTransition &logged = entry.body;
    wire::TransitionRecord body;
    body.from = logged.from;
    body.to = logged.to;
    body.reason = logged.reason;
    body.detail = logged.detail;
    body.cause = *logged.cause;
    body.generation = logged.generation;
    body.tookUs = logged.tookUs;
    if (logged.details) {
        for (const HookTime &hook : logged.details->hooks) {
            wire::HookTiming timing;
            timing.name = hook.name;
            timing.tookUs = hook.tookUs;
            timing.outcome = hook.outcome;
            body.hooks.append(timing);
        }
        body.cutOff = logged.details->cutOff;
        body.error = logged.details->error;
    }
    wire::Record record;
    record.position = entry.position;
    record.at = entry.at;
    record.body = std::move(body);
    return record;
}

wire::Record ChangeLog::toRecord(const LogQueue<LoggedNote>::Entry &entry)
{
    wire::NoteRecord body;
    body.kind = entry.body.kind;
    body.text = entry.body.text;
    if (entry.body.error)
        body.error = *entry.body.error;
    wire::Record record;
    record.position = entry.position;
    record.at = entry.at;
    record.body = std::move(body);
    return record;
}

wire::Record ChangeLog::toRecord(const LogQueue<LoggedCall>::Entry &entry)
{
    wire::CallRecord body;
    body.cause = *entry.body.cause;
    body.connection = entry.body.connection;
    body.tookUs = entry.body.tookUs;
    body.ok = entry.body.errorCode.isEmpty();
    body.errorCode = entry.body.errorCode;
    body.firstSequence = entry.body.firstSequence;
    body.lastSequence = entry.body.lastSequence;
    wire::Record record;
    record.position = entry.position;
    record.at = entry.at;
    record.body = std::move(body);
    return record;
}

wire::Record ChangeLog::toRecord(const LogQueue<LoggedDelta>::Entry &entry)
{
    wire::DeltaRecord body;
    body.sequence = entry.body.sequence;
    body.base = entry.body.sequence - 1;
    body.causes = entry.body.cause ? QList<Cause>{*entry.body.cause} : entry.body.causes;
    body.ops = entry.body.ops;
    body.stateBytes = entry.body.stateBytes;
    wire::Record record;
    record.position = entry.position;
    record.at = entry.at;
    record.body = std::move(body);
    return record;
}

wire::Record ChangeLog::toRecord(const LogQueue<wire::SavedRecord>::Entry &entry)
{
    return logRecordOf(entry);
}

wire::Record ChangeLog::toRecord(const LogQueue<wire::GaugeRecord>::Entry &entry)
{
    return logRecordOf(entry);
}

wire::Record ChangeLog::toRecord(const LogQueue<wire::AwakeRecord>::Entry &entry)
{
    return logRecordOf(entry);
}

QList<wire::Record> ChangeLog::records() const
{
    QList<wire::Record> records;
    for (auto *entry = m_transitionLog.first(); entry != nullptr; entry = entry->next)
        records.append(toRecord(*entry));
    for (auto *entry = m_noteLog.first(); entry != nullptr; entry = entry->next)
        records.append(toRecord(*entry));
    for (auto *entry = m_callLog.first(); entry != nullptr; entry = entry->next)
        records.append(toRecord(*entry));
    for (auto *entry = m_deltaLog.first(); entry != nullptr; entry = entry->next) {
        if (entry->body.isToldApart)
            records.append(toRecord(*entry));
    }
    if (m_watchedOnly) {
        for (auto *entry = m_watchedOnly->saved.first(); entry != nullptr; entry = entry->next)
            records.append(toRecord(*entry));
        for (auto *entry = m_watchedOnly->gauges.first(); entry != nullptr; entry = entry->next)
            records.append(toRecord(*entry));
        for (auto *entry = m_watchedOnly->awake.first(); entry != nullptr; entry = entry->next)
            records.append(toRecord(*entry));
    }
    std::sort(records.begin(), records.end(),
              [](const wire::Record &a, const wire::Record &b) { return a.position < b.position; });
    return records;
}

std::optional<QList<wire::Record>> ChangeLog::recordsAfter(quint64 position) const
{
    if (position > m_position || !m_watch || position < m_watch->completeAfter)
        return std::nullopt;
    QList<wire::Record> after;
    if (position == m_position)
        return after;
    for (wire::Record &record : records()) {
        if (record.position > position)
            after.append(std::move(record));
    }
    if (quint64(after.size()) != m_position - position)
        return std::nullopt;
    return after;
}

qint64 ChangeLog::keptSince() const
{
    if (!m_watch)
        return m_environment.clock.wallMs();
    // A full queue has lost older ones.
    qint64 since = m_watch->completeAfter == m_firstPosition ? 0 : m_watch->completeSince;
    if (m_deltaLog.count() >= watchedRecords)
        since = std::max(since, m_deltaLog.first()->at);
    if (m_callLog.count() >= watchedRecords)
        since = std::max(since, m_callLog.first()->at);
    return since;
}

int ChangeLog::changedPaths(quint64 first, quint64 last) const
{
    if (first == 0)
        return 0;
    QList<Path> paths;
    for (auto *entry = m_deltaLog.first(); entry != nullptr; entry = entry->next) {
        if (entry->body.sequence < first || entry->body.sequence > last)
            continue;
        for (const DeltaOp &op : entry->body.ops) {
            if (!paths.contains(op.path))
                paths.append(op.path);
        }
    }
    return int(paths.size());
}

ChangeLog::Figures ChangeLog::figures() const
{
    const qint64 now = m_environment.clock.wallMs();
    Figures figures;
    figures.rate = m_deltas.perSecond(now);
    figures.actionRate = m_calls.perSecond(now);
    figures.errors5m = m_errors ? m_errors->total(now) : 0;
    return figures;
}

wire::ActorSummary ChangeLog::summary() const
{
    const Figures falling = figures();
    wire::ActorSummary summary;
    summary.id = m_row.id;
    summary.type = m_row.type;
    summary.key = m_row.key;
    summary.generation = m_row.generation;
    summary.status = m_status;
    summary.since = m_since;
    summary.createdAt = m_row.createdAt;
    if (m_createdBy)
        summary.createdBy = *m_createdBy;
    summary.lastActivityAt = m_lastActivityAt;
    summary.sequence = m_sequence;
    summary.savedSequence = m_savedSequence;
    summary.rate = falling.rate;
    summary.actionRate = falling.actionRate;
    summary.errors5m = falling.errors5m;
    summary.stateBytes = m_stateBytes;
    summary.connections = m_connections;
    summary.schedules = m_schedules;
    summary.nextAlarmAt = m_nextAlarmAt;
    summary.nextAlarmName = m_nextAlarmName;
    summary.deadline = m_deadline;
    if (m_lastError)
        summary.lastError = *m_lastError;
    if (m_task != nullptr) {
        summary.lastActivityAt = m_task->lastActivityAt();
        summary.unsavedSince = m_task->unsavedSince();
        summary.blockers = activeBlockers(*m_task);
        summary.forecast = toForecast(m_task->sleepOutlook());
        summary.connections = m_task->connectionCount();
        if (m_status == wire::ActorStatus::sleepGrace || m_status == wire::ActorStatus::destroyGrace)
            summary.deadline = m_task->graceDeadline();
        if (m_status == wire::ActorStatus::starting)
            summary.hook = m_hook;
        const QList<ScheduleRow> &schedules = m_task->schedules();
        summary.schedules = int(schedules.size());
        summary.nextAlarmAt = schedules.isEmpty() ? 0 : schedules.first().triggerAt;
        summary.nextAlarmName = schedules.isEmpty() ? QString() : schedules.first().action;
    } else if (m_status != wire::ActorStatus::destroyed) {
        summary.forecast.kind = QStringLiteral("asleep");
        summary.forecast.at = m_nextAlarmAt;
    }
    return summary;
}

} // namespace terrarium
