#include "host/alarm_clock.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace terrarium {

AlarmClock::AlarmClock(Environment &environment, ActorIndex &index, std::function<void(const ActorRow &)> due)
    : m_environment(environment),
      m_index(index),
      m_due(std::move(due))
{}

void AlarmClock::start()
{
    m_running = true;
    arm(m_environment.clock.wallMs());
}

void AlarmClock::stop()
{
    m_running = false;
    m_timer.cancel();
    m_at = 0;
}

void AlarmClock::consider(qint64 at)
{
    if (m_running && (m_at == 0 || at < m_at))
        arm(at);
}

void AlarmClock::arm(qint64 at)
{
    m_at = at;
    const qint64 wait = std::clamp<qint64>(at - m_environment.clock.wallMs(), 0, longestWaitMs);
    m_timer = m_environment.clock.after(std::chrono::milliseconds(wait), [this] { look(); });
}

void AlarmClock::look()
{
    const qint64 now = m_environment.clock.wallMs();
    if (now < m_at) {
        arm(m_at);
        return;
    }
    m_at = 0;
    try {
        const QList<ActorIndex::Alarm> due = m_index.dueAlarms(now, mostAtOnce);
        for (const ActorIndex::Alarm &alarm : due) {
            if (const std::optional<ActorRow> actor = m_index.findByRow(alarm.row))
                m_due(*actor);
        }
        if (due.size() >= mostAtOnce)
            arm(now + 1'000); // the rest, once these have begun
        else if (const std::optional<ActorIndex::Alarm> next = m_index.nextAlarm(now))
            arm(next->at);
    } catch (const Error &error) {
        spdlog::error("host: cannot read the schedules: {}", error.text().toStdString());
        arm(now + 1'000);
    }
}

} // namespace terrarium
