#include "host_runner.h"

#include "examples/examples.h"
#include "plugin_loader.h"

#include <terrarium/error.h>

#include <QDir>
#include <QFileInfo>

namespace terrarium::app {

namespace {

class CoreTypes final : public PluginTypes {
public:
    explicit CoreTypes(HostCore &core) : m_core(core) {}
    void add(TypeDefinition type) override { m_core.add(std::move(type)); }

private:
    HostCore &m_core;
};

} // namespace

HostRunner::HostRunner(const HostSettings &settings)
{
    HostOptions options;
    options.dataDir = settings.dataDir.isEmpty() ? QStringLiteral(".terrarium") : settings.dataDir;
    options.durability = settings.powerDurability ? Durability::Power : Durability::Process;
    options.name = settings.name.isEmpty() ? QFileInfo(QDir::currentPath()).fileName() : settings.name;
    m_core = std::make_unique<HostCore>(m_environment, options);

    CoreTypes types(*m_core);
    if (settings.plugins.isEmpty())
        examples::addTypes(types);
    for (const QString &plugin : settings.plugins)
        loadPlugin(plugin, types);
    m_core->open();
    if (settings.plugins.isEmpty())
        examples::createActors(*m_core);

    ServerOptions doors;
    if (!settings.listen.isEmpty()) {
        doors.address = QHostAddress(settings.listen);
        if (doors.address.isNull()) {
            throw Error(QStringLiteral("server"), QStringLiteral("listen_failed"),
                        QStringLiteral("\"%1\" is no IP address").arg(settings.listen));
        }
    }
    if (settings.port) {
        doors.port = *settings.port;
        doors.lastPort = *settings.port;
    }
    doors.allowedOrigins = settings.allowedOrigins;
    doors.token = settings.token;
    doors.inspectorToken = m_core->inspectorToken();
    m_server = std::make_unique<HostServer>(*m_core, doors);
    m_server->listen();
    m_core->announce(m_server->url());
}

HostRunner::~HostRunner() = default;

void HostRunner::stop(std::function<void()> done)
{
    if (m_isStopping)
        return;
    m_isStopping = true;
    m_core->stop([this, done = std::move(done)](std::optional<Error>) {
        m_server->close();
        done();
    });
}

} // namespace terrarium::app
