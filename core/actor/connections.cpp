#include "actor/connections.h"

#include <algorithm>

namespace terrarium {

std::shared_ptr<ActorConnection> Connections::find(const QString &id) const
{
    for (const auto &connection : m_all) {
        if (connection->id() == id)
            return connection;
    }
    return nullptr;
}

void Connections::add(std::shared_ptr<ActorConnection> connection, qint64 wallMs)
{
    connection->m_openedAt = wallMs;
    connection->m_open = true;
    m_all.push_back(std::move(connection));
}

bool Connections::remove(ActorConnection &connection)
{
    const auto at =
        std::find_if(m_all.begin(), m_all.end(), [&](const auto &candidate) { return candidate.get() == &connection; });
    if (at == m_all.end())
        return false;
    connection.m_open = false;
    connection.m_subscriptions.clear();
    m_all.erase(at);
    if (m_all.empty())
        m_all.shrink_to_fit();
    return true;
}

} // namespace terrarium
