#pragma once
// The hosts this window is attached to, up to sixteen, in the order they were attached.
//
// Each is an InspectorClient. A host that is lost stays in the list with its data; detach() forgets it.

#include "client/inspector_client.h"

#include <QObject>

#include <memory>
#include <vector>

namespace terrarium {
struct Environment;
}

namespace terrarium::ui {

class HostLinks final : public QObject {
    Q_OBJECT
public:
    static constexpr int most = 16;

    HostLinks(Environment &environment, QString inspectorName, QObject *parent = nullptr);
    ~HostLinks() override;

    /// Opens a link. nullptr when there are sixteen already. An address that is attached already gives that link.
    InspectorClient *attach(const HostAddress &address);
    /// Takes over a link that is open, for example from the attach dialog.
    InspectorClient *adopt(std::unique_ptr<InspectorClient> client);
    void detach(InspectorClient *client);
    void detachAll();

    int size() const { return int(m_clients.size()); }
    InspectorClient *at(int index) const;
    int indexOf(const InspectorClient *client) const;
    /// Makes a link that is not in the list yet.
    std::unique_ptr<InspectorClient> makeClient(const HostAddress &address);

    double updatesPerSecond() const;
    qint64 worstLagMs() const;
    int gapCount() const;
    bool anyPending() const;
    void beat();
    void reconnectAll(); ///< those that are lost

Q_SIGNALS:
    void added(int index);
    void aboutToBeRemoved(int index);
    void removed(int index);
    void linkChanged(int index);
    void pending();
    void gapsChanged();

private:
    Environment &m_environment;
    QString m_inspectorName;
    std::vector<std::unique_ptr<InspectorClient>> m_clients;
};

} // namespace terrarium::ui
