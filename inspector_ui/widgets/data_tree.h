#pragma once
// The tree for hierarchies: same rows and cells as DataTable. Not for lists that grow.

#include "widgets/list_behavior.h"

#include <QTreeView>

namespace terrarium::ui {

class DataTree : public QTreeView {
    Q_OBJECT
    Q_PROPERTY(QString emptyReason READ emptyReason)
public:
    explicit DataTree(QWidget *parent = nullptr);

    /// Usual widths from the left; 0: the column that stretches. Call after setModel().
    void setColumnWidths(const QList<int> &widths);
    /// Selection as in side lists: inset, rounded. `right`: distance from the right edge.
    void setInset(bool inset, int right = 6);
    void setEmptyText(const QString &reason, const QString &title, const QString &detail = {})
    {
        m_behavior->setEmptyText(reason, title, detail);
    }
    QString emptyReason() const { return model() && model()->rowCount() ? QString() : m_behavior->emptyReason(); }
    ListBehavior *behavior() const { return m_behavior; }

Q_SIGNALS:
    void linkActivated(const QString &link);
    void contextMenu(QMenu *menu, const QModelIndex &index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void applyTheme();

    ListBehavior *m_behavior;
    bool m_inset = false;
    int m_insetRight = 6;
};

} // namespace terrarium::ui
