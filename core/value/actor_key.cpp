#include <terrarium/actor_key.h>

#include "value/json_quote.h"

namespace terrarium {

QString ActorKey::toText() const
{
    if (m_segments.isEmpty())
        return QStringLiteral("/");
    QString text;
    bool first = true;
    for (const QString &segment : m_segments) {
        if (!first)
            text += u'/';
        first = false;
        if (segment.isEmpty())
            text += QLatin1String("\\0");
        for (const QChar c : segment) {
            if (c == u'\\' || c == u'/')
                text += u'\\';
            text += c;
        }
    }
    return text;
}

std::optional<ActorKey> ActorKey::fromText(QStringView text)
{
    if (text.isEmpty() || text == u"/")
        return ActorKey();
    QStringList segments;
    QString segment;
    bool isMarkedEmpty = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == u'/') {
            segments.append(segment);
            segment.clear();
            isMarkedEmpty = false;
            continue;
        }
        if (isMarkedEmpty)
            return std::nullopt; // something follows "\0" in the same segment
        if (c != u'\\') {
            segment += c;
            continue;
        }
        if (++i >= text.size())
            return std::nullopt;
        if (text[i] == u'\\' || text[i] == u'/')
            segment += text[i];
        else if (text[i] == u'0' && segment.isEmpty())
            isMarkedEmpty = true;
        else
            return std::nullopt;
    }
    segments.append(segment);
    return ActorKey(segments);
}

QString ActorKey::display() const
{
    bool isPlain = !m_segments.isEmpty();
    for (const QString &segment : m_segments) {
        if (segment.isEmpty() || segment.front().isSpace() || segment.back().isSpace() || segment.startsWith(u'['))
            isPlain = false;
        for (const QChar c : segment) {
            if (c == u'/' || c == u'\\' || (!c.isSurrogate() && !c.isPrint()))
                isPlain = false;
        }
    }
    if (isPlain || m_segments.isEmpty())
        return toText();
    QStringList quoted;
    for (const QString &segment : m_segments)
        quoted.append(jsonQuoted(segment));
    return u'[' + quoted.join(QLatin1String(", ")) + u']';
}

} // namespace terrarium
