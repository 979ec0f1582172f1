#pragma once
// The window's one beat: 50 ms after something became dirty, everything visible takes over what arrived, once.
//
// Nothing runs while nothing is dirty. A second, slow tick drives ages and countdowns while somebody looks.
// It also measures what a beat and the painting after it cost, and how late it was: the figures of the status bar.

#include "async/clock.h"

#include <QObject>

#include <array>

namespace terrarium {
struct Environment;
}

namespace terrarium::ui {

class HostLinks;

class UiTick final : public QObject {
    Q_OBJECT
public:
    UiTick(Environment &environment, HostLinks &links, QObject *parent = nullptr);
    ~UiTick() override;

    /// Something visible is out of date: beat within 50 ms.
    void request();
    /// The beat now, for tests.
    void beatNow();
    /// The slow tick now, for tests.
    void tickNow();
    /// Frozen display: links go on and collect, nothing is taken over.
    void setPaused(bool paused);
    bool isPaused() const { return m_paused; }
    /// The slow tick runs while true.
    void setWatched(bool watched);

    /// Painting that followed a beat.
    void addPaint(Duration cost);
    double frameP50Ms() const { return percentile(0.50); }
    double frameP95Ms() const { return percentile(0.95); }
    double frameP99Ms() const { return percentile(0.99); }
    double frameMaxMs() const { return m_maxMs; }
    double stallMaxMs() const { return m_stallMaxMs; }
    void resetMeters();
    quint64 beats() const { return m_beats; }

Q_SIGNALS:
    void beat(); ///< after the links handed over
    void tick(); ///< about once a second

private:
    double percentile(double p) const;
    void record(double ms);
    void armSlow();

    Environment &m_environment;
    HostLinks &m_links;
    Timer m_timer;
    Timer m_slow;
    bool m_armed = false;
    bool m_paused = false;
    bool m_watched = false;
    Instant m_due{};
    Instant m_slowDue{};
    std::array<float, 256> m_costs{};
    quint64 m_beats = 0;
    quint64 m_measured = 0;
    double m_openMs = 0;
    double m_maxMs = 0;
    double m_stallMaxMs = 0;
};

} // namespace terrarium::ui
