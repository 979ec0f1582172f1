#pragma once
// A window's client and a scripted host on one simulated thread.

#include "client/inspector_client.h"
#include "testing/fake_host.h"
#include "testing/simulated_environment.h"

#include <chrono>
#include <memory>

namespace terrarium::testing {

struct LinkFixture {
    explicit LinkFixture(quint64 seed = 1) : environment(seed)
    {
        environment.jumpWallClock(std::chrono::milliseconds(1'800'000'000'000 - environment.clock().wallMs()));
        host = std::make_unique<FakeHost>(environment, QStringLiteral("fake"));
    }

    InspectorClient &attach() { return attach(host->address()); }
    InspectorClient &attach(const HostAddress &address)
    {
        client = std::make_unique<InspectorClient>(environment, address, QStringLiteral("tester"));
        client->open();
        settle();
        return *client;
    }
    /// Everything that is ready on both sides, without letting time pass.
    void settle()
    {
        do {
            environment.runUntilIdle();
            client->beat();
            environment.runUntilIdle();
        } while (client->hasPending());
    }
    void advance(std::chrono::milliseconds duration)
    {
        environment.advance(duration);
        settle();
    }
    QString addCounter(qint64 count = 0)
    {
        return host->addActor(QStringLiteral("counter"), ActorKey("a"), wire::ActorStatus::running,
                              Value::map({{QStringLiteral("count"), Value(count)}}));
    }
    std::shared_ptr<ActorFeed> watch(const QString &id)
    {
        std::shared_ptr<ActorFeed> feed = client->feed(id);
        settle();
        return feed;
    }

    SimulatedEnvironment environment;
    std::unique_ptr<FakeHost> host;
    std::unique_ptr<InspectorClient> client;
};

inline Path countPath()
{
    return Path().child(QStringLiteral("count"));
}
inline Delta setCount(qint64 to)
{
    return {DeltaOp(DeltaOp::Kind::Set, countPath(), Value(to))};
}

} // namespace terrarium::testing
