#pragma once
// The name and argument types of something an actor broadcasts.
//
//     static constexpr terrarium::Event<int, QString> moved{"moved"};

#include <QLatin1String>

#include <string_view>

namespace terrarium {

/// Two events are the same when their names are.
template <typename... Args>
class Event final {
public:
    /// `name`: ASCII, as clients subscribe to it.
    constexpr explicit Event(const char *name) noexcept : m_name(name) {}

    QLatin1String name() const noexcept { return QLatin1String(m_name.data(), qsizetype(m_name.size())); }

private:
    std::string_view m_name;
};

} // namespace terrarium
