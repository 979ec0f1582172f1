#include "models/delta_model.h"

#include "models/cause_runs.h"
#include "models/delta_text.h"
#include "models/format.h"
#include "models/gap_text.h"
#include "value/json.h"
#include "widgets/cell.h"

#include <QElapsedTimer>

namespace terrarium::ui {

void DeltaModel::setFeed(std::shared_ptr<ActorFeed> feed)
{
    m_feed = std::move(feed);
    reload();
}

void DeltaModel::reload()
{
    beginResetModel();
    m_rows.clear();
    m_gapRows = 0;
    m_gapsSeen = 0;
    m_newestSeen = 0;
    m_scanFrom = m_scanTo = 0;
    if (m_feed) {
        const auto &deltas = m_feed->deltas();
        const auto &gaps = m_feed->gaps();
        m_gapsSeen = int(gaps.size());
        m_newestSeen = deltas.empty() ? 0 : deltas.back().delta.sequence;
        if (m_filter.isEmpty()) {
            int gap = 0;
            for (const FeedDelta &delta : deltas) {
                for (; gap < gaps.size() && gaps[gap].afterSequence < delta.delta.sequence; ++gap, ++m_gapRows)
                    m_rows.push_back({gaps[gap].afterSequence, gap});
                m_rows.push_back({delta.delta.sequence, -1});
            }
            for (; gap < gaps.size(); ++gap, ++m_gapRows)
                m_rows.push_back({gaps[gap].afterSequence, gap});
        } else {
            m_scanFrom = int(deltas.size());
        }
    }
    endResetModel();
    if (isScanning())
        scan(4);
}

bool DeltaModel::scan(int budgetMs)
{
    if (!m_feed || !isScanning())
        return false;
    QElapsedTimer timer;
    timer.start();
    const auto &deltas = m_feed->deltas();
    const auto &gaps = m_feed->gaps();
    std::vector<Row> found; // newest first
    int gap = int(gaps.size()) - 1;
    // Gaps newer than what was scanned already are shown.
    while (gap >= 0 && m_scanFrom < int(deltas.size())
           && gaps[gap].afterSequence >= deltas[size_t(m_scanFrom)].delta.sequence)
        --gap;
    int steps = 0;
    while (m_scanFrom > m_scanTo) {
        const FeedDelta &delta = deltas[size_t(m_scanFrom - 1)];
        for (; gap >= 0 && gaps[gap].afterSequence >= delta.delta.sequence; --gap)
            found.push_back({gaps[gap].afterSequence, gap});
        --m_scanFrom;
        if (accepts(delta))
            found.push_back({delta.delta.sequence, -1});
        if ((++steps & 63) == 0 && timer.hasExpired(budgetMs))
            break;
    }
    if (m_scanFrom == m_scanTo)
        for (; gap >= 0; --gap)
            found.push_back({gaps[gap].afterSequence, gap});
    if (!found.empty()) {
        const int first = int(m_rows.size());
        beginInsertRows({}, first, first + int(found.size()) - 1);
        for (const Row &row : found) {
            m_gapRows += row.gap >= 0;
            m_rows.push_front(row);
        }
        endInsertRows();
    }
    return isScanning();
}

void DeltaModel::take(const FeedChange &change)
{
    if (!m_feed)
        return;
    if (change.reset) {
        reload();
        return;
    }
    const auto &deltas = m_feed->deltas();
    const auto &gaps = m_feed->gaps();
    if (change.deltasDropped > 0) {
        if (isScanning()) {
            m_scanFrom = qMax(0, m_scanFrom - change.deltasDropped);
            m_scanTo = qMax(0, m_scanTo - change.deltasDropped);
        }
        const quint64 oldest = deltas.empty() ? m_newestSeen + 1 : deltas.front().delta.sequence;
        size_t dropped = 0;
        int gapsDropped = 0;
        while (dropped < m_rows.size() && m_rows[dropped].sequence < oldest) {
            gapsDropped += m_rows[dropped].gap >= 0;
            ++dropped;
        }
        if (dropped > 0) {
            const int size = int(m_rows.size());
            beginRemoveRows({}, size - int(dropped), size - 1);
            m_rows.erase(m_rows.begin(), m_rows.begin() + qsizetype(dropped));
            m_gapRows -= gapsDropped;
            endRemoveRows();
        }
    }
    std::vector<Row> fresh; // oldest first
    size_t at = deltas.size();
    while (at > 0 && deltas[at - 1].delta.sequence > m_newestSeen)
        --at;
    for (; at < deltas.size(); ++at) {
        const FeedDelta &delta = deltas[at];
        for (; m_gapsSeen < gaps.size() && gaps[m_gapsSeen].afterSequence < delta.delta.sequence; ++m_gapsSeen)
            fresh.push_back({gaps[m_gapsSeen].afterSequence, m_gapsSeen});
        if (accepts(delta))
            fresh.push_back({delta.delta.sequence, -1});
        m_newestSeen = delta.delta.sequence;
    }
    for (; m_gapsSeen < gaps.size(); ++m_gapsSeen)
        fresh.push_back({gaps[m_gapsSeen].afterSequence, m_gapsSeen});
    if (!fresh.empty()) {
        beginInsertRows({}, 0, int(fresh.size()) - 1);
        for (const Row &row : fresh) {
            m_gapRows += row.gap >= 0;
            m_rows.push_back(row);
        }
        endInsertRows();
    }
    if (change.savedChanged && !m_rows.empty())
        Q_EMIT dataChanged(index(0, SavedColumn), index(int(m_rows.size()) - 1, SavedColumn));
}

void DeltaModel::setFilter(const DeltaFilter &filter)
{
    m_filter = filter;
    reload();
}

void DeltaModel::setCursor(quint64 sequence)
{
    if (m_cursor == sequence)
        return;
    m_cursor = sequence;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, ColumnCount - 1));
}

