#include "models/value_text.h"

#include <QLocale>

#include <cmath>

namespace terrarium::ui::value_text {

namespace {

void appendOneLine(QString &out, const Value &value, int most, int depth)
{
    switch (value.kind()) {
    case Value::Kind::Array: {
        if (depth > 3) {
            out += opened(value);
            return;
        }
        out += QLatin1Char('[');
        bool first = true;
        for (const Value &item : value.items()) {
            if (!first)
                out += QLatin1String(", ");
            first = false;
            if (out.size() > most) {
                out += QChar(0x2026);
                break;
            }
            appendOneLine(out, item, most, depth + 1);
        }
        out += QLatin1Char(']');
        return;
    }
    case Value::Kind::Map: {
        if (depth > 3) {
            out += opened(value);
            return;
        }
        out += QLatin1Char('{');
        bool first = true;
        for (const auto &[key, item] : value.entries()) {
            if (!first)
                out += QLatin1String(", ");
            first = false;
            if (out.size() > most) {
                out += QChar(0x2026);
                break;
            }
            out += key.left(most);
            out += QLatin1String(": ");
            appendOneLine(out, item, most, depth + 1);
        }
        out += QLatin1Char('}');
        return;
    }
    case Value::Kind::Tagged:
        out += QString::number(value.tag());
        out += QLatin1Char('(');
        if (depth > 3)
            out += QChar(0x2026);
        else
            appendOneLine(out, value.untagged(), most, depth + 1);
        out += QLatin1Char(')');
        return;
    case Value::Kind::Text: out += quoted(value.toText(), most); return;
    case Value::Kind::Bytes: {
        const QByteArray bytes = value.toBytes();
        out += QString::number(bytes.size());
        out += QLatin1String(" B h'");
        out += QString::fromLatin1(bytes.left(16).toHex());
        if (bytes.size() > 16)
            out += QChar(0x2026);
        out += QLatin1Char('\'');
        return;
    }
    case Value::Kind::Undefined: out += QLatin1String("undefined"); return;
    case Value::Kind::Null: out += QLatin1String("null"); return;
    case Value::Kind::Bool: out += value.toBool() ? QLatin1String("true") : QLatin1String("false"); return;
    case Value::Kind::Int: out += QString::number(value.toInt()); return;
    case Value::Kind::UInt: out += QString::number(value.toUInt()); return;
    case Value::Kind::Double: out += number(value.toDouble()); return;
    }
}

} // namespace

QString typeName(const Value &value)
{
    switch (value.kind()) {
    case Value::Kind::Undefined: return QStringLiteral("undefined");
    case Value::Kind::Null: return QStringLiteral("null");
    case Value::Kind::Bool: return QStringLiteral("bool");
    case Value::Kind::Int:
    case Value::Kind::UInt: return QStringLiteral("int");
    case Value::Kind::Double: return QStringLiteral("number");
    case Value::Kind::Text: return QStringLiteral("text");
    case Value::Kind::Bytes: return QStringLiteral("bytes");
    case Value::Kind::Array: return QStringLiteral("list");
    case Value::Kind::Map: return QStringLiteral("map");
    case Value::Kind::Tagged: return QStringLiteral("tag %1").arg(value.tag());
    }
    return {};
}

Look look(const Value &value)
{
    switch (value.kind()) {
    case Value::Kind::Text:
    case Value::Kind::Bytes: return Look::Text;
    case Value::Kind::Int:
    case Value::Kind::UInt:
    case Value::Kind::Double: return Look::Number;
    case Value::Kind::Undefined:
    case Value::Kind::Null:
    case Value::Kind::Bool: return Look::Keyword;
    case Value::Kind::Tagged: return look(value.untagged());
    case Value::Kind::Array:
    case Value::Kind::Map: break;
    }
    return Look::Container;
}

QString quoted(const QString &text, int most)
{
    QString out;
    const qsizetype length = qMin(text.size(), qsizetype(most));
    out.reserve(length + 3);
    out += QLatin1Char('"');
    for (qsizetype i = 0; i < length; ++i) {
        const QChar c = text.at(i);
        switch (c.unicode()) {
        case '"': out += QLatin1String("\\\""); break;
        case '\\': out += QLatin1String("\\\\"); break;
        case '\n': out += QLatin1String("\\n"); break;
        case '\r': out += QLatin1String("\\r"); break;
        case '\t': out += QLatin1String("\\t"); break;
        default:
            // Marks that change the direction of what follows are shown, not obeyed.
            if (c.unicode() < 0x20 || c.unicode() == 0x7f || (c.unicode() >= 0x202a && c.unicode() <= 0x202e)
                || (c.unicode() >= 0x2066 && c.unicode() <= 0x2069) || c.unicode() == 0x200e || c.unicode() == 0x200f)
                out += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
            else
                out += c;
        }
    }
    if (length < text.size())
        out += QChar(0x2026);
    out += QLatin1Char('"');
    return out;
}

QString oneLine(const Value &value, int most)
{
    QString out;
    appendOneLine(out, value, most, 0);
    return out;
}

QString closed(const Value &value)
{
    if (value.isMap()) {
        QString out = QStringLiteral("{");
        for (const auto &[key, item] : value.entries()) {
            if (out.size() > 1)
                out += QLatin1String(", ");
            if (out.size() > 120) {
                out += QChar(0x2026);
                break;
            }
            out += key.left(60);
        }
        return out + QLatin1Char('}');
    }
    if (value.isArray())
        return opened(value);
    return oneLine(value, 1024);
}

QString opened(const Value &value)
{
    if (value.isMap())
        return QStringLiteral("{%1}").arg(value.size());
    if (value.isArray())
        return QStringLiteral("[%1]").arg(value.size());
    return oneLine(value, 1024);
}

QString number(double value)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("Infinity") : QStringLiteral("-Infinity");
    QString text = QString::number(value, 'g', QLocale::FloatingPointShortest);
    if (!text.contains(QLatin1Char('.')) && !text.contains(QLatin1Char('e')))
        text += QLatin1String(".0");
    return text;
}

} // namespace terrarium::ui::value_text
