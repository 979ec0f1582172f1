#include "widgets/data_tree.h"

#include "widgets/cell_delegate.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>

namespace terrarium::ui {

DataTree::DataTree(QWidget *parent) : QTreeView(parent), m_behavior(new ListBehavior(this))
{
    setItemDelegate(new CellDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setIndentation(16);
    header()->setHighlightSections(false);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(24);
    applyTheme();
    connect(&theme(), &Theme::changed, this, &DataTree::applyTheme);
    connect(m_behavior, &ListBehavior::linkActivated, this, &DataTree::linkActivated);
    connect(m_behavior, &ListBehavior::contextMenu, this, &DataTree::contextMenu);
}

void DataTree::applyTheme()
{
    header()->setFixedHeight(theme().rowHeight());
    verticalScrollBar()->setSingleStep(theme().rowHeight());
}

void DataTree::setColumnWidths(const QList<int> &widths)
{
    for (int i = 0; i < widths.size() && i < header()->count(); ++i) {
        if (widths[i] == 0) {
            header()->setSectionResizeMode(i, QHeaderView::Stretch);
        } else {
            header()->setSectionResizeMode(i, QHeaderView::Interactive);
            header()->resizeSection(i, widths[i]);
        }
    }
}

void DataTree::setInset(bool inset, int right)
{
    m_inset = inset;
    m_insetRight = right;
    viewport()->update();
}

void DataTree::paintEvent(QPaintEvent *event)
{
    QTreeView::paintEvent(event);
    QPainter painter(viewport());
    m_behavior->paintEmpty(&painter);
}

void DataTree::drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QRect row(0, option.rect.top(), viewport()->width(), option.rect.height());
    const RowLook look = index.siblingAtColumn(0).data(RowLookRole).value<RowLook>();
    row_painter::paintRow(painter, row, look, m_behavior->rowState(index, m_inset, 6, m_insetRight));
    if (look.kind == RowKind::Row)
        QTreeView::drawRow(painter, option, index);
}

} // namespace terrarium::ui
