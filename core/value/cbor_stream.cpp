#include <terrarium/cbor_stream.h>

#include "value/utf8.h"

#include <terrarium/error.h>

#include <QtEndian>

#include <bit>
#include <cmath>
#include <cstring>

namespace terrarium {

namespace {

enum CborMajor : uchar { Unsigned, Negative, Bytes, Text, Array, Map, Tag, Simple };
constexpr uchar cborIndefinite = 31;
constexpr uchar cborBreak = 0xff;

double cborHalf(quint16 bits) noexcept
{
    const int exponent = bits >> 10 & 0x1f;
    const int mantissa = bits & 0x3ff;
    double value = 0;
    if (exponent == 0)
        value = std::ldexp(mantissa, -24);
    else if (exponent != 31)
        value = std::ldexp(mantissa + 1024, exponent - 25);
    else if (mantissa == 0)
        value = INFINITY;
    else
        return std::bit_cast<double>(quint64(bits & 0x8000) << 48 | 0x7ff8000000000000u | quint64(mantissa) << 42);
    return bits & 0x8000 ? -value : value;
}

double cborFloat(const uchar *at, int width) noexcept
{
    if (width == 2)
        return cborHalf(qFromBigEndian<quint16>(at));
    if (width == 4)
        return std::bit_cast<float>(qFromBigEndian<quint32>(at));
    return std::bit_cast<double>(qFromBigEndian<quint64>(at));
}

bool cborSameAscii(QStringView key, QByteArrayView bytes) noexcept
{
    if (key.size() != bytes.size())
        return false;
    const auto *units = key.utf16();
    for (qsizetype i = 0; i < bytes.size(); ++i) {
        if (units[i] != uchar(bytes[i]) || uchar(bytes[i]) >= 0x80)
            return false;
    }
    return true;
}

} // namespace

// ---- CborWriter ------------------------------------------------------------------------------------

CborWriter::CborWriter(QByteArray &out, int maxDepth) : m_out(out), m_maxDepth(maxDepth)
{
    const qsizetype size = out.size();
    out.resize(std::max(out.capacity(), size + 64));
    m_at = out.data() + size;
    m_end = out.data() + out.size();
}

void CborWriter::finish()
{
    m_out.resize(m_at - m_out.constData());
    m_end = m_at;
}

void CborWriter::grow(qsizetype bytes)
{
    const qsizetype size = m_at - m_out.constData();
    m_out.resize(size); // so that no more than what was written is copied
    m_out.reserve(std::max(size * 2, size + bytes + 64));
    m_out.resize(m_out.capacity());
    m_at = m_out.data() + size;
    m_end = m_out.data() + m_out.size();
}

void CborWriter::longHead(uchar major, quint64 argument)
{
    if (argument <= 0xff) {
        *m_at++ = char(major | 24);
        *m_at++ = char(argument);
    } else if (argument <= 0xffff) {
        *m_at++ = char(major | 25);
        qToBigEndian(quint16(argument), m_at);
        m_at += 2;
    } else if (argument <= 0xffffffffu) {
        *m_at++ = char(major | 26);
        qToBigEndian(quint32(argument), m_at);
        m_at += 4;
    } else {
        *m_at++ = char(major | 27);
        qToBigEndian(argument, m_at);
        m_at += 8;
    }
}

void CborWriter::number(double value)
{
    room(9);
    *m_at++ = char(0xfb);
    qToBigEndian(std::bit_cast<quint64>(value), m_at);
    m_at += 8;
}

void CborWriter::text(QStringView text)
{
    const qsizetype size = text.size();
    const auto *units = text.utf16();
    room(9 + size);
    char *const start = m_at;
    head(0x60, quint64(size));
    char16_t all = 0;
    for (qsizetype i = 0; i < size; ++i) {
        all = char16_t(all | units[i]);
        m_at[i] = char(units[i]);
    }
    if (all < 0x80) {
        m_at += size;
        return;
    }
    m_at = start;
    const qsizetype length = utf8::size(text);
    room(9 + length);
    head(0x60, quint64(length));
    utf8::write(text, m_at);
    m_at += length;
}

void CborWriter::utf8(std::string_view text)
{
    room(9 + qsizetype(text.size()));
    head(0x60, text.size());
    std::memcpy(m_at, text.data(), text.size());
    m_at += text.size();
}

void CborWriter::bytes(QByteArrayView bytes)
{
    room(9 + bytes.size());
    head(0x40, quint64(bytes.size()));
    encoded(bytes);
}

void CborWriter::encoded(QByteArrayView item)
{
    room(item.size());
    if (!item.isEmpty())
        std::memcpy(m_at, item.data(), std::size_t(item.size()));
    m_at += item.size();
}

void CborWriter::key(QStringView key)
{
    if (!key.isValidUtf16()) {
        throw Error(QStringLiteral("value"), QStringLiteral("invalid_text"),
                    QStringLiteral("a key of a map holds half of a surrogate pair"));
    }
    text(key);
}

void CborWriter::enter()
{
    if (m_depth >= m_maxDepth) {
        throw Error(QStringLiteral("value"), QStringLiteral("too_deep"),
                    QStringLiteral("the value is nested deeper than %1").arg(m_maxDepth));
    }
    ++m_depth;
}

void CborWriter::value(const Value &item)
{
    switch (item.kind()) {
    case Value::Kind::Undefined: return undefined();
    case Value::Kind::Null: return null();
    case Value::Kind::Bool: return boolean(item.toBool());
    case Value::Kind::Int: return integer(item.toInt());
    case Value::Kind::UInt: return unsignedInteger(item.toUInt());
    case Value::Kind::Double: return number(item.toDouble());
    case Value::Kind::Text: return text(item.textView());
    case Value::Kind::Bytes: return bytes(item.bytesView());
    case Value::Kind::Array: {
        const Nested nested(*this);
        array(quint64(item.size()));
        for (const Value &inner : item.items())
            value(inner);
        return;
    }
    case Value::Kind::Map: {
        const Nested nested(*this);
        map(quint64(item.size()));
        for (const MapEntry &entry : item.entries()) {
            key(entry.first);
            value(entry.second);
        }
        return;
    }
    case Value::Kind::Tagged: {
        const Nested nested(*this);
        tag(item.tag());
        return value(item.untagged());
    }
    }
}

// ---- CborReader ------------------------------------------------------------------------------------

CborReader::CborReader(QByteArrayView bytes, int maxDepth) noexcept
    : m_begin(bytes.data()),
      m_at(bytes.data()),
      m_end(bytes.data() + bytes.size()),
      m_maxDepth(maxDepth)
{}

void CborReader::fail(qsizetype offset, const QString &what)
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("offset"), qint64(offset));
    throw Error(QStringLiteral("value"), QStringLiteral("invalid_cbor"),
                QStringLiteral("CBOR is malformed at byte %1: %2").arg(offset).arg(what), std::move(metadata));
}

