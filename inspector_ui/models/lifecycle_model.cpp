#include "models/lifecycle_model.h"

#include "models/format.h"
#include "value/json.h"
#include "widgets/cell.h"

#include <QCoreApplication>

#include <algorithm>

namespace terrarium::ui {

namespace {

QString lifeTr(const char *text)
{
    return QCoreApplication::translate("Lifecycle", text);
}

/// For reasons whose record brings no sentence of its own.
QString plainReason(const QString &reason)
{
    static const QHash<QString, const char *> words{
        {QStringLiteral("idle"), QT_TRANSLATE_NOOP("Lifecycle", "idle")},
        {QStringLiteral("action"), QT_TRANSLATE_NOOP("Lifecycle", "asked by an action")},
        {QStringLiteral("request"), QT_TRANSLATE_NOOP("Lifecycle", "a request came in")},
        {QStringLiteral("connection"), QT_TRANSLATE_NOOP("Lifecycle", "a connection came in")},
        {QStringLiteral("alarm"), QT_TRANSLATE_NOOP("Lifecycle", "an alarm was due")},
        {QStringLiteral("inspector"), QT_TRANSLATE_NOOP("Lifecycle", "asked by an inspector")},
        {QStringLiteral("self"), QT_TRANSLATE_NOOP("Lifecycle", "asked by the actor itself")},
        {QStringLiteral("hostShutdown"), QT_TRANSLATE_NOOP("Lifecycle", "the host shuts down")},
        {QStringLiteral("crash"), QT_TRANSLATE_NOOP("Lifecycle", "crashed")},
        {QStringLiteral("deadline"), QT_TRANSLATE_NOOP("Lifecycle", "the deadline passed")},
        {QStringLiteral("drained"), QT_TRANSLATE_NOOP("Lifecycle", "all work drained")},
        {QStringLiteral("hookFinished"), QT_TRANSLATE_NOOP("Lifecycle", "a hook finished")},
        {QStringLiteral("loaded"), QT_TRANSLATE_NOOP("Lifecycle", "loaded from disk")},
        {QStringLiteral("saved"), QT_TRANSLATE_NOOP("Lifecycle", "saved")},
        {QStringLiteral("created"), QT_TRANSLATE_NOOP("Lifecycle", "created")},
        {QStringLiteral("codeReload"), QT_TRANSLATE_NOOP("Lifecycle", "code was reloaded")},
    };
    const char *text = words.value(reason, nullptr);
    return text ? lifeTr(text) : reason;
}

/// The detail with the cause's name as a link in it, where the name stands in it as a word.
QList<Run> reasonRuns(const wire::TransitionRecord &t)
{
    const QString text = reasonText(t);
    const QString name = t.cause.name;
    const qsizetype at = name.isEmpty() ? -1 : text.indexOf(name);
    const QString link = t.cause.kind == QLatin1String("action")  ? QStringLiteral("action:") + name
                         : t.cause.kind == QLatin1String("timer") ? QStringLiteral("section:schedule")
                                                                  : QStringLiteral("section:connections");
    if (at < 0)
        return {Run(text, t.error ? ColorRole::Text : ColorRole::Muted)};
    QList<Run> out;
    if (at > 0)
        out.append(Run(text.left(at), ColorRole::Muted));
    out.append(Run::withLink(name, link));
    if (at + name.size() < text.size())
        out.append(Run(text.mid(at + name.size()), ColorRole::Muted));
    return out;
}

} // namespace

QString reasonText(const wire::TransitionRecord &t)
{
    if (!t.detail.isEmpty())
        return t.detail;
    QString text = plainReason(t.reason);
    if (!t.cause.name.isEmpty())
        text = format::causeText(t.cause);
    if (t.error)
        text += QLatin1String(": ") + t.error->group + QLatin1Char('/') + t.error->code;
    return text;
}

void LifecycleModel::setFeed(std::shared_ptr<ActorFeed> feed)
{
    m_feed = std::move(feed);
    reload();
}

void LifecycleModel::reload()
{
    beginResetModel();
    m_rows.clear();
    m_base = 0;
    m_total = 0;
    if (m_feed) {
        const auto &records = m_feed->records();
        for (size_t i = 0; i < records.size(); ++i) {
            if (accepts(records[i].record))
                m_rows.push_back(qint64(i));
            m_total += std::holds_alternative<wire::TransitionRecord>(records[i].record.body);
        }
    }
    endResetModel();
}

void LifecycleModel::take(const FeedChange &change)
{
    if (!m_feed)
        return;
    if (change.reset) {
        reload();
        return;
    }
    const auto &records = m_feed->records();
    if (change.recordsDropped > 0) {
        m_base += change.recordsDropped;
        const auto keep = std::lower_bound(m_rows.begin(), m_rows.end(), m_base);
        const int dropped = int(keep - m_rows.begin());
        if (dropped > 0) {
            const int size = int(m_rows.size());
            beginRemoveRows({}, size - dropped, size - 1);
            m_rows.erase(m_rows.begin(), keep);
            endRemoveRows();
        }
    }
    std::vector<qint64> fresh;
    const size_t appended = qMin(size_t(qMax(0, change.recordsAppended)), records.size());
    for (size_t i = records.size() - appended; i < records.size(); ++i) {
        m_total += std::holds_alternative<wire::TransitionRecord>(records[i].record.body);
        if (accepts(records[i].record))
            fresh.push_back(m_base + qint64(i));
    }
    if (!fresh.empty()) {
        beginInsertRows({}, 0, int(fresh.size()) - 1);
        m_rows.insert(m_rows.end(), fresh.begin(), fresh.end());
        endInsertRows();
    }
}

void LifecycleModel::setFilter(const QString &text)
{
    if (m_filter == text)
        return;
    m_filter = text;
    reload();
}

bool LifecycleModel::accepts(const wire::Record &record) const
{
    const auto *t = std::get_if<wire::TransitionRecord>(&record.body);
    const auto *n = std::get_if<wire::NoteRecord>(&record.body);
    if (!t && !n)
        return false;
    const QStringList words = m_filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString &word : words) {
        const auto holds = [&](const QString &text, QLatin1String prefix) {
            return text.contains(QStringView(word).mid(prefix.size()), Qt::CaseInsensitive);
        };
        if (n) {
            if (!n->text.contains(word, Qt::CaseInsensitive))
                return false;
            continue;
        }
        const auto names = [](wire::ActorStatus status) {
            return wire::statusName(status) + QLatin1Char(' ') + format::statusLabel(status);
        };
        if (word.startsWith(QLatin1String("to:"))) {
            if (!holds(names(t->to), QLatin1String("to:")))
                return false;
        } else if (word.startsWith(QLatin1String("from:"))) {
            if (!holds(names(t->from), QLatin1String("from:")))
                return false;
        } else if (word.startsWith(QLatin1String("reason:"))) {
            if (!holds(t->reason + QLatin1Char(' ') + reasonText(*t), QLatin1String("reason:")))
                return false;
        } else if (word.startsWith(QLatin1String("took>")) || word.startsWith(QLatin1String("took<"))) {
            QString number = word.mid(5);
            qint64 unit = 1000;
            if (number.endsWith(QLatin1String("ms")))
                number.chop(2);
            else if (number.endsWith(QLatin1String("us")))
                number.chop(2), unit = 1;
            else if (number.endsWith(QLatin1Char('s')))
                number.chop(1), unit = 1000000;
            else if (number.endsWith(QLatin1Char('m')))
                number.chop(1), unit = 60000000;
            bool ok = false;
            const double value = number.toDouble(&ok) * double(unit);
            if (ok && (word.at(4) == QLatin1Char('>') ? double(t->tookUs) <= value : double(t->tookUs) >= value))
                return false;
        } else {
            QString all = names(t->from) + QLatin1Char(' ') + names(t->to) + QLatin1Char(' ') + reasonText(*t);
            for (const wire::HookTiming &hook : t->hooks)
                all += QLatin1Char(' ') + hook.name + QLatin1Char(' ') + hook.outcome;
            if (!all.contains(word, Qt::CaseInsensitive))
                return false;
        }
    }
    return true;
}

