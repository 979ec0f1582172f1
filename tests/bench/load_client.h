#pragma once
// A closed-loop load client: every connection has one request in flight. One thread, epoll, loopback only.
//
// Deliberately without Qt, so that its own cost is small and the same whatever server it faces.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Load {
    bool webSocket = true;
    int port = 0;
    int connections = 1;
    int idleConnections = 0; ///< more sockets that say hello and then only sit there (WebSocket)
    double seconds = 1;
    double warmUpSeconds = 0.2;
    long requests = 0;        ///< ends after this many instead of after `seconds`
    std::string subprotocols; ///< value of Sec-WebSocket-Protocol, or empty
    /// Path of connection i; for HTTP of request n on connection i.
    std::function<std::string(int connection, long request)> path;
    /// Message, or body of the POST. `n` counts the requests of one connection.
    std::function<std::string(int connection, long request)> message;
    std::string answer; ///< text an answer contains; other frames are skipped
    int greetings = 0;  ///< frames the server sends first
};

struct Figures {
    long done = 0;
    long errors = 0;
    std::string firstError;
    double seconds = 0;
    double p50Us = 0;
    double p99Us = 0;
    double maxUs = 0;

    double rate() const { return seconds > 0 ? double(done) / seconds : 0; }
};

/// Runs the load and returns what it saw. Never throws; trouble is in `errors`.
Figures run(const Load &load);

/// CPU seconds used so far by all threads of a process, from the scheduler's own accounting.
double cpuSeconds(long pid);
/// Resident bytes of a process.
std::int64_t residentBytes(long pid);

} // namespace bench
