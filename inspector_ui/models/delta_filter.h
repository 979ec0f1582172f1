#pragma once
// The filter above the list of changes: words and path:, cause:, op:, bytes:, all of which must hold.
//
// A term with '-' in front must not hold. bytes takes >, <, >=, <= and units B, K, M.

#include "client/actor_feed.h"

#include <QString>

namespace terrarium::ui {

class DeltaFilter final {
public:
    DeltaFilter() = default;
    /// Never fails: what is no term is a word. `problem()` says what was odd.
    explicit DeltaFilter(const QString &text);

    bool isEmpty() const { return m_terms.isEmpty(); }
    bool matches(const FeedDelta &delta) const;
    /// Empty when all is well, else for people: "bytes: needs a number, for example bytes:>1K".
    const QString &problem() const { return m_problem; }

private:
    struct Term {
        enum Kind { Word, PathIs, CauseIs, OpIs, Bytes } kind = Word;
        bool negated = false;
        QString text;
        QChar compare = QLatin1Char('=');
        qint64 bytes = 0;
    };
    static bool holds(const Term &term, const FeedDelta &delta);

    QList<Term> m_terms;
    QString m_problem;
};

/// Encoded size of a delta's operations: what it cost on the wire.
qint64 deltaBytes(const wire::DeltaRecord &delta);

} // namespace terrarium::ui
