#include "widgets/data_table.h"

#include "widgets/cell_delegate.h"

#include <QHeaderView>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

namespace terrarium::ui {

DataTable::DataTable(QWidget *parent) : QTableView(parent), m_behavior(new ListBehavior(this))
{
    setItemDelegate(new CellDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->setMinimumSectionSize(24);
    horizontalHeader()->setSectionsMovable(true);
    applyTheme();
    connect(&theme(), &Theme::changed, this, &DataTable::applyTheme);
    connect(m_behavior, &ListBehavior::linkActivated, this, &DataTable::linkActivated);
    connect(m_behavior, &ListBehavior::contextMenu, this, &DataTable::contextMenu);
}

void DataTable::applyTheme()
{
    verticalHeader()->setMinimumSectionSize(20);
    verticalHeader()->setDefaultSectionSize(theme().rowHeight());
    horizontalHeader()->setFixedHeight(theme().rowHeight());
    verticalScrollBar()->setSingleStep(theme().rowHeight());
}

void DataTable::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    if (model) {
        const auto refresh = [this] { viewport()->update(); };
        connect(model, &QAbstractItemModel::rowsInserted, this, refresh);
        connect(model, &QAbstractItemModel::rowsRemoved, this, refresh);
    }
}

void DataTable::setColumnWidths(const QList<int> &widths)
{
    for (int i = 0; i < widths.size() && i < horizontalHeader()->count(); ++i) {
        if (widths[i] == 0) {
            horizontalHeader()->setSectionResizeMode(i, QHeaderView::Stretch);
        } else {
            horizontalHeader()->setSectionResizeMode(i, QHeaderView::Interactive);
            horizontalHeader()->resizeSection(i, widths[i]);
        }
    }
}

void DataTable::setInset(bool inset, int side)
{
    m_inset = inset;
    m_insetSide = side;
    viewport()->update();
}

void DataTable::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    if (model() && selectionModel()) {
        const int width = viewport()->width();
        const int first = std::max(0, rowAt(std::max(0, event->rect().top())));
        const int rows = model()->rowCount(rootIndex());
        for (int row = rowAt(event->rect().top()) < 0 ? rows : first; row < rows; ++row) {
            const int top = rowViewportPosition(row);
            if (top > event->rect().bottom())
                break;
            if (isRowHidden(row))
                continue;
            const QModelIndex index = model()->index(row, 0, rootIndex());
            const RowLook look = index.data(RowLookRole).value<RowLook>();
            row_painter::paintRow(&painter, QRect(0, top, width, rowHeight(row)), look,
                                  m_behavior->rowState(index, m_inset, m_insetSide, m_insetSide));
        }
    }
    m_behavior->paintEmpty(&painter);
    painter.end();
    QTableView::paintEvent(event);
}

} // namespace terrarium::ui
