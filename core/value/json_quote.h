#pragma once
// A text in JSON quotes, for places where people read it: paths, keys, diagnostics.

#include <QString>
#include <QStringView>

#include <optional>

namespace terrarium {

/// `text` in double quotes with \" \\ \n \uXXXX where needed. Lone surrogates are escaped, so the text survives.
QString jsonQuoted(QStringView text);
/// Reads a quoted text at the start of `text` and says in `length` how much of it that was; nullopt when there is none.
std::optional<QString> fromJsonQuoted(QStringView text, qsizetype *length);

} // namespace terrarium
