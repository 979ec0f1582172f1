#include "widgets/cell_delegate.h"

#include "widgets/row_painter.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace terrarium::ui {

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const RowLook look = index.siblingAtColumn(0).data(RowLookRole).value<RowLook>();
    if (look.kind != RowKind::Row)
        return;
    const bool selected = option.state & QStyle::State_Selected;
    if (const QVariant gutter = index.data(GutterRole); gutter.isValid())
        row_painter::paintGutter(painter, option.rect, Gutter(gutter.toInt()));
    const QVariant cell = index.data(CellRole);
    if (cell.isValid()) {
        row_painter::paintCell(painter, option.rect, cell.value<Cell>(), selected, look.dimmed, option.direction);
    } else if (const QString text = index.data(Qt::DisplayRole).toString(); !text.isEmpty()) {
        row_painter::paintCell(painter, option.rect, Cell(Run(text)), selected, look.dimmed, option.direction);
    }
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const QVariant cell = index.data(CellRole);
    const int width = cell.isValid() ? row_painter::cellWidth(cell.value<Cell>()) + 12 : 24;
    return {width, theme().rowHeight()};
}

bool CellDelegate::helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                             const QModelIndex &index)
{
    // Whole text of a cell that had no room. Escaped: tooltips guess rich text.
    if (event->type() == QEvent::ToolTip && !index.data(Qt::ToolTipRole).isValid()) {
        const Cell cell = index.data(CellRole).value<Cell>();
        if (!cell.runs.isEmpty() && row_painter::cellWidth(cell) > option.rect.width() - 2 * cell.padding) {
            QToolTip::showText(event->globalPos(), cell.plainText().left(2000).toHtmlEscaped(), view);
            return true;
        }
        QToolTip::hideText();
        return true;
    }
    return QStyledItemDelegate::helpEvent(event, view, option, index);
}

QString CellDelegate::displayText(const QVariant &value, const QLocale &) const
{
    return value.toString();
}

} // namespace terrarium::ui
