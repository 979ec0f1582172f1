#include "shell/host_links.h"

#include <algorithm>

namespace terrarium::ui {

HostLinks::HostLinks(Environment &environment, QString inspectorName, QObject *parent)
    : QObject(parent),
      m_environment(environment),
      m_inspectorName(std::move(inspectorName))
{}

HostLinks::~HostLinks() = default;

std::unique_ptr<InspectorClient> HostLinks::makeClient(const HostAddress &address)
{
    return std::make_unique<InspectorClient>(m_environment, address, m_inspectorName);
}

InspectorClient *HostLinks::attach(const HostAddress &address)
{
    for (const auto &client : m_clients) {
        if (!address.connect && client->address().url == address.url && client->state() != LinkState::Closed) {
            if (client->state() == LinkState::Lost)
                client->reconnectNow();
            return client.get();
        }
    }
    if (size() >= most)
        return nullptr;
    InspectorClient *client = adopt(makeClient(address));
    client->open();
    return client;
}

InspectorClient *HostLinks::adopt(std::unique_ptr<InspectorClient> client)
{
    InspectorClient *raw = client.get();
    m_clients.push_back(std::move(client));
    connect(raw, &InspectorClient::pending, this, &HostLinks::pending);
    connect(raw, &InspectorClient::gapsChanged, this, &HostLinks::gapsChanged);
    connect(raw, &InspectorClient::linkChanged, this, [this, raw] { Q_EMIT linkChanged(indexOf(raw)); });
    Q_EMIT added(size() - 1);
    if (raw->hasPending())
        Q_EMIT pending();
    return raw;
}

void HostLinks::detach(InspectorClient *client)
{
    const int index = indexOf(client);
    if (index < 0)
        return;
    Q_EMIT aboutToBeRemoved(index);
    std::unique_ptr<InspectorClient> owned = std::move(m_clients[size_t(index)]);
    m_clients.erase(m_clients.begin() + index);
    owned->disconnect(this);
    owned->close();
    Q_EMIT removed(index);
    Q_EMIT gapsChanged();
    owned.release()->deleteLater();
}

void HostLinks::detachAll()
{
    while (!m_clients.empty())
        detach(m_clients.back().get());
}

InspectorClient *HostLinks::at(int index) const
{
    return index >= 0 && index < size() ? m_clients[size_t(index)].get() : nullptr;
}

int HostLinks::indexOf(const InspectorClient *client) const
{
    for (int i = 0; i < size(); ++i) {
        if (m_clients[size_t(i)].get() == client)
            return i;
    }
    return -1;
}

double HostLinks::updatesPerSecond() const
{
    double sum = 0;
    for (const auto &client : m_clients)
        sum += client->updatesPerSecond();
    return sum;
}

qint64 HostLinks::worstLagMs() const
{
    qint64 worst = 0;
    for (const auto &client : m_clients)
        worst = std::max(worst, client->lagMs());
    return worst;
}

int HostLinks::gapCount() const
{
    int count = 0;
    for (const auto &client : m_clients)
        count += int(client->gaps().size());
    return count;
}

bool HostLinks::anyPending() const
{
    return std::any_of(m_clients.begin(), m_clients.end(), [](const auto &client) { return client->hasPending(); });
}

void HostLinks::beat()
{
    // A handler may detach a host: walk over a copy of the pointers and ask again.
    std::vector<InspectorClient *> clients;
    for (const auto &client : m_clients)
        clients.push_back(client.get());
    for (InspectorClient *client : clients) {
        if (indexOf(client) >= 0)
            client->beat();
    }
}

void HostLinks::reconnectAll()
{
    for (const auto &client : m_clients) {
        if (client->state() == LinkState::Lost || client->state() == LinkState::Refused
            || client->state() == LinkState::Closed)
            client->reconnectNow();
    }
}

} // namespace terrarium::ui
