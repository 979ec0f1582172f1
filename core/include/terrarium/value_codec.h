#pragma once
// C++ types to exact values and back: states, arguments, results, events, queue messages.
//
// Known: bool, integers (range checked), float, double, QString, std::string, QByteArray, enums (as
// integers), std::optional (null when empty), QList, std::vector, std::array, std::pair, std::tuple (lists),
// QMap, QHash, std::map, std::unordered_map with text keys (maps; unordered ones sorted by key),
// std::chrono durations (milliseconds), QDateTime (CBOR tag 1: seconds since 1970, UTC), Value, and every
// struct with ACTOR_FIELDS (a map). Another type: specialise ValueCodec<T> with typeName, toValue and
// fromValue; write and read are optional and only make it faster.
//
// Reading a struct, fields that are missing keep the defaults of a new struct and fields that are not listed
// are ignored, so that a state written by an older or newer program can be read. Whole numbers are read from
// doubles without a fraction and doubles from whole numbers, when nothing is rounded.
//
// Errors name the place: `value/wrong_kind` {path, expected, found}, `value/out_of_range` {path, value},
// `value/wrong_length` {path}, `value/invalid_text` {path}.

#include <terrarium/cbor_stream.h>
#include <terrarium/fields.h>
#include <terrarium/value.h>

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QMap>
#include <QString>

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace terrarium {

template <typename T>
struct ValueCodec;

/// Where a decoder is, for its errors: links of keys and indexes on the stack, read only when something fails.
class ValuePlace final {
public:
    ValuePlace() noexcept = default; ///< the root
    /// `parent` and `key` must outlive the place. The key of an argument: ValuePlace(ValuePlace(), u"by").
    ValuePlace(const ValuePlace &parent, QStringView key) noexcept : m_parent(&parent), m_key(key) {}
    ValuePlace(const ValuePlace &parent, std::string_view key) noexcept : m_parent(&parent), m_utf8(key) {}
    ValuePlace(const ValuePlace &parent, qsizetype index) noexcept : m_parent(&parent), m_index(index) {}

    /// "members.ada[3]"; "$" for the root.
    QString text() const;

    [[noreturn]] void wrongKind(QLatin1String expected, Value::Kind found) const;
    /// `value` is shown as it came, `why` says what it does not fit: "does not fit into 8 bits without sign".
    [[noreturn]] void outOfRange(const Value &value, const QString &why) const;
    [[noreturn]] void wrongLength(qsizetype expected, qsizetype found) const;
    [[noreturn]] void invalidText() const;

private:
    const ValuePlace *m_parent = nullptr;
    QStringView m_key;
    std::string_view m_utf8;
    qsizetype m_index = -1;
};

/// "int", "number", "text", "bool", "bytes", "list", "map" or "any": what a form asks for.
template <typename T>
constexpr QLatin1String typeName() noexcept
{
    return ValueCodec<std::remove_cvref_t<T>>::typeName;
}

template <typename T>
inline constexpr bool isOptional = false;
template <typename T>
inline constexpr bool isOptional<std::optional<T>> = true;

template <typename T>
Value encodeValue(const T &value)
{
    return ValueCodec<T>::toValue(value);
}

template <typename T>
T decodeValue(const Value &value, const ValuePlace &place = ValuePlace())
{
    return ValueCodec<T>::fromValue(value, place);
}

/// The same bytes as cbor::encode(encodeValue(value)), without the Value.
template <typename T>
void writeCbor(CborWriter &writer, const T &value)
{
    if constexpr (requires { ValueCodec<T>::write(writer, value); })
        ValueCodec<T>::write(writer, value);
    else
        writer.value(ValueCodec<T>::toValue(value));
}

/// The same result as decodeValue<T>(reader.value(), place).
template <typename T>
T readCbor(CborReader &reader, const ValuePlace &place = ValuePlace())
{
    if constexpr (requires { ValueCodec<T>::read(reader, place); })
        return ValueCodec<T>::read(reader, place);
    else
        return ValueCodec<T>::fromValue(reader.value(), place);
}

/// Appends to `out`, which is as before when this throws.
template <typename T>
void encodeCbor(const T &value, QByteArray &out)
{
    const qsizetype size = out.size();
    try {
        CborWriter writer(out);
        writeCbor(writer, value);
    } catch (...) {
        out.truncate(size);
        throw;
    }
}

template <typename T>
QByteArray encodeCbor(const T &value)
{
    QByteArray out;
    encodeCbor(value, out);
    return out;
}

template <typename T>
T decodeCbor(QByteArrayView bytes, const ValuePlace &place = ValuePlace())
{
    CborReader reader(bytes);
    T value = readCbor<T>(reader, place);
    reader.expectEnd();
    return value;
}

// ---- The codecs ------------------------------------------------------------------------------------

namespace detail {

inline constexpr QLatin1String intName("int");
inline constexpr QLatin1String numberName("number");
inline constexpr QLatin1String textName("text");
inline constexpr QLatin1String boolName("bool");
inline constexpr QLatin1String bytesName("bytes");
inline constexpr QLatin1String listName("list");
inline constexpr QLatin1String mapName("map");
inline constexpr QLatin1String anyName("any");

/// A whole number as it came: of either sign.
struct WholeNumber {
    bool isNegative = false;
    quint64 bits = 0; ///< two's complement when negative
};

/// From Int, UInt, or a Double without a fraction.
WholeNumber wholeNumber(const Value &value, const ValuePlace &place);
WholeNumber readWholeNumber(CborReader &reader, const ValuePlace &place);
[[noreturn]] void refuseWholeNumber(WholeNumber number, int bits, bool isSigned, const ValuePlace &place);
double floatingNumber(const Value &value, const ValuePlace &place);
double readFloatingNumber(CborReader &reader, const ValuePlace &place);
[[noreturn]] void refuseFloat(double number, const ValuePlace &place);
QString textFromUtf8(std::string_view text);
/// Milliseconds since 1970, or null for an invalid date.
Value dateToValue(const QDateTime &date);
QDateTime dateFromValue(const Value &value, const ValuePlace &place);
[[noreturn]] void refuseDuration(qint64 milliseconds, const ValuePlace &place);
[[noreturn]] void refuseDurationToWrite();
[[noreturn]] void duplicateField(qsizetype offset, QByteArrayView key);

inline void expectKind(CborReader &reader, Value::Kind kind, QLatin1String expected, const ValuePlace &place)
{
    const Value::Kind found = reader.kind();
    if (found != kind)
        place.wrongKind(expected, found);
}

inline void expectKind(const Value &value, Value::Kind kind, QLatin1String expected, const ValuePlace &place)
{
    if (value.kind() != kind)
        place.wrongKind(expected, value.kind());
}

template <typename T>
concept WholeNumberType =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t>
    && !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <WholeNumberType T>
T narrowed(WholeNumber number, const ValuePlace &place)
{
    const bool fits = number.isNegative
                          ? std::signed_integral<T> && qint64(number.bits) >= qint64(std::numeric_limits<T>::min())
                          : number.bits <= quint64(std::numeric_limits<T>::max());
    if (!fits)
        refuseWholeNumber(number, int(sizeof(T) * 8), std::signed_integral<T>, place);
    return T(number.bits);
}

// Lists of any length.
template <typename List, typename Item>
struct ListCodec {
    using ListSize = decltype(List().size());
    static constexpr QLatin1String typeName = listName;

    static Value toValue(const List &list)
    {
        std::vector<Value> items;
        items.reserve(std::size_t(list.size()));
        for (const Item &item : list)
            items.push_back(encodeValue<Item>(item));
        return Value::array(std::move(items));
    }
    static List fromValue(const Value &value, const ValuePlace &place)
    {
        expectKind(value, Value::Kind::Array, listName, place);
        List list;
        list.reserve(ListSize(value.size()));
        qsizetype index = 0;
        for (const Value &item : value.items()) {
            list.push_back(decodeValue<Item>(item, ValuePlace(place, index)));
            ++index;
        }
        return list;
    }
    static void write(CborWriter &writer, const List &list)
    {
        const CborWriter::Nested nested(writer);
        writer.array(quint64(list.size()));
        for (const Item &item : list)
            writeCbor<Item>(writer, item);
    }
    static List read(CborReader &reader, const ValuePlace &place)
    {
        expectKind(reader, Value::Kind::Array, listName, place);
        List list;
        qsizetype index = 0;
        for (CborReader::Items items = reader.array(); reader.more(items); ++index)
            list.push_back(readCbor<Item>(reader, ValuePlace(place, index)));
        return list;
    }
};

inline QString mapKeyText(const QString &key)
{
    return key;
}
inline QString mapKeyText(const std::string &key)
{
    return textFromUtf8(key);
}
template <typename Key>
Key mapKeyFrom(const QString &key)
{
    if constexpr (std::is_same_v<Key, std::string>)
        return key.toStdString();
    else
        return key;
}

// Maps with text keys, of Qt and of the standard library.
template <typename Map, typename Key, typename Item>
struct MapCodec {
    static constexpr QLatin1String typeName = mapName;

    static Value toValue(const Map &map)
    {
        Value value = Value::map();
        value.reserve(qsizetype(map.size()));
        forEachEntry(map,
                     [&](const Key &key, const Item &item) { value.add(mapKeyText(key), encodeValue<Item>(item)); });
        return value;
    }
    static Map fromValue(const Value &value, const ValuePlace &place)
    {
        expectKind(value, Value::Kind::Map, mapName, place);
        Map map;
        for (const MapEntry &entry : value.entries())
            add(map, entry.first, decodeValue<Item>(entry.second, ValuePlace(place, QStringView(entry.first))));
        return map;
    }
    static void write(CborWriter &writer, const Map &map)
    {
        const CborWriter::Nested nested(writer);
        writer.map(quint64(map.size()));
        forEachEntry(map, [&](const Key &key, const Item &item) {
            writer.key(mapKeyText(key));
            writeCbor<Item>(writer, item);
        });
    }
    static Map read(CborReader &reader, const ValuePlace &place)
    {
        expectKind(reader, Value::Kind::Map, mapName, place);
        Map map;
        for (CborReader::Items items = reader.map(); reader.more(items);) {
            const qsizetype at = reader.offset();
            const QString key = reader.text();
            const auto before = map.size();
            add(map, key, readCbor<Item>(reader, ValuePlace(place, QStringView(key))));
            if (map.size() == before)
                duplicateField(at, key.toUtf8());
        }
        return map;
    }

private:
    static void add(Map &map, const QString &key, Item &&item)
    {
        if constexpr (requires { map.insert_or_assign(mapKeyFrom<Key>(key), std::move(item)); })
            map.insert_or_assign(mapKeyFrom<Key>(key), std::move(item));
        else
            map.insert(mapKeyFrom<Key>(key), std::move(item));
    }

    /// In the order of the map, or by key when the map has an order of chance.
    template <typename Visit>
    static void forEachEntry(const Map &map, Visit &&visit)
    {
        constexpr bool isSorted = requires { map.lower_bound(Key()); } || requires { map.lowerBound(Key()); };
        std::vector<std::pair<const Key *, const Item *>> sorted;
        const auto take = [&](const Key &key, const Item &item) {
            if constexpr (isSorted)
                visit(key, item);
            else
                sorted.emplace_back(&key, &item);
        };
        if constexpr (requires { map.constKeyValueBegin(); }) {
            for (auto at = map.constBegin(); at != map.constEnd(); ++at)
                take(at.key(), at.value());
        } else {
            for (const auto &entry : map)
                take(entry.first, entry.second);
        }
        std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) { return *a.first < *b.first; });
        for (const auto &entry : sorted)
            visit(*entry.first, *entry.second);
    }
};

