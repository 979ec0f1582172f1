#include "value/cbor_text.h"

#include "value/double_text.h"
#include "value/json_quote.h"

#include <cmath>

namespace terrarium::cbor {

namespace {

QString textOfDouble(double number)
{
    if (std::isnan(number))
        return QStringLiteral("NaN");
    if (std::isinf(number))
        return number < 0 ? QStringLiteral("-Infinity") : QStringLiteral("Infinity");
    return QString::fromLatin1(doubleText(number));
}

class DiagnosticWriter final {
public:
    explicit DiagnosticWriter(int indent) : m_indent(indent) {}

    void write(const Value &value, int level)
    {
        switch (value.kind()) {
        case Value::Kind::Undefined: m_out += QLatin1String("undefined"); break;
        case Value::Kind::Null: m_out += QLatin1String("null"); break;
        case Value::Kind::Bool: m_out += QLatin1String(value.toBool() ? "true" : "false"); break;
        case Value::Kind::Int: m_out += QString::number(value.toInt()); break;
        case Value::Kind::UInt: m_out += QString::number(value.toUInt()); break;
        case Value::Kind::Double: m_out += textOfDouble(value.toDouble()); break;
        case Value::Kind::Text: m_out += jsonQuoted(value.textView()); break;
        case Value::Kind::Bytes:
            m_out += QLatin1String("h'") + QString::fromLatin1(value.toBytes().toHex()) + u'\'';
            break;
        case Value::Kind::Array: {
            m_out += u'[';
            bool isFirst = true;
            for (const Value &item : value.items()) {
                separate(isFirst, level + 1);
                write(item, level + 1);
            }
            close(isFirst, level);
            m_out += u']';
            break;
        }
        case Value::Kind::Map: {
            m_out += u'{';
            bool isFirst = true;
            for (const MapEntry &entry : value.entries()) {
                separate(isFirst, level + 1);
                m_out += jsonQuoted(entry.first) + QLatin1String(": ");
                write(entry.second, level + 1);
            }
            close(isFirst, level);
            m_out += u'}';
            break;
        }
        case Value::Kind::Tagged:
            m_out += QString::number(value.tag()) + u'(';
            write(value.untagged(), level);
            m_out += u')';
            break;
        }
    }

    QString take() { return std::move(m_out); }

private:
    void separate(bool &isFirst, int level)
    {
        if (!isFirst)
            m_out += m_indent ? QLatin1String(",") : QLatin1String(", ");
        isFirst = false;
        newLine(level);
    }
    void close(bool isEmpty, int level)
    {
        if (!isEmpty)
            newLine(level);
    }
    void newLine(int level)
    {
        if (m_indent)
            m_out += u'\n' + QString(qsizetype(m_indent) * level, u' ');
    }

    int m_indent;
    QString m_out;
};

} // namespace

QString diagnostic(const Value &value, int indent)
{
    DiagnosticWriter writer(indent);
    writer.write(value, 0);
    return writer.take();
}

} // namespace terrarium::cbor
