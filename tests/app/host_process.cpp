#include "host_process.h"

#include <QJsonDocument>

#include <csignal>

namespace {
constexpr int patienceMs = 60'000;
}

HostProcess::HostProcess(const QStringList &arguments)
{
    m_process.setProgram(QStringLiteral(TERRARIUM_PROGRAM));
    m_process.setArguments(QStringList{QStringLiteral("host"), QStringLiteral("--port"), QStringLiteral("0")}
                           + arguments);
    m_process.start();
    while (m_process.state() != QProcess::NotRunning) {
        if (m_process.canReadLine()) {
            m_ready = QJsonDocument::fromJson(m_process.readLine()).object();
            m_port = quint16(m_ready.value(QStringLiteral("port")).toInt());
            if (m_port)
                return;
            continue;
        }
        if (!m_process.waitForReadyRead(patienceMs))
            break;
    }
    m_process.waitForFinished(patienceMs);
    m_error = m_process.readAllStandardError();
}

HostProcess::~HostProcess()
{
    killNow();
}

void HostProcess::killNow()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    ::kill(pid_t(m_process.processId()), SIGKILL);
    m_process.waitForFinished(patienceMs);
}

int HostProcess::stopCleanly()
{
    m_process.terminate();
    if (!m_process.waitForFinished(patienceMs) || m_process.exitStatus() != QProcess::NormalExit)
        return -1;
    m_error = m_process.readAllStandardError();
    return m_process.exitCode();
}

HttpConnection::HttpConnection(quint16 port) : m_port(port)
{
    m_socket.connectToHost(QStringLiteral("127.0.0.1"), port);
    m_socket.waitForConnected(patienceMs);
}

bool HttpConnection::send(const QByteArray &method, const QByteArray &path, const QByteArray &body)
{
    m_socket.write(method + ' ' + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(m_port)
                   + "\r\nContent-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size())
                   + "\r\n\r\n" + body);
    return m_socket.flush() || m_socket.waitForBytesWritten(patienceMs);
}

HttpAnswer HttpConnection::receive()
{
    while (true) {
        const qsizetype head = m_in.indexOf("\r\n\r\n");
        if (head >= 0) {
            qsizetype length = 0;
            const QByteArray lower = m_in.left(head).toLower();
            const qsizetype field = lower.indexOf("\r\ncontent-length:");
            if (field >= 0)
                length = lower.mid(field + 17, lower.indexOf("\r\n", field + 2) - field - 17).trimmed().toLongLong();
            if (m_in.size() >= head + 4 + length) {
                HttpAnswer answer;
                answer.status = m_in.mid(9, 3).toInt();
                answer.body = m_in.mid(head + 4, length);
                m_in.remove(0, head + 4 + length);
                return answer;
            }
        }
        if (!m_socket.waitForReadyRead(patienceMs) && m_socket.bytesAvailable() == 0)
            return {};
        m_in += m_socket.readAll();
    }
}

HttpAnswer HttpConnection::request(const QByteArray &method, const QByteArray &path, const QByteArray &body)
{
    if (!send(method, path, body))
        return {};
    return receive();
}

QByteArray actionPath(const QByteArray &type, const QByteArray &key, const QByteArray &action)
{
    return "/gateway/" + type + "/action/" + action
           + "?rvt-namespace=default&rvt-method=getOrCreate&rvt-runner=default&rvt-key=" + key;
}

ProgramResult runTerrarium(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(TERRARIUM_PROGRAM), arguments);
    process.closeWriteChannel();
    ProgramResult result;
    if (!process.waitForFinished(patienceMs)) {
        process.kill();
        process.waitForFinished(patienceMs);
        return result;
    }
    result.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
}
