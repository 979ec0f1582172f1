#include "wire/codec.h"

#include <terrarium/cbor_stream.h>
#include <terrarium/error.h>
#include <terrarium/value_codec.h>

#include <array>
#include <tuple>

namespace terrarium::wire {

namespace {

// ---- What is on the wire: the fields of every message, by the names of the members -----------------
//
// Fields that may be missing are left out while they have the value of a new object. So the defaults of
// inspector_messages.h are part of the protocol, and a new field must be one that may be missing.

template <typename Struct, typename Member>
struct WireField {
    std::string_view name;
    Member Struct::*member;
    bool isRequired;
};

template <typename Struct, typename Member>
constexpr WireField<Struct, Member> wireMust(std::string_view name, Member Struct::*member)
{
    return {name, member, true};
}

template <typename Struct, typename Member>
constexpr WireField<Struct, Member> wireMay(std::string_view name, Member Struct::*member)
{
    return {name, member, false};
}

struct WireNoFields {};
template <typename T>
constexpr auto wireFields = WireNoFields();

template <>
constexpr auto wireFields<Cause> =
    std::tuple(wireMust("kind", &Cause::kind), wireMay("name", &Cause::name), wireMay("id", &Cause::id));
template <>
constexpr auto wireFields<Blocker> =
    std::tuple(wireMust("kind", &Blocker::kind), wireMay("count", &Blocker::count), wireMay("on", &Blocker::on),
               wireMay("label", &Blocker::label), wireMay("since", &Blocker::since),
               wireMay("origin", &Blocker::origin), wireMay("note", &Blocker::note));
template <>
constexpr auto wireFields<SleepForecast> =
    std::tuple(wireMust("kind", &SleepForecast::kind), wireMay("at", &SleepForecast::at),
               wireMay("resetBy", &SleepForecast::resetBy));
template <>
constexpr auto wireFields<ErrorInfo> =
    std::tuple(wireMust("group", &ErrorInfo::group), wireMust("code", &ErrorInfo::code),
               wireMay("message", &ErrorInfo::message), wireMay("metadata", &ErrorInfo::metadata),
               wireMay("at", &ErrorInfo::at));
template <>
constexpr auto wireFields<ActorSummary> =
    std::tuple(wireMust("id", &ActorSummary::id), wireMust("type", &ActorSummary::type),
               wireMust("key", &ActorSummary::key), wireMay("generation", &ActorSummary::generation),
               wireMay("status", &ActorSummary::status), wireMay("since", &ActorSummary::since),
               wireMay("deadline", &ActorSummary::deadline), wireMay("hook", &ActorSummary::hook),
               wireMay("createdAt", &ActorSummary::createdAt), wireMay("createdBy", &ActorSummary::createdBy),
               wireMay("lastActivityAt", &ActorSummary::lastActivityAt), wireMay("blockers", &ActorSummary::blockers),
               wireMay("forecast", &ActorSummary::forecast), wireMay("sequence", &ActorSummary::sequence),
               wireMay("savedSequence", &ActorSummary::savedSequence),
               wireMay("unsavedSince", &ActorSummary::unsavedSince), wireMay("rate", &ActorSummary::rate),
               wireMay("actionRate", &ActorSummary::actionRate), wireMay("errors5m", &ActorSummary::errors5m),
               wireMay("stateBytes", &ActorSummary::stateBytes), wireMay("connections", &ActorSummary::connections),
               wireMay("queueSize", &ActorSummary::queueSize), wireMay("queueCapacity", &ActorSummary::queueCapacity),
               wireMay("schedules", &ActorSummary::schedules), wireMay("nextAlarmAt", &ActorSummary::nextAlarmAt),
               wireMay("nextAlarmName", &ActorSummary::nextAlarmName), wireMay("hasState", &ActorSummary::hasState),
               wireMay("hasDatabase", &ActorSummary::hasDatabase), wireMay("hasWorkflow", &ActorSummary::hasWorkflow),
               wireMay("lastError", &ActorSummary::lastError));
template <>
constexpr auto wireFields<ParameterInfo> =
    std::tuple(wireMust("name", &ParameterInfo::name), wireMay("type", &ParameterInfo::type),
               wireMay("optional", &ParameterInfo::optional));
template <>
constexpr auto wireFields<ActionInfo> =
    std::tuple(wireMust("name", &ActionInfo::name), wireMay("parameters", &ActionInfo::parameters),
               wireMay("result", &ActionInfo::result), wireMay("help", &ActionInfo::help),
               wireMay("query", &ActionInfo::query));
template <>
constexpr auto wireFields<OptionInfo> =
    std::tuple(wireMust("name", &OptionInfo::name), wireMay("value", &OptionInfo::value),
               wireMay("isDefault", &OptionInfo::isDefault));
template <>
constexpr auto wireFields<TypeInfo> =
    std::tuple(wireMust("name", &TypeInfo::name), wireMay("actions", &TypeInfo::actions),
               wireMay("events", &TypeInfo::events), wireMay("options", &TypeInfo::options),
               wireMay("hasState", &TypeInfo::hasState), wireMay("hasDatabase", &TypeInfo::hasDatabase),
               wireMay("hasWorkflow", &TypeInfo::hasWorkflow), wireMay("hasQueue", &TypeInfo::hasQueue));
template <>
constexpr auto wireFields<DeltaRecord> =
    std::tuple(wireMust("sequence", &DeltaRecord::sequence), wireMay("base", &DeltaRecord::base),
               wireMay("causes", &DeltaRecord::causes), wireMust("ops", &DeltaRecord::ops),
               wireMay("stateBytes", &DeltaRecord::stateBytes));
template <>
constexpr auto wireFields<SavedRecord> =
    std::tuple(wireMust("sequence", &SavedRecord::sequence), wireMay("tookUs", &SavedRecord::tookUs));
template <>
constexpr auto wireFields<HookTiming> =
    std::tuple(wireMust("name", &HookTiming::name), wireMay("tookUs", &HookTiming::tookUs),
               wireMay("outcome", &HookTiming::outcome));
template <>
constexpr auto wireFields<TransitionRecord> =
    std::tuple(wireMust("from", &TransitionRecord::from), wireMust("to", &TransitionRecord::to),
               wireMay("reason", &TransitionRecord::reason), wireMay("detail", &TransitionRecord::detail),
               wireMay("cause", &TransitionRecord::cause), wireMay("generation", &TransitionRecord::generation),
               wireMay("tookUs", &TransitionRecord::tookUs), wireMay("hooks", &TransitionRecord::hooks),
               wireMay("cutOff", &TransitionRecord::cutOff), wireMay("error", &TransitionRecord::error));
template <>
constexpr auto wireFields<NoteRecord> = std::tuple(
    wireMust("kind", &NoteRecord::kind), wireMay("text", &NoteRecord::text), wireMay("error", &NoteRecord::error));
template <>
constexpr auto wireFields<CallRecord> =
    std::tuple(wireMust("cause", &CallRecord::cause), wireMay("connection", &CallRecord::connection),
               wireMay("tookUs", &CallRecord::tookUs), wireMay("ok", &CallRecord::ok),
               wireMay("errorCode", &CallRecord::errorCode), wireMay("firstSequence", &CallRecord::firstSequence),
               wireMay("lastSequence", &CallRecord::lastSequence));
template <>
constexpr auto wireFields<GaugeRecord> =
    std::tuple(wireMay("connections", &GaugeRecord::connections), wireMay("queueSize", &GaugeRecord::queueSize));
template <>
constexpr auto wireFields<AwakeRecord> =
    std::tuple(wireMust("span", &AwakeRecord::span), wireMay("kind", &AwakeRecord::kind),
               wireMay("label", &AwakeRecord::label), wireMust("begin", &AwakeRecord::begin));
template <>
constexpr auto wireFields<Hello> =
    std::tuple(wireMust("version", &Hello::version), wireMay("client", &Hello::client), wireMay("name", &Hello::name),
               wireMay("token", &Hello::token), wireMay("readOnly", &Hello::readOnly),
               wireMay("resumeBootId", &Hello::resumeBootId));
template <>
constexpr auto wireFields<WatchActors> = std::tuple(wireMust("on", &WatchActors::on));
template <>
constexpr auto wireFields<Subscribe> =
    std::tuple(wireMust("actor", &Subscribe::actor), wireMay("after", &Subscribe::after));
template <>
constexpr auto wireFields<Unsubscribe> = std::tuple(wireMust("actor", &Unsubscribe::actor));
template <>
constexpr auto wireFields<CallAction> =
    std::tuple(wireMust("actor", &CallAction::actor), wireMust("action", &CallAction::action),
               wireMay("args", &CallAction::args), wireMay("timeoutMs", &CallAction::timeoutMs));
template <>
constexpr auto wireFields<CancelCall> = std::tuple(wireMust("call", &CancelCall::call));
template <>
constexpr auto wireFields<SleepActor> = std::tuple(wireMust("actor", &SleepActor::actor));
template <>
constexpr auto wireFields<WakeActor> = std::tuple(wireMust("actor", &WakeActor::actor));
template <>
constexpr auto wireFields<RestartActor> = std::tuple(wireMust("actor", &RestartActor::actor));
template <>
constexpr auto wireFields<DestroyActor> = std::tuple(wireMust("actor", &DestroyActor::actor));
template <>
constexpr auto wireFields<CreateActor> =
    std::tuple(wireMust("type", &CreateActor::type), wireMust("key", &CreateActor::key),
               wireMay("input", &CreateActor::input), wireMay("wake", &CreateActor::wake));
template <>
constexpr auto wireFields<ListTypes> = std::tuple<>();
template <>
constexpr auto wireFields<Ping> = std::tuple(wireMay("sentAt", &Ping::sentAt));
template <>
constexpr auto wireFields<Welcome> =
    std::tuple(wireMust("version", &Welcome::version), wireMay("product", &Welcome::product),
               wireMay("productVersion", &Welcome::productVersion), wireMust("bootId", &Welcome::bootId),
               wireMay("hostName", &Welcome::hostName), wireMay("pid", &Welcome::pid),
               wireMay("startedAt", &Welcome::startedAt), wireMay("now", &Welcome::now),
               wireMay("durability", &Welcome::durability), wireMay("readOnly", &Welcome::readOnly),
               wireMay("capabilities", &Welcome::capabilities));
template <>
constexpr auto wireFields<Snapshot> =
    std::tuple(wireMust("summary", &Snapshot::summary), wireMay("type", &Snapshot::type),
               wireMust("position", &Snapshot::position), wireMust("sequence", &Snapshot::sequence),
               wireMay("savedSequence", &Snapshot::savedSequence), wireMay("state", &Snapshot::state),
               wireMay("records", &Snapshot::records), wireMay("keptSince", &Snapshot::keptSince),
               wireMay("blockers", &Snapshot::blockers), wireMay("live", &Snapshot::live),
               wireMay("savedAt", &Snapshot::savedAt));
template <>
constexpr auto wireFields<Subscribed> =
    std::tuple(wireMay("resumed", &Subscribed::resumed), wireMust("snapshot", &Subscribed::snapshot));
template <>
constexpr auto wireFields<CallResult> =
    std::tuple(wireMust("result", &CallResult::result), wireMay("tookUs", &CallResult::tookUs),
               wireMay("woke", &CallResult::woke), wireMay("firstSequence", &CallResult::firstSequence),
               wireMay("lastSequence", &CallResult::lastSequence), wireMay("changedPaths", &CallResult::changedPaths));
template <>
constexpr auto wireFields<Created> =
    std::tuple(wireMust("actor", &Created::actor), wireMay("created", &Created::created));
template <>
constexpr auto wireFields<Types> = std::tuple(wireMust("types", &Types::types));
template <>
constexpr auto wireFields<Pong> = std::tuple(wireMay("sentAt", &Pong::sentAt), wireMay("now", &Pong::now));
template <>
constexpr auto wireFields<Done> = std::tuple<>();
template <>
constexpr auto wireFields<Failure> =
    std::tuple(wireMust("group", &Failure::group), wireMust("code", &Failure::code),
               wireMust("message", &Failure::message), wireMay("metadata", &Failure::metadata),
               wireMay("actor", &Failure::actor));
template <>
constexpr auto wireFields<ActorsChanged> =
    std::tuple(wireMay("full", &ActorsChanged::full), wireMay("upserts", &ActorsChanged::upserts),
               wireMay("removed", &ActorsChanged::removed));
template <>
constexpr auto wireFields<RecordsAppended> =
    std::tuple(wireMust("actor", &RecordsAppended::actor), wireMust("records", &RecordsAppended::records));
template <>
constexpr auto wireFields<AwakeChanged> =
    std::tuple(wireMust("actor", &AwakeChanged::actor), wireMust("blockers", &AwakeChanged::blockers),
               wireMust("forecast", &AwakeChanged::forecast));
template <>
constexpr auto wireFields<Dropped> =
    std::tuple(wireMust("actor", &Dropped::actor), wireMay("count", &Dropped::count),
               wireMay("firstPosition", &Dropped::firstPosition), wireMay("lastPosition", &Dropped::lastPosition),
               wireMay("from", &Dropped::from), wireMay("to", &Dropped::to), wireMust("snapshot", &Dropped::snapshot));
template <>
constexpr auto wireFields<HostGoodbye> = std::tuple(wireMay("reason", &HostGoodbye::reason));

template <typename T>
concept WireStruct = !std::is_same_v<std::remove_const_t<decltype(wireFields<T>)>, WireNoFields>;

/// A value of the deepest nesting still fits into a delta in a record in a snapshot in a frame.
constexpr int wireMaxDepth = cborMaxDepth + 32;

// Names, in the order of the variants of inspector_messages.h.
constexpr std::array<std::string_view, std::variant_size_v<decltype(Record::body)>> wireRecordNames = {
    "delta", "saved", "transition", "note", "call", "gauge", "awake"};
constexpr std::array<std::string_view, std::variant_size_v<Request>> wireRequestNames = {
    "hello",     "watchActors",  "subscribe",    "unsubscribe", "callAction", "cancelCall", "sleepActor",
    "wakeActor", "restartActor", "destroyActor", "createActor", "listTypes",  "ping"};
constexpr std::array<std::string_view, std::variant_size_v<ReplyBody>> wireReplyNames = {
    "welcome", "subscribed", "callResult", "created", "types", "pong", "done", "failure"};
constexpr std::array<std::string_view, std::variant_size_v<Push>> wirePushNames = {
    "actorsChanged", "recordsAppended", "awakeChanged", "dropped", "hostGoodbye"};
constexpr std::array<std::string_view, std::size_t(ActorStatus::unknown) + 1> wireStatusNames = {
    "pending",      "loading",    "starting",  "running", "sleepGrace", "sleepFinalize", "sleeping",
    "destroyGrace", "destroying", "destroyed", "crashed", "backoff",    "unknown"};

template <std::size_t size>
std::size_t wireIndexOf(const std::array<std::string_view, size> &names, std::string_view name)
{
    return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string_view wireView(QByteArrayView bytes)
{
    return std::string_view(bytes.data(), std::size_t(bytes.size()));
}

QString wireText(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

[[noreturn]] void wireInvalid(const QString &field, const QString &what, Value metadata = Value::map())
{
    metadata.set(QStringLiteral("field"), field);
    throw Error(QStringLiteral("inspector"), QStringLiteral("invalid_message"), what, std::move(metadata));
}

/// Turns what a decoder of values throws into the error of a message.
[[noreturn]] void wireInvalid(const Error &error, std::optional<quint32> id)
{
    Value metadata = error.metadata().isMap() ? error.metadata() : Value::map();
    if (id)
        metadata.set(QStringLiteral("id"), *id);
    if (error.group() == QLatin1String("inspector"))
        throw Error(error.group(), error.code(), error.message(), std::move(metadata));
    wireInvalid(metadata["path"].toText(), error.message(), std::move(metadata));
}

// ---- Writing ---------------------------------------------------------------------------------------

template <typename T>
struct WireItem { // not a container
    static constexpr bool isList = false;
    static constexpr bool isOptional = false;
};
template <typename T>
struct WireItem<QList<T>> {
    using Type = T;
    static constexpr bool isList = true;
    static constexpr bool isOptional = false;
};
template <typename T>
struct WireItem<std::optional<T>> {
    using Type = T;
    static constexpr bool isList = false;
    static constexpr bool isOptional = true;
};

void wireWriteRecord(CborWriter &writer, const Record &record);
void wireWriteDelta(CborWriter &writer, const Delta &delta);

template <typename T>
bool wireIsWritten(const T &object, const T &defaults, const auto &field)
{
    if (field.isRequired)
        return true;
    if constexpr (WireItem<std::remove_cvref_t<decltype(object.*field.member)>>::isOptional)
        return (object.*field.member).has_value();
    else
        return !(object.*field.member == defaults.*field.member);
}

template <typename T>
void wireWrite(CborWriter &writer, const T &value);

/// The fields of `object`, and before them the head of their map, which has `more` other entries.
template <typename T, typename WriteMore>
void wireWriteFields(CborWriter &writer, const T &object, quint64 more, WriteMore &&writeMore)
{
    [[maybe_unused]] static const T defaults{};
    std::apply(
        [&](const auto &...field) {
            const CborWriter::Nested nested(writer);
            writer.map(more + (quint64(0) + ... + quint64(wireIsWritten(object, defaults, field))));
            writeMore();
            [[maybe_unused]] const auto write = [&](const auto &one) {
                if (wireIsWritten(object, defaults, one)) {
                    writer.utf8(one.name);
                    wireWrite(writer, object.*one.member);
                }
            };
            (write(field), ...);
        },
        wireFields<T>);
}

template <typename T>
void wireWrite(CborWriter &writer, const T &value)
{
    if constexpr (WireStruct<T>) {
        wireWriteFields(writer, value, 0, [] {});
    } else if constexpr (std::is_same_v<T, Delta>) {
        wireWriteDelta(writer, value);
    } else if constexpr (std::is_same_v<T, Record>) {
        wireWriteRecord(writer, value);
    } else if constexpr (std::is_same_v<T, ActorKey>) {
        writer.text(value.toText());
    } else if constexpr (std::is_same_v<T, ActorStatus>) {
        writer.utf8(wireStatusNames[std::min(std::size_t(value), std::size_t(ActorStatus::unknown))]);
    } else if constexpr (WireItem<T>::isList) {
        const CborWriter::Nested nested(writer);
        writer.array(quint64(value.size()));
        for (const auto &item : value)
            wireWrite(writer, item);
    } else if constexpr (WireItem<T>::isOptional) {
        wireWrite(writer, *value); // only written when it is there
    } else {
        writeCbor(writer, value);
    }
}

void wireWriteRecord(CborWriter &writer, const Record &record)
{
    const CborWriter::Nested nested(writer);
    writer.map(3);
    writer.utf8("position");
    writer.unsignedInteger(record.position);
    writer.utf8("at");
    writer.integer(record.at);
    writer.utf8(wireRecordNames[record.body.index()]);
    std::visit([&](const auto &body) { wireWrite(writer, body); }, record.body);
}

void wireWriteDelta(CborWriter &writer, const Delta &delta)
{
    const CborWriter::Nested nested(writer);
    writer.array(quint64(delta.size()));
    for (const DeltaOp &op : delta) {
        const bool hasValue = op.kind != DeltaOp::Kind::Remove;
        const bool hasOld = op.kind != DeltaOp::Kind::Insert && !op.old.isUndefined();
        const CborWriter::Nested nestedOp(writer);
        writer.map(quint64(2) + quint64(hasValue) + quint64(hasOld));
        writer.utf8("op");
        writer.utf8(op.kind == DeltaOp::Kind::Set ? "set" : op.kind == DeltaOp::Kind::Insert ? "insert" : "remove");
        writer.utf8("path");
        writer.array(quint64(op.path.size()));
        for (const Path::Step &step : op.path.steps()) {
            if (const auto *index = std::get_if<qsizetype>(&step))
                writer.integer(*index);
            else
                writer.text(std::get<QString>(step));
        }
        if (hasValue) {
            writer.utf8("value");
            writer.value(op.value);
        }
        if (hasOld) {
            writer.utf8("old");
            writer.value(op.old);
        }
    }
}

template <typename Message>
QByteArray wireEncodeFrame(std::optional<quint32> id, std::string_view name, const Message &message)
{
    QByteArray out;
    {
        CborWriter writer(out, wireMaxDepth);
        wireWriteFields(writer, message, id ? 2 : 1, [&] {
            if (id) {
                writer.utf8("id");
                writer.unsignedInteger(*id);
            }
            writer.utf8("t");
            writer.utf8(name);
        });
    }
    return out;
}

// ---- Reading ---------------------------------------------------------------------------------------

/// Thrown inside this file when "id" or "t" are not the first keys of a frame.
struct WireOddOrder {};

template <typename T>
T wireRead(CborReader &reader, const ValuePlace &place);

/// Reads the rest of the map `items` into `object`. In a frame, "id" and "t" have been taken before.
template <typename T>
void wireReadFields(CborReader &reader, CborReader::Items items, const ValuePlace &place, T &object, bool isFrame)
{
    detail::SeenKeys seen;
    quint64 found = 0;
    while (reader.more(items)) {
        const qsizetype offset = reader.offset();
        const QByteArrayView keyBytes = reader.key();
        const std::string_view key = wireView(keyBytes);
        bool isKnown = false;
        std::apply(
            [&](const auto &...field) {
                std::size_t index = 0;
                [[maybe_unused]] const auto read = [&](const auto &one) {
                    const std::size_t mine = index++;
                    if (isKnown || one.name != key)
                        return;
                    isKnown = true;
                    seen.field(mine, offset, one.name);
                    found |= quint64(1) << mine;
                    using Member = std::remove_reference_t<decltype(object.*one.member)>;
                    object.*one.member = wireRead<Member>(reader, ValuePlace(place, one.name));
                };
                (read(field), ...);
            },
            wireFields<T>);
        if (isKnown)
            continue;
        if (isFrame && (key == "id" || key == "t"))
            throw WireOddOrder();
        seen.unknown(offset, keyBytes);
        reader.skip();
    }
    std::apply(
        [&](const auto &...field) {
            std::size_t index = 0;
            [[maybe_unused]] const auto check = [&](const auto &one) {
                if (one.isRequired && !(found >> index & 1)) {
                    const QString name = ValuePlace(place, one.name).text();
                    wireInvalid(name, QStringLiteral("the message has no field \"%1\"").arg(name));
                }
                ++index;
            };
            (check(field), ...);
        },
        wireFields<T>);
}

Record wireReadRecord(CborReader &reader, const ValuePlace &place)
{
    detail::expectKind(reader, Value::Kind::Map, QLatin1String("map"), place);
    Record record;
    bool hasPosition = false;
    bool hasBody = false;
    detail::SeenKeys seen;
    QString unknown;
    for (CborReader::Items items = reader.map(); reader.more(items);) {
        const qsizetype offset = reader.offset();
        const QByteArrayView keyBytes = reader.key();
        const std::string_view key = wireView(keyBytes);
        const std::size_t kind = wireIndexOf(wireRecordNames, key);
        if (key == "position") {
            seen.field(0, offset, key);
            record.position = wireRead<quint64>(reader, ValuePlace(place, std::string_view("position")));
            hasPosition = true;
        } else if (key == "at") {
            seen.field(1, offset, key);
            record.at = wireRead<qint64>(reader, ValuePlace(place, std::string_view("at")));
        } else if (kind == wireRecordNames.size()) {
            seen.unknown(offset, keyBytes);
            unknown = wireText(key);
            reader.skip();
        } else if (hasBody) {
            wireInvalid(place.text(), QStringLiteral("the record at \"%1\" is of two kinds").arg(place.text()));
        } else {
            hasBody = true;
            const auto readBody = [&]<std::size_t... index>(std::index_sequence<index...>) {
                const auto read = [&]<std::size_t mine>() {
                    using Body = std::variant_alternative_t<mine, decltype(Record::body)>;
                    if (mine == kind)
                        record.body = wireRead<Body>(reader, ValuePlace(place, wireRecordNames[mine]));
                };
                (read.template operator()<index>(), ...);
            };
            readBody(std::make_index_sequence<wireRecordNames.size()>());
        }
    }
    if (!hasPosition)
        wireInvalid(place.text(), QStringLiteral("the record at \"%1\" has no position").arg(place.text()));
    if (!hasBody) { // of a newer version: it keeps its place, so that no hole is seen
        NoteRecord note;
        note.kind = QStringLiteral("unknown");
        note.text = unknown;
        record.body = note;
    }
    return record;
}

template <typename T>
T wireRead(CborReader &reader, const ValuePlace &place)
{
    if constexpr (WireStruct<T>) {
        detail::expectKind(reader, Value::Kind::Map, QLatin1String("map"), place);
        T object{};
        wireReadFields(reader, reader.map(), place, object, false);
        return object;
    } else if constexpr (std::is_same_v<T, Delta>) {
        return delta::fromValue(reader.value());
    } else if constexpr (std::is_same_v<T, Record>) {
        return wireReadRecord(reader, place);
    } else if constexpr (std::is_same_v<T, ActorKey>) {
        const std::optional<ActorKey> key = ActorKey::fromText(readCbor<QString>(reader, place));
        if (!key)
            place.invalidText();
        return *key;
    } else if constexpr (std::is_same_v<T, ActorStatus>) {
        return statusFromName(readCbor<QString>(reader, place));
    } else if constexpr (WireItem<T>::isList) {
        detail::expectKind(reader, Value::Kind::Array, QLatin1String("list"), place);
        T list;
        qsizetype index = 0;
        for (CborReader::Items items = reader.array(); reader.more(items); ++index)
            list.append(wireRead<typename WireItem<T>::Type>(reader, ValuePlace(place, index)));
        return list;
    } else if constexpr (WireItem<T>::isOptional) {
        using Inner = typename WireItem<T>::Type;
        if constexpr (!std::is_same_v<Inner, Value>) { // for a Value, null is one
            if (reader.kind() == Value::Kind::Null) {
                reader.skipSimple();
                return std::nullopt;
            }
        }
        return wireRead<Inner>(reader, place);
    } else {
        return readCbor<T>(reader, place);
    }
}

/// What every frame begins with.
struct WireHead {
    std::optional<quint32> id;
    QByteArray name;
    CborReader::Items items;
};

WireHead wireReadHead(CborReader &reader)
{
    const ValuePlace root;
    detail::expectKind(reader, Value::Kind::Map, QLatin1String("map"), root);
    WireHead head;
    head.items = reader.map();
    while (reader.more(head.items)) {
        const QByteArrayView key = reader.key();
        if (key == "id" && !head.id) {
            head.id = readCbor<quint32>(reader, ValuePlace(root, std::string_view("id")));
        } else if (key == "t") {
            head.name = readCbor<QString>(reader, ValuePlace(root, std::string_view("t"))).toUtf8();
            return head;
        } else {
            throw WireOddOrder();
        }
    }
    wireInvalid(QStringLiteral("t"), QStringLiteral("the message has no field \"t\""));
}

Value wireDecodeValue(QByteArrayView bytes)
{
    CborReader reader(bytes, wireMaxDepth);
    Value value = reader.value();
    reader.expectEnd();
    return value;
}

QByteArray wireEncodeValue(const Value &value)
{
    QByteArray bytes;
    CborWriter writer(bytes, wireMaxDepth);
    writer.value(value);
    writer.finish();
    return bytes;
}

/// The same frame with "id" and "t" in front.
QByteArray wireInOrder(QByteArrayView bytes)
{
    const Value frame = wireDecodeValue(bytes);
    Value ordered = Value::map();
    for (const QStringView name : {QStringView(u"id"), QStringView(u"t")}) {
        if (const Value *value = frame.find(name))
            ordered.set(name.toString(), *value);
    }
    if (!ordered.contains(u"t"))
        wireInvalid(QStringLiteral("t"), QStringLiteral("the message has no field \"t\""));
    for (const MapEntry &entry : frame.entries())
        ordered.add(entry.first, entry.second);
    return wireEncodeValue(ordered);
}

/// The message of alternative `index` of `Variant`, from the rest of a frame.
template <typename Variant, std::size_t... each>
Variant wireReadMessage(CborReader &reader, const WireHead &head, std::size_t index, std::index_sequence<each...>)
{
    Variant result;
    const auto read = [&]<std::size_t mine>() {
        if (mine != index)
            return;
        std::variant_alternative_t<mine, Variant> message{};
        wireReadFields(reader, head.items, ValuePlace(), message, true);
        reader.expectEnd();
        result = std::move(message);
    };
    (read.template operator()<each>(), ...);
    return result;
}

template <typename Variant>
Variant wireReadMessage(CborReader &reader, const WireHead &head, std::size_t index)
{
    return wireReadMessage<Variant>(reader, head, index, std::make_index_sequence<std::variant_size_v<Variant>>());
}

/// Runs `decode(bytes, id)`, a second time with the keys in order when they were not, and says whose frame failed.
template <typename Decode>
auto wireDecode(QByteArrayView bytes, Decode &&decode)
{
    std::optional<quint32> id;
    try {
        try {
            return decode(bytes, id);
        } catch (const WireOddOrder &) {
            return decode(wireInOrder(bytes), id);
        }
    } catch (const Error &error) {
        wireInvalid(error, id);
    }
}

RequestFrame wireDecodeRequest(QByteArrayView bytes, std::optional<quint32> &id)
{
    CborReader reader(bytes, wireMaxDepth);
    const WireHead head = wireReadHead(reader);
    id = head.id;
    const std::size_t index = wireIndexOf(wireRequestNames, wireView(head.name));
    if (index == wireRequestNames.size()) {
        if (!head.id && wireDecodeValue(bytes).contains(u"id"))
            throw WireOddOrder();
        Value metadata = Value::map();
        metadata.set(QStringLiteral("name"), QString::fromUtf8(head.name));
        throw Error(QStringLiteral("inspector"), QStringLiteral("unknown_message"),
                    QStringLiteral("message \"%1\" is not known to this host").arg(QString::fromUtf8(head.name)),
                    std::move(metadata));
    }
    RequestFrame frame;
    frame.request = wireReadMessage<Request>(reader, head, index);
    if (!head.id)
        wireInvalid(QStringLiteral("id"), QStringLiteral("the message has no field \"id\""));
    frame.id = *head.id;
    return frame;
}

std::optional<HostFrame> wireDecodeHostFrame(QByteArrayView bytes, std::optional<quint32> &id)
{
    CborReader reader(bytes, wireMaxDepth);
    const WireHead head = wireReadHead(reader);
    id = head.id;
    if (!head.id) {
        const std::size_t push = wireIndexOf(wirePushNames, wireView(head.name));
        if (push < wirePushNames.size())
            return HostFrame(PushFrame{wireReadMessage<Push>(reader, head, push)});
        const Value whole = wireDecodeValue(bytes); // malformed is malformed, known or not
        if (whole.contains(u"id"))
            throw WireOddOrder();
        return std::nullopt;
    }
    const std::size_t reply = wireIndexOf(wireReplyNames, wireView(head.name));
    if (reply < wireReplyNames.size())
        return HostFrame(ReplyFrame{*head.id, wireReadMessage<ReplyBody>(reader, head, reply)});
    wireDecodeValue(bytes);
    Failure failure; // whoever asked is waiting
    failure.group = QStringLiteral("inspector");
    failure.code = QStringLiteral("unknown_message");
    failure.message =
        QStringLiteral("the host answered with \"%1\", which is not known here").arg(QString::fromUtf8(head.name));
    return HostFrame(ReplyFrame{*head.id, failure});
}

template <typename T>
Value wireToValue(const T &part)
{
    QByteArray bytes;
    {
        CborWriter writer(bytes, wireMaxDepth);
        wireWrite(writer, part);
    }
    return wireDecodeValue(bytes);
}

template <typename T>
T wireFromValue(const Value &value)
{
    return wireDecode(wireEncodeValue(value), [](QByteArrayView bytes, std::optional<quint32> &) {
        CborReader reader(bytes, wireMaxDepth);
        return wireRead<T>(reader, ValuePlace());
    });
}

} // namespace

QByteArray encode(const RequestFrame &frame)
{
    return std::visit(
        [&](const auto &request) {
            return wireEncodeFrame(frame.id, wireRequestNames[frame.request.index()], request);
        },
        frame.request);
}

QByteArray encode(const ReplyFrame &frame)
{
    return std::visit(
        [&](const auto &body) { return wireEncodeFrame(frame.id, wireReplyNames[frame.body.index()], body); },
        frame.body);
}

QByteArray encode(const PushFrame &frame)
{
    return std::visit(
        [&](const auto &push) { return wireEncodeFrame(std::nullopt, wirePushNames[frame.push.index()], push); },
        frame.push);
}

RequestFrame decodeRequest(QByteArrayView bytes)
{
    return wireDecode(bytes, wireDecodeRequest);
}

std::optional<HostFrame> decodeHostFrame(QByteArrayView bytes)
{
    return wireDecode(bytes, wireDecodeHostFrame);
}

Value toValue(const ActorSummary &summary)
{
    return wireToValue(summary);
}

Value toValue(const Record &record)
{
    return wireToValue(record);
}

Value toValue(const Snapshot &snapshot)
{
    return wireToValue(snapshot);
}

ActorSummary summaryFromValue(const Value &value)
{
    return wireFromValue<ActorSummary>(value);
}

Record recordFromValue(const Value &value)
{
    return wireFromValue<Record>(value);
}

Snapshot snapshotFromValue(const Value &value)
{
    return wireFromValue<Snapshot>(value);
}

QString statusName(ActorStatus status)
{
    return wireText(wireStatusNames[std::min(std::size_t(status), std::size_t(ActorStatus::unknown))]);
}

ActorStatus statusFromName(QStringView name)
{
    const QByteArray bytes = name.toUtf8();
    return ActorStatus(std::min(wireIndexOf(wireStatusNames, wireView(bytes)), std::size_t(ActorStatus::unknown)));
}

} // namespace terrarium::wire
