#include "host/watch_feed.h"

#include "actor/actor_task.h"
#include "inspect/awake.h"
#include "inspect/snapshot.h"

#include <algorithm>
#include <utility>

namespace terrarium {

WatchFeed::WatchFeed(Environment &environment, ChangeLogs &logs, const TypeRegistry &types)
    : m_environment(environment),
      m_logs(logs),
      m_types(types)
{
    m_logs.onChanged = [this] { armBeat(); };
    m_logs.onForgotten = [this](const ChangeLog &log) {
        m_fading.remove(log.id());
        if (m_watchers.isEmpty() || log.status() != wire::ActorStatus::destroyed)
            return;
        m_removed.append(log.id());
        armBeat();
    };
}

WatchFeed::~WatchFeed()
{
    m_logs.onChanged = nullptr;
    m_logs.onForgotten = nullptr;
}

void WatchFeed::add(HostWatcher *watcher)
{
    if (m_watchers.contains(watcher))
        return;
    m_watchers.append(watcher);
    m_logs.setListening(true);
}

void WatchFeed::remove(HostWatcher *watcher)
{
    const QStringList actors = m_watched.keys();
    for (const QString &actor : actors)
        unsubscribe(watcher, actor);
    m_watchers.removeOne(watcher);
    if (!m_watchers.isEmpty())
        return;
    m_logs.setListening(false);
    m_beat.cancel();
    m_fade.cancel();
    m_fading.clear();
    m_removed.clear();
    m_faded.clear();
}

void WatchFeed::subscribe(HostWatcher *watcher, ChangeLog &log, quint64 position)
{
    Watched &watched = m_watched[log.id()];
    Subscription subscription;
    subscription.watcher = watcher;
    subscription.after = position;
    watched.subscriptions.append(subscription);
    if (log.task() != nullptr && watched.subscriptions.size() == 1) {
        watched.blockers = allBlockers(*log.task());
        watched.forecast = toForecast(log.task()->sleepOutlook());
        watched.told = true;
    }
}

bool WatchFeed::unsubscribe(HostWatcher *watcher, const QString &actor)
{
    const auto at = m_watched.find(actor);
    if (at == m_watched.end())
        return false;
    const qsizetype before = at->subscriptions.size();
    at->subscriptions.removeIf([watcher](const Subscription &subscription) { return subscription.watcher == watcher; });
    if (at->subscriptions.size() == before)
        return false;
    ChangeLog *log = m_logs.find(actor);
    if (log != nullptr) {
        for (qsizetype i = at->subscriptions.size(); i < before; ++i)
            log->unwatch();
    }
    if (!at->subscriptions.isEmpty())
        return false;
    m_watched.erase(at);
    if (log != nullptr && log->task() != nullptr)
        log->task()->setWatched(false);
    return true;
}

void WatchFeed::flush()
{
    const std::vector<ChangeLog *> logs = m_logs.takeWithNews();
    for (ChangeLog *log : logs) {
        const QList<wire::Record> news = log->takeNews();
        if (news.isEmpty())
            continue;
        const QString id = log->id();
        const QList<Subscription> subscriptions = m_watched.value(id).subscriptions;
        for (const Subscription &subscription : subscriptions) {
            if (!m_watchers.contains(subscription.watcher))
                continue; // went while another was told
            if (news.constFirst().position > subscription.after) {
                subscription.watcher->recordsAppended(id, news);
                continue;
            }
            QList<wire::Record> own;
            for (const wire::Record &record : news) {
                if (record.position > subscription.after)
                    own.append(record);
            }
            if (!own.isEmpty())
                subscription.watcher->recordsAppended(id, own);
        }
    }
}

void WatchFeed::armBeat()
{
    if (m_watchers.isEmpty() || m_beat.isArmed())
        return;
    m_beat = m_environment.clock.at(std::max(m_environment.clock.now(), m_lastBeat + beatInterval), [this] { beat(); });
}

void WatchFeed::beat()
{
    m_lastBeat = m_environment.clock.now();
    for (const QString &id : std::exchange(m_faded, {})) {
        if (ChangeLog *log = m_logs.find(id))
            log->summaryChanged();
    }
    const std::vector<ChangeLog *> changed = m_logs.takeChanged();
    QList<wire::ActorSummary> upserts;
    upserts.reserve(qsizetype(changed.size()));
    for (ChangeLog *log : changed) {
        wire::ActorSummary summary = summarize(*log, m_types.info(log->row().type));
        const ChangeLog::Figures figures = log->figures();
        if (figures == ChangeLog::Figures())
            m_fading.remove(summary.id);
        else
            m_fading.insert(summary.id, figures);
        upserts.append(std::move(summary));
    }
    if (!m_fading.isEmpty() && !m_fade.isArmed())
        m_fade = m_environment.clock.after(fadeInterval, [this] { fade(); });
    const QStringList removed = std::exchange(m_removed, {});
    const QList<HostWatcher *> watchers = m_watchers;
    if (!upserts.isEmpty() || !removed.isEmpty()) {
        for (HostWatcher *watcher : watchers) {
            if (m_watchers.contains(watcher))
                watcher->actorsChanged(upserts, removed);
        }
    }
    for (ChangeLog *log : changed)
        tellAwake(*log);
}

void WatchFeed::tellAwake(ChangeLog &log)
{
    const auto at = m_watched.find(log.id());
    if (at == m_watched.end())
        return;
    QList<wire::Blocker> blockers;
    wire::SleepForecast forecast;
    if (const ActorTask *task = log.task()) {
        blockers = allBlockers(*task);
        forecast = toForecast(task->sleepOutlook());
    } else {
        forecast.kind = QStringLiteral("asleep");
        forecast.at = log.summary().nextAlarmAt;
    }
    if (at->told && at->blockers == blockers && at->forecast == forecast)
        return;
    at->told = true;
    at->blockers = blockers;
    at->forecast = forecast;
    const QList<Subscription> subscriptions = at->subscriptions;
    const QString id = log.id();
    for (const Subscription &subscription : subscriptions) {
        if (m_watchers.contains(subscription.watcher))
            subscription.watcher->awakeChanged(id, blockers, forecast);
    }
}

// Rates fall by themselves: those that did are told again.
void WatchFeed::fade()
{
    for (auto at = m_fading.begin(); at != m_fading.end();) {
        const ChangeLog *log = m_logs.find(at.key());
        if (log == nullptr) {
            at = m_fading.erase(at);
            continue;
        }
        if (!(log->figures() == *at))
            m_faded.push_back(at.key());
        ++at;
    }
    if (!m_fading.isEmpty())
        m_fade = m_environment.clock.after(fadeInterval, [this] { fade(); });
    if (!m_faded.empty())
        armBeat();
}

} // namespace terrarium
