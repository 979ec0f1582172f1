#include "storage/shard_storage.h"

#include "storage/actor_index.h"

namespace terrarium {

StoredActor ShardStorage::load()
{
    return m_index.load(m_actor.row);
}

void ShardStorage::commit(WriteBatch batch, CommitDone done)
{
    m_index.commit(m_actor, std::move(batch), std::move(done));
}

void ShardStorage::destroy(qint64 wallMs, CommitDone done)
{
    m_index.destroyRow(m_actor.row, wallMs, std::move(done));
}

} // namespace terrarium
