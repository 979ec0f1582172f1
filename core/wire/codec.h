#pragma once
// Inspector message <-> frame, one function each way.
//
// A frame is CBOR bytes. Decoding never trusts: wrong kinds and missing required fields throw
// `inspector/invalid_message` with metadata {field}; optional fields take their defaults.

#include "wire/inspector_messages.h"

#include <QByteArray>

namespace terrarium::wire {

QByteArray encode(const RequestFrame &frame);
QByteArray encode(const ReplyFrame &frame);
QByteArray encode(const PushFrame &frame);

/// A request name the host does not know: `inspector/unknown_message` with metadata {id, name}, so that it
/// can be answered.
RequestFrame decodeRequest(QByteArrayView bytes);
/// nullopt for a push this version does not know (skipped by the caller).
std::optional<HostFrame> decodeHostFrame(QByteArrayView bytes);

// Parts that other formats (golden files, recordings) use too.
Value toValue(const ActorSummary &summary);
Value toValue(const Record &record);
Value toValue(const Snapshot &snapshot);
ActorSummary summaryFromValue(const Value &value);
Record recordFromValue(const Value &value);
Snapshot snapshotFromValue(const Value &value);

} // namespace terrarium::wire
