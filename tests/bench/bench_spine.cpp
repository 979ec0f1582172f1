// Speed and size of a whole host, beside a raw loopback echo in the same run.
//
//   bench_spine --host terrarium --raw bench_raw_server --plugin libbench_actors.so
//               [--rounds N] [--seconds S] [--gate] [--only ROWS]
//
// Rates and latencies are ratios to raw, taken per round, then the median; CPU is the scheduler's own
// accounting of the whole process. With --gate it ends with 1 when CPU per action, bytes per actor or losses
// are beyond the room that tests/bench/README.md gives them; rates and latencies are only reported.

#include "load_client.h"

#include <arpa/inet.h>
#include <cmath>
#include <cstdarg>
#include <memory>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

using bench::Figures;
using bench::Load;

double wallSeconds()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// A child process whose standard output is read line by line.
class Child {
public:
    explicit Child(const std::vector<std::string> &command)
    {
        int ends[2];
        if (pipe(ends) != 0)
            std::abort();
        m_pid = fork();
        if (m_pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            dup2(ends[1], 1);
            close(ends[0]);
            close(ends[1]);
            std::vector<char *> arguments;
            for (const std::string &word : command)
                arguments.push_back(const_cast<char *>(word.c_str()));
            arguments.push_back(nullptr);
            execv(arguments[0], arguments.data());
            _exit(127);
        }
        close(ends[1]);
        m_out = fdopen(ends[0], "r");
    }
    ~Child() { stop(SIGKILL); }
    Child(const Child &) = delete;

    std::string readLine()
    {
        char *line = nullptr;
        size_t size = 0;
        const ssize_t length = getline(&line, &size, m_out);
        std::string text = length > 0 ? std::string(line, size_t(length)) : std::string();
        free(line);
        return text;
    }
    void stop(int signal)
    {
        if (m_pid <= 0)
            return;
        kill(m_pid, signal);
        waitpid(m_pid, nullptr, 0);
        fclose(m_out);
        m_pid = -1;
    }
    long pid() const { return m_pid; }

private:
    pid_t m_pid = -1;
    FILE *m_out = nullptr;
};

struct Options {
    std::string host;
    std::string raw;
    std::string plugin;
    std::string only;
    int rounds = 3;
    double seconds = 1;
    bool gate = false;
};

/// Data folders of this run; they go with it.
class Folders {
public:
    Folders()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "terrarium-bench-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
            std::abort();
        m_root = pattern;
    }
    ~Folders()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_root, ignored);
    }
    std::string make() { return m_root + "/" + std::to_string(++m_count); }

private:
    std::string m_root;
    int m_count = 0;
};

std::string newFolder()
{
    static Folders folders;
    return folders.make();
}

/// `terrarium host` on a data folder of its own.
class Host {
public:
    Host(const Options &options, std::string folder, const std::string &durability = "process")
        : m_folder(std::move(folder)),
          m_child({options.host, "host", "--port", "0", "--data", m_folder, "--durability", durability, "--plugin",
                   options.plugin})
    {
        const std::string line = m_child.readLine();
        const size_t place = line.find("\"port\":");
        if (place == std::string::npos) {
            std::fprintf(stderr, "the host did not start: %s\n", line.c_str());
            std::exit(2);
        }
        m_port = std::atoi(line.c_str() + place + 7);
    }
    int port() const { return m_port; }
    long pid() const { return m_child.pid(); }
    const std::string &folder() const { return m_folder; }
    void kill() { m_child.stop(SIGKILL); }

private:
    std::string m_folder;
    Child m_child;
    int m_port = 0;
};

std::string query(const std::string &key)
{
    return "?rvt-namespace=default&rvt-method=getOrCreate&rvt-runner=default&rvt-key=" + key;
}

/// One request on a connection of its own; the answer's body, empty on failure.
std::string request(int port, const std::string &method, const std::string &path, const std::string &body = {})
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(uint16_t(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0) {
        const int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const std::string text = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port)
                                 + "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size())
                                 + "\r\n\r\n" + body;
        if (write(fd, text.data(), text.size()) == ssize_t(text.size())) {
            char buffer[4096];
            ssize_t count = 0;
            while ((count = read(fd, buffer, sizeof buffer)) > 0)
                answer.append(buffer, size_t(count));
        }
    }
    close(fd);
    const size_t head = answer.find("\r\n\r\n");
    return head == std::string::npos ? std::string() : answer.substr(head + 4);
}

std::string field(const std::string &json, const std::string &name)
{
    const std::string mark = "\"" + name + "\":\"";
    const size_t begin = json.find(mark);
    if (begin == std::string::npos)
        return {};
    const size_t end = json.find('"', begin + mark.size());
    return json.substr(begin + mark.size(), end - begin - mark.size());
}

