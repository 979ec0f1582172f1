#include "list/actor_list_filter.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <vector>

namespace terrarium::ui {

namespace {

QString filterTr(const char *text)
{
    return QCoreApplication::translate("ActorListFilter", text);
}

/// One thing to look for in a text.
struct FilterPattern {
    enum Kind { Any, Text, Regex } kind = Text;
    QString text;
    Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive;
    QRegularExpression regex;

    static FilterPattern ofText(const QString &text)
    {
        FilterPattern pattern;
        pattern.text = text;
        pattern.sensitivity = text.toLower() == text ? Qt::CaseInsensitive : Qt::CaseSensitive;
        return pattern;
    }
    static FilterPattern any()
    {
        FilterPattern pattern;
        pattern.kind = Any;
        return pattern;
    }
    /// The step limit keeps a pattern such as (a+)+b from running for minutes.
    static FilterPattern ofRegex(const QString &source)
    {
        FilterPattern pattern;
        pattern.kind = Regex;
        pattern.text = source;
        pattern.regex.setPattern(QStringLiteral("(*LIMIT_MATCH=20000)(*NO_JIT)") + source);
        if (source.toLower() == source)
            pattern.regex.setPatternOptions(QRegularExpression::CaseInsensitiveOption);
        return pattern;
    }

    bool contains(const QString &in) const
    {
        switch (kind) {
        case Any: return !in.isEmpty();
        case Text: return in.contains(text, sensitivity);
        case Regex: return regex.match(in).hasMatch();
        }
        return false;
    }
    bool equals(const QString &in) const { return kind == Text ? in.compare(text, sensitivity) == 0 : contains(in); }
    bool starts(const QString &in) const { return kind == Text ? in.startsWith(text, sensitivity) : contains(in); }
    bool fuzzy(const QString &in) const
    {
        if (kind != Text)
            return contains(in);
        qsizetype at = 0;
        for (QChar c : text) {
            at = in.indexOf(c, at, sensitivity);
            if (at < 0)
                return false;
            ++at;
        }
        return true;
    }
};

int filterDistance(const QString &a, const QString &b)
{
    std::vector<int> row(size_t(b.size()) + 1);
    for (size_t j = 0; j < row.size(); ++j)
        row[j] = int(j);
    for (int i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= b.size(); ++j) {
            const int up = row[size_t(j)];
            const bool same = a[i - 1].toLower() == b[j - 1].toLower();
            row[size_t(j)] = std::min({row[size_t(j)] + 1, row[size_t(j) - 1] + 1, diagonal + (same ? 0 : 1)});
            diagonal = up;
        }
    }
    return row.back();
}

QString filterNearest(const QString &wrong, const QStringList &known)
{
    QString best;
    int bestDistance = std::max<int>(2, int(wrong.size()) / 3) + 1;
    for (const QString &word : known) {
        const int distance = filterDistance(wrong, word);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = word;
        }
    }
    return best;
}

const QStringList &filterTextFields()
{
    static const QStringList fields{QStringLiteral("type"),  QStringLiteral("key"),      QStringLiteral("status"),
                                    QStringLiteral("id"),    QStringLiteral("host"),     QStringLiteral("why"),
                                    QStringLiteral("error"), QStringLiteral("workflow"), QStringLiteral("has")};
    return fields;
}

const QStringList &filterNumberFields()
{
    static const QStringList fields{QStringLiteral("rate"),    QStringLiteral("idle"),  QStringLiteral("age"),
                                    QStringLiteral("changed"), QStringLiteral("queue"), QStringLiteral("conns"),
                                    QStringLiteral("size"),    QStringLiteral("next"),  QStringLiteral("errors")};
    return fields;
}

bool filterFieldIsTime(const QString &field)
{
    return field == QLatin1String("idle") || field == QLatin1String("age") || field == QLatin1String("changed")
           || field == QLatin1String("next");
}

