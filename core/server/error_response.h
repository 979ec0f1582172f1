#pragma once
// Errors as clients may see them: which status, and how much of the text.
//
// Group and code always go out. Message and metadata do too, except for errors that speak of our own insides
// (groups core, storage, sqlite, rivetkit and wire): those get a general text. What an actor's author throws
// passes through.

#include "server/http_message.h"

#include <terrarium/error.h>

namespace terrarium {

/// The error with its inside taken out where needed. `core/internal_error` becomes `rivetkit/internal_error`.
Error maskedForClients(const Error &error);
/// The HTTP status that belongs to an error's group and code; 500 for those of authors.
int httpStatusOf(const Error &error);
/// JSON body and status. The error goes out as it is.
HttpResponse errorResponse(const Error &error);
HttpResponse errorResponse(int status, const Error &error);

} // namespace terrarium
