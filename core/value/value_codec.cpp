#include <terrarium/value_codec.h>

#include "value/cbor_text.h"
#include "value/path.h"
#include "value/utf8.h"

#include <terrarium/error.h>

#include <QTimeZone>

#include <cmath>

namespace terrarium {

namespace {

QLatin1String codecKindName(Value::Kind kind)
{
    switch (kind) {
    case Value::Kind::Undefined: return QLatin1String("undefined");
    case Value::Kind::Null: return QLatin1String("null");
    case Value::Kind::Bool: return QLatin1String("bool");
    case Value::Kind::Int:
    case Value::Kind::UInt: return QLatin1String("int");
    case Value::Kind::Double: return QLatin1String("number");
    case Value::Kind::Text: return QLatin1String("text");
    case Value::Kind::Bytes: return QLatin1String("bytes");
    case Value::Kind::Array: return QLatin1String("list");
    case Value::Kind::Map: return QLatin1String("map");
    case Value::Kind::Tagged: return QLatin1String("tagged");
    }
    return QLatin1String("unknown");
}

[[noreturn]] void codecFail(const QString &code, const QString &path, const QString &what, Value metadata)
{
    metadata.set(QStringLiteral("path"), path);
    throw Error(QStringLiteral("value"), code, u'"' + path + QLatin1String("\" ") + what, std::move(metadata));
}

/// True when `number` is whole and within 64 bits of either sign.
bool codecIsWhole(double number)
{
    return std::trunc(number) == number && number >= -0x1p63 && number < 0x1p64;
}

detail::WholeNumber codecWhole(double number)
{
    return number < 0 ? detail::WholeNumber{true, quint64(qint64(number))}
                      : detail::WholeNumber{false, quint64(number)};
}

} // namespace

QString ValuePlace::text() const
{
    QList<Path::Step> steps;
    for (const ValuePlace *place = this; place->m_parent; place = place->m_parent) {
        if (place->m_index >= 0)
            steps.prepend(Path::Step(place->m_index));
        else if (place->m_utf8.data())
            steps.prepend(Path::Step(QString::fromUtf8(place->m_utf8.data(), qsizetype(place->m_utf8.size()))));
        else
            steps.prepend(Path::Step(place->m_key.toString()));
    }
    return Path(steps).toText();
}

void ValuePlace::wrongKind(QLatin1String expected, Value::Kind found) const
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("expected"), expected);
    metadata.set(QStringLiteral("found"), codecKindName(found));
    codecFail(QStringLiteral("wrong_kind"), text(),
              QStringLiteral("must be of kind %1 but is %2").arg(expected, codecKindName(found)), std::move(metadata));
}

void ValuePlace::outOfRange(const Value &value, const QString &why) const
{
    Value metadata = Value::map();
    metadata.set(QStringLiteral("value"), value);
    codecFail(QStringLiteral("out_of_range"), text(),
              QStringLiteral("is %1, which %2").arg(cbor::diagnostic(value), why), std::move(metadata));
}

void ValuePlace::wrongLength(qsizetype expected, qsizetype found) const
{
    codecFail(QStringLiteral("wrong_length"), text(),
              QStringLiteral("must be a list of %1 but has %2").arg(expected).arg(found), Value::map());
}

void ValuePlace::invalidText() const
{
    codecFail(QStringLiteral("invalid_text"), text(), QStringLiteral("is not readable as this kind of text"),
              Value::map());
}

