#include "models/link_facts.h"

#include "async/clock.h"

#include <QCoreApplication>

namespace terrarium::ui {

bool isLinked(const InspectorClient &client)
{
    return client.state() == LinkState::Live || client.state() == LinkState::Behind
           || client.state() == LinkState::Resyncing;
}

qint64 hostNow(const Clock &clock, const InspectorClient &client)
{
    if (isLinked(client))
        return clock.wallMs() + client.clockOffsetMs();
    const qint64 asOf = client.dataAsOf();
    return (asOf ? asOf : clock.wallMs()) + client.clockOffsetMs();
}

QString disabledReason(const InspectorClient &client, const ActorFeed *feed, const TimeCursor *cursor,
                       QLatin1String capability)
{
    const auto tr = [](const char *text) { return QCoreApplication::translate("LinkFacts", text); };
    if (!isLinked(client)) {
        if (client.state() == LinkState::Connecting)
            return tr(QT_TRANSLATE_NOOP("LinkFacts", "Off until the host is connected."));
        return tr(QT_TRANSLATE_NOOP("LinkFacts", "Off: the link to %1 is lost.")).arg(client.name());
    }
    if (client.isReadOnly())
        return tr(QT_TRANSLATE_NOOP("LinkFacts", "Off: attached read-only."));
    if (!client.can(capability))
        return tr(QT_TRANSLATE_NOOP("LinkFacts", "Off: %1 cannot do this.")).arg(client.name());
    if (cursor && !cursor->isLive())
        return tr(QT_TRANSLATE_NOOP("LinkFacts", "Off while you look at the past. Go back to live first."));
    if (feed && feed->isLoaded() && feed->summary().status == wire::ActorStatus::destroyed)
        return tr(QT_TRANSLATE_NOOP("LinkFacts", "Off: this actor was destroyed."));
    return {};
}

} // namespace terrarium::ui
