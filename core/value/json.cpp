#include "value/json.h"

#include "value/double_text.h"
#include "value/utf8.h"

#include <terrarium/error.h>

#include <nlohmann/json.hpp>

#include <QDateTime>

#include <charconv>
#include <cmath>

namespace terrarium::json {

namespace {

using JsonLibrary = nlohmann::json;

constexpr qint64 jsonMostSafe = (qint64(1) << 53) - 1; ///< the largest integer JavaScript keeps

[[noreturn]] void jsonFail(QByteArrayView text, std::size_t offset, const QString &what)
{
    const QByteArrayView before = text.first(qsizetype(std::min(offset, std::size_t(text.size()))));
    const qsizetype line = std::count(before.begin(), before.end(), '\n') + 1;
    const qsizetype column = before.size() - before.lastIndexOf('\n');
    Value metadata = Value::map();
    metadata.set(QStringLiteral("offset"), qint64(before.size()));
    metadata.set(QStringLiteral("line"), qint64(line));
    metadata.set(QStringLiteral("column"), qint64(column));
    throw Error(QStringLiteral("value"), QStringLiteral("invalid_json"),
                QStringLiteral("JSON is malformed at line %1, column %2: %3").arg(line).arg(column).arg(what),
                std::move(metadata));
}

[[noreturn]] void jsonFailForm(const QString &what)
{
    throw Error(QStringLiteral("value"), QStringLiteral("invalid_json"), what);
}

[[noreturn]] void jsonFailDepth()
{
    throw Error(QStringLiteral("value"), QStringLiteral("too_deep"),
                QStringLiteral("the value is nested deeper than %1").arg(maxDepth));
}

// ---- Reading ---------------------------------------------------------------------------------------

/// Steps through the text and says where it is, so that every error can name its place.
class JsonCursor final {
public:
    using difference_type = std::ptrdiff_t;
    using value_type = char;
    using pointer = const char *;
    using reference = const char &;
    using iterator_category = std::input_iterator_tag;

    JsonCursor(const char *at, const char **shown) : m_at(at), m_shown(shown) {}
    reference operator*() const { return *m_at; }
    JsonCursor &operator++()
    {
        ++m_at;
        *m_shown = m_at;
        return *this;
    }
    JsonCursor operator++(int)
    {
        JsonCursor before(*this);
        ++*this;
        return before;
    }
    bool operator==(const JsonCursor &other) const { return m_at == other.m_at; }

private:
    const char *m_at;
    const char **m_shown;
};

/// Builds a Value from the library's events. Depth, duplicates and big numbers are decided here.
class JsonBuilder final : public nlohmann::json_sax<JsonLibrary> {
public:
    explicit JsonBuilder(QByteArrayView text) : m_text(text), m_at(text.data()) { m_levels.reserve(8); }

    const char **position() { return &m_at; }
    Value take() { return std::move(m_root); }

    bool null() override { return put(Value()); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(quint64(value)); }
    bool number_float(number_float_t value, const string_t &text) override
    {
        if (text.find_first_of(".eE") == string_t::npos)
            fail(QStringLiteral("integer %1 does not fit into 64 bits")
                     .arg(QString::fromLatin1(text.data(), qsizetype(text.size()))));
        return put(value);
    }
    bool string(string_t &value) override { return put(textOf(value)); }
    bool binary(binary_t &) override { return false; }
    bool start_object(std::size_t) override { return open(Value::map()); }
    bool start_array(std::size_t) override { return open(Value::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t &name) override
    {
        Level &level = m_levels.back();
        level.key = textOf(name);
        if (level.value.contains(level.key))
            fail(QStringLiteral("key \"%1\" is there twice").arg(level.key));
        return true;
    }
    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &error) override
    {
        QString what = QString::fromUtf8(error.what());
        // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ...": the end is ours.
        what = what.mid(what.indexOf(u']') + 1).trimmed();
        if (what.startsWith(QLatin1String("parse error")))
            what = what.mid(what.indexOf(QLatin1String(": ")) + 2);
        jsonFail(m_text, position > 0 ? position - 1 : 0, what);
    }

private:
    struct Level {
        Value value;
        QString key;
    };

