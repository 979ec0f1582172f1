#pragma once
// Makes the writes of one event-loop turn durable together.
//
// Units are added during the turn; commitTurn() runs all of them in one transaction. With Durability::Process that
// happens at once, on the calling thread. With Durability::Power they go to the storage thread, which takes
// everything that queued up while its last commit ran into the next one. Either way the callbacks run on the host
// thread, in the order of the units. When the transaction fails the units are tried one by one, so that one that
// cannot be written (a fenced-off incarnation) fails alone. A file that another program is writing to is waited for, up
// to two seconds; what is pending then waits too, and the host thread does not stand still.

#include "async/environment.h"
#include "storage/durability.h"
#include "storage/sql.h"
#include "storage/stored_actor.h"

#include <functional>
#include <memory>
#include <vector>

namespace terrarium {

/// One statement of a unit.
struct SqlWrite {
    enum class Expect {
        Any,    ///< however many rows it changes
        OneRow, ///< exactly one, else `storage/lost_row`: the data is not what the program believes
        Fence,  ///< exactly one, else `storage/stale_generation`
    };
    SqlWrite(const char *sql, QVariantList values, Expect expect = Expect::Any)
        : sql(sql),
          values(std::move(values)),
          expect(expect)
    {}

    const char *sql; ///< a constant: its address names the prepared statement
    QVariantList values;
    Expect expect;
};

/// Writes that become durable together or not at all.
struct CommitUnit {
    std::vector<SqlWrite> writes;
    CommitDone done; ///< may be empty
    QString subject; ///< named in errors: an actor's id
};

class CommitGroup final {
public:
    /// `connection` belongs to the calling (host) thread; Power opens one of its own beside it.
    CommitGroup(Environment &environment, SqlConnection &connection, Durability durability);
    CommitGroup(const CommitGroup &) = delete;
    CommitGroup &operator=(const CommitGroup &) = delete;
    /// Drops what is waiting; the storage thread ends the commit it is in.
    ~CommitGroup();

    void add(CommitUnit unit);
    void commitTurn();
    /// Nothing waits and nothing is under way.
    bool isSettled() const noexcept;
    /// Blocks until everything added so far is durable or has failed, callbacks included.
    void flush();

    /// Called before each transaction is put together: the last chance to add.
    std::function<void()> beforeCommit;
    /// Called after each transaction with the number of pages in the write-ahead log.
    std::function<void(int logPages)> committed;
    /// While held, turns pile up instead of being committed.
    void setHeld(bool held);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace terrarium
