#pragma once
// What the npm client and a host say to each other about one actor: actions, events, subscriptions.
//
// The messages are the same in three encodings; this version reads and writes JSON. User values inside JSON
// are in the `$` form of json::Form::Extended. Field names are those of RivetKit's client protocol.

#include <terrarium/error.h>
#include <terrarium/value.h>

#include <QByteArray>
#include <QString>

#include <optional>
#include <variant>

namespace terrarium::wire {

enum class ClientEncoding : quint8 { Json, Cbor, Bare };

/// "json", "cbor", "bare"; nullopt for anything else.
std::optional<ClientEncoding> clientEncodingFromName(QStringView name);
QString clientEncodingName(ClientEncoding encoding);

struct ClientAction {
    Value id; ///< as the client wrote it, echoed in the answer: an integer
    QString name;
    Value args; ///< a list
};
struct ClientSubscription {
    QString event;
    bool on = true;
};
using ClientMessage = std::variant<ClientAction, ClientSubscription>;

/// A frame of the connection socket. Throws `actor/invalid_request` {reason}.
ClientMessage decodeClientMessage(QByteArrayView json);
/// The body of an action request over HTTP; nothing at all means no arguments. Throws `core/internal_error` {reason}.
Value decodeActionBody(QByteArrayView json);
/// `args` as a list: absent or null means none, a value that is no list is the one argument.
Value normalizedArgs(const Value &args);

QByteArray encodeInit(const QString &actorId, const QString &connectionId);
QByteArray encodeActionResponse(const Value &id, const Value &output);
QByteArray encodeEvent(const QString &name, const Value &args);
/// `actionId`: Null when the error belongs to no action. The error is written as it is; mask it first.
QByteArray encodeClientError(const Error &error, const Value &actionId);
/// {"output": ..}
QByteArray encodeActionOutput(const Value &output);
/// {"group", "code", "message"} and, when present, "metadata" and "actor".
QByteArray encodeErrorBody(const Error &error);

} // namespace terrarium::wire