const QStringList &filterStatusWords()
{
    static const QStringList words = [] {
        QStringList list;
        for (int i = 0; i <= int(wire::ActorStatus::unknown); ++i)
            list.append(wire::statusName(wire::ActorStatus(i)));
        return list
               + QStringList{QStringLiteral("awake"), QStringLiteral("asleep"), QStringLiteral("busy"),
                             QStringLiteral("dead"), QStringLiteral("grace")};
    }();
    return words;
}

bool filterStatusMatches(const QString &word, const wire::ActorSummary &actor)
{
    using S = wire::ActorStatus;
    const S s = actor.status;
    const auto is = [&](const char *name) { return word.compare(QLatin1String(name), Qt::CaseInsensitive) == 0; };
    if (is("awake"))
        return s == S::loading || s == S::starting || s == S::running || s == S::sleepGrace;
    if (is("asleep"))
        return s == S::sleeping;
    if (is("busy"))
        return s == S::running && !actor.blockers.isEmpty();
    if (is("dead"))
        return s == S::destroyed || s == S::crashed;
    if (is("grace"))
        return s == S::sleepGrace || s == S::destroyGrace;
    return wire::statusName(s).compare(word, Qt::CaseInsensitive) == 0;
}

} // namespace

struct ActorListFilter::Node {
    enum Kind { And, Or, Not, Word, Field, Number } kind = Word;
    std::vector<std::shared_ptr<const Node>> children;
    QString field;
    std::vector<FilterPattern> patterns;
    QString op;
    double number = 0;
    int begin = 0;
    int end = 0;

    bool matches(const wire::ActorSummary &a, const QString &host, qint64 now, bool fuzzy) const
    {
        switch (kind) {
        case And:
            return std::all_of(children.begin(), children.end(),
                               [&](const auto &c) { return c->matches(a, host, now, fuzzy); });
        case Or:
            return std::any_of(children.begin(), children.end(),
                               [&](const auto &c) { return c->matches(a, host, now, fuzzy); });
        case Not: return !children.front()->matches(a, host, now, fuzzy);
        case Word: {
            const QString name = a.type + QLatin1Char('/') + a.key.toText();
            return patterns.front().contains(name) || (fuzzy && patterns.front().fuzzy(name));
        }
        case Field:
            return std::any_of(patterns.begin(), patterns.end(),
                               [&](const auto &p) { return matchesField(p, a, host); });
        case Number: return matchesNumber(a, now);
        }
        return false;
    }

    bool matchesField(const FilterPattern &p, const wire::ActorSummary &a, const QString &host) const
    {
        if (field == QLatin1String("type"))
            return p.contains(a.type);
        if (field == QLatin1String("key"))
            return p.contains(a.key.toText());
        if (field == QLatin1String("id"))
            return p.contains(a.id);
        if (field == QLatin1String("host"))
            return p.contains(host);
        if (field == QLatin1String("status"))
            return p.kind == FilterPattern::Text ? filterStatusMatches(p.text, a)
                                                 : p.contains(wire::statusName(a.status));
        if (field == QLatin1String("why")) {
            return std::any_of(a.blockers.begin(), a.blockers.end(),
                               [&](const wire::Blocker &b) { return p.starts(b.kind) || p.contains(b.label); });
        }
        if (field == QLatin1String("error")) {
            return a.lastError
                   && (p.kind == FilterPattern::Any
                       || p.contains(a.lastError->group + QLatin1Char('/') + a.lastError->code)
                       || p.contains(a.lastError->message));
        }
        if (field == QLatin1String("workflow"))
            return a.hasWorkflow;
        if (field == QLatin1String("has")) {
            return (a.hasState && p.equals(QStringLiteral("state")))
                   || (a.hasDatabase && p.equals(QStringLiteral("database")))
                   || (a.hasWorkflow && p.equals(QStringLiteral("workflow")))
                   || (a.queueCapacity > 0 && p.equals(QStringLiteral("queue")))
                   || (a.schedules > 0 && p.equals(QStringLiteral("schedule")))
                   || (a.connections > 0 && p.equals(QStringLiteral("connections")))
                   || (a.lastError && p.equals(QStringLiteral("error")));
        }
        return false;
    }