// Lists whose length is part of the type: std::pair, std::tuple.
template <typename Tuple>
struct TupleCodec {
    static constexpr QLatin1String typeName = listName;
    static constexpr std::size_t length = std::tuple_size_v<Tuple>;

    static Value toValue(const Tuple &tuple)
    {
        std::vector<Value> items;
        items.reserve(length);
        std::apply([&](const auto &...item) { (items.push_back(encodeValue(item)), ...); }, tuple);
        return Value::array(std::move(items));
    }
    static Tuple fromValue(const Value &value, const ValuePlace &place)
    {
        expectKind(value, Value::Kind::Array, listName, place);
        if (value.size() != qsizetype(length))
            place.wrongLength(qsizetype(length), value.size());
        Tuple tuple;
        std::apply(
            [&](auto &...item) {
                [[maybe_unused]] qsizetype index = 0;
                ((item =
                      decodeValue<std::remove_reference_t<decltype(item)>>(value.at(index), ValuePlace(place, index)),
                  ++index),
                 ...);
            },
            tuple);
        return tuple;
    }
    static void write(CborWriter &writer, const Tuple &tuple)
    {
        const CborWriter::Nested nested(writer);
        writer.array(length);
        std::apply([&](const auto &...item) { (writeCbor(writer, item), ...); }, tuple);
    }
};

