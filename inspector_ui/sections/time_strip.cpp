#include "sections/time_strip.h"

#include "async/clock.h"
#include "models/format.h"
#include "models/link_facts.h"
#include "style/theme.h"
#include "widgets/chip.h"
#include "widgets/icon_button.h"
#include "widgets/run_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace terrarium::ui {

TimeStrip::TimeStrip(QWidget *parent) : QWidget(parent), m_slider(new TimeSlider(this))
{
    setFixedHeight(62);
    const auto button = [this](const char *icon, const QString &tip, const char *name) {
        auto *b = new IconButton(QString::fromLatin1(icon), tip, this);
        b->setObjectName(QString::fromLatin1(name));
        b->setFixedSize(26, 26);
        return b;
    };
    m_first = button("step-first", tr("First kept change (Home)"), "deltaFirstButton");
    m_back = button("step-back", tr("Change before ([)"), "deltaPrevButton");
    m_play = button("play", tr("Play from here (Space)"), "deltaPlayButton");
    m_forward = button("step-forward", tr("Next change (])"), "deltaNextButton");
    m_live = button("step-last", tr("Back to live (End)"), "deltaLiveButton");
    m_slider->setObjectName(QStringLiteral("deltaSlider"));
    m_chip = new Chip(this);
    m_chip->setObjectName(QStringLiteral("liveBadge"));
    m_chip->setStrong(true);
    m_position = new RunLabel(this);
    m_position->setObjectName(QStringLiteral("deltaPositionLabel"));
    m_position->setAlignment(Qt::AlignRight);

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 12, 0);
    row->setSpacing(0);
    for (IconButton *b : {m_first, m_back, m_play, m_forward, m_live})
        row->addWidget(b, 0, Qt::AlignVCenter);
    row->addSpacing(12);
    row->addWidget(m_slider, 1);
    row->addSpacing(3);
    // A column of fixed width, so that nothing moves when numbers grow.
    auto *right = new QWidget(this);
    right->setFixedWidth(124);
    auto *column = new QVBoxLayout(right);
    column->setContentsMargins(0, 7, 0, 7);
    column->setSpacing(4);
    column->addWidget(m_chip, 0, Qt::AlignRight);
    column->addWidget(m_position);
    row->addWidget(right);

    connect(m_first, &IconButton::clicked, this, &TimeStrip::goFirst);
    connect(m_back, &IconButton::clicked, this, [this] { step(-1); });
    connect(m_play, &IconButton::clicked, this, &TimeStrip::togglePlay);
    connect(m_forward, &IconButton::clicked, this, [this] { step(1); });
    connect(m_live, &IconButton::clicked, this, &TimeStrip::goLive);
    connect(m_slider, &TimeSlider::moved, this, [this](quint64 sequence) {
        stop();
        if (m_cursor)
            m_cursor->goTo(sequence);
    });
    connect(m_slider, &TimeSlider::liveRequested, this, &TimeStrip::goLive);
    connect(m_slider, &TimeSlider::stepRequested, this, &TimeStrip::step);
    m_timer.setInterval(50);
    connect(&m_timer, &QTimer::timeout, this, &TimeStrip::advance);
}

void TimeStrip::setContext(const SectionContext &context)
{
    stop();
    if (m_cursor)
        m_cursor->disconnect(this);
    m_context = context;
    m_client = context.client;
    m_cursor = context.cursor;
    m_slider->setFeed(context.feed);
    if (m_cursor)
        connect(m_cursor, &TimeCursor::changed, this, &TimeStrip::cursorChanged);
    cursorChanged();
}

void TimeStrip::setSleep(const QList<TimeSlider::Stretch> &sleep)
{
    m_slider->setSleep(sleep);
}

void TimeStrip::refresh(qint64 hostNow, bool current)
{
    m_hostNow = hostNow;
    m_current = current;
    m_slider->setNow(hostNow);
    m_slider->setStale(m_client && !isLinked(*m_client) && m_client->state() != LinkState::Connecting);
    m_slider->refresh();
    showPosition(hostNow, current);
}

void TimeStrip::cursorChanged()
{
    if (m_cursor)
        m_slider->setCursor(m_cursor->isLive(), m_cursor->sequence());
    showPosition(m_hostNow, m_current);
}

qint64 TimeStrip::timeOf(quint64 sequence) const
{
    if (!m_context.feed)
        return 0;
    const auto &deltas = m_context.feed->deltas();
    if (const int at = m_context.feed->indexOf(sequence); at >= 0)
        return deltas[size_t(at)].at;
    return deltas.empty() ? 0 : deltas.front().at;
}

