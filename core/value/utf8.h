#pragma once
// Strict UTF-8, because Qt's conversion mends what is broken and drops a leading byte order mark.

#include <QByteArrayView>
#include <QString>
#include <QStringView>

namespace terrarium::utf8 {

/// Index of the first byte that is no part of valid UTF-8, or -1.
qsizetype firstInvalid(QByteArrayView bytes) noexcept;
/// `bytes` must be valid.
QString toText(QByteArrayView bytes);
/// Bytes that write() gives.
qsizetype size(QStringView text) noexcept;
/// Writes size(text) bytes to `out`. A lone surrogate becomes U+FFFD.
void write(QStringView text, char *out) noexcept;

} // namespace terrarium::utf8
