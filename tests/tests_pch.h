#pragma once
// Precompiled once for all test programs: Qt Test and what nearly every test reads, nothing of ours.

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTest>

#include <qcoro/qcorotask.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>
