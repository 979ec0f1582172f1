#include "value/cbor.h"

#include "value/utf8.h"

namespace terrarium::cbor {

namespace {

qsizetype cborHeadSize(quint64 argument) noexcept
{
    return argument < 24 ? 1 : argument <= 0xff ? 2 : argument <= 0xffff ? 3 : argument <= 0xffffffffu ? 5 : 9;
}

qsizetype cborTextSize(QStringView text) noexcept
{
    const qsizetype size = utf8::size(text);
    return cborHeadSize(quint64(size)) + size;
}

} // namespace

Value decode(QByteArrayView bytes)
{
    CborReader reader(bytes);
    Value value = reader.value();
    reader.expectEnd();
    return value;
}

QByteArray encode(const Value &value)
{
    QByteArray out;
    encode(value, out);
    return out;
}

void encode(const Value &value, QByteArray &out)
{
    const qsizetype size = out.size();
    try {
        CborWriter writer(out);
        writer.value(value);
    } catch (...) {
        out.truncate(size);
        throw;
    }
}

qsizetype encodedSize(const Value &value)
{
    switch (value.kind()) {
    case Value::Kind::Undefined:
    case Value::Kind::Null:
    case Value::Kind::Bool: return 1;
    case Value::Kind::Int: {
        const qint64 integer = value.toInt();
        return cborHeadSize(integer < 0 ? ~quint64(integer) : quint64(integer));
    }
    case Value::Kind::UInt:
    case Value::Kind::Double: return 9;
    case Value::Kind::Text: return cborTextSize(value.textView());
    case Value::Kind::Bytes: {
        const qsizetype size = value.bytesView().size();
        return cborHeadSize(quint64(size)) + size;
    }
    case Value::Kind::Array: {
        qsizetype size = cborHeadSize(quint64(value.size()));
        for (const Value &item : value.items())
            size += encodedSize(item);
        return size;
    }
    case Value::Kind::Map: {
        qsizetype size = cborHeadSize(quint64(value.size()));
        for (const MapEntry &entry : value.entries())
            size += cborTextSize(entry.first) + encodedSize(entry.second);
        return size;
    }
    case Value::Kind::Tagged: return cborHeadSize(value.tag()) + encodedSize(value.untagged());
    }
    return 0;
}

} // namespace terrarium::cbor
