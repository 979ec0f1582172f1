#include "shell/section_rail.h"

#include "style/icons.h"
#include "style/proxy_style.h"

#include <QAccessible>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace terrarium::ui {

namespace {

constexpr int railTop = 8;
constexpr int railPitch = 29;
constexpr int railRow = 28;
constexpr int railGroupGap = 11;

} // namespace

SectionRail::SectionRail(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("sectionRail"));
    setAccessibleName(tr("Sections"));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    m_badges.resize(section_registry::sections().size());
    setAccessibleDescription(title(m_current));
    connect(&theme(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

int SectionRail::count() const
{
    return int(section_registry::sections().size());
}

QString SectionRail::current() const
{
    return section_registry::sections().at(m_current).id;
}

void SectionRail::setCurrent(const QString &id)
{
    choose(section_registry::indexOf(id));
}

void SectionRail::choose(int index)
{
    if (index < 0 || index >= count() || index == m_current)
        return;
    m_current = index;
    setAccessibleDescription(title(index));
    QAccessibleValueChangeEvent event(this, title(index));
    QAccessible::updateAccessibility(&event);
    update();
    Q_EMIT currentChanged(current());
}

void SectionRail::setBadges(const QList<SectionBadge> &badges)
{
    m_badges = badges;
    m_badges.resize(count());
    update();
}

void SectionRail::setIconsOnly(bool on)
{
    if (m_iconsOnly == on)
        return;
    m_iconsOnly = on;
    updateGeometry();
    update();
}

QString SectionRail::title(int index) const
{
    const SectionInfo &info = section_registry::sections().at(index);
    const SectionBadge badge = m_badges.value(index);
    QString text = info.title;
    if (badge.count >= 0)
        text += QLatin1Char(' ') + QString::number(badge.count);
    if (!badge.attentionText.isEmpty())
        text += QStringLiteral(", ") + badge.attentionText;
    return text;
}

QSize SectionRail::sizeHint() const
{
    const QRect last = itemRect(count() - 1);
    const int wide = std::max(
        152,
        QFontMetrics(theme().font(FontRole::Strong)).horizontalAdvance(section_registry::sections().at(3).title) + 64);
    return {m_iconsOnly ? 40 : wide, last.bottom() + railTop};
}

QRect SectionRail::itemRect(int index) const
{
    const int extra = std::max(0, theme().rowHeight() - 24);
    int y = railTop;
    for (int i = 0; i < index; ++i) {
        y += railPitch + extra;
        if (section_registry::sections().at(i).group != section_registry::sections().at(i + 1).group)
            y += railGroupGap;
    }
    return {6, y, width() - 13, railRow + extra};
}

int SectionRail::itemAt(const QPoint &pos) const
{
    for (int i = 0; i < count(); ++i) {
        if (itemRect(i).contains(pos))
            return i;
    }
    return -1;
}

void SectionRail::paintEvent(QPaintEvent *)
{
    const Theme &t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.color(ColorRole::Panel));
    painter.fillRect(QRect(width() - 1, 0, 1, height()), t.color(ColorRole::Hair));
    const auto &sections = section_registry::sections();
    for (int i = 0; i < count(); ++i) {
        const SectionInfo &info = sections.at(i);
        const SectionBadge badge = m_badges.value(i);
        const QRect box = itemRect(i);
        const bool current = i == m_current;
        if (i > 0 && sections.at(i - 1).group != info.group)
            painter.fillRect(QRect(14, box.top() - 6, width() - 28, 1), t.color(ColorRole::Hair));
        if (current)
            paintPanel(&painter, box, t.color(ColorRole::SelSide), Qt::transparent, 5);
        else if (i == m_hover)
            paintPanel(&painter, box, t.color(ColorRole::Hover), Qt::transparent, 5);
        if (current && hasFocus())
            paintPanel(&painter, box, Qt::transparent, t.color(ColorRole::Accent), 5, 2);
        const ColorRole glyph = current ? ColorRole::Accent : badge.used ? ColorRole::Muted : ColorRole::Quiet;
        const int iconX = m_iconsOnly ? box.center().x() - 8 : box.left() + 9;
        icons::paint(&painter, QPoint(iconX, box.top() + (box.height() - 16) / 2), info.icon, t.color(glyph), 16);
        if (m_iconsOnly) {
            if (badge.attention != SectionBadge::None) {
                painter.save();
                painter.setRenderHint(QPainter::Antialiasing);
                painter.setPen(Qt::NoPen);
                painter.setBrush(t.color(badge.attention == SectionBadge::Failure ? ColorRole::Bad : ColorRole::Warn));
                painter.drawEllipse(QPointF(box.right() - 3, box.top() + 6), 3, 3);
                painter.restore();
            }
            continue;
        }
        int right = box.right() - 8;
        if (badge.count >= 0) {
            painter.setFont(t.font(FontRole::DataSmall));
            painter.setPen(t.color(ColorRole::Muted));
            const QString count = badge.count > 9999 ? QStringLiteral("9999+") : QString::number(badge.count);
            painter.drawText(QRect(box.left(), box.top(), right - box.left() + 1, box.height()),
                             Qt::AlignRight | Qt::AlignVCenter, count);
            // Glyphs of neighbouring rows line up: room for two digits at least.
            right -= std::max(QFontMetrics(painter.font()).horizontalAdvance(count), 7) + 5;
        }
        if (badge.attention != SectionBadge::None) {
            const bool failure = badge.attention == SectionBadge::Failure;
            icons::paint(&painter, QPoint(right - 14, box.top() + (box.height() - 14) / 2),
                         failure ? QStringLiteral("failed") : QStringLiteral("warning-solid"),
                         t.color(failure ? ColorRole::Bad : ColorRole::Warn), 14);
            right -= 18;
        }
        painter.setFont(t.font(current ? FontRole::Strong : FontRole::Body));
        painter.setPen(t.color(badge.used || current ? ColorRole::Text : ColorRole::Quiet));
        const QRect text(box.left() + 34, box.top(), right - box.left() - 34, box.height());
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(painter.font()).elidedText(info.title, Qt::ElideRight, text.width()));
    }
}

void SectionRail::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        choose(itemAt(event->position().toPoint()));
}

void SectionRail::mouseMoveEvent(QMouseEvent *event)
{
    const int hover = itemAt(event->position().toPoint());
    if (hover != m_hover) {
        m_hover = hover;
        update();
    }
}

void SectionRail::leaveEvent(QEvent *)
{
    m_hover = -1;
    update();
}

void SectionRail::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Up: choose(std::max(0, m_current - 1)); return;
    case Qt::Key_Down: choose(std::min(count() - 1, m_current + 1)); return;
    case Qt::Key_Home: choose(0); return;
    case Qt::Key_End: choose(count() - 1); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT opened(); return;
    default: QWidget::keyPressEvent(event);
    }
}

bool SectionRail::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int index = itemAt(help->pos());
        if (index >= 0 && (m_iconsOnly || !m_badges.value(index).attentionText.isEmpty()))
            QToolTip::showText(help->globalPos(), title(index).toHtmlEscaped(), this, itemRect(index));
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QWidget::event(event);
}

} // namespace terrarium::ui
