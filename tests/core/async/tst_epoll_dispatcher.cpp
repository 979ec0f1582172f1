// Qt's sockets, timers and event loops on the host thread's own dispatcher.

#include "async/epoll_dispatcher.h"

#include <QElapsedTimer>
#include <QSocketNotifier>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>
#include <QWebSocket>
#include <QWebSocketServer>
#include <QtTest>

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace terrarium;

class tst_EpollDispatcher : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void tcpCarriesTenMegabytesBothWays();
    void hundredSocketsTalk();
    void descriptorNumberCanBeReused();
    void notifierSwitchedOffIsSilent();
    void refusedConnectionIsReported();
    void webSocketEchoes();
    void timersFireInOrder();
    void zeroTimerDoesNotStarveSockets();
    void timerMayDeleteItselfAndOthers();
    void repeatingTimerIsNotEnteredTwice();
    void nestedLoopServesEvents();
    void quitFromAnotherThreadIsNotLost();
    void postedEventsFromManyThreadsArrive();
    void deferredDeleteHappens();
    void awakeAndAboutToBlockFrameEachPass();
    void idleSocketsAreNeverActivated();
};

namespace {

class DispatchedThread final : public QThread {
public:
    explicit DispatchedThread(std::function<void(QEventLoop &)> body) : m_body(std::move(body))
    {
        setEventDispatcher(makeHostDispatcher().release());
    }

protected:
    void run() override
    {
        QEventLoop loop;
        m_body(loop);
        loop.exec();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private:
    std::function<void(QEventLoop &)> m_body;
};

bool runOnDispatcher(const std::function<void(QEventLoop &)> &body, int timeoutMs = 60'000)
{
    DispatchedThread thread(body);
    thread.start();
    if (thread.wait(timeoutMs))
        return true;
    thread.quit();
    thread.wait();
    return false;
}

} // namespace

void tst_EpollDispatcher::initTestCase()
{
    if (!makeHostDispatcher())
        QSKIP("no dispatcher of our own on this system");
}

void tst_EpollDispatcher::tcpCarriesTenMegabytesBothWays()
{
    constexpr qint64 size = 10'000'000;
    qint64 echoed = 0;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        auto *server = new QTcpServer(&loop);
        QObject::connect(server, &QTcpServer::newConnection, server, [server] {
            QTcpSocket *socket = server->nextPendingConnection();
            QObject::connect(socket, &QTcpSocket::readyRead, socket, [socket] { socket->write(socket->readAll()); });
        });
        QVERIFY(server->listen(QHostAddress::LocalHost));
        auto *client = new QTcpSocket(&loop);
        QObject::connect(client, &QTcpSocket::connected, client, [client] { client->write(QByteArray(size, 'x')); });
        QObject::connect(client, &QTcpSocket::readyRead, client, [&, client] {
            echoed += client->readAll().size();
            if (echoed >= size)
                loop.quit();
        });
        client->connectToHost(QHostAddress::LocalHost, server->serverPort());
    });

    QVERIFY(ended);
    QCOMPARE(echoed, size);
}

void tst_EpollDispatcher::hundredSocketsTalk()
{
    constexpr int count = 100;
    constexpr int rounds = 20;
    int finished = 0;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        auto *server = new QTcpServer(&loop);
        QObject::connect(server, &QTcpServer::newConnection, server, [server] {
            while (QTcpSocket *socket = server->nextPendingConnection())
                QObject::connect(socket, &QTcpSocket::readyRead, socket,
                                 [socket] { socket->write(socket->readAll()); });
        });
        server->setMaxPendingConnections(count);
        QVERIFY(server->listen(QHostAddress::LocalHost));
        for (int i = 0; i < count; ++i) {
            auto *client = new QTcpSocket(&loop);
            QObject::connect(client, &QTcpSocket::connected, client, [client] { client->write("a"); });
            QObject::connect(client, &QTcpSocket::readyRead, client, [&, client, n = 0]() mutable {
                client->readAll();
                if (++n < rounds)
                    client->write("a");
                else if (++finished == count)
                    loop.quit();
            });
            client->connectToHost(QHostAddress::LocalHost, server->serverPort());
        }
    });

    QVERIFY(ended);
    QCOMPARE(finished, count);
}

