#pragma once
// Terrarium's own inspector protocol: everything a host and an inspector say to each other.
//
// One frame is one CBOR map. Requests carry {id, t: name, ...} and get exactly one Reply with the same id,
// in any order; pushes carry {t: name, ...} and no id. Times are Unix milliseconds of the host's wall clock
// unless a name says otherwise. Unknown fields are ignored and unknown message names are answered with
// `inspector/unknown_message`, so either side may be newer. Field names are the member names below; a field
// that has the default written here is left out, and so is an empty optional. Message names are the names of
// the structs with a small first letter. A status is its name, a key its slash form. A record is a map
// {position, at, KIND: {...}} with KIND one of delta, saved, transition, note, call, gauge, awake; one of a kind
// that the reader does not know becomes a NoteRecord of kind "unknown", so that positions keep having no holes.
//
// The life of a link: Hello (with the token) -> Welcome. WatchActors -> ActorsChanged pushes, first a full
// one. Subscribe(actor) -> Reply with a Snapshot, then RecordsAppended pushes in order of position, without
// holes. When the link cannot keep up the host drops records instead of buffering them, and as soon as the
// link drains it pushes Dropped (how many, between which positions) with a fresh Snapshot. Nothing said here
// wakes an actor, keeps it awake or restarts its idle timer, except Call, Wake, Create, Sleep, Restart and
// Destroy.
//
// Frames of every message are kept under tests/wire/golden.

#include "value/delta.h"

#include <terrarium/actor_key.h>
#include <terrarium/cause.h>
#include <terrarium/error.h>
#include <terrarium/value.h>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <variant>

namespace terrarium::wire {

/// The version both sides say in Hello and Welcome. A side that cannot speak the other's version says so
/// with `inspector/unsupported_version` {supported} and closes.
constexpr int inspectorProtocolVersion = 1;

/// What the inspector shows an actor's life as. Names on the wire are these names.
enum class ActorStatus : quint8 {
    pending,
    loading,
    starting,
    running,
    sleepGrace,
    sleepFinalize,
    sleeping,
    destroyGrace,
    destroying,
    destroyed,
    crashed,
    backoff,
    unknown
};

using terrarium::Cause;

/// One thing that keeps an actor awake, or would (count 0 and not on).
struct Blocker {
    /// noSleep, httpRequests, keepAwake, internalKeepAwake, actions, scheduledHandler, runHandler,
    /// disconnectCallbacks, connections, socketCallbacks
    QString kind;
    int count = 0;
    bool on = false;  ///< counts against sleep right now
    QString label;    ///< of a keep-awake, the newest; else empty
    qint64 since = 0; ///< of the oldest; 0 when not on
    QString origin;   ///< what started it: "action move", "hook onWake", a source line where known
    QString note;     ///< why a present thing does not count, for example "waiting on queue jobs"

    friend bool operator==(const Blocker &, const Blocker &) = default;
};

/// When the actor will sleep if nothing happens.
struct SleepForecast {
    /// blocked, countdown, grace, asleep, never
    QString kind;
    qint64 at = 0; ///< countdown: when it will sleep; grace: the deadline; asleep: next wake or 0
    Cause resetBy; ///< countdown: what last restarted the timer

    friend bool operator==(const SleepForecast &, const SleepForecast &) = default;
};

struct ErrorInfo {
    QString group;
    QString code;
    QString message;
    Value metadata;
    qint64 at = 0;

