#include "models/gap_text.h"

#include "models/format.h"

#include <QCoreApplication>

namespace terrarium::ui {

namespace {
QString gapTr(const char *text, int n = -1)
{
    return QCoreApplication::translate("Gap", text, nullptr, n);
}
} // namespace

QString gapReason(const QString &reason)
{
    if (reason == QLatin1String("linkLost"))
        return gapTr("the link was lost");
    if (reason == QLatin1String("hostDropped"))
        return gapTr("host overlay overflow");
    if (reason == QLatin1String("hostRestarted"))
        return gapTr("the host was restarted");
    if (reason == QLatin1String("paused"))
        return gapTr("the view was paused");
    return reason;
}

QString gapFact(const FeedGap &gap)
{
    if (gap.reason == QLatin1String("hostRestarted") && gap.count == 0)
        return gapTr("Host restarted");
    if (gap.count == 0)
        return gapTr("Gap: changes may be missing");
    if (gap.count == 1)
        return gapTr("Gap: 1 change lost");
    return gapTr("Gap: about %1 changes lost").arg(format::count(qint64(gap.count)));
}

QString gapDetail(const FeedGap &gap)
{
    const QString reason = gapReason(gap.reason);
    const QString time = gap.from > 0 && gap.to > gap.from
                             ? gapTr("%1 to %2").arg(format::timeTenths(gap.from), format::timeTenths(gap.to))
                         : gap.from > 0 ? format::timeTenths(gap.from)
                                        : QString();
    QString out = time.isEmpty() ? reason : reason.isEmpty() ? time : time + QLatin1String(", ") + reason;
    if (!out.isEmpty())
        out += QLatin1Char('.');
    if (gap.resyncSequence > 0)
        out +=
            (out.isEmpty() ? QString() : QStringLiteral(" ")) + gapTr("Resynchronised at #%1.").arg(gap.resyncSequence);
    return out;
}

} // namespace terrarium::ui
