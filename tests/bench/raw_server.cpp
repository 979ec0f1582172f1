// The limit that every figure is compared with: a one-thread epoll server that does nothing.
//
// HTTP: any request is answered with a short JSON body. WebSocket: every message comes back as it is.
// Prints its port, then serves until it is killed.

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <unordered_map>

namespace {

struct RawConnection {
    bool isSocket = false;
    std::string in;
    std::string out;
};

void appendFrame(std::string &out, const char *payload, size_t length)
{
    out += char(0x81);
    if (length < 126) {
        out += char(length);
    } else {
        out += char(126);
        out += char(length >> 8);
        out += char(length & 0xff);
    }
    out.append(payload, length);
}

void serveHttp(RawConnection &connection)
{
    static const std::string answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"output\":1}";
    while (true) {
        const size_t head = connection.in.find("\r\n\r\n");
        if (head == std::string::npos)
            return;
        size_t length = 0;
        const char *field = strcasestr(connection.in.c_str(), "content-length:");
        if (field && field < connection.in.c_str() + head)
            length = size_t(std::atol(field + 15));
        if (connection.in.size() < head + 4 + length)
            return;
        if (strcasestr(connection.in.substr(0, head).c_str(), "upgrade: websocket")) {
            connection.isSocket = true;
            connection.out += "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
            connection.in.erase(0, head + 4);
            return;
        }
        connection.in.erase(0, head + 4 + length);
        connection.out += answer;
    }
}

void serveFrames(RawConnection &connection)
{
    size_t at = 0;
    while (connection.in.size() - at >= 6) {
        auto *bytes = reinterpret_cast<unsigned char *>(connection.in.data()) + at;
        size_t length = bytes[1] & 127;
        size_t head = 2;
        if (length == 126) {
            if (connection.in.size() - at < 8)
                break;
            length = size_t(bytes[2]) << 8 | bytes[3];
            head = 4;
        }
        if (connection.in.size() - at < head + 4 + length)
            break;
        const unsigned char *mask = bytes + head;
        char *payload = reinterpret_cast<char *>(bytes) + head + 4;
        for (size_t i = 0; i < length; ++i)
            payload[i] = char(payload[i] ^ mask[i & 3]);
        if ((bytes[0] & 15) != 8)
            appendFrame(connection.out, payload, length);
        at += head + 4 + length;
    }
    connection.in.erase(0, at);
}

} // namespace

int main()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener, reinterpret_cast<sockaddr *>(&address), size) != 0 || listen(listener, 4096) != 0)
        return 1;
    getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size);
    std::printf("%d\n", ntohs(address.sin_port));
    std::fflush(stdout);

    const int epoll = epoll_create1(0);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = listener;
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    std::unordered_map<int, RawConnection> connections;
    static char buffer[1 << 16];
    while (true) {
        epoll_event events[256];
        const int count = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < count; ++i) {
            const int fd = events[i].data.fd;
            if (fd == listener) {
                int accepted = 0;
                while ((accepted = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                    const int on = 1;
                    setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                    connections[accepted] = {};
                    event.data.fd = accepted;
                    epoll_ctl(epoll, EPOLL_CTL_ADD, accepted, &event);
                }
                continue;
            }
            const ssize_t got = read(fd, buffer, sizeof buffer);
            if (got <= 0) {
                connections.erase(fd);
                close(fd);
                continue;
            }
            RawConnection &connection = connections[fd];
            connection.in.append(buffer, size_t(got));
            if (!connection.isSocket)
                serveHttp(connection);
            if (connection.isSocket)
                serveFrames(connection);
            // Loopback buffers take these short answers whole.
            if (!connection.out.empty() && write(fd, connection.out.data(), connection.out.size()) >= 0)
                connection.out.clear();
        }
    }
}
