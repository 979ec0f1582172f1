#include "load_client.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace bench {

namespace {

double monotonicSeconds()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

struct Connection {
    int fd = -1;
    std::string in;
    std::string out;
    size_t written = 0;
    double sentAt = 0;
    long requests = 0;
    bool upgraded = false;
    bool idle = false;
    int greetings = 0;
    bool ready = false;
};

class Runner {
public:
    explicit Runner(const Load &load) : m_load(load) {}

    Figures run()
    {
        m_epoll = epoll_create1(0);
        m_connections.resize(size_t(m_load.connections + m_load.idleConnections));
        for (size_t i = 0; i < m_connections.size(); ++i) {
            m_connections[i].idle = int(i) >= m_load.connections;
            if (!dial(int(i)))
                return m_figures;
        }
        if (m_load.webSocket) {
            for (size_t i = 0; i < m_connections.size(); ++i)
                sendUpgrade(int(i));
            const double limit = monotonicSeconds() + 60;
            while (m_ready < m_connections.size() && monotonicSeconds() < limit && m_figures.errors == 0)
                poll(20);
            if (m_ready < m_connections.size()) {
                fail("only " + std::to_string(m_ready) + " sockets became ready");
                return finish(0);
            }
        }
        const double begin = monotonicSeconds();
        m_measureFrom = begin + (m_load.requests > 0 ? 0 : m_load.warmUpSeconds);
        const double end = m_load.requests > 0 ? begin + 300 : m_measureFrom + m_load.seconds;
        for (int i = 0; i < m_load.connections; ++i) {
            if (m_load.requests == 0 || m_issued < m_load.requests)
                sendRequest(i);
        }
        while (monotonicSeconds() < end && m_figures.errors < 1000) {
            poll(20);
            if (m_load.requests > 0 && m_figures.done + m_figures.errors >= m_load.requests)
                break;
            if (m_open == 0)
                break; // the server is gone
        }
        return finish(monotonicSeconds() - m_measureFrom);
    }

private:
    void fail(const std::string &text)
    {
        ++m_figures.errors;
        if (m_figures.firstError.empty())
            m_figures.firstError = text.substr(0, 300);
    }

    Figures finish(double seconds)
    {
        for (Connection &connection : m_connections) {
            if (connection.fd >= 0)
                close(connection.fd);
        }
        close(m_epoll);
        m_figures.seconds = seconds;
        std::sort(m_latencies.begin(), m_latencies.end());
        const auto quantile = [this](double share) {
            if (m_latencies.empty())
                return 0.0;
            const size_t place = std::min(m_latencies.size() - 1, size_t(share * double(m_latencies.size())));
            return double(m_latencies[place]);
        };
        m_figures.p50Us = quantile(0.5);
        m_figures.p99Us = quantile(0.99);
        m_figures.maxUs = quantile(1);
        return m_figures;
    }

