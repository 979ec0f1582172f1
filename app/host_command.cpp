#include "host_command.h"

#include "host_runner.h"
#include "output.h"
#include "unix_signals.h"

#include "async/epoll_dispatcher.h"
#include "value/json.h"

#include <terrarium/error.h>

#include <QCoreApplication>
#include <QDir>

namespace terrarium::app {

int runHost(int &argc, char **argv, const HostCommand &command)
{
    if (auto dispatcher = makeHostDispatcher())
        QCoreApplication::setEventDispatcher(dispatcher.release());
    const QCoreApplication application(argc, argv);
    UnixSignals signal;

    std::unique_ptr<HostRunner> runner;
    try {
        runner = std::make_unique<HostRunner>(command.host);
    } catch (const Error &error) {
        printError(error);
        return ExitFailed;
    }
    QObject::connect(&signal, &UnixSignals::stopAsked, &signal, [&runner] {
        runner->stop([] { QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::QueuedConnection); });
    });

    const HostOptions &options = runner->core().options();
    Value types = Value::array();
    for (const QString &name : runner->core().typeNames())
        types.append(name);
    printLine(json::write(
        Value::map({{QStringLiteral("ready"), true},
                    {QStringLiteral("url"), runner->url().toString()},
                    {QStringLiteral("port"), runner->url().port()},
                    {QStringLiteral("pid"), qint64(QCoreApplication::applicationPid())},
                    {QStringLiteral("name"), options.name},
                    {QStringLiteral("dataDir"),
                     options.dataDir == u":memory:" ? options.dataDir : QDir(options.dataDir).absolutePath()},
                    {QStringLiteral("durability"), options.durability == Durability::Power ? "power" : "process"},
                    {QStringLiteral("types"), types},
                    {QStringLiteral("inspectorToken"), runner->core().inspectorToken()}})));
    return application.exec();
}

} // namespace terrarium::app
