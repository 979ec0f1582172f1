#include "shell/status_item.h"

#include "style/icons.h"
#include "style/proxy_style.h"

#include <QFontMetrics>
#include <QPainter>

namespace terrarium::ui {

StatusItem::StatusItem(const QString &name, bool clickable, QWidget *parent) : QAbstractButton(parent)
{
    setObjectName(name);
    setFocusPolicy(clickable ? Qt::TabFocus : Qt::NoFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setAttribute(Qt::WA_Hover, clickable);
    if (!clickable)
        setAttribute(Qt::WA_TransparentForMouseEvents, false);
    connect(&theme(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void StatusItem::setContent(const QString &icon, ColorRole iconColor, const QString &text, ColorRole textColor)
{
    if (m_icon == icon && m_iconColor == iconColor && this->text() == text && m_textColor == textColor)
        return;
    m_icon = icon;
    m_iconColor = iconColor;
    m_textColor = textColor;
    setText(text);
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize StatusItem::sizeHint() const
{
    const QFontMetrics metrics(theme().font(FontRole::Secondary));
    return {metrics.horizontalAdvance(text()) + (m_icon.isEmpty() ? 0 : 18) + 2, metrics.height()};
}

void StatusItem::paintEvent(QPaintEvent *)
{
    const Theme &t = theme();
    QPainter painter(this);
    int x = 0;
    if (!m_icon.isEmpty()) {
        icons::paint(&painter, QPoint(0, (height() - 14) / 2), m_icon, t.color(m_iconColor), 14);
        x = 18;
    }
    painter.setFont(t.font(FontRole::Secondary));
    painter.setPen(t.color(m_textColor));
    const QRect area(x, 0, width() - x, height());
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text());
    if (focusPolicy() != Qt::NoFocus && underMouse()) {
        const QFontMetrics metrics(painter.font());
        const int y = (height() + metrics.ascent() - metrics.descent()) / 2 + 2;
        painter.fillRect(QRect(x, y, metrics.horizontalAdvance(text()), 1), t.color(m_textColor));
    }
    if (hasFocus())
        paintPanel(&painter, rect(), Qt::transparent, t.color(ColorRole::Accent), 3, 2);
}

} // namespace terrarium::ui
