#include "widgets/chip.h"

#include "style/icons.h"
#include "style/proxy_style.h"

#include <QFontMetrics>
#include <QPainter>

namespace terrarium::ui {

Chip::Chip(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void Chip::setText(const QString &text)
{
    if (m_text == text)
        return;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void Chip::setIcon(const QString &name, ColorRole color)
{
    m_icon = name;
    m_iconColor = color;
    updateGeometry();
    update();
}

void Chip::setFamily(Family family)
{
    m_family = family;
    update();
}

void Chip::setOutlined(bool outlined)
{
    m_outlined = outlined;
    update();
}

void Chip::setStrong(bool strong)
{
    m_strong = strong;
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const
{
    const QFontMetrics metrics(theme().font(m_strong ? FontRole::ChipStrong : FontRole::Chip));
    return {metrics.horizontalAdvance(m_text) + 16 + (m_icon.isEmpty() ? 0 : 18), std::max(20, metrics.height() + 4)};
}

void Chip::paintEvent(QPaintEvent *)
{
    const Theme &t = theme();
    QPainter painter(this);
    if (m_outlined || t.isHighContrast())
        paintPanel(&painter, rect(), Qt::transparent, t.color(ColorRole::Edge), 4);
    else
        paintPanel(&painter, rect(), t.color(familyTint(m_family)), Qt::transparent, 4);
    int x = 8;
    if (!m_icon.isEmpty()) {
        icons::paint(&painter, QPoint(x - 1, (height() - 14) / 2), m_icon, t.color(m_iconColor), 14);
        x += 17;
    }
    painter.setFont(t.font(m_strong ? FontRole::ChipStrong : FontRole::Chip));
    painter.setPen(t.color(ColorRole::Text));
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, m_text);
}

} // namespace terrarium::ui
