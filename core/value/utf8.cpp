#include "value/utf8.h"

#include <cstring>

namespace terrarium::utf8 {

namespace {

qsizetype utf8AsciiLength(const uchar *bytes, qsizetype size) noexcept
{
    qsizetype i = 0;
    for (; i + 8 <= size; i += 8) {
        quint64 word;
        std::memcpy(&word, bytes + i, 8);
        if (word & 0x8080808080808080u)
            break;
    }
    while (i < size && bytes[i] < 0x80)
        ++i;
    return i;
}

bool utf8IsContinuation(uchar byte) noexcept
{
    return (byte & 0xc0) == 0x80;
}

/// The code point at `i`, which is moved behind it.
char32_t utf8Next(QStringView text, qsizetype &i) noexcept
{
    const char16_t unit = text[i++].unicode();
    if (!QChar::isSurrogate(unit))
        return unit;
    if (QChar::isHighSurrogate(unit) && i < text.size() && text[i].isLowSurrogate())
        return QChar::surrogateToUcs4(unit, text[i++].unicode());
    return QChar::ReplacementCharacter;
}

} // namespace

qsizetype firstInvalid(QByteArrayView view) noexcept
{
    const auto *bytes = reinterpret_cast<const uchar *>(view.data());
    const qsizetype size = view.size();
    qsizetype i = utf8AsciiLength(bytes, size);
    while (i < size) {
        const uchar first = bytes[i];
        if (first < 0x80) {
            i += utf8AsciiLength(bytes + i, size - i);
        } else if (first >= 0xc2 && first <= 0xdf) {
            if (i + 1 >= size || !utf8IsContinuation(bytes[i + 1]))
                return i;
            i += 2;
        } else if (first >= 0xe0 && first <= 0xef) {
            if (i + 2 >= size || !utf8IsContinuation(bytes[i + 1]) || !utf8IsContinuation(bytes[i + 2]))
                return i;
            const bool isOverlong = first == 0xe0 && bytes[i + 1] < 0xa0;
            const bool isSurrogate = first == 0xed && bytes[i + 1] >= 0xa0;
            if (isOverlong || isSurrogate)
                return i;
            i += 3;
        } else if (first >= 0xf0 && first <= 0xf4) {
            if (i + 3 >= size || !utf8IsContinuation(bytes[i + 1]) || !utf8IsContinuation(bytes[i + 2])
                || !utf8IsContinuation(bytes[i + 3]))
                return i;
            const bool isOverlong = first == 0xf0 && bytes[i + 1] < 0x90;
            const bool isBeyond = first == 0xf4 && bytes[i + 1] >= 0x90;
            if (isOverlong || isBeyond)
                return i;
            i += 4;
        } else {
            return i;
        }
    }
    return -1;
}

QString toText(QByteArrayView view)
{
    const auto *bytes = reinterpret_cast<const uchar *>(view.data());
    const qsizetype size = view.size();
    const qsizetype ascii = utf8AsciiLength(bytes, size);
    if (ascii == size)
        return QString::fromLatin1(view.data(), size);
    QString text(size, Qt::Uninitialized); // never more units than bytes
    auto *out = reinterpret_cast<char16_t *>(text.data());
    qsizetype length = 0;
    for (qsizetype i = 0; i < size;) {
        const uchar first = bytes[i];
        if (first < 0x80) {
            out[length++] = first;
            i += 1;
        } else if (first < 0xe0) {
            out[length++] = char16_t((first & 0x1f) << 6 | (bytes[i + 1] & 0x3f));
            i += 2;
        } else if (first < 0xf0) {
            out[length++] = char16_t((first & 0x0f) << 12 | (bytes[i + 1] & 0x3f) << 6 | (bytes[i + 2] & 0x3f));
            i += 3;
        } else {
            const char32_t code = char32_t(first & 0x07) << 18 | char32_t(bytes[i + 1] & 0x3f) << 12
                                  | char32_t(bytes[i + 2] & 0x3f) << 6 | char32_t(bytes[i + 3] & 0x3f);
            out[length++] = QChar::highSurrogate(code);
            out[length++] = QChar::lowSurrogate(code);
            i += 4;
        }
    }
    text.truncate(length);
    return text;
}

qsizetype size(QStringView text) noexcept
{
    qsizetype bytes = 0;
    for (qsizetype i = 0; i < text.size();) {
        const char32_t code = utf8Next(text, i);
        bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    }
    return bytes;
}

void write(QStringView text, char *out) noexcept
{
    for (qsizetype i = 0; i < text.size();) {
        const char32_t code = utf8Next(text, i);
        if (code < 0x80) {
            *out++ = char(code);
        } else if (code < 0x800) {
            *out++ = char(0xc0 | code >> 6);
            *out++ = char(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            *out++ = char(0xe0 | code >> 12);
            *out++ = char(0x80 | (code >> 6 & 0x3f));
            *out++ = char(0x80 | (code & 0x3f));
        } else {
            *out++ = char(0xf0 | code >> 18);
            *out++ = char(0x80 | (code >> 12 & 0x3f));
            *out++ = char(0x80 | (code >> 6 & 0x3f));
            *out++ = char(0x80 | (code & 0x3f));
        }
    }
}

} // namespace terrarium::utf8
