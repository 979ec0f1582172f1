#pragma once
// What tables and trees of the window have in common: hover row, empty text, links, copy, context menu.

#include "widgets/row_painter.h"

#include <QObject>
#include <QMenu>
#include <QPersistentModelIndex>
#include <QString>

QT_BEGIN_NAMESPACE
class QAbstractItemView;

QT_END_NAMESPACE

namespace terrarium::ui {

class ListBehavior final : public QObject {
    Q_OBJECT
public:
    explicit ListBehavior(QAbstractItemView *view);

    /// Shown in the middle while there are no rows. `reason` is the property value for tests.
    void setEmptyText(const QString &reason, const QString &title, const QString &detail = {});
    const QString &emptyReason() const { return m_emptyReason; }
    void paintEmpty(QPainter *painter) const;

    bool isHovered(const QModelIndex &index) const;
    row_painter::RowState rowState(const QModelIndex &index, bool inset, int insetLeft, int insetRight) const;

    void copySelection();
    void copySelectionAsJson();
    /// Name suggested by "Export..."; no name: no such entry.
    void setExportName(const QString &name) { m_exportName = name; }

Q_SIGNALS:
    void linkActivated(const QString &link);
    /// Entries of the view's own go in front of Copy.
    void contextMenu(QMenu *menu, const QModelIndex &index);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QString linkUnder(const QPoint &pos) const;
    void showMenu(const QPoint &pos);
    void setHover(const QModelIndex &index);

    QAbstractItemView *m_view;
    QPersistentModelIndex m_hover;
    QString m_emptyReason;
    QString m_emptyTitle;
    QString m_emptyDetail;
    QString m_exportName;
    bool m_overLink = false;
};

} // namespace terrarium::ui