const FeedRecord *LifecycleModel::recordAt(int row) const
{
    if (!m_feed || row < 0 || row >= int(m_rows.size()))
        return nullptr;
    const qint64 at = m_rows[m_rows.size() - 1 - size_t(row)] - m_base;
    const auto &records = m_feed->records();
    return at >= 0 && at < qint64(records.size()) ? &records[size_t(at)] : nullptr;
}

const wire::TransitionRecord *LifecycleModel::transitionAt(int row) const
{
    const FeedRecord *record = recordAt(row);
    return record ? std::get_if<wire::TransitionRecord>(&record->record.body) : nullptr;
}

qint64 LifecycleModel::timeAt(int row) const
{
    const FeedRecord *record = recordAt(row);
    return record ? record->record.at : 0;
}

int LifecycleModel::rowAtTime(qint64 at) const
{
    for (int row = 0; row < int(m_rows.size()); ++row)
        if (transitionAt(row) && timeAt(row) <= at)
            return row;
    return -1;
}

int LifecycleModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int LifecycleModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant LifecycleModel::data(const QModelIndex &index, int role) const
{
    const FeedRecord *record = index.isValid() ? recordAt(index.row()) : nullptr;
    if (!record)
        return {};
    if (const auto *note = std::get_if<wire::NoteRecord>(&record->record.body)) {
        const QString fact = note->kind == QLatin1String("idleTimerStayedUp")
                                 ? lifeTr("Idle timer fired, actor stayed up")
                             : note->kind == QLatin1String("hookFailed")    ? lifeTr("A hook failed")
                             : note->kind == QLatin1String("saveFailed")    ? lifeTr("Saving failed")
                             : note->kind == QLatin1String("slowSerialize") ? lifeTr("Slow to serialise")
                                                                            : lifeTr("Note");
        const QString detail = format::timeTenths(record->record.at) + QLatin1String(", ") + note->text;
        switch (role) {
        case RowKindRole: return int(RowKind::Divider);
        case RowLookRole:
            return QVariant::fromValue(
                dividerLook(note->error ? QStringLiteral("warning") : QStringLiteral("info"), fact, detail));
        case TimeRole: return record->record.at;
        case ReasonRole: return note->kind;
        case Qt::DisplayRole: return index.column() == 0 ? QVariant(fact + QLatin1String("  ") + detail) : QVariant();
        default: return {};
        }
    }
    const auto *t = std::get_if<wire::TransitionRecord>(&record->record.body);
    const auto cell = [&]() -> Cell {
        switch (index.column()) {
        case TimeColumn: return Cell(Run(format::timeMs(record->record.at), ColorRole::Text, FontRole::Data));
        case TransitionColumn: {
            Run arrow = Run::withIcon(QStringLiteral("arrow-right"), ColorRole::Faint, 14);
            arrow.after(6);
            Run to = Run::withIcon(format::statusIcon(t->to), familyColor(format::statusFamily(t->to)), 16);
            to.after(6);
            Run word(format::statusLabel(t->to));
            word.after(6);
            Run from = Run::withIcon(format::statusIcon(t->from), familyColor(format::statusFamily(t->from)), 16);
            from.extra = format::statusLabel(t->from);
            return Cell(QList<Run>{from, arrow, to, word});
        }
        case ReasonColumn: return Cell(reasonRuns(*t));
        case TookColumn:
            return Cell(Run(format::duration(t->tookUs), ColorRole::Muted, FontRole::DataSmall), Qt::AlignRight);
        default: return {};
        }
    };
    switch (role) {
    case CellRole: return QVariant::fromValue(cell());
    case Qt::DisplayRole: return cell().plainText();
    case Qt::AccessibleTextRole:
        if (index.column() == TransitionColumn)
            return lifeTr("%1 to %2").arg(format::statusLabel(t->from), format::statusLabel(t->to));
        return {};
    case RowLookRole: {
        RowLook look;
        look.error = t->to == wire::ActorStatus::crashed;
        return QVariant::fromValue(look);
    }
    case RowKindRole: return int(RowKind::Row);
    case TimeRole: return record->record.at;
    case ReasonRole: return t->reason;
    case StatusRole: return wire::statusName(t->to);
    case CauseRole: return format::causeCode(t->cause);
    case JsonRole: {
        Value out = Value::map();
        out.set(QStringLiteral("at"), Value(record->record.at));
        out.set(QStringLiteral("from"), Value(wire::statusName(t->from)));
        out.set(QStringLiteral("to"), Value(wire::statusName(t->to)));
        out.set(QStringLiteral("reason"), Value(t->reason));
        out.set(QStringLiteral("detail"), Value(t->detail));
        out.set(QStringLiteral("tookUs"), Value(t->tookUs));
        return QString::fromUtf8(json::write(out));
    }
    default: return {};
    }
}

QVariant LifecycleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == TookColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case TimeColumn: return tr("Time");
    case TransitionColumn: return tr("Transition");
    case ReasonColumn: return tr("Reason");
    case TookColumn: return tr("Took");
    default: return {};
    }
}

} // namespace terrarium::ui
