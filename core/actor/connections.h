#pragma once
// The open connections of one live actor, in the order they were opened. Without any, no memory.

#include "actor/connection.h"

#include <memory>
#include <vector>

namespace terrarium {

class Connections final {
public:
    int count() const noexcept { return int(m_all.size()); }
    const std::vector<std::shared_ptr<ActorConnection>> &all() const noexcept { return m_all; }
    std::shared_ptr<ActorConnection> find(const QString &id) const;

    void add(std::shared_ptr<ActorConnection> connection, qint64 wallMs);
    /// False when it was not open: exactly one closer wins.
    bool remove(ActorConnection &connection);

private:
    std::vector<std::shared_ptr<ActorConnection>> m_all;
};

} // namespace terrarium
