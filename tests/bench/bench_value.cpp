// Nanoseconds for values: CBOR and JSON both ways, the typed codec, one changed field, a delta record's frame.
//
// Prints a table; each figure is processor time, the median of 7 rounds. No test: run it from a release build.

#include "value/cbor.h"
#include "value/delta.h"
#include "value/json.h"
#include "wire/codec.h"

#include <terrarium/value_codec.h>

#include <QCborValue>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace terrarium;

namespace {

struct Member {
    QString name;
    int visits = 0;
    double score = 0;
    bool isOnline = false;
    ACTOR_FIELDS(Member, name, visits, score, isOnline)
};

struct State {
    int count = 0;
    QString lastBy;
    QList<Member> members;
    ACTOR_FIELDS(State, count, lastBy, members)
};

State stateOf(int members)
{
    State state;
    state.count = 4711;
    state.lastBy = QStringLiteral("ann");
    for (int i = 0; i < members; ++i)
        state.members.append(Member{QStringLiteral("member %1").arg(i), i * 37, i * 0.25, i % 2 == 0});
    return state;
}

volatile qint64 keep = 0; // what is computed must not be left out

double nanoseconds(const std::function<void()> &work)
{
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time); // processor time: other programs do not count
        return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
    };
    const auto timed = [&](int count) {
        const double start = now();
        for (int i = 0; i < count; ++i)
            work();
        return now() - start;
    };
    int count = 1;
    while (timed(count) < 5e6)
        count *= 2;
    std::array<double, 7> rounds;
    for (double &round : rounds)
        round = timed(count) / count;
    std::sort(rounds.begin(), rounds.end());
    return rounds[rounds.size() / 2];
}

void row(const char *what, const std::array<std::function<void()>, 3> &works)
{
    std::printf("%-34s", what);
    for (const auto &work : works)
        std::printf(" %10.0f", nanoseconds(work));
    std::printf("\n");
    std::fflush(stdout);
}

} // namespace

int main()
{
    const std::array<State, 3> states{stateOf(1), stateOf(20), stateOf(1150)};
    std::array<Value, 3> values;
    std::array<QByteArray, 3> cbors;
    std::array<QByteArray, 3> jsons;
    std::array<Value, 3> changed;
    std::array<Delta, 3> deltas;
    for (std::size_t i = 0; i < 3; ++i) {
        values[i] = encodeValue(states[i]);
        cbors[i] = encodeCbor(states[i]);
        jsons[i] = json::write(values[i]);
        State after = states[i];
        after.members.last().visits += 1;
        changed[i] = encodeValue(after); // shares nothing with the value before
        deltas[i] = delta::diff(values[i], changed[i]);
    }
    const auto each = [](auto make) { return std::array<std::function<void()>, 3>{make(0), make(1), make(2)}; };

    std::printf("%-34s %10s %10s %10s\n", "ns", "small", "1 KB", "60 KB");
    std::printf("%-34s %10lld %10lld %10lld\n", "bytes of CBOR", static_cast<long long>(cbors[0].size()),
                static_cast<long long>(cbors[1].size()), static_cast<long long>(cbors[2].size()));
    row("struct -> CBOR", each([&](int i) { return [&, i] { keep = keep + encodeCbor(states[i]).size(); }; }));
    row("CBOR -> struct", each([&](int i) { return [&, i] { keep = keep + decodeCbor<State>(cbors[i]).count; }; }));
    row("struct -> Value", each([&](int i) { return [&, i] { keep = keep + encodeValue(states[i]).size(); }; }));
    row("Value -> CBOR", each([&](int i) { return [&, i] { keep = keep + cbor::encode(values[i]).size(); }; }));
    row("CBOR -> Value", each([&](int i) { return [&, i] { keep = keep + cbor::decode(cbors[i]).size(); }; }));
    row("Value -> JSON", each([&](int i) { return [&, i] { keep = keep + json::write(values[i]).size(); }; }));
    row("JSON -> Value", each([&](int i) { return [&, i] { keep = keep + json::parse(jsons[i]).size(); }; }));
    row("diff, one field changed",
        each([&](int i) { return [&, i] { keep = keep + delta::diff(values[i], changed[i]).size(); }; }));
    row("apply it", each([&](int i) { return [&, i] { keep = keep + delta::apply(values[i], deltas[i]).size(); }; }));
    row("its record as a frame", each([&](int i) {
            return [&, i] {
                wire::DeltaRecord body;
                body.sequence = 7;
                body.base = 6;
                body.causes = {Cause(QStringLiteral("action"), QStringLiteral("visit"), QStringLiteral("conn-1"))};
                body.ops = deltas[i];
                wire::Record record;
                record.position = 9;
                record.body = body;
                keep = keep
                       + wire::encode(wire::PushFrame{wire::RecordsAppended{
                                          QStringLiteral("0l6bzs4kqa7nq5wnjmx3yxzzzwac00"), {record}}})
                             .size();
            };
        }));
    std::array<QByteArray, 3> frames;
    for (std::size_t i = 0; i < 3; ++i) {
        wire::DeltaRecord body;
        body.ops = deltas[i];
        wire::Record record;
        record.body = body;
        frames[i] = wire::encode(
            wire::PushFrame{wire::RecordsAppended{QStringLiteral("0l6bzs4kqa7nq5wnjmx3yxzzzwac00"), {record}}});
    }
    row("frame -> record",
        each([&](int i) { return [&, i] { keep = keep + wire::decodeHostFrame(frames[i]).has_value(); }; }));
    row("QCborValue, encode (to compare)", each([&](int i) {
            return [&, value = QCborValue::fromCbor(cbors[i])] { keep = keep + value.toCbor().size(); };
        }));
    row("QCborValue, decode (to compare)",
        each([&](int i) { return [&, i] { keep = keep + QCborValue::fromCbor(cbors[i]).isMap(); }; }));
    return 0;
}