/// The name of a field, as it is compared with the keys of a map.
template <typename T>
inline constexpr auto fieldNames =
    std::apply([](const auto &...field) { return std::array<std::string_view, sizeof...(field)>{field.name...}; },
               T::actorFields());

/// The same as texts, made once, so that all values of a type share their keys.
template <typename T>
const std::array<QString, fieldNames<T>.size()> &fieldKeys()
{
    static const auto keys = [] {
        std::array<QString, fieldNames<T>.size()> made;
        for (std::size_t i = 0; i < made.size(); ++i)
            made[i] = QString::fromUtf8(fieldNames<T>[i].data(), qsizetype(fieldNames<T>[i].size()));
        return made;
    }();
    return keys;
}

template <std::size_t size>
constexpr bool namesDiffer(const std::array<std::string_view, size> &names)
{
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t other = 0; other < i; ++other) {
            if (names[i] == names[other])
                return false;
        }
    }
    return true;
}

template <typename T>
constexpr bool fieldNamesDiffer()
{
    if constexpr (hasActorFields<T>)
        return namesDiffer(fieldNames<T>);
    else
        return true;
}

/// Keys seen while a struct is read, so that a key that is there twice is refused as cbor::decode does.
class SeenKeys final {
public:
    void field(std::size_t index, qsizetype offset, std::string_view name)
    {
        const quint64 bit = quint64(1) << index;
        if (m_fields & bit)
            duplicateField(offset, name);
        m_fields |= bit;
    }
    void unknown(qsizetype offset, QByteArrayView key)
    {
        const QByteArray copy = key.toByteArray();
        if (std::find(m_unknown.begin(), m_unknown.end(), copy) != m_unknown.end())
            duplicateField(offset, key);
        m_unknown.push_back(copy);
    }

private:
    quint64 m_fields = 0;
    std::vector<QByteArray> m_unknown;
};

} // namespace detail

