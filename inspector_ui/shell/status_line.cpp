#include "shell/status_line.h"

#include "models/format.h"
#include "models/link_facts.h"
#include "shell/actor_page.h"
#include "shell/host_links.h"
#include "shell/status_item.h"
#include "shell/ui_tick.h"

#include <QHBoxLayout>

#include <cmath>

namespace terrarium::ui {

StatusLine::StatusLine(HostLinks &links, UiTick &tick, ActorPage &page, QWidget *parent)
    : QWidget(parent),
      m_links(links),
      m_tick(tick),
      m_page(page),
      m_connection(new StatusItem(QStringLiteral("statusConnection"), true, this)),
      m_others(new StatusItem(QStringLiteral("statusOthers"), false, this)),
      m_rateLeft(new StatusItem(QStringLiteral("statusRate"), false, this)),
      m_rateRight(new StatusItem(QStringLiteral("statusRateRight"), false, this)),
      m_lag(new StatusItem(QStringLiteral("statusLag"), false, this)),
      m_gaps(new StatusItem(QStringLiteral("statusGaps"), true, this)),
      m_frame(new StatusItem(QStringLiteral("statusFrame"), false, this)),
      m_edits(new StatusItem(QStringLiteral("statusEdits"), false, this)),
      m_writes(new StatusItem(QStringLiteral("statusWrites"), false, this)),
      m_recorder(new StatusItem(QStringLiteral("statusRecorder"), false, this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 0, 10, 2);
    layout->setSpacing(18);
    layout->addWidget(m_connection);
    layout->addWidget(m_others);
    layout->addWidget(m_rateLeft);
    layout->addStretch(1);
    for (StatusItem *item : {m_rateRight, m_lag, m_gaps, m_frame, m_edits, m_writes, m_recorder})
        layout->addWidget(item);
    connect(m_gaps, &QAbstractButton::clicked, this, [this] { Q_EMIT gapsClicked(m_gaps); });
    connect(m_connection, &QAbstractButton::clicked, this, [this] { Q_EMIT connectionClicked(m_connection); });
    refresh();
}

void StatusLine::refresh()
{
    refreshLinks();
    const bool any = m_links.size() > 0;
    for (StatusItem *item : {m_lag, m_gaps, m_frame, m_edits, m_writes})
        item->setVisible(any);
    m_recorder->setVisible(!any);
    m_recorder->setContent(QStringLiteral("recording"), ColorRole::Muted, tr("Recorder idle"));
    if (!any)
        return;

    const qint64 lag = m_links.worstLagMs();
    const char *level = lag < 100 ? "normal" : lag < 1000 ? "behind" : "lagging";
    m_lag->setProperty("lagMs", lag);
    m_lag->setProperty("level", QLatin1String(level));
    m_lag->setToolTip(tr("Age of the newest event when it became visible."));
    if (lag < 1000)
        m_lag->setContent({}, ColorRole::Muted,
                          lag < 100 ? tr("Lag %1").arg(format::timer(lag)) : tr("Behind %1").arg(format::timer(lag)));
    else
        m_lag->setContent(QStringLiteral("warning-solid"), ColorRole::Warn, tr("Lagging %1").arg(format::age(lag)),
                          ColorRole::Text);

    const int gaps = m_links.gapCount();
    m_gaps->setProperty("count", gaps);
    m_gaps->setToolTip(tr("Changes that are known to be missing."));
    m_gaps->setContent(gaps ? QStringLiteral("warning-solid") : QString(), ColorRole::Warn, tr("Gaps %1").arg(gaps),
                       gaps ? ColorRole::Text : ColorRole::Muted);

    m_frame->setProperty("p95Ms", m_tick.frameP95Ms());
    m_frame->setToolTip(tr("Cost of a frame of this window: 95 of 100 were cheaper. Longest stall %1.")
                            .arg(format::timer(qint64(m_tick.stallMaxMs()))));
    m_frame->setContent({}, ColorRole::Muted,
                        tr("Frame %1").arg(format::timer(std::max<qint64>(1, std::llround(m_tick.frameP95Ms())))));
    refreshEdits();
}

void StatusLine::refreshLinks()
{
    InspectorClient *worst = nullptr;
    int live = 0;
    QString liveName;
    for (int i = 0; i < m_links.size(); ++i) {
        InspectorClient *client = m_links.at(i);
        if (client->state() == LinkState::Live) {
            ++live;
            liveName = client->name();
        } else if (!worst || client->state() == LinkState::Lost || client->state() == LinkState::Refused) {
            worst = client;
        }
    }
    m_connection->setProperty("hostCount", m_links.size());
    m_connection->setProperty("retryInMs", worst ? worst->retryInMs() : qint64(-1));
    m_connection->setProperty("linkState", worst            ? linkStateName(worst->state())
                                           : m_links.size() ? QStringLiteral("live")
                                                            : QStringLiteral("none"));
    const QString rate = m_links.size() && live ? tr("%1 upd/s").arg(qRound64(m_links.updatesPerSecond())) : QString();
    m_rateLeft->setContent({}, ColorRole::Muted, rate);
    m_rateRight->setContent({}, ColorRole::Muted, rate);
    m_rateLeft->setVisible(!worst && !rate.isEmpty());
    m_rateRight->setVisible(worst && !rate.isEmpty());
    m_others->setVisible(worst && live > 0);
    if (!m_links.size()) {
        m_connection->setContent(QStringLiteral("detach"), ColorRole::Muted, tr("No host attached"));
        return;
    }
    if (m_tick.isPaused()) {
        m_connection->setContent(QStringLiteral("pause"), ColorRole::Warn, tr("View paused; the links go on"),
                                 ColorRole::Text);
        return;
    }
    if (!worst) {
        m_connection->setContent(QStringLiteral("live"), ColorRole::Ok,
                                 m_links.size() == 1 ? tr("Live, %1").arg(liveName)
                                                     : tr("Live, %n host(s)", nullptr, m_links.size()),
                                 ColorRole::Text);
        return;
    }
    const QString name = worst->name();
    switch (worst->state()) {
    case LinkState::Connecting:
        m_connection->setContent(QStringLiteral("state-loading"), ColorRole::Info, tr("Connecting to %1").arg(name),
                                 ColorRole::Text);
        break;
    case LinkState::Behind:
        m_connection->setContent(QStringLiteral("state-pending"), ColorRole::Warn, tr("%1 is behind").arg(name),
                                 ColorRole::Text);
        break;
    case LinkState::Resyncing:
        m_connection->setContent(QStringLiteral("state-loading"), ColorRole::Warn,
                                 tr("Resynchronising with %1").arg(name), ColorRole::Text);
        break;
    case LinkState::Refused:
        m_connection->setContent(QStringLiteral("link-lost"), ColorRole::Bad, tr("%1 refused the link").arg(name),
                                 ColorRole::Text);
        break;
    case LinkState::Closed:
        m_connection->setContent(QStringLiteral("detach"), ColorRole::Muted, tr("%1 closed").arg(name),
                                 ColorRole::Text);
        break;
    default:
        m_connection->setContent(QStringLiteral("link-lost"), ColorRole::Bad,
                                 worst->retryInMs() >= 0
                                     ? tr("%1 lost, next try in %2").arg(name, format::countdown(worst->retryInMs()))
                                     : tr("%1 lost").arg(name),
                                 ColorRole::Text);
        break;
    }
    if (live == 1)
        m_others->setContent(QStringLiteral("live"), ColorRole::Ok, tr("%1 live").arg(liveName), ColorRole::Text);
    else
        m_others->setContent(QStringLiteral("live"), ColorRole::Ok, tr("%n host(s) live", nullptr, live),
                             ColorRole::Text);
}

void StatusLine::refreshEdits()
{
    const InspectorClient *client = m_page.client();
    QString off;
    if (!client)
        off = tr("no actor shown");
    else if (!isLinked(*client))
        off = tr("link lost");
    else if (client->isReadOnly())
        off = tr("read-only");
    else if (!m_page.cursor()->isLive())
        off = tr("not live");
    const bool lost = client && !isLinked(*client);
    m_edits->setProperty("reason", off);
    if (off.isEmpty())
        m_edits->setContent(QStringLiteral("edit"), ColorRole::Muted, tr("Edits on"));
    else
        m_edits->setContent(QStringLiteral("lock"), ColorRole::Muted, tr("Edits off: %1").arg(off),
                            lost ? ColorRole::Text : ColorRole::Muted);
    m_writes->setContent(QStringLiteral("lock"), ColorRole::Muted, tr("Database read-only"));
    m_writes->setVisible(!lost);
}

} // namespace terrarium::ui
