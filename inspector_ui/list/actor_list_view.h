#pragma once
// The tree of hosts and actors in the dock.

#include "widgets/data_tree.h"

namespace terrarium::ui {

class ActorListView final : public DataTree {
    Q_OBJECT
public:
    explicit ActorListView(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;

Q_SIGNALS:
    /// Alt+click on a cell: filter by it, or exclude it.
    void filterRequested(const QModelIndex &index, bool exclude);

protected:
    void drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const override;
    void mousePressEvent(QMouseEvent *event) override;
};

} // namespace terrarium::ui
