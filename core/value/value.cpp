#include <terrarium/value.h>

#include <QHashFunctions>
#include <QVarLengthArray>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <new>

namespace terrarium {

namespace {

/// Maps up to this size are searched entry by entry; larger ones have an index.
constexpr std::size_t mapIndexFrom = 13;

quint32 mapKeyHash(QStringView key) noexcept
{
    return quint32(qHash(key, QHashSeed::globalSeed()));
}

/// Takes a QString or QByteArray apart without touching its count of owners.
template <typename Text>
struct TakenApart {
    explicit TakenApart(Text &&text) noexcept
    {
        auto &pointer = (new (storage) Text(std::move(text)))->data_ptr();
        header = pointer.d_ptr();
        start = pointer.data();
        size = quint64(pointer.size);
    }

    alignas(Text) std::byte storage[sizeof(Text)]; // never destroyed: the Value owns the reference now
    QArrayData *header;
    void *start;
    quint64 size;
};

/// Open addressing over the positions of a map's entries, with the hash kept beside.
class MapIndex final {
public:
    void rebuild(const std::vector<MapEntry> &entries)
    {
        m_slots.assign(std::bit_ceil(std::max<std::size_t>(entries.size(), 16) * 2), Slot());
        for (std::size_t i = 0; i < entries.size(); ++i)
            put(Slot{mapKeyHash(entries[i].first), quint32(i) + 1});
    }

    /// For an entry that was just put at the end.
    void append(const std::vector<MapEntry> &entries)
    {
        if (entries.size() * 4 > m_slots.size() * 3)
            rebuild(entries);
        else
            put(Slot{mapKeyHash(entries.back().first), quint32(entries.size())});
    }

    qsizetype find(const std::vector<MapEntry> &entries, QStringView key) const noexcept
    {
        const quint32 hash = mapKeyHash(key);
        const std::size_t mask = m_slots.size() - 1;
        for (std::size_t at = hash & mask; m_slots[at].place != 0; at = (at + 1) & mask) {
            if (m_slots[at].hash == hash && entries[m_slots[at].place - 1].first == key)
                return qsizetype(m_slots[at].place) - 1;
        }
        return -1;
    }

    /// After entry `removed` was taken out. Later entries move up by one.
    void remove(qsizetype removed)
    {
        const std::vector<Slot> old = std::move(m_slots);
        m_slots.assign(old.size(), Slot());
        const quint32 gone = quint32(removed) + 1;
        for (const Slot &slot : old) {
            if (slot.place != 0 && slot.place != gone)
                put(Slot{slot.hash, slot.place > gone ? slot.place - 1 : slot.place});
        }
    }

private:
    struct Slot {
        quint32 hash = 0;
        quint32 place = 0; ///< of the entry, plus one; 0 is free
    };

    void put(Slot slot) noexcept
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = slot.hash & mask;
        while (m_slots[at].place != 0)
            at = (at + 1) & mask;
        m_slots[at] = slot;
    }

    std::vector<Slot> m_slots;
};

const Value &undefinedValue() noexcept
{
    static const Value undefined = Value::undefined();
    return undefined;
}

} // namespace

struct Value::Node {
    std::atomic<quint32> owners{1};
    Kind kind;
    Node *nextDead = nullptr; ///< links nodes that wait for their end, so that depth costs no stack

    explicit Node(Kind kind) noexcept : kind(kind) {}
};

struct Value::ArrayNode final : Node {
    explicit ArrayNode(std::vector<Value> items = {}) noexcept : Node(Kind::Array), items(std::move(items)) {}

    std::vector<Value> items;
};

struct Value::MapNode final : Node {
    MapNode() noexcept : Node(Kind::Map) {}
    MapNode(const MapNode &other)
        : Node(Kind::Map),
          entries(other.entries),
          index(other.index ? new MapIndex(*other.index) : nullptr)
    {}
    ~MapNode() { delete index; }
    MapNode &operator=(const MapNode &) = delete;

    qsizetype find(QStringView key) const noexcept
    {
        if (index)
            return index->find(entries, key);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (entries[i].first.size() == key.size() && entries[i].first == key)
                return qsizetype(i);
        }
        return -1;
    }
    void append(const QString &key, Value &&item)
    {
        entries.emplace_back(key, std::move(item));
        if (index)
            index->append(entries);
        else if (entries.size() >= mapIndexFrom)
            makeIndex();
    }
    void makeIndex()
    {
        if (!index)
            index = new MapIndex;
        index->rebuild(entries);
    }

    std::vector<MapEntry> entries;
    MapIndex *index = nullptr;
};

