// Never built: each marked line must not compile, and the compiler must say the marked words on that line's account.
// misuse.cmake compiles this file and looks.

#include <terrarium/terrarium.h>

using namespace terrarium;

struct MisuseState {
    int count = 0;
    ACTOR_FIELDS(MisuseState, count)
};

class Misuser : public Actor<MisuseState> {
public:
    using Actor::Actor;
    static constexpr Event<int> changed{"changed"};

    void add(int by) { state().count += by; }
    void assignsInAQuery() const
    {
        state().count = 1; // EXPECT: cannot assign
    }
    void broadcastsTheWrongType()
    {
        broadcast(changed, QStringLiteral("one")); // EXPECT: does not fit the type the event declares
    }
    void broadcastsTooMuch()
    {
        broadcast(changed, 1, 2); // EXPECT: this event has another number of arguments
    }
    void schedulesWithTooFew()
    {
        after(std::chrono::seconds(1), &Misuser::add); // EXPECT: this action has another number of arguments
    }
    void callsWhatIsNotThere()
    {
        after(std::chrono::seconds(1), &Misuser::subtract, 1); // EXPECT: no member named 'subtract'
    }
    void broadcastsInAQuery() const
    {
        broadcast(changed, 1); // EXPECT: no matching member function|discards qualifiers|not marked const
    }
};
