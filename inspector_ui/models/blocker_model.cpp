#include "models/blocker_model.h"

#include "models/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace terrarium::ui {

namespace {

QString blockerTr(const char *text)
{
    return QCoreApplication::translate("Blockers", text);
}

/// As a line of its own.
QString blockerTitle(const wire::Blocker &b)
{
    const QString &k = b.kind;
    if (b.on) {
        if (k == QLatin1String("keepAwake"))
            return b.label.isEmpty() ? blockerTr("Keep-awake") : blockerTr("Keep-awake \u201c%1\u201d").arg(b.label);
        QString text = format::blockerText(b);
        if (!text.isEmpty())
            text[0] = text.at(0).toUpper();
        return text;
    }
    if (k == QLatin1String("connections"))
        return blockerTr("Connections");
    if (k == QLatin1String("keepAwake"))
        return blockerTr("Keep-awake");
    if (k == QLatin1String("internalKeepAwake"))
        return blockerTr("Work of the host");
    if (k == QLatin1String("actions"))
        return blockerTr("Actions in flight");
    if (k == QLatin1String("httpRequests"))
        return blockerTr("HTTP requests");
    if (k == QLatin1String("scheduledHandler"))
        return blockerTr("Scheduled handler");
    if (k == QLatin1String("socketCallbacks"))
        return blockerTr("Socket callbacks");
    if (k == QLatin1String("disconnectCallbacks"))
        return blockerTr("Disconnect callbacks");
    if (k == QLatin1String("runHandler"))
        return blockerTr("Run handler");
    if (k == QLatin1String("noSleep"))
        return blockerTr("Option \u201cno sleep\u201d");
    return k;
}

QString blockerDetail(const wire::Blocker &b)
{
    QStringList parts;
    if (!b.origin.isEmpty()) {
        const bool isWhat = b.origin.startsWith(QLatin1String("action ")) || b.origin.startsWith(QLatin1String("hook "))
                            || b.origin.startsWith(QLatin1String("timer "));
        parts.append(isWhat ? blockerTr("by %1").arg(b.origin) : b.origin);
    }
    if (!b.note.isEmpty())
        parts.append(b.note);
    return parts.join(QLatin1String(", "));
}

int blockerOrder(const QString &kind)
{
    static const QStringList order{QStringLiteral("connections"),       QStringLiteral("keepAwake"),
                                   QStringLiteral("internalKeepAwake"), QStringLiteral("actions"),
                                   QStringLiteral("httpRequests"),      QStringLiteral("scheduledHandler"),
                                   QStringLiteral("socketCallbacks"),   QStringLiteral("disconnectCallbacks"),
                                   QStringLiteral("runHandler"),        QStringLiteral("noSleep")};
    const qsizetype at = order.indexOf(kind);
    return at < 0 ? int(order.size()) : int(at);
}

} // namespace

void BlockerModel::setBlockers(const QList<wire::Blocker> &blockers)
{
    QList<wire::Blocker> next = blockers;
    std::stable_sort(next.begin(), next.end(), [](const wire::Blocker &a, const wire::Blocker &b) {
        if (a.on != b.on)
            return a.on;
        return blockerOrder(a.kind) < blockerOrder(b.kind);
    });
    if (next == m_blockers)
        return;
    bool sameRows = next.size() == m_blockers.size();
    for (qsizetype i = 0; sameRows && i < next.size(); ++i)
        sameRows = next[i].kind == m_blockers[i].kind && next[i].on == m_blockers[i].on;
    const auto countOn = [](const QList<wire::Blocker> &list) {
        return int(std::count_if(list.begin(), list.end(), [](const wire::Blocker &b) { return b.on; }));
    };
    if (sameRows) {
        m_blockers = next;
        if (!m_blockers.isEmpty())
            Q_EMIT dataChanged(index(0), index(int(m_blockers.size()) - 1));
        return;
    }
    beginResetModel();
    m_blockers = next;
    m_onCount = countOn(next);
    endResetModel();
}

void BlockerModel::setNow(qint64 now)
{
    if (qAbs(now - m_now) < 500)
        return; // ages are shown in seconds
    m_now = now;
    if (m_onCount > 0)
        Q_EMIT dataChanged(index(0), index(m_onCount - 1), {AgeRole});
}

int BlockerModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_blockers.size());
}

QVariant BlockerModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= m_blockers.size())
        return {};
    const wire::Blocker &b = m_blockers.at(index.row());
    const auto age = [&]() -> QString {
        if (b.on)
            return b.since > 0 ? format::timer(qMax<qint64>(0, m_now - b.since)) : QString();
        if (!b.note.isEmpty())
            return b.note;
        if (b.kind == QLatin1String("noSleep"))
            return blockerTr("off");
        return b.count > 0 ? QString::number(b.count) : blockerTr("none");
    };
    switch (role) {
    case Qt::DisplayRole: return blockerTitle(b);
    case Qt::AccessibleTextRole: {
        const QString detail = b.on ? blockerDetail(b) : QString();
        return (b.on ? blockerTr("On: %1, %2") : blockerTr("Off: %1, %2")).arg(blockerTitle(b), age())
               + (detail.isEmpty() ? QString() : QLatin1String(", ") + detail);
    }
    case Qt::CheckStateRole: return int(b.on ? Qt::Checked : Qt::Unchecked);
    case KindRole: return b.kind;
    case CountRole: return b.count;
    case LabelRole: return b.label;
    case OnRole: return b.on;
    case DetailRole: return b.on ? blockerDetail(b) : QString();
    case AgeRole: return age();
    case IconRole: return format::blockerIcon(b);
    case LinkRole:
        if (!b.on)
            return {};
        if (b.kind == QLatin1String("connections"))
            return QStringLiteral("section:connections");
        if (b.kind == QLatin1String("actions"))
            return QStringLiteral("section:actions");
        if (b.origin.startsWith(QLatin1String("action ")))
            return QLatin1String("action:") + b.origin.mid(7).section(QLatin1Char(','), 0, 0).trimmed();
        return {};
    default: return {};
    }
}

} // namespace terrarium::ui
