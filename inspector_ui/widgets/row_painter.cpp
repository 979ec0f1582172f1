#include "widgets/row_painter.h"

#include "style/icons.h"
#include "style/proxy_style.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>

namespace terrarium::ui::row_painter {

namespace {

constexpr int iconToText = 6;

/// Lays the runs out from left to right; calls `visit(run, rect, text)` for each. Stops when there is no room.
template <typename Visit>
void layRuns(const QRect &rect, const Cell &cell, Qt::LayoutDirection direction, Visit visit)
{
    const QRect area = rect.adjusted(cell.padding, 0, -(cell.paddingRight < 0 ? cell.padding : cell.paddingRight), 0);
    const int total = cellWidth(cell);
    bool atRight = bool(cell.align & Qt::AlignRight);
    if (direction == Qt::RightToLeft)
        atRight = !atRight;
    int x = area.left();
    if (cell.align & Qt::AlignHCenter)
        x += std::max(0, (area.width() - total) / 2);
    else if (atRight)
        x += std::max(0, area.width() - total);
    const int end = area.right() + 1;
    bool first = true;
    bool afterIcon = false;
    for (const Run &run : cell.runs) {
        x += run.gap;
        if (!run.icon.isEmpty()) {
            if (x + run.iconSize > end)
                return;
            visit(run, QRect(x, rect.top() + (rect.height() - run.iconSize) / 2, run.iconSize, run.iconSize),
                  QString());
            x += run.iconSize;
            afterIcon = true;
        }
        if (!run.text.isEmpty()) {
            if (afterIcon && run.gap == 0)
                x += iconToText;
            afterIcon = false;
            const QFontMetrics metrics(theme().font(run.font));
            int width = metrics.horizontalAdvance(run.text);
            QString text = run.text;
            if (x + width > end) {
                const int room = end - x;
                if (room < metrics.averageCharWidth() && !first)
                    return;
                text = metrics.elidedText(run.text, cell.elide, room);
                width = room;
            }
            visit(run, QRect(x, rect.top(), width, rect.height()), text);
            x += width;
        }
        first = false;
        if (x >= end)
            return;
    }
}

} // namespace

int cellWidth(const Cell &cell)
{
    int width = 0;
    bool afterIcon = false;
    for (const Run &run : cell.runs) {
        width += run.gap;
        if (!run.icon.isEmpty()) {
            width += run.iconSize;
            afterIcon = true;
        }
        if (!run.text.isEmpty()) {
            if (afterIcon && run.gap == 0)
                width += iconToText;
            afterIcon = false;
            width += QFontMetrics(theme().font(run.font)).horizontalAdvance(run.text);
        }
    }
    return width;
}

void paintHatch(QPainter *painter, const QRect &rect, const QColor &color)
{
    painter->save();
    painter->setClipRect(rect, Qt::IntersectClip);
    painter->setRenderHint(QPainter::Antialiasing);
    QColor line = color;
    line.setAlphaF(0.35f);
    painter->setPen(QPen(line, 1.2));
    for (int x = rect.left() - rect.height(); x < rect.right() + rect.height(); x += 5)
        painter->drawLine(QPointF(x, rect.bottom() + 1), QPointF(x + rect.height(), rect.top()));
    painter->restore();
}

void paintRow(QPainter *painter, const QRect &rect, const RowLook &look, const RowState &state)
{
    const Theme &t = theme();
    if (state.inset) {
        const QRect box = rect.adjusted(state.insetLeft, 0, -state.insetRight, 0);
        if (state.selected)
            paintPanel(painter, box, t.color(ColorRole::SelSide), Qt::transparent, 5);
        else if (state.hovered)
            paintPanel(painter, box, t.color(ColorRole::Hover), Qt::transparent, 5);
        if (state.focused)
            paintPanel(painter, box, Qt::transparent, t.color(ColorRole::Accent), 5, 2);
        return;
    }
    if (state.selected)
        painter->fillRect(rect, t.color(ColorRole::Sel));
    else if (look.tint != ColorRole::None)
        painter->fillRect(rect, t.color(look.tint));
    else if (state.hovered)
        painter->fillRect(rect, t.color(ColorRole::Hover));

    if (look.kind == RowKind::Gap)
        paintHatch(painter, QRect(rect.left(), rect.top(), 28, rect.height()), t.color(ColorRole::Warn));
    if (look.kind != RowKind::Row)
        paintCell(painter, rect.adjusted(30, 0, 0, 0), look.full, state.selected, false);

    if (look.error)
        painter->fillRect(QRect(rect.left(), rect.top(), 2, rect.height()), t.color(ColorRole::Bad));
    else if (state.selected)
        painter->fillRect(QRect(rect.left(), rect.top(), 2, rect.height()), t.color(ColorRole::Accent));
    if (state.focused)
        paintPanel(painter, rect, Qt::transparent, t.color(ColorRole::Accent), 0, 2);
}

void paintCell(QPainter *painter, const QRect &rect, const Cell &cell, bool selected, bool dimmed,
               Qt::LayoutDirection direction)
{
    if (cell.runs.isEmpty())
        return;
    const Theme &t = theme();
    painter->save();
    painter->setClipRect(rect, Qt::IntersectClip);
    layRuns(rect, cell, direction, [&](const Run &run, const QRect &at, const QString &text) {
        if (text.isEmpty() && !run.icon.isEmpty()) {
            icons::paint(painter, at.topLeft(), run.icon, t.color(dimmed ? ColorRole::Faint : run.color), run.iconSize);
            return;
        }
        ColorRole color = run.color;
        if (dimmed && !selected)
            color = ColorRole::Quiet;
        else if (selected && (color == ColorRole::Muted || color == ColorRole::Quiet || color == ColorRole::Text))
            color = ColorRole::SelText;
        QFont font = t.font(run.font);
        if (run.isStruck)
            font.setStrikeOut(true);
        if (run.isHit) {
            const QFontMetrics metrics(font);
            const int height = metrics.height();
            const QRectF mark(at.x() - 1.5, at.y() + (at.height() - height) / 2.0, at.width() + 3, height);
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(t.color(ColorRole::ChangedMark));
            painter->drawRoundedRect(mark, 3, 3);
            painter->restore();
        }
        painter->setFont(font);
        painter->setPen(t.color(color));
        painter->drawText(at.adjusted(0, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    });
    painter->restore();
}

void paintGutter(QPainter *painter, const QRect &rect, Gutter gutter)
{
    const Theme &t = theme();
    if (gutter == Gutter::None)
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (gutter == Gutter::ChildChanged) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(t.color(ColorRole::Warn));
        painter->drawEllipse(QRectF(rect).center(), 2.2, 2.2);
        painter->restore();
        return;
    }
    const ColorRole mark = gutter == Gutter::Added     ? ColorRole::AddedMark
                           : gutter == Gutter::Changed ? ColorRole::ChangedMark
                                                       : ColorRole::RemovedMark;
    const QRectF box(rect.x() + (rect.width() - 16) / 2, rect.y() + (rect.height() - 16) / 2, 16, 16);
    painter->setPen(Qt::NoPen);
    painter->setBrush(t.color(mark));
    painter->drawRoundedRect(box, 3, 3);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(t.color(ColorRole::MarkSign), 1.6, Qt::SolidLine, Qt::RoundCap));
    const QPointF c = box.center();
    if (gutter == Gutter::Changed) {
        QPainterPath tilde(c + QPointF(-3.8, 1));
        tilde.cubicTo(c + QPointF(-2.2, -3), c + QPointF(-0.4, -1.2), c);
        tilde.cubicTo(c + QPointF(0.4, 1.2), c + QPointF(2.2, 3), c + QPointF(3.8, -1));
        painter->drawPath(tilde);
    } else {
        painter->drawLine(c + QPointF(-3.8, 0), c + QPointF(3.8, 0));
        if (gutter == Gutter::Added)
            painter->drawLine(c + QPointF(0, -3.8), c + QPointF(0, 3.8));
    }
    painter->restore();
}

QString linkAt(const QRect &rect, const Cell &cell, const QPoint &pos, Qt::LayoutDirection direction)
{
    QString link;
    layRuns(rect, cell, direction, [&](const Run &run, const QRect &at, const QString &) {
        if (!run.link.isEmpty() && at.contains(pos))
            link = run.link;
    });
    return link;
}

} // namespace terrarium::ui::row_painter