    /// The library has checked that it is UTF-8. QString::fromUtf8 would drop a leading byte order mark.
    static QString textOf(const string_t &text)
    {
        return utf8::toText(QByteArrayView(text.data(), qsizetype(text.size())));
    }
    bool put(Value value)
    {
        if (m_levels.empty())
            m_root = std::move(value);
        else if (Level &level = m_levels.back(); level.value.isMap())
            level.value.add(level.key, std::move(value));
        else
            level.value.append(std::move(value));
        return true;
    }
    bool open(Value container)
    {
        if (m_levels.size() >= std::size_t(maxDepth))
            fail(QStringLiteral("nested deeper than %1").arg(maxDepth));
        m_levels.push_back(Level{std::move(container), QString()});
        return true;
    }
    bool close()
    {
        Value done = std::move(m_levels.back().value);
        m_levels.pop_back();
        return put(std::move(done));
    }
    [[noreturn]] void fail(const QString &what)
    {
        jsonFail(m_text, std::size_t(std::max<std::ptrdiff_t>(m_at - m_text.data() - 1, 0)), what);
    }

    QByteArrayView m_text;
    const char *m_at;
    Value m_root;
    std::vector<Level> m_levels;
};

// ---- The `$` forms ---------------------------------------------------------------------------------

Value jsonBigInt(const Value &text)
{
    const QString digits = text.toText();
    bool isNumber = false;
    const qlonglong small = digits.toLongLong(&isNumber);
    if (text.isText() && isNumber)
        return small;
    const qulonglong large = digits.toULongLong(&isNumber);
    if (text.isText() && isNumber)
        return large;
    jsonFailForm(QStringLiteral("$BigInt \"%1\" is no integer of 64 bits").arg(digits));
}

Value jsonBytes(const Value &text)
{
    const auto result =
        QByteArray::fromBase64Encoding(text.toText().toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    if (!text.isText() || !result)
        jsonFailForm(QStringLiteral("the content of a byte array is not base64"));
    return result.decoded;
}

Value jsonFromForm(const Value &value, int depth)
{
    if (depth > maxDepth)
        jsonFailDepth();
    if (value.isMap()) {
        Value map = Value::map();
        map.reserve(value.size());
        for (const MapEntry &entry : value.entries())
            map.add(entry.first, jsonFromForm(entry.second, depth + 1));
        return map;
    }
    if (value.isTagged())
        return Value::tagged(value.tag(), jsonFromForm(value.untagged(), depth + 1));
    if (!value.isArray())
        return value;
    const QStringView name = value.size() == 2 ? value.at(0).textView() : QStringView();
    if (name.startsWith(u"$$"))
        return Value::array({name.sliced(1).toString(), jsonFromForm(value.at(1), depth + 1)});
    if (name.startsWith(u'$')) {
        if (name == QLatin1String("$BigInt"))
            return jsonBigInt(value.at(1));
        if (name == QLatin1String("$Uint8Array") || name == QLatin1String("$ArrayBuffer"))
            return jsonBytes(value.at(1));
        if (name == QLatin1String("$Undefined"))
            return Value::undefined();
        if (name == QLatin1String("$Set") && value.at(1).isArray())
            return jsonFromForm(value.at(1), depth + 1);
        jsonFailForm(QStringLiteral("\"%1\" is no special form that is known here").arg(name));
    }
    Value array = Value::array();
    array.reserve(value.size());
    for (const Value &item : value.items())
        array.append(jsonFromForm(item, depth + 1));
    return array;
}

bool jsonLooksLikeForm(const Value &array)
{
    return array.size() == 2 && array.at(0).textView().startsWith(u'$');
}

Value jsonForm(const char *name, Value content)
{
    return Value::array({Value(name), std::move(content)});
}

QString jsonBase64(const Value &bytes)
{
    return QString::fromLatin1(bytes.toBytes().toBase64());
}

Value jsonToForm(const Value &value, int depth)
{
    if (depth > maxDepth)
        jsonFailDepth();
    switch (value.kind()) {
    case Value::Kind::Undefined: return jsonForm("$Undefined", 0);
    case Value::Kind::Int:
        if (value.toInt() > jsonMostSafe || value.toInt() < -jsonMostSafe)
            return jsonForm("$BigInt", QString::number(value.toInt()));
        return value;
    case Value::Kind::UInt: return jsonForm("$BigInt", QString::number(value.toUInt()));
    case Value::Kind::Bytes: return jsonForm("$Uint8Array", jsonBase64(value));
    case Value::Kind::Array: {
        Value array = Value::array();
        array.reserve(value.size());
        for (const Value &item : value.items())
            array.append(jsonToForm(item, depth + 1));
        if (jsonLooksLikeForm(value))
            array.set(0, u'$' + value.at(0).toText());
        return array;
    }
    case Value::Kind::Map: {
        Value map = Value::map();
        map.reserve(value.size());
        for (const MapEntry &entry : value.entries())
            map.add(entry.first, jsonToForm(entry.second, depth + 1));
        return map;
    }
    case Value::Kind::Tagged: return Value::tagged(value.tag(), jsonToForm(value.untagged(), depth + 1));
    default: return value;
    }
}

// ---- Writing ---------------------------------------------------------------------------------------

class JsonWriter final {
public:
    JsonWriter(Form form, bool isPretty) : m_form(form), m_isPretty(isPretty) {}

    QByteArray take() { return std::move(m_out); }

    void write(const Value &value, int depth)
    {
        switch (value.kind()) {
        case Value::Kind::Undefined: m_out += m_form == Form::Extended ? "[\"$Undefined\",0]" : "null"; break;
        case Value::Kind::Null: m_out += "null"; break;
        case Value::Kind::Bool: m_out += value.toBool() ? "true" : "false"; break;
        case Value::Kind::Int: integer(value.toInt(), std::abs(value.toDouble()) > double(jsonMostSafe)); break;
        case Value::Kind::UInt: integer(value.toUInt(), true); break;
        case Value::Kind::Double: number(value.toDouble()); break;
        case Value::Kind::Text: text(value.textView()); break;
        case Value::Kind::Bytes: bytes(value); break;
        case Value::Kind::Array: array(value, depth); break;
        case Value::Kind::Map: map(value, depth); break;
        case Value::Kind::Tagged: tagged(value, depth); break;
        }
    }

private:
    template <typename Integer>
    void integer(Integer value, bool isBig)
    {
        char buffer[24];
        const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
        const bool isForm = isBig && m_form == Form::Extended;
        if (isForm)
            m_out += "[\"$BigInt\",\"";
        m_out.append(buffer, result.ptr - buffer);
        if (isForm)
            m_out += "\"]";
    }

    void number(double value)
    {
        if (!std::isfinite(value)) {
            m_out += "null";
            return;
        }
        m_out += doubleText(value);
    }

    /// ASCII, and nothing to escape.
    static bool textIsPlain(QStringView text)
    {
        return std::all_of(text.begin(), text.end(), [](QChar c) {
            return c.unicode() >= 0x20 && c.unicode() < 0x7f && c != u'"' && c != u'\\';
        });
    }

    void text(QStringView text)
    {
        m_out += '"';
        if (textIsPlain(text)) {
            const qsizetype size = m_out.size();
            m_out.resize(size + text.size());
            std::transform(text.begin(), text.end(), m_out.begin() + size, [](QChar c) { return char(c.unicode()); });
            m_out += '"';
            return;
        }
        const QByteArray utf8 = text.toUtf8(); // lone surrogates become "?"
        qsizetype plain = 0;
        for (qsizetype i = 0; i < utf8.size(); ++i) {
            const uchar c = uchar(utf8[i]);
            if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f)
                continue;
            m_out.append(utf8.constData() + plain, i - plain);
            plain = i + 1;
            switch (c) {
            case '"': m_out += "\\\""; break;
            case '\\': m_out += "\\\\"; break;
            case '\b': m_out += "\\b"; break;
            case '\f': m_out += "\\f"; break;
            case '\n': m_out += "\\n"; break;
            case '\r': m_out += "\\r"; break;
            case '\t': m_out += "\\t"; break;
            default:
                m_out += "\\u00";
                m_out += "0123456789abcdef"[c >> 4];
                m_out += "0123456789abcdef"[c & 15];
            }
        }
        m_out.append(utf8.constData() + plain, utf8.size() - plain);
        m_out += '"';
    }

    void bytes(const Value &value)
    {
        m_out += m_form == Form::Extended ? "[\"$Uint8Array\",\"" : "\"";
        m_out += value.toBytes().toBase64();
        m_out += m_form == Form::Extended ? "\"]" : "\"";
    }

    void array(const Value &value, int depth)
    {
        descend(depth);
        m_out += '[';
        bool isFirst = true;
        const bool isMarked = m_form == Form::Extended && jsonLooksLikeForm(value);
        for (const Value &item : value.items()) {
            separate(isFirst, depth + 1);
            if (isMarked && &item == &value.items().front())
                text(u'$' + item.toText());
            else
                write(item, depth + 1);
        }
        finish(isFirst, depth);
        m_out += ']';
    }

    void map(const Value &value, int depth)
    {
        descend(depth);
        m_out += '{';
        bool isFirst = true;
        for (const MapEntry &entry : value.entries()) {
            separate(isFirst, depth + 1);
            if (!entry.first.isValidUtf16()) {
                throw Error(QStringLiteral("value"), QStringLiteral("invalid_text"),
                            QStringLiteral("a key of a map holds half of a surrogate pair"));
            }
            text(entry.first);
            m_out += m_isPretty ? ": " : ":";
            write(entry.second, depth + 1);
        }
        finish(isFirst, depth);
        m_out += '}';
    }

    void tagged(const Value &value, int depth)
    {
        descend(depth);
        constexpr double mostSeconds = 2.5e11; // the year 9999
        const Value &inner = value.untagged();
        if (value.tag() == 1 && inner.isNumber() && std::abs(inner.toDouble()) <= mostSeconds) {
            const QDateTime date = QDateTime::fromMSecsSinceEpoch(qint64(std::round(inner.toDouble() * 1000)), Qt::UTC);
            text(date.toString(Qt::ISODateWithMs));
        } else {
            write(inner, depth + 1);
        }
    }

    void descend(int depth)
    {
        if (depth >= maxDepth)
            jsonFailDepth();
    }
    void separate(bool &isFirst, int depth)
    {
        if (!isFirst)
            m_out += ',';
        isFirst = false;
        newLine(depth);
    }
    void finish(bool isEmpty, int depth)
    {
        if (!isEmpty)
            newLine(depth);
    }
    void newLine(int depth)
    {
        if (m_isPretty)
            m_out += '\n' + QByteArray(qsizetype(depth) * 2, ' ');
    }

    Form m_form;
    bool m_isPretty;
    QByteArray m_out;
};

} // namespace

Value parse(QByteArrayView utf8, Form form)
{
    JsonBuilder builder(utf8);
    const JsonCursor begin(utf8.data(), builder.position());
    const JsonCursor end(utf8.data() + utf8.size(), builder.position());
    if (!JsonLibrary::sax_parse(begin, end, &builder))
        jsonFail(utf8, 0, QStringLiteral("not readable"));
    Value value = builder.take();
    return form == Form::Extended ? fromExtended(value) : value;
}

QByteArray write(const Value &value, Form form)
{
    JsonWriter writer(form, false);
    writer.write(value, 0);
    return writer.take();
}

QByteArray writePretty(const Value &value, Form form)
{
    JsonWriter writer(form, true);
    writer.write(value, 0);
    return writer.take();
}

Value fromExtended(const Value &value)
{
    return jsonFromForm(value, 0);
}

Value toExtended(const Value &value)
{
    return jsonToForm(value, 0);
}

} // namespace terrarium::json
