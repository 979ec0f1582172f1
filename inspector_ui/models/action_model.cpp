#include "models/action_model.h"

#include "models/argument_text.h"
#include "models/format.h"
#include "widgets/cell.h"

#include <algorithm>

namespace terrarium::ui {

namespace {

/// Letters of `needle` in order in `text`; smaller is better, -1: no match. A match at the front wins.
int fuzzyScore(const QString &text, const QString &needle)
{
    if (needle.isEmpty())
        return 0;
    const qsizetype at = text.indexOf(needle, 0, Qt::CaseInsensitive);
    if (at >= 0)
        return int(at);
    qsizetype from = 0;
    int score = 100;
    for (const QChar c : needle) {
        const qsizetype next = text.indexOf(c, from, Qt::CaseInsensitive);
        if (next < 0)
            return -1;
        score += int(next - from);
        from = next + 1;
    }
    return score;
}

} // namespace

void ActionModel::setActions(const QList<wire::ActionInfo> &actions)
{
    if (actions == m_actions)
        return;
    beginResetModel();
    m_actions = actions;
    refilter();
    endResetModel();
}

void ActionModel::setFilter(const QString &text)
{
    if (text == m_filter)
        return;
    beginResetModel();
    m_filter = text;
    refilter();
    endResetModel();
}

void ActionModel::refilter()
{
    m_rows.clear();
    QList<std::pair<int, int>> scored;
    for (int i = 0; i < m_actions.size(); ++i) {
        const int score = fuzzyScore(m_actions.at(i).name, m_filter.trimmed());
        if (score >= 0)
            scored.append({score, i});
    }
    // Without a filter the order is the author's.
    if (!m_filter.trimmed().isEmpty())
        std::stable_sort(scored.begin(), scored.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[score, i] : std::as_const(scored))
        m_rows.append(i);
}

void ActionModel::addCalls(const std::vector<FeedRecord> &records, size_t from)
{
    bool any = false;
    for (size_t i = from; i < records.size(); ++i) {
        const auto *call = std::get_if<wire::CallRecord>(&records[i].record.body);
        if (!call || call->cause.kind != QLatin1String("action"))
            continue;
        Stats &stats = m_stats[call->cause.name];
        stats.lastUs = call->tookUs;
        stats.failed += call->ok ? 0 : 1;
        any = true;
    }
    if (any && !m_rows.isEmpty())
        Q_EMIT dataChanged(index(0), index(int(m_rows.size()) - 1));
}

void ActionModel::clearCalls()
{
    m_stats.clear();
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0), index(int(m_rows.size()) - 1));
}

const wire::ActionInfo *ActionModel::actionAt(int row) const
{
    return row >= 0 && row < m_rows.size() ? &m_actions.at(m_rows.at(row)) : nullptr;
}

const wire::ActionInfo *ActionModel::find(const QString &name) const
{
    for (const wire::ActionInfo &action : m_actions)
        if (action.name == name)
            return &action;
    return nullptr;
}

int ActionModel::rowOf(const QString &name) const
{
    for (int row = 0; row < m_rows.size(); ++row)
        if (m_actions.at(m_rows.at(row)).name == name)
            return row;
    return -1;
}

int ActionModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant ActionModel::data(const QModelIndex &index, int role) const
{
    const wire::ActionInfo *action = index.isValid() ? actionAt(index.row()) : nullptr;
    if (!action)
        return {};
    const Stats stats = m_stats.value(action->name);
    switch (role) {
    case Qt::DisplayRole: return action->name;
    case CountRole: return stats.failed;
    case LabelRole:
        return stats.failed        ? QString::number(stats.failed)
               : stats.lastUs >= 0 ? format::duration(stats.lastUs)
                                   : QString();
    case StatusRole: return stats.failed ? QStringLiteral("failed") : QStringLiteral("ok");
    case Qt::ToolTipRole: return format::toolTip(action->name + signatureText(*action));
    case Qt::AccessibleTextRole:
        return stats.failed ? tr("%1, %2 failed").arg(action->name).arg(stats.failed) : action->name;
    default: return {};
    }
}

} // namespace terrarium::ui
