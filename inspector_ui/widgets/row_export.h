#pragma once
// Rows of a list as text for the clipboard and for files: tab-separated, CSV, JSON lines.

#include <QModelIndexList>
#include <QString>

QT_BEGIN_NAMESPACE
class QAbstractItemModel;
class QAbstractItemView;
class QWidget;
QT_END_NAMESPACE

namespace terrarium::ui::row_export {

/// Selected rows of a view in order of the view, column 0 of each.
QModelIndexList selectedRows(const QAbstractItemView *view);
/// With a header line. Hidden columns and columns without a title are left out.
QString toTsv(const QAbstractItemView *view, const QModelIndexList &rows);
QString toCsv(const QAbstractItemView *view, const QModelIndexList &rows);
/// One JSON object a line: JsonRole of column 0 where the model has it, else titles and texts.
QString toJsonLines(const QAbstractItemView *view, const QModelIndexList &rows);
/// Asks for a file and writes all rows of the view: .csv as CSV, else JSON lines. False when it was given up.
bool exportAll(QAbstractItemView *view, const QString &suggestedName);

} // namespace terrarium::ui::row_export
