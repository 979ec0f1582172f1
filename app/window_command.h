#pragma once
// `terrarium` and `terrarium attach`: the window, alone or with a host in the same process.

#include "command_line.h"

namespace terrarium::app {

/// The window with a host inside. Makes its own QApplication.
int runWindow(int &argc, char **argv, const WindowCommand &command);
/// The window on a host that runs elsewhere.
int runAttach(int &argc, char **argv, const AttachCommand &command);

} // namespace terrarium::app
