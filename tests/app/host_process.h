#pragma once
// A real `terrarium host` as a child process, and a small blocking HTTP client for it. Loopback only.

#include <QByteArray>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QTcpSocket>

#include <memory>

class HostProcess final {
public:
    /// Starts `terrarium host --port 0 ...` and waits for its ready line. `isReady()` says whether it came.
    explicit HostProcess(const QStringList &arguments);
    ~HostProcess();

    bool isReady() const { return m_port != 0; }
    quint16 port() const { return m_port; }
    const QJsonObject &readyLine() const { return m_ready; }
    QByteArray errorText() const { return m_error; }
    qint64 pid() const { return m_process.processId(); }

    void killNow();    ///< SIGKILL
    int stopCleanly(); ///< SIGTERM; the exit code, -1 when it crashed or did not end

private:
    QProcess m_process;
    QJsonObject m_ready;
    QByteArray m_error;
    quint16 m_port = 0;
};

struct HttpAnswer {
    int status = 0; ///< 0: the connection broke first
    QByteArray body;
};

/// One keep-alive connection.
class HttpConnection final {
public:
    explicit HttpConnection(quint16 port);

    bool send(const QByteArray &method, const QByteArray &path, const QByteArray &body = {});
    HttpAnswer receive();
    HttpAnswer request(const QByteArray &method, const QByteArray &path, const QByteArray &body = {});

private:
    quint16 m_port;
    QTcpSocket m_socket;
    QByteArray m_in;
};

/// "/gateway/TYPE/action/ACTION?..." of a key, created by the call.
QByteArray actionPath(const QByteArray &type, const QByteArray &key, const QByteArray &action);

/// Runs the program to its end.
struct ProgramResult {
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};
ProgramResult runTerrarium(const QStringList &arguments);
