#include "widgets/search_field.h"

#include "style/icons.h"
#include "style/proxy_style.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>

namespace terrarium::ui {

SearchField::SearchField(const QString &icon, const QString &placeholder, const QString &keys, QWidget *parent)
    : QLineEdit(parent),
      m_icon(icon),
      m_keys(keys)
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    applyMargins();
    connect(&theme(), &Theme::changed, this, &SearchField::applyMargins);
    connect(this, &QLineEdit::textChanged, this, &SearchField::applyMargins);
}

void SearchField::setKeys(const QString &keys)
{
    m_keys = keys;
    applyMargins();
}

void SearchField::setInvalid(bool invalid)
{
    if (isInvalid() == invalid)
        return;
    setProperty("invalid", invalid);
    update();
}

void SearchField::applyMargins()
{
    const int keys = m_keys.isEmpty() || !text().isEmpty()
                         ? 0
                         : QFontMetrics(theme().font(FontRole::Keys)).horizontalAdvance(m_keys) + 20;
    setTextMargins(26, 0, keys, 0);
    update();
}

void SearchField::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    const Theme &t = theme();
    QPainter painter(this);
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const int y = (height() - 14) / 2;
    icons::paint(&painter, QPoint(mirrored ? width() - 22 : 8, y), m_icon,
                 t.color(isEnabled() ? ColorRole::Muted : ColorRole::Faint), 14);
    if (m_keys.isEmpty() || !text().isEmpty() || !isEnabled())
        return;
    const QFontMetrics metrics(t.font(FontRole::Keys));
    const int keysWidth = metrics.horizontalAdvance(m_keys) + 12;
    const QRect box(mirrored ? 6 : width() - keysWidth - 6, (height() - 18) / 2, keysWidth, 18);
    paintPanel(&painter, box, t.color(ColorRole::Chrome), t.color(ColorRole::Edge), 3);
    painter.setFont(t.font(FontRole::Keys));
    painter.setPen(t.color(ColorRole::Muted));
    painter.drawText(box, Qt::AlignCenter, m_keys);
}

void SearchField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        if (text().isEmpty())
            Q_EMIT escaped();
        else
            clear();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace terrarium::ui