/// Structs with ACTOR_FIELDS. A type that ends up here without them is one that has no codec.
template <typename T>
struct ValueCodec {
    static_assert(
        hasActorFields<T>,
        "terrarium: this type cannot be stored or sent. List its members with ACTOR_FIELDS(Type, a, b) in the "
        "public part of the struct, or use one of the types in <terrarium/value_codec.h>.");
    static_assert(detail::fieldNamesDiffer<T>(), "terrarium: ACTOR_FIELDS names a member twice");

    static constexpr QLatin1String typeName = detail::mapName;

    static Value toValue(const T &object)
    {
        Value value;
        if constexpr (hasActorFields<T>) {
            value = Value::map();
            value.reserve(qsizetype(fieldCount<T>));
            const QString *key = detail::fieldKeys<T>().data();
            forEachField(object, [&](std::string_view, const auto &member) { value.add(*key++, encodeValue(member)); });
        }
        return value;
    }
    static T fromValue([[maybe_unused]] const Value &value, [[maybe_unused]] const ValuePlace &place)
    {
        static_assert(std::is_default_constructible_v<T>,
                      "terrarium: a struct that is read needs a default constructor");
        T object{};
        if constexpr (hasActorFields<T>) {
            detail::expectKind(value, Value::Kind::Map, detail::mapName, place);
            const QString *key = detail::fieldKeys<T>().data();
            forEachField(object, [&]<typename Member>(std::string_view name, Member &member) {
                if (const Value *found = value.find(*key++))
                    member = decodeValue<Member>(*found, ValuePlace(place, name));
            });
        }
        return object;
    }
    static void write([[maybe_unused]] CborWriter &writer, [[maybe_unused]] const T &object)
    {
        if constexpr (hasActorFields<T>) {
            const CborWriter::Nested nested(writer);
            writer.map(fieldCount<T>);
            forEachField(object, [&](std::string_view name, const auto &member) {
                writer.utf8(name);
                writeCbor(writer, member);
            });
        }
    }
    static T read([[maybe_unused]] CborReader &reader, [[maybe_unused]] const ValuePlace &place)
    {
        T object{};
        if constexpr (hasActorFields<T>) {
            detail::expectKind(reader, Value::Kind::Map, detail::mapName, place);
            detail::SeenKeys seen;
            std::size_t next = 0; // fields mostly come in the order in which they were written
            for (CborReader::Items items = reader.map(); reader.more(items);) {
                const qsizetype offset = reader.offset();
                const QByteArrayView key = reader.key();
                const std::size_t index = fieldIndex(std::string_view(key.data(), std::size_t(key.size())), next);
                if (index == fieldCount<T>) {
                    seen.unknown(offset, key);
                    reader.skip();
                    continue;
                }
                seen.field(index, offset, detail::fieldNames<T>[index]);
                next = index + 1;
                readField(reader, place, object, index);
            }
        }
        return object;
    }

private:
    static std::size_t fieldIndex(std::string_view key, std::size_t expected)
    {
        constexpr auto &names = detail::fieldNames<T>;
        if (expected < names.size() && names[expected] == key)
            return expected;
        return std::size_t(std::find(names.begin(), names.end(), key) - names.begin());
    }
    static void readField(CborReader &reader, const ValuePlace &place, T &object, std::size_t index)
    {
        std::size_t at = 0;
        forEachField(object, [&]<typename Member>(std::string_view name, Member &member) {
            if (at++ == index)
                member = readCbor<Member>(reader, ValuePlace(place, name));
        });
    }
};

