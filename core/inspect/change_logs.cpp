#include "inspect/change_logs.h"

#include <algorithm>
#include <utility>

namespace terrarium {

ChangeLogs::ChangeLogs(Environment &environment) : m_environment(environment) {}

ChangeLogs::~ChangeLogs() = default;

ChangeLog *ChangeLogs::find(const QString &id) const
{
    const auto at = m_logs.find(id);
    return at == m_logs.end() ? nullptr : at->second.get();
}

ChangeLog &ChangeLogs::obtain(const ActorRow &row)
{
    std::unique_ptr<ChangeLog> &log = m_logs[row.id];
    if (!log)
        log = std::make_unique<ChangeLog>(*this, m_environment, row, m_base);
    return *log;
}

void ChangeLogs::setIdle(ChangeLog &log, bool idle)
{
    if (log.m_idlePlace) {
        m_idle.erase(*log.m_idlePlace);
        log.m_idlePlace.reset();
    }
    if (!idle)
        return;
    log.m_idlePlace = m_idle.insert(m_idle.end(), &log);
    forgetSome();
}

void ChangeLogs::forgetSome()
{
    auto at = m_idle.begin();
    while (m_idle.size() > std::size_t(idleLogs) && at != m_idle.end()) {
        ChangeLog *log = *at++;
        if (!log->isWatched() && !log->m_dirty)
            forget(*log);
    }
}

void ChangeLogs::forget(ChangeLog &log)
{
    if (onForgotten)
        onForgotten(log);
    m_base = std::max({m_base, log.position() + 2, log.sequence() + 2});
    if (log.m_idlePlace)
        m_idle.erase(*log.m_idlePlace);
    if (log.m_hasNews)
        std::erase(m_withNews, &log);
    m_bytes -= log.m_counted;
    m_logs.erase(m_logs.find(QString(log.id())));
}

void ChangeLogs::setListening(bool on)
{
    m_listening = on;
    if (on)
        return;
    for (ChangeLog *log : std::exchange(m_changed, {}))
        log->m_dirty = false;
}

std::vector<ChangeLog *> ChangeLogs::takeChanged()
{
    std::vector<ChangeLog *> changed = std::exchange(m_changed, {});
    for (ChangeLog *log : changed)
        log->m_dirty = false;
    return changed;
}

std::vector<ChangeLog *> ChangeLogs::takeWithNews()
{
    return std::exchange(m_withNews, {});
}

void ChangeLogs::markChanged(ChangeLog &log)
{
    m_changed.push_back(&log);
    if (m_changed.size() == 1 && onChanged)
        onChanged();
}

// Over the limit, those that changed longest ago lose their history until a quarter is free.
void ChangeLogs::countBytes(qint64 difference)
{
    m_bytes += difference;
    if (m_bytes <= flightBytes || difference <= 0 || m_trimming)
        return;
    m_trimming = true;
    std::vector<ChangeLog *> logs;
    for (const auto &[id, log] : m_logs) {
        if (!log->isWatched() && log->bytes() > 0)
            logs.push_back(log.get());
    }
    std::sort(logs.begin(), logs.end(),
              [](const ChangeLog *a, const ChangeLog *b) { return a->lastChangeAt() < b->lastChangeAt(); });
    for (ChangeLog *log : logs) {
        if (m_bytes <= flightBytes / 4 * 3)
            break;
        log->dropFlightStates();
    }
    m_trimming = false;
}

} // namespace terrarium
