#include "actor/outbox.h"

#include <algorithm>

namespace terrarium {

void Outbox::event(const std::shared_ptr<ActorConnection> &connection, const QString &name, const Value &args,
                   const std::shared_ptr<QByteArray> &sharedFrame, quint64 mark, quint64 durable)
{
    if (mark <= durable && connection->m_heldUntil <= durable) {
        if (connection->m_outlet != nullptr)
            connection->m_outlet->event(name, args, sharedFrame);
        return;
    }
    hold(Held(connection, mark, Event(name, args, sharedFrame)));
}

void Outbox::reply(const std::shared_ptr<ActorConnection> &connection, ActionReply &&reply, ActionOutcome &&outcome,
                   quint64 mark, quint64 durable)
{
    if (mark <= durable && (!connection || connection->m_heldUntil <= durable)) {
        reply(std::move(outcome));
        return;
    }
    hold(Held(connection, mark, Reply(std::move(reply), std::move(outcome))));
}

void Outbox::hold(Held &&held)
{
    if (held.connection) {
        held.mark = std::max(held.mark, held.connection->m_heldUntil);
        held.connection->m_heldUntil = held.mark;
    }
    if (!m_held)
        m_held = std::make_unique<std::vector<Held>>();
    m_held->push_back(std::move(held));
}

void Outbox::send(Held &held)
{
    if (auto *reply = std::get_if<Reply>(&held.what)) {
        reply->reply(std::move(reply->outcome));
        return;
    }
    auto &event = std::get<Event>(held.what);
    if (ConnectionOutlet *outlet = held.connection->m_outlet)
        outlet->event(event.name, event.args, event.sharedFrame);
}

void Outbox::release(quint64 durable)
{
    if (!m_held)
        return;
    // What is sent may lead to more being held, so the list is taken apart before anything leaves.
    const auto isDue = [durable](const Held &held) { return held.mark <= durable; };
    std::vector<Held> due;
    if (std::all_of(m_held->begin(), m_held->end(), isDue)) {
        due = std::move(*m_held);
        m_held.reset();
    } else {
        const auto rest = std::stable_partition(m_held->begin(), m_held->end(), isDue);
        due.assign(std::make_move_iterator(m_held->begin()), std::make_move_iterator(rest));
        m_held->erase(m_held->begin(), rest);
    }
    for (Held &held : due)
        send(held);
}

void Outbox::fail(quint64 revision, const Error &error)
{
    if (!m_held)
        return;
    const auto leaves = [revision](const Held &held) {
        return held.mark <= revision && std::holds_alternative<Reply>(held.what);
    };
    std::vector<Held> due;
    const auto rest =
        std::stable_partition(m_held->begin(), m_held->end(), [&](const Held &held) { return !leaves(held); });
    due.assign(std::make_move_iterator(rest), std::make_move_iterator(m_held->end()));
    m_held->erase(rest, m_held->end());
    // What comes later need not wait for events that nobody knows the time of.
    for (const Held &held : *m_held) {
        if (held.connection)
            held.connection->m_heldUntil = 0;
    }
    for (const Held &held : *m_held) {
        if (held.connection && held.mark > revision)
            held.connection->m_heldUntil = std::max(held.connection->m_heldUntil, held.mark);
    }
    if (m_held->empty())
        m_held.reset();
    for (Held &held : due) {
        if (held.connection && held.connection->m_heldUntil <= revision)
            held.connection->m_heldUntil = 0;
        auto &reply = std::get<Reply>(held.what);
        if (held.ownMark > 0 && std::holds_alternative<Value>(reply.outcome.result))
            reply.outcome.result = error;
        send(held);
    }
}

void Outbox::abandon(const Error &error)
{
    while (m_held) {
        std::vector<Held> left = std::move(*m_held);
        m_held.reset();
        for (Held &held : left) {
            auto *reply = std::get_if<Reply>(&held.what);
            if (reply == nullptr)
                continue;
            if (std::holds_alternative<Value>(reply->outcome.result))
                reply->outcome.result = error;
            send(held);
        }
    }
}

void Outbox::numberChanges(quint64 after, quint64 upTo, quint64 sequence)
{
    if (!m_held)
        return;
    for (Held &held : *m_held) {
        if (held.ownMark <= after || held.ownMark > upTo)
            continue;
        if (auto *reply = std::get_if<Reply>(&held.what)) {
            if (reply->outcome.firstSequence == 0)
                reply->outcome.firstSequence = sequence;
            reply->outcome.lastSequence = sequence;
        }
    }
}

} // namespace terrarium