template <>
struct ValueCodec<Value> {
    static constexpr QLatin1String typeName = detail::anyName;
    static Value toValue(const Value &value) { return value; }
    static Value fromValue(const Value &value, const ValuePlace &) { return value; }
    static void write(CborWriter &writer, const Value &value) { writer.value(value); }
    static Value read(CborReader &reader, const ValuePlace &) { return reader.value(); }
};

template <>
struct ValueCodec<bool> {
    static constexpr QLatin1String typeName = detail::boolName;
    static Value toValue(bool value) { return value; }
    static bool fromValue(const Value &value, const ValuePlace &place)
    {
        detail::expectKind(value, Value::Kind::Bool, detail::boolName, place);
        return value.toBool();
    }
    static void write(CborWriter &writer, bool value) { writer.boolean(value); }
    static bool read(CborReader &reader, const ValuePlace &place)
    {
        detail::expectKind(reader, Value::Kind::Bool, detail::boolName, place);
        return reader.boolean();
    }
};

template <detail::WholeNumberType T>
struct ValueCodec<T> {
    static constexpr QLatin1String typeName = detail::intName;
    static Value toValue(T value)
    {
        if constexpr (std::signed_integral<T>)
            return qint64(value);
        else
            return quint64(value);
    }
    static T fromValue(const Value &value, const ValuePlace &place)
    {
        return detail::narrowed<T>(detail::wholeNumber(value, place), place);
    }
    static void write(CborWriter &writer, T value)
    {
        if constexpr (std::signed_integral<T>)
            writer.integer(value);
        else
            writer.unsignedInteger(value);
    }
    static T read(CborReader &reader, const ValuePlace &place)
    {
        return detail::narrowed<T>(detail::readWholeNumber(reader, place), place);
    }
};

template <>
struct ValueCodec<double> {
    static constexpr QLatin1String typeName = detail::numberName;
    static Value toValue(double value) { return value; }
    static double fromValue(const Value &value, const ValuePlace &place)
    {
        return detail::floatingNumber(value, place);
    }
    static void write(CborWriter &writer, double value) { writer.number(value); }
    static double read(CborReader &reader, const ValuePlace &place)
    {
        return detail::readFloatingNumber(reader, place);
    }
};

