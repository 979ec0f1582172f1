#include "command_line.h"

#include <terrarium/actor_key.h>

#include <QCommandLineParser>

namespace terrarium::app {

namespace {

const char *const overviewText =
    "Terrarium runs stateful actors on this computer and shows everything they do.\n"
    "\n"
    "Usage:\n"
    "  terrarium [--plugin LIB]... [options]       window with a host inside (example actors when no plugin is named)\n"
    "  terrarium host [--plugin LIB]... [options]  host without a window; prints one JSON line when ready\n"
    "  terrarium attach [URL] [options]            window on a running host\n"
    "  terrarium call TYPE/KEY ACTION [ARGS...]    call an action and print its result\n"
    "  terrarium inspect [TYPE/KEY]                print an actor (or the list) without waking it\n"
    "\n"
    "Run `terrarium COMMAND --help` for the options of a command.\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no host to talk to, 4 no such actor.\n";

/// QCommandLineParser without its habit of printing and leaving.
class OptionReader {
public:
    explicit OptionReader(QString usage) : m_usage(std::move(usage))
    {
        m_parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
        m_parser.setOptionsAfterPositionalArgumentsMode(QCommandLineParser::ParseAsOptions);
        flag("help", "show this help");
    }
    void flag(const QString &name, const QString &help) { add(name, help, {}); }
    void value(const QString &name, const QString &help, const QString &what) { add(name, help, what); }

    /// Empty when fine, else what is wrong.
    QString read(const QStringList &arguments)
    {
        if (m_parser.parse(QStringList{QStringLiteral("terrarium")} + arguments))
            return {};
        QString text = m_parser.errorText();
        while (text.endsWith(u'.'))
            text.chop(1);
        return text;
    }
    bool isSet(const QString &name) const { return m_parser.isSet(name); }
    QString get(const QString &name) const { return m_parser.value(name); }
    QStringList all(const QString &name) const { return m_parser.values(name); }
    QStringList rest() const { return m_parser.positionalArguments(); }
    QString helpText() const { return QStringLiteral("Usage: %1\n\nOptions:\n%2").arg(m_usage, m_help); }

private:
    void add(const QString &name, const QString &help, const QString &what)
    {
        m_parser.addOption(what.isEmpty() ? QCommandLineOption(name, help) : QCommandLineOption(name, help, what));
        const QString left =
            what.isEmpty() ? QStringLiteral("--%1").arg(name) : QStringLiteral("--%1 %2").arg(name, what);
        m_help += QStringLiteral("  %1  %2\n").arg(left, -26).arg(help);
    }

