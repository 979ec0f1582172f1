#pragma once
// `terrarium call`: one action over HTTP, as any client would call it.

#include "command_line.h"

namespace terrarium::app {

/// Prints the result as JSON (or the error as one line) and gives the exit code. Needs a QCoreApplication.
int runCall(const CallCommand &command);

} // namespace terrarium::app
