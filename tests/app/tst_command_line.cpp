// What each command line means, and that wrong ones say what is wrong in one line.

#include "command_line.h"

#include <QTest>

using namespace terrarium::app;

class tst_CommandLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingMeansAWindowWithTheExampleActors();
    void hostOptionsAreRead();
    void callSplitsTypeAndKey_data();
    void callSplitsTypeAndKey();
    void wrongUsageSaysWhatIsWrong_data();
    void wrongUsageSaysWhatIsWrong();
    void everyCommandHasHelp_data();
    void everyCommandHasHelp();
    void versionIsPrinted();
};

void tst_CommandLine::nothingMeansAWindowWithTheExampleActors()
{
    const Command command = parseCommandLine({});

    const auto *window = std::get_if<WindowCommand>(&command);
    QVERIFY(window);
    QVERIFY(window->host.plugins.isEmpty());
    QVERIFY(!window->host.port.has_value());
    QCOMPARE(window->host.dataDir, QStringLiteral(".terrarium"));
}

void tst_CommandLine::hostOptionsAreRead()
{
    const Command command =
        parseCommandLine({"host", "--port", "7000", "--data", "d", "--durability", "power", "--plugin", "a.so",
                          "--plugin", "b.so", "--allow-origin", "http://x.test"});

    const auto *host = std::get_if<HostCommand>(&command);
    QVERIFY(host);
    QCOMPARE(host->host.port.value_or(0), quint16(7000));
    QCOMPARE(host->host.dataDir, QStringLiteral("d"));
    QVERIFY(host->host.powerDurability);
    QCOMPARE(host->host.plugins, (QStringList{"a.so", "b.so"}));
    QCOMPARE(host->host.allowedOrigins, QStringList{"http://x.test"});
}

void tst_CommandLine::callSplitsTypeAndKey_data()
{
    QTest::addColumn<QString>("actor");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("key");
    QTest::newRow("plain") << "counter/a"
                           << "counter"
                           << "a";
    QTest::newRow("no key") << "counter"
                            << "counter"
                            << "/";
    QTest::newRow("two segments") << "chat/eu/lobby"
                                  << "chat"
                                  << "eu/lobby";
    QTest::newRow("escaped slash") << "file/a\\/b"
                                   << "file"
                                   << "a\\/b";
}

void tst_CommandLine::callSplitsTypeAndKey()
{
    QFETCH(const QString, actor);

    const Command command = parseCommandLine({"call", actor, "increment", "1", "\"me\""});

    const auto *call = std::get_if<CallCommand>(&command);
    QVERIFY(call);
    QTEST(call->type, "type");
    QTEST(call->key, "key");
    QCOMPARE(call->action, QStringLiteral("increment"));
    QCOMPARE(call->args, (QStringList{"1", "\"me\""}));
}

void tst_CommandLine::wrongUsageSaysWhatIsWrong_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("unknown command") << QStringList{"hots"} << "hots";
    QTest::newRow("unknown option") << QStringList{"host", "--prot", "1"} << "prot";
    QTest::newRow("port no number") << QStringList{"host", "--port", "x"} << "\"x\"";
    QTest::newRow("port too large") << QStringList{"host", "--port", "70000"} << "70000";
    QTest::newRow("durability") << QStringList{"host", "--durability", "none"} << "none";
    QTest::newRow("call without action") << QStringList{"call", "counter/a"} << "ACTION";
    QTest::newRow("call with bad key") << QStringList{"call", "counter/a\\", "x"} << "counter/a\\";
    QTest::newRow("two addresses") << QStringList{"attach", "ws://a:1", "ws://b:1"} << "ws://b:1";
    QTest::newRow("no address") << QStringList{"attach", "ftp://a"} << "ftp://a";
    QTest::newRow("theme") << QStringList{"--theme", "pink"} << "pink";
}

void tst_CommandLine::wrongUsageSaysWhatIsWrong()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, mentions);

    const Command command = parseCommandLine(arguments);

    const auto *error = std::get_if<UsageError>(&command);
    QVERIFY(error);
    QVERIFY2(error->text.contains(mentions), qPrintable(error->text));
    QVERIFY2(!error->text.contains(u'\n'), qPrintable(error->text));
}

void tst_CommandLine::everyCommandHasHelp_data()
{
    QTest::addColumn<QString>("command");
    for (const char *command : {"", "host", "attach", "call", "inspect"})
        QTest::newRow(*command ? command : "window") << command;
}

void tst_CommandLine::everyCommandHasHelp()
{
    QFETCH(const QString, command);

    const Command parsed = parseCommandLine(command.isEmpty() ? QStringList{"--help"} : QStringList{command, "--help"});

    const auto *help = std::get_if<HelpCommand>(&parsed);
    QVERIFY(help);
    QVERIFY(help->text.contains(QStringLiteral("Usage: terrarium")) || help->text.contains(QStringLiteral("Usage:\n")));
    QVERIFY(help->text.contains(QStringLiteral("--help")));
}

void tst_CommandLine::versionIsPrinted()
{
    const Command command = parseCommandLine({"--version"});

    const auto *help = std::get_if<HelpCommand>(&command);
    QVERIFY(help);
    QVERIFY(help->text.startsWith(QStringLiteral("terrarium ")));
}

QTEST_GUILESS_MAIN(tst_CommandLine)
#include "tst_command_line.moc"
