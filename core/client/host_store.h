#pragma once
// What is known about the actors of one host: the newest summary of each. Changes come in one batch a beat.

#include "wire/inspector_messages.h"

#include <QHash>
#include <QObject>

namespace terrarium {

/// What one beat changed. Ids appear in one list only.
struct ActorsBatch {
    bool reset = false; ///< everything may have changed (first list, or another host run)
    QStringList added;
    QStringList changed;
    QStringList removed; ///< already gone from the store
};

class HostStore final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const wire::ActorSummary *actor(const QString &id) const;
    const QHash<QString, wire::ActorSummary> &actors() const { return m_actors; }
    qsizetype size() const { return m_actors.size(); }
    /// True once the first full list came.
    bool isLoaded() const { return m_loaded; }
    /// The actor with this type and key that is not destroyed, or nullptr.
    const wire::ActorSummary *find(const QString &type, const ActorKey &key) const;

    /// Used by the client and by tests.
    void apply(const QList<wire::ActorsChanged> &changes);

Q_SIGNALS:
    void changed(const terrarium::ActorsBatch &batch);

private:
    QHash<QString, wire::ActorSummary> m_actors;
    bool m_loaded = false;
};

} // namespace terrarium
