#include "models/cause_runs.h"

#include "models/format.h"

namespace terrarium::ui {

QList<Run> causeRuns(const Cause &cause)
{
    QList<Run> out{Run::withIcon(format::causeIcon(cause))};
    Run kind(format::causeKind(cause), ColorRole::Muted);
    kind.after(6);
    out.append(kind);
    if (!cause.name.isEmpty()) {
        Run name(cause.name);
        name.after(4);
        out.append(name);
    }
    return out;
}

QList<Run> causeRuns(const QList<Cause> &causes)
{
    if (causes.isEmpty())
        return causeRuns(Cause(QStringLiteral("unknown")));
    QList<Run> out = causeRuns(causes.first());
    if (causes.size() > 1) {
        Run more(QStringLiteral("+%1").arg(causes.size() - 1), ColorRole::Muted, FontRole::Secondary);
        more.after(6);
        out.append(more);
    }
    return out;
}

} // namespace terrarium::ui
