#include "value/path.h"

#include "value/json_quote.h"

#include <terrarium/value.h>

#include <QHashFunctions>

#include <algorithm>

namespace terrarium {

namespace {

bool pathIsPlainStart(QChar c)
{
    return c == u'_' || c.isLetter();
}

bool pathIsPlain(QChar c)
{
    return pathIsPlainStart(c) || c.isDigit();
}

bool pathIsIdentifier(QStringView key)
{
    return !key.isEmpty() && pathIsPlainStart(key.front()) && std::all_of(key.begin(), key.end(), pathIsPlain);
}

} // namespace

Path Path::child(const QString &key) const
{
    Path result(*this);
    result.m_steps.append(Step(key));
    return result;
}

Path Path::child(qsizetype index) const
{
    Path result(*this);
    result.m_steps.append(Step(index));
    return result;
}

Path Path::parent() const
{
    Path result(*this);
    if (!result.m_steps.isEmpty())
        result.m_steps.removeLast();
    return result;
}

bool Path::startsWith(const Path &prefix) const noexcept
{
    return prefix.size() <= size() && std::equal(prefix.m_steps.cbegin(), prefix.m_steps.cend(), m_steps.cbegin());
}

QString Path::toText() const
{
    if (isRoot())
        return QStringLiteral("$");
    QString text;
    for (const Step &step : m_steps) {
        if (const auto *index = std::get_if<qsizetype>(&step)) {
            text += u'[' + QString::number(*index) + u']';
            continue;
        }
        const QString &key = std::get<QString>(step);
        if (!pathIsIdentifier(key)) {
            text += u'[' + jsonQuoted(key) + u']';
            continue;
        }
        if (!text.isEmpty())
            text += u'.';
        text += key;
    }
    return text;
}

std::optional<Path> Path::fromText(QStringView text)
{
    Path path;
    bool needsDot = false; // a key that follows something is set off by a dot
    if (text.startsWith(u'$')) {
        text = text.sliced(1);
        needsDot = true;
        if (text.isEmpty())
            return path;
    }
    if (text.isEmpty())
        return std::nullopt;
    while (!text.isEmpty()) {
        if (text.front() == u'[') {
            text = text.sliced(1);
            qsizetype length = 0;
            if (text.startsWith(u'"')) {
                const std::optional<QString> key = fromJsonQuoted(text, &length);
                if (!key)
                    return std::nullopt;
                path.m_steps.append(Step(*key));
            } else {
                while (length < text.size() && text[length] >= u'0' && text[length] <= u'9')
                    ++length;
                bool isNumber = false;
                const qlonglong index = text.first(length).toLongLong(&isNumber);
                if (!isNumber || (length > 1 && text.front() == u'0'))
                    return std::nullopt;
                path.m_steps.append(Step(qsizetype(index)));
            }
            text = text.sliced(length);
            if (!text.startsWith(u']'))
                return std::nullopt;
            text = text.sliced(1);
            needsDot = true;
            continue;
        }
        if (needsDot) {
            if (text.front() != u'.')
                return std::nullopt;
            text = text.sliced(1);
        }
        qsizetype length = 0;
        while (length < text.size() && pathIsPlain(text[length]))
            ++length;
        if (!pathIsIdentifier(text.first(length)))
            return std::nullopt;
        path.m_steps.append(Step(text.first(length).toString()));
        text = text.sliced(length);
        needsDot = true;
    }
    return path;
}

Value Path::toValue() const
{
    std::vector<Value> steps;
    steps.reserve(std::size_t(size()));
    for (const Step &step : m_steps) {
        if (const auto *index = std::get_if<qsizetype>(&step))
            steps.emplace_back(qint64(*index));
        else
            steps.emplace_back(std::get<QString>(step));
    }
    return Value::array(std::move(steps));
}

std::optional<Path> Path::fromValue(const Value &value)
{
    if (!value.isArray())
        return std::nullopt;
    Path path;
    path.m_steps.reserve(value.size());
    for (const Value &step : value.items()) {
        if (step.isText())
            path.m_steps.append(Step(step.toText()));
        else if (step.isInt() && step.toInt() >= 0)
            path.m_steps.append(Step(qsizetype(step.toInt())));
        else
            return std::nullopt;
    }
    return path;
}

const Value *Path::find(const Value &root) const noexcept
{
    const Value *at = &root;
    for (const Step &step : m_steps) {
        if (const auto *index = std::get_if<qsizetype>(&step)) {
            if (!at->isArray() || *index < 0 || *index >= at->size())
                return nullptr;
            at = &at->items()[std::size_t(*index)];
        } else {
            at = at->find(std::get<QString>(step));
            if (!at)
                return nullptr;
        }
    }
    return at;
}

bool operator<(const Path &a, const Path &b) noexcept
{
    return std::lexicographical_compare(a.m_steps.cbegin(), a.m_steps.cend(), b.m_steps.cbegin(), b.m_steps.cend());
}

size_t qHash(const Path &path, size_t seed) noexcept
{
    for (const Path::Step &step : path.m_steps) {
        const size_t part = std::holds_alternative<QString>(step) ? ::qHash(std::get<QString>(step), seed)
                                                                  : ::qHash(std::get<qsizetype>(step), seed);
        seed ^= part + 0x9e3779b9 + (seed << 6) + (seed >> 2);
    }
    return seed;
}

} // namespace terrarium