    bool matchesNumber(const wire::ActorSummary &a, qint64 now) const
    {
        double value = 0;
        if (field == QLatin1String("rate"))
            value = a.rate;
        else if (field == QLatin1String("queue"))
            value = a.queueSize;
        else if (field == QLatin1String("conns"))
            value = a.connections;
        else if (field == QLatin1String("size"))
            value = double(a.stateBytes);
        else if (field == QLatin1String("errors"))
            value = a.errors5m;
        else if (field == QLatin1String("age"))
            value = double(now - a.createdAt);
        else if (field == QLatin1String("next")) {
            if (a.nextAlarmAt <= 0)
                return false;
            value = double(a.nextAlarmAt - now);
        } else {
            if (a.lastActivityAt <= 0)
                return false;
            value = double(now - a.lastActivityAt);
        }
        if (op == QLatin1String(">"))
            return value > number;
        if (op == QLatin1String(">="))
            return value >= number;
        if (op == QLatin1String("<"))
            return value < number;
        return value <= number;
    }
};

namespace {

using FilterNode = ActorListFilter::Node;

class FilterParser final {
public:
    explicit FilterParser(const QString &text) : m_text(text) {}

    std::shared_ptr<const FilterNode> parse()
    {
        skipSpace();
        if (atEnd())
            return {};
        auto root = parseOr(0);
        skipSpace();
        if (!error && !atEnd()) {
            if (m_text[m_at] == QLatin1Char(')'))
                fail(m_at, 1, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "this parenthesis closes nothing.")));
            else
                fail(m_at, 1, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "not expected here.")));
        }
        return error ? nullptr : root;
    }

    std::optional<FilterError> error;
    bool usesTime = false;
    bool hasWords = false;