namespace detail {

WholeNumber wholeNumber(const Value &value, const ValuePlace &place)
{
    if (value.isInt())
        return {value.toInt() < 0, quint64(value.toInt())};
    if (value.isUInt())
        return {false, value.toUInt()};
    if (!value.isDouble())
        place.wrongKind(intName, value.kind());
    if (!codecIsWhole(value.toDouble()))
        place.outOfRange(value, QStringLiteral("is no whole number of 64 bits"));
    return codecWhole(value.toDouble());
}

WholeNumber readWholeNumber(CborReader &reader, const ValuePlace &place)
{
    switch (reader.kind()) {
    case Value::Kind::Int: {
        const qint64 number = reader.integer();
        return {number < 0, quint64(number)};
    }
    case Value::Kind::UInt: return {false, reader.unsignedInteger()};
    case Value::Kind::Double: return wholeNumber(reader.number(), place);
    default: place.wrongKind(intName, reader.kind());
    }
}

void refuseWholeNumber(WholeNumber number, int bits, bool isSigned, const ValuePlace &place)
{
    const Value value = number.isNegative ? Value(qint64(number.bits)) : Value(number.bits);
    place.outOfRange(value, QStringLiteral("does not fit into %1 bits %2 sign")
                                .arg(bits)
                                .arg(isSigned ? QLatin1String("with") : QLatin1String("without")));
}

double floatingNumber(const Value &value, const ValuePlace &place)
{
    if (value.isDouble())
        return value.toDouble();
    if (!value.isInteger())
        place.wrongKind(numberName, value.kind());
    const double number = value.toDouble();
    const bool isExact = codecIsWhole(number)
                         && (value.isInt() ? qint64(codecWhole(number).bits) == value.toInt() && (number < 0x1p63)
                                           : codecWhole(number).bits == value.toUInt());
    if (!isExact)
        place.outOfRange(value, QStringLiteral("a double would round"));
    return number;
}

double readFloatingNumber(CborReader &reader, const ValuePlace &place)
{
    switch (reader.kind()) {
    case Value::Kind::Double: return reader.number();
    case Value::Kind::Int: return floatingNumber(reader.integer(), place);
    case Value::Kind::UInt: return floatingNumber(reader.unsignedInteger(), place);
    default: place.wrongKind(numberName, reader.kind());
    }
}

void refuseFloat(double number, const ValuePlace &place)
{
    place.outOfRange(number, QStringLiteral("does not fit into a float"));
}

QString textFromUtf8(std::string_view text)
{
    const QByteArrayView bytes(text.data(), qsizetype(text.size()));
    const qsizetype invalid = utf8::firstInvalid(bytes);
    if (invalid >= 0) {
        throw Error(QStringLiteral("value"), QStringLiteral("invalid_text"),
                    QStringLiteral("a std::string is not valid UTF-8 at byte %1").arg(invalid));
    }
    return utf8::toText(bytes);
}

Value dateToValue(const QDateTime &date)
{
    if (!date.isValid())
        return Value();
    const qint64 milliseconds = date.toMSecsSinceEpoch();
    const Value seconds = milliseconds % 1000 == 0 ? Value(milliseconds / 1000) : Value(double(milliseconds) / 1000);
    return Value::tagged(1, seconds);
}

QDateTime dateFromValue(const Value &value, const ValuePlace &place)
{
    constexpr double most = 1e15; // milliseconds: thousands of years, and far from where a double would round
    const auto fromMilliseconds = [&](double milliseconds) {
        if (!(std::abs(milliseconds) <= most))
            place.outOfRange(value, QStringLiteral("is no date of the next ten thousand years"));
        return QDateTime::fromMSecsSinceEpoch(qint64(std::round(milliseconds)), Qt::UTC);
    };
    if (value.isNull())
        return QDateTime();
    if (value.isTagged() && value.tag() == 1 && value.untagged().isNumber())
        return fromMilliseconds(value.untagged().toDouble() * 1000);
    if (value.isNumber())
        return fromMilliseconds(value.toDouble());
    const Value &text = value.isTagged() && value.tag() == 0 ? value.untagged() : value;
    if (!text.isText())
        place.wrongKind(QLatin1String("date"), value.kind());
    const QDateTime date = QDateTime::fromString(text.toText(), Qt::ISODateWithMs);
    if (!date.isValid())
        place.invalidText();
    return date.toUTC();
}

void refuseDuration(qint64 milliseconds, const ValuePlace &place)
{
    place.outOfRange(milliseconds, QStringLiteral("is no whole number of this duration's unit, in milliseconds"));
}

void refuseDurationToWrite()
{
    throw Error(QStringLiteral("value"), QStringLiteral("out_of_range"),
                QStringLiteral("a duration is longer than 64 bits of milliseconds"));
}

void duplicateField(qsizetype offset, QByteArrayView key)
{
    CborReader::fail(offset, QStringLiteral("key \"%1\" is there twice").arg(QString::fromUtf8(key)));
}

} // namespace detail

} // namespace terrarium
