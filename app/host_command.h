#pragma once
// `terrarium host`: actors and doors, no window.

#include "command_line.h"

namespace terrarium::app {

/// Prints one JSON line when ready ({ready, url, port, pid, name, dataDir, durability, types,
/// inspectorToken}), then serves
/// until SIGINT or SIGTERM. Makes its own QCoreApplication.
int runHost(int &argc, char **argv, const HostCommand &command);

} // namespace terrarium::app
