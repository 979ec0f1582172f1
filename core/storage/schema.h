#pragma once
// The tables of a shard and the ladder from any older version to the current one.
//
// A step is never edited once it has shipped; the number of steps is the current version. It is kept in the file's
// header (user_version), so that it can be read without SQLite touching anything. All tables carry the actor's row
// in front: many actors share one shard.

#include "storage/sql.h"

#include <vector>

namespace terrarium::schema {

using Step = std::vector<const char *>; ///< statements of one version
using Ladder = std::vector<Step>;

const Ladder &ladder();
int currentVersion();

/// The version a file says it has, log included, without writing a byte and without SQLite. 0: the file is absent,
/// empty, or was never finished. Throws `storage/not_a_shard` when it belongs to another program,
/// `storage/unavailable` when it cannot be read.
int storedVersion(const QString &file);
/// Throws `storage/newer_version` {found, supported, file} when `file` is of a newer version than this program's.
void refuseNewer(const QString &file, int supported = currentVersion());

/// Brings an open file to the newest version, each step in a transaction of its own, so that a failed upgrade
/// resumes. Throws `storage/newer_version`, `storage/...`.
void upgrade(SqlConnection &connection, const Ladder &ladder = schema::ladder());

} // namespace terrarium::schema