struct Value::TagNode final : Node {
    TagNode(quint64 tag, Value inner) noexcept : Node(Kind::Tagged), tag(tag), inner(std::move(inner)) {}

    quint64 tag;
    Value inner;
};

static_assert(sizeof(Value) == 24);

Value::Value(QString v) noexcept : Value(Kind::Text, Data())
{
    const TakenApart<QString> text(std::move(v));
    m_data.header = text.header;
    m_start = text.start;
    m_size = text.size;
}

Value::Value(QByteArray v) noexcept : Value(Kind::Bytes, Data())
{
    const TakenApart<QByteArray> bytes(std::move(v));
    m_data.header = bytes.header;
    m_start = bytes.start;
    m_size = bytes.size;
}

Value Value::undefined() noexcept
{
    return Value(Kind::Undefined, Data());
}

Value Value::array(std::vector<Value> items)
{
    return Value(Kind::Array, Data(static_cast<Node *>(new ArrayNode(std::move(items)))));
}

Value Value::map(std::vector<MapEntry> entries)
{
    auto *node = new MapNode;
    Value result(Kind::Map, Data(static_cast<Node *>(node)));
    node->entries.reserve(entries.size());
    for (MapEntry &entry : entries) {
        const qsizetype place = node->find(entry.first);
        if (place < 0)
            node->append(entry.first, std::move(entry.second));
        else
            node->entries[std::size_t(place)].second = std::move(entry.second);
    }
    return result;
}

Value Value::tagged(quint64 tag, Value inner)
{
    return Value(Kind::Tagged, Data(static_cast<Node *>(new TagNode(tag, std::move(inner)))));
}

void Value::retain() const noexcept
{
    if (kind() == Kind::Text || kind() == Kind::Bytes) {
        if (m_data.header)
            m_data.header->ref();
    } else {
        m_data.node->owners.fetch_add(1, std::memory_order_relaxed);
    }
}

void Value::release() noexcept
{
    if (kind() == Kind::Text) {
        if (m_data.header && !m_data.header->deref())
            QTypedArrayData<char16_t>::deallocate(m_data.header);
    } else if (kind() == Kind::Bytes) {
        if (m_data.header && !m_data.header->deref())
            QTypedArrayData<char>::deallocate(m_data.header);
    } else if (m_data.node->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        destroy(m_data.node);
    }
}

void Value::destroy(Node *node) noexcept
{
    Node *dead = node;
    // Takes over what `child` holds, so that its destructor finds nothing to go down into.
    const auto bury = [&dead](Value &child) {
        if (child.kind() < Kind::Array)
            return;
        Node *inner = child.m_data.node;
        child.m_kind = quint64(Kind::Null);
        if (inner->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            inner->nextDead = dead;
            dead = inner;
        }
    };
    while (dead) {
        Node *current = dead;
        dead = current->nextDead;
        if (current->kind == Kind::Array) {
            auto *array = static_cast<ArrayNode *>(current);
            for (Value &item : array->items)
                bury(item);
            delete array;
        } else if (current->kind == Kind::Map) {
            auto *map = static_cast<MapNode *>(current);
            for (MapEntry &entry : map->entries)
                bury(entry.second);
            delete map;
        } else {
            auto *tag = static_cast<TagNode *>(current);
            bury(tag->inner);
            delete tag;
        }
    }
}

bool Value::toBool(bool otherwise) const noexcept
{
    return isBool() ? m_data.integer != 0 : otherwise;
}

qint64 Value::toInt(qint64 otherwise) const noexcept
{
    return isInt() ? qint64(m_data.integer) : otherwise;
}

quint64 Value::toUInt(quint64 otherwise) const noexcept
{
    return isUInt() || (isInt() && qint64(m_data.integer) >= 0) ? m_data.integer : otherwise;
}

double Value::toDouble(double otherwise) const noexcept
{
    switch (kind()) {
    case Kind::Double: return m_data.number;
    case Kind::Int: return double(qint64(m_data.integer));
    case Kind::UInt: return double(m_data.integer);
    default: return otherwise;
    }
}

