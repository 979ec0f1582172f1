#pragma once
// The actions a type declares, with how long the last call took and how many failed.

#include "client/actor_feed.h"

#include <QAbstractListModel>
#include <QHash>

namespace terrarium::ui {

class ActionModel final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setActions(const QList<wire::ActionInfo> &actions);
    void setFilter(const QString &text);
    /// Reads finished calls from a feed's records on from `from`.
    void addCalls(const std::vector<FeedRecord> &records, size_t from);
    void clearCalls();

    const wire::ActionInfo *actionAt(int row) const;
    const wire::ActionInfo *find(const QString &name) const;
    int rowOf(const QString &name) const; ///< -1 when filtered out
    int totalCount() const { return int(m_actions.size()); }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Stats {
        qint64 lastUs = -1;
        int failed = 0;
    };
    void refilter();

    QList<wire::ActionInfo> m_actions;
    QList<int> m_rows;
    QString m_filter;
    QHash<QString, Stats> m_stats;
};

} // namespace terrarium::ui
