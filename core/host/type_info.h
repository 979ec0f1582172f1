#pragma once
// An actor type as inspectors see it.

#include "wire/inspector_messages.h"

#include <terrarium/type_definition.h>

namespace terrarium {

wire::TypeInfo describeType(const TypeDefinition &type);

} // namespace terrarium
