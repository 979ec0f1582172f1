#pragma once
// Everything an actor's author needs.

#include <terrarium/actor.h>
#include <terrarium/actor_key.h>
#include <terrarium/actor_options.h>
#include <terrarium/actor_type.h>
#include <terrarium/cause.h>
#include <terrarium/context.h>
#include <terrarium/error.h>
#include <terrarium/event.h>
#include <terrarium/fields.h>
#include <terrarium/task.h>
#include <terrarium/value.h>
#include <terrarium/value_codec.h>
