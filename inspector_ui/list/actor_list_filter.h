#pragma once
// The filter language of the actor list: "type:chatRoom key:/^dev/ -status:destroyed queue>10 OR why:connection".
//
//   query = or ;  or = and { "OR" and } ;  and = unary { unary } ;  unary = [ "-" ] ( "(" query ")" | term ) ;
//   term  = field ":" value { "," value } | field op number [ unit ] | "/" regex "/" | word | quoted
//
// Bare words look in type and key. Case counts only when a capital was typed. Regular expressions have a step
// limit, so that no pattern can stall the window. Parsing never throws: a text that is no query gives an error in
// words, with its place and, where there is a near miss, what was probably meant.

#include "wire/inspector_messages.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace terrarium::ui {

struct FilterError {
    int position = 0;
    int length = 0;
    QString text;       ///< "“status:runing”: no such status."
    QString suggestion; ///< "running", or empty
    QString whole() const;
};

class ActorListFilter final {
public:
    ActorListFilter() = default;
    static ActorListFilter parse(const QString &text);

    const QString &text() const { return m_text; }
    bool isEmpty() const { return !m_root; }
    const std::optional<FilterError> &error() const { return m_error; }
    /// True when the answer changes with time alone: idle, age, next.
    bool usesTime() const { return m_usesTime; }
    bool hasWords() const { return m_hasWords; }

    /// `fuzzy`: bare words match as a subsequence too. Used when nothing matches exactly.
    bool matches(const wire::ActorSummary &actor, const QString &host, qint64 now, bool fuzzy = false) const;
    /// The parts joined by "and" at the top, each as typed, to say which one hides the most.
    struct Part {
        QString text;
        std::shared_ptr<const ActorListFilter> filter;
    };
    QList<Part> parts() const;

    static const QStringList &fields();
    static bool isNumber(const QString &field); ///< compared with > and <
    /// Values a field can have, where they are known in advance.
    static QStringList values(const QString &field);

    struct Node;

private:
    QString m_text;
    std::shared_ptr<const Node> m_root;
    std::optional<FilterError> m_error;
    bool m_usesTime = false;
    bool m_hasWords = false;
};

} // namespace terrarium::ui