void DeltaModel::setTimeForm(TimeForm form)
{
    m_timeForm = form;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, TimeColumn), index(int(m_rows.size()) - 1, TimeColumn));
    Q_EMIT headerDataChanged(Qt::Horizontal, TimeColumn, TimeColumn);
}

int DeltaModel::rowOf(quint64 sequence) const
{
    // Rows are ordered by sequence; a gap comes right after the delta with the same number.
    const auto it = std::lower_bound(m_rows.begin(), m_rows.end(), sequence,
                                     [](const Row &row, quint64 wanted) { return row.sequence < wanted; });
    if (it == m_rows.end() || it->sequence != sequence || it->gap >= 0)
        return -1;
    return int(m_rows.end() - it) - 1;
}

quint64 DeltaModel::sequenceAt(int row) const
{
    return row >= 0 && row < int(m_rows.size()) && rowAt(row).gap < 0 ? rowAt(row).sequence : 0;
}

const FeedDelta *DeltaModel::deltaAt(int row) const
{
    const quint64 sequence = sequenceAt(row);
    const int at = sequence && m_feed ? m_feed->indexOf(sequence) : -1;
    return at >= 0 ? &m_feed->deltas()[size_t(at)] : nullptr;
}

int DeltaModel::totalCount() const
{
    return m_feed ? int(m_feed->deltas().size()) : 0;
}

int DeltaModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int DeltaModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QString DeltaModel::timeText(const FeedDelta &delta, int row) const
{
    switch (m_timeForm) {
    case TimeForm::Clock: return format::timeMs(delta.at);
    case TimeForm::Age: return format::age(qMax<qint64>(0, m_now - delta.at));
    case TimeForm::SincePrevious: {
        const FeedDelta *before = nullptr;
        for (int r = row + 1; r < int(m_rows.size()) && !before; ++r)
            before = deltaAt(r);
        return before ? QLatin1Char('+') + format::age(qMax<qint64>(0, delta.at - before->at)) : QString();
    }
    }
    return {};
}

