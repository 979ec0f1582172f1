#pragma once
// Numbers, times, states and causes as the window writes them. One place, so that they read the same everywhere.
//
// Figures of the window use the reader's locale; values of actors never pass through here.

#include "style/theme.h"
#include "wire/inspector_messages.h"

#include <QString>

namespace terrarium::ui::format {

/// How long something took: "84 us", "0.4 ms", "38 ms", "1.2 s", "9 m 27 s".
QString duration(qint64 us);
/// A running timer: "340 ms", "4 s", "2 m 36 s", "3 h 05 m", "2 d 4 h".
QString timer(qint64 ms);
/// How long ago, short: "0.2 s", "41 s", "12 m", "3 h", "2 d".
QString age(qint64 ms);
/// What is left, never "0 s" before the end: "9 s", "2 m".
QString countdown(qint64 ms);
QString bytes(qint64 bytes);       ///< "7 B", "14.2 KB", "3.1 MB"
QString bytesShort(qint64 bytes);  ///< for narrow columns: "7 B", "14.2 K"
QString rate(double perSecond);    ///< "412/s", "2.0/s"; empty below 0.05
QString count(qint64 n);           ///< "1,284"
QString timeMs(qint64 wallMs);     ///< "14:02:21.520"
QString timeTenths(qint64 wallMs); ///< "14:02:16.1"
QString time(qint64 wallMs);       ///< "14:02:31"; with the date when not today
QString timeShort(qint64 wallMs);  ///< "14:02"

QString statusLabel(wire::ActorStatus status); ///< "Going to sleep"
QString statusIcon(wire::ActorStatus status);  ///< "state-grace"
Family statusFamily(wire::ActorStatus status);
/// The list's state column: "Sleeps in 9 s", "Crashed 1 m". Without timers when `current` is false.
QString statusInList(const wire::ActorSummary &actor, qint64 now, bool current);
/// The header's chip: "Running 2 m 36 s".
QString statusWithTimer(const wire::ActorSummary &actor, qint64 now);

QString causeIcon(const Cause &cause); ///< "actions", "schedule", ...
QString causeKind(const Cause &cause); ///< "action", "timer", "edited": for people
QString causeName(const Cause &cause); ///< "move"; may be empty
QString causeText(const Cause &cause); ///< "action move"
QString causeCode(const Cause &cause); ///< "action:move", for CauseRole and filters

QString blockerIcon(const wire::Blocker &blocker);
/// "2 connections", "keep-awake turn 41": in the middle of a sentence.
QString blockerText(const wire::Blocker &blocker);
/// "type/key" as a person reads it.
QString actorName(const wire::ActorSummary &actor);
/// Text made safe for a tooltip, which would else guess rich text.
QString toolTip(const QString &hostText);

} // namespace terrarium::ui::format
