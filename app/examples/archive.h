#pragma once
// Keeps notes and sleeps after five seconds. Shows: a sleeping actor is readable without waking it.

#include <terrarium/terrarium.h>

namespace terrarium::examples {

struct ArchiveState {
    QMap<QString, QString> notes;
    qint64 storedAt = 0;
    ACTOR_FIELDS(ArchiveState, notes, storedAt)
};

class Archive : public Actor<ArchiveState> {
public:
    using Actor::Actor;

    qsizetype store(const QString &name, const QString &text)
    {
        state().notes.insert(name, text);
        state().storedAt = nowMs();
        return state().notes.size();
    }
    std::optional<QString> find(const QString &name) const
    {
        const auto at = state().notes.constFind(name);
        return at == state().notes.constEnd() ? std::nullopt : std::optional<QString>(*at);
    }
    bool remove(const QString &name) { return state().notes.remove(name) > 0; }

    static auto type()
    {
        return ActorType<Archive>("archive")
            .action("store", &Archive::store, {"name", "text"})
            .action("find", &Archive::find, {"name"})
            .action("remove", &Archive::remove, {"name"})
            .sleepTimeout(std::chrono::seconds(5));
    }
};

} // namespace terrarium::examples
