#include "value/double_text.h"

#include <charconv>
#include <cmath>

namespace terrarium {

QByteArray doubleText(double number)
{
    const double size = std::abs(number);
    const bool isPlain = number == 0 || (size >= 1e-6 && size < 1e21);
    char buffer[40];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, number,
                                      isPlain ? std::chars_format::fixed : std::chars_format::scientific);
    QByteArray text(buffer, result.ptr - buffer);
    if (isPlain && !text.contains('.'))
        text += ".0";
    return text;
}

} // namespace terrarium
