#pragma once
// Exact data: what states, arguments, results and events are made of.
//
// A Value is one of the kinds below. Nothing is ever rounded: integers keep all 64 bits, doubles keep
// their bits (NaN and -0 included), bytes and text are different kinds, and maps keep the order in which
// keys were put in. Copies are cheap (implicitly shared) and may be read from several threads.

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <QStringView>

#include <cstdint>
#include <utility>
#include <vector>

namespace terrarium {

class Value;

/// An entry of a map. Keys are text: CBOR maps with other keys are refused by the decoder.
using MapEntry = std::pair<QString, Value>;

class Value final {
public:
    enum class Kind : quint8 {
        Undefined, ///< CBOR undefined; JSON has no such thing
        Null,
        Bool,
        Int,  ///< fits int64
        UInt, ///< 2^63 .. 2^64-1 only; smaller ones are Int
        Double,
        Text,
        Bytes,
        Array,
        Map,
        Tagged, ///< a CBOR tag around another value, for example tag 1 (epoch time)
    };

    Value() noexcept : Value(Kind::Null, Data()) {}
    Value(std::nullptr_t) noexcept : Value() {}
    Value(bool v) noexcept : Value(Kind::Bool, Data(quint64(v))) {}
    Value(int v) noexcept : Value(qint64(v)) {}
    Value(unsigned v) noexcept : Value(qint64(v)) {}
    Value(long v) noexcept : Value(Kind::Int, Data(quint64(v))) {}
    Value(long long v) noexcept : Value(Kind::Int, Data(quint64(v))) {}
    Value(unsigned long v) noexcept : Value(v <= quint64(INT64_MAX) ? Kind::Int : Kind::UInt, Data(quint64(v))) {}
    Value(unsigned long long v) noexcept : Value(v <= quint64(INT64_MAX) ? Kind::Int : Kind::UInt, Data(quint64(v))) {}
    Value(double v) noexcept : Value(Kind::Double, Data(v)) {}
    Value(QString v) noexcept;
    Value(QLatin1String v) : Value(QString(v)) {}
    Value(const char *utf8) : Value(QString::fromUtf8(utf8)) {}
    Value(QByteArray v) noexcept;
    Value(const void *) = delete; ///< no pointer turns into a bool by accident

    Value(const Value &other) noexcept
        : m_data(other.m_data),
          m_start(other.m_start),
          m_size(other.m_size),
          m_kind(other.m_kind)
    {
        if (holdsShared())
            retain();
    }
    Value(Value &&other) noexcept
        : m_data(other.m_data),
          m_start(other.m_start),
          m_size(other.m_size),
          m_kind(other.m_kind)
    {
        other.m_kind = quint64(Kind::Null);
    }
    Value &operator=(const Value &other) noexcept
    {
        Value copy(other);
        swap(copy);
        return *this;
    }
    Value &operator=(Value &&other) noexcept
    {
        Value moved(std::move(other));
        swap(moved);
        return *this;
    }
    ~Value()
    {
        if (holdsShared())
            release();
    }
    void swap(Value &other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_start, other.m_start);
        const quint64 size = m_size;
        const quint64 kind = m_kind;
        m_size = other.m_size;
        m_kind = other.m_kind;
        other.m_size = size;
        other.m_kind = kind;
    }

    static Value undefined() noexcept;
    static Value array(std::vector<Value> items = {});
    static Value map(std::vector<MapEntry> entries = {}); ///< a later entry with the same key replaces the earlier
    static Value tagged(quint64 tag, Value inner);

    Kind kind() const noexcept { return Kind(m_kind); }
    bool isUndefined() const noexcept { return kind() == Kind::Undefined; }
    bool isNull() const noexcept { return kind() == Kind::Null; }
    bool isBool() const noexcept { return kind() == Kind::Bool; }
    bool isInt() const noexcept { return kind() == Kind::Int; }
    bool isUInt() const noexcept { return kind() == Kind::UInt; }
    bool isInteger() const noexcept { return isInt() || isUInt(); }
    bool isDouble() const noexcept { return kind() == Kind::Double; }
    bool isNumber() const noexcept { return isInteger() || isDouble(); }
    bool isText() const noexcept { return kind() == Kind::Text; }
    bool isBytes() const noexcept { return kind() == Kind::Bytes; }
    bool isArray() const noexcept { return kind() == Kind::Array; }
    bool isMap() const noexcept { return kind() == Kind::Map; }
    bool isTagged() const noexcept { return kind() == Kind::Tagged; }

