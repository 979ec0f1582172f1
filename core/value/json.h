#pragma once
// JSON to Value and back: integers exact to 64 bits, key order kept.
//
// Refused with an Error: truncated input, trailing text, duplicate keys, invalid UTF-8 or lone surrogates,
// nesting deeper than 1000, integers outside -2^63 .. 2^64-1 (never rounded to a double).
// A number with a fraction or an exponent is a Double; `1.0` stays a Double and is written `1.0`.
//
// Kinds JSON lacks (bytes, undefined, big integers) are written in RivetKit's JSON-compatible form when
// `Extended` is asked for: ["$Uint8Array", base64], ["$Undefined", 0], ["$BigInt", "123"] for integers that
// JavaScript would round, and a list that looks like such a form gets one more `$`. In both forms NaN and
// infinities are null, dates (CBOR tag 1) are ISO 8601 text and other tags are left out: neither JSON nor that
// form has them. Source: protocols of the public npm client.

#include <terrarium/value.h>

#include <QByteArray>
#include <QString>

namespace terrarium::json {

enum class Form {
    Plain,    ///< bytes as base64 text, undefined as null: for display and export
    Extended, ///< RivetKit's `$` forms
};

constexpr int maxDepth = 1000;

/// Throws `value/invalid_json` with metadata {offset, line, column}.
Value parse(QByteArrayView utf8, Form form = Form::Plain);
/// Compact. Throws `value/too_deep`.
QByteArray write(const Value &value, Form form = Form::Plain);
/// One entry a line, two spaces a level.
QByteArray writePretty(const Value &value, Form form = Form::Plain);
/// Turns a value that was read by another decoder (CBOR or BARE of the client protocol) from the `$` form
/// into plain kinds, and back. An unknown `$` form throws `value/invalid_json`.
Value fromExtended(const Value &value);
Value toExtended(const Value &value);

} // namespace terrarium::json
