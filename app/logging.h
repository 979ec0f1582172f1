#pragma once
// Where log lines go: standard error, one line each, through spdlog; Qt's own messages too.

namespace terrarium::app {

/// Once, at start. TERRARIUM_LOG names the level (trace, debug, info, warn, error, off); the default is warn.
/// At info every transition of every actor is a line.
void setUpLogging();

} // namespace terrarium::app
