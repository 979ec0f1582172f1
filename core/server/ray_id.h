#pragma once
// Names one request in answers, errors and logs: 30 characters 0-9a-z, of the same shape as actor ids.

#include "async/random.h"

#include <QString>

namespace terrarium {

QString newRayId(Random &random);
/// 30 characters 0-9a-z. Says nothing about whether such an actor exists.
bool isIdShaped(QStringView text);

} // namespace terrarium