    friend bool operator==(const ErrorInfo &, const ErrorInfo &) = default;
};

/// One line of the actor list, and the header of the actor's page.
struct ActorSummary {
    QString id;
    QString type;
    ActorKey key;
    quint32 generation = 0;
    ActorStatus status = ActorStatus::unknown;
    qint64 since = 0;    ///< when it came into this status
    qint64 deadline = 0; ///< grace or retry deadline, else 0
    QString hook;        ///< starting: the hook that runs now
    qint64 createdAt = 0;
    Cause createdBy;
    qint64 lastActivityAt = 0;
    QList<Blocker> blockers; ///< only those that are on
    SleepForecast forecast;
    quint64 sequence = 0;      ///< of the newest delta
    quint64 savedSequence = 0; ///< of the newest delta that is durable
    qint64 unsavedSince = 0;   ///< 0 when nothing is unsaved
    double rate = 0;           ///< deltas per second over the last 5 s
    double actionRate = 0;     ///< actions per second over the last 5 s
    int errors5m = 0;          ///< failed actions and hooks in the last 5 minutes
    qint64 stateBytes = 0;
    int connections = 0;
    int queueSize = 0;
    int queueCapacity = 0;
    int schedules = 0;
    qint64 nextAlarmAt = 0;
    QString nextAlarmName;
    bool hasState = true;
    bool hasDatabase = false;
    bool hasWorkflow = false;
    std::optional<ErrorInfo> lastError;

    friend bool operator==(const ActorSummary &, const ActorSummary &) = default;
};

/// What an action looks like to a caller.
struct ParameterInfo {
    QString name;
    QString type; ///< int, number, text, bool, bytes, list, map, any
    bool optional = false;
    friend bool operator==(const ParameterInfo &, const ParameterInfo &) = default;
};
struct ActionInfo {
    QString name;
    QList<ParameterInfo> parameters;
    QString result; ///< type as above; "none" for void
    QString help;
    bool query = false; ///< a const handler: cannot change state
    friend bool operator==(const ActionInfo &, const ActionInfo &) = default;
};
struct OptionInfo {
    QString name;  ///< as the author writes it: sleepTimeout, noSleep, ...
    QString value; ///< with unit: "30 s", "off"
    bool isDefault = true;
    friend bool operator==(const OptionInfo &, const OptionInfo &) = default;
};
/// What a type declares. Sent with the first snapshot of an actor of the type and with the type list.
struct TypeInfo {
    QString name;
    QList<ActionInfo> actions;
    QStringList events;
    QList<OptionInfo> options;
    bool hasState = true;
    bool hasDatabase = false;
    bool hasWorkflow = false;
    bool hasQueue = false;
    friend bool operator==(const TypeInfo &, const TypeInfo &) = default;
};

// ---- The change log's records, in one order per actor ----------------------------------------------

struct DeltaRecord {
    quint64 sequence = 0;
    quint64 base = 0;    ///< sequence this delta applies to; normally sequence - 1
    QList<Cause> causes; ///< one when exact; several when changes of one turn were merged
    Delta ops;
    qint64 stateBytes = 0; ///< encoded size of the state after it
    friend bool operator==(const DeltaRecord &, const DeltaRecord &) = default;
};
/// Deltas up to `sequence` are durable.
struct SavedRecord {
    quint64 sequence = 0;
    qint64 tookUs = 0; ///< from the change to the commit
    friend bool operator==(const SavedRecord &, const SavedRecord &) = default;
};
struct HookTiming {
    QString name; ///< onCreate, onWake, onSleep, onDestroy, onConnect, ..., load, save
    qint64 tookUs = 0;
    QString outcome; ///< ok, failed, timedOut, cutOff
    friend bool operator==(const HookTiming &, const HookTiming &) = default;
};
struct TransitionRecord {
    ActorStatus from = ActorStatus::unknown;
    ActorStatus to = ActorStatus::unknown;
    /// idle, action, request, connection, alarm, inspector, self, hostShutdown, crash, deadline, drained,
    /// hookFinished, loaded, saved, created, codeReload
    QString reason;
    QString detail; ///< for people, English: "idle for 30 s", "drained, onSleep 1.1 s"
    Cause cause;
    quint32 generation = 0;
    qint64 tookUs = 0; ///< how long it had been in `from`
    QList<HookTiming> hooks;
    QStringList cutOff; ///< work that was cut off at the deadline
    std::optional<ErrorInfo> error;
    friend bool operator==(const TransitionRecord &, const TransitionRecord &) = default;
};
/// Something worth a divider that is no transition.
struct NoteRecord {
    QString kind; ///< idleTimerStayedUp, hookFailed, saveFailed, slowSerialize
    QString text; ///< English, for people
    std::optional<ErrorInfo> error;
    friend bool operator==(const NoteRecord &, const NoteRecord &) = default;
};
/// A finished call of an action (from any caller), scheduled handlers included.
struct CallRecord {
    Cause cause;        ///< kind action or timer; name of the action
    QString connection; ///< id, or empty
    qint64 tookUs = 0;
    bool ok = true;
    QString errorCode;         ///< "group/code" when not ok
    quint64 firstSequence = 0; ///< deltas it made: first..last, 0 when none
    quint64 lastSequence = 0;
    friend bool operator==(const CallRecord &, const CallRecord &) = default;
};
/// Counts that changed, for lanes and tiles.
struct GaugeRecord {
    int connections = 0;
    int queueSize = 0;
    friend bool operator==(const GaugeRecord &, const GaugeRecord &) = default;
};
/// A keep-awake region began or ended.
struct AwakeRecord {
    QString span; ///< id that pairs begin and end
    QString kind; ///< keepAwake, action, ...
    QString label;
    bool begin = true;
    friend bool operator==(const AwakeRecord &, const AwakeRecord &) = default;
};

/// `position` counts all records of one actor and one host run from 1, without holes.
struct Record {
    quint64 position = 0;
    qint64 at = 0;
    std::variant<DeltaRecord, SavedRecord, TransitionRecord, NoteRecord, CallRecord, GaugeRecord, AwakeRecord> body;