/// Exact when written; read from a double, the nearest float.
template <>
struct ValueCodec<float> {
    static constexpr QLatin1String typeName = detail::numberName;
    static Value toValue(float value) { return double(value); }
    static float fromValue(const Value &value, const ValuePlace &place)
    {
        return narrowed(detail::floatingNumber(value, place), place);
    }
    static void write(CborWriter &writer, float value) { writer.number(double(value)); }
    static float read(CborReader &reader, const ValuePlace &place)
    {
        return narrowed(detail::readFloatingNumber(reader, place), place);
    }

private:
    static float narrowed(double number, const ValuePlace &place)
    {
        constexpr double most = double(std::numeric_limits<float>::max());
        const bool isFinite = number - number == 0;
        if (isFinite && (number > most || number < -most))
            detail::refuseFloat(number, place);
        return float(number);
    }
};

template <>
struct ValueCodec<QString> {
    static constexpr QLatin1String typeName = detail::textName;
    static Value toValue(const QString &value) { return value; }
    static QString fromValue(const Value &value, const ValuePlace &place)
    {
        detail::expectKind(value, Value::Kind::Text, detail::textName, place);
        return value.toText();
    }
    static void write(CborWriter &writer, const QString &value) { writer.text(value); }
    static QString read(CborReader &reader, const ValuePlace &place)
    {
        detail::expectKind(reader, Value::Kind::Text, detail::textName, place);
        return reader.text();
    }
};

/// UTF-8; other bytes throw `value/invalid_text` when written.
template <>
struct ValueCodec<std::string> {
    static constexpr QLatin1String typeName = detail::textName;
    static Value toValue(const std::string &value) { return detail::textFromUtf8(value); }
    static std::string fromValue(const Value &value, const ValuePlace &place)
    {
        return ValueCodec<QString>::fromValue(value, place).toStdString();
    }
};

template <>
struct ValueCodec<QByteArray> {
    static constexpr QLatin1String typeName = detail::bytesName;
    static Value toValue(const QByteArray &value) { return value; }
    static QByteArray fromValue(const Value &value, const ValuePlace &place)
    {
        detail::expectKind(value, Value::Kind::Bytes, detail::bytesName, place);
        return value.toBytes();
    }
    static void write(CborWriter &writer, const QByteArray &value) { writer.bytes(value); }
    static QByteArray read(CborReader &reader, const ValuePlace &place)
    {
        detail::expectKind(reader, Value::Kind::Bytes, detail::bytesName, place);
        return reader.bytes();
    }
};

/// As the integer behind it. Reading checks the range of that integer, not that an enumerator has the value.
template <typename T>
    requires std::is_enum_v<T>
struct ValueCodec<T> {
    using Integer = std::underlying_type_t<T>;
    using Codec = ValueCodec<std::conditional_t<std::is_same_v<Integer, char>, signed char, Integer>>;
    static constexpr QLatin1String typeName = Codec::typeName;
    static Value toValue(T value) { return Codec::toValue(Integer(value)); }
    static T fromValue(const Value &value, const ValuePlace &place) { return T(Codec::fromValue(value, place)); }
    static void write(CborWriter &writer, T value) { Codec::write(writer, Integer(value)); }
    static T read(CborReader &reader, const ValuePlace &place) { return T(Codec::read(reader, place)); }
};

/// Null when empty; null and undefined are read as empty.
template <typename T>
struct ValueCodec<std::optional<T>> {
    static_assert(!isOptional<T>, "terrarium: an optional of an optional cannot be told from an empty one");
    static constexpr QLatin1String typeName = ValueCodec<T>::typeName;
    static Value toValue(const std::optional<T> &value) { return value ? encodeValue<T>(*value) : Value(); }
    static std::optional<T> fromValue(const Value &value, const ValuePlace &place)
    {
        if (value.isNull() || value.isUndefined())
            return std::nullopt;
        return decodeValue<T>(value, place);
    }
    static void write(CborWriter &writer, const std::optional<T> &value)
    {
        if (value)
            writeCbor<T>(writer, *value);
        else
            writer.null();
    }
    static std::optional<T> read(CborReader &reader, const ValuePlace &place)
    {
        const Value::Kind kind = reader.kind();
        if (kind == Value::Kind::Null || kind == Value::Kind::Undefined) {
            reader.skipSimple();
            return std::nullopt;
        }
        return readCbor<T>(reader, place);
    }
};

