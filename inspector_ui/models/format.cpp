#include "models/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace terrarium::ui::format {

namespace {

QString formatTr(const char *text, int n = -1)
{
    return QCoreApplication::translate("Format", text, nullptr, n);
}

QString formatDecimal(double value, int decimals, bool stripZero = false)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QString text = locale.toString(value, 'f', decimals);
    if (stripZero && decimals == 1 && text.endsWith(QLatin1Char('0')))
        text.chop(2);
    return text;
}

QString formatUnit(const QString &number, const char *unit)
{
    return number + QLatin1Char(' ') + QLatin1String(unit);
}

QString formatTwo(qint64 major, const char *majorUnit, qint64 minor, const char *minorUnit, bool pad)
{
    const QString second = pad ? QStringLiteral("%1").arg(minor, 2, 10, QLatin1Char('0')) : QString::number(minor);
    return formatUnit(QString::number(major), majorUnit) + QLatin1Char(' ') + formatUnit(second, minorUnit);
}

} // namespace

QString duration(qint64 us)
{
    if (us < 0)
        return {};
    if (us < 95)
        return formatUnit(QString::number(us), "us");
    if (us < 9950)
        return formatUnit(formatDecimal(double(us) / 1000, 1, true), "ms");
    if (us < 999'500)
        return formatUnit(QString::number((us + 500) / 1000), "ms");
    if (us < 99'950'000)
        return formatUnit(formatDecimal(double(us) / 1e6, 1), "s");
    return timer(us / 1000);
}

QString timer(qint64 ms)
{
    ms = std::max<qint64>(0, ms);
    if (ms < 1000)
        return formatUnit(QString::number(ms), "ms");
    const qint64 s = ms / 1000;
    if (s < 60)
        return formatUnit(QString::number(s), "s");
    if (s < 3600)
        return formatTwo(s / 60, "m", s % 60, "s", true);
    if (s < 86400)
        return formatTwo(s / 3600, "h", s / 60 % 60, "m", true);
    return formatTwo(s / 86400, "d", s / 3600 % 24, "h", false);
}

QString age(qint64 ms)
{
    ms = std::max<qint64>(0, ms);
    if (ms < 50)
        return formatUnit(QString::number(ms), "ms");
    if (ms < 2950)
        return formatUnit(formatDecimal(double(ms) / 1000, 1), "s");
    if (ms < 60'000)
        return formatUnit(QString::number(ms / 1000), "s");
    if (ms < 3'600'000)
        return formatUnit(QString::number(ms / 60'000), "m");
    if (ms < 86'400'000)
        return formatUnit(QString::number(ms / 3'600'000), "h");
    return formatUnit(QString::number(ms / 86'400'000), "d");
}

QString countdown(qint64 ms)
{
    const qint64 s = std::max<qint64>(0, (ms + 999) / 1000);
    if (s < 120)
        return formatUnit(QString::number(s), "s");
    return age(s * 1000);
}

QString bytes(qint64 bytes)
{
    if (bytes < 1000)
        return formatUnit(QString::number(bytes), "B");
    if (bytes < 1'000'000)
        return formatUnit(formatDecimal(double(bytes) / 1e3, 1), "KB");
    if (bytes < 1'000'000'000)
        return formatUnit(formatDecimal(double(bytes) / 1e6, 1), "MB");
    return formatUnit(formatDecimal(double(bytes) / 1e9, 1), "GB");
}

QString bytesShort(qint64 n)
{
    QString text = bytes(n);
    if (n >= 1000)
        text.chop(1);
    return text;
}

QString rate(double perSecond)
{
    if (perSecond < 0.05)
        return {};
    return formatDecimal(perSecond, perSecond < 9.95 ? 1 : 0) + QLatin1String("/s");
}

QString count(qint64 n)
{
    return QLocale().toString(n);
}

QString timeMs(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs).time().toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString timeTenths(qint64 wallMs)
{
    QString text = timeMs(wallMs);
    text.chop(2);
    return text;
}

QString time(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs).time().toString(QStringLiteral("HH:mm:ss"));
}

QString timeShort(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs).time().toString(QStringLiteral("HH:mm"));
}

QString statusLabel(wire::ActorStatus status)
{
    using S = wire::ActorStatus;
    switch (status) {
    case S::pending: return formatTr(QT_TRANSLATE_NOOP("Format", "Waiting to start"));
    case S::loading: return formatTr(QT_TRANSLATE_NOOP("Format", "Loading"));
    case S::starting: return formatTr(QT_TRANSLATE_NOOP("Format", "Starting"));
    case S::running: return formatTr(QT_TRANSLATE_NOOP("Format", "Running"));
    case S::sleepGrace: return formatTr(QT_TRANSLATE_NOOP("Format", "Going to sleep"));
    case S::sleepFinalize: return formatTr(QT_TRANSLATE_NOOP("Format", "Saving"));
    case S::sleeping: return formatTr(QT_TRANSLATE_NOOP("Format", "Sleeping"));
    case S::destroyGrace: return formatTr(QT_TRANSLATE_NOOP("Format", "Stopping"));
    case S::destroying: return formatTr(QT_TRANSLATE_NOOP("Format", "Destroying"));
    case S::destroyed: return formatTr(QT_TRANSLATE_NOOP("Format", "Destroyed"));
    case S::crashed: return formatTr(QT_TRANSLATE_NOOP("Format", "Crashed"));
    case S::backoff: return formatTr(QT_TRANSLATE_NOOP("Format", "Restarting after crash"));
    case S::unknown: break;
    }
    return formatTr(QT_TRANSLATE_NOOP("Format", "Unknown"));
}

QString statusIcon(wire::ActorStatus status)
{
    using S = wire::ActorStatus;
    switch (status) {
    case S::pending: return QStringLiteral("state-pending");
    case S::loading: return QStringLiteral("state-loading");
    case S::starting: return QStringLiteral("state-starting");
    case S::running: return QStringLiteral("state-running");
    case S::sleepGrace: return QStringLiteral("state-grace");
    case S::sleepFinalize: return QStringLiteral("state-saving");
    case S::sleeping: return QStringLiteral("state-sleeping");
    case S::destroyGrace: return QStringLiteral("state-stopping");
    case S::destroying: return QStringLiteral("state-destroying");
    case S::destroyed: return QStringLiteral("state-destroyed");
    case S::crashed: return QStringLiteral("state-crashed");
    case S::backoff: return QStringLiteral("state-backoff");
    case S::unknown: break;
    }
    return QStringLiteral("state-unknown");
}

Family statusFamily(wire::ActorStatus status)
{
    using S = wire::ActorStatus;
    switch (status) {
    case S::pending:
    case S::loading:
    case S::starting: return Family::Info;
    case S::running: return Family::Ok;
    case S::sleepGrace:
    case S::sleepFinalize:
    case S::destroyGrace:
    case S::destroying: return Family::Warn;
    case S::sleeping: return Family::Rest;
    case S::crashed:
    case S::backoff: return Family::Bad;
    case S::destroyed:
    case S::unknown: break;
    }
    return Family::Muted;
}

QString statusInList(const wire::ActorSummary &actor, qint64 now, bool current)
{
    using S = wire::ActorStatus;
    switch (actor.status) {
    case S::pending: return formatTr(QT_TRANSLATE_NOOP("Format", "Waiting %1")).arg(countdown(now - actor.since));
    case S::sleepGrace:
        if (!current)
            return formatTr(QT_TRANSLATE_NOOP("Format", "Sleep grace"));
        if (actor.deadline)
            return formatTr(QT_TRANSLATE_NOOP("Format", "Sleeps in %1")).arg(countdown(actor.deadline - now));
        break;
    case S::destroyGrace:
        if (current && actor.deadline)
            return formatTr(QT_TRANSLATE_NOOP("Format", "Stops in %1")).arg(countdown(actor.deadline - now));
        break;
    case S::crashed:
        return formatTr(QT_TRANSLATE_NOOP("Format", "Crashed %1")).arg(age(std::max<qint64>(now - actor.since, 1000)));
    case S::backoff:
        if (current && actor.deadline)
            return formatTr(QT_TRANSLATE_NOOP("Format", "Retry in %1")).arg(countdown(actor.deadline - now));
        return formatTr(QT_TRANSLATE_NOOP("Format", "Restarting"));
    default: break;
    }
    return statusLabel(actor.status);
}

QString statusWithTimer(const wire::ActorSummary &actor, qint64 now)
{
    using S = wire::ActorStatus;
    switch (actor.status) {
    case S::pending:
    case S::sleepGrace:
    case S::destroyGrace:
    case S::backoff:
        if (actor.status == S::pending || actor.deadline)
            return statusInList(actor, now, true);
        break;
    case S::unknown: return statusLabel(actor.status);
    default: break;
    }
    if (actor.since <= 0)
        return statusLabel(actor.status);
    const qint64 ms = std::max<qint64>(0, now - actor.since) / 1000 * 1000;
    const QString elapsed = ms == 0 ? QStringLiteral("0 s") : timer(ms);
    return statusLabel(actor.status) + QLatin1Char(' ') + elapsed;
}

QString causeIcon(const Cause &cause)
{
    const QString &k = cause.kind;
    if (k == QLatin1String("action"))
        return QStringLiteral("actions");
    if (k == QLatin1String("timer"))
        return QStringLiteral("schedule");
    if (k == QLatin1String("message"))
        return QStringLiteral("queue");
    if (k == QLatin1String("connect") || k == QLatin1String("disconnect"))
        return QStringLiteral("connections");
    if (k == QLatin1String("hook"))
        return QStringLiteral("lifecycle");
    if (k == QLatin1String("run"))
        return QStringLiteral("loop");
    if (k == QLatin1String("inspector"))
        return QStringLiteral("edit");
    if (k == QLatin1String("workflow"))
        return QStringLiteral("workflow");
    if (k == QLatin1String("create"))
        return QStringLiteral("plus");
    if (k == QLatin1String("host"))
        return QStringLiteral("host");
    return QStringLiteral("state-unknown");
}

QString causeKind(const Cause &cause)
{
    const QString &k = cause.kind;
    if (k == QLatin1String("action"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "action"));
    if (k == QLatin1String("timer"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "timer"));
    if (k == QLatin1String("message"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "message"));
    if (k == QLatin1String("connect"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "connect"));
    if (k == QLatin1String("disconnect"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "disconnect"));
    if (k == QLatin1String("hook"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "hook"));
    if (k == QLatin1String("run"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "run handler"));
    if (k == QLatin1String("inspector"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "edited"));
    if (k == QLatin1String("workflow"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "entry"));
    if (k == QLatin1String("create"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "created"));
    if (k == QLatin1String("host"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "host"));
    if (k.isEmpty() || k == QLatin1String("unknown"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "cause unknown"));
    return k;
}

QString causeName(const Cause &cause)
{
    return cause.name;
}

QString causeText(const Cause &cause)
{
    return cause.name.isEmpty() ? causeKind(cause) : causeKind(cause) + QLatin1Char(' ') + cause.name;
}

QString causeCode(const Cause &cause)
{
    return cause.name.isEmpty() ? cause.kind : cause.kind + QLatin1Char(':') + cause.name;
}

QString blockerIcon(const wire::Blocker &blocker)
{
    const QString &k = blocker.kind;
    if (k == QLatin1String("connections") || k == QLatin1String("disconnectCallbacks"))
        return QStringLiteral("connections");
    if (k == QLatin1String("actions"))
        return QStringLiteral("actions");
    if (k == QLatin1String("scheduledHandler"))
        return QStringLiteral("schedule");
    if (k == QLatin1String("runHandler"))
        return QStringLiteral("loop");
    if (k == QLatin1String("httpRequests") || k == QLatin1String("socketCallbacks"))
        return QStringLiteral("traffic");
    return QStringLiteral("wake");
}

QString blockerText(const wire::Blocker &b)
{
    const QString &k = b.kind;
    const int n = std::max(1, b.count);
    if (k == QLatin1String("connections"))
        return n == 1 ? formatTr(QT_TRANSLATE_NOOP("Format", "1 connection"))
                      : formatTr(QT_TRANSLATE_NOOP("Format", "%1 connections")).arg(n);
    if (k == QLatin1String("keepAwake")) {
        if (b.label.isEmpty())
            return formatTr(QT_TRANSLATE_NOOP("Format", "keep-awake"));
        return formatTr(QT_TRANSLATE_NOOP("Format", "keep-awake %1")).arg(b.label);
    }
    if (k == QLatin1String("internalKeepAwake"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "work of the host"));
    if (k == QLatin1String("actions"))
        return n == 1 ? formatTr(QT_TRANSLATE_NOOP("Format", "1 action in flight"))
                      : formatTr(QT_TRANSLATE_NOOP("Format", "%1 actions in flight")).arg(n);
    if (k == QLatin1String("httpRequests"))
        return n == 1 ? formatTr(QT_TRANSLATE_NOOP("Format", "1 HTTP request"))
                      : formatTr(QT_TRANSLATE_NOOP("Format", "%1 HTTP requests")).arg(n);
    if (k == QLatin1String("scheduledHandler"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "a scheduled handler"));
    if (k == QLatin1String("runHandler"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "the run handler"));
    if (k == QLatin1String("disconnectCallbacks"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "disconnect callbacks"));
    if (k == QLatin1String("socketCallbacks"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "socket callbacks"));
    if (k == QLatin1String("noSleep"))
        return formatTr(QT_TRANSLATE_NOOP("Format", "the option “no sleep”"));
    return k;
}

QString actorName(const wire::ActorSummary &actor)
{
    return actor.type + QLatin1Char('/') + actor.key.display();
}

QString toolTip(const QString &hostText)
{
    return hostText.toHtmlEscaped();
}

} // namespace terrarium::ui::format