QString Value::toText(const QString &otherwise) const
{
    if (!isText())
        return otherwise;
    retain();
    return QString(QStringPrivate(static_cast<QTypedArrayData<char16_t> *>(m_data.header),
                                  static_cast<char16_t *>(m_start), qsizetype(m_size)));
}

QByteArray Value::toBytes(const QByteArray &otherwise) const
{
    if (!isBytes())
        return otherwise;
    retain();
    return QByteArray(QByteArrayData(static_cast<QTypedArrayData<char> *>(m_data.header), static_cast<char *>(m_start),
                                     qsizetype(m_size)));
}

QStringView Value::textView() const noexcept
{
    return isText() ? QStringView(static_cast<const char16_t *>(m_start), qsizetype(m_size)) : QStringView();
}

QByteArrayView Value::bytesView() const noexcept
{
    return isBytes() ? QByteArrayView(static_cast<const char *>(m_start), qsizetype(m_size)) : QByteArrayView();
}

Value::ArrayNode &Value::arrayNode() const noexcept
{
    return *static_cast<ArrayNode *>(m_data.node);
}

Value::MapNode &Value::mapNode() const noexcept
{
    return *static_cast<MapNode *>(m_data.node);
}

const std::vector<Value> &Value::items() const noexcept
{
    static const std::vector<Value> none;
    return isArray() ? arrayNode().items : none;
}

const std::vector<MapEntry> &Value::entries() const noexcept
{
    static const std::vector<MapEntry> none;
    return isMap() ? mapNode().entries : none;
}

qsizetype Value::size() const noexcept
{
    if (isArray())
        return qsizetype(arrayNode().items.size());
    return isMap() ? qsizetype(mapNode().entries.size()) : 0;
}

const Value &Value::at(qsizetype index) const noexcept
{
    if (!isArray() || index < 0 || index >= qsizetype(arrayNode().items.size()))
        return undefinedValue();
    return arrayNode().items[std::size_t(index)];
}

const Value *Value::find(QStringView key) const noexcept
{
    const qsizetype place = indexOf(key);
    return place < 0 ? nullptr : &mapNode().entries[std::size_t(place)].second;
}

const Value &Value::operator[](QStringView key) const noexcept
{
    const Value *found = find(key);
    return found ? *found : undefinedValue();
}

const Value &Value::operator[](const char *key) const noexcept
{
    if (!isMap())
        return undefinedValue();
    QVarLengthArray<char16_t, 64> wide;
    for (const char *at = key; *at; ++at) {
        if (uchar(*at) >= 0x80)
            return (*this)[QStringView(QString::fromUtf8(key))];
        wide.append(char16_t(*at));
    }
    return (*this)[QStringView(wide.constData(), wide.size())];
}

quint64 Value::tag() const noexcept
{
    return isTagged() ? static_cast<TagNode *>(m_data.node)->tag : 0;
}

const Value &Value::untagged() const noexcept
{
    return isTagged() ? static_cast<TagNode *>(m_data.node)->inner : *this;
}

Value::ArrayNode &Value::detachArray()
{
    if (!isArray()) {
        Q_ASSERT_X(isNull() || isUndefined(), "terrarium::Value", "not an array");
        *this = array(std::vector<Value>());
    } else if (arrayNode().owners.load(std::memory_order_acquire) != 1) {
        *this = array(std::vector<Value>(arrayNode().items));
    }
    return arrayNode();
}

Value::MapNode &Value::detachMap()
{
    if (!isMap()) {
        Q_ASSERT_X(isNull() || isUndefined(), "terrarium::Value", "not a map");
        *this = map(std::vector<MapEntry>());
    } else if (mapNode().owners.load(std::memory_order_acquire) != 1) {
        *this = Value(Kind::Map, Data(static_cast<Node *>(new MapNode(mapNode()))));
    }
    return mapNode();
}

void Value::append(Value item)
{
    detachArray().items.push_back(std::move(item));
}

void Value::insert(qsizetype index, Value item)
{
    auto &items = detachArray().items;
    Q_ASSERT(index >= 0 && index <= qsizetype(items.size()));
    items.insert(items.begin() + index, std::move(item));
}

void Value::set(qsizetype index, Value item)
{
    mutableItem(index) = std::move(item);
}

