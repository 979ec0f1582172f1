#include "sections/section_registry.h"

#include "sections/actions_section.h"
#include "sections/lifecycle_section.h"
#include "sections/overview_section.h"
#include "sections/placeholder_section.h"
#include "sections/state_section.h"

#include <QCoreApplication>

namespace terrarium::ui::section_registry {

namespace {
QString registryTr(const char *text)
{
    return QCoreApplication::translate("Sections", text);
}
} // namespace

const QList<SectionInfo> &sections()
{
    static const QList<SectionInfo> all = [] {
        const auto info = [](const char *id, const QString &title, int group) {
            const QString name = QString::fromLatin1(id);
            return SectionInfo{name, title, name, group};
        };
        return QList<SectionInfo>{
            info("overview", registryTr(QT_TRANSLATE_NOOP("Sections", "Overview")), 0),
            info("state", registryTr(QT_TRANSLATE_NOOP("Sections", "State")), 0),
            info("lifecycle", registryTr(QT_TRANSLATE_NOOP("Sections", "Lifecycle")), 0),
            info("connections", registryTr(QT_TRANSLATE_NOOP("Sections", "Connections")), 1),
            info("actions", registryTr(QT_TRANSLATE_NOOP("Sections", "Actions")), 1),
            info("queue", registryTr(QT_TRANSLATE_NOOP("Sections", "Queue")), 1),
            info("schedule", registryTr(QT_TRANSLATE_NOOP("Sections", "Schedule")), 1),
            info("database", registryTr(QT_TRANSLATE_NOOP("Sections", "Database")), 2),
            info("workflow", registryTr(QT_TRANSLATE_NOOP("Sections", "Workflow")), 2),
            info("logs", registryTr(QT_TRANSLATE_NOOP("Sections", "Logs")), 3),
            info("metrics", registryTr(QT_TRANSLATE_NOOP("Sections", "Metrics")), 3),
            info("traffic", registryTr(QT_TRANSLATE_NOOP("Sections", "Traffic")), 3),
        };
    }();
    return all;
}

int indexOf(const QString &id)
{
    const QList<SectionInfo> &all = sections();
    for (int i = 0; i < all.size(); ++i)
        if (all.at(i).id == id)
            return i;
    return -1;
}

SectionBadge badge(const QString &id, const wire::ActorSummary &summary)
{
    SectionBadge badge;
    if (id == QLatin1String("connections")) {
        badge.count = summary.connections > 0 ? summary.connections : -1;
    } else if (id == QLatin1String("queue")) {
        badge.count = summary.queueSize > 0 ? summary.queueSize : -1;
        if (summary.queueCapacity > 0 && summary.queueSize >= summary.queueCapacity) {
            badge.attention = SectionBadge::Warning;
            badge.attentionText = registryTr(QT_TRANSLATE_NOOP("Sections", "The queue is full"));
        }
    } else if (id == QLatin1String("schedule")) {
        badge.count = summary.schedules > 0 ? summary.schedules : -1;
    } else if (id == QLatin1String("database")) {
        badge.used = summary.hasDatabase;
    } else if (id == QLatin1String("workflow")) {
        badge.used = summary.hasWorkflow;
    } else if (id == QLatin1String("logs")) {
        if (summary.errors5m > 0) {
            badge.count = summary.errors5m;
            badge.attention = SectionBadge::Warning;
            badge.attentionText = registryTr(QT_TRANSLATE_NOOP("Sections", "Errors in the last 5 minutes"));
        }
    } else if (id == QLatin1String("lifecycle")) {
        if (summary.status == wire::ActorStatus::crashed) {
            badge.attention = SectionBadge::Failure;
            badge.attentionText = registryTr(QT_TRANSLATE_NOOP("Sections", "The actor crashed"));
        }
    }
    return badge;
}

Section *create(const QString &id, QWidget *parent)
{
    if (id == QLatin1String("overview"))
        return new OverviewSection(parent);
    if (id == QLatin1String("state"))
        return new StateSection(parent);
    if (id == QLatin1String("lifecycle"))
        return new LifecycleSection(parent);
    if (id == QLatin1String("actions"))
        return new ActionsSection(parent);
    return new PlaceholderSection(id, parent);
}

} // namespace terrarium::ui::section_registry
