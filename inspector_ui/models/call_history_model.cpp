#include "models/call_history_model.h"

#include "models/format.h"
#include "models/value_text.h"
#include "value/cbor.h"
#include "value/json.h"

namespace terrarium::ui {

namespace {

/// Children carry the id of their call; calls carry 0.
quintptr callParent(const QModelIndex &index)
{
    return index.internalId();
}

QString argsText(const Value &args, int most)
{
    QString out = QStringLiteral("(");
    bool first = true;
    for (const Value &arg : args.items()) {
        if (!first)
            out += QLatin1String(", ");
        first = false;
        out += value_text::oneLine(arg, most);
        if (out.size() > most) {
            out += QChar(0x2026);
            break;
        }
    }
    return out + QLatin1Char(')');
}

} // namespace

QString callText(const QString &action, const Value &args, int most)
{
    return action + argsText(args, most);
}

void CallHistoryModel::setEntries(std::deque<CallEntry> entries)
{
    beginResetModel();
    m_entries = std::move(entries);
    endResetModel();
}

void CallHistoryModel::add(CallEntry entry)
{
    if (m_entries.size() >= size_t(most)) {
        beginRemoveRows({}, int(m_entries.size()) - 1, int(m_entries.size()) - 1);
        m_entries.pop_back();
        endRemoveRows();
    }
    beginInsertRows({}, 0, 0);
    m_entries.push_front(std::move(entry));
    endInsertRows();
}

void CallHistoryModel::replace(const CallEntry &entry)
{
    for (size_t i = 0; i < m_entries.size(); ++i) {
        if (m_entries[i].id != entry.id)
            continue;
        const QModelIndex row = index(int(i), 0);
        const int before = int(details(m_entries[i]).size());
        const int after = int(details(entry).size());
        if (before > 0) {
            beginRemoveRows(row, 0, before - 1);
            CallEntry bare = m_entries[i];
            bare.state = CallEntry::Running;
            m_entries[i] = bare;
            endRemoveRows();
        }
        if (after > 0) {
            beginInsertRows(row, 0, after - 1);
            m_entries[i] = entry;
            endInsertRows();
        } else {
            m_entries[i] = entry;
        }
        Q_EMIT dataChanged(row, index(int(i), ColumnCount - 1));
        return;
    }
}

const CallEntry *CallHistoryModel::find(quint64 id) const
{
    for (const CallEntry &entry : m_entries)
        if (entry.id == id)
            return &entry;
    return nullptr;
}

void CallHistoryModel::clearFinished()
{
    beginResetModel();
    std::erase_if(m_entries, [](const CallEntry &entry) { return entry.state != CallEntry::Running; });
    endResetModel();
}

void CallHistoryModel::setNow(qint64 hostNow)
{
    m_now = hostNow;
    for (size_t i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].state == CallEntry::Running)
            Q_EMIT dataChanged(index(int(i), AnswerColumn), index(int(i), AnswerColumn));
}

const CallEntry *CallHistoryModel::entryAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return nullptr;
    if (const quintptr id = callParent(index))
        return find(quint64(id));
    return index.row() < int(m_entries.size()) ? &m_entries[size_t(index.row())] : nullptr;
}

QModelIndex CallHistoryModel::index(int row, int column, const QModelIndex &parent) const
{
    if (row < 0 || column < 0 || column >= ColumnCount)
        return {};
    if (!parent.isValid())
        return row < int(m_entries.size()) ? createIndex(row, column, quintptr(0)) : QModelIndex();
    if (callParent(parent) || parent.column() != 0)
        return {};
    const CallEntry *entry = entryAt(parent);
    return entry && row < details(*entry).size() ? createIndex(row, column, quintptr(entry->id)) : QModelIndex();
}

QModelIndex CallHistoryModel::parent(const QModelIndex &index) const
{
    const quintptr id = index.isValid() ? callParent(index) : 0;
    if (!id)
        return {};
    for (size_t i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].id == quint64(id))
            return createIndex(int(i), 0, quintptr(0));
    return {};
}

int CallHistoryModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_entries.size());
    if (callParent(parent) || parent.column() != 0)
        return 0;
    const CallEntry *entry = entryAt(parent);
    return entry ? int(details(*entry).size()) : 0;
}

int CallHistoryModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QList<CallHistoryModel::Detail> CallHistoryModel::details(const CallEntry &entry) const
{
    if (entry.state == CallEntry::Unconfirmed)
        return {{tr("What now"),
                 {Run(tr("The link was lost before the answer came. The call may have run; it is not sent again."))}}};
    if (entry.state != CallEntry::Failed)
        return {};
    QList<Detail> out;
    out.append({tr("Group"), {Run(entry.error.group(), ColorRole::Text, FontRole::Data)}});
    out.append({tr("Message"), {Run(entry.error.message())}});
    if (entry.error.metadata().isMap()) {
        int shown = 0;
        for (const auto &[key, value] : entry.error.metadata().entries()) {
            if (++shown > 12)
                break;
            out.append({key.left(40),
                        {Run(value.isText() ? value.toText().left(400) : value_text::oneLine(value, 400),
                             ColorRole::Text, FontRole::Data)}});
        }
    } else if (!entry.error.metadata().isNull()) {
        out.append(
            {tr("Metadata"), {Run(value_text::oneLine(entry.error.metadata(), 400), ColorRole::Text, FontRole::Data)}});
    }
    out.append(
        {tr("See"),
         {Run::withLink(tr("Lifecycle at %1").arg(format::time(entry.at)), QStringLiteral("time:%1").arg(entry.at))}});
    return out;
}

QVariant CallHistoryModel::cell(const CallEntry &entry, int column) const
{
    switch (column) {
    case TimeColumn: {
        static const char *const icons[] = {"state-loading", "done", "failed", "warning"};
        static constexpr ColorRole colors[] = {ColorRole::Info, ColorRole::Ok, ColorRole::Bad, ColorRole::Warn};
        Run icon = Run::withIcon(QString::fromLatin1(icons[entry.state]), colors[entry.state], 16);
        icon.extra = entry.state == CallEntry::Running  ? tr("running")
                     : entry.state == CallEntry::Ok     ? tr("done")
                     : entry.state == CallEntry::Failed ? tr("failed")
                                                        : tr("unconfirmed");
        return QVariant::fromValue(
            Cell(QList<Run>{icon, Run(format::timeMs(entry.at), ColorRole::Text, FontRole::Data).after(6)}));
    }
    case CallColumn:
        return QVariant::fromValue(Cell(QList<Run>{Run(entry.action, ColorRole::Text, FontRole::DataStrong),
                                                   Run(argsText(entry.args, 200), ColorRole::Muted, FontRole::Data)}));
    case AnswerColumn: {
        if (entry.state == CallEntry::Running)
            return QVariant::fromValue(
                Cell(Run(m_now > entry.at ? tr("running %1").arg(format::timer(m_now - entry.at)) : tr("running"))));
        if (entry.state == CallEntry::Unconfirmed)
            return QVariant::fromValue(Cell(Run(tr("unconfirmed"), ColorRole::Text, FontRole::Strong)));
        if (entry.state == CallEntry::Failed)
            return QVariant::fromValue(Cell(Run(entry.error.code(), ColorRole::Text, FontRole::Strong)));
        const Value &result = entry.result.result;
        if (result.isUndefined())
            return QVariant::fromValue(Cell(Run(tr("no value"), ColorRole::Quiet)));
        ColorRole color = ColorRole::Text;
        switch (value_text::look(result)) {
        case value_text::Look::Text: color = ColorRole::ValueText; break;
        case value_text::Look::Number: color = ColorRole::ValueNumber; break;
        case value_text::Look::Keyword: color = ColorRole::ValueKeyword; break;
        case value_text::Look::Container: break;
        }
        if (result.isArray() && result.size() > 8)
            return QVariant::fromValue(Cell(QList<Run>{
                Run(value_text::opened(result), ColorRole::Text, FontRole::Data),
                Run(format::bytes(cbor::encodedSize(result)), ColorRole::Muted, FontRole::DataSmall).after(6)}));
        return QVariant::fromValue(Cell(Run(value_text::oneLine(result, 200), color, FontRole::Data)));
    }
    case TookColumn:
        if (entry.state == CallEntry::Running)
            return QVariant::fromValue(Cell());
        if (entry.state != CallEntry::Ok && entry.result.tookUs == 0)
            return QVariant::fromValue(
                Cell(Run(entry.endedAt > entry.at ? format::duration((entry.endedAt - entry.at) * 1000) : QString(),
                         ColorRole::Muted, FontRole::DataSmall),
                     Qt::AlignRight));
        return QVariant::fromValue(
            Cell(Run(format::duration(entry.result.tookUs), ColorRole::Muted, FontRole::DataSmall), Qt::AlignRight));
    case ChangedColumn: {
        if (entry.state == CallEntry::Running)
            return QVariant::fromValue(Cell(Run::withLink(tr("Cancel"), QStringLiteral("cancel:%1").arg(entry.id))));
        QList<Run> runs;
        if (entry.result.lastSequence > 0) {
            const int paths = qMax(1, entry.result.changedPaths);
            runs.append(Run(paths == 1 ? tr("1 path") : tr("%1 paths").arg(paths), ColorRole::Muted));
            runs.append(Run::withLink(QStringLiteral("#%1").arg(entry.result.lastSequence),
                                      QStringLiteral("delta:%1").arg(entry.result.lastSequence))
                            .after(4));
        } else if (entry.result.woke) {
            runs.append(Run(tr("woke it"), ColorRole::Muted));
            runs.append(Run::withLink(format::time(entry.at), QStringLiteral("time:%1").arg(entry.at)).after(4));
        } else if (entry.state == CallEntry::Unconfirmed) {
            runs.append(Run(tr("not known"), ColorRole::Muted));
        } else {
            runs.append(Run(tr("nothing"), ColorRole::Muted));
        }
        return QVariant::fromValue(Cell(runs));
    }
    default: return {};
    }
}

