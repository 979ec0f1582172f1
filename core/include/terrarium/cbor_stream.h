#pragma once
// Writing and reading CBOR (RFC 8949) item by item, without a Value in between.
//
// For the hot path: states, deltas and frames are encoded thousands of times a second. Both classes follow
// the same rules as cbor::encode and cbor::decode, which are built on them: shortest integers, doubles as
// 64 bits, definite lengths; nothing is rounded, nothing malformed is taken.

#include <terrarium/value.h>

#include <QByteArray>
#include <QByteArrayView>
#include <QStringView>

#include <string_view>
#include <vector>

namespace terrarium {

/// Deepest nesting of a value. Frames that carry values are given some more.
constexpr int cborMaxDepth = 1000;

/// Appends items to a byte array. The array is complete only after finish() or the end of the writer; when
/// something was thrown, what was appended is of no use.
class CborWriter final {
public:
    /// While the content of an array, map or tag is written. Throws `value/too_deep` beyond the limit, so that
    /// nothing is written that could not be read back.
    class Nested final {
    public:
        explicit Nested(CborWriter &writer) : m_writer(writer) { writer.enter(); }
        ~Nested() { --m_writer.m_depth; }
        Nested(const Nested &) = delete;
        Nested &operator=(const Nested &) = delete;

    private:
        CborWriter &m_writer;
    };

    explicit CborWriter(QByteArray &out, int maxDepth = cborMaxDepth);
    ~CborWriter() { finish(); }
    CborWriter(const CborWriter &) = delete;
    CborWriter &operator=(const CborWriter &) = delete;

    /// Heads: exactly `size` items, or pairs of key and value, follow.
    void array(quint64 size) { head(0x80, size); }
    void map(quint64 size) { head(0xa0, size); }
    void tag(quint64 tag) { head(0xc0, tag); }

    void null() { byte(0xf6); }
    void undefined() { byte(0xf7); }
    void boolean(bool value) { byte(value ? 0xf5 : 0xf4); }
    void integer(qint64 value)
    {
        if (value < 0)
            head(0x20, ~quint64(value));
        else
            head(0x00, quint64(value));
    }
    void unsignedInteger(quint64 value) { head(0x00, value); }
    void number(double value);
    /// Lone surrogates, which CBOR cannot carry, become U+FFFD.
    void text(QStringView text);
    /// As text(), for the key of a map: a lone surrogate throws `value/invalid_text`, because two different keys
    /// must not become one.
    void key(QStringView key);
    /// Text or key that is known to be valid UTF-8: a name written in the source.
    void utf8(std::string_view text);
    void bytes(QByteArrayView bytes);
    /// Throws `value/too_deep`.
    void value(const Value &value);
    /// One item that is encoded already.
    void encoded(QByteArrayView item);

    void finish();

private:
    void room(qsizetype bytes)
    {
        if (m_end - m_at < bytes)
            grow(bytes);
    }
    void byte(uchar value)
    {
        room(1);
        *m_at++ = char(value);
    }
    void head(uchar major, quint64 argument)
    {
        room(9);
        if (argument < 24)
            *m_at++ = char(major | argument);
        else
            longHead(major, argument);
    }
    void longHead(uchar major, quint64 argument);
    void grow(qsizetype bytes);
    void enter();

    QByteArray &m_out;
    char *m_at;
    char *m_end;
    int m_depth = 0;
    int m_maxDepth;
};

/// Takes items from bytes, in order. Every function throws `value/invalid_cbor` with metadata {offset} on
/// malformed input; those that ask for one kind expect that kind() was asked first and throw the same.
class CborReader final {
public:
    /// Items of an array or pairs of a map that are still to come.
    struct Items {
        quint64 left = 0;
        bool isIndefinite = false;
    };

    /// `bytes` must outlive the reader.
    explicit CborReader(QByteArrayView bytes, int maxDepth = cborMaxDepth) noexcept;

    /// Of the next item. A Tagged item: take tag(), then the item it holds.
    Value::Kind kind() const;
    qsizetype offset() const noexcept { return m_at - m_begin; }
    bool atEnd() const noexcept { return m_at == m_end; }
    /// Throws when bytes are left.
    void expectEnd() const;

    bool boolean();
    qint64 integer();          ///< Int
    quint64 unsignedInteger(); ///< UInt, or an Int that is not negative
    double number();           ///< Double
    QString text();
    QByteArray bytes();
    void skipSimple(); ///< Null, Undefined
    Items array();
    Items map();
    /// Call before each item or key; false ends the array or map, and must be reached.
    bool more(Items &items);
    /// The next key of a map, valid until the next call. UTF-8, checked.
    QByteArrayView key();
    /// A tag; its item must follow, then untag().
    quint64 tag();
    void untag() noexcept { --m_depth; }

    /// Any item, whole.
    Value value();
    /// As value(), and throws it away: an unknown field is checked like a known one.
    void skip() { value(); }

    [[noreturn]] static void fail(qsizetype offset, const QString &what);

private:
    struct Head {
        uchar major = 0; ///< 0 to 7
        uchar low = 0;   ///< 31 is indefinite
        quint64 argument = 0;
    };

    Head head();
    Head headOf(uchar major, const char *expected);
    void enter(qsizetype at);
    Items items(uchar major, const char *expected, int bytesEach);
    /// The content of a definite text or byte string; indefinite ones are put together in m_scratch.
    QByteArrayView string(uchar major, const char *expected);
    QByteArrayView definite(const Head &head, qsizetype at);
    QString keyText();
    Value arrayValue();
    Value mapValue();

    const char *m_begin;
    const char *m_at;
    const char *m_end;
    int m_depth = 0;
    int m_maxDepth;
    QByteArray m_scratch;
    int m_maps = 0;              ///< maps read as values
    std::vector<QString> m_keys; ///< from the second of them on: recent keys, so that like maps share theirs
};

} // namespace terrarium
