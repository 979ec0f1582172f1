#pragma once
// The track of an actor's history: one bar per 3 px for how much changed, sleep and gaps, and the time cursor.
//
// The horizontal axis is time, the value is a delta's number. The range follows "now" until it is zoomed or
// the cursor leaves it. It asks the feed only while painting, and only for what is visible.

#include "client/actor_feed.h"

#include <QWidget>

namespace terrarium::ui {

class TimeSlider final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(quint64 value READ value NOTIFY valueChanged)
    Q_PROPERTY(quint64 minimum READ minimum)
    Q_PROPERTY(quint64 maximum READ maximum)
    Q_PROPERTY(bool live READ isLive)
    Q_PROPERTY(qint64 visibleMs READ visibleMs)
public:
    struct Stretch {
        qint64 begin = 0;
        qint64 end = 0; ///< 0: still going on
    };

    explicit TimeSlider(QWidget *parent = nullptr);

    void setFeed(std::shared_ptr<ActorFeed> feed);
    void setSleep(const QList<Stretch> &sleep);
    /// Host time. Repaints only when a pixel could differ.
    void setNow(qint64 now);
    /// Deltas or gaps came.
    void refresh();
    void setCursor(bool live, quint64 sequence);
    using QWidget::setCursor;
    /// The link is lost: everything grey.
    void setStale(bool stale);

    /// The delta the knob stands at; the newest while live.
    quint64 value() const;
    quint64 minimum() const;
    quint64 maximum() const;
    bool isLive() const { return m_live; }
    qint64 visibleMs() const { return m_visible; }
    void zoom(double factor, double at = 1.0); ///< `at`: 0 left edge to 1 right edge stays where it is
    void showAll();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void moved(quint64 sequence);
    void liveRequested();
    void stepRequested(int deltas);
    void valueChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QRect track() const;
    qint64 rangeEnd() const;
    qint64 rangeBegin() const { return rangeEnd() - m_visible; }
    double xOf(qint64 at) const;
    qint64 timeAt(double x) const;
    quint64 sequenceAt(qint64 at) const;
    qint64 cursorTime() const;
    void keepCursorVisible();
    void goToX(double x);
    void describe();

    std::shared_ptr<ActorFeed> m_feed;
    QList<Stretch> m_sleep;
    qint64 m_now = 0;
    qint64 m_visible = 0;
    qint64 m_end = 0; ///< 0: follows now
    bool m_zoomed = false;
    bool m_live = true;
    bool m_stale = false;
    quint64 m_sequence = 0;
};

} // namespace terrarium::ui
