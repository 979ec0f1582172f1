#pragma once
// CBOR (RFC 8949) to Value and back, exactly.
//
// Reading accepts indefinite lengths, all float widths, tags (kept) and any map order. Refused with an
// Error: truncated input, trailing bytes, map keys that are not text, duplicate keys, invalid UTF-8,
// nesting deeper than 1000, negative integers below -2^63, lengths larger than the input.
// Writing gives shortest integers, doubles as 64 bits and definite lengths.

#include <terrarium/cbor_stream.h>
#include <terrarium/value.h>

#include <QByteArray>

namespace terrarium::cbor {

/// Deepest nesting read or written.
constexpr int maxDepth = cborMaxDepth;

/// Throws `value/invalid_cbor` with metadata {offset} naming the first bad byte.
Value decode(QByteArrayView bytes);
/// Throws `value/too_deep` beyond maxDepth.
QByteArray encode(const Value &value);
/// Appends to `out`.
void encode(const Value &value, QByteArray &out);
/// The size encode() would give, without encoding.
qsizetype encodedSize(const Value &value);

} // namespace terrarium::cbor