Load socketLoad(int port, int connections, int actors, const std::string &type = "hits")
{
    Load load;
    load.port = port;
    load.connections = connections;
    load.subprotocols = "rivet, rivet_encoding.json";
    load.path = [type, actors](int connection, long) {
        return "/gateway/" + type + "/connect" + query("k" + std::to_string(connection % actors));
    };
    load.message = [](int, long request) {
        return "{\"body\":{\"tag\":\"ActionRequest\",\"val\":{\"id\":" + std::to_string(request)
               + ",\"name\":\"increment\",\"args\":[1]}}}";
    };
    load.answer = "ActionResponse";
    load.greetings = 1;
    return load;
}

Load httpLoad(int port, int connections)
{
    Load load;
    load.webSocket = false;
    load.port = port;
    load.connections = connections;
    load.path = [](int, long) { return "/gateway/hits/action/increment" + query("h"); };
    load.message = [](int, long) { return std::string("{\"args\":[1]}"); };
    load.answer = "output";
    return load;
}

Load rawLoad(int port, int connections, bool webSocket)
{
    Load load;
    load.port = port;
    load.connections = connections;
    load.webSocket = webSocket;
    load.path = [](int, long) { return std::string("/"); };
    load.message = [](int, long request) {
        return "{\"body\":{\"tag\":\"ActionRequest\",\"val\":{\"id\":" + std::to_string(request)
               + ",\"name\":\"increment\",\"args\":[1]}}}";
    };
    load.answer = webSocket ? "ActionRequest" : "output";
    return load;
}

struct Measured {
    Figures figures;
    double cpuUs = 0; ///< of the server, per request
};

long losses = 0;

Measured measure(Load load, long pid, double seconds)
{
    load.seconds = seconds;
    const double before = bench::cpuSeconds(pid);
    const Figures figures = bench::run(load);
    const double used = bench::cpuSeconds(pid) - before;
    if (figures.errors > 0) {
        losses += figures.errors;
        std::fprintf(stderr, "  %ld errors, first: %s\n", figures.errors, figures.firstError.c_str());
    }
    // The warm-up is in the CPU figure too; requests are counted for the measured part only.
    const double share = figures.seconds / (figures.seconds + load.warmUpSeconds);
    return {figures, figures.done > 0 ? used * share * 1e6 / double(figures.done) : 0};
}

class Report {
public:
    void row(const std::string &number, const std::string &what, const std::string &goal, const std::string &value,
             bool met)
    {
        std::printf("| %-3s | %-44s | %-34s | %-44s | %-3s |\n", number.c_str(), what.c_str(), goal.c_str(),
                    value.c_str(), met ? "yes" : "no");
        std::fflush(stdout);
    }
    void gate(const std::string &what, double value, double limit)
    {
        if (value > limit || std::isnan(value)) {
            std::printf("GATE: %s is %.2f, the limit is %.2f\n", what.c_str(), value, limit);
            failed = true;
        }
    }
    bool failed = false;
};

std::string text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char buffer[256];
    vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return buffer;
}

