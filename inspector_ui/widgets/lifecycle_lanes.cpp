#include "widgets/lifecycle_lanes.h"

#include "models/format.h"
#include "style/icons.h"
#include "widgets/row_painter.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace terrarium::ui {

namespace {

constexpr int lanesLabelWidth = 124;
constexpr int lanesAxisHeight = 26;
constexpr int lanesFooter = 24;
constexpr int lanesRight = 14;
constexpr int laneHeights[] = {32, 28, 28, 34, 34, 26};

int lanesTop(int lane)
{
    int y = lanesAxisHeight;
    for (int i = 0; i < lane; ++i)
        y += laneHeights[i];
    return y;
}

qint64 lanesStep(qint64 visible, int width)
{
    static constexpr qint64 steps[] = {1000,   2000,   5000,    10000,   15000,   30000,    60000,    120000,  300000,
                                       600000, 900000, 1800000, 3600000, 7200000, 14400000, 43200000, 86400000};
    for (const qint64 step : steps)
        if (double(step) / double(qMax<qint64>(1, visible)) * width >= 90)
            return step;
    return 86400000 * 7;
}

} // namespace

LifecycleLanes::LifecycleLanes(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setFixedHeight(lanesTop(LaneCount) + lanesFooter);
    setAccessibleName(tr("Lifecycle on a time axis"));
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize LifecycleLanes::sizeHint() const
{
    return {800, lanesTop(LaneCount) + lanesFooter};
}

QSize LifecycleLanes::minimumSizeHint() const
{
    return {320, lanesTop(LaneCount) + lanesFooter};
}

void LifecycleLanes::setData(const LifecycleData *data, int connectionsNow, int queueNow)
{
    m_data = data;
    m_connections = connectionsNow;
    m_queue = queueNow;
    update();
}

void LifecycleLanes::setVisibleMs(qint64 ms)
{
    m_visible = ms;
    update();
}

qint64 LifecycleLanes::visibleMs() const
{
    if (m_visible > 0)
        return m_visible;
    qint64 first = m_now - 60000;
    if (m_data && !m_data->spans.isEmpty())
        first = qMin(first, m_data->spans.first().begin);
    return qMax<qint64>(1000, (m_now - first) * 102 / 100);
}

void LifecycleLanes::setNow(qint64 now, bool current)
{
    const double pixel = double(visibleMs()) / qMax(1, plot().width());
    if (std::abs(double(now - m_now)) < pixel && current == m_current)
        return;
    m_now = now;
    m_current = current;
    update();
}

void LifecycleLanes::setSelectedTime(qint64 at)
{
    if (m_selected != at) {
        m_selected = at;
        update();
    }
}

QRect LifecycleLanes::plot() const
{
    return {lanesLabelWidth, 0, qMax(1, width() - lanesLabelWidth - lanesRight), lanesTop(LaneCount)};
}

QRect LifecycleLanes::laneRect(Lane lane) const
{
    const QRect p = plot();
    return {p.left(), lanesTop(lane), p.width(), laneHeights[lane]};
}

double LifecycleLanes::xOf(qint64 at) const
{
    const QRect p = plot();
    return p.left() + double(at - begin()) / double(visibleMs()) * p.width();
}

qint64 LifecycleLanes::timeAt(double x) const
{
    const QRect p = plot();
    return begin() + qint64((x - p.left()) / p.width() * double(visibleMs()));
}

void LifecycleLanes::paintAxis(QPainter &painter) const
{
    const Theme &th = theme();
    const QRect p = plot();
    static const char *const names[] = {QT_TR_NOOP("State"),       QT_TR_NOOP("Keep-awake"), QT_TR_NOOP("Actions"),
                                        QT_TR_NOOP("Connections"), QT_TR_NOOP("Queue"),      QT_TR_NOOP("Alarms")};
    static const char *const lanesIcons[] = {"lifecycle", "wake", "actions", "connections", "queue", "schedule"};
    painter.setPen(th.color(ColorRole::Hair));
    painter.drawLine(lanesLabelWidth, lanesAxisHeight, lanesLabelWidth, lanesTop(LaneCount) - 1);
    for (int lane = 0; lane < LaneCount; ++lane) {
        const int y = lanesTop(lane);
        painter.setPen(th.color(ColorRole::Hair));
        painter.drawLine(0, y, width(), y);
        icons::paint(&painter, QPoint(12, y + (laneHeights[lane] - 16) / 2), QString::fromLatin1(lanesIcons[lane]),
                     th.color(ColorRole::Muted), 16);
        painter.setFont(th.font(FontRole::Body));
        painter.setPen(th.color(ColorRole::Text));
        painter.drawText(QRect(34, y, lanesLabelWidth - 36, laneHeights[lane]), Qt::AlignLeft | Qt::AlignVCenter,
                         tr(names[lane]));
    }
    painter.setPen(th.color(ColorRole::Hair));
    painter.drawLine(0, lanesTop(LaneCount), width(), lanesTop(LaneCount));

    const qint64 step = lanesStep(visibleMs(), p.width());
    const QString form = step < 60000      ? QStringLiteral("HH:mm:ss")
                         : step < 86400000 ? QStringLiteral("HH:mm")
                                           : QStringLiteral("dd MMM");
    const qint64 offset = qint64(QDateTime::fromMSecsSinceEpoch(m_now).offsetFromUtc()) * 1000;
    const QFontMetrics metrics(th.font(FontRole::Axis));
    const QFontMetrics strong(th.font(FontRole::SecondaryStrong));
    const int nowWidth = strong.horizontalAdvance(tr("now"));
    painter.setFont(th.font(FontRole::Axis));
    qint64 tick = (begin() + offset) / step * step - offset;
    if (tick < begin())
        tick += step;
    for (; tick < m_now; tick += step) {
        const int x = int(xOf(tick));
        painter.setPen(th.color(ColorRole::Hair));
        painter.drawLine(x, lanesAxisHeight, x, lanesTop(LaneCount) + 3);
        const QString text = QDateTime::fromMSecsSinceEpoch(tick).toString(form);
        const int w = metrics.horizontalAdvance(text);
        if (x + w / 2 < p.right() - nowWidth - 6) {
            painter.setPen(th.color(ColorRole::Muted));
            painter.drawText(QRect(x - w / 2, 0, w + 2, lanesAxisHeight), Qt::AlignLeft | Qt::AlignVCenter, text);
        }
    }
    painter.setFont(th.font(FontRole::SecondaryStrong));
    painter.setPen(th.color(m_current ? ColorRole::Text : ColorRole::Muted));
    const QString now = m_current ? tr("now") : format::time(m_now);
    painter.drawText(QRect(p.right() - 80, 0, 80, lanesAxisHeight), Qt::AlignRight | Qt::AlignVCenter, now);
}

void LifecycleLanes::paintStates(QPainter &painter) const
{
    const Theme &th = theme();
    const QRect lane = laneRect(StateLane);
    const int top = lane.top() + (lane.height() - 18) / 2;
    const QFontMetrics metrics(th.font(FontRole::Body));
    for (const StatusSpan &span : m_data->spans) {
        const qint64 end = span.end ? span.end : m_now;
        if (end < begin() || span.begin > m_now)
            continue;
        const double left = qMax(xOf(span.begin), double(lane.left()));
        const double right = qMin(xOf(end), double(lane.right()));
        const QRectF bar(left, top, qMax(2.5, right - left - 1), 18);
        const Family family = format::statusFamily(span.status);
        const bool waits = span.status == wire::ActorStatus::sleepGrace
                           || span.status == wire::ActorStatus::destroyGrace
                           || span.status == wire::ActorStatus::backoff;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(th.color(familyTint(family)));
        painter.drawRoundedRect(bar, 2.5, 2.5);
        painter.restore();
        if (waits)
            row_painter::paintHatch(&painter, bar.toRect(), th.color(familyColor(family)));
        painter.fillRect(QRectF(bar.left(), bar.top(), 2.5, bar.height()), th.color(familyColor(family)));
        if (waits && bar.width() > 8)
            painter.fillRect(QRectF(bar.right() - 2.5, bar.top(), 2.5, bar.height()), th.color(familyColor(family)));
        if (bar.width() < 24)
            continue;
        const QString label = format::statusLabel(span.status);
        const int w = metrics.horizontalAdvance(label);
        const bool fits = !waits && bar.width() >= 30 + w;
        const double iconX = fits ? bar.left() + 7 : bar.left() + (bar.width() - 14) / 2;
        if (waits) {
            painter.fillRect(QRectF(iconX - 3, bar.top(), 20, bar.height()), th.color(familyTint(family)));
        }
        icons::paint(&painter, QPoint(int(iconX), top + 2), format::statusIcon(span.status),
                     th.color(familyColor(family)), 14);
        if (fits) {
            painter.setFont(th.font(FontRole::Body));
            painter.setPen(th.color(ColorRole::Text));
            painter.drawText(QRectF(iconX + 19, bar.top(), bar.width() - 28, bar.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, label);
        }
    }
}

void LifecycleLanes::paintAwake(QPainter &painter) const
{
    const Theme &th = theme();
    const QRect lane = laneRect(AwakeLane);
    const QFontMetrics metrics(th.font(FontRole::Secondary));
    painter.save();
    painter.setClipRect(lane);
    for (const AwakeSpan &span : m_data->awake) {
        if (span.kind == QLatin1String("actions") || span.kind == QLatin1String("action"))
            continue;
        const qint64 end = span.end ? span.end : m_now + 1000;
        const qint64 from = span.begin ? span.begin : begin() - 1000;
        if (end < begin() || from > m_now)
            continue;
        const double left = qMax(xOf(from), double(lane.left()) - 4);
        const double right = qMin(xOf(end), double(lane.right()) + 8);
        const QRectF bar(left + 0.5, lane.top() + 6.5, qMax(4.0, right - left - 1), lane.height() - 12);
        painter.setRenderHint(QPainter::Antialiasing);
        QColor line = th.color(ColorRole::Accent);
        line.setAlphaF(0.45f);
        painter.setPen(QPen(line, 1));
        painter.setBrush(th.color(ColorRole::AccentTint));
        painter.drawRoundedRect(bar, 2.5, 2.5);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QString label = span.label.left(200);
        if (!label.isEmpty() && bar.width() >= metrics.horizontalAdvance(label) + 10) {
            painter.setFont(th.font(FontRole::Secondary));
            painter.setPen(th.color(ColorRole::Text));
            painter.drawText(bar.adjusted(5, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, label);
        }
    }
    painter.restore();
}

void LifecycleLanes::paintCalls(QPainter &painter) const
{
    const Theme &th = theme();
    const QRect lane = laneRect(ActionsLane);
    QColor tick = th.color(ColorRole::Accent);
    tick.setAlphaF(th.isDark() ? 0.85f : 0.75f);
    int lastX = -10;
    std::vector<int> failed;
    auto it = std::lower_bound(m_data->calls.begin(), m_data->calls.end(), begin(),
                               [](const CallTick &c, qint64 at) { return c.at < at; });
    for (; it != m_data->calls.end() && it->at <= m_now; ++it) {
        const int x = int(xOf(it->at));
        if (!it->ok) {
            if (failed.empty() || x - failed.back() > 3)
                failed.push_back(x);
            continue;
        }
        if (x - lastX < 2)
            continue;
        lastX = x;
        painter.fillRect(QRect(x, lane.top() + 7, 2, lane.height() - 14), tick);
    }
    for (const int x : failed)
        icons::paint(&painter, QPoint(x - 7, lane.top() + (lane.height() - 14) / 2), QStringLiteral("failed"),
                     th.color(ColorRole::Bad), 14);
}

void LifecycleLanes::paintSteps(QPainter &painter, Lane which, const QList<CountStep> &steps, int now,
                                int colorRole) const
{
    const Theme &th = theme();
    const QRect lane = laneRect(which);
    const QColor color = th.color(ColorRole(colorRole));
    int most = qMax(1, now);
    int known = -1; // before the range
    for (const CountStep &step : steps) {
        most = qMax(most, step.count);
        if (step.at <= begin())
            known = step.count;
    }
    const double bottom = lane.bottom() - 4;
    const double scale = (lane.height() - 20) / double(most);
    const auto yOf = [&](int count) { return std::round(bottom - count * scale) + 0.5; };
    QPolygonF line;
    double startX = lane.left() + 6;
    if (known < 0 && !steps.isEmpty())
        startX = qMax(startX, xOf(steps.first().at));
    int count = known >= 0 ? known : steps.isEmpty() ? now : steps.first().count;
    struct Label {
        double x;
        int count;
    };
    std::vector<Label> labels{{startX, count}};
    line << QPointF(startX, yOf(count));
    for (const CountStep &step : steps) {
        if (step.at <= begin() || step.at > m_now)
            continue;
        const double x = xOf(step.at);
        if (step.count == count && line.size() > 1)
            continue;
        line << QPointF(x, yOf(count)) << QPointF(x, yOf(step.count));
        count = step.count;
        if (x - labels.back().x < 12)
            labels.back() = {labels.back().x, count};
        else
            labels.push_back({x, count});
    }
    line << QPointF(lane.right(), yOf(count));
    QPolygonF area = line;
    area << QPointF(lane.right(), bottom + 1) << QPointF(line.first().x(), bottom + 1);
    QColor fill = color;
    fill.setAlphaF(0.10f);
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(area);
    painter.setPen(QPen(color, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    painter.restore();
    painter.setFont(th.font(FontRole::Axis));
    painter.setPen(th.color(ColorRole::Text));
    const QFontMetrics metrics(th.font(FontRole::Axis));
    for (const Label &label : labels) {
        if (label.count == 0)
            continue;
        const double y = yOf(label.count);
        const QString text = QString::number(label.count);
        painter.drawText(QPointF(qMin(label.x + 5, double(lane.right() - metrics.horizontalAdvance(text))), y - 3),
                         text);
    }
}

void LifecycleLanes::paintAlarms(QPainter &painter) const
{
    const Theme &th = theme();
    const QRect lane = laneRect(AlarmsLane);
    int lastX = -20;
    for (const AlarmMark &alarm : m_data->alarms) {
        if (alarm.at < begin() || alarm.at > m_now)
            continue;
        const int x = int(xOf(alarm.at));
        if (x - lastX < 10)
            continue;
        lastX = x;
        icons::paint(&painter, QPoint(x - 7, lane.top() + (lane.height() - 14) / 2),
                     alarm.fired ? QStringLiteral("zap") : QStringLiteral("schedule"), th.color(ColorRole::Muted), 14);
    }
}

void LifecycleLanes::paintMarks(QPainter &painter) const
{
    const Theme &th = theme();
    const QRect p = plot();
    const int bottom = lanesTop(LaneCount);
    painter.setFont(th.font(FontRole::Secondary));
    const QFontMetrics metrics(th.font(FontRole::Secondary));
    for (const GenerationMark &mark : m_data->generations) {
        if (mark.at <= begin() || mark.at > m_now)
            continue;
        const int x = int(xOf(mark.at));
        QPen pen(th.color(ColorRole::Text), 1);
        pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.drawLine(x, lanesAxisHeight, x, bottom + 2);
        const QString text = tr("generation %1").arg(mark.generation);
        const int w = metrics.horizontalAdvance(text) + 14;
        const QRectF tag(qMax<double>(p.left(), x - w) + 0.5, bottom + 3.5, w - 1, lanesFooter - 7);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(th.color(ColorRole::Edge));
        painter.setBrush(th.color(ColorRole::Panel));
        painter.drawRoundedRect(tag, 3, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(th.color(ColorRole::Muted));
        painter.drawText(tag, Qt::AlignCenter, text);
    }
    painter.fillRect(QRect(p.right(), lanesAxisHeight - 6, 2, bottom - lanesAxisHeight + 6),
                     th.color(m_current ? ColorRole::Ok : ColorRole::Faint));
    if (m_selected > begin() && m_selected <= m_now) {
        const double x = xOf(m_selected);
        painter.fillRect(QRectF(x - 0.75, lanesAxisHeight, 1.5, bottom - lanesAxisHeight + 4),
                         th.color(ColorRole::Accent));
        const QString text = format::timeMs(m_selected);
        const QFontMetrics data(th.font(FontRole::DataSmall));
        const int w = data.horizontalAdvance(text) + 12;
        const QRectF bubble(qBound<double>(p.left(), x - w / 2.0, p.right() - w + 2), bottom + 3, w, lanesFooter - 6);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(th.color(ColorRole::AccentFill));
        painter.drawRoundedRect(bubble, 3, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setFont(th.font(FontRole::DataSmall));
        painter.setPen(th.color(ColorRole::AccentFillText));
        painter.drawText(bubble, Qt::AlignCenter, text);
    }
}

void LifecycleLanes::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(ColorRole::Base));
    paintAxis(painter);
    if (!m_data || m_now == 0)
        return;
    paintStates(painter);
    paintAwake(painter);
    paintCalls(painter);
    paintSteps(painter, ConnectionsLane, m_data->connections, m_connections, int(ColorRole::Ok));
    paintSteps(painter, QueueLane, m_data->queue, m_queue, int(ColorRole::Info));
    paintAlarms(painter);
    paintMarks(painter);
    painter.setPen(theme().color(ColorRole::Hair));
    painter.drawLine(0, height() - 1, width(), height() - 1);
    if (hasFocus()) {
        painter.setPen(QPen(theme().color(ColorRole::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRect(lanesLabelWidth, lanesAxisHeight, width() - lanesLabelWidth - 1,
                               lanesTop(LaneCount) - lanesAxisHeight));
    }
}

void LifecycleLanes::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || event->position().x() < lanesLabelWidth)
        return;
    qint64 at = timeAt(event->position().x());
    if (m_data && laneRect(StateLane).contains(event->position().toPoint()))
        for (const StatusSpan &span : m_data->spans)
            if (span.begin <= at && (span.end == 0 || at < span.end))
                at = span.begin;
    Q_EMIT timeChosen(at);
}

void LifecycleLanes::wheelEvent(QWheelEvent *event)
{
    const int delta = event->angleDelta().y();
    if (delta == 0)
        return;
    m_visible =
        qBound<qint64>(1000, qint64(double(visibleMs()) * std::pow(1.25, -delta / 120.0)), qint64(14) * 86400000);
    Q_EMIT zoomed(m_visible);
    update();
    event->accept();
}

void LifecycleLanes::keyPressEvent(QKeyEvent *event)
{
    if (!m_data || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    const bool back = event->key() == Qt::Key_Left;
    qint64 best = 0;
    const qint64 from = m_selected ? m_selected : m_now;
    for (const StatusSpan &span : m_data->spans) {
        if (back && span.begin < from)
            best = span.begin;
        if (!back && span.begin > from) {
            best = span.begin;
            break;
        }
    }
    if (best)
        Q_EMIT timeChosen(best);
}

bool LifecycleLanes::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && m_data) {
        auto *help = static_cast<QHelpEvent *>(event);
        const qint64 at = timeAt(help->pos().x());
        QString text;
        if (laneRect(StateLane).contains(help->pos())) {
            for (const StatusSpan &span : m_data->spans)
                if (span.begin <= at && (span.end == 0 || at < span.end))
                    text = tr("%1 from %2, %3")
                               .arg(format::statusLabel(span.status), format::timeMs(span.begin),
                                    format::duration(((span.end ? span.end : m_now) - span.begin) * 1000));
        } else if (laneRect(AwakeLane).contains(help->pos())) {
            for (const AwakeSpan &span : m_data->awake)
                if (span.begin <= at && (span.end == 0 || at < span.end))
                    text = format::toolTip(span.label.isEmpty() ? span.kind : span.label);
        }
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace terrarium::ui
