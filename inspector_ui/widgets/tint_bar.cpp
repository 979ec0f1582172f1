#include "widgets/tint_bar.h"

#include "style/icons.h"

#include <QPainter>

namespace terrarium::ui {

TintBar::TintBar(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void TintBar::setContent(Family family, const QString &icon, const QString &text, const QString &detail)
{
    if (m_family == family && m_icon == icon && m_text == text && m_detail == detail)
        return;
    const bool resized = m_detail.isEmpty() != detail.isEmpty();
    m_family = family;
    m_icon = icon;
    m_text = text;
    m_detail = detail;
    setAccessibleName(detail.isEmpty() ? text : text + QLatin1String(", ") + detail);
    if (resized)
        updateGeometry();
    update();
}

QSize TintBar::sizeHint() const
{
    const int line = theme().rowHeight() + 4;
    return {200, m_detail.isEmpty() ? line : line + 18};
}

void TintBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &th = theme();
    painter.fillRect(rect(), th.color(familyTint(m_family)));
    const int first = th.rowHeight() + 4;
    if (!m_icon.isEmpty())
        icons::paint(&painter, QPoint(12, (first - 16) / 2), m_icon, th.color(familyColor(m_family)), 16);
    const int left = m_icon.isEmpty() ? 12 : 32;
    painter.setFont(th.font(FontRole::Body));
    painter.setPen(th.color(ColorRole::Text));
    const QRect line(left, 0, width() - left - 8, first);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(m_text, Qt::ElideRight, line.width()));
    if (!m_detail.isEmpty()) {
        painter.setFont(th.font(FontRole::Secondary));
        painter.setPen(th.color(ColorRole::Muted));
        const QRect second(left, first - 5, width() - left - 8, 18);
        painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(m_detail, Qt::ElideRight, second.width()));
    }
}

} // namespace terrarium::ui
