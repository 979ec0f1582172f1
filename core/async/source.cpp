#include "async/source.h"

namespace terrarium {

void Source::Watch::attach(Source &source) noexcept
{
    m_source = &source;
    m_next = source.m_watches;
    source.m_watches = this;
}

void Source::Watch::detach() noexcept
{
    if (m_source == nullptr)
        return;
    Watch **place = &m_source->m_watches;
    while (*place != this)
        place = &(*place)->m_next;
    *place = m_next;
    m_next = nullptr;
    m_source = nullptr;
}

Source::~Source()
{
    while (m_watches != nullptr)
        m_watches->detach();
}

void Source::notify() noexcept
{
    for (Watch *watch = m_watches; watch != nullptr; watch = watch->m_next)
        watch->notified(*watch);
}

} // namespace terrarium
