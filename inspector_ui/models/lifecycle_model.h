#pragma once
// The table of transitions, newest first, with notes as dividers between them.

#include "client/actor_feed.h"

#include <QAbstractTableModel>

namespace terrarium::ui {

class LifecycleModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { TimeColumn, TransitionColumn, ReasonColumn, TookColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setFeed(std::shared_ptr<ActorFeed> feed);
    void reload();
    void take(const FeedChange &change);
    /// Words of status, reason and hooks; to:sleeping, from:running, reason:idle, took>1s.
    void setFilter(const QString &text);

    const wire::TransitionRecord *transitionAt(int row) const;
    qint64 timeAt(int row) const;
    int rowAtTime(qint64 at) const; ///< the newest row at or before; -1 when none
    int totalCount() const { return m_total; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const FeedRecord *recordAt(int row) const;
    bool accepts(const wire::Record &record) const;

    std::shared_ptr<ActorFeed> m_feed;
    QString m_filter;
    std::vector<qint64> m_rows; ///< records by running number, oldest first
    qint64 m_base = 0;          ///< running number of records()[0]
    int m_total = 0;
};

/// Why a transition happened, as runs with the cause as a link where there is one: "action join, connection 7".
QString reasonText(const wire::TransitionRecord &transition);

} // namespace terrarium::ui
