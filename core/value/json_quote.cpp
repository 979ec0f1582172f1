#include "value/json_quote.h"

namespace terrarium {

namespace {

void appendUnicodeEscape(QString &out, char16_t unit)
{
    out += QStringLiteral("\\u%1").arg(uint(unit), 4, 16, QLatin1Char('0'));
}

} // namespace

QString jsonQuoted(QStringView text)
{
    QString out;
    out.reserve(text.size() + 2);
    out += u'"';
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        switch (c.unicode()) {
        case u'"': out += QLatin1String("\\\""); break;
        case u'\\': out += QLatin1String("\\\\"); break;
        case u'\b': out += QLatin1String("\\b"); break;
        case u'\f': out += QLatin1String("\\f"); break;
        case u'\n': out += QLatin1String("\\n"); break;
        case u'\r': out += QLatin1String("\\r"); break;
        case u'\t': out += QLatin1String("\\t"); break;
        default:
            if (c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
                out += c;
                out += text[++i];
            } else if (c.unicode() < 0x20 || c.unicode() == 0x7f || c.isSurrogate()) {
                appendUnicodeEscape(out, c.unicode());
            } else {
                out += c;
            }
        }
    }
    out += u'"';
    return out;
}

std::optional<QString> fromJsonQuoted(QStringView text, qsizetype *length)
{
    if (!text.startsWith(u'"'))
        return std::nullopt;
    QString out;
    for (qsizetype i = 1; i < text.size(); ++i) {
        const char16_t c = text[i].unicode();
        if (c == u'"') {
            *length = i + 1;
            return out;
        }
        if (c < 0x20)
            return std::nullopt;
        if (c != u'\\') {
            out += QChar(c);
            continue;
        }
        if (++i >= text.size())
            return std::nullopt;
        switch (text[i].unicode()) {
        case u'"': out += u'"'; break;
        case u'\\': out += u'\\'; break;
        case u'/': out += u'/'; break;
        case u'b': out += u'\b'; break;
        case u'f': out += u'\f'; break;
        case u'n': out += u'\n'; break;
        case u'r': out += u'\r'; break;
        case u't': out += u'\t'; break;
        case u'u': {
            char16_t unit = 0;
            if (i + 4 >= text.size())
                return std::nullopt;
            for (int digit = 0; digit < 4; ++digit) {
                const char16_t hex = text[++i].unicode();
                if (hex >= u'0' && hex <= u'9')
                    unit = char16_t(unit * 16 + (hex - u'0'));
                else if ((hex | 0x20) >= u'a' && (hex | 0x20) <= u'f')
                    unit = char16_t(unit * 16 + ((hex | 0x20) - u'a' + 10));
                else
                    return std::nullopt;
            }
            out += QChar(unit);
            break;
        }
        default: return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace terrarium
