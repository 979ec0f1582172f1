#include "wire/websocket_frame.h"

#include <QtEndian>

namespace terrarium {

QByteArray websocketFrame(FrameKind kind, QByteArrayView payload)
{
    char head[10];
    qsizetype headSize = 2;
    head[0] = char(0x80 | quint8(kind));
    const auto size = quint64(payload.size());
    if (size < 126) {
        head[1] = char(size);
    } else if (size <= 0xffff) {
        head[1] = 126;
        qToBigEndian(quint16(size), head + 2);
        headSize = 4;
    } else {
        head[1] = 127;
        qToBigEndian(size, head + 2);
        headSize = 10;
    }
    QByteArray frame;
    frame.reserve(headSize + payload.size());
    frame.append(head, headSize);
    frame.append(payload.data(), payload.size());
    return frame;
}

QString closeReasonThatFits(const QString &reason)
{
    constexpr qsizetype maxBytes = 123;
    QString fits = reason;
    while (fits.toUtf8().size() > maxBytes) {
        fits.chop(1);
        if (fits.endsWith(QChar(0xfffd)) || (!fits.isEmpty() && fits.back().isHighSurrogate()))
            fits.chop(1);
    }
    return fits;
}

} // namespace terrarium
