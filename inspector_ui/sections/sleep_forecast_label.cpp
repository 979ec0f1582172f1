#include "sections/sleep_forecast_label.h"

#include "models/format.h"

namespace terrarium::ui {

void SleepForecastLabel::show(const wire::ActorSummary &actor, const wire::SleepForecast &forecast, int blockersOn,
                              qint64 hostNow)
{
    m_forecast =
        forecast.kind.isEmpty() ? (blockersOn ? QStringLiteral("blocked") : QStringLiteral("never")) : forecast.kind;
    m_remaining = -1;
    if (m_forecast == QLatin1String("blocked")) {
        setContent(Family::Ok, QStringLiteral("state-running"),
                   blockersOn == 1 ? tr("Stays awake while this is on") : tr("Stays awake while these are on"));
    } else if (m_forecast == QLatin1String("countdown")) {
        m_remaining = qMax<qint64>(0, forecast.at - hostNow);
        setContent(Family::Rest, QStringLiteral("timer"),
                   m_remaining > 0 ? tr("Sleeps in %1").arg(format::countdown(m_remaining)) : tr("Sleeps any moment"),
                   forecast.resetBy.kind.isEmpty()
                       ? QString()
                       : tr("timer restarted by %1").arg(format::causeText(forecast.resetBy)));
    } else if (m_forecast == QLatin1String("grace")) {
        m_remaining = qMax<qint64>(0, forecast.at - hostNow);
        setContent(Family::Warn, QStringLiteral("state-grace"),
                   forecast.at > 0 ? tr("Going to sleep, %1 left at most").arg(format::countdown(m_remaining))
                                   : tr("Going to sleep"),
                   blockersOn ? tr("waits for what is on below") : QString());
    } else if (m_forecast == QLatin1String("asleep")) {
        setContent(Family::Rest, QStringLiteral("state-sleeping"), tr("Asleep"),
                   forecast.at > 0 ? tr("wakes at %1 at the latest").arg(format::time(forecast.at))
                                   : tr("wakes with the next call"));
    } else {
        setContent(Family::Muted, format::statusIcon(actor.status),
                   tr("Does not go to sleep: %1").arg(format::statusLabel(actor.status)));
    }
}

} // namespace terrarium::ui
