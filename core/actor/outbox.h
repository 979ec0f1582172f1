#pragma once
// What an actor says to clients, held back until the change it tells of is durable.
//
// Everything that leaves carries a mark: the save revision it waits for (0: none). What waits for nothing leaves at
// once, except behind something held for the same connection: the order of one connection never changes. When a save
// is durable, everything up to its mark leaves in the order in which it came.

#include "actor/inboxes.h"

#include <terrarium/error.h>

#include <memory>
#include <vector>

namespace terrarium {

class Outbox final {
public:
    Outbox() = default;
    Outbox(const Outbox &) = delete;
    Outbox &operator=(const Outbox &) = delete;

    bool isEmpty() const noexcept { return !m_held; }
    std::size_t size() const noexcept { return m_held ? m_held->size() : 0; }

    void event(const std::shared_ptr<ActorConnection> &connection, const QString &name, const Value &args,
               const std::shared_ptr<QByteArray> &sharedFrame, quint64 mark, quint64 durable);
    /// `connection` may be null: then it waits for its own mark only.
    void reply(const std::shared_ptr<ActorConnection> &connection, ActionReply &&reply, ActionOutcome &&outcome,
               quint64 mark, quint64 durable);

    /// Saves up to `durable` succeeded.
    void release(quint64 durable);
    /// Saves up to `revision` failed: replies leave, those that told of a success turned into `error`. Events stay
    /// until a later save makes true what they tell, and are overtaken meanwhile.
    void fail(quint64 revision, const Error &error);
    /// Nothing will be saved any more: replies that wait answer `error`, events are dropped.
    void abandon(const Error &error);

    /// Replies that wait for one of the revisions after `after` up to `upTo` made the change `sequence`: known only
    /// now that the state was encoded.
    void numberChanges(quint64 after, quint64 upTo, quint64 sequence);

private:
    struct Event {
        Event(QString name, Value args, std::shared_ptr<QByteArray> sharedFrame)
            : name(std::move(name)),
              args(std::move(args)),
              sharedFrame(std::move(sharedFrame))
        {}

        QString name;
        Value args;
        std::shared_ptr<QByteArray> sharedFrame;
    };
    struct Reply {
        Reply(ActionReply &&reply, ActionOutcome &&outcome) : reply(std::move(reply)), outcome(std::move(outcome)) {}

        ActionReply reply;
        ActionOutcome outcome;
    };
    struct Held {
        Held(std::shared_ptr<ActorConnection> connection, quint64 mark, std::variant<Event, Reply> what)
            : connection(std::move(connection)),
              ownMark(mark),
              mark(mark),
              what(std::move(what))
        {}

        std::shared_ptr<ActorConnection> connection;
        quint64 ownMark; ///< of its own changes
        quint64 mark;    ///< and of what goes before it
        std::variant<Event, Reply> what;
    };

    void hold(Held &&held);
    static void send(Held &held);

    std::unique_ptr<std::vector<Held>> m_held; // marks never fall within one connection
};

} // namespace terrarium