void throughput(const Options &options, Report &report)
{
    Child raw({options.raw});
    const int rawPort = std::atoi(raw.readLine().c_str());
    Host host(options, newFolder());

    std::map<std::string, std::vector<double>> values;
    for (int round = 0; round < options.rounds; ++round) {
        const Measured raw1 = measure(rawLoad(rawPort, 1, true), raw.pid(), options.seconds);
        const Measured ws1 = measure(socketLoad(host.port(), 1, 1), host.pid(), options.seconds);
        const Measured raw32 = measure(rawLoad(rawPort, 32, true), raw.pid(), options.seconds);
        const Measured ws32 = measure(socketLoad(host.port(), 32, 1), host.pid(), options.seconds);
        const Measured ws32x100 = measure(socketLoad(host.port(), 100, 100), host.pid(), options.seconds);
        const Measured rawHttp1 = measure(rawLoad(rawPort, 1, false), raw.pid(), options.seconds);
        const Measured http1 = measure(httpLoad(host.port(), 1), host.pid(), options.seconds);
        const Measured rawHttp32 = measure(rawLoad(rawPort, 32, false), raw.pid(), options.seconds);
        const Measured http32 = measure(httpLoad(host.port(), 32), host.pid(), options.seconds);

        values["raw ws1 p50"].push_back(raw1.figures.p50Us);
        values["ws1 p50"].push_back(ws1.figures.p50Us);
        values["ws1 rate"].push_back(ws1.figures.rate());
        values["1"].push_back(ws1.figures.p50Us / raw1.figures.p50Us);
        values["2"].push_back(ws32.figures.rate() / raw32.figures.rate());
        values["ws32 rate"].push_back(ws32.figures.rate());
        values["ws32 p50"].push_back(ws32.figures.p50Us);
        values["raw32 rate"].push_back(raw32.figures.rate());
        values["3"].push_back(ws32x100.figures.rate() / ws32.figures.rate());
        values["ws100 rate"].push_back(ws32x100.figures.rate());
        values["3 cpu"].push_back(ws32x100.cpuUs - ws32.cpuUs);
        values["6"].push_back(http1.figures.p50Us / rawHttp1.figures.p50Us);
        values["http1 p50"].push_back(http1.figures.p50Us);
        values["7"].push_back(http32.figures.rate() / rawHttp32.figures.rate());
        values["http32 rate"].push_back(http32.figures.rate());
        values["8"].push_back(ws32.cpuUs / raw32.cpuUs);
        values["cpu"].push_back(ws32.cpuUs);
        values["raw cpu"].push_back(raw32.cpuUs);
        values["22"].push_back(ws32x100.figures.p99Us / 1000);
    }
    const auto m = [&values](const char *name) { return median(values[name]); };
    report.row("1", "action over WebSocket, 1 client, p50", "<= 2.0 x raw",
               text("%.2f x (%.0f us, raw %.0f us; %.0f/s)", m("1"), m("ws1 p50"), m("raw ws1 p50"), m("ws1 rate")),
               m("1") <= 2.0);
    report.row("2", "32 clients, 1 actor, rate", ">= 0.55 of raw",
               text("%.2f (%.0f/s, p50 %.0f us, raw %.0f/s)", m("2"), m("ws32 rate"), m("ws32 p50"), m("raw32 rate")),
               m("2") >= 0.55);
    report.row("3", "100 clients, 100 actors, rate", ">= 0.60 of row 2, CPU <= +10 us",
               text("%.2f (%.0f/s), CPU %+.1f us", m("3"), m("ws100 rate"), m("3 cpu")),
               m("3") >= 0.6 && m("3 cpu") <= 10);
    report.row("6", "action over HTTP, 1 client, p50", "<= 2.0 x raw", text("%.2f x (%.0f us)", m("6"), m("http1 p50")),
               m("6") <= 2.0);
    report.row("7", "HTTP, 32 clients, rate", ">= 0.55 of raw", text("%.2f (%.0f/s)", m("7"), m("http32 rate")),
               m("7") >= 0.55);
    report.row("8", "server CPU per action, 32 clients", "<= 2.2 x raw [gate 3 x]",
               text("%.2f x (%.1f us, raw %.1f us)", m("8"), m("cpu"), m("raw cpu")), m("8") <= 2.2);
    // The quietest round: neighbours on the machine only ever add to it.
    report.gate("row 8, CPU per action against raw", *std::min_element(values["8"].begin(), values["8"].end()), 3.0);

    double wal = 0;
    for (const auto &file : std::filesystem::directory_iterator(host.folder())) {
        if (file.path().string().ends_with("-wal"))
            wal += double(file.file_size());
    }
    report.row("22", "p99 at full load with saves; WAL", "<= 5 ms; <= 64 MB",
               text("%.1f ms; %.0f MB", m("22"), wal / 1e6), m("22") <= 5 && wal <= 64e6);

    std::vector<double> shares;
    for (int round = 0; round < options.rounds; ++round) {
        const Measured alone = measure(socketLoad(host.port(), 1, 1), host.pid(), options.seconds);
        Load crowd = socketLoad(host.port(), 1, 1);
        crowd.idleConnections = 3000;
        const Measured crowded = measure(crowd, host.pid(), options.seconds);
        shares.push_back(crowded.figures.p50Us / alone.figures.p50Us);
    }
    report.row("21", "one client beside 3,000 idle sockets, p50", "<= 1.3 x without them",
               text("%.2f x", median(shares)), median(shares) <= 1.3);
}

