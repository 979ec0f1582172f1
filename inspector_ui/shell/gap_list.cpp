#include "shell/gap_list.h"

#include "models/format.h"
#include "models/roles.h"
#include "shell/host_links.h"
#include "widgets/data_table.h"

#include <QAbstractTableModel>
#include <QVBoxLayout>

namespace terrarium::ui {

QString gapReasonText(const QString &reason)
{
    if (reason == QLatin1String("linkLost"))
        return GapList::tr("link lost");
    if (reason == QLatin1String("hostDropped"))
        return GapList::tr("the host dropped them, the link was too slow");
    if (reason == QLatin1String("hostRestarted"))
        return GapList::tr("the host was restarted");
    if (reason == QLatin1String("paused"))
        return GapList::tr("the view was paused");
    return reason;
}

class GapList::Model final : public QAbstractTableModel {
public:
    struct Row {
        int host = 0;
        QString hostName;
        QString actor;
        FeedGap gap;
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<Row> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    const Row &row(int i) const { return m_rows[size_t(i)]; }
    int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : int(m_rows.size()); }
    int columnCount(const QModelIndex & = {}) const override { return 5; }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal)
            return {};
        if (role == Qt::TextAlignmentRole)
            return int((section == 2 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        if (role != Qt::DisplayRole)
            return {};
        switch (section) {
        case 0: return GapList::tr("Actor");
        case 1: return GapList::tr("Between");
        case 2: return GapList::tr("Lost");
        case 3: return GapList::tr("Right again at");
        default: return GapList::tr("Why");
        }
    }
    QVariant data(const QModelIndex &index, int role) const override
    {
        const Row &row = m_rows[size_t(index.row())];
        switch (role) {
        case ReasonRole: return row.gap.reason;
        case SeqRole: return QVariant::fromValue(row.gap.resyncSequence);
        case CountRole: return QVariant::fromValue(row.gap.count);
        case RowKindRole: return int(RowKind::Gap);
        case ActorIdRole: return row.gap.actorId;
        case CellRole:
        case Qt::DisplayRole: break;
        default: return {};
        }
        Cell cell;
        switch (index.column()) {
        case 0:
            cell = Cell(QList<Run>{Run::withIcon(QStringLiteral("warning-solid"), ColorRole::Warn, 14), Run(row.actor),
                                   Run(row.hostName, ColorRole::Muted).after(8)});
            break;
        case 1:
            cell = Cell(Run(format::timeTenths(row.gap.from) + QStringLiteral(" – ") + format::timeTenths(row.gap.to),
                            ColorRole::Text, FontRole::Data));
            break;
        case 2:
            cell =
                Cell::number(row.gap.count ? QString::number(row.gap.count) : GapList::tr("unknown"), ColorRole::Text);
            break;
        case 3:
            cell = Cell(Run(QStringLiteral("#%1").arg(row.gap.resyncSequence), ColorRole::Text, FontRole::Data));
            break;
        default: cell = Cell(Run(gapReasonText(row.gap.reason), ColorRole::Muted)); break;
        }
        return role == CellRole ? QVariant::fromValue(cell) : QVariant(cell.plainText());
    }

private:
    std::vector<Row> m_rows;
};

GapList::GapList(HostLinks &links, QWidget *parent)
    : QDialog(parent),
      m_links(links),
      m_model(new Model(this)),
      m_table(new DataTable(this))
{
    setObjectName(QStringLiteral("gapList"));
    setWindowTitle(tr("Gaps"));
    m_table->setObjectName(QStringLiteral("gapTable"));
    m_table->setAccessibleName(tr("Gaps"));
    m_table->setModel(m_model);
    m_table->setColumnWidths({190, 190, 70, 110, 0});
    m_table->setEmptyText(QStringLiteral("noGaps"), tr("Nothing is missing"),
                          tr("Every change since this window attached is in the lists."));
    m_table->behavior()->setExportName(QStringLiteral("gaps"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    resize(760, 260);
    connect(&links, &HostLinks::gapsChanged, this, &GapList::refresh);
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        const Model::Row &row = m_model->row(index.row());
        Q_EMIT gapOpened(row.host, row.gap.actorId, row.gap.resyncSequence);
    });
    refresh();
}

void GapList::refresh()
{
    std::vector<Model::Row> rows;
    for (int i = 0; i < m_links.size(); ++i) {
        const InspectorClient *client = m_links.at(i);
        for (const FeedGap &gap : client->gaps()) {
            const wire::ActorSummary *actor = m_links.at(i)->store().actor(gap.actorId);
            rows.push_back({i, client->name(), actor ? format::actorName(*actor) : gap.actorId, gap});
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) { return a.gap.to > b.gap.to; });
    m_model->setRows(std::move(rows));
}

} // namespace terrarium::ui
