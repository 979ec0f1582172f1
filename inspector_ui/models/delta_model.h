#pragma once
// The list of changes, newest first: a window over a feed's deltas with gaps as rows between them.
//
// The section calls sync() once a beat while it is visible; the model asks the feed for what is painted and
// keeps only row numbers. A filter is worked through in slices, newest first, so that it never holds up a
// beat; isScanning() until it has seen everything.

#include "client/actor_feed.h"
#include "models/delta_filter.h"

#include <QAbstractTableModel>

#include <deque>

namespace terrarium::ui {

class DeltaModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        NumberColumn,
        TimeColumn,
        CauseColumn,
        PathsColumn,
        ChangeColumn,
        SizeColumn,
        SavedColumn,
        ColumnCount
    };
    enum class TimeForm { Clock, Age, SincePrevious };

    using QAbstractTableModel::QAbstractTableModel;

    void setFeed(std::shared_ptr<ActorFeed> feed);
    /// One change of the feed, in order. Changes not passed on must be followed by reload().
    void take(const FeedChange &change);
    void reload();
    /// Goes on with the filter for about `budgetMs`. True when something is left.
    bool scan(int budgetMs);
    bool isScanning() const { return m_scanFrom > m_scanTo; }

    void setFilter(const DeltaFilter &filter);
    /// Rows later than this are dimmed; 0: none.
    void setCursor(quint64 sequence);
    void setTimeForm(TimeForm form);
    TimeForm timeForm() const { return m_timeForm; }
    void setNow(qint64 hostNow) { m_now = hostNow; }

    int rowOf(quint64 sequence) const; ///< -1 when not shown
    quint64 sequenceAt(int row) const; ///< 0 for gaps
    const FeedDelta *deltaAt(int row) const;
    int totalCount() const;
    int shownCount() const { return int(m_rows.size()) - m_gapRows; }
    int gapRows() const { return m_gapRows; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        quint64 sequence = 0; ///< of the delta; of a gap, the delta before it
        int gap = -1;         ///< index in gaps()
    };
    const Row &rowAt(int row) const { return m_rows[m_rows.size() - 1 - size_t(row)]; }
    bool accepts(const FeedDelta &delta) const { return m_filter.isEmpty() || m_filter.matches(delta); }
    QVariant cell(const FeedDelta &delta, int row, int column) const;
    QString timeText(const FeedDelta &delta, int row) const;

    std::shared_ptr<ActorFeed> m_feed;
    DeltaFilter m_filter;
    std::deque<Row> m_rows; ///< oldest first
    int m_gapRows = 0;
    int m_gapsSeen = 0;
    quint64 m_newestSeen = 0;
    int m_scanFrom = 0; ///< deltas()[m_scanTo..m_scanFrom) are not looked at yet
    int m_scanTo = 0;
    quint64 m_cursor = 0;
    TimeForm m_timeForm = TimeForm::Clock;
    qint64 m_now = 0;
};

} // namespace terrarium::ui
