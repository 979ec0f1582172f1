#pragma once
// The query of a URL: pairs in order, each also as it was written.

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace terrarium {

struct QueryPair {
    QString name;   ///< decoded
    QString value;  ///< decoded; '+' is a space
    QByteArray raw; ///< "name=value" as sent
};

/// Percent-decodes UTF-8; nullopt for broken escapes, invalid UTF-8 or a zero character.
std::optional<QString> percentDecoded(QByteArrayView text, bool plusIsSpace);

class QueryString final {
public:
    /// nullopt when a pair does not decode.
    static std::optional<QueryString> parse(QByteArrayView query);

    const QList<QueryPair> &pairs() const { return m_pairs; }
    bool contains(QStringView name) const { return find(name) != nullptr; }
    /// The first value of that name, or an empty text.
    QString value(QStringView name) const;
    /// The pairs whose names do not start with `prefix`, byte for byte and in order.
    QByteArray without(QStringView prefix) const;

private:
    const QueryPair *find(QStringView name) const;

    QList<QueryPair> m_pairs;
};

} // namespace terrarium