void CborReader::expectEnd() const
{
    if (!atEnd())
        fail(offset(), QStringLiteral("%1 bytes follow the value").arg(m_end - m_at));
}

Value::Kind CborReader::kind() const
{
    if (atEnd())
        fail(offset(), QStringLiteral("the input ends where a value is due"));
    const uchar byte = uchar(*m_at);
    switch (CborMajor(byte >> 5)) {
    case Unsigned:
        // Only eight bytes with the top bit set are beyond qint64.
        return byte == 0x1b && m_end - m_at > 1 && (uchar(m_at[1]) & 0x80) ? Value::Kind::UInt : Value::Kind::Int;
    case Negative: return Value::Kind::Int;
    case Bytes: return Value::Kind::Bytes;
    case Text: return Value::Kind::Text;
    case Array: return Value::Kind::Array;
    case Map: return Value::Kind::Map;
    case Tag: return Value::Kind::Tagged;
    case Simple: break;
    }
    switch (byte) {
    case 0xf4:
    case 0xf5: return Value::Kind::Bool;
    case 0xf6: return Value::Kind::Null;
    case 0xf7: return Value::Kind::Undefined;
    case 0xf9:
    case 0xfa:
    case 0xfb: return Value::Kind::Double;
    case cborBreak: fail(offset(), QStringLiteral("a break where a value is due"));
    default:
        fail(offset(), QStringLiteral("byte 0x%1 is no value that is known here").arg(byte, 2, 16, QLatin1Char('0')));
    }
}

