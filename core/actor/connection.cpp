#include "actor/connection.h"

namespace terrarium {

bool ActorConnection::subscribe(const QString &event, bool on)
{
    if (!on)
        return m_subscriptions.removeAll(event) > 0;
    if (m_subscriptions.contains(event))
        return false;
    m_subscriptions.append(event);
    return true;
}

} // namespace terrarium