void TimeStrip::showPosition(qint64 hostNow, bool current)
{
    const ActorFeed *feed = m_context.feed.get();
    const bool live = !m_cursor || m_cursor->isLive();
    const quint64 newest = feed ? feed->newestSequence() : 0;
    const quint64 shown = live ? newest : m_cursor->sequence();
    const bool lost = m_client && !isLinked(*m_client);
    m_chip->setVisible(feed && feed->isLoaded());
    m_chip->setProperty("live", live && current && !lost);
    m_chip->setOutlined(false);
    if (!live) {
        m_chip->setFamily(Family::Warn);
        m_chip->setIcon(QStringLiteral("replay"), ColorRole::Warn);
        m_chip->setText(tr("%1 behind").arg(format::timer(qMax<qint64>(0, hostNow - timeOf(shown)))));
    } else if (lost) {
        m_chip->setFamily(Family::Muted);
        m_chip->setIcon(QString(), ColorRole::Muted);
        m_chip->setText(feed ? tr("As of %1").arg(format::time(hostNow)) : QString());
    } else if (!current) {
        m_chip->setFamily(Family::Warn);
        m_chip->setIcon(QStringLiteral("clock"), ColorRole::Warn);
        m_chip->setText(tr("Catching up"));
    } else {
        m_chip->setFamily(Family::Ok);
        m_chip->setIcon(QStringLiteral("live"), ColorRole::Ok);
        m_chip->setText(tr("Live"));
    }
    m_position->setRuns({Run(QStringLiteral("#%1").arg(shown), ColorRole::Text, FontRole::Data),
                         Run(tr(" of %1").arg(newest), ColorRole::Muted, FontRole::Data)});

    const QString none = feed && !feed->deltas().empty() ? QString() : tr("There is no change to go to.");
    const bool atFirst = !live && feed && !feed->deltas().empty() && shown < feed->deltas().front().delta.sequence;
    m_first->setDisabledReason(none);
    m_back->setDisabledReason(!none.isEmpty() ? none
                              : atFirst       ? tr("This is before the first kept change.")
                                              : QString());
    const QString isLive = live ? tr("The view is live.") : QString();
    m_play->setDisabledReason(isLive);
    m_forward->setDisabledReason(isLive);
    m_live->setDisabledReason(isLive);
}

void TimeStrip::step(int deltas)
{
    if (!m_cursor || !m_context.feed || m_context.feed->deltas().empty())
        return;
    stop();
    const auto &all = m_context.feed->deltas();
    TimeCursor *cursor = m_cursor.data();
    // Position counts deltas passed: 0 is before the first one.
    qint64 position;
    if (cursor->isLive()) {
        if (deltas > 0)
            return;
        position = qint64(all.size());
    } else {
        const auto after = std::upper_bound(all.begin(), all.end(), cursor->sequence(),
                                            [](quint64 s, const FeedDelta &d) { return s < d.delta.sequence; });
        position = after - all.begin();
    }
    position += deltas;
    if (position > qint64(all.size())) {
        cursor->goLive();
        return;
    }
    if (position <= 0)
        cursor->goTo(all.front().delta.base);
    else
        cursor->goTo(all[size_t(position - 1)].delta.sequence);
}

void TimeStrip::goFirst()
{
    stop();
    if (m_cursor && m_context.feed && !m_context.feed->deltas().empty())
        m_cursor->goTo(m_context.feed->deltas().front().delta.sequence);
}

void TimeStrip::goLive()
{
    stop();
    if (m_cursor)
        m_cursor->goLive();
}

void TimeStrip::togglePlay()
{
    if (!m_cursor || m_cursor->isLive() || !m_context.clock)
        return;
    if (!isPlaying())
        m_speed = 1;
    else if (m_speed < 16)
        m_speed *= 4;
    else
        return stop();
    m_playFrom = timeOf(m_cursor->sequence());
    m_playStart = m_context.clock->wallMs();
    m_play->setIconName(m_speed < 16 ? QStringLiteral("play") : QStringLiteral("pause"), ColorRole::Accent);
    m_play->setTip(m_speed < 16 ? tr("Playing at %1x. Again for faster (Space)").arg(m_speed)
                                : tr("Playing at 16x. Again to stop (Space)"));
    m_timer.start();
}

void TimeStrip::stop()
{
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    m_play->setIconName(QStringLiteral("play"));
    m_play->setTip(tr("Play from here (Space)"));
}

void TimeStrip::advance()
{
    if (!m_cursor || m_cursor->isLive() || !m_context.feed || m_context.feed->deltas().empty())
        return stop();
    const qint64 at = m_playFrom + (m_context.clock->wallMs() - m_playStart) * m_speed;
    const auto &all = m_context.feed->deltas();
    const auto after =
        std::upper_bound(all.begin(), all.end(), at, [](qint64 t, const FeedDelta &d) { return t < d.at; });
    if (after == all.end()) {
        stop();
        m_cursor->goLive();
        return;
    }
    if (after != all.begin() && (after - 1)->delta.sequence > m_cursor->sequence())
        m_cursor->goTo((after - 1)->delta.sequence);
}

void TimeStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(ColorRole::Base));
    painter.setPen(theme().color(ColorRole::Hair));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

} // namespace terrarium::ui
