#pragma once
// Paints rows and cells for every list of the window, so that they all look the same.
//
// A row: tint or selection over the full width, then the 2 px edge at the left, then the cells. Gap and divider
// rows are painted whole, without columns.

#include "widgets/cell.h"

#include <QRect>
#include <QStyle>

QT_BEGIN_NAMESPACE
class QPainter;
QT_END_NAMESPACE

namespace terrarium::ui::row_painter {

struct RowState {
    bool selected = false;
    bool hovered = false;
    bool focused = false; ///< current row of a view that has the keyboard
    bool inset = false;   ///< dock, rail and side lists: selection inset, with radius 5
    int insetLeft = 6;
    int insetRight = 6;
};

void paintRow(QPainter *painter, const QRect &rect, const RowLook &look, const RowState &state);
void paintCell(QPainter *painter, const QRect &rect, const Cell &cell, bool selected, bool dimmed,
               Qt::LayoutDirection direction = Qt::LeftToRight);
/// The sign in its own 24 px column.
void paintGutter(QPainter *painter, const QRect &rect, Gutter gutter);
/// 45 degree lines, 5 px step.
void paintHatch(QPainter *painter, const QRect &rect, const QColor &color);
/// Width of the runs, without the cell's padding.
int cellWidth(const Cell &cell);
/// The link under `pos`, or an empty text. `rect` is the rectangle given to paintCell.
QString linkAt(const QRect &rect, const Cell &cell, const QPoint &pos, Qt::LayoutDirection direction = Qt::LeftToRight);

} // namespace terrarium::ui::row_painter
