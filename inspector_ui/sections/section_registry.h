#pragma once
// The twelve sections in their fixed order, what the rail shows of each, and how to make one.

#include "wire/inspector_messages.h"

#include <QString>
#include <QList>

class QWidget;

namespace terrarium::ui {

class Section;

struct SectionInfo {
    QString id;    ///< overview, state, lifecycle, connections, actions, queue, schedule, database, workflow, logs,
                   ///< metrics, traffic
    QString title; ///< translated
    QString icon;  ///< file name in resources/icons without suffix
    int group = 0; ///< 0 to 3; the rail draws a hairline between groups
};

/// What the rail shows beside a title.
struct SectionBadge {
    enum Attention { None, Warning, Failure };
    int count = -1; ///< -1: none shown
    Attention attention = None;
    QString attentionText; ///< for the tooltip and the accessible name
    bool used = true;      ///< false: this actor has no use for it; painted quiet, still opens
};

namespace section_registry {
const QList<SectionInfo> &sections();
/// Index in sections(), or -1.
int indexOf(const QString &id);
SectionBadge badge(const QString &id, const wire::ActorSummary &summary);
Section *create(const QString &id, QWidget *parent);
} // namespace section_registry

} // namespace terrarium::ui
