#include "async/random.h"

namespace terrarium {

QString Random::uuid()
{
    // Unique, not secret: the system's own generator costs more than the whole rest of a short call.
    const quint64 words[2] = {next(), next()};
    QByteArray raw(reinterpret_cast<const char *>(words), 16);
    raw[6] = char((quint8(raw[6]) & 0x0f) | 0x40);
    raw[8] = char((quint8(raw[8]) & 0x3f) | 0x80);
    const QByteArray hex = raw.toHex();
    return QString::fromLatin1(hex.mid(0, 8) + '-' + hex.mid(8, 4) + '-' + hex.mid(12, 4) + '-' + hex.mid(16, 4) + '-'
                               + hex.mid(20));
}

} // namespace terrarium
