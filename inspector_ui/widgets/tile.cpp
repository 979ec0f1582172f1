#include "widgets/tile.h"

#include "style/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace terrarium::ui {

Tile::Tile(const QString &label, Plot plot, QWidget *parent) : QWidget(parent), m_label(label), m_plot(plot)
{
    setFixedHeight(84);
    setMinimumWidth(120);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Tile::setFigure(const QString &figure, const QString &unit)
{
    if (m_figure == figure && m_unit == unit)
        return;
    m_figure = figure;
    m_unit = unit;
    setAccessibleName(QStringLiteral("%1: %2 %3").arg(m_label, figure, unit));
    update();
}

void Tile::setValues(const QList<double> &values)
{
    if (m_values == values)
        return;
    m_values = values;
    update();
}

void Tile::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &th = theme();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(th.color(ColorRole::Hair));
    painter.setBrush(th.color(ColorRole::Panel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(th.font(FontRole::Secondary));
    painter.setPen(th.color(ColorRole::Muted));
    painter.drawText(QRect(12, 6, width() - 24, 20), Qt::AlignLeft | Qt::AlignVCenter, m_label);
    painter.setFont(th.font(FontRole::Figure));
    painter.setPen(th.color(ColorRole::Text));
    const QRect figure(12, 25, width() - 24, 26);
    painter.drawText(figure, Qt::AlignLeft | Qt::AlignVCenter, m_figure);
    const int after = painter.fontMetrics().horizontalAdvance(m_figure);
    painter.setFont(th.font(FontRole::Secondary));
    painter.setPen(th.color(ColorRole::Muted));
    painter.drawText(figure.adjusted(after + 6, 2, 0, 2), Qt::AlignLeft | Qt::AlignVCenter, m_unit);

    const QRectF plot(12, 52, width() - 24, 24);
    if (m_values.isEmpty())
        return;
    const double most = std::max(1.0, *std::max_element(m_values.begin(), m_values.end()));
    const double pitch = plot.width() / double(m_values.size());
    if (m_plot == Plot::Line) {
        QPainterPath line;
        QPointF last;
        for (qsizetype i = 0; i < m_values.size(); ++i) {
            last = QPointF(plot.left() + pitch * (double(i) + 0.5), plot.bottom() - m_values[i] / most * plot.height());
            if (i == 0)
                line.moveTo(last);
            else
                line.lineTo(last);
        }
        QPainterPath area = line;
        area.lineTo(last.x(), plot.bottom());
        area.lineTo(plot.left() + pitch / 2, plot.bottom());
        area.closeSubpath();
        painter.setRenderHint(QPainter::Antialiasing);
        QColor fill = th.color(ColorRole::Accent);
        fill.setAlphaF(0.14f);
        painter.fillPath(area, fill);
        painter.setPen(QPen(th.color(ColorRole::Accent), 1.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(line);
        painter.setPen(Qt::NoPen);
        painter.setBrush(th.color(ColorRole::Accent));
        painter.drawEllipse(last, 2.5, 2.5);
        return;
    }
    painter.setPen(th.color(ColorRole::Hair));
    painter.drawLine(QPointF(plot.left(), plot.bottom() + 1), QPointF(plot.right(), plot.bottom() + 1));
    const QColor color = th.color(m_plot == Plot::ErrorBars ? ColorRole::Bad : ColorRole::Accent);
    for (qsizetype i = 0; i < m_values.size(); ++i) {
        if (m_values[i] <= 0)
            continue;
        const double height = std::max(2.0, m_values[i] / most * plot.height());
        painter.fillRect(
            QRectF(plot.left() + pitch * double(i), plot.bottom() - height, std::max(1.0, pitch - 1), height), color);
    }
}

} // namespace terrarium::ui
