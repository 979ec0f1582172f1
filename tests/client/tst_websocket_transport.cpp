#include "wire/websocket_transport.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QWebSocket>
#include <QWebSocketServer>

using namespace terrarium;

class tst_WebSocketTransport : public QObject {
    Q_OBJECT
private:
    static QUrl urlOf(quint16 port) { return QUrl(QStringLiteral("ws://127.0.0.1:%1").arg(port)); }

private Q_SLOTS:
    void framesGoBothWaysAtTheInspectorsDoor()
    {
        QWebSocketServer server(QStringLiteral("test"), QWebSocketServer::NonSecureMode);
        QVERIFY(server.listen(QHostAddress::LocalHost));
        WebSocketTransport transport(urlOf(server.serverPort()));
        QSignalSpy opened(&transport, &Transport::opened);
        QSignalSpy received(&transport, &Transport::received);
        QTRY_COMPARE(opened.size(), 1);
        QTRY_VERIFY(server.hasPendingConnections());
        std::unique_ptr<QWebSocket> peer(server.nextPendingConnection());
        QCOMPARE(peer->requestUrl().path(), QStringLiteral("/inspector"));
        QSignalSpy atPeer(peer.get(), &QWebSocket::binaryMessageReceived);

        transport.send(QByteArray("\x00\xff", 2));
        peer->sendBinaryMessage("answer");

        QTRY_COMPARE(atPeer.size(), 1);
        QCOMPARE(atPeer[0][0].toByteArray(), QByteArray("\x00\xff", 2));
        QTRY_COMPARE(received.size(), 1);
        QCOMPARE(received[0][0].toByteArray(), QByteArray("answer"));
        QVERIFY(transport.isOpen());
    }

    void aCloseCarriesItsCodeAndReason()
    {
        QWebSocketServer server(QStringLiteral("test"), QWebSocketServer::NonSecureMode);
        QVERIFY(server.listen(QHostAddress::LocalHost));
        WebSocketTransport transport(urlOf(server.serverPort()));
        QSignalSpy closed(&transport, &Transport::closed);
        QTRY_VERIFY(server.hasPendingConnections());
        std::unique_ptr<QWebSocket> peer(server.nextPendingConnection());
        QTRY_VERIFY(transport.isOpen());

        peer->close(QWebSocketProtocol::CloseCodePolicyViolated, QStringLiteral("inspector.unauthorized"));

        QTRY_COMPARE(closed.size(), 1);
        QCOMPARE(closed[0][0].value<quint16>(), quint16(1008));
        QCOMPARE(closed[0][1].toString(), QStringLiteral("inspector.unauthorized"));
        QVERIFY(!transport.isOpen());
    }

    void aCutLinkHasNoCode()
    {
        QWebSocketServer server(QStringLiteral("test"), QWebSocketServer::NonSecureMode);
        QVERIFY(server.listen(QHostAddress::LocalHost));
        WebSocketTransport transport(urlOf(server.serverPort()));
        QSignalSpy closed(&transport, &Transport::closed);
        QTRY_VERIFY(server.hasPendingConnections());
        std::unique_ptr<QWebSocket> peer(server.nextPendingConnection());
        QTRY_VERIFY(transport.isOpen());

        peer->abort();

        QTRY_COMPARE(closed.size(), 1);
        QCOMPARE(closed[0][0].value<quint16>(), quint16(0));
    }

    void nothingListens()
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        const quint16 port = server.serverPort();
        server.close();
        WebSocketTransport transport(urlOf(port));
        QSignalSpy closed(&transport, &Transport::closed);

        QTRY_COMPARE(closed.size(), 1);

        QCOMPARE(transport.openFailure(), WebSocketTransport::OpenFailure::NothingListens);
        QCOMPARE(closed[0][0].value<quint16>(), quint16(0));
        QVERIFY(!closed[0][1].toString().isEmpty());
    }

    void anHttpServerIsNotAHost_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("200") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        QTest::newRow("404") << QByteArray("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        QTest::newRow("no http") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n");
        QTest::newRow("closes") << QByteArray();
    }

    void anHttpServerIsNotAHost()
    {
        QFETCH(QByteArray, answer);
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        connect(&server, &QTcpServer::newConnection, &server, [&] {
            QTcpSocket *socket = server.nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, socket, [socket, answer] {
                socket->readAll();
                socket->write(answer);
                socket->disconnectFromHost();
            });
        });
        WebSocketTransport transport(urlOf(server.serverPort()));
        QSignalSpy closed(&transport, &Transport::closed);

        QTRY_COMPARE(closed.size(), 1);

        QCOMPARE(transport.openFailure(), WebSocketTransport::OpenFailure::NotAHost);
    }

    void aNameNobodyKnows()
    {
        WebSocketTransport transport(QUrl(QStringLiteral("ws://no-such-host.invalid:6420")));
        QSignalSpy closed(&transport, &Transport::closed);

        QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, 20000);

        QCOMPARE(transport.openFailure(), WebSocketTransport::OpenFailure::NameNotFound);
    }

    void destroyingItClosesTheOtherEnd()
    {
        QWebSocketServer server(QStringLiteral("test"), QWebSocketServer::NonSecureMode);
        QVERIFY(server.listen(QHostAddress::LocalHost));
        auto transport = std::make_unique<WebSocketTransport>(urlOf(server.serverPort()));
        QTRY_VERIFY(server.hasPendingConnections());
        std::unique_ptr<QWebSocket> peer(server.nextPendingConnection());
        QTRY_VERIFY(transport->isOpen());
        QSignalSpy gone(peer.get(), &QWebSocket::disconnected);

        transport.reset();

        QTRY_COMPARE(gone.size(), 1);
    }
};

QTEST_GUILESS_MAIN(tst_WebSocketTransport)
#include "tst_websocket_transport.moc"
