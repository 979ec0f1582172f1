#pragma once
// ActorStorage over the rows of a shared shard. Made by ActorIndex::begin(); the index outlives it.

#include "storage/actor_storage.h"

namespace terrarium {

class ActorIndex;

class ShardStorage final : public ActorStorage {
public:
    ShardStorage(ActorIndex &index, ActorRow incarnation) : m_index(index), m_actor(std::move(incarnation)) {}

    const ActorRow &actor() const noexcept override { return m_actor; }
    StoredActor load() override;
    void commit(WriteBatch batch, CommitDone done) override;
    void destroy(qint64 wallMs, CommitDone done) override;

private:
    ActorIndex &m_index;
    ActorRow m_actor;
};

} // namespace terrarium
