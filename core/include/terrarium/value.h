#pragma once
// Exact data: what states, arguments, results and events are made of.
//
// A Value is one of the kinds below. Nothing is ever rounded: integers keep all 64 bits, doubles keep
// their bits (NaN and -0 included), bytes and text are different kinds, and maps keep the order in which
// keys were put in. Copies are cheap (implicitly shared) and may be read from several threads.

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <variant>
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
        Int,     ///< fits int64
        UInt,    ///< 2^63 .. 2^64-1 only; smaller ones are Int
        Double,
        Text,
        Bytes,
        Array,
        Map,
        Tagged,  ///< a CBOR tag around another value, for example tag 1 (epoch time)
    };

    Value() noexcept = default; ///< Null
    Value(std::nullptr_t) noexcept {}
    Value(bool v) noexcept : m_data(v) {}
    Value(int v) noexcept : m_data(qint64(v)) {}
    Value(unsigned v) noexcept : m_data(qint64(v)) {}
    Value(long v) noexcept : m_data(qint64(v)) {}
    Value(long long v) noexcept : m_data(qint64(v)) {}
    Value(unsigned long v) noexcept { setUInt(v); }
    Value(unsigned long long v) noexcept { setUInt(v); }
    Value(double v) noexcept : m_data(v) {}
    Value(QString v) noexcept : m_data(std::move(v)) {}
    Value(QLatin1String v) : m_data(QString(v)) {}
    Value(const char *utf8) : m_data(QString::fromUtf8(utf8)) {}
    Value(QByteArray v) noexcept : m_data(std::move(v)) {}
    Value(const void *) = delete; ///< no pointer turns into a bool by accident

    static Value undefined() noexcept;
    static Value array(std::vector<Value> items = {});
    static Value map(std::vector<MapEntry> entries = {}); ///< a later entry with the same key replaces the earlier
    static Value tagged(quint64 tag, Value inner);

    Kind kind() const noexcept;
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
    double toDouble(double otherwise = 0) const noexcept; ///< Double, or an integer (may round: for display and plots only)
    QString toText(const QString &otherwise = {}) const;
    QByteArray toBytes(const QByteArray &otherwise = {}) const;

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

    quint64 tag() const noexcept;        ///< of a Tagged value, else 0
    const Value &untagged() const noexcept; ///< the inner value of a Tagged, else this

    // Changing detaches from other copies.
    void append(Value item);                            ///< Null or Undefined turns into an array first
    void insert(qsizetype index, Value item);           ///< into an array; index 0..size
    void set(qsizetype index, Value item);              ///< array; index < size
    void set(const QString &key, Value item);           ///< map; keeps the key's place; Null turns into a map first
    void insertEntry(qsizetype index, const QString &key, Value item); ///< map; `key` must be absent
    bool remove(QStringView key);                       ///< from a map; false when absent
    void removeAt(qsizetype index);                     ///< from an array
    qsizetype indexOf(QStringView key) const noexcept;  ///< place of a key in a map, or -1
    /// A reference to change in place, for walking a path. The child must exist.
    Value &mutableItem(qsizetype index);
    Value &mutableEntry(qsizetype index);

    /// Same kind and same content. Doubles compare by their bits, except that every NaN equals every NaN.
    /// The order of map entries does not matter. Int 1 and Double 1.0 differ.
    friend bool operator==(const Value &a, const Value &b) noexcept { return a.equals(b); }
    friend bool operator!=(const Value &a, const Value &b) noexcept { return !a.equals(b); }
    /// As ==, and map entries are in the same order.
    bool identical(const Value &other) const noexcept;
    /// True when both share the same data: a cheap "certainly equal".
    bool sharesWith(const Value &other) const noexcept;

private:
    struct UndefinedTag {};
    struct ArrayData;
    struct MapData;
    struct TagData;

    void setUInt(quint64 v) noexcept
    {
        if (v <= quint64(INT64_MAX))
            m_data = qint64(v);
        else
            m_data = v;
    }
    bool equals(const Value &other) const noexcept;
    ArrayData &detachArray();
    MapData &detachMap();

    std::variant<std::monostate, UndefinedTag, bool, qint64, quint64, double, QString, QByteArray,
                 std::shared_ptr<ArrayData>, std::shared_ptr<MapData>, std::shared_ptr<TagData>>
        m_data;
};

} // namespace terrarium
