#include "wire/turn_flush.h"

namespace terrarium {

TurnFlush::Member::~Member()
{
    if (m_list)
        m_list->m_marked[size_t(m_place)] = nullptr;
}

TurnFlush::~TurnFlush()
{
    for (Member *member : m_marked) {
        if (member)
            member->m_list = nullptr;
    }
}

void TurnFlush::mark(Member &member)
{
    if (member.m_list)
        return;
    member.m_list = this;
    member.m_place = qsizetype(m_marked.size());
    m_marked.push_back(&member);
    if (m_marked.size() == 1 && m_turnNeeded)
        m_turnNeeded();
}

void TurnFlush::flush()
{
    // A member may mark others, or be destroyed, while one is flushed.
    for (size_t i = 0; i < m_marked.size(); ++i) {
        Member *member = m_marked[i];
        if (!member)
            continue;
        m_marked[i] = nullptr;
        member->m_list = nullptr;
        member->flushTurn();
    }
    m_marked.clear();
}

} // namespace terrarium
