#pragma once
// `terrarium inspect`: an actor as the window would show it, printed. Nothing is woken.

#include "command_line.h"

namespace terrarium::app {

int runInspect(const InspectCommand &command);

} // namespace terrarium::app
