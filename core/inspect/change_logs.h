#pragma once
// The change logs of all actors of a host: who has one, which of them have news, and how much memory they may take.
//
// Live and watched actors have a log. Those of the others are kept in the order in which they fell asleep, the newest
// few hundred of them, so that any number of sleeping actors costs a bounded amount of memory.

#include "inspect/change_log.h"

#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

namespace terrarium {

class ChangeLogs final {
public:
    static constexpr int idleLogs = 512;
    static constexpr qint64 flightBytes = 64 * 1024 * 1024; ///< of all logs that nobody watches

    explicit ChangeLogs(Environment &environment);
    ChangeLogs(const ChangeLogs &) = delete;
    ChangeLogs &operator=(const ChangeLogs &) = delete;
    ~ChangeLogs();

    ChangeLog *find(const QString &id) const;
    /// The log of an actor, made when there is none.
    ChangeLog &obtain(const ActorRow &row);
    std::size_t count() const noexcept { return m_logs.size(); }
    template <typename Visit>
    void forEach(Visit visit) const
    {
        for (const auto &[id, log] : m_logs)
            visit(*log);
    }

    /// The actor may be forgotten from now on (it sleeps, or is gone), unless it is watched; or not (again).
    void setIdle(ChangeLog &log, bool idle);

    /// Only while somebody listens are changes of summaries collected.
    void setListening(bool on);
    bool isListening() const noexcept { return m_listening; }
    /// Logs whose summary may have changed since the last call.
    std::vector<ChangeLog *> takeChanged();
    /// Watched logs with new records.
    std::vector<ChangeLog *> takeWithNews();

    /// Called when takeChanged() starts to have something.
    std::function<void()> onChanged;
    /// A log goes: whoever listed the actor as destroyed can take it off the list.
    std::function<void(const ChangeLog &)> onForgotten;

private:
    friend class ChangeLog;

    void markChanged(ChangeLog &log);
    void markNews(ChangeLog &log) { m_withNews.push_back(&log); }
    void countBytes(qint64 difference);
    void forgetSome();
    void forget(ChangeLog &log);

    Environment &m_environment;
    std::unordered_map<QString, std::unique_ptr<ChangeLog>> m_logs;
    std::list<ChangeLog *> m_idle; // oldest first
    std::vector<ChangeLog *> m_changed;
    std::vector<ChangeLog *> m_withNews;
    qint64 m_bytes = 0;
    quint64 m_base = 0; // where the numbers of a new log begin: past those of any forgotten one
    bool m_listening = false;
    bool m_trimming = false;
};

} // namespace terrarium
