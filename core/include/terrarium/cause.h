#pragma once
// Why something happened: a change, a transition, a call. Recorded with what it caused and shown beside it.

#include <QString>

namespace terrarium {

struct Cause {
    Cause() = default;
    Cause(QString kind, QString name = {}, QString id = {})
        : kind(std::move(kind)),
          name(std::move(name)),
          id(std::move(id))
    {}

    /// action, timer, message, connect, disconnect, hook, run, inspector, workflow, create, host, unknown
    QString kind;
    QString name; ///< of the action, schedule, queue, hook, or inspector; may be empty
    QString id;   ///< of the connection, call, schedule row or inspector; may be empty

    friend bool operator==(const Cause &, const Cause &) = default;
};

} // namespace terrarium