    bool dial(int index)
    {
        Connection &connection = m_connections[size_t(index)];
        connection.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(uint16_t(m_load.port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(connection.fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
            fail(std::string("connect: ") + std::strerror(errno));
            return false;
        }
        const int on = 1;
        setsockopt(connection.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        fcntl(connection.fd, F_SETFL, O_NONBLOCK);
        watch(index, false, EPOLL_CTL_ADD);
        ++m_open;
        return true;
    }

    void watch(int index, bool writable, int how)
    {
        epoll_event event{};
        event.events = EPOLLIN | (writable ? EPOLLOUT : 0u);
        event.data.u32 = uint32_t(index);
        epoll_ctl(m_epoll, how, m_connections[size_t(index)].fd, &event);
    }

    void flush(int index)
    {
        Connection &connection = m_connections[size_t(index)];
        while (connection.written < connection.out.size()) {
            const ssize_t count = write(connection.fd, connection.out.data() + connection.written,
                                        connection.out.size() - connection.written);
            if (count < 0) {
                if (errno == EAGAIN)
                    watch(index, true, EPOLL_CTL_MOD);
                return;
            }
            connection.written += size_t(count);
        }
        connection.out.clear();
        connection.written = 0;
    }

    std::string hostHeader() const { return "Host: 127.0.0.1:" + std::to_string(m_load.port) + "\r\n"; }

    void sendUpgrade(int index)
    {
        std::string head = "GET " + m_load.path(index, 0) + " HTTP/1.1\r\n" + hostHeader()
                           + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        if (!m_load.subprotocols.empty())
            head += "Sec-WebSocket-Protocol: " + m_load.subprotocols + "\r\n";
        m_connections[size_t(index)].out += head + "\r\n";
        flush(index);
    }

    void sendRequest(int index)
    {
        Connection &connection = m_connections[size_t(index)];
        const long request = connection.requests++;
        ++m_issued;
        const std::string message = m_load.message(index, request);
        if (m_load.webSocket) {
            appendFrame(connection, message);
        } else {
            connection.out += "POST " + m_load.path(index, request) + " HTTP/1.1\r\n" + hostHeader()
                              + "Content-Type: application/json\r\nContent-Length: " + std::to_string(message.size())
                              + "\r\n\r\n" + message;
        }
        connection.sentAt = monotonicSeconds();
        flush(index);
    }

    /// A text frame masked with zeros: legal, and cheap for the client.
    static void appendFrame(Connection &connection, const std::string &payload)
    {
        std::string head;
        head += char(0x81);
        if (payload.size() < 126) {
            head += char(0x80 | payload.size());
        } else {
            head += char(0x80 | 126);
            head += char(payload.size() >> 8);
            head += char(payload.size() & 0xff);
        }
        head.append(4, '\0');
        connection.out += head + payload;
    }

    void answered(int index)
    {
        Connection &connection = m_connections[size_t(index)];
        const double now = monotonicSeconds();
        if (now >= m_measureFrom) {
            m_latencies.push_back(float((now - connection.sentAt) * 1e6));
            ++m_figures.done;
        }
        if (m_load.requests == 0 || m_issued < m_load.requests)
            sendRequest(index);
    }

    void onFrame(int index, const std::string &payload)
    {
        Connection &connection = m_connections[size_t(index)];
        if (!connection.ready) {
            if (++connection.greetings >= m_load.greetings)
                becomeReady(connection);
            return;
        }
        if (connection.idle || payload.find(m_load.answer) == std::string::npos) {
            if (payload.find("\"Error\"") != std::string::npos)
                fail(payload);
            return;
        }
        answered(index);
    }

    void becomeReady(Connection &connection)
    {
        connection.ready = true;
        ++m_ready;
    }

    void readFrames(int index)
    {
        Connection &connection = m_connections[size_t(index)];
        size_t at = 0;
        std::vector<std::string> frames;
        while (connection.in.size() - at >= 2) {
            const auto *bytes = reinterpret_cast<const unsigned char *>(connection.in.data()) + at;
            uint64_t length = bytes[1] & 127;
            size_t head = 2;
            if (length == 126) {
                if (connection.in.size() - at < 4)
                    break;
                length = uint64_t(bytes[2]) << 8 | bytes[3];
                head = 4;
            } else if (length == 127) {
                if (connection.in.size() - at < 10)
                    break;
                length = 0;
                for (int i = 0; i < 8; ++i)
                    length = length << 8 | bytes[2 + i];
                head = 10;
            }
            if (connection.in.size() - at < head + length)
                break;
            const int opcode = bytes[0] & 15;
            if (opcode == 8)
                fail("closed: " + connection.in.substr(at + head, length));
            else if (opcode <= 2)
                frames.push_back(connection.in.substr(at + head, length));
            at += head + length;
        }
        connection.in.erase(0, at);
        for (const std::string &frame : frames)
            onFrame(index, frame);
    }

    void onReadable(int index)
    {
        Connection &connection = m_connections[size_t(index)];
        static char buffer[1 << 18];
        bool ended = false;
        while (true) {
            const ssize_t count = read(connection.fd, buffer, sizeof buffer);
            if (count > 0) {
                connection.in.append(buffer, size_t(count));
                if (count < ssize_t(sizeof buffer))
                    break;
            } else {
                ended = count == 0 || errno != EAGAIN;
                break;
            }
        }
        if (m_load.webSocket)
            onSocketBytes(index);
        else
            onHttpBytes(index);
        if (ended && connection.fd >= 0) {
            fail("the server closed the connection");
            epoll_ctl(m_epoll, EPOLL_CTL_DEL, connection.fd, nullptr);
            close(connection.fd);
            connection.fd = -1;
            --m_open;
        }
    }

    void onSocketBytes(int index)
    {
        Connection &connection = m_connections[size_t(index)];
        if (!connection.upgraded) {
            const size_t head = connection.in.find("\r\n\r\n");
            if (head == std::string::npos)
                return;
            if (connection.in.compare(0, 12, "HTTP/1.1 101") != 0) {
                fail(connection.in.substr(0, 200));
                return;
            }
            connection.in.erase(0, head + 4);
            connection.upgraded = true;
            if (m_load.greetings == 0)
                becomeReady(connection);
        }
        readFrames(index);
    }

    void onHttpBytes(int index)
    {
        Connection &connection = m_connections[size_t(index)];
        while (true) {
            const size_t head = connection.in.find("\r\n\r\n");
            if (head == std::string::npos)
                return;
            size_t length = 0;
            const char *field = strcasestr(connection.in.c_str(), "\r\ncontent-length:");
            if (field && field < connection.in.c_str() + head)
                length = size_t(std::atol(field + 17));
            if (connection.in.size() < head + 4 + length)
                return;
            const bool ok =
                connection.in.compare(9, 3, "200") == 0 && connection.in.find(m_load.answer, head) != std::string::npos;
            if (!ok)
                fail(connection.in.substr(0, 300));
            connection.in.erase(0, head + 4 + length);
            if (ok)
                answered(index);
        }
    }

    void poll(int milliseconds)
    {
        epoll_event events[256];
        const int count = epoll_wait(m_epoll, events, 256, milliseconds);
        for (int i = 0; i < count; ++i) {
            const int index = int(events[i].data.u32);
            if (m_connections[size_t(index)].fd < 0)
                continue;
            if (events[i].events & EPOLLOUT) {
                watch(index, false, EPOLL_CTL_MOD);
                flush(index);
            }
            if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
                onReadable(index);
        }
    }

    const Load &m_load;
    Figures m_figures;
    std::vector<Connection> m_connections;
    std::vector<float> m_latencies;
    int m_epoll = -1;
    size_t m_ready = 0;
    int m_open = 0; ///< connections that still exist
    long m_issued = 0;
    double m_measureFrom = 0;
};

} // namespace

Figures run(const Load &load)
{
    return Runner(load).run();
}

double cpuSeconds(long pid)
{
    const std::string folder = "/proc/" + std::to_string(pid) + "/task";
    DIR *dir = opendir(folder.c_str());
    if (!dir)
        return 0;
    double nanoseconds = 0;
    while (const dirent *entry = readdir(dir)) {
        if (entry->d_name[0] == '.')
            continue;
        if (FILE *file = fopen((folder + "/" + entry->d_name + "/schedstat").c_str(), "r")) {
            unsigned long long onCpu = 0;
            if (fscanf(file, "%llu", &onCpu) == 1)
                nanoseconds += double(onCpu);
            fclose(file);
        }
    }
    closedir(dir);
    return nanoseconds * 1e-9;
}

std::int64_t residentBytes(long pid)
{
    std::int64_t pages = 0;
    if (FILE *file = fopen(("/proc/" + std::to_string(pid) + "/statm").c_str(), "r")) {
        long long total = 0;
        long long resident = 0;
        if (fscanf(file, "%lld %lld", &total, &resident) == 2)
            pages = resident;
        fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

} // namespace bench
