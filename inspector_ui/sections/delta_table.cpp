#include "sections/delta_table.h"

#include "style/theme.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QScrollBar>

namespace terrarium::ui {

DeltaTable::DeltaTable(QWidget *parent) : DataTable(parent), m_model(new DeltaModel(this))
{
    setModel(m_model);
    setColumnWidths({50, 104, 138, 184, 0, 60, 66});
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAccessibleName(tr("Changes"));
    behavior()->setExportName(QStringLiteral("changes"));
    horizontalHeader()->setSectionsClickable(true);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        if (section == DeltaModel::TimeColumn)
            m_model->setTimeForm(DeltaModel::TimeForm((int(m_model->timeForm()) + 1) % 3));
    });
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &, int first, int last) {
        if (first == 0)
            keepPlace(last + 1);
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_byHand)
            return;
        const QList<quint64> chosen = selectedSequences();
        if (chosen.size() > 1)
            Q_EMIT severalChosen();
        else if (chosen.size() == 1)
            Q_EMIT sequenceChosen(chosen.first());
    });
}

void DeltaTable::mousePressEvent(QMouseEvent *event)
{
    const QScopedValueRollback<bool> byHand(m_byHand, true);
    DataTable::mousePressEvent(event);
}

void DeltaTable::mouseMoveEvent(QMouseEvent *event)
{
    const QScopedValueRollback<bool> byHand(m_byHand, true);
    DataTable::mouseMoveEvent(event);
}

void DeltaTable::mouseReleaseEvent(QMouseEvent *event)
{
    const QScopedValueRollback<bool> byHand(m_byHand, true);
    DataTable::mouseReleaseEvent(event);
}

void DeltaTable::keyPressEvent(QKeyEvent *event)
{
    const QScopedValueRollback<bool> byHand(m_byHand, true);
    DataTable::keyPressEvent(event);
}

bool DeltaTable::isFollowing() const
{
    return verticalScrollBar()->value() == 0;
}

void DeltaTable::keepPlace(int inserted)
{
    // Rows came above: what is read stays where it is, unless the newest was in view.
    if (isFollowing())
        return;
    const int row = verticalScrollMode() == QAbstractItemView::ScrollPerPixel ? rowHeight(0) : 1;
    updateGeometries();
    verticalScrollBar()->setValue(verticalScrollBar()->value() + inserted * row);
}

void DeltaTable::showSequence(quint64 sequence, bool scroll)
{
    const QScopedValueRollback<bool> quiet(m_byHand, false);
    // Making a row current scrolls to it, which must not happen while somebody reads further down.
    setAutoScroll(scroll);
    const int row = sequence ? m_model->rowOf(sequence) : -1;
    if (row >= 0) {
        const QModelIndex index = m_model->index(row, 0);
        if (currentIndex().row() != row || selectionModel()->selectedRows().size() != 1)
            selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        if (scroll)
            scrollTo(index);
    } else {
        clearSelection();
    }
    setAutoScroll(true);
}

QList<quint64> DeltaTable::selectedSequences() const
{
    QList<quint64> out;
    const QModelIndexList rows = selectionModel()->selectedRows();
    for (const QModelIndex &index : rows)
        if (const quint64 sequence = m_model->sequenceAt(index.row()))
            out.append(sequence);
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace terrarium::ui