QVariant DeltaModel::cell(const FeedDelta &delta, int row, int column) const
{
    switch (column) {
    case NumberColumn:
        return QVariant::fromValue(
            Cell(Run(QString::number(delta.delta.sequence), ColorRole::Muted, FontRole::Data), Qt::AlignRight));
    case TimeColumn: return QVariant::fromValue(Cell(Run(timeText(delta, row), ColorRole::Text, FontRole::Data)));
    case CauseColumn: return QVariant::fromValue(Cell(causeRuns(delta.delta.causes)));
    case PathsColumn:
        return QVariant::fromValue(Cell(Run(DeltaText::of(delta.delta.ops).paths, ColorRole::Text, FontRole::Data)));
    case ChangeColumn: {
        const DeltaText text = DeltaText::of(delta.delta.ops);
        if (text.to.isEmpty())
            return QVariant::fromValue(Cell(Run(text.words, ColorRole::Muted, FontRole::Data)));
        return QVariant::fromValue(Cell(QList<Run>{Run(text.from, ColorRole::Muted, FontRole::Data),
                                                   Run(QStringLiteral(" \u2192 "), ColorRole::Faint, FontRole::Data),
                                                   Run(text.to, ColorRole::Text, FontRole::Data)}));
    }
    case SizeColumn:
        return QVariant::fromValue(
            Cell(Run(format::bytes(deltaBytes(delta.delta)), ColorRole::Muted, FontRole::DataSmall), Qt::AlignRight));
    case SavedColumn:
        if (delta.savedUs < 0)
            return QVariant::fromValue(Cell(Run(tr("pending")), Qt::AlignRight));
        // 0: saved before this window looked.
        return QVariant::fromValue(Cell(
            Run(delta.savedUs == 0 ? tr("saved") : format::duration(delta.savedUs), ColorRole::Muted), Qt::AlignRight));
    default: return {};
    }
}

QVariant DeltaModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_rows.size()) || !m_feed)
        return {};
    const Row &row = rowAt(index.row());
    if (row.gap >= 0) {
        if (row.gap >= m_feed->gaps().size())
            return {};
        const FeedGap &gap = m_feed->gaps()[row.gap];
        switch (role) {
        case RowKindRole: return int(RowKind::Gap);
        case RowLookRole: return QVariant::fromValue(gapLook(gapFact(gap), gapDetail(gap)));
        case ReasonRole: return gap.reason;
        case CountRole: return gap.count;
        case TimeRole: return gap.from;
        case Qt::DisplayRole:
            return index.column() == 0 ? QVariant(gapFact(gap) + QLatin1Char(' ') + gapDetail(gap)) : QVariant();
        default: return {};
        }
    }
    const FeedDelta *delta = deltaAt(index.row());
    if (!delta)
        return {};
    switch (role) {
    case CellRole: return cell(*delta, index.row(), index.column());
    case Qt::DisplayRole: return cell(*delta, index.row(), index.column()).value<Cell>().plainText();
    case RowLookRole: {
        RowLook look;
        look.dimmed = m_cursor > 0 && row.sequence > m_cursor;
        return QVariant::fromValue(look);
    }
    case RowKindRole: return int(RowKind::Row);
    case SeqRole: return row.sequence;
    case TimeRole: return delta->at;
    case CauseRole:
        return delta->delta.causes.isEmpty() ? QStringLiteral("unknown")
                                             : format::causeCode(delta->delta.causes.first());
    case PathRole: return DeltaText::of(delta->delta.ops).paths;
    case OldValueRole: return DeltaText::of(delta->delta.ops).from;
    case NewValueRole: return DeltaText::of(delta->delta.ops).to;
    case LinkRole: return QStringLiteral("delta:%1").arg(row.sequence);
    case JsonRole: {
        Value out = Value::map();
        out.set(QStringLiteral("sequence"), Value(row.sequence));
        out.set(QStringLiteral("at"), Value(delta->at));
        Value causes = Value::array();
        for (const Cause &cause : delta->delta.causes)
            causes.append(Value(format::causeCode(cause)));
        out.set(QStringLiteral("causes"), causes);
        out.set(QStringLiteral("changes"), delta::toValue(delta->delta.ops));
        return QString::fromUtf8(json::write(out, json::Form::Extended));
    }
    default: return {};
    }
}

QVariant DeltaModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool right = section == NumberColumn || section == SizeColumn || section == SavedColumn;
        return int((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && section == TimeColumn)
        return tr("Click for time of day, age or time since the change before");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NumberColumn: return tr("#");
    case TimeColumn:
        return m_timeForm == TimeForm::Clock ? tr("Time")
               : m_timeForm == TimeForm::Age ? tr("Age")
                                             : tr("Since previous");
    case CauseColumn: return tr("Cause");
    case PathsColumn: return tr("Paths");
    case ChangeColumn: return tr("Change");
    case SizeColumn: return tr("Size");
    case SavedColumn: return tr("Saved");
    default: return {};
    }
}

} // namespace terrarium::ui
