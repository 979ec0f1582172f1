#include "actor/work_tracker.h"

#include <algorithm>

namespace terrarium {

QString workKindName(WorkKind kind)
{
    switch (kind) {
    case WorkKind::KeepAwake: return QStringLiteral("keepAwake");
    case WorkKind::InternalKeepAwake: return QStringLiteral("internalKeepAwake");
    case WorkKind::WaitUntil: return QStringLiteral("waitUntil");
    case WorkKind::SocketCallback: return QStringLiteral("socketCallbacks");
    case WorkKind::DisconnectCallback: return QStringLiteral("disconnectCallbacks");
    case WorkKind::HttpRequest: return QStringLiteral("httpRequests");
    }
    return {};
}

quint64 WorkTracker::begin(WorkKind kind, QString label, QString origin, qint64 wallMs)
{
    if (!m_regions)
        m_regions = std::make_unique<std::vector<Region>>();
    m_regions->push_back(Region{++m_lastId, kind, std::move(label), std::move(origin), wallMs});
    ++m_counts[std::size_t(kind)];
    return m_lastId;
}

bool WorkTracker::end(quint64 id)
{
    if (!m_regions)
        return false;
    const auto at = std::find_if(m_regions->begin(), m_regions->end(), [id](const Region &r) { return r.id == id; });
    if (at == m_regions->end())
        return false;
    --m_counts[std::size_t(at->kind)];
    m_regions->erase(at);
    if (m_regions->empty())
        m_regions.reset();
    return true;
}

void WorkTracker::clear()
{
    m_counts = {};
    m_regions.reset();
}

const std::vector<WorkTracker::Region> &WorkTracker::regions() const noexcept
{
    static const std::vector<Region> none;
    return m_regions ? *m_regions : none;
}

} // namespace terrarium
