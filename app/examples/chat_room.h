#pragma once
// A room with members and messages. Shows: connections and their hooks, events, keep-awake, work that waits,
// and a schedule that tidies up.

#include <terrarium/terrarium.h>

namespace terrarium::examples {

struct Cursor {
    int x = 0;
    int y = 0;
    ACTOR_FIELDS(Cursor, x, y)
};

struct Member {
    Cursor cursor;
    QString name;
    bool isTyping = false;
    ACTOR_FIELDS(Member, cursor, name, isTyping)
};

struct Message {
    QString from;
    QString text;
    qint64 at = 0;
    ACTOR_FIELDS(Message, from, text, at)
};

struct ChatRoomState {
    QString title = QStringLiteral("Lobby");
    QMap<QString, Member> members;
    QList<Message> messages;
    int turn = 0;
    ACTOR_FIELDS(ChatRoomState, title, members, messages, turn)
};

class ChatRoom : public Actor<ChatRoomState> {
public:
    using Actor::Actor;
    static constexpr Event<QString, QString> said{"said"};
    static constexpr Event<QString> joined{"joined"};
    static constexpr Event<QString> left{"left"};

    static constexpr qsizetype keptMessages = 40;

    void onCreate() { every("prune", std::chrono::minutes(1), &ChatRoom::prune); }
    void onConnect(const ConnectionInfo &connection)
    {
        if (const QString name = connection.params["name"].toText(); !name.isEmpty())
            join(name);
    }
    void onDisconnect(const ConnectionInfo &connection)
    {
        if (const QString name = connection.params["name"].toText(); state().members.contains(name))
            leave(name);
    }

    void join(const QString &name)
    {
        if (name.isEmpty())
            throw Error(QStringLiteral("chat"), QStringLiteral("no_name"), QStringLiteral("a member needs a name"));
        Member member;
        member.name = name;
        state().members.insert(name, member);
        broadcast(joined, name);
    }
    void leave(const QString &name)
    {
        checkMember(name);
        state().members.remove(name);
        broadcast(left, name);
    }
    void move(const QString &name, int x, int y)
    {
        checkMember(name);
        state().members[name].cursor.x = x;
        state().members[name].cursor.y = y;
    }
    void setTitle(const QString &title) { state().title = title; }
    qsizetype say(const QString &name, const QString &text)
    {
        checkMember(name);
        state().messages.append(Message{name, text, nowMs()});
        broadcast(said, name, text);
        return state().messages.size();
    }
    /// Thinks for a while before it answers; the room stays awake meanwhile.
    Task<QString> ask(QString question)
    {
        const int turn = ++state().turn;
        const KeepAwake awake = keepAwake(QStringLiteral("turn %1").arg(turn));
        co_await delay(std::chrono::seconds(3));
        const QString answer = QStringLiteral("I thought about \"%1\" for three seconds.").arg(question);
        state().messages.append(Message{QStringLiteral("room"), answer, nowMs()}); // read state() again after waiting
        broadcast(said, QStringLiteral("room"), answer);
        co_return answer;
    }
    QList<Message> history(std::optional<int> last) const
    {
        const qsizetype count = std::clamp<qsizetype>(last.value_or(20), 0, state().messages.size());
        return state().messages.mid(state().messages.size() - count);
    }
    void prune()
    {
        const qsizetype tooMany = state().messages.size() - keptMessages;
        if (tooMany > 0)
            state().messages.remove(0, tooMany);
    }

    static auto type()
    {
        return ActorType<ChatRoom>("chatRoom")
            .action("join", &ChatRoom::join, {"name"})
            .action("leave", &ChatRoom::leave, {"name"})
            .action("say", &ChatRoom::say, {"name", "text"})
            .help("Adds a message and tells everybody. Answers how many messages are kept.")
            .action("move", &ChatRoom::move, {"name", "x", "y"})
            .help("Moves a member's cursor. Answers when the move is saved.")
            .action("setTitle", &ChatRoom::setTitle, {"title"})
            .action("ask", &ChatRoom::ask, {"question"})
            .help("Thinks for three seconds and stays awake meanwhile.")
            .action("history", &ChatRoom::history, {"last"})
            .action("prune", &ChatRoom::prune)
            .event(said)
            .event(joined)
            .event(left);
    }

private:
    void checkMember(const QString &name) const
    {
        if (!state().members.contains(name))
            throw Error(QStringLiteral("chat"), QStringLiteral("not_member"),
                        QStringLiteral("%1 is not in this room").arg(name));
    }
};

} // namespace terrarium::examples
