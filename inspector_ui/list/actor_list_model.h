#pragma once
// Hosts and their actors, as the list shows them: sorted by type and key, filtered, one level of hosts above.
//
// A window over the stores of HostLinks. A batch gives at most one run of inserts, one of removes and one
// dataChanged range per host, and rows never move while they are looked at: their order depends on their names
// only. tick() refreshes timers.

#include "list/actor_list_filter.h"
#include "shell/host_links.h"

#include <QAbstractItemModel>
#include <QHash>
#include <QSet>

#include <memory>
#include <vector>

namespace terrarium {
class Clock;
}

namespace terrarium::ui {

class ActorListModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { ActorColumn, StateColumn, RateColumn, ColumnCount };

    ActorListModel(const Clock &clock, HostLinks &links, QObject *parent = nullptr);
    ~ActorListModel() override;

    /// A filter with an error is not taken over: the last good one stays.
    void setFilter(const ActorListFilter &filter);
    const ActorListFilter &filter() const { return m_filter; }

    int totalCount() const;
    int shownCount() const;
    /// Hidden by the filter only because they are destroyed.
    int hiddenDestroyed() const;
    /// The part of the filter that hides the most actors, as typed; empty without a filter.
    QString strongestPart() const;

    QModelIndex hostIndex(int host) const;
    QModelIndex indexOf(const InspectorClient *client, const QString &actorId) const;
    QModelIndex firstActor() const;
    InspectorClient *client(const QModelIndex &index) const;
    QString actorId(const QModelIndex &index) const; ///< empty for hosts
    const wire::ActorSummary *actor(const QModelIndex &index) const;

    /// Ages and countdowns.
    void tick();

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void countsChanged();

private:
    struct Entry;
    struct Host;

    Host *hostOf(const InspectorClient *client) const;
    int rowOfHost(const Host *host) const;
    void applyBatch(Host &host, const ActorsBatch &batch);
    void rebuild(Host &host);
    void showOne(Host &host, const QString &id);
    void hideOne(Host &host, const QString &id);
    void measureRate(Host &host);
    void showExactly(Host &host, std::vector<Entry *> wanted);
    bool isShown(const Host &host, const wire::ActorSummary &actor, bool fuzzy) const;
    bool nothingMatchesExactly() const;
    void refilter();
    QVariant hostData(const Host &host, int column, int role) const;
    QVariant actorData(const Host &host, const wire::ActorSummary &actor, int column, int role) const;
    qint64 now(const Host &host) const;

    const Clock &m_clock;
    HostLinks &m_links;
    ActorListFilter m_filter;
    bool m_fuzzy = false;
    std::vector<std::unique_ptr<Host>> m_hosts;
};

} // namespace terrarium::ui
