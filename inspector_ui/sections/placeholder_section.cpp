#include "sections/placeholder_section.h"

#include "models/format.h"
#include "sections/section_registry.h"
#include "widgets/empty_state.h"

#include <QVBoxLayout>

namespace terrarium::ui {

PlaceholderSection::PlaceholderSection(const QString &id, QWidget *parent)
    : Section(id, parent),
      m_empty(new EmptyState(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_empty);
}

void PlaceholderSection::refresh()
{
    const int at = section_registry::indexOf(id());
    const QString icon = at >= 0 ? section_registry::sections().at(at).icon : QString();
    QString reason, title, text;
    if (!feed() || !feed()->isLoaded()) {
        reason = QStringLiteral("loading");
        title = feed() ? tr("Waiting for the host") : tr("No actor is selected");
    } else {
        const wire::ActorSummary &actor = feed()->summary();
        const QString lacks = tr("This version of the window cannot list them yet; their number is exact.");
        if (id() == QLatin1String("connections")) {
            reason = actor.connections ? QStringLiteral("notListed") : QStringLiteral("none");
            title = actor.connections == 0   ? tr("No connections")
                    : actor.connections == 1 ? tr("1 connection is open")
                                             : tr("%1 connections are open").arg(actor.connections);
            text = tr("Here stand the clients that are connected to this actor: how they came in, what they "
                      "subscribed to, and their last messages. Watching from here is not a connection.");
            if (actor.connections)
                text += QLatin1Char('\n') + lacks;
        } else if (id() == QLatin1String("queue")) {
            const bool has = feed()->type().hasQueue || actor.queueCapacity > 0 || actor.queueSize > 0;
            reason = !has              ? QStringLiteral("noQueue")
                     : actor.queueSize ? QStringLiteral("notListed")
                                       : QStringLiteral("none");
            title = !has                   ? tr("This actor has no queue")
                    : actor.queueSize == 0 ? tr("The queue is empty")
                    : actor.queueCapacity  ? tr("%1 of %2 messages").arg(actor.queueSize).arg(actor.queueCapacity)
                    : actor.queueSize == 1 ? tr("1 message waits")
                                           : tr("%1 messages wait").arg(actor.queueSize);
            text = tr(
                "Here stand the messages that wait, with their age, size and sender, and who waits for which names.");
            if (has && actor.queueSize)
                text += QLatin1Char('\n') + lacks;
        } else if (id() == QLatin1String("schedule")) {
            reason = actor.schedules ? QStringLiteral("notListed") : QStringLiteral("none");
            title = actor.schedules == 0   ? tr("Nothing is scheduled")
                    : actor.schedules == 1 ? tr("1 schedule")
                                           : tr("%1 schedules").arg(actor.schedules);
            text = tr("Here stand the actor's alarms: what runs when, what ran last and how late it was.");
            if (actor.nextAlarmAt > 0)
                text = tr("Next: %1 at %2.").arg(actor.nextAlarmName, format::time(actor.nextAlarmAt))
                       + QLatin1Char('\n') + text;
            if (actor.schedules)
                text += QLatin1Char('\n') + lacks;
        } else if (id() == QLatin1String("database")) {
            reason = actor.hasDatabase ? QStringLiteral("notReadable") : QStringLiteral("noDatabase");
            title =
                actor.hasDatabase ? tr("The database cannot be read from here yet") : tr("This actor has no database");
            text = actor.hasDatabase
                       ? tr("It lies beside the actor's state on the host's disk. Reading it here needs a newer host.")
                       : tr("An actor whose type declares a database shows its tables here.");
        } else if (id() == QLatin1String("workflow")) {
            reason = actor.hasWorkflow ? QStringLiteral("notReadable") : QStringLiteral("noWorkflow");
            title = actor.hasWorkflow ? tr("The workflow's history cannot be read from here yet")
                                      : tr("This actor has no workflow");
            text = actor.hasWorkflow
                       ? tr("Its runs are stored on the host's disk. Reading them here needs a newer host.")
                       : tr("An actor that runs a workflow shows its steps here, with tries, waits and results.");
        } else if (id() == QLatin1String("logs")) {
            reason = QStringLiteral("notCollected");
            title = actor.errors5m == 0   ? tr("No log lines")
                    : actor.errors5m == 1 ? tr("1 error in the last 5 minutes")
                                          : tr("%1 errors in the last 5 minutes").arg(actor.errors5m);
            text = tr(
                "Here stands what the actor logs. This host sends no log lines; failed calls are listed in Overview.");
            if (actor.lastError)
                text =
                    tr("Last: %1/%2, %3").arg(actor.lastError->group, actor.lastError->code, actor.lastError->message)
                    + QLatin1Char('\n') + text;
        } else if (id() == QLatin1String("metrics")) {
            reason = QStringLiteral("notCollected");
            title = tr("No metrics");
            text = tr("Here stand plots of calls, changes, waits and sizes over time. Overview has the last minute.");
        } else {
            reason = QStringLiteral("notRecorded");
            title = tr("No traffic is recorded");
            text = tr("Here stand the messages between clients and this actor, byte for byte. This host does not "
                      "record them.");
        }
    }
    if (reason == m_reason && title == m_empty->title())
        return;
    m_reason = reason;
    m_empty->setContent(reason, icon, title, text);
    setAccessibleName(title);
}

} // namespace terrarium::ui
