#pragma once
// The rows of one actor, as its one live incarnation sees them.
//
// A newer incarnation fences the older one off: commits of the old one fail with `storage/stale_generation` and
// write nothing. Reads show what is durable and what was committed in this event-loop turn's order before; a live
// actor keeps what it needs in memory and reads once, at its start.

#include "storage/stored_actor.h"
#include "storage/write_batch.h"

namespace terrarium {

class ActorStorage {
public:
    virtual ~ActorStorage() = default;

    /// Who this incarnation is: `generation` is its own.
    virtual const ActorRow &actor() const noexcept = 0;

    /// One read of everything a start needs. Throws `actor/not_found` when it was destroyed, `storage/...`.
    virtual StoredActor load() = 0;
    /// Joins the commit of this event-loop turn. An empty batch is durable when all commits of this actor so far
    /// are. A batch that fails with `storage/...` wrote nothing and may be tried again.
    virtual void commit(WriteBatch batch, CommitDone done) = 0;
    /// All rows of the actor go. Commits after it fail with `actor/not_found`.
    virtual void destroy(qint64 wallMs, CommitDone done) = 0;
};

} // namespace terrarium
