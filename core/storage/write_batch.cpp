#include "storage/write_batch.h"

namespace terrarium {

void WriteBatch::saveState(QByteArray state, qint64 savedAtWallMs)
{
    for (Write &write : m_writes) {
        if (auto *earlier = std::get_if<SaveState>(&write)) {
            *earlier = SaveState{std::move(state), savedAtWallMs};
            return;
        }
    }
    m_writes.emplace_back(SaveState{std::move(state), savedAtWallMs});
}

void WriteBatch::setInitialized()
{
    m_writes.emplace_back(SetInitialized());
}

void WriteBatch::putSchedule(ScheduleRow row)
{
    m_writes.emplace_back(PutSchedule{std::move(row)});
}

void WriteBatch::deleteSchedule(QString eventId)
{
    m_writes.emplace_back(DeleteSchedule{std::move(eventId)});
}

} // namespace terrarium
