#include "models/time_cursor.h"

namespace terrarium::ui {

void TimeCursor::goLive()
{
    if (m_live)
        return;
    m_live = true;
    m_sequence = 0;
    Q_EMIT changed();
}

void TimeCursor::goTo(quint64 sequence)
{
    if (!m_live && m_sequence == sequence)
        return;
    m_live = false;
    m_sequence = sequence;
    Q_EMIT changed();
}

} // namespace terrarium::ui
