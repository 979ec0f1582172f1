#include "widgets/themed_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace terrarium::ui {

ThemedLabel::ThemedLabel(const QString &text, ColorRole color, FontRole font, QWidget *parent)
    : QLabel(text, parent),
      m_color(color),
      m_font(font)
{
    setTextFormat(Qt::PlainText);
    applyTheme();
    connect(&theme(), &Theme::changed, this, &ThemedLabel::applyTheme);
}

void ThemedLabel::setColorRole(ColorRole color)
{
    m_color = color;
    applyTheme();
}

void ThemedLabel::setFontRole(FontRole font)
{
    m_font = font;
    applyTheme();
}

void ThemedLabel::setElide(Qt::TextElideMode mode)
{
    m_elide = mode;
    if (mode != Qt::ElideNone)
        setSizePolicy(QSizePolicy::Preferred, sizePolicy().verticalPolicy());
    updateGeometry();
    update();
}

void ThemedLabel::reserveFor(const QString &widest)
{
    m_widest = widest;
    applyTheme();
}

QSize ThemedLabel::minimumSizeHint() const
{
    const QSize hint = QLabel::minimumSizeHint();
    return m_elide == Qt::ElideNone ? hint : QSize(fontMetrics().averageCharWidth() * 6, hint.height());
}

void ThemedLabel::paintEvent(QPaintEvent *event)
{
    if (m_elide == Qt::ElideNone || fontMetrics().horizontalAdvance(text()) <= contentsRect().width()) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), int(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), m_elide, contentsRect().width()));
}

bool ThemedLabel::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && m_elide != Qt::ElideNone && toolTip().isEmpty()) {
        if (fontMetrics().horizontalAdvance(text()) > contentsRect().width())
            QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), text().toHtmlEscaped(), this);
        return true;
    }
    return QLabel::event(event);
}

void ThemedLabel::applyTheme()
{
    setFont(theme().font(m_font));
    QPalette p = palette();
    p.setColor(QPalette::Active, QPalette::WindowText, theme().color(m_color));
    p.setColor(QPalette::Inactive, QPalette::WindowText, theme().color(m_color));
    p.setColor(QPalette::Disabled, QPalette::WindowText, theme().color(ColorRole::Faint));
    setPalette(p);
    if (!m_widest.isEmpty())
        setMinimumWidth(fontMetrics().horizontalAdvance(m_widest) + 2);
}

} // namespace terrarium::ui