private:
    bool atEnd() const { return m_at >= m_text.size(); }
    void skipSpace()
    {
        while (!atEnd() && m_text[m_at].isSpace())
            ++m_at;
    }
    void fail(qsizetype at, qsizetype length, const QString &what, const QString &suggestion = {})
    {
        if (error)
            return;
        error =
            FilterError{int(at), int(length), QStringLiteral("“%1”: %2").arg(m_text.mid(at, length), what), suggestion};
    }
    bool atOr() const
    {
        return m_text.mid(m_at, 2) == QLatin1String("OR")
               && (m_at + 2 >= m_text.size() || m_text[m_at + 2].isSpace() || m_text[m_at + 2] == QLatin1Char('('));
    }

    std::shared_ptr<const FilterNode> parseOr(int depth)
    {
        auto node = std::make_shared<FilterNode>();
        node->kind = FilterNode::Or;
        node->begin = int(m_at);
        for (;;) {
            auto part = parseAnd(depth);
            if (error)
                return nullptr;
            node->children.push_back(std::move(part));
            skipSpace();
            if (atEnd() || !atOr())
                break;
            const qsizetype at = m_at;
            m_at += 2;
            skipSpace();
            if (atEnd() || m_text[m_at] == QLatin1Char(')')) {
                fail(at, 2, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "nothing follows OR.")));
                return nullptr;
            }
        }
        node->end = int(m_at);
        return node->children.size() == 1 ? node->children.front() : node;
    }

    std::shared_ptr<const FilterNode> parseAnd(int depth)
    {
        auto node = std::make_shared<FilterNode>();
        node->kind = FilterNode::And;
        node->begin = int(m_at);
        skipSpace();
        if (!atEnd() && atOr())
            fail(m_at, 2, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "nothing stands before OR.")));
        while (!error && !atEnd() && m_text[m_at] != QLatin1Char(')') && !atOr()) {
            node->children.push_back(parseUnary(depth));
            skipSpace();
        }
        if (error)
            return nullptr;
        if (node->children.empty()) {
            fail(std::max<qsizetype>(0, m_at - 1), 1,
                 filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "nothing stands in these parentheses.")));
            return nullptr;
        }
        node->end = int(m_at);
        return node->children.size() == 1 ? node->children.front() : node;
    }

    std::shared_ptr<const FilterNode> parseUnary(int depth)
    {
        const qsizetype begin = m_at;
        if (depth > 100) {
            fail(m_at, 1, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "too many parentheses inside each other.")));
            return nullptr;
        }
        if (m_text[m_at] == QLatin1Char('-')) {
            ++m_at;
            if (atEnd() || m_text[m_at].isSpace()) {
                fail(begin, 1, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "nothing follows the minus sign.")));
                return nullptr;
            }
            auto node = std::make_shared<FilterNode>();
            node->kind = FilterNode::Not;
            node->begin = int(begin);
            const bool words = hasWords;
            node->children.push_back(parseUnary(depth + 1));
            hasWords = words; // an excluded word is never guessed at
            node->end = int(m_at);
            return error ? nullptr : node;
        }
        if (m_text[m_at] == QLatin1Char('(')) {
            ++m_at;
            auto node = parseOr(depth + 1);
            skipSpace();
            if (!error && (atEnd() || m_text[m_at] != QLatin1Char(')')))
                fail(begin, 1, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "this parenthesis is not closed.")));
            ++m_at;
            return error ? nullptr : node;
        }
        return parseTerm();
    }

    /// A word ends at a space, a parenthesis or a comma.
    QString readWord(bool inValues)
    {
        const qsizetype begin = m_at;
        while (!atEnd() && !m_text[m_at].isSpace() && m_text[m_at] != QLatin1Char('(')
               && m_text[m_at] != QLatin1Char(')') && !(inValues && m_text[m_at] == QLatin1Char(',')))
            ++m_at;
        return m_text.mid(begin, m_at - begin);
    }

    std::optional<FilterPattern> parsePattern(bool inValues)
    {
        const qsizetype begin = m_at;
        if (m_text[m_at] == QLatin1Char('"')) {
            QString text;
            ++m_at;
            while (!atEnd() && m_text[m_at] != QLatin1Char('"')) {
                if (m_text[m_at] == QLatin1Char('\\') && m_at + 1 < m_text.size())
                    ++m_at;
                text += m_text[m_at++];
            }
            if (atEnd()) {
                fail(begin, m_at - begin, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "the quote is not closed.")));
                return {};
            }
            ++m_at;
            return FilterPattern::ofText(text);
        }
        if (m_text[m_at] == QLatin1Char('/')) {
            QString source;
            ++m_at;
            while (!atEnd() && m_text[m_at] != QLatin1Char('/')) {
                if (m_text[m_at] == QLatin1Char('\\') && m_at + 1 < m_text.size()) {
                    if (m_text[m_at + 1] != QLatin1Char('/'))
                        source += m_text[m_at];
                    ++m_at;
                }
                source += m_text[m_at++];
            }
            if (atEnd()) {
                fail(begin, m_at - begin,
                     filterTr(
                         QT_TRANSLATE_NOOP("ActorListFilter", "the regular expression is not closed with a slash.")));
                return {};
            }
            ++m_at;
            FilterPattern pattern = FilterPattern::ofRegex(source);
            if (!pattern.regex.isValid()) {
                fail(begin, m_at - begin,
                     filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "no regular expression (%1)."))
                         .arg(pattern.regex.errorString()));
                return {};
            }
            return pattern;
        }
        const QString word = readWord(inValues);
        if (inValues && word == QLatin1String("*"))
            return FilterPattern::any();
        return FilterPattern::ofText(word);
    }

    std::shared_ptr<const FilterNode> parseTerm()
    {
        const qsizetype begin = m_at;
        auto node = std::make_shared<FilterNode>();
        node->begin = int(begin);

        // A field: letters followed by a colon or a comparison.
        qsizetype i = m_at;
        while (i < m_text.size() && m_text[i].isLetter())
            ++i;
        if (i > m_at && i < m_text.size()) {
            const QChar next = m_text[i];
            const QString name = m_text.mid(m_at, i - m_at);
            if (next == QLatin1Char(':')) {
                parseField(*node, name, i);
                node->end = int(m_at);
                return error ? nullptr : node;
            }
            if (next == QLatin1Char('>') || next == QLatin1Char('<')) {
                parseNumber(*node, name, i);
                node->end = int(m_at);
                return error ? nullptr : node;
            }
        }
        node->kind = FilterNode::Word;
        auto pattern = parsePattern(false);
        if (!pattern)
            return nullptr;
        node->patterns.push_back(*pattern);
        hasWords = true;
        node->end = int(m_at);
        return node;
    }

    void parseField(FilterNode &node, const QString &name, qsizetype colon)
    {
        const qsizetype begin = m_at;
        const QString field = name.toLower();
        if (!filterTextFields().contains(field)) {
            if (filterNumberFields().contains(field)) {
                fail(begin, colon - begin + 1,
                     filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "is compared with > or <.")),
                     field + QLatin1Char('>'));
                return;
            }
            fail(begin, colon - begin + 1, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "no such field.")),
                 filterNearest(field, ActorListFilter::fields()));
            return;
        }
        node.kind = FilterNode::Field;
        node.field = field;
        m_at = colon + 1;
        for (;;) {
            const qsizetype at = m_at;
            if (atEnd() || m_text[m_at].isSpace() || m_text[m_at] == QLatin1Char(',')
                || m_text[m_at] == QLatin1Char(')')) {
                fail(begin, m_at - begin, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "a value is missing.")));
                return;
            }
            auto pattern = parsePattern(true);
            if (!pattern)
                return;
            if (pattern->kind == FilterPattern::Text && !checkValue(field, pattern->text, begin, at))
                return;
            node.patterns.push_back(*pattern);
            if (atEnd() || m_text[m_at] != QLatin1Char(','))
                return;
            ++m_at;
        }
    }

    bool checkValue(const QString &field, const QString &value, qsizetype begin, qsizetype at)
    {
        const QStringList known = ActorListFilter::values(field);
        if (field == QLatin1String("workflow")) {
            fail(begin, m_at - begin,
                 filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "only “workflow:*” is known here.")),
                 QStringLiteral("*"));
            return false;
        }
        if (field == QLatin1String("why") || known.isEmpty() || known.contains(value, Qt::CaseInsensitive))
            return true;
        const char *what = field == QLatin1String("status") ? QT_TRANSLATE_NOOP("ActorListFilter", "no such status.")
                                                            : QT_TRANSLATE_NOOP("ActorListFilter", "no such value.");
        Q_UNUSED(at)
        fail(begin, m_at - begin, filterTr(what), filterNearest(value, known));
        return false;
    }

    void parseNumber(FilterNode &node, const QString &name, qsizetype opAt)
    {
        const qsizetype begin = m_at;
        const QString field = name.toLower();
        if (!filterNumberFields().contains(field)) {
            fail(begin, opAt - begin,
                 filterTextFields().contains(field)
                     ? filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "is no number; write a colon."))
                     : filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "no such field.")),
                 filterNearest(field, ActorListFilter::fields()));
            return;
        }
        node.kind = FilterNode::Number;
        node.field = field;
        m_at = opAt + 1;
        node.op = m_text.mid(opAt, 1);
        if (!atEnd() && m_text[m_at] == QLatin1Char('=')) {
            node.op += QLatin1Char('=');
            ++m_at;
        }
        const qsizetype digits = m_at;
        while (!atEnd() && (m_text[m_at].isDigit() || m_text[m_at] == QLatin1Char('.')))
            ++m_at;
        bool ok = false;
        node.number = m_text.mid(digits, m_at - digits).toDouble(&ok);
        if (!ok) {
            readWord(false);
            fail(begin, m_at - begin, filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "a number is missing.")));
            return;
        }
        const qsizetype unitAt = m_at;
        const QString unit = readWord(false);
        const bool isTime = filterFieldIsTime(field);
        static const std::pair<const char *, double> times[] = {
            {"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3}};
        static const std::pair<const char *, double> sizes[] = {{"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}};
        usesTime = usesTime || isTime;
        if (unit.isEmpty()) {
            if (isTime)
                node.number *= 1e3;
            return;
        }
        if (isTime) {
            for (const auto &[text, factor] : times) {
                if (unit == QLatin1String(text)) {
                    node.number *= factor;
                    return;
                }
            }
        } else if (field == QLatin1String("size")) {
            for (const auto &[text, factor] : sizes) {
                if (unit.compare(QLatin1String(text), Qt::CaseInsensitive) == 0) {
                    node.number *= factor;
                    return;
                }
            }
        } else if (field == QLatin1String("rate") && unit == QLatin1String("/s")) {
            return;
        }
        Q_UNUSED(unitAt)
        fail(begin, m_at - begin,
             isTime ? filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "units of time are ms, s, m, h and d."))
             : field == QLatin1String("size")
                 ? filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "units of size are B, KB, MB and GB."))
                 : filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "has no unit.")));
    }

    const QString m_text;
    qsizetype m_at = 0;
};

} // namespace

