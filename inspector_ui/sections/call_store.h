#pragma once
// Arguments used before, per type and action, kept across sessions. Arguments that look like secrets are not.

#include "wire/inspector_messages.h"

#include <QStringList>

namespace terrarium::ui::call_store {

/// JSON lists of arguments, newest first.
QStringList recall(const QString &type, const QString &action);
void remember(const QString &type, const wire::ActionInfo &action, const Value &args);
void forget(const QString &type, const QString &action);

} // namespace terrarium::ui::call_store
