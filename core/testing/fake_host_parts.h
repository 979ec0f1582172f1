#pragma once
// The inside of FakeHost, shared by its two source files.

#include "testing/fake_host.h"

#include <vector>

namespace terrarium {

struct FakeHost::Actor {
    wire::ActorSummary summary;
    Value state = Value::undefined();
    std::vector<wire::Record> log;
    quint64 position = 0;
    quint64 keptFrom = 1; ///< oldest position still in the log
    QList<wire::Blocker> blockers;
    qint64 savedAt = 0;
    bool isWithheld = false;
    quint64 withheldFrom = 0; ///< position of the first record withheld
    int toLose = 0;
    quint64 sentPosition = 0; ///< records up to here were handed to the links
    bool isAwakeChanged = false;
};

struct FakeHost::Link {
    std::unique_ptr<Transport> transport;
    bool isWelcomed = false;
    bool isReadOnly = false;
    bool isWatching = false;
    bool isClosed = false;
    QSet<QString> subscribed;
    struct Held {
        bool isSnapshot = false;
        QByteArray frame;
    };
    std::vector<Held> held;
};

} // namespace terrarium