template <typename T>
struct ValueCodec<QList<T>> : detail::ListCodec<QList<T>, T> {};
template <typename T>
struct ValueCodec<std::vector<T>> : detail::ListCodec<std::vector<T>, T> {};

template <typename T>
struct ValueCodec<QMap<QString, T>> : detail::MapCodec<QMap<QString, T>, QString, T> {};
template <typename T>
struct ValueCodec<QHash<QString, T>> : detail::MapCodec<QHash<QString, T>, QString, T> {};
template <typename T>
struct ValueCodec<std::map<QString, T>> : detail::MapCodec<std::map<QString, T>, QString, T> {};
template <typename T>
struct ValueCodec<std::map<std::string, T>> : detail::MapCodec<std::map<std::string, T>, std::string, T> {};
template <typename T>
struct ValueCodec<std::unordered_map<QString, T>> : detail::MapCodec<std::unordered_map<QString, T>, QString, T> {};
template <typename T>
struct ValueCodec<std::unordered_map<std::string, T>>
    : detail::MapCodec<std::unordered_map<std::string, T>, std::string, T> {};

template <typename A, typename B>
struct ValueCodec<std::pair<A, B>> : detail::TupleCodec<std::pair<A, B>> {};
template <typename... T>
struct ValueCodec<std::tuple<T...>> : detail::TupleCodec<std::tuple<T...>> {};
template <typename T, std::size_t size>
struct ValueCodec<std::array<T, size>> : detail::TupleCodec<std::array<T, size>> {};

/// Milliseconds. A floating duration may have a fraction of one; an integral one finer than a millisecond has no codec.
template <typename Rep, typename Period>
struct ValueCodec<std::chrono::duration<Rep, Period>> {
    using Duration = std::chrono::duration<Rep, Period>;
    using Ratio = std::ratio_divide<Period, std::milli>;
    static constexpr bool isFloating = std::is_floating_point_v<Rep>;
    static_assert(isFloating || Ratio::den == 1,
                  "terrarium: durations are kept in milliseconds; store the count of a finer one as an integer");
    static constexpr QLatin1String typeName = isFloating ? detail::numberName : detail::intName;

    static Value toValue(Duration value)
    {
        if constexpr (isFloating) {
            return std::chrono::duration<double, std::milli>(value).count();
        } else {
            const qint64 count = qint64(value.count());
            qint64 milliseconds = 0;
            if (__builtin_mul_overflow(count, qint64(Ratio::num), &milliseconds))
                detail::refuseDurationToWrite();
            return milliseconds;
        }
    }
    static Duration fromValue(const Value &value, const ValuePlace &place)
    {
        if constexpr (isFloating) {
            return std::chrono::duration_cast<Duration>(
                std::chrono::duration<double, std::milli>(detail::floatingNumber(value, place)));
        } else {
            const qint64 milliseconds = decodeValue<qint64>(value, place);
            if (milliseconds % qint64(Ratio::num) != 0)
                detail::refuseDuration(milliseconds, place);
            return Duration(decodeValue<Rep>(milliseconds / qint64(Ratio::num), place));
        }
    }
};

/// CBOR tag 1 around seconds since 1970 (with a fraction when needed), exact to the millisecond; the time zone
/// is not kept. Also read: Unix milliseconds as a bare integer and ISO 8601 text, as JSON clients send it. An
/// invalid date is null.
template <>
struct ValueCodec<QDateTime> {
    static constexpr QLatin1String typeName = detail::textName;
    static Value toValue(const QDateTime &value) { return detail::dateToValue(value); }
    static QDateTime fromValue(const Value &value, const ValuePlace &place)
    {
        return detail::dateFromValue(value, place);
    }
};

} // namespace terrarium
