#include "list/actor_list_view.h"

#include "list/actor_list_model.h"

#include <QHeaderView>
#include <QMouseEvent>

namespace terrarium::ui {

ActorListView::ActorListView(QWidget *parent) : DataTree(parent)
{
    setObjectName(QStringLiteral("actorsView"));
    setAccessibleName(tr("Actors"));
    setInset(true, 3);
    setSelectionMode(ExtendedSelection);
    setExpandsOnDoubleClick(false);
    header()->setProperty("panelHeader", true);
    header()->setProperty("firstPad", 12);
    header()->setProperty("lastPad", 9);
    header()->setSectionsClickable(false);
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ActorListView::setModel(QAbstractItemModel *model)
{
    DataTree::setModel(model);
    setColumnWidths({0, 90, 60});
    connect(model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &parent, int first, int last) {
        if (!parent.isValid()) {
            for (int row = first; row <= last; ++row)
                expand(this->model()->index(row, 0));
        }
    });
    for (int row = 0; row < model->rowCount(); ++row)
        expand(model->index(row, 0));
}

void ActorListView::drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const
{
    if (!index.parent().isValid())
        DataTree::drawBranches(painter, rect.translated(layoutDirection() == Qt::RightToLeft ? -5 : 5, 0), index);
}

void ActorListView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && (event->modifiers() & Qt::AltModifier)) {
        const QModelIndex index = indexAt(event->position().toPoint());
        if (index.isValid()) {
            Q_EMIT filterRequested(index, event->modifiers() & Qt::ShiftModifier);
            return;
        }
    }
    DataTree::mousePressEvent(event);
}

} // namespace terrarium::ui
