#pragma once
// A flag one can wait for: "something happened", however often. Raising it twice is raising it once.

#include "async/source.h"

namespace terrarium {

class Notice final : public Source {
public:
    void raise() noexcept
    {
        m_raised = true;
        notify();
    }
    /// True when it was raised; lowers it.
    bool take() noexcept
    {
        const bool was = m_raised;
        m_raised = false;
        return was;
    }
    bool isReady() const noexcept override { return m_raised; }

private:
    bool m_raised = false;
};

} // namespace terrarium
