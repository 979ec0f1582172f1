#pragma once
// Paints what models say by CellRole and GutterRole. Rows (tint, selection, gaps) are painted by the view.

#include <QStyledItemDelegate>

namespace terrarium::ui {

class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;
    QString displayText(const QVariant &value, const QLocale &locale) const override;
};

} // namespace terrarium::ui