CborReader::Head CborReader::head()
{
    if (atEnd())
        fail(offset(), QStringLiteral("the input ends where a value is due"));
    const uchar byte = uchar(*m_at);
    Head result{uchar(byte >> 5), uchar(byte & 0x1f), quint64(byte & 0x1f)};
    if (result.low < 24) {
        ++m_at;
        return result;
    }
    if (result.low == cborIndefinite) {
        ++m_at;
        return result;
    }
    if (result.low > 27)
        fail(offset(), QStringLiteral("byte 0x%1 is reserved").arg(byte, 2, 16, QLatin1Char('0')));
    const qsizetype width = qsizetype(1) << (result.low - 24);
    if (m_end - m_at - 1 < width)
        fail(m_end - m_begin, QStringLiteral("the input ends inside a number"));
    const char *argument = m_at + 1;
    m_at += 1 + width;
    switch (width) {
    case 1: result.argument = uchar(*argument); break;
    case 2: result.argument = qFromBigEndian<quint16>(argument); break;
    case 4: result.argument = qFromBigEndian<quint32>(argument); break;
    default: result.argument = qFromBigEndian<quint64>(argument); break;
    }
    return result;
}

CborReader::Head CborReader::headOf(uchar major, const char *expected)
{
    const qsizetype at = offset();
    const Head result = head();
    if (result.major != major)
        fail(at, QStringLiteral("%1 is due here").arg(QLatin1String(expected)));
    return result;
}

bool CborReader::boolean()
{
    if (kind() != Value::Kind::Bool)
        fail(offset(), QStringLiteral("a truth value is due here"));
    return uchar(*m_at++) == 0xf5;
}

qint64 CborReader::integer()
{
    const qsizetype at = offset();
    const Head result = head();
    if (result.major > Negative || result.low == cborIndefinite)
        fail(at, QStringLiteral("an integer is due here"));
    if (result.argument > quint64(INT64_MAX)) {
        fail(at, result.major == Negative ? QStringLiteral("the integer is below -2^63")
                                          : QStringLiteral("the integer is above 2^63-1"));
    }
    return result.major == Negative ? ~qint64(result.argument) : qint64(result.argument);
}

quint64 CborReader::unsignedInteger()
{
    const qsizetype at = offset();
    const Head result = headOf(Unsigned, "an integer that is not negative");
    if (result.low == cborIndefinite)
        fail(at, QStringLiteral("an integer of indefinite length"));
    return result.argument;
}

double CborReader::number()
{
    if (kind() != Value::Kind::Double)
        fail(offset(), QStringLiteral("a floating-point number is due here"));
    const int width = 1 << (uchar(*m_at) - 0xf8);
    if (m_end - m_at - 1 < width)
        fail(m_end - m_begin, QStringLiteral("the input ends inside a number"));
    const double result = cborFloat(reinterpret_cast<const uchar *>(m_at) + 1, width);
    m_at += 1 + width;
    return result;
}

void CborReader::skipSimple()
{
    if (kind() != Value::Kind::Null && kind() != Value::Kind::Undefined)
        fail(offset(), QStringLiteral("null is due here"));
    ++m_at;
}

QByteArrayView CborReader::definite(const Head &head, qsizetype at)
{
    if (head.argument > quint64(m_end - m_at))
        fail(at, QStringLiteral("a length of %1 is more than the input holds").arg(head.argument));
    const QByteArrayView content(m_at, qsizetype(head.argument));
    if (head.major == Text) {
        const qsizetype invalid = utf8::firstInvalid(content);
        if (invalid >= 0)
            fail(offset() + invalid, QStringLiteral("a text is not valid UTF-8"));
    }
    m_at += head.argument;
    return content;
}

QByteArrayView CborReader::string(uchar major, const char *expected)
{
    const qsizetype at = offset();
    const Head first = headOf(major, expected);
    if (first.low != cborIndefinite)
        return definite(first, at);
    m_scratch.clear();
    for (;;) {
        const qsizetype chunkAt = offset();
        if (!atEnd() && uchar(*m_at) == cborBreak) {
            ++m_at;
            return m_scratch;
        }
        const Head chunk = headOf(major, expected);
        if (chunk.low == cborIndefinite)
            fail(chunkAt, QStringLiteral("a piece of a string has no length"));
        m_scratch.append(definite(chunk, chunkAt));
    }
}