QVariant CallHistoryModel::data(const QModelIndex &index, int role) const
{
    const CallEntry *entry = entryAt(index);
    if (!entry)
        return {};
    if (callParent(index)) {
        const QList<Detail> list = details(*entry);
        if (index.row() >= list.size())
            return {};
        const Detail &detail = list.at(index.row());
        switch (role) {
        case CellRole:
            if (index.column() == TimeColumn)
                return QVariant::fromValue(Cell(Run(detail.label, ColorRole::Muted, FontRole::Secondary)));
            return QVariant::fromValue(index.column() == CallColumn ? Cell(detail.runs) : Cell());
        case Qt::DisplayRole:
            if (index.column() == TimeColumn)
                return detail.label;
            return index.column() == CallColumn ? Cell(detail.runs).plainText() : QString();
        case RowLookRole: {
            RowLook look;
            look.tint = ColorRole::ErrorRow;
            return QVariant::fromValue(look);
        }
        case RowKindRole: return int(RowKind::Row);
        default: return {};
        }
    }
    switch (role) {
    case CellRole: return cell(*entry, index.column());
    case Qt::DisplayRole: return cell(*entry, index.column()).value<Cell>().plainText();
    case RowLookRole: {
        RowLook look;
        if (entry->state == CallEntry::Failed)
            look.tint = ColorRole::BadTint;
        else if (entry->state == CallEntry::Unconfirmed)
            look.tint = ColorRole::WarnTint;
        return QVariant::fromValue(look);
    }
    case RowKindRole: return int(RowKind::Row);
    case StatusRole: {
        static const char *const names[] = {"running", "ok", "failed", "unconfirmed"};
        return QString::fromLatin1(names[entry->state]);
    }
    case SeqRole: return entry->result.lastSequence;
    case TimeRole: return entry->at;
    case LabelRole: return entry->action;
    case NewValueRole: return value_text::oneLine(entry->result.result, 2000);
    case LinkRole:
        return entry->result.lastSequence ? QStringLiteral("delta:%1").arg(entry->result.lastSequence) : QString();
    case JsonRole: {
        Value out = Value::map();
        out.set(QStringLiteral("at"), Value(entry->at));
        out.set(QStringLiteral("action"), Value(entry->action));
        out.set(QStringLiteral("args"), entry->args);
        if (entry->state == CallEntry::Ok)
            out.set(QStringLiteral("result"), entry->result.result);
        else if (entry->state == CallEntry::Failed)
            out.set(QStringLiteral("error"), Value(entry->error.text()));
        out.set(QStringLiteral("tookUs"), Value(entry->result.tookUs));
        return QString::fromUtf8(json::write(out, json::Form::Extended));
    }
    default: return {};
    }
}

QVariant CallHistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == TookColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case TimeColumn: return tr("Time");
    case CallColumn: return tr("Call");
    case AnswerColumn: return tr("Answer");
    case TookColumn: return tr("Took");
    case ChangedColumn: return tr("Changed");
    default: return {};
    }
}

} // namespace terrarium::ui
