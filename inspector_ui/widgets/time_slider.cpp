#include "widgets/time_slider.h"

#include "style/icons.h"
#include "style/theme.h"
#include "widgets/row_painter.h"

#include <QDateTime>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace terrarium::ui {

namespace {
constexpr int trackTop = 9; // room for the knob
constexpr int trackHeight = 28;
constexpr int pxPerMinute = 146;
constexpr int barPitch = 3;
constexpr int barWidth = 2;
constexpr qint64 shortestRange = 1000;
constexpr qint64 longestRange = qint64(14) * 24 * 3600 * 1000;

/// A step of the axis that leaves about 90 px between labels.
qint64 axisStep(qint64 visible, int width)
{
    static constexpr qint64 steps[] = {100,     200,     500,     1000,     2000,     5000,    10000,
                                       15000,   30000,   60000,   120000,   300000,   600000,  900000,
                                       1800000, 3600000, 7200000, 14400000, 43200000, 86400000};
    for (const qint64 step : steps)
        if (double(step) / double(qMax<qint64>(1, visible)) * width >= 90)
            return step;
    return 86400000 * 7;
}

} // namespace

TimeSlider::TimeSlider(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Time in the history of the actor"));
    setToolTip(tr("Drag to look at an earlier state. Wheel zooms, double-click shows everything."));
    QWidget::setCursor(Qt::ArrowCursor);
}

QSize TimeSlider::sizeHint() const
{
    return {512, 60};
}

QSize TimeSlider::minimumSizeHint() const
{
    return {120, 60};
}

void TimeSlider::setFeed(std::shared_ptr<ActorFeed> feed)
{
    m_feed = std::move(feed);
    m_sleep.clear();
    m_end = 0;
    m_zoomed = false;
    m_visible = qint64(double(track().width()) / pxPerMinute * 60000.0);
    describe();
    update();
}

void TimeSlider::setSleep(const QList<Stretch> &sleep)
{
    m_sleep = sleep;
    update();
}

void TimeSlider::setNow(qint64 now)
{
    const double pixel = double(m_visible) / qMax(1, track().width());
    const bool moved = std::abs(double(now - m_now)) >= pixel;
    if (!moved && m_now != 0)
        return;
    m_now = now;
    if (m_end == 0)
        update();
}

void TimeSlider::refresh()
{
    describe();
    if (m_live)
        Q_EMIT valueChanged();
    update();
}

void TimeSlider::setCursor(bool live, quint64 sequence)
{
    if (m_live == live && m_sequence == sequence)
        return;
    m_live = live;
    m_sequence = sequence;
    if (live)
        m_end = 0;
    else
        keepCursorVisible();
    describe();
    Q_EMIT valueChanged();
    update();
}

void TimeSlider::setStale(bool stale)
{
    if (m_stale != stale) {
        m_stale = stale;
        update();
    }
}

quint64 TimeSlider::value() const
{
    return m_live ? maximum() : m_sequence;
}

quint64 TimeSlider::minimum() const
{
    return m_feed && !m_feed->deltas().empty() ? m_feed->deltas().front().delta.sequence : 0;
}

quint64 TimeSlider::maximum() const
{
    return m_feed ? m_feed->newestSequence() : 0;
}

void TimeSlider::describe()
{
    setAccessibleDescription(m_live ? tr("Live, #%1").arg(maximum()) : tr("#%1 of %2").arg(value()).arg(maximum()));
}

QRect TimeSlider::track() const
{
    return {0, trackTop, width() - 6, trackHeight}; // the knob has room at the right
}

qint64 TimeSlider::rangeEnd() const
{
    return m_end ? m_end : m_now;
}

double TimeSlider::xOf(qint64 at) const
{
    const QRect t = track();
    return t.left() + double(at - rangeBegin()) / double(qMax<qint64>(1, m_visible)) * t.width();
}

qint64 TimeSlider::timeAt(double x) const
{
    const QRect t = track();
    return rangeBegin() + qint64((x - t.left()) / qMax(1, t.width()) * double(m_visible));
}

quint64 TimeSlider::sequenceAt(qint64 at) const
{
    if (!m_feed || m_feed->deltas().empty())
        return 0;
    const auto &deltas = m_feed->deltas();
    const auto after =
        std::upper_bound(deltas.begin(), deltas.end(), at, [](qint64 t, const FeedDelta &d) { return t < d.at; });
    if (after == deltas.begin())
        return deltas.front().delta.base;
    const auto before = after - 1;
    return before->delta.sequence;
}

