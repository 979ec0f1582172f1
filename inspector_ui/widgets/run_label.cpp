#include "widgets/run_label.h"

#include "style/proxy_style.h"
#include "widgets/row_painter.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace terrarium::ui {

RunLabel::RunLabel(QWidget *parent) : QWidget(parent)
{
    m_cell.padding = 0;
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void RunLabel::setRuns(QList<Run> runs)
{
    m_cell.runs = std::move(runs);
    const bool hasLinks = !links().isEmpty() || !m_wholeLink.isEmpty();
    setFocusPolicy(hasLinks ? Qt::TabFocus : Qt::NoFocus);
    m_currentLink = std::clamp(m_currentLink, 0, std::max(0, int(links().size()) - 1));
    setAccessibleName(m_cell.plainText());
    updateGeometry();
    update();
}

void RunLabel::setElide(Qt::TextElideMode mode)
{
    m_cell.elide = mode;
    update();
}

void RunLabel::setAlignment(Qt::Alignment align)
{
    m_cell.align = align;
    update();
}

void RunLabel::setWholeLink(const QString &link)
{
    m_wholeLink = link;
    setRuns(m_cell.runs);
}

QSize RunLabel::sizeHint() const
{
    int height = 0;
    for (const Run &run : m_cell.runs)
        height = std::max(height, QFontMetrics(theme().font(run.font)).height());
    return {row_painter::cellWidth(m_cell) + 2, std::max(height, 16)};
}

QSize RunLabel::minimumSizeHint() const
{
    return {40, sizeHint().height()};
}

QStringList RunLabel::links() const
{
    QStringList links;
    for (const Run &run : m_cell.runs) {
        if (!run.link.isEmpty())
            links.append(run.link);
    }
    return links;
}

void RunLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    row_painter::paintCell(&painter, rect(), m_cell, false, false, layoutDirection());
    if (!hasFocus())
        return;
    // The link that Enter would follow.
    const QStringList all = links();
    const QString wanted = all.value(m_currentLink);
    int left = -1;
    int right = -1;
    for (int x = 0; x < width(); ++x) {
        if (wanted.isEmpty()
            || row_painter::linkAt(rect(), m_cell, QPoint(x, height() / 2), layoutDirection()) == wanted) {
            if (left < 0)
                left = x;
            right = x;
        }
    }
    if (left >= 0)
        paintPanel(&painter, QRect(std::max(0, left - 2), 0, right - left + 4, height()), Qt::transparent,
                   theme().color(ColorRole::Accent), 3, 2);
}

void RunLabel::mouseMoveEvent(QMouseEvent *event)
{
    const QString link = row_painter::linkAt(rect(), m_cell, event->position().toPoint(), layoutDirection());
    if (link.isEmpty() && m_wholeLink.isEmpty())
        unsetCursor();
    else
        setCursor(Qt::PointingHandCursor);
}

void RunLabel::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !rect().contains(event->position().toPoint()))
        return;
    QString link = row_painter::linkAt(rect(), m_cell, event->position().toPoint(), layoutDirection());
    if (link.isEmpty())
        link = m_wholeLink;
    if (!link.isEmpty())
        Q_EMIT linkActivated(link);
}

void RunLabel::keyPressEvent(QKeyEvent *event)
{
    const QStringList all = links();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (!all.isEmpty()) {
            const int step = event->key() == Qt::Key_Right ? 1 : -1;
            m_currentLink = std::clamp(m_currentLink + step, 0, int(all.size()) - 1);
            update();
            return;
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: {
        const QString link = all.value(m_currentLink, m_wholeLink);
        if (!link.isEmpty())
            Q_EMIT linkActivated(link);
        return;
    }
    default: break;
    }
    QWidget::keyPressEvent(event);
}

bool RunLabel::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
        if (row_painter::cellWidth(m_cell) > width())
            QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), m_cell.plainText().toHtmlEscaped(), this);
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QWidget::event(event);
}

} // namespace terrarium::ui
