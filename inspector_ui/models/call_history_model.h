#pragma once
// Calls made from this window, newest first. A failed call opens to its error.

#include "widgets/cell.h"
#include "wire/inspector_messages.h"

#include <QAbstractItemModel>

#include <deque>

namespace terrarium::ui {

struct CallEntry {
    enum State { Running, Ok, Failed, Unconfirmed };

    quint64 id = 0;
    QString action;
    Value args;
    qint64 at = 0;    ///< host wall ms
    quint32 call = 0; ///< number for cancelling
    State state = Running;
    wire::CallResult result;
    Error error{QString(), QString(), QString()};
    qint64 endedAt = 0;
};

class CallHistoryModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { TimeColumn, CallColumn, AnswerColumn, TookColumn, ChangedColumn, ColumnCount };
    static constexpr int most = 500; ///< older calls go

    using QAbstractItemModel::QAbstractItemModel;

    void setEntries(std::deque<CallEntry> entries); ///< newest first
    const std::deque<CallEntry> &entries() const { return m_entries; }
    void add(CallEntry entry);
    /// Puts the changed entry in the place of the one with its id; nothing when that is gone.
    void replace(const CallEntry &entry);
    const CallEntry *find(quint64 id) const;
    void clearFinished();
    void setNow(qint64 hostNow);

    const CallEntry *entryAt(const QModelIndex &index) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    using QObject::parent;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Detail {
        QString label;
        QList<Run> runs;
    };
    QList<Detail> details(const CallEntry &entry) const;
    QVariant cell(const CallEntry &entry, int column) const;

    std::deque<CallEntry> m_entries;
    qint64 m_now = 0;
};

/// move(118, 64)
QString callText(const QString &action, const Value &args, int most = 200);

} // namespace terrarium::ui
