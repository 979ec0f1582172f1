#pragma once
// Writes of one actor that become durable together, or not at all.

#include "storage/stored_actor.h"

#include <utility>
#include <variant>
#include <vector>

namespace terrarium {

class WriteBatch final {
public:
    /// Replaces the state. In one batch the last one wins.
    void saveState(QByteArray state, qint64 savedAtWallMs);
    /// The first start ran through.
    void setInitialized();
    /// Inserts, or replaces the row of the same event id.
    void putSchedule(ScheduleRow row);
    /// Nothing happens when it is gone already.
    void deleteSchedule(QString eventId);

    bool isEmpty() const noexcept { return m_writes.empty(); }

    struct SaveState {
        QByteArray state;
        qint64 savedAt;
    };
    struct SetInitialized {};
    struct PutSchedule {
        ScheduleRow row;
    };
    struct DeleteSchedule {
        QString eventId;
    };
    using Write = std::variant<SaveState, SetInitialized, PutSchedule, DeleteSchedule>;
    const std::vector<Write> &writes() const noexcept { return m_writes; }

private:
    std::vector<Write> m_writes;
};

} // namespace terrarium
