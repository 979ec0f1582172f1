#include "widgets/segmented_control.h"

#include "style/proxy_style.h"
#include "style/theme.h"

#include <QAccessible>
#include <QFontMetrics>
#include <QMouseEvent>
#include <QPainter>

namespace terrarium::ui {

SegmentedControl::SegmentedControl(const QStringList &labels, QWidget *parent) : QWidget(parent), m_labels(labels)
{
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleDescription(currentText());
    connect(&theme(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void SegmentedControl::setLabels(const QStringList &labels)
{
    m_labels = labels;
    m_current = std::clamp(m_current, 0, std::max(0, count() - 1));
    updateGeometry();
    update();
}

int SegmentedControl::segmentWidth(int index) const
{
    const QFontMetrics strong(theme().font(FontRole::Strong));
    return strong.horizontalAdvance(m_labels[index]) + 21;
}

QRect SegmentedControl::segmentRect(int index) const
{
    int x = 2;
    for (int i = 0; i < index; ++i)
        x += segmentWidth(i);
    return {x, 2, segmentWidth(index), height() - 4};
}

QSize SegmentedControl::sizeHint() const
{
    int width = 4;
    for (int i = 0; i < count(); ++i)
        width += segmentWidth(i);
    return {width, std::max(28, theme().rowHeight() + 4)};
}

void SegmentedControl::setCurrentIndex(int index)
{
    if (index < 0 || index >= count() || index == m_current)
        return;
    m_current = index;
    setAccessibleDescription(currentText());
    QAccessibleValueChangeEvent event(this, currentText());
    QAccessible::updateAccessibility(&event);
    update();
    Q_EMIT currentChanged(index);
}

void SegmentedControl::paintEvent(QPaintEvent *)
{
    const Theme &t = theme();
    QPainter painter(this);
    paintPanel(&painter, rect(), t.color(ColorRole::Trough),
               t.isHighContrast() ? t.color(ColorRole::Edge) : QColor(Qt::transparent), 6);
    for (int i = 0; i < count(); ++i) {
        const QRect at = segmentRect(i);
        const bool current = i == m_current;
        if (current)
            paintPanel(&painter, at, t.color(ColorRole::Segment), t.color(ColorRole::SegmentEdge), 4.5,
                       t.isHighContrast() ? 2 : 1);
        painter.setFont(t.font(current ? FontRole::Strong : FontRole::Body));
        painter.setPen(t.color(!isEnabled() ? ColorRole::Faint : current ? ColorRole::Text : ColorRole::Muted));
        painter.drawText(at, Qt::AlignCenter | Qt::TextSingleLine, m_labels[i]);
    }
    if (hasFocus())
        paintPanel(&painter, rect(), Qt::transparent, t.color(ColorRole::Accent), 6, 2);
}

void SegmentedControl::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    for (int i = 0; i < count(); ++i) {
        if (segmentRect(i).contains(event->position().toPoint()))
            setCurrentIndex(i);
    }
}

void SegmentedControl::keyPressEvent(QKeyEvent *event)
{
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    switch (event->key()) {
    case Qt::Key_Left: setCurrentIndex(m_current + (mirrored ? 1 : -1)); return;
    case Qt::Key_Right: setCurrentIndex(m_current + (mirrored ? -1 : 1)); return;
    case Qt::Key_Home: setCurrentIndex(0); return;
    case Qt::Key_End: setCurrentIndex(count() - 1); return;
    default: QWidget::keyPressEvent(event);
    }
}

void SegmentedControl::focusInEvent(QFocusEvent *)
{
    update();
}

void SegmentedControl::focusOutEvent(QFocusEvent *)
{
    update();
}

} // namespace terrarium::ui
