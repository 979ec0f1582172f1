#include "find_host.h"

#include <terrarium/error.h>

namespace terrarium::app {

namespace {

bool samePlace(const QUrl &a, const QUrl &b)
{
    const auto isLoopback = [](const QString &host) {
        return host == u"localhost" || host == u"::1" || host.startsWith(QLatin1String("127."));
    };
    return a.port(6420) == b.port(6420) && (a.host() == b.host() || (isLoopback(a.host()) && isLoopback(b.host())));
}

} // namespace

FoundHost findHost(const QUrl &url, const QString &token)
{
    const QList<DiscoveredHost> running = host_directory::hosts();
    if (!url.isEmpty()) {
        FoundHost found;
        found.url = url;
        if (url.scheme() == u"http" || url.scheme() == u"https")
            found.url.setScheme(url.scheme() == u"http" ? QStringLiteral("ws") : QStringLiteral("wss"));
        if (found.url.port() < 0)
            found.url.setPort(6420);
        found.token = token;
        found.name = found.url.authority();
        for (const DiscoveredHost &host : running) {
            if (samePlace(host.url, found.url)) {
                found.name = host.name;
                if (token.isEmpty())
                    found.token = host.token;
            }
        }
        return found;
    }
    if (running.isEmpty()) {
        throw Error(
            QStringLiteral("client"), QStringLiteral("no_host"),
            QStringLiteral("no host runs on this computer; start one with \"terrarium host\" or name one with --url"));
    }
    if (running.size() > 1) {
        QStringList names;
        for (const DiscoveredHost &host : running)
            names += QStringLiteral("%1 (%2)").arg(host.url.toString(), host.name);
        throw Error(
            QStringLiteral("client"), QStringLiteral("several_hosts"),
            QStringLiteral("several hosts run here, name one with --url: %1").arg(names.join(QStringLiteral(", "))));
    }
    return {running.first().url, token.isEmpty() ? running.first().token : token, running.first().name};
}

QUrl httpUrl(const QUrl &url)
{
    QUrl http = url;
    http.setScheme(url.scheme() == u"wss" ? QStringLiteral("https") : QStringLiteral("http"));
    return http;
}

} // namespace terrarium::app
