#pragma once
// WebSocket frames as a server writes them: whole messages, unmasked (RFC 6455, 5.2).

#include <QByteArray>

namespace terrarium {

enum class FrameKind : quint8 { Text = 0x1, Binary = 0x2, Close = 0x8, Ping = 0x9 };

/// Header and payload in one piece.
QByteArray websocketFrame(FrameKind kind, QByteArrayView payload);

/// A close reason cut to what fits a close frame (123 bytes of UTF-8), at a character's edge.
QString closeReasonThatFits(const QString &reason);

} // namespace terrarium