void tst_EpollDispatcher::descriptorNumberCanBeReused()
{
    int received = 0;
    bool sameNumber = false;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        int first[2];
        QVERIFY(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, first) == 0);
        auto *old = new QSocketNotifier(first[0], QSocketNotifier::Read, &loop);
        QObject::connect(old, &QSocketNotifier::activated, &loop, [&received] { received += 100; });
        delete old;
        ::close(first[0]);
        ::close(first[1]);
        int second[2];
        QVERIFY(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, second) == 0);
        sameNumber = second[0] == first[0];
        auto *fresh = new QSocketNotifier(second[0], QSocketNotifier::Read, &loop);
        QObject::connect(fresh, &QSocketNotifier::activated, &loop, [&received, &loop, fd = second[0]] {
            char buffer[8];
            received += int(::read(fd, buffer, sizeof buffer));
            ::close(fd);
            loop.quit();
        });
        QCOMPARE(int(::write(second[1], "abc", 3)), 3);
    });

    QVERIFY(ended);
    QVERIFY(sameNumber);
    QCOMPARE(received, 3);
}

void tst_EpollDispatcher::notifierSwitchedOffIsSilent()
{
    int activations = 0;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        int pair[2];
        QVERIFY(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
        QCOMPARE(int(::write(pair[1], "a", 1)), 1);
        auto *read = new QSocketNotifier(pair[0], QSocketNotifier::Read, &loop);
        auto *write = new QSocketNotifier(pair[0], QSocketNotifier::Write, &loop);
        QObject::connect(read, &QSocketNotifier::activated, &loop, [&] { ++activations; });
        read->setEnabled(false);
        // Only the write side stays on; it comes several times while there is something to read.
        QObject::connect(write, &QSocketNotifier::activated, &loop, [&loop, n = 0]() mutable {
            if (++n == 5)
                loop.quit();
        });
    });

    QVERIFY(ended);
    QCOMPARE(activations, 0);
}

void tst_EpollDispatcher::refusedConnectionIsReported()
{
    QAbstractSocket::SocketError error = QAbstractSocket::UnknownSocketError;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        QTcpServer probe;
        QVERIFY(probe.listen(QHostAddress::LocalHost));
        const quint16 port = probe.serverPort();
        probe.close();
        auto *client = new QTcpSocket(&loop);
        QObject::connect(client, &QAbstractSocket::errorOccurred, &loop, [&](QAbstractSocket::SocketError e) {
            error = e;
            loop.quit();
        });
        client->connectToHost(QHostAddress::LocalHost, port);
    });

    QVERIFY(ended);
    QCOMPARE(error, QAbstractSocket::ConnectionRefusedError);
}

void tst_EpollDispatcher::webSocketEchoes()
{
    QStringList received;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        auto *server = new QWebSocketServer(QStringLiteral("test"), QWebSocketServer::NonSecureMode, &loop);
        QObject::connect(server, &QWebSocketServer::newConnection, server, [server] {
            QWebSocket *socket = server->nextPendingConnection();
            QObject::connect(socket, &QWebSocket::textMessageReceived, socket,
                             [socket](const QString &text) { socket->sendTextMessage(text + QStringLiteral("!")); });
        });
        QVERIFY(server->listen(QHostAddress::LocalHost));
        auto *client = new QWebSocket(QString(), QWebSocketProtocol::VersionLatest, &loop);
        QObject::connect(client, &QWebSocket::connected, client, [client] {
            client->sendTextMessage(QStringLiteral("one"));
            client->sendTextMessage(QString(100'000, QLatin1Char('x')));
        });
        QObject::connect(client, &QWebSocket::textMessageReceived, client, [&](const QString &text) {
            received << text;
            if (received.size() == 2)
                loop.quit();
        });
        client->open(server->serverUrl());
    });

    QVERIFY(ended);
    QCOMPARE(received.value(0), QStringLiteral("one!"));
    QCOMPARE(received.value(1).size(), 100'001);
}

void tst_EpollDispatcher::timersFireInOrder()
{
    QList<int> order;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        for (const int ms : {30, 10, 20, 0}) {
            QTimer::singleShot(ms, Qt::PreciseTimer, &loop, [&, ms] {
                order << ms;
                if (ms == 30)
                    loop.quit();
            });
        }
    });

    QVERIFY(ended);
    QCOMPARE(order, (QList<int>{0, 10, 20, 30}));
}

