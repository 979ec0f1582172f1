#include "widgets/glyph_label.h"

#include "style/icons.h"

#include <QPainter>

namespace terrarium::ui {

GlyphLabel::GlyphLabel(int size, QWidget *parent) : QWidget(parent), m_size(size)
{
    setFixedSize(size, size);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void GlyphLabel::setGlyph(const QString &icon, ColorRole color, const QString &name)
{
    if (m_icon == icon && m_color == color && accessibleName() == name)
        return;
    m_icon = icon;
    m_color = color;
    setAccessibleName(name);
    setToolTip(name.toHtmlEscaped());
    update();
}

void GlyphLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (!m_icon.isEmpty())
        icons::paint(&painter, {0, 0}, m_icon, theme().color(m_color), m_size);
}

} // namespace terrarium::ui
