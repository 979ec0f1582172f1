#include "async/random.h"

namespace terrarium {

QString Random::uuid()
{
    QByteArray raw = bytes(16);
    raw[6] = char((quint8(raw[6]) & 0x0f) | 0x40);
    raw[8] = char((quint8(raw[8]) & 0x3f) | 0x80);
    const QByteArray hex = raw.toHex();
    return QString::fromLatin1(hex.mid(0, 8) + '-' + hex.mid(8, 4) + '-' + hex.mid(12, 4) + '-' + hex.mid(16, 4) + '-'
                               + hex.mid(20));
}

} // namespace terrarium
