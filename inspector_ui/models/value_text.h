#pragma once
// Values as short text for one cell: exact numbers, quoted text, containers as counts or key lists.

#include <terrarium/value.h>

#include <QString>

namespace terrarium::ui::value_text {

/// "map", "list", "text", "int", "number", "bool", "bytes", "null", "undefined", "tag 1"
QString typeName(const Value &value);
/// How data is coloured.
enum class Look { Text, Number, Keyword, Container };
Look look(const Value &value);
/// Text in double quotes with JSON escapes, cut after `most` characters.
QString quoted(const QString &text, int most = 1024);
/// One line for any value, never longer than about `most`: {ok: true}, [118, 64], "Lobby", 32 B h'00ff..'
QString oneLine(const Value &value, int most = 200);
/// A closed container: {cursor, name, typing}, [20]; a leaf as oneLine().
QString closed(const Value &value);
/// An opened container: {3}, [20].
QString opened(const Value &value);
/// Shortest exact text of a double; whole numbers keep ".0".
QString number(double value);

} // namespace terrarium::ui::value_text