    friend bool operator==(const Record &, const Record &) = default;
};

// ---- Requests --------------------------------------------------------------------------------------

struct Hello {
    int version = inspectorProtocolVersion;
    QString client; ///< "terrarium 0.1.0"
    QString name;   ///< who edits: shown in causes
    QString token;
    bool readOnly = false; ///< asks the host to refuse everything that changes something
    QString resumeBootId;  ///< host run seen before, or empty
};
struct WatchActors {
    bool on = true;
};
struct Subscribe {
    QString actor;
    quint64 after = 0; ///< resume: send everything after this position if still kept, else a snapshot
};
struct Unsubscribe {
    QString actor;
};
struct CallAction {
    QString actor;
    QString action;
    Value args;           ///< a list
    qint64 timeoutMs = 0; ///< 0: the host's
};
struct CancelCall {
    quint32 call = 0;
}; ///< id of the CallAction request
struct SleepActor {
    QString actor;
};
struct WakeActor {
    QString actor;
};
struct RestartActor {
    QString actor;
};
struct DestroyActor {
    QString actor;
};
struct CreateActor {
    QString type;
    ActorKey key;
    std::optional<Value> input;
    bool wake = true;
};
struct ListTypes {};
struct Ping {
    qint64 sentAt = 0;
}; ///< sender's clock, echoed

using Request = std::variant<Hello, WatchActors, Subscribe, Unsubscribe, CallAction, CancelCall, SleepActor, WakeActor,
                             RestartActor, DestroyActor, CreateActor, ListTypes, Ping>;

// ---- Replies ---------------------------------------------------------------------------------------

struct Welcome {
    int version = inspectorProtocolVersion;
    QString product; ///< "terrarium"
    QString productVersion;
    QString bootId;   ///< changes with every start of the host
    QString hostName; ///< for people: the project folder's name
    qint64 pid = 0;
    qint64 startedAt = 0;
    qint64 now = 0;     ///< host's wall clock
    QString durability; ///< process, power
    bool readOnly = false;
    QStringList capabilities; ///< actors, deltas, transitions, awake, call, sleep, wake, restart, destroy, create, ...
    friend bool operator==(const Welcome &, const Welcome &) = default;
};
/// The whole of one actor at one point of its log. Read from storage when it is not live.
struct Snapshot {
    ActorSummary summary;
    TypeInfo type;
    quint64 position = 0; ///< the last record contained
    quint64 sequence = 0; ///< of the state
    quint64 savedSequence = 0;
    QByteArray state;        ///< CBOR; empty when the actor declares no state or has none yet
    QList<Record> records;   ///< older records still kept, oldest first, all before or at `position`
    qint64 keptSince = 0;    ///< time from which records are complete; 0: since the host started
    QList<Blocker> blockers; ///< the full list, those that are off too
    bool live = false;       ///< an incarnation exists; else read from disk
    qint64 savedAt = 0;      ///< when the state on disk was written
    friend bool operator==(const Snapshot &, const Snapshot &) = default;
};
struct Subscribed {
    bool resumed = false; ///< true: `snapshot.records` are exactly those after the asked position
    Snapshot snapshot;
    friend bool operator==(const Subscribed &, const Subscribed &) = default;
};
struct CallResult {
    Value result;
    qint64 tookUs = 0;
    bool woke = false;         ///< the call had to wake or create the actor
    quint64 firstSequence = 0; ///< deltas it made, 0 when none
    quint64 lastSequence = 0;
    int changedPaths = 0;
    friend bool operator==(const CallResult &, const CallResult &) = default;
};
struct Created {
    ActorSummary actor;
    bool created = false;
    friend bool operator==(const Created &, const Created &) = default;
};
struct Types {
    QList<TypeInfo> types;
    friend bool operator==(const Types &, const Types &) = default;
};
struct Pong {
    qint64 sentAt = 0;
    qint64 now = 0;
    friend bool operator==(const Pong &, const Pong &) = default;
};
struct Done {
    friend bool operator==(const Done &, const Done &) = default;
};
struct Failure {
    QString group, code, message;
    Value metadata;
    std::optional<QString> actor; ///< id
    friend bool operator==(const Failure &, const Failure &) = default;
};

using ReplyBody = std::variant<Welcome, Subscribed, CallResult, Created, Types, Pong, Done, Failure>;

// ---- Pushes ----------------------------------------------------------------------------------------

struct ActorsChanged {
    bool full = false; ///< forget everything known before
    QList<ActorSummary> upserts;
    QStringList removed;
    friend bool operator==(const ActorsChanged &, const ActorsChanged &) = default;
};
struct RecordsAppended {
    QString actor;
    QList<Record> records;
    friend bool operator==(const RecordsAppended &, const RecordsAppended &) = default;
};
/// The full list of what could keep a subscribed actor awake changed.
struct AwakeChanged {
    QString actor;
    QList<Blocker> blockers;
    SleepForecast forecast;
    friend bool operator==(const AwakeChanged &, const AwakeChanged &) = default;
};
/// Records were not sent because the link could not keep up. `snapshot` restarts the feed.
struct Dropped {
    QString actor;
    quint64 count = 0; ///< deltas among them
    quint64 firstPosition = 0;
    quint64 lastPosition = 0;
    qint64 from = 0; ///< time of the first and the last dropped record
    qint64 to = 0;
    Snapshot snapshot;
    friend bool operator==(const Dropped &, const Dropped &) = default;
};
struct HostGoodbye {
    QString reason;
    friend bool operator==(const HostGoodbye &, const HostGoodbye &) = default;
};

using Push = std::variant<ActorsChanged, RecordsAppended, AwakeChanged, Dropped, HostGoodbye>;

struct RequestFrame {
    quint32 id = 0;
    Request request;
};
struct ReplyFrame {
    quint32 id = 0;
    ReplyBody body;
};
struct PushFrame {
    Push push;
};
using HostFrame = std::variant<ReplyFrame, PushFrame>;

/// "sleepGrace" and back; unknown text gives `unknown`.
QString statusName(ActorStatus status);
ActorStatus statusFromName(QStringView name);

} // namespace terrarium::wire
