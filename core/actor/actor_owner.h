#pragma once
// Who starts and stops a live actor: the host's registry.
//
// The first three are wishes: the actor lives on, unchanged, until the owner answers with ActorTask::stop(). Calls
// come from inside the actor's turns; the owner may queue commands in return and nothing else.

#include <terrarium/cause.h>
#include <terrarium/error.h>

#include <QString>

#include <optional>

namespace terrarium {

class ActorTask;

class ActorOwner {
public:
    virtual ~ActorOwner() = default;

    /// It has been idle for its timeout (`why` "idle"), or its author's code asked for it ("self").
    virtual void sleepRequested(ActorTask &task, const QString &why, const Cause &cause) = 0;
    virtual void destroyRequested(ActorTask &task, const Cause &cause) = 0;
    /// Its `run` failed. To be stopped as for sleep, and treated as a crash.
    virtual void crashed(ActorTask &task, const Error &error) = 0;
    /// The last call. `error`: why the start failed or the stop lost something; null after a clean end. A destroyed
    /// actor's rows are gone by now. Dropping the task inside this call is fine.
    virtual void terminated(ActorTask &task, const std::optional<Error> &error) = 0;
};

} // namespace terrarium