    /// The content when the kind matches exactly, else `otherwise`.
    bool toBool(bool otherwise = false) const noexcept;
    qint64 toInt(qint64 otherwise = 0) const noexcept;    ///< Int only
    quint64 toUInt(quint64 otherwise = 0) const noexcept; ///< UInt, or an Int that is not negative
    double
    toDouble(double otherwise = 0) const noexcept; ///< Double, or an integer (may round: for display and plots only)
    QString toText(const QString &otherwise = {}) const;
    QByteArray toBytes(const QByteArray &otherwise = {}) const;
    /// The text or the bytes without a copy, valid as long as this value is not changed; else empty.
    QStringView textView() const noexcept;
    QByteArrayView bytesView() const noexcept;

    /// Items of an array; empty for other kinds.
    const std::vector<Value> &items() const noexcept;
    /// Entries of a map in order; empty for other kinds.
    const std::vector<MapEntry> &entries() const noexcept;
    /// Number of items or entries; 0 for other kinds.
    qsizetype size() const noexcept;

    /// Item `index` of an array, or Undefined when out of range or not an array.
    const Value &at(qsizetype index) const noexcept;
    /// The value at `key` of a map, or nullptr. Constant time for large maps.
    const Value *find(QStringView key) const noexcept;
    bool contains(QStringView key) const noexcept { return find(key) != nullptr; }
    /// The value at `key`, or Undefined when absent or not a map.
    const Value &operator[](QStringView key) const noexcept;
    const Value &operator[](const char *key) const noexcept;

    quint64 tag() const noexcept;           ///< of a Tagged value, else 0
    const Value &untagged() const noexcept; ///< the inner value of a Tagged, else this

    // Changing detaches from other copies.
    void append(Value item);                  ///< Null or Undefined turns into an array first
    void insert(qsizetype index, Value item); ///< into an array; index 0..size
    void set(qsizetype index, Value item);    ///< array; index < size
    void set(const QString &key, Value item); ///< map; keeps the key's place; Null turns into a map first
    bool add(const QString &key, Value item); ///< as set(), but false and unchanged when the key is there
    void reserve(qsizetype size);             ///< room in an array or map
    void insertEntry(qsizetype index, const QString &key, Value item); ///< map; `key` must be absent
    bool remove(QStringView key);                                      ///< from a map; false when absent
    void removeAt(qsizetype index);                                    ///< from an array
    void removeRange(qsizetype first, qsizetype count);                ///< from an array
    qsizetype indexOf(QStringView key) const noexcept;                 ///< place of a key in a map, or -1
    /// A reference to change in place, for walking a path. The child must exist.
    Value &mutableItem(qsizetype index);
    Value &mutableEntry(qsizetype index);

    /// Same kind and same content. Doubles compare by their bits, except that every NaN equals every NaN.
    /// The order of map entries does not matter. Int 1 and Double 1.0 differ.
    friend bool operator==(const Value &a, const Value &b) noexcept { return a.equals(b, false); }
    friend bool operator!=(const Value &a, const Value &b) noexcept { return !a.equals(b, false); }
    /// As ==, and map entries are in the same order.
    bool identical(const Value &other) const noexcept { return equals(other, true); }
    /// True when both share the same data: a cheap "certainly equal".
    bool sharesWith(const Value &other) const noexcept;

private:
    struct Node; ///< what arrays, maps and tags share: a count of owners
    struct ArrayNode;
    struct MapNode;
    struct TagNode;
    union Data {
        Data() noexcept : integer(0) {}
        explicit Data(quint64 v) noexcept : integer(v) {}
        explicit Data(double v) noexcept : number(v) {}
        explicit Data(QArrayData *v) noexcept : header(v) {}
        explicit Data(Node *v) noexcept : node(v) {}

        quint64 integer; ///< Bool, Int (two's complement), UInt
        double number;
        QArrayData *header; ///< of the QString or QByteArray; null for literals
        Node *node;
    };

    Value(Kind kind, Data data) noexcept : m_data(data), m_size(0), m_kind(quint64(kind)) {}

    bool holdsShared() const noexcept { return m_kind >= quint64(Kind::Text); }
    void retain() const noexcept;
    void release() noexcept;
    static void destroy(Node *node) noexcept;
    bool equals(const Value &other, bool ordered) const noexcept;
    ArrayNode &arrayNode() const noexcept;
    MapNode &mapNode() const noexcept;
    ArrayNode &detachArray();
    MapNode &detachMap();

    // 24 bytes: a text or byte array is taken apart into its header, start and size, so that the kind fits in.
    Data m_data;
    void *m_start = nullptr;
    quint64 m_size : 56;
    quint64 m_kind : 8;
};

} // namespace terrarium
