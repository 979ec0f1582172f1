// terrarium: read the command line, run what it says.

#include "call_command.h"
#include "command_line.h"
#include "host_command.h"
#include "inspect_command.h"
#include "logging.h"
#include "output.h"
#include "window_command.h"

#include <QCoreApplication>

#include <cstdio>

using namespace terrarium::app;

namespace {

QStringList readArguments(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments += QString::fromLocal8Bit(argv[i]);
    return arguments;
}

template <class... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

} // namespace

int main(int argc, char **argv)
{
    const Command command = parseCommandLine(readArguments(argc, argv));
    setUpLogging();
    return std::visit(Overloaded{
                          [&](const WindowCommand &window) { return runWindow(argc, argv, window); },
                          [&](const HostCommand &host) { return runHost(argc, argv, host); },
                          [&](const AttachCommand &attach) { return runAttach(argc, argv, attach); },
                          [&](const CallCommand &call) {
                              const QCoreApplication application(argc, argv);
                              return runCall(call);
                          },
                          [&](const InspectCommand &inspect) {
                              const QCoreApplication application(argc, argv);
                              return runInspect(inspect);
                          },
                          [](const HelpCommand &help) {
                              const QByteArray text = help.text.toUtf8();
                              std::fwrite(text.constData(), 1, size_t(text.size()), stdout);
                              return int(ExitOk);
                          },
                          [](const UsageError &error) {
                              const QByteArray text = "terrarium: " + error.text.toUtf8() + " (see terrarium --help)\n";
                              std::fwrite(text.constData(), 1, size_t(text.size()), stderr);
                              return int(ExitUsage);
                          },
                      },
                      command);
}