qint64 TimeSlider::cursorTime() const
{
    if (m_live || !m_feed)
        return rangeEnd();
    const int at = m_feed->indexOf(m_sequence);
    if (at >= 0)
        return m_feed->deltas()[size_t(at)].at;
    const auto &deltas = m_feed->deltas();
    if (deltas.empty())
        return m_now;
    return m_sequence < deltas.front().delta.sequence ? deltas.front().at - 1 : m_now;
}

void TimeSlider::keepCursorVisible()
{
    const qint64 at = cursorTime();
    if (at < rangeBegin())
        m_end = at + m_visible * 9 / 10;
    else if (at > rangeEnd())
        m_end = at + m_visible / 10;
    if (m_end >= m_now)
        m_end = 0;
}

void TimeSlider::zoom(double factor, double at)
{
    const qint64 fixed = rangeBegin() + qint64(double(m_visible) * at);
    m_visible = qBound(shortestRange, qint64(double(m_visible) * factor), longestRange);
    m_zoomed = true;
    const qint64 end = fixed + qint64(double(m_visible) * (1.0 - at));
    m_end = end >= m_now || at >= 0.98 ? 0 : end;
    update();
}

void TimeSlider::showAll()
{
    if (!m_feed || m_feed->deltas().empty())
        return;
    m_visible = qBound(shortestRange, m_now - m_feed->deltas().front().at + 1000, longestRange);
    m_zoomed = true;
    m_end = 0;
    update();
}

void TimeSlider::resizeEvent(QResizeEvent *)
{
    if (!m_zoomed)
        m_visible = qint64(double(track().width()) / pxPerMinute * 60000.0);
}

