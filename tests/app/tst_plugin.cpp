// People's own actors, the way the README says: install, find_package, terrarium_add_plugin, --plugin.
// The counter is taken out of the README itself, so that the README cannot rot.

#include "host_process.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

class tst_Plugin : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void readmeCounterRunsAsAPlugin();
    void pluginOfAnotherVersionIsRefusedNamingBoth_data();
    void pluginOfAnotherVersionIsRefusedNamingBoth();
    void fileThatIsNoPluginIsRefused();

private:
    static ProgramResult runTool(const QString &program, const QStringList &arguments);
    QString library() const { return m_folder.filePath(QStringLiteral("project/build/libmine.so")); }

    QTemporaryDir m_folder;
};

ProgramResult tst_Plugin::runTool(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    ProgramResult result;
    if (process.waitForFinished(300'000) && process.exitStatus() == QProcess::NormalExit)
        result.exitCode = process.exitCode();
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
}

void tst_Plugin::initTestCase()
{
    QFile readme(QStringLiteral(SOURCE_FOLDER "/README.md"));
    QVERIFY(readme.open(QIODevice::ReadOnly));
    const QByteArray text = readme.readAll();
    const qsizetype begin = text.indexOf("```cpp\n");
    QVERIFY(begin >= 0);
    const qsizetype end = text.indexOf("```", begin + 7);
    QVERIFY(end > begin);

    QVERIFY(QDir().mkpath(m_folder.filePath(QStringLiteral("project"))));
    QFile counter(m_folder.filePath(QStringLiteral("project/counter.cpp")));
    QVERIFY(counter.open(QIODevice::WriteOnly));
    counter.write(text.mid(begin + 7, end - begin - 7));
    counter.close();
    QVERIFY(QFile::copy(QStringLiteral(SOURCE_FOLDER "/tests/app/plugin_project/CMakeLists.txt"),
                        m_folder.filePath(QStringLiteral("project/CMakeLists.txt"))));

    const ProgramResult install =
        runTool(QStringLiteral(CMAKE_PROGRAM), {"--install", QStringLiteral(BUILD_FOLDER), "--prefix",
                                                m_folder.filePath(QStringLiteral("installed"))});
    QVERIFY2(install.exitCode == 0, install.err.constData());
    const ProgramResult configure = runTool(
        QStringLiteral(CMAKE_PROGRAM),
        {"-S", m_folder.filePath(QStringLiteral("project")), "-B", m_folder.filePath(QStringLiteral("project/build")),
         "-G", "Ninja", QStringLiteral("-DCMAKE_PREFIX_PATH=") + m_folder.filePath(QStringLiteral("installed")),
         QStringLiteral("-DCMAKE_CXX_COMPILER=" CXX_COMPILER), QStringLiteral("-DCMAKE_CXX_FLAGS=" CXX_FLAGS)});
    QVERIFY2(configure.exitCode == 0, configure.err.constData());
    const ProgramResult build =
        runTool(QStringLiteral(CMAKE_PROGRAM), {"--build", m_folder.filePath(QStringLiteral("project/build"))});
    QVERIFY2(build.exitCode == 0, (build.out + build.err).constData());
    QVERIFY(QFile::exists(library()));
}

void tst_Plugin::readmeCounterRunsAsAPlugin()
{
    HostProcess host({"--data", m_folder.filePath(QStringLiteral("data")), "--plugin", library()});
    QVERIFY2(host.isReady(), host.errorText().constData());
    HttpConnection http(host.port());

    // The README's own curl line.
    const HttpAnswer answer = http.request("POST", actionPath("counter", "a", "increment"), R"({"args":[1,"me"]})");
    const HttpAnswer value = http.request("POST", actionPath("counter", "a", "value"), R"({"args":[]})");
    const HttpAnswer wrong = http.request("POST", actionPath("counter", "a", "increment"), R"({"args":["x","me"]})");

    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.body, QByteArray(R"({"output":1})"));
    QCOMPARE(value.body, QByteArray(R"({"output":1})"));
    QCOMPARE(wrong.status, 400);
    QCOMPARE(host.stopCleanly(), 0);
}

void tst_Plugin::pluginOfAnotherVersionIsRefusedNamingBoth_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QByteArray>("other");
    QTest::newRow("compiler") << QByteArray("compiler=") << QByteArray("other 99");
    QTest::newRow("qt") << QByteArray("qt=") << QByteArray("5.1");
    QTest::newRow("terrarium") << QByteArray("terrarium=") << QByteArray("9.9.9");
}

void tst_Plugin::pluginOfAnotherVersionIsRefusedNamingBoth()
{
    QFETCH(const QByteArray, field);
    QFETCH(const QByteArray, other);
    QFile original(library());
    QVERIFY(original.open(QIODevice::ReadOnly));
    QByteArray bytes = original.readAll();
    const qsizetype info = bytes.indexOf("\x02"
                                         "terrarium-plugin/1|");
    QVERIFY(info >= 0);
    const qsizetype begin = bytes.indexOf(field, info) + field.size();
    const qsizetype end = bytes.indexOf('|', begin);
    const QByteArray ours = bytes.mid(begin, end - begin);
    const QByteArray theirs = other.leftJustified(ours.size(), ' ', true);
    bytes.replace(begin, ours.size(), theirs);
    const QString patched = m_folder.filePath(QStringLiteral("libother.so"));
    QFile file(patched);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(bytes);
    file.close();

    const ProgramResult result = runTerrarium(
        {"host", "--port", "0", "--data", m_folder.filePath(QStringLiteral("data2")), "--plugin", patched});

    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("mismatch"), result.err.constData());
    QVERIFY2(result.err.contains(ours) && result.err.contains(theirs.trimmed()), result.err.constData());
    QCOMPARE(result.err.count('\n'), 1);
}

void tst_Plugin::fileThatIsNoPluginIsRefused()
{
    const ProgramResult result =
        runTerrarium({"host", "--port", "0", "--data", m_folder.filePath(QStringLiteral("data3")), "--plugin",
                      QStringLiteral(SOURCE_FOLDER "/README.md")});

    QCOMPARE(result.exitCode, 1);
    QVERIFY2(result.err.contains("not_a_plugin") && result.err.contains("README.md"), result.err.constData());
}

QTEST_GUILESS_MAIN(tst_Plugin)
#include "tst_plugin.moc"
