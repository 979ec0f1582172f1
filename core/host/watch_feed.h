#pragma once
// What inspectors are told: changes of the list in beats of 50 ms, records of watched actors at the end of each turn.
//
// Without a watcher nothing is collected and no timer runs.

#include "host/host_core.h"
#include "host/type_registry.h"
#include "inspect/change_logs.h"

#include <QHash>
#include <QList>

#include <vector>

namespace terrarium {

class WatchFeed final {
public:
    WatchFeed(Environment &environment, ChangeLogs &logs, const TypeRegistry &types);
    WatchFeed(const WatchFeed &) = delete;
    WatchFeed &operator=(const WatchFeed &) = delete;
    ~WatchFeed();

    void add(HostWatcher *watcher);
    /// Its subscriptions end too.
    void remove(HostWatcher *watcher);
    bool isEmpty() const noexcept { return m_watchers.isEmpty(); }

    /// From the record after `position` on.
    void subscribe(HostWatcher *watcher, ChangeLog &log, quint64 position);
    /// True when it was the last one.
    bool unsubscribe(HostWatcher *watcher, const QString &actor);

    /// End of an event-loop turn: hands out the new records.
    void flush();

private:
    struct Subscription {
        HostWatcher *watcher = nullptr;
        quint64 after = 0;
    };
    struct Watched {
        QList<Subscription> subscriptions;
        QList<wire::Blocker> blockers; // as last told
        wire::SleepForecast forecast;
        bool told = false;
    };
    static constexpr std::chrono::milliseconds beatInterval{50};
    static constexpr std::chrono::milliseconds fadeInterval{1'000};

    void armBeat();
    void beat();
    void fade();
    void tellAwake(ChangeLog &log);

    Environment &m_environment;
    ChangeLogs &m_logs;
    const TypeRegistry &m_types;
    QList<HostWatcher *> m_watchers;
    QHash<QString, Watched> m_watched;
    QHash<QString, ChangeLog::Figures> m_fading; // those that change as time passes
    QStringList m_removed;
    std::vector<QString> m_faded; // to be told in the next beat
    Timer m_beat;
    Timer m_fade;
    Instant m_lastBeat{};
};

} // namespace terrarium
