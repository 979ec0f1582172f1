#pragma once
// The table every growing list uses: 24 px rows painted by RowPainter, cells by CellDelegate.
//
// Columns keep the widths they are given; exactly one stretches. Rows of kind Gap and Divider are painted across
// all columns. Ctrl+C copies the selected rows tab-separated.

#include "widgets/list_behavior.h"

#include <QTableView>

namespace terrarium::ui {

class DataTable : public QTableView {
    Q_OBJECT
    Q_PROPERTY(QString emptyReason READ emptyReason)
    Q_PROPERTY(int shownCount READ shownCount)
public:
    explicit DataTable(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    /// Usual widths from the left; 0: the column that stretches. Call after setModel().
    void setColumnWidths(const QList<int> &widths);
    /// Selection as in side lists: inset, rounded.
    void setInset(bool inset, int side = 6);
    void setEmptyText(const QString &reason, const QString &title, const QString &detail = {})
    {
        m_behavior->setEmptyText(reason, title, detail);
    }
    QString emptyReason() const { return shownCount() ? QString() : m_behavior->emptyReason(); }
    int shownCount() const { return model() ? model()->rowCount() : 0; }
    ListBehavior *behavior() const { return m_behavior; }

Q_SIGNALS:
    void linkActivated(const QString &link);
    void contextMenu(QMenu *menu, const QModelIndex &index);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void applyTheme();

    ListBehavior *m_behavior;
    bool m_inset = false;
    int m_insetSide = 6;
};

} // namespace terrarium::ui
