#pragma once
// Arguments of an action as a person types them, turned into exact values, with what is wrong said in words.

#include "wire/inspector_messages.h"

#include <QString>

#include <optional>

namespace terrarium::ui {

struct ParsedArgument {
    std::optional<Value> value; ///< nullopt: not sent, or wrong
    QString problem;            ///< "Needs a whole number"; empty when all is well
    QString note;               ///< "exact, 64 bit"
};

/// One field of a form. Empty text of an optional parameter is "not sent".
ParsedArgument parseArgument(const wire::ParameterInfo &parameter, const QString &text);
/// The text that gives `value` again.
QString argumentText(const wire::ParameterInfo &parameter, const Value &value);
/// The whole list as JSON: [118, 64].
ParsedArgument parseArguments(const QString &json);
/// (x: int, y: int, note?: text)
QString signatureText(const wire::ActionInfo &action);

} // namespace terrarium::ui
