#pragma once
// The key of an actor: an ordered list of text segments. With the type it names one actor.
//
// Text ("slash") form, used in lists, on the command line and on the wire: segments joined by '/';
// inside a segment '\' and '/' are escaped by '\'; an empty segment is written '\0'; the empty key is "/".
// Source: RivetKit's management API (key field).

#include <QString>
#include <QStringList>

#include <optional>

namespace terrarium {

class ActorKey final {
public:
    ActorKey() = default;
    ActorKey(QStringList segments) : m_segments(std::move(segments)) {}
    ActorKey(const QString &segment) : m_segments{segment} {}
    ActorKey(const char *segment) : m_segments{QString::fromUtf8(segment)} {}

    const QStringList &segments() const noexcept { return m_segments; }
    bool isEmpty() const noexcept { return m_segments.isEmpty(); }

    /// The slash form. Two keys are equal exactly when their texts are.
    QString toText() const;
    /// Reads the slash form; a dangling or unknown escape gives nullopt.
    static std::optional<ActorKey> fromText(QStringView text);
    /// For people: the segments as a JSON list when plain text would be ambiguous, else the slash form.
    QString display() const;

    friend bool operator==(const ActorKey &a, const ActorKey &b) noexcept { return a.m_segments == b.m_segments; }
    friend bool operator!=(const ActorKey &a, const ActorKey &b) noexcept { return !(a == b); }
    friend size_t qHash(const ActorKey &key, size_t seed = 0) noexcept { return qHash(key.m_segments, seed); }

private:
    QStringList m_segments;
};

} // namespace terrarium