QString FilterError::whole() const
{
    if (suggestion.isEmpty())
        return text;
    return filterTr(QT_TRANSLATE_NOOP("ActorListFilter", "%1 Did you mean %2?")).arg(text, suggestion);
}

ActorListFilter ActorListFilter::parse(const QString &text)
{
    ActorListFilter filter;
    filter.m_text = text;
    FilterParser parser(text);
    filter.m_root = parser.parse();
    filter.m_error = parser.error;
    filter.m_usesTime = parser.usesTime;
    filter.m_hasWords = parser.hasWords;
    return filter;
}

bool ActorListFilter::matches(const wire::ActorSummary &actor, const QString &host, qint64 now, bool fuzzy) const
{
    return !m_root || m_root->matches(actor, host, now, fuzzy);
}

QList<ActorListFilter::Part> ActorListFilter::parts() const
{
    QList<Part> parts;
    if (!m_root)
        return parts;
    const auto add = [&](const std::shared_ptr<const Node> &node) {
        auto filter = std::make_shared<ActorListFilter>();
        filter->m_text = m_text.mid(node->begin, node->end - node->begin).trimmed();
        filter->m_root = node;
        parts.append({filter->m_text, filter});
    };
    if (m_root->kind == Node::And) {
        for (const auto &child : m_root->children)
            add(child);
    } else {
        add(m_root);
    }
    return parts;
}

const QStringList &ActorListFilter::fields()
{
    static const QStringList all = filterTextFields() + filterNumberFields();
    return all;
}

bool ActorListFilter::isNumber(const QString &field)
{
    return filterNumberFields().contains(field);
}

QStringList ActorListFilter::values(const QString &field)
{
    if (field == QLatin1String("status"))
        return filterStatusWords();
    if (field == QLatin1String("has"))
        return {QStringLiteral("state"), QStringLiteral("database"), QStringLiteral("workflow"),
                QStringLiteral("queue"), QStringLiteral("schedule"), QStringLiteral("connections"),
                QStringLiteral("error")};
    if (field == QLatin1String("why"))
        return {QStringLiteral("noSleep"),     QStringLiteral("httpRequests"),
                QStringLiteral("keepAwake"),   QStringLiteral("internalKeepAwake"),
                QStringLiteral("actions"),     QStringLiteral("scheduledHandler"),
                QStringLiteral("runHandler"),  QStringLiteral("disconnectCallbacks"),
                QStringLiteral("connections"), QStringLiteral("socketCallbacks")};
    return {};
}

} // namespace terrarium::ui
