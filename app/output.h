#pragma once
// What commands print: results on standard output, one clear line for an error.

#include <terrarium/error.h>

#include <QByteArray>

namespace terrarium::app {

void printLine(const QByteArray &text);
/// "terrarium: group/code: message" on standard error; as a JSON object with `json`.
void printError(const Error &error, bool json = false);

} // namespace terrarium::app
