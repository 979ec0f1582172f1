#pragma once
// Where in a value: a list of map keys and array indexes. Text form: "members.ada[3]", root is "$".
//
// A key that is not a plain identifier is written in brackets with JSON quoting: members["a.b"].

#include <QList>
#include <QString>

#include <optional>
#include <variant>

namespace terrarium {

class Value;

class Path final {
public:
    using Step = std::variant<QString, qsizetype>; ///< key of a map, or index of an array

    Path() = default;
    Path(QList<Step> steps) : m_steps(std::move(steps)) {}

    const QList<Step> &steps() const noexcept { return m_steps; }
    bool isRoot() const noexcept { return m_steps.isEmpty(); }
    qsizetype size() const noexcept { return m_steps.size(); }
    Path child(const QString &key) const;
    Path child(qsizetype index) const;
    Path parent() const; ///< of the root: the root
    bool startsWith(const Path &prefix) const noexcept;

    /// "$" for the root, else without a leading "$.".
    QString toText() const;
    /// Reads toText(), with or without a leading "$" or "$."; nullopt when it is no path.
    static std::optional<Path> fromText(QStringView text);
    /// As a list value: texts and integers. The form used on the wire.
    Value toValue() const;
    static std::optional<Path> fromValue(const Value &value);

    /// The value at this place, or nullptr.
    const Value *find(const Value &root) const noexcept;

    friend bool operator==(const Path &a, const Path &b) noexcept { return a.m_steps == b.m_steps; }
    friend bool operator!=(const Path &a, const Path &b) noexcept { return !(a == b); }
    friend bool operator<(const Path &a, const Path &b) noexcept;
    friend size_t qHash(const Path &path, size_t seed) noexcept;

private:
    QList<Step> m_steps;
};

} // namespace terrarium
