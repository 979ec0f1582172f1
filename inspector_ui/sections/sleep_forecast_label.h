#pragma once
// When the actor will sleep, in a sentence that counts down.

#include "widgets/tint_bar.h"
#include "wire/inspector_messages.h"

namespace terrarium::ui {

class SleepForecastLabel final : public TintBar {
    Q_OBJECT
    Q_PROPERTY(QString forecast READ forecast)
    Q_PROPERTY(qint64 remainingMs READ remainingMs)
public:
    using TintBar::TintBar;

    void show(const wire::ActorSummary &actor, const wire::SleepForecast &forecast, int blockersOn, qint64 hostNow);
    using QWidget::show;
    /// blocked, countdown, grace, asleep, never
    QString forecast() const { return m_forecast; }
    qint64 remainingMs() const { return m_remaining; }

private:
    QString m_forecast;
    qint64 m_remaining = -1;
};

} // namespace terrarium::ui
