#pragma once
// The one exception type: what went wrong, as data that survives every hop.
//
// `group` and `code` identify the error for programs ("actor", "action_not_found"); `message` names the
// thing and the value for people; `metadata` carries details by name. The record crosses queues, the
// wire and disk unchanged and is never flattened to text on the way.

#include <terrarium/value.h>

#include <QString>

#include <exception>
#include <optional>

namespace terrarium {

/// Which actor an error belongs to. Attached by the layer that knows it; the first one attached stays.
struct ActorIdentity {
    ActorIdentity() = default;
    ActorIdentity(QString actorId, quint32 generation, QString key)
        : actorId(std::move(actorId)),
          generation(generation),
          key(std::move(key))
    {}

    QString actorId;
    quint32 generation = 0;
    QString key; ///< slash form
};

class Error final : public std::exception {
public:
    Error(QString group, QString code, QString message, Value metadata = {});

    /// `core/internal_error` for anything that is not an Error; the text goes into metadata {error}.
    static Error fromException(const std::exception_ptr &exception) noexcept;
    static Error internal(const QString &text);

    const QString &group() const noexcept { return m_group; }
    const QString &code() const noexcept { return m_code; }
    const QString &message() const noexcept { return m_message; }
    /// A map, or Null when there is none.
    const Value &metadata() const noexcept { return m_metadata; }
    const std::optional<ActorIdentity> &actor() const noexcept { return m_actor; }
    /// A copy that names `actor`, unless one was attached already.
    Error withActor(ActorIdentity actor) const;

    bool is(QLatin1String group, QLatin1String code) const noexcept { return m_group == group && m_code == code; }
    /// "group/code: message"
    QString text() const;
    const char *what() const noexcept override { return m_what.constData(); }

    friend bool operator==(const Error &a, const Error &b) noexcept
    {
        return a.m_group == b.m_group && a.m_code == b.m_code && a.m_message == b.m_message
               && a.m_metadata == b.m_metadata;
    }

private:
    QString m_group;
    QString m_code;
    QString m_message;
    Value m_metadata;
    std::optional<ActorIdentity> m_actor;
    QByteArray m_what;
};

} // namespace terrarium