void tst_EpollDispatcher::zeroTimerDoesNotStarveSockets()
{
    int spins = 0;
    int received = 0;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        int pair[2];
        QVERIFY(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
        auto *read = new QSocketNotifier(pair[0], QSocketNotifier::Read, &loop);
        QObject::connect(read, &QSocketNotifier::activated, &loop, [&, fd = pair[0]] {
            char buffer[8];
            received += int(::read(fd, buffer, sizeof buffer));
            if (received == 3)
                loop.quit();
        });
        auto *timer = new QTimer(&loop);
        QObject::connect(timer, &QTimer::timeout, &loop, [&, fd = pair[1]] {
            if (++spins % 10 == 0)
                QCOMPARE(int(::write(fd, "x", 1)), 1);
        });
        timer->start(0);
    });

    QVERIFY(ended);
    QCOMPARE(received, 3);
    QVERIFY(spins >= 30);
}

void tst_EpollDispatcher::timerMayDeleteItselfAndOthers()
{
    int fired = 0;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        auto *a = new QTimer(&loop);
        auto *b = new QTimer(&loop);
        QObject::connect(a, &QTimer::timeout, &loop, [&fired, &loop, a, b] {
            ++fired;
            delete b;
            delete a;
            QTimer::singleShot(5, &loop, &QEventLoop::quit);
        });
        QObject::connect(b, &QTimer::timeout, &loop, [&] { fired += 100; });
        a->start(1);
        b->start(1);
    });

    QVERIFY(ended);
    QCOMPARE(fired, 1);
}

void tst_EpollDispatcher::repeatingTimerIsNotEnteredTwice()
{
    int depth = 0;
    int deepest = 0;
    int count = 0;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        auto *timer = new QTimer(&loop);
        QObject::connect(timer, &QTimer::timeout, &loop, [&] {
            deepest = std::max(deepest, ++depth);
            QEventLoop inner;
            QTimer::singleShot(3, &inner, &QEventLoop::quit);
            inner.exec();
            --depth;
            if (++count == 3)
                loop.quit();
        });
        timer->start(1);
    });

    QVERIFY(ended);
    QCOMPARE(deepest, 1);
    QCOMPARE(count, 3);
}

void tst_EpollDispatcher::nestedLoopServesEvents()
{
    QStringList log;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        QTimer::singleShot(0, &loop, [&] {
            QEventLoop inner;
            QMetaObject::invokeMethod(
                &inner,
                [&] {
                    log << "posted";
                    inner.quit();
                },
                Qt::QueuedConnection);
            inner.exec();
            log << "outer";
            loop.quit();
        });
    });

    QVERIFY(ended);
    QCOMPARE(log, (QStringList{"posted", "outer"}));
}

