#include "server/ray_id.h"

namespace terrarium {

namespace {
constexpr qsizetype rayIdLength = 30;
}

QString newRayId(Random &random)
{
    static constexpr char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char text[rayIdLength];
    quint64 pool = 0;
    for (qsizetype i = 0; i < rayIdLength; ++i) {
        if (i % 10 == 0)
            pool = random.next();
        text[i] = digits[pool % 36];
        pool /= 36;
    }
    text[rayIdLength - 2] = '0';
    text[rayIdLength - 1] = '0';
    return QString::fromLatin1(text, rayIdLength);
}

bool isIdShaped(QStringView text)
{
    if (text.size() != rayIdLength)
        return false;
    for (const QChar c : text) {
        const bool isDigit = c >= QLatin1Char('0') && c <= QLatin1Char('9');
        const bool isLetter = c >= QLatin1Char('a') && c <= QLatin1Char('z');
        if (!isDigit && !isLetter)
            return false;
    }
    return true;
}

} // namespace terrarium