void TimeSlider::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRect t = track();
    const Theme &th = theme();
    const bool dark = th.isDark();
    painter.setPen(th.color(ColorRole::Hair));
    painter.setBrush(th.color(ColorRole::Panel));
    painter.drawRect(QRect(t.left(), t.top(), t.width() - 1, t.height() - 1));
    if (!m_feed || m_visible <= 0)
        return;
    painter.setClipRect(t);

    for (const Stretch &sleep : m_sleep) {
        const qint64 end = sleep.end ? sleep.end : m_now;
        const QRectF box(QPointF(xOf(sleep.begin), t.top()), QPointF(xOf(end), t.bottom() + 1));
        if (box.right() < t.left() || box.left() > t.right())
            continue;
        QColor fill = th.color(ColorRole::Rest);
        fill.setAlphaF(0.13f);
        painter.fillRect(box, fill);
        if (box.width() >= 20)
            icons::paint(&painter, box.center().toPoint() - QPoint(6, 6), QStringLiteral("state-sleeping"),
                         th.color(m_stale ? ColorRole::Faint : ColorRole::Rest), 12);
    }

    // One bar per 3 px for the number of changes in it.
    const auto &deltas = m_feed->deltas();
    const qint64 cursorAt = cursorTime();
    const int slots = t.width() / barPitch + 1;
    // Counted by searching for the bars' borders, so that the cost does not grow with the number of deltas.
    std::vector<int> counts(size_t(slots), 0);
    int most = 1;
    const auto borderOf = [&](int slot) {
        const qint64 at = timeAt(t.left() + slot * barPitch);
        return std::lower_bound(deltas.begin(), deltas.end(), at,
                                [](const FeedDelta &d, qint64 time) { return d.at < time; });
    };
    auto border = borderOf(0);
    for (int slot = 0; slot < slots; ++slot) {
        const auto next = borderOf(slot + 1);
        counts[size_t(slot)] = int(next - border);
        most = qMax(most, counts[size_t(slot)]);
        border = next;
    }
    QColor before = th.color(m_stale ? ColorRole::Faint : ColorRole::Accent);
    before.setAlphaF(m_stale ? 0.35f : dark ? 0.75f : 0.62f);
    QColor after = th.color(ColorRole::Faint);
    after.setAlphaF(0.35f);
    const double cursorX = xOf(cursorAt);
    const double top = t.height() - 4;
    for (int slot = 0; slot < slots; ++slot) {
        if (counts[size_t(slot)] == 0)
            continue;
        const int x = t.left() + slot * barPitch;
        const double height = qMax(2.0, top * std::sqrt(double(counts[size_t(slot)]) / double(qMax(most, 4))));
        painter.fillRect(QRectF(x, t.bottom() - std::round(height), barWidth, std::round(height)),
                         !m_live && x > cursorX ? after : before);
    }
    for (const FeedGap &gap : m_feed->gaps()) {
        double left = xOf(gap.from), right = xOf(gap.to);
        if (right - left < 8) {
            const double mid = (left + right) / 2;
            left = mid - 4;
            right = mid + 4;
        }
        const QRect box(QPoint(int(left), t.top() + 1), QPoint(int(right), t.bottom() - 1));
        if (!box.intersects(t))
            continue;
        painter.fillRect(box, th.color(ColorRole::WarnTint));
        row_painter::paintHatch(&painter, box, th.color(ColorRole::Warn));
    }
    painter.setClipping(false);

    // Axis.
    painter.setFont(th.font(FontRole::Axis));
    painter.setPen(th.color(ColorRole::Muted));
    const qint64 step = axisStep(m_visible, t.width());
    const QString form = step < 1000    ? QStringLiteral("HH:mm:ss.z")
                         : step < 60000 ? QStringLiteral("HH:mm:ss")
                                        : QStringLiteral("HH:mm");
    const qint64 offset = qint64(QDateTime::fromMSecsSinceEpoch(m_now).offsetFromUtc()) * 1000;
    const QFontMetrics metrics(th.font(FontRole::Axis));
    qint64 tick = (rangeBegin() + offset) / step * step - offset;
    if (tick < rangeBegin())
        tick += step;
    for (; tick <= rangeEnd(); tick += step) {
        const QString text = QDateTime::fromMSecsSinceEpoch(tick).toString(form);
        const int w = metrics.horizontalAdvance(text);
        const int x = int(xOf(tick));
        painter.drawLine(x, t.bottom() + 1, x, t.bottom() + 3);
        const int left = qBound(0, x - w / 2, qMax(0, width() - w));
        painter.drawText(QRect(left, t.bottom() + 3, w + 2, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    }

    // Cursor.
    const ColorRole role = m_stale ? ColorRole::Faint : m_live ? ColorRole::Ok : ColorRole::Warn;
    const double x = qBound(double(t.left()) + 1, cursorX, double(t.right()) - 1);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(th.color(role), 2));
    painter.drawLine(QPointF(x, t.top() + 2), QPointF(x, t.bottom() + 1));
    painter.setBrush(th.color(ColorRole::Base));
    painter.drawEllipse(QPointF(x, t.top() - 2), 4.5, 4.5);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(th.color(ColorRole::Accent), 2));
        painter.drawRoundedRect(QRectF(t).adjusted(1, 1, -1, -1), 3, 3);
    }
}

void TimeSlider::goToX(double x)
{
    if (!m_feed)
        return;
    if (x >= track().right() - 2 && m_end == 0) {
        Q_EMIT liveRequested();
        return;
    }
    const quint64 sequence = sequenceAt(timeAt(qMax(x, double(track().left()))));
    if (sequence > 0 || !m_feed->deltas().empty())
        Q_EMIT moved(sequence);
}

void TimeSlider::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        goToX(event->position().x());
}

void TimeSlider::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton)
        goToX(event->position().x());
}

void TimeSlider::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        showAll();
}

void TimeSlider::wheelEvent(QWheelEvent *event)
{
    const int delta = event->angleDelta().y();
    if (delta == 0)
        return;
    const double at = qBound(0.0, (event->position().x() - track().left()) / qMax(1, track().width()), 1.0);
    zoom(std::pow(1.25, -delta / 120.0), m_live && at > 0.9 ? 1.0 : at);
    event->accept();
}

void TimeSlider::keyPressEvent(QKeyEvent *event)
{
    const int far = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: Q_EMIT stepRequested(-far); return;
    case Qt::Key_Right:
    case Qt::Key_Up: Q_EMIT stepRequested(far); return;
    case Qt::Key_PageUp: Q_EMIT stepRequested(100); return;
    case Qt::Key_PageDown: Q_EMIT stepRequested(-100); return;
    case Qt::Key_Plus: zoom(0.8); return;
    case Qt::Key_Minus: zoom(1.25); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace terrarium::ui