QString CborReader::text()
{
    return utf8::toText(string(Text, "text"));
}

QByteArray CborReader::bytes()
{
    return string(Bytes, "a byte string").toByteArray();
}

QByteArrayView CborReader::key()
{
    return string(Text, "a key, which must be text,");
}

void CborReader::enter(qsizetype at)
{
    if (++m_depth > m_maxDepth)
        fail(at, QStringLiteral("nested deeper than %1").arg(m_maxDepth));
}

CborReader::Items CborReader::items(uchar major, const char *expected, int bytesEach)
{
    const qsizetype at = offset();
    const Head result = headOf(major, expected);
    enter(at);
    if (result.low == cborIndefinite)
        return Items{0, true};
    if (result.argument > quint64(m_end - m_at) / quint64(bytesEach))
        fail(at, QStringLiteral("a length of %1 is more than the input holds").arg(result.argument));
    return Items{result.argument, false};
}

CborReader::Items CborReader::array()
{
    return items(Array, "a list", 1);
}

CborReader::Items CborReader::map()
{
    return items(Map, "a map", 2);
}

bool CborReader::more(Items &items)
{
    if (items.isIndefinite) {
        if (!atEnd() && uchar(*m_at) == cborBreak) {
            ++m_at;
            --m_depth;
            return false;
        }
        return true;
    }
    if (items.left == 0) {
        --m_depth;
        return false;
    }
    --items.left;
    return true;
}

quint64 CborReader::tag()
{
    const qsizetype at = offset();
    const Head result = headOf(Tag, "a tag");
    if (result.low == cborIndefinite)
        fail(at, QStringLiteral("a tag of indefinite length"));
    enter(at);
    return result.argument;
}

QString CborReader::keyText()
{
    const QByteArrayView bytes = key();
    if (m_maps < 2 || bytes.isEmpty() || bytes.size() > 40)
        return utf8::toText(bytes);
    if (m_keys.empty())
        m_keys.resize(32);
    const std::size_t slot =
        (std::size_t(bytes.size()) * 31 + uchar(bytes.front()) * 7u + uchar(bytes.back())) % m_keys.size();
    if (!cborSameAscii(m_keys[slot], bytes)) // never true for a key beyond ASCII: just no sharing
        m_keys[slot] = utf8::toText(bytes);
    return m_keys[slot];
}

Value CborReader::arrayValue()
{
    // Not more at once than what a short input could ask for many times over by nesting.
    constexpr quint64 mostReserved = 256;

    Items left = array();
    std::vector<Value> items;
    items.reserve(std::size_t(std::min(left.left, mostReserved)));
    while (more(left))
        items.push_back(value());
    return Value::array(std::move(items));
}

Value CborReader::mapValue()
{
    constexpr quint64 mostReserved = 64;

    ++m_maps;
    Items left = map();
    Value result = Value::map();
    result.reserve(qsizetype(std::min(left.left, mostReserved)));
    while (more(left)) {
        const qsizetype at = offset();
        const QString key = keyText();
        if (!result.add(key, value()))
            fail(at, QStringLiteral("key \"%1\" is there twice").arg(key));
    }
    return result;
}

Value CborReader::value()
{
    const qsizetype at = offset();
    switch (kind()) {
    case Value::Kind::Undefined: ++m_at; return Value::undefined();
    case Value::Kind::Null: ++m_at; return Value();
    case Value::Kind::Bool: return boolean();
    case Value::Kind::Int: return integer();
    case Value::Kind::UInt: return unsignedInteger();
    case Value::Kind::Double: return number();
    case Value::Kind::Text: return text();
    case Value::Kind::Bytes: return bytes();
    case Value::Kind::Array: return arrayValue();
    case Value::Kind::Map: return mapValue();
    case Value::Kind::Tagged: {
        const quint64 number = tag();
        Value inner = value();
        untag();
        return Value::tagged(number, std::move(inner));
    }
    }
    fail(at, QStringLiteral("no value"));
}

} // namespace terrarium
