#pragma once
// The bar under the state: transport buttons, the time track, and where the view stands.

#include "sections/section.h"
#include "widgets/time_slider.h"

#include <QPointer>
#include <QTimer>

namespace terrarium::ui {

class Chip;
class IconButton;
class RunLabel;

class TimeStrip final : public QWidget {
    Q_OBJECT
    Q_PROPERTY(bool playing READ isPlaying)
    Q_PROPERTY(int playSpeed READ playSpeed)
public:
    explicit TimeStrip(QWidget *parent = nullptr);

    void setContext(const SectionContext &context);
    /// Takes over what changed; cheap.
    void refresh(qint64 hostNow, bool current);
    void setSleep(const QList<TimeSlider::Stretch> &sleep);

    TimeSlider *slider() const { return m_slider; }
    bool isPlaying() const { return m_timer.isActive(); }
    int playSpeed() const { return m_speed; }
    void step(int deltas);
    void goFirst();
    void goLive();
    /// Starts, goes faster (1, 4, 16 times), stops.
    void togglePlay();
    void stop();
    /// One step of playing; called by its own timer.
    void advance();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void cursorChanged();
    void showPosition(qint64 hostNow, bool current);
    qint64 timeOf(quint64 sequence) const;

    SectionContext m_context;
    QPointer<InspectorClient> m_client;
    QPointer<TimeCursor> m_cursor;
    TimeSlider *m_slider;
    IconButton *m_first;
    IconButton *m_back;
    IconButton *m_play;
    IconButton *m_forward;
    IconButton *m_live;
    Chip *m_chip;
    RunLabel *m_position;
    QTimer m_timer;
    int m_speed = 1;
    qint64 m_playFrom = 0;  ///< host time where playing began
    qint64 m_playStart = 0; ///< local time when it began
    qint64 m_hostNow = 0;
    bool m_current = true;
};

} // namespace terrarium::ui
