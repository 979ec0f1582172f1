// A window that hangs must not cost the host anything, and must not lie afterwards: bounded memory in the host,
// one gap, a fresh state, and Live only when it is.

#include "host_process.h"

#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

class tst_StalledWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyChangeArrivesInOrderWithItsCause();
    void stoppedWindowCostsNothingAndShowsOneGap();

private:
    /// Reads the watcher's lines until one satisfies `wanted`; the last line read.
    QJsonObject readUntil(QProcess &watcher, const std::function<bool(const QJsonObject &)> &wanted,
                          int mostLines = 1200);
    void increment(HttpConnection &http, int times);
    static qint64 residentKib(qint64 pid);
    std::unique_ptr<QProcess> watch(const HostProcess &host, const QString &dataDir);
};

QJsonObject tst_StalledWindow::readUntil(QProcess &watcher, const std::function<bool(const QJsonObject &)> &wanted,
                                         int mostLines)
{
    QJsonObject line;
    for (int i = 0; i < mostLines; ++i) {
        while (!watcher.canReadLine()) {
            if (!watcher.waitForReadyRead(30'000))
                return line;
        }
        line = QJsonDocument::fromJson(watcher.readLine()).object();
        if (wanted(line))
            return line;
    }
    return line;
}

void tst_StalledWindow::increment(HttpConnection &http, int times)
{
    const QByteArray path = actionPath("counter", "w", "increment");
    for (int i = 0; i < times; ++i)
        QCOMPARE(http.request("POST", path, R"({"args":[1,"test"]})").status, 200);
}

qint64 tst_StalledWindow::residentKib(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/status").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    const QByteArray text = file.readAll();
    const qsizetype at = text.indexOf("VmRSS:");
    return text.mid(at + 6, text.indexOf("kB", at) - at - 6).trimmed().toLongLong();
}

std::unique_ptr<QProcess> tst_StalledWindow::watch(const HostProcess &host, const QString &)
{
    auto watcher = std::make_unique<QProcess>();
    watcher->start(QStringLiteral(WATCHER_PROGRAM), {QStringLiteral("ws://127.0.0.1:%1").arg(host.port()),
                                                     host.readyLine().value("inspectorToken").toString(),
                                                     QStringLiteral("counter"), QStringLiteral("w")});
    return watcher;
}

void tst_StalledWindow::everyChangeArrivesInOrderWithItsCause()
{
    const QTemporaryDir folder;
    HostProcess host({"--data", folder.filePath("data")});
    QVERIFY2(host.isReady(), host.errorText().constData());
    HttpConnection http(host.port());
    increment(http, 1);
    const auto watcher = watch(host, folder.filePath("data"));
    QVERIFY(readUntil(*watcher, [](const QJsonObject &line) { return line["current"].toBool(); })["current"].toBool());

    increment(http, 1000);
    const QJsonObject last = readUntil(
        *watcher, [](const QJsonObject &line) { return line["count"].toInt() == 1001 && line["current"].toBool(); });

    QCOMPARE(last["count"].toInt(), 1001);
    QCOMPARE(last["gaps"].toInt(), 0);
    QCOMPARE(last["outOfOrder"].toInt(), 0);
    QCOMPARE(last["withoutCause"].toInt(), 0);
    watcher->kill();
    watcher->waitForFinished();
}

void tst_StalledWindow::stoppedWindowCostsNothingAndShowsOneGap()
{
    const QTemporaryDir folder;
    HostProcess host({"--data", folder.filePath("data")});
    QVERIFY2(host.isReady(), host.errorText().constData());
    HttpConnection http(host.port());
    increment(http, 100);
    const auto watcher = watch(host, folder.filePath("data"));
    QVERIFY(readUntil(*watcher, [](const QJsonObject &line) { return line["current"].toBool(); })["current"].toBool());
    increment(http, 500); // whatever watching costs, it costs now
    const qint64 before = residentKib(host.pid());

    ::kill(pid_t(watcher->processId()), SIGSTOP);
    increment(http, 20'000); // ten seconds at 2,000 a second
    const qint64 during = residentKib(host.pid());
    ::kill(pid_t(watcher->processId()), SIGCONT);
    const QJsonObject last = readUntil(
        *watcher, [](const QJsonObject &line) { return line["count"].toInt() == 20'600 && line["current"].toBool(); });

    QVERIFY2(during - before < 16 * 1024, qPrintable(QStringLiteral("the host grew by %1 KiB").arg(during - before)));
    QCOMPARE(last["count"].toInt(), 20'600);
    QCOMPARE(last["link"].toString(), QStringLiteral("live"));
    QCOMPARE(last["gaps"].toInt(), 1);
    QVERIFY2(last["lost"].toInt() > 0, "the gap does not say how much is missing");
    QCOMPARE(last["outOfOrder"].toInt(), 0);
    watcher->kill();
    watcher->waitForFinished();
}

QTEST_GUILESS_MAIN(tst_StalledWindow)
#include "tst_stalled_window.moc"
