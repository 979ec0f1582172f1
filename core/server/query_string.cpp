#include "server/query_string.h"

#include <QStringDecoder>

namespace terrarium {

namespace {

int queryHexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

} // namespace

std::optional<QString> percentDecoded(QByteArrayView text, bool plusIsSpace)
{
    QByteArray bytes;
    bytes.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const int high = text.size() - i > 2 ? queryHexDigit(text[i + 1]) : -1;
            const int low = text.size() - i > 2 ? queryHexDigit(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return std::nullopt;
            c = char(high * 16 + low);
            i += 2;
        } else if (c == '+' && plusIsSpace) {
            c = ' ';
        }
        if (c == '\0')
            return std::nullopt;
        bytes.append(c);
    }
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder(bytes);
    if (decoder.hasError())
        return std::nullopt;
    return decoded;
}

std::optional<QueryString> QueryString::parse(QByteArrayView query)
{
    QueryString result;
    qsizetype start = 0;
    while (start < query.size()) {
        qsizetype end = query.indexOf('&', start);
        if (end < 0)
            end = query.size();
        const QByteArrayView raw = query.sliced(start, end - start);
        start = end + 1;
        if (raw.isEmpty())
            continue;
        const qsizetype equals = raw.indexOf('=');
        const auto name = percentDecoded(equals < 0 ? raw : raw.first(equals), true);
        const auto value = percentDecoded(equals < 0 ? QByteArrayView() : raw.sliced(equals + 1), true);
        if (!name || !value)
            return std::nullopt;
        result.m_pairs.append(QueryPair{*name, *value, raw.toByteArray()});
    }
    return result;
}

const QueryPair *QueryString::find(QStringView name) const
{
    for (const QueryPair &pair : m_pairs) {
        if (pair.name == name)
            return &pair;
    }
    return nullptr;
}

QString QueryString::value(QStringView name) const
{
    const QueryPair *pair = find(name);
    return pair ? pair->value : QString();
}

QByteArray QueryString::without(QStringView prefix) const
{
    QByteArray rest;
    for (const QueryPair &pair : m_pairs) {
        if (pair.name.startsWith(prefix))
            continue;
        if (!rest.isEmpty())
            rest += '&';
        rest += pair.raw;
    }
    return rest;
}

} // namespace terrarium
