#pragma once
// The command line as a plain struct. Reading it never starts anything.

#include <QString>
#include <QStringList>
#include <QUrl>

#include <optional>
#include <variant>

namespace terrarium::app {

/// What a host is made from, with or without a window.
struct HostSettings {
    std::optional<quint16> port;  ///< --port; absent: 6420, or the next free one up to 6429
    QString listen;               ///< --listen ADDRESS; empty: loopback
    QString token;                ///< --token, required with a non-loopback address
    QString dataDir;              ///< --data; ":memory:" keeps nothing
    bool powerDurability = false; ///< --durability power
    QString name;                 ///< --name; empty: the folder's name
    QStringList plugins;          ///< --plugin LIB, repeatable; empty: the example actors
    QStringList allowedOrigins;   ///< --allow-origin URL, repeatable
};

struct WindowCommand {
    HostSettings host;
    QStringList files;    ///< recordings to open instead of running a host
    bool welcome = false; ///< --welcome: start without a host, on the first page
    QString screenshot;   ///< --screenshot FILE: save a picture of the window and end
    QString section;      ///< --section NAME: open the first actor there
    QString actor;        ///< --actor TYPE/KEY
    QString theme;        ///< --theme light|dark
};
struct HostCommand {
    HostSettings host;
};
struct AttachCommand {
    QUrl url; ///< empty: the only running host, else the attach dialog
    QString token;
    QString actor;
    QString section;
    bool readOnly = false;
};
struct CallCommand {
    QUrl url;
    QString token;
    QString type;
    QString key; ///< slash form
    QString action;
    QStringList args; ///< JSON each, or plain text
    bool json = false;
    qint64 timeoutMs = 60'000;
};
struct InspectCommand {
    QUrl url;
    QString token;
    QString type; ///< empty: list the actors
    QString key;
    bool json = false;
};
struct HelpCommand {
    QString text;
};
struct UsageError {
    QString text;
};

using Command =
    std::variant<WindowCommand, HostCommand, AttachCommand, CallCommand, InspectCommand, HelpCommand, UsageError>;

/// `arguments` without the program's name.
Command parseCommandLine(const QStringList &arguments);

/// Exit codes of every command.
enum ExitCode { ExitOk = 0, ExitFailed = 1, ExitUsage = 2, ExitNoHost = 3, ExitNotFound = 4 };

} // namespace terrarium::app
