#pragma once
// What keeps an actor awake: first what is on, then what would count but is off. The full list, always.

#include "models/roles.h"
#include "wire/inspector_messages.h"

#include <QAbstractListModel>

namespace terrarium::ui {

class BlockerModel final : public QAbstractListModel {
    Q_OBJECT
public:
    /// More roles than roles.h has.
    enum BlockerRole { DetailRole = FirstFreeRole + 1, AgeRole, IconRole };

    using QAbstractListModel::QAbstractListModel;

    void setBlockers(const QList<wire::Blocker> &blockers);
    void setNow(qint64 now);
    int onCount() const { return m_onCount; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<wire::Blocker> m_blockers;
    int m_onCount = 0;
    qint64 m_now = 0;
};

} // namespace terrarium::ui
