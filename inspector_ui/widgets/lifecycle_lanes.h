#pragma once
// An actor's life on one time axis: state, what kept it awake, calls, connections, queue and alarms in lanes.
//
// Paints what LifecycleData holds and lays out nothing else; many calls in one pixel are one tick.

#include "models/lifecycle_data.h"

#include <QWidget>

namespace terrarium::ui {

class LifecycleLanes final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(qint64 visibleMs READ visibleMs)
    Q_PROPERTY(qint64 selectedTime READ selectedTime)
public:
    enum Lane { StateLane, AwakeLane, ActionsLane, ConnectionsLane, QueueLane, AlarmsLane, LaneCount };

    explicit LifecycleLanes(QWidget *parent = nullptr);

    /// Kept by the caller; call again after it changed.
    void setData(const LifecycleData *data, int connectionsNow, int queueNow);
    /// What is shown ends now; 0: from the first thing known.
    void setVisibleMs(qint64 ms);
    qint64 visibleMs() const;
    void setNow(qint64 now, bool current);
    /// Host time of the selected transition; 0: none.
    void setSelectedTime(qint64 at);
    qint64 selectedTime() const { return m_selected; }
    /// Where a moment is painted, for tests.
    double xOf(qint64 at) const;
    QRect laneRect(Lane lane) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// A click at a moment: the begin of the state bar under it, else the moment itself.
    void timeChosen(qint64 at);
    void zoomed(qint64 visibleMs);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    QRect plot() const;
    qint64 begin() const { return m_now - visibleMs(); }
    qint64 timeAt(double x) const;
    void paintAxis(QPainter &painter) const;
    void paintStates(QPainter &painter) const;
    void paintAwake(QPainter &painter) const;
    void paintCalls(QPainter &painter) const;
    void paintSteps(QPainter &painter, Lane lane, const QList<CountStep> &steps, int now, int colorRole) const;
    void paintAlarms(QPainter &painter) const;
    void paintMarks(QPainter &painter) const;

    const LifecycleData *m_data = nullptr;
    int m_connections = 0;
    int m_queue = 0;
    qint64 m_visible = 5 * 60 * 1000;
    qint64 m_now = 0;
    qint64 m_selected = 0;
    bool m_current = true;
};

} // namespace terrarium::ui