void createAndWake(const Options &options, Report &report)
{
    Host host(options, newFolder());
    const int port = host.port();

    std::vector<double> ratios;
    for (int round = 0; round < options.rounds; ++round) {
        Load hot = httpLoad(port, 1);
        const Measured hotFigures = measure(hot, host.pid(), options.seconds);
        Load fresh = httpLoad(port, 1);
        const std::string prefix = "c" + std::to_string(round) + "-";
        fresh.path = [prefix](int, long n) {
            return "/gateway/hits/action/increment" + query(prefix + std::to_string(n));
        };
        const Measured created = measure(fresh, host.pid(), options.seconds);
        ratios.push_back(created.figures.rate() / hotFigures.figures.rate());
    }
    const long before = losses;
    Load many = httpLoad(port, 32);
    many.path = [](int connection, long n) {
        return "/gateway/hits/action/increment" + query("m" + std::to_string(connection) + "-" + std::to_string(n));
    };
    const Measured manyCreated = measure(many, host.pid(), options.seconds);
    report.row("9", "create + first action, 1 client; 32 clients", ">= 0.6 of hot; no failure",
               text("%.2f; %.0f/s, %ld failures", median(ratios), manyCreated.figures.rate(), losses - before),
               median(ratios) >= 0.6 && losses == before);

    // Wake: put each of 200 actors to sleep, then time one call on a warm connection.
    std::vector<std::string> ids;
    for (int i = 0; i < 200; ++i) {
        const std::string answer = request(port, "PUT", "/actors?namespace=default",
                                           "{\"name\":\"hits\",\"key\":\"w" + std::to_string(i)
                                               + "\",\"runner_name_selector\":\"default\",\"crash_policy\":\"sleep\"}");
        ids.push_back(field(answer, "actor_id"));
    }
    const auto callAll = [&] {
        Load calls = httpLoad(port, 1);
        calls.requests = long(ids.size());
        calls.path = [&ids](int, long n) { return "/gateway/" + ids[size_t(n) % ids.size()] + "/action/increment"; };
        return measure(calls, host.pid(), 1).figures.p50Us;
    };
    std::vector<double> wakes;
    double wakeUs = 0;
    for (int round = 0; round < options.rounds; ++round) {
        callAll();
        const double hot = callAll();
        for (const std::string &id : ids)
            request(port, "POST", "/actors/" + id + "/sleep?namespace=default", "{}");
        wakeUs = callAll();
        wakes.push_back(wakeUs / hot);
    }
    report.row("10", "wake and first action, p50", "<= 1.5 x hot", text("%.2f x (%.0f us)", median(wakes), wakeUs),
               median(wakes) <= 1.5);
}