    QCommandLineParser m_parser;
    QString m_usage;
    QString m_help;
};

void addHostOptions(OptionReader &reader)
{
    reader.value("plugin", "library with your actors; may be repeated", "LIB");
    reader.value("port", "port to listen on (default 6420, or the next free one up to 6429)", "N");
    reader.value("listen", "address to listen on (default loopback); another one needs --token", "ADDRESS");
    reader.value("token", "token that clients must send when the address is not loopback", "T");
    reader.value("data", "folder for durable data (default .terrarium; :memory: keeps nothing)", "DIR");
    reader.value("durability", "process: survives a kill (default); power: survives a power cut", "HOW");
    reader.value("allow-origin", "web origin that may call besides loopback pages; may be repeated", "URL");
    reader.value("name", "name shown in windows (default: the folder's name)", "NAME");
}

std::optional<QString> readHostOptions(const OptionReader &reader, HostSettings &host)
{
    host.plugins = reader.all("plugin");
    host.listen = reader.get("listen");
    host.token = reader.get("token");
    host.dataDir = reader.isSet("data") ? reader.get("data") : QStringLiteral(".terrarium");
    host.allowedOrigins = reader.all("allow-origin");
    host.name = reader.get("name");
    if (reader.isSet("port")) {
        bool isNumber = false;
        const int port = reader.get("port").toInt(&isNumber);
        if (!isNumber || port < 0 || port > 65535)
            return QStringLiteral("--port needs a number from 0 to 65535, not \"%1\"").arg(reader.get("port"));
        host.port = quint16(port);
    }
    if (reader.isSet("durability")) {
        const QString how = reader.get("durability");
        if (how != u"process" && how != u"power")
            return QStringLiteral("--durability is \"process\" or \"power\", not \"%1\"").arg(how);
        host.powerDurability = how == u"power";
    }
    return std::nullopt;
}

/// "counter/a" -> type and the rest as key text.
bool splitActor(const QString &text, QString &type, QString &key)
{
    const qsizetype slash = text.indexOf(u'/');
    type = slash < 0 ? text : text.left(slash);
    key = slash < 0 ? QStringLiteral("/") : text.mid(slash + 1);
    if (key.isEmpty())
        key = QStringLiteral("/");
    return !type.isEmpty() && ActorKey::fromText(key).has_value();
}

std::optional<QString> readUrl(const QString &text, QUrl &url)
{
    if (text.isEmpty())
        return std::nullopt;
    url = QUrl(text.contains(QLatin1String("://")) ? text : QStringLiteral("ws://") + text);
    const QString scheme = url.scheme();
    if (!url.isValid() || url.host().isEmpty()
        || (scheme != u"ws" && scheme != u"wss" && scheme != u"http" && scheme != u"https"))
        return QStringLiteral("\"%1\" is no address of a host (for example ws://127.0.0.1:6420)").arg(text);
    return std::nullopt;
}

Command parseWindow(const QStringList &arguments)
{
    OptionReader reader(QStringLiteral("terrarium [FILE.actorrec...] [options]"));
    addHostOptions(reader);
    reader.flag("welcome", "start on the first page, without a host");
    reader.value("actor", "show this actor first", "TYPE/KEY");
    reader.value("section", "section to open first", "NAME");
    reader.value("theme", "light, dark or system", "NAME");
    reader.value("screenshot", "save a picture of the window, then end", "FILE");
    if (const QString wrong = reader.read(arguments); !wrong.isEmpty())
        return UsageError{wrong};
    if (reader.isSet("help"))
        return HelpCommand{QString::fromLatin1(overviewText) + u'\n' + reader.helpText()};
    WindowCommand command;
    if (const auto wrong = readHostOptions(reader, command.host))
        return UsageError{*wrong};
    command.files = reader.rest();
    for (const QString &file : std::as_const(command.files)) {
        if (!file.endsWith(QLatin1String(".actorrec")) && !file.endsWith(QLatin1String(".wfhist")))
            return UsageError{QStringLiteral("unknown command \"%1\" (host, attach, call or inspect)").arg(file)};
    }
    command.welcome = reader.isSet("welcome");
    command.actor = reader.get("actor");
    command.section = reader.get("section");
    command.screenshot = reader.get("screenshot");
    command.theme = reader.get("theme");
    if (!command.theme.isEmpty() && command.theme != u"light" && command.theme != u"dark" && command.theme != u"system")
        return UsageError{
            QStringLiteral("--theme is \"light\", \"dark\" or \"system\", not \"%1\"").arg(command.theme)};
    return command;
}

Command parseHost(const QStringList &arguments)
{
    OptionReader reader(QStringLiteral("terrarium host [--plugin LIB]... [options]"));
    addHostOptions(reader);
    reader.flag("json", "accepted for symmetry: the ready line is always JSON");
    if (const QString wrong = reader.read(arguments); !wrong.isEmpty())
        return UsageError{wrong};
    if (reader.isSet("help"))
        return HelpCommand{reader.helpText()};
    if (!reader.rest().isEmpty())
        return UsageError{QStringLiteral("terrarium host takes no argument \"%1\"").arg(reader.rest().first())};
    HostCommand command;
    if (const auto wrong = readHostOptions(reader, command.host))
        return UsageError{*wrong};
    return command;
}

Command parseAttach(const QStringList &arguments)
{
    OptionReader reader(QStringLiteral("terrarium attach [URL] [options]"));
    reader.value("actor", "show this actor first", "TYPE/KEY");
    reader.value("section", "section to open first", "NAME");
    reader.value("token", "inspector token of the host (found by itself on this computer)", "T");
    reader.flag("read-only", "every control that changes something is off");
    if (const QString wrong = reader.read(arguments); !wrong.isEmpty())
        return UsageError{wrong};
    if (reader.isSet("help"))
        return HelpCommand{reader.helpText()};
    if (reader.rest().size() > 1)
        return UsageError{
            QStringLiteral("terrarium attach takes one address, not \"%1\" too").arg(reader.rest().at(1))};
    AttachCommand command;
    if (const auto wrong = readUrl(reader.rest().value(0), command.url))
        return UsageError{*wrong};
    command.token = reader.get("token");
    command.actor = reader.get("actor");
    command.section = reader.get("section");
    command.readOnly = reader.isSet("read-only");
    return command;
}

Command parseCall(const QStringList &arguments)
{
    OptionReader reader(QStringLiteral("terrarium call TYPE/KEY ACTION [ARGS...] [options]"));
    reader.value("url", "address of the host (default: the only one running)", "URL");
    reader.value("token", "token of the host when it listens beyond loopback", "T");
    reader.value("timeout", "seconds to wait for the answer (default 60)", "S");
    reader.flag("json", "print errors as JSON too");
    if (const QString wrong = reader.read(arguments); !wrong.isEmpty())
        return UsageError{wrong};
    if (reader.isSet("help")) {
        return HelpCommand{reader.helpText()
                           + QStringLiteral("\nEach argument is read as JSON; what is no JSON is sent as text.\n"
                                            "Negative numbers and texts that begin with - go after --.\n")};
    }
    const QStringList rest = reader.rest();
    if (rest.size() < 2)
        return UsageError{QStringLiteral(
            "terrarium call needs TYPE/KEY and ACTION, for example: terrarium call counter/a increment 1")};
    CallCommand command;
    if (!splitActor(rest.at(0), command.type, command.key))
        return UsageError{QStringLiteral("\"%1\" is no TYPE/KEY").arg(rest.at(0))};
    command.action = rest.at(1);
    command.args = rest.mid(2);
    command.token = reader.get("token");
    command.json = reader.isSet("json");
    if (reader.isSet("timeout")) {
        bool isNumber = false;
        const double seconds = reader.get("timeout").toDouble(&isNumber);
        if (!isNumber || seconds <= 0 || seconds > 86'400)
            return UsageError{QStringLiteral("--timeout needs seconds, not \"%1\"").arg(reader.get("timeout"))};
        command.timeoutMs = qint64(seconds * 1000);
    }
    if (const auto wrong = readUrl(reader.get("url"), command.url))
        return UsageError{*wrong};
    return command;
}

Command parseInspect(const QStringList &arguments)
{
    OptionReader reader(QStringLiteral("terrarium inspect [TYPE/KEY] [options]"));
    reader.value("url", "address of the host (default: the only one running)", "URL");
    reader.value("token", "inspector token of the host (found by itself on this computer)", "T");
    reader.flag("json", "print JSON");
    if (const QString wrong = reader.read(arguments); !wrong.isEmpty())
        return UsageError{wrong};
    if (reader.isSet("help"))
        return HelpCommand{reader.helpText()
                           + QStringLiteral("\nNothing is woken: sleeping actors are read from disk.\n")};
    if (reader.rest().size() > 1)
        return UsageError{
            QStringLiteral("terrarium inspect takes one TYPE/KEY, not \"%1\" too").arg(reader.rest().at(1))};
    InspectCommand command;
    if (!reader.rest().isEmpty() && !splitActor(reader.rest().first(), command.type, command.key))
        return UsageError{QStringLiteral("\"%1\" is no TYPE/KEY").arg(reader.rest().first())};
    command.token = reader.get("token");
    command.json = reader.isSet("json");
    if (const auto wrong = readUrl(reader.get("url"), command.url))
        return UsageError{*wrong};
    return command;
}

} // namespace

Command parseCommandLine(const QStringList &arguments)
{
    const QString first = arguments.value(0);
    const QStringList rest = arguments.mid(1);
    if (first == u"help")
        return HelpCommand{QString::fromLatin1(overviewText)};
    if (arguments.contains(QStringLiteral("--version")))
        return HelpCommand{QStringLiteral("terrarium " TERRARIUM_VERSION "\n")};
    if (first == u"host")
        return parseHost(rest);
    if (first == u"attach")
        return parseAttach(rest);
    if (first == u"call")
        return parseCall(rest);
    if (first == u"inspect")
        return parseInspect(rest);
    return parseWindow(arguments);
}

} // namespace terrarium::app