void tst_EpollDispatcher::quitFromAnotherThreadIsNotLost()
{
    // quit() races with the loop's way into its first wait.
    for (int i = 0; i < 200; ++i) {
        QThread thread;
        thread.setEventDispatcher(makeHostDispatcher().release());
        thread.start();
        for (int spin = 0; spin < i * 50; ++spin)
            std::atomic_signal_fence(std::memory_order_seq_cst);
        thread.quit();
        QVERIFY2(thread.wait(20'000), qPrintable(QStringLiteral("round %1 hangs").arg(i)));
    }
}

void tst_EpollDispatcher::postedEventsFromManyThreadsArrive()
{
    constexpr int perThread = 5000;
    std::atomic<int> arrived = 0;
    QList<QThread *> senders;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        for (int t = 0; t < 3; ++t) {
            senders << QThread::create([&] {
                for (int i = 0; i < perThread; ++i) {
                    QMetaObject::invokeMethod(
                        &loop,
                        [&] {
                            if (++arrived == 3 * perThread)
                                loop.quit();
                        },
                        Qt::QueuedConnection);
                }
            });
            senders.last()->start();
        }
    });
    for (QThread *sender : std::as_const(senders))
        sender->wait();
    qDeleteAll(senders);

    QVERIFY(ended);
    QCOMPARE(arrived.load(), 3 * perThread);
}

void tst_EpollDispatcher::deferredDeleteHappens()
{
    bool deleted = false;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        QTimer::singleShot(0, &loop, [&] {
            auto *object = new QObject;
            QObject::connect(
                object, &QObject::destroyed, &loop,
                [&] {
                    deleted = true;
                    loop.quit();
                },
                Qt::DirectConnection);
            object->deleteLater();
        });
    });

    QVERIFY(ended);
    QVERIFY(deleted);
}

void tst_EpollDispatcher::awakeAndAboutToBlockFrameEachPass()
{
    QStringList log;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        QAbstractEventDispatcher *dispatcher = QAbstractEventDispatcher::instance();
        QObject::connect(dispatcher, &QAbstractEventDispatcher::awake, &loop, [&] { log << "awake"; });
        QObject::connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, &loop, [&] { log << "block"; });
        QTimer::singleShot(5, &loop, [&] {
            log << "timer";
            QMetaObject::invokeMethod(
                &loop,
                [&] {
                    log << "posted";
                    QTimer::singleShot(5, &loop, &QEventLoop::quit);
                },
                Qt::QueuedConnection);
        });
    });

    QVERIFY(ended);
    const qsizetype timer = log.indexOf("timer");
    QVERIFY(timer > 0);
    QCOMPARE(log.at(timer - 1), QStringLiteral("block")); // announced before waiting
    QCOMPARE(log.mid(timer, 4), (QStringList{"timer", "awake", "posted", "block"}));
}

void tst_EpollDispatcher::idleSocketsAreNeverActivated()
{
    constexpr int idle = 300;
    int idleActivations = 0;
    int passes = 0;
    const bool ended = runOnDispatcher([&](QEventLoop &loop) {
        for (int i = 0; i < idle; ++i) {
            int pair[2];
            QVERIFY(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
            auto *notifier = new QSocketNotifier(pair[0], QSocketNotifier::Read, &loop);
            QObject::connect(notifier, &QSocketNotifier::activated, &loop, [&] { ++idleActivations; });
            QObject::connect(&loop, &QObject::destroyed, [a = pair[0], b = pair[1]] {
                ::close(a);
                ::close(b);
            });
        }
        int active[2];
        QVERIFY(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, active) == 0);
        auto *notifier = new QSocketNotifier(active[0], QSocketNotifier::Read, &loop);
        QObject::connect(notifier, &QSocketNotifier::activated, &loop, [&, in = active[0], out = active[1]] {
            char buffer[8];
            QCOMPARE(int(::read(in, buffer, sizeof buffer)), 1);
            if (++passes == 2000)
                loop.quit();
            else
                QCOMPARE(int(::write(out, "x", 1)), 1);
        });
        QCOMPARE(int(::write(active[1], "x", 1)), 1);
    });

    QVERIFY(ended);
    QCOMPARE(passes, 2000);
    QCOMPARE(idleActivations, 0);
}

QTEST_GUILESS_MAIN(tst_EpollDispatcher)
#include "tst_epoll_dispatcher.moc"
