#include "widgets/surface.h"

#include <QPainter>

namespace terrarium::ui {

Surface::Surface(ColorRole color, QWidget *parent, Edges edges) : QWidget(parent), m_color(color), m_edges(edges)
{
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Surface::setColorRole(ColorRole color)
{
    m_color = color;
    update();
}

void Surface::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(m_color));
    const QColor hair = theme().color(ColorRole::Hair);
    if (m_edges & Top)
        painter.fillRect(QRect(0, 0, width(), 1), hair);
    if (m_edges & Bottom)
        painter.fillRect(QRect(0, height() - 1, width(), 1), hair);
    if (m_edges & Left)
        painter.fillRect(QRect(0, 0, 1, height()), hair);
    if (m_edges & Right)
        painter.fillRect(QRect(width() - 1, 0, 1, height()), hair);
}

} // namespace terrarium::ui
