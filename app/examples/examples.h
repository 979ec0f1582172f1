#pragma once
// The actors the program shows when nobody brings any.

namespace terrarium {
class HostCore;
class PluginTypes;
} // namespace terrarium

namespace terrarium::examples {

/// counter, chatRoom, checkout, archive.
void addTypes(PluginTypes &types);

/// The first actors of a first run: counter/a ticks, chatRoom/lobby has members, checkout/1842 waits to be paid,
/// archive/2026 falls asleep. Does nothing in a folder that has actors.
void createActors(HostCore &core);

} // namespace terrarium::examples
