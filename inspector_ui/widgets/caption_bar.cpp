#include "widgets/caption_bar.h"

#include "widgets/themed_label.h"

#include <QHBoxLayout>
#include <QPainter>

namespace terrarium::ui {

CaptionBar::CaptionBar(const QString &title, QWidget *parent)
    : QWidget(parent),
      m_title(new ThemedLabel(title, ColorRole::Text, FontRole::Strong, this)),
      m_detail(new ThemedLabel({}, ColorRole::Muted, FontRole::Secondary, this)),
      m_layout(new QHBoxLayout(this))
{
    m_detail->setElide(Qt::ElideRight);
    m_detail->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_title->setVisible(!title.isEmpty());
    m_layout->setContentsMargins(12, 0, 8, 0);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_title);
    m_layout->addWidget(m_detail, 1);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CaptionBar::setTitle(const QString &title)
{
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
}

void CaptionBar::setDetail(const QString &detail)
{
    m_detail->setText(detail);
}

QString CaptionBar::detail() const
{
    return m_detail->text();
}

void CaptionBar::addControl(QWidget *control)
{
    m_layout->addWidget(control);
}

void CaptionBar::setHeight(int px)
{
    m_height = px;
    updateGeometry();
}

void CaptionBar::setHairline(bool top, bool bottom)
{
    m_top = top;
    m_bottom = bottom;
    update();
}

void CaptionBar::setBackground(ColorRole role)
{
    m_background = role;
    update();
}

QSize CaptionBar::sizeHint() const
{
    return {QWidget::sizeHint().width(), std::max(m_height, theme().rowHeight() + 12)};
}

void CaptionBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(m_background));
    const QColor hair = theme().color(ColorRole::Hair);
    if (m_top)
        painter.fillRect(QRect(0, 0, width(), 1), hair);
    if (m_bottom)
        painter.fillRect(QRect(0, height() - 1, width(), 1), hair);
}

} // namespace terrarium::ui
