#include "shell/ui_tick.h"

#include "shell/host_links.h"

#include "async/environment.h"

#include <algorithm>
#include <vector>

namespace terrarium::ui {

namespace {

constexpr auto uiTickBeat = std::chrono::milliseconds(50);
constexpr auto uiTickSlow = std::chrono::seconds(1);

double uiTickMs(Duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

} // namespace

UiTick::UiTick(Environment &environment, HostLinks &links, QObject *parent)
    : QObject(parent),
      m_environment(environment),
      m_links(links)
{
    connect(&links, &HostLinks::pending, this, &UiTick::request);
}

UiTick::~UiTick() = default;

void UiTick::request()
{
    if (m_armed)
        return;
    m_armed = true;
    m_due = m_environment.clock.now() + uiTickBeat;
    m_timer = m_environment.clock.at(m_due, [this] { beatNow(); });
}

void UiTick::beatNow()
{
    m_timer.cancel();
    const Instant begin = m_environment.clock.now();
    if (m_armed && begin > m_due)
        m_stallMaxMs = std::max(m_stallMaxMs, uiTickMs(begin - m_due));
    m_armed = false;
    if (m_openMs > 0)
        record(m_openMs);
    if (!m_paused)
        m_links.beat();
    Q_EMIT beat();
    ++m_beats;
    m_openMs = std::max(0.0001, uiTickMs(m_environment.clock.now() - begin));
    if (!m_paused && m_links.anyPending())
        request();
}

void UiTick::tickNow()
{
    Q_EMIT tick();
}

void UiTick::setPaused(bool paused)
{
    if (m_paused == paused)
        return;
    m_paused = paused;
    request();
}

void UiTick::setWatched(bool watched)
{
    if (m_watched == watched)
        return;
    m_watched = watched;
    if (watched)
        armSlow();
    else
        m_slow.cancel();
}

void UiTick::armSlow()
{
    m_slowDue = m_environment.clock.now() + uiTickSlow;
    m_slow = m_environment.clock.at(m_slowDue, [this] {
        const Instant now = m_environment.clock.now();
        if (now > m_slowDue)
            m_stallMaxMs = std::max(m_stallMaxMs, uiTickMs(now - m_slowDue));
        if (m_watched)
            armSlow();
        Q_EMIT tick();
    });
}

void UiTick::addPaint(Duration cost)
{
    // Painting belongs to the beat before it; painting without a beat (a hover, a resize) is a frame of its own.
    if (m_openMs > 0)
        m_openMs += uiTickMs(cost);
    else
        record(uiTickMs(cost));
}

void UiTick::record(double ms)
{
    m_costs[m_measured % m_costs.size()] = float(ms);
    ++m_measured;
    m_maxMs = std::max(m_maxMs, ms);
    m_openMs = 0;
}

double UiTick::percentile(double p) const
{
    const size_t n = size_t(std::min<quint64>(m_measured, m_costs.size()));
    if (n == 0)
        return 0;
    std::vector<float> sorted(m_costs.begin(), m_costs.begin() + long(n));
    const size_t at = std::min(n - 1, size_t(double(n) * p));
    std::nth_element(sorted.begin(), sorted.begin() + long(at), sorted.end());
    return double(sorted[at]);
}

void UiTick::resetMeters()
{
    m_measured = 0;
    m_openMs = 0;
    m_maxMs = 0;
    m_stallMaxMs = 0;
}

} // namespace terrarium::ui
