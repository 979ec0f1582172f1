#pragma once
// The shortest text of a double that reads back as the same double, and that still looks like one.

#include <QByteArray>

namespace terrarium {

/// "0.1", "1.0", "100000.0", "1e+300"; plain digits from 1e-6 to below 1e21. NaN and infinities: "nan", "inf", "-inf".
QByteArray doubleText(double number);

} // namespace terrarium