void Value::set(const QString &key, Value item)
{
    MapNode &node = detachMap();
    const qsizetype place = node.find(key);
    if (place < 0)
        node.append(key, std::move(item));
    else
        node.entries[std::size_t(place)].second = std::move(item);
}

bool Value::add(const QString &key, Value item)
{
    MapNode &node = detachMap();
    if (node.find(key) >= 0)
        return false;
    node.append(key, std::move(item));
    return true;
}

void Value::reserve(qsizetype size)
{
    if (isMap())
        detachMap().entries.reserve(std::size_t(size));
    else
        detachArray().items.reserve(std::size_t(size));
}

void Value::insertEntry(qsizetype index, const QString &key, Value item)
{
    MapNode &node = detachMap();
    Q_ASSERT(index >= 0 && index <= qsizetype(node.entries.size()));
    Q_ASSERT(node.find(key) < 0);
    if (index == qsizetype(node.entries.size()))
        return node.append(key, std::move(item));
    node.entries.emplace(node.entries.begin() + index, key, std::move(item));
    if (node.entries.size() >= mapIndexFrom)
        node.makeIndex();
}

bool Value::remove(QStringView key)
{
    const qsizetype place = indexOf(key);
    if (place < 0)
        return false;
    MapNode &node = detachMap();
    node.entries.erase(node.entries.begin() + place);
    if (node.index)
        node.index->remove(place);
    return true;
}

void Value::removeAt(qsizetype index)
{
    removeRange(index, 1);
}

void Value::removeRange(qsizetype first, qsizetype count)
{
    auto &items = detachArray().items;
    Q_ASSERT(first >= 0 && count >= 0 && first + count <= qsizetype(items.size()));
    items.erase(items.begin() + first, items.begin() + first + count);
}

qsizetype Value::indexOf(QStringView key) const noexcept
{
    return isMap() ? mapNode().find(key) : -1;
}

Value &Value::mutableItem(qsizetype index)
{
    auto &items = detachArray().items;
    Q_ASSERT(index >= 0 && index < qsizetype(items.size()));
    return items[std::size_t(index)];
}

Value &Value::mutableEntry(qsizetype index)
{
    auto &entries = detachMap().entries;
    Q_ASSERT(index >= 0 && index < qsizetype(entries.size()));
    return entries[std::size_t(index)].second;
}

bool Value::equals(const Value &other, bool ordered) const noexcept
{
    if (kind() != other.kind())
        return false;
    switch (kind()) {
    case Kind::Undefined:
    case Kind::Null: return true;
    case Kind::Bool:
    case Kind::Int:
    case Kind::UInt: return m_data.integer == other.m_data.integer;
    case Kind::Double:
        return m_data.integer == other.m_data.integer || (std::isnan(m_data.number) && std::isnan(other.m_data.number));
    case Kind::Text: return textView() == other.textView();
    case Kind::Bytes: return bytesView() == other.bytesView();
    case Kind::Array: {
        if (m_data.node == other.m_data.node)
            return true;
        const auto &mine = arrayNode().items;
        const auto &others = other.arrayNode().items;
        if (mine.size() != others.size())
            return false;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            if (!mine[i].equals(others[i], ordered))
                return false;
        }
        return true;
    }
    case Kind::Map: {
        if (m_data.node == other.m_data.node)
            return true;
        const auto &mine = mapNode().entries;
        const auto &others = other.mapNode().entries;
        if (mine.size() != others.size())
            return false;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            const Value *counterpart = &others[i].second;
            if (mine[i].first != others[i].first)
                counterpart = ordered ? nullptr : other.find(mine[i].first);
            if (!counterpart || !mine[i].second.equals(*counterpart, ordered))
                return false;
        }
        return true;
    }
    case Kind::Tagged: return tag() == other.tag() && untagged().equals(other.untagged(), ordered);
    }
    return false;
}

bool Value::sharesWith(const Value &other) const noexcept
{
    if (m_kind != other.m_kind)
        return false;
    switch (kind()) {
    case Kind::Undefined:
    case Kind::Null: return true;
    case Kind::Text:
    case Kind::Bytes: return m_start == other.m_start && m_size == other.m_size;
    default: return m_data.integer == other.m_data.integer;
    }
}

} // namespace terrarium
