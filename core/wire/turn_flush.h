#pragma once
// Collects everything that has bytes for a socket during one event-loop turn and writes it at the turn's end:
// one write per socket and turn, however many replies and events it got.

#include <QtGlobal>

#include <functional>
#include <vector>

namespace terrarium {

/// Lives in the host thread.
class TurnFlush final {
public:
    /// Something that holds bytes back until the end of the turn. Destroying it takes it off the list.
    class Member {
    public:
        Member() = default;
        Member(const Member &) = delete;
        Member &operator=(const Member &) = delete;

    protected:
        virtual ~Member();
        /// Called once for every turn in which mark() was called.
        virtual void flushTurn() = 0;

    private:
        friend class TurnFlush;
        TurnFlush *m_list = nullptr;
        qsizetype m_place = -1;
    };

    /// `turnNeeded` is called when the first member of a turn is marked; it must see to it that the turn ends
    /// and flush() is called.
    explicit TurnFlush(std::function<void()> turnNeeded = {}) : m_turnNeeded(std::move(turnNeeded)) {}
    ~TurnFlush();
    TurnFlush(const TurnFlush &) = delete;
    TurnFlush &operator=(const TurnFlush &) = delete;

    void mark(Member &member);
    /// Flushes every marked member, in the order they were marked, those marked meanwhile included.
    void flush();

private:
    std::vector<Member *> m_marked;
    std::function<void()> m_turnNeeded;
};

} // namespace terrarium
