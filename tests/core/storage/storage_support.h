#pragma once
// Helpers of the storage tests: what a commit answered, and what a thrown Error said.

#include <terrarium/error.h>

#include <QString>

#include <functional>
#include <optional>

namespace storage_support {

/// "group/code" of what `body` throws; "nothing" when it does not throw.
inline QString thrown(const std::function<void()> &body)
{
    try {
        body();
    } catch (const terrarium::Error &error) {
        return error.group() + QLatin1Char('/') + error.code();
    }
    return QStringLiteral("nothing");
}

inline std::optional<terrarium::Error> thrownError(const std::function<void()> &body)
{
    try {
        body();
    } catch (const terrarium::Error &error) {
        return error;
    }
    return std::nullopt;
}

/// Remembers the answer of one commit.
struct Answer {
    QString text = QStringLiteral("none"); ///< "none", "ok" or "group/code"
    int times = 0;

    std::function<void(const std::optional<terrarium::Error> &)> taker()
    {
        return [this](const std::optional<terrarium::Error> &error) {
            ++times;
            text = error ? error->group() + QLatin1Char('/') + error->code() : QStringLiteral("ok");
        };
    }
};

} // namespace storage_support
