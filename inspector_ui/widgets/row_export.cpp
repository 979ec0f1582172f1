#include "widgets/row_export.h"

#include "models/roles.h"
#include "widgets/cell.h"

#include <QAbstractItemView>
#include <QFileDialog>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMessageBox>
#include <QSaveFile>
#include <QTableView>
#include <QTreeView>

#include <algorithm>

namespace terrarium::ui::row_export {

namespace {

struct ExportColumn {
    int index;
    QString title;
};

QList<ExportColumn> exportColumns(const QAbstractItemView *view)
{
    QList<ExportColumn> columns;
    const auto *table = qobject_cast<const QTableView *>(view);
    const auto *tree = qobject_cast<const QTreeView *>(view);
    for (int i = 0; i < view->model()->columnCount(); ++i) {
        const QString title = view->model()->headerData(i, Qt::Horizontal).toString();
        const bool hidden = table ? table->isColumnHidden(i) : tree ? tree->isColumnHidden(i) : false;
        if (!title.isEmpty() && !hidden)
            columns.append({i, title});
    }
    if (columns.isEmpty())
        columns.append({0, QStringLiteral("value")});
    return columns;
}

QString exportText(const QModelIndex &row, int column)
{
    const QModelIndex index = row.siblingAtColumn(column);
    if (const RowLook look = row.data(RowLookRole).value<RowLook>(); look.kind != RowKind::Row)
        return column == 0 ? look.full.plainText() : QString();
    const QVariant display = index.data(Qt::DisplayRole);
    return display.isValid() ? display.toString() : index.data(CellRole).value<Cell>().plainText();
}

void exportCollect(const QAbstractItemView *view, const QModelIndex &parent, QModelIndexList &rows)
{
    const QAbstractItemModel *model = view->model();
    const auto *tree = qobject_cast<const QTreeView *>(view);
    for (int i = 0; i < model->rowCount(parent); ++i) {
        const QModelIndex row = model->index(i, 0, parent);
        rows.append(row);
        if (tree && tree->isExpanded(row))
            exportCollect(view, row, rows);
    }
}

} // namespace

QModelIndexList selectedRows(const QAbstractItemView *view)
{
    QModelIndexList rows;
    if (!view->selectionModel())
        return rows;
    for (const QModelIndex &index : view->selectionModel()->selectedIndexes()) {
        const QModelIndex row = index.siblingAtColumn(0);
        if (!rows.contains(row))
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end(), [view](const QModelIndex &a, const QModelIndex &b) {
        if (a.parent() == b.parent())
            return a.row() < b.row();
        return view->visualRect(a).top() < view->visualRect(b).top();
    });
    return rows;
}

QString toTsv(const QAbstractItemView *view, const QModelIndexList &rows)
{
    const auto clean = [](QString text) {
        return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
    };
    const QList<ExportColumn> columns = exportColumns(view);
    QStringList lines;
    QStringList head;
    for (const ExportColumn &column : columns)
        head.append(clean(column.title));
    lines.append(head.join(QLatin1Char('\t')));
    for (const QModelIndex &row : rows) {
        QStringList cells;
        for (const ExportColumn &column : columns)
            cells.append(clean(exportText(row, column.index)));
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return lines.join(QLatin1Char('\n'));
}

QString toCsv(const QAbstractItemView *view, const QModelIndexList &rows)
{
    const auto quote = [](QString text) {
        if (text.contains(QLatin1Char('"')) || text.contains(QLatin1Char(',')) || text.contains(QLatin1Char('\n'))
            || text.contains(QLatin1Char('\r')))
            return QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
        return text;
    };
    const QList<ExportColumn> columns = exportColumns(view);
    QString out;
    QStringList head;
    for (const ExportColumn &column : columns)
        head.append(quote(column.title));
    out = head.join(QLatin1Char(',')) + QLatin1String("\r\n");
    for (const QModelIndex &row : rows) {
        QStringList cells;
        for (const ExportColumn &column : columns)
            cells.append(quote(exportText(row, column.index)));
        out += cells.join(QLatin1Char(',')) + QLatin1String("\r\n");
    }
    return out;
}

QString toJsonLines(const QAbstractItemView *view, const QModelIndexList &rows)
{
    const QList<ExportColumn> columns = exportColumns(view);
    QStringList lines;
    for (const QModelIndex &row : rows) {
        const QVariant json = row.data(JsonRole);
        if (json.isValid()) {
            lines.append(json.toString());
            continue;
        }
        QJsonObject object;
        for (const ExportColumn &column : columns)
            object.insert(column.title, exportText(row, column.index));
        lines.append(QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)));
    }
    return lines.join(QLatin1Char('\n'));
}

bool exportAll(QAbstractItemView *view, const QString &suggestedName)
{
    const QString name = QFileDialog::getSaveFileName(
        view, QCoreApplication::translate("RowExport", "Export"), suggestedName + QLatin1String(".jsonl"),
        QCoreApplication::translate("RowExport", "JSON lines (*.jsonl);;Comma-separated (*.csv)"));
    if (name.isEmpty())
        return false;
    QModelIndexList rows;
    exportCollect(view, {}, rows);
    const QString text =
        name.endsWith(QLatin1String(".csv")) ? toCsv(view, rows) : toJsonLines(view, rows) + QLatin1Char('\n');
    QSaveFile file(name);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0 || !file.commit()) {
        QMessageBox box(
            QMessageBox::Warning, QCoreApplication::translate("RowExport", "Export"),
            QCoreApplication::translate("RowExport", "%1 could not be written: %2").arg(name, file.errorString()),
            QMessageBox::Ok, view);
        box.setTextFormat(Qt::PlainText);
        box.exec();
        return false;
    }
    return true;
}

} // namespace terrarium::ui::row_export
