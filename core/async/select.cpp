#include "async/select.h"

namespace terrarium {

struct Select::Link final : Source::Watch {
    Select *select = nullptr;
    int index = 0;
};

Select::Select(TurnSlot &slot, std::initializer_list<Source *> sources)
    : Suspension(slot),
      m_links(std::make_unique<Link[]>(sources.size())),
      m_count(int(sources.size()))
{
    Q_ASSERT_X(m_count <= 32, "Select", "more than 32 sources");
    int index = 0;
    for (Source *source : sources) {
        Link &link = m_links[size_t(index)];
        link.select = this;
        link.index = index++;
        link.notified = [](Source::Watch &watch) noexcept {
            auto &self = static_cast<Link &>(watch);
            if (self.select->isEnabled(self.index))
                self.select->wake();
        };
        link.attach(*source);
    }
}

Select::~Select() = default;

void Select::setEnabled(int index, bool enabled) noexcept
{
    const quint32 bit = 1u << index;
    m_disabled = enabled ? m_disabled & ~bit : m_disabled | bit;
    // Somebody else may switch a source on while this stands.
    if (enabled && isSuspended() && ready() >= 0)
        wake();
}

int Select::ready() const noexcept
{
    for (int i = 0; i < m_count; ++i) {
        if (!isEnabled(i))
            continue;
        const Source *source = m_links[size_t(i)].source();
        if (source != nullptr && source->isReady())
            return i;
    }
    return -1;
}

int Select::take()
{
    throwIfStopped();
    return ready();
}

} // namespace terrarium