/// Waits until the resident size has not changed by more than 64 KiB for `quiet` seconds.
std::int64_t settledBytes(long pid, double quiet, double most)
{
    const double limit = wallSeconds() + most;
    std::int64_t last = bench::residentBytes(pid);
    double since = wallSeconds();
    while (wallSeconds() < limit && wallSeconds() - since < quiet) {
        usleep(100'000);
        const std::int64_t now = bench::residentBytes(pid);
        if (std::llabs(now - last) > 65'536) {
            last = now;
            since = wallSeconds();
        }
    }
    return bench::residentBytes(pid);
}

void createActors(int port, long pid, const std::string &type, const std::string &prefix, long count)
{
    Load load = httpLoad(port, 8);
    load.requests = count;
    const auto next = std::make_shared<long>(0);
    load.path = [=](int, long) {
        return "/gateway/" + type + "/action/increment" + query(prefix + std::to_string((*next)++));
    };
    measure(load, pid, 1);
}

void memory(const Options &options, Report &report)
{
    Host host(options, newFolder());
    const double base = double(settledBytes(host.pid(), 0.5, 3));

    createActors(host.port(), host.pid(), "idler", "warm", 500);
    const double before = double(settledBytes(host.pid(), 0.5, 3));
    const long live = 10'000;
    createActors(host.port(), host.pid(), "idler", "live", live);
    const double perLive = (double(settledBytes(host.pid(), 0.5, 3)) - before) / double(live);
    report.row("11", "live idle actor", "<= 4 KiB [gate 6 KiB]", text("%.0f bytes", perLive), perLive <= 4096);
    report.gate("row 11, bytes per live actor", perLive, 6144);

    Host naps(options, newFolder());
    const long sleeping = 20'000;
    createActors(naps.port(), naps.pid(), "napper", "warm", sleeping);
    const double asleep = double(settledBytes(naps.pid(), 1.5, 10));
    createActors(naps.port(), naps.pid(), "napper", "more", sleeping);
    const double perSleeping = std::max(0.0, (double(settledBytes(naps.pid(), 1.5, 10)) - asleep) / double(sleeping));
    report.row("12", "sleeping actor", "<= 16 bytes [gate 64]", text("%.1f bytes", perSleeping), perSleeping <= 16);
    report.gate("row 12, bytes per sleeping actor", perSleeping, 64);

    Host thousand(options, newFolder());
    createActors(thousand.port(), thousand.pid(), "idler", "live", 1000);
    usleep(500'000);
    const double cpuBefore = bench::cpuSeconds(thousand.pid());
    const double seconds = 5;
    usleep(useconds_t(seconds * 1e6));
    const double idle = (bench::cpuSeconds(thousand.pid()) - cpuBefore) / seconds * 100;
    report.row("13", "host without a window: RSS; idle CPU, 1,000 live", "<= 40 MB; <= 0.3 % of a core",
               text("%.1f MB; %.2f %%", base / 1e6, idle), base <= 40e6 && idle <= 0.3);
}

void startAndKill(const Options &options, Report &report)
{
    const auto startToAction = [&options](const std::string &folder, long *value) {
        const double begin = wallSeconds();
        Host host(options, folder);
        const std::string answer =
            request(host.port(), "POST", "/gateway/hits/action/increment" + query("start"), "{\"args\":[1]}");
        const double took = (wallSeconds() - begin) * 1000;
        const size_t place = answer.find("output\":");
        if (place == std::string::npos) {
            ++losses;
            std::fprintf(stderr, "  no answer after start: %s\n", answer.c_str());
        } else {
            *value = std::atol(answer.c_str() + place + 8);
        }
        host.kill();
        return took;
    };
    std::vector<double> fresh;
    long value = 0;
    for (int round = 0; round < options.rounds; ++round)
        fresh.push_back(startToAction(newFolder(), &value));

    const std::string folder = newFolder();
    {
        Host host(options, folder);
        createActors(host.port(), host.pid(), "hits", "many", 10'000);
        host.kill();
    }
    std::vector<double> again;
    long last = 0;
    for (int round = 0; round < options.rounds; ++round) {
        again.push_back(startToAction(folder, &value));
        if (value != last + 1)
            ++losses;
        last = value;
    }
    report.row("19", "start to first action: fresh; after kill -9", "<= 50 ms",
               text("%.0f ms; %.0f ms with 10,000 actors", median(fresh), median(again)),
               median(fresh) <= 50 && median(again) <= 50);
}

void power(const Options &options, Report &report)
{
    Child raw({options.raw});
    const int rawPort = std::atoi(raw.readLine().c_str());
    Host host(options, newFolder(), "power");
    std::vector<double> cpu;
    std::vector<double> rates;
    std::vector<double> p50;
    for (int round = 0; round < options.rounds; ++round) {
        const Measured raw32 = measure(rawLoad(rawPort, 32, true), raw.pid(), options.seconds);
        const Measured one = measure(socketLoad(host.port(), 1, 1), host.pid(), options.seconds);
        const Measured many = measure(socketLoad(host.port(), 32, 1), host.pid(), options.seconds);
        cpu.push_back(many.cpuUs / raw32.cpuUs);
        rates.push_back(many.figures.rate());
        p50.push_back(one.figures.p50Us);
    }
    report.row("5", "power durability: 1 client p50; 32 clients", "CPU <= 4 x raw",
               text("%.0f us; %.0f/s, CPU %.2f x", median(p50), median(rates), median(cpu)), median(cpu) <= 4);
}

} // namespace

int main(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
        if (name == "--host")
            options.host = value();
        else if (name == "--raw")
            options.raw = value();
        else if (name == "--plugin")
            options.plugin = value();
        else if (name == "--rounds")
            options.rounds = std::atoi(value().c_str());
        else if (name == "--seconds")
            options.seconds = std::atof(value().c_str());
        else if (name == "--only")
            options.only = value();
        else if (name == "--gate")
            options.gate = true;
        else {
            std::fprintf(stderr, "unknown option %s\n", name.c_str());
            return 2;
        }
    }
    if (options.host.empty() || options.raw.empty() || options.plugin.empty()) {
        std::fprintf(stderr, "usage: bench_spine --host PROGRAM --raw PROGRAM --plugin LIB [--rounds N] [--seconds S] "
                             "[--gate] [--only throughput,create,memory,start,power]\n");
        return 2;
    }
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    Report report;
    std::printf("| Row | Work | Goal | Measured | Met |\n|---|---|---|---|---|\n");
    const auto wanted = [&options](const char *part) {
        return options.only.empty() || options.only.find(part) != std::string::npos;
    };
    if (wanted("throughput"))
        throughput(options, report);
    if (wanted("create"))
        createAndWake(options, report);
    if (wanted("memory"))
        memory(options, report);
    if (wanted("start"))
        startAndKill(options, report);
    if (wanted("power"))
        power(options, report);
    report.gate("requests lost or refused", double(losses), 0);
    return options.gate && report.failed ? 1 : 0;
}
