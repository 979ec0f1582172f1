#include "models/argument_text.h"

#include "models/value_text.h"
#include "value/json.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cmath>

namespace terrarium::ui {

namespace {

QString argTr(const char *text)
{
    return QCoreApplication::translate("Arguments", text);
}

ParsedArgument wrong(const QString &problem)
{
    ParsedArgument out;
    out.problem = problem;
    return out;
}

ParsedArgument wholeNumber(const QString &text)
{
    static const QRegularExpression digits(QStringLiteral("^[+-]?[0-9]+$"));
    if (!digits.match(text).hasMatch())
        return wrong(argTr("Needs a whole number"));
    bool ok = false;
    ParsedArgument out;
    if (const qint64 small = text.toLongLong(&ok); ok) {
        out.value = Value(small);
        if (small > (qint64(1) << 53) || small < -(qint64(1) << 53))
            out.note = argTr("exact, 64 bit");
        return out;
    }
    if (const quint64 large = text.toULongLong(&ok); ok) {
        out.value = Value(large);
        out.note = argTr("exact, 64 bit");
        return out;
    }
    return wrong(argTr("Does not fit 64 bits"));
}

} // namespace

ParsedArgument parseArgument(const wire::ParameterInfo &parameter, const QString &text)
{
    const QString trimmed = text.trimmed();
    if (parameter.optional && text.isEmpty())
        return {};
    ParsedArgument out;
    if (parameter.type == QLatin1String("text")) {
        out.value = Value(text);
        return out;
    }
    if (trimmed.isEmpty())
        return wrong(argTr("Needed"));
    if (parameter.type == QLatin1String("int"))
        return wholeNumber(trimmed);
    if (parameter.type == QLatin1String("number")) {
        bool ok = false;
        const double number = trimmed.toDouble(&ok);
        if (!ok || !std::isfinite(number))
            return wrong(argTr("Needs a number, for example 2.5"));
        out.value = Value(number);
        return out;
    }
    if (parameter.type == QLatin1String("bool")) {
        if (trimmed != QLatin1String("true") && trimmed != QLatin1String("false"))
            return wrong(argTr("Needs true or false"));
        out.value = Value(trimmed == QLatin1String("true"));
        return out;
    }
    if (parameter.type == QLatin1String("bytes")) {
        QString digits = trimmed;
        digits.remove(QLatin1Char(' '));
        static const QRegularExpression hex(QStringLiteral("^([0-9a-fA-F]{2})*$"));
        if (!hex.match(digits).hasMatch())
            return wrong(argTr("Needs bytes in hexadecimal, for example 00 ff"));
        out.value = Value(QByteArray::fromHex(digits.toLatin1()));
        out.note = argTr("%1 B").arg(digits.size() / 2);
        return out;
    }
    try {
        out.value = json::parse(trimmed.toUtf8());
    } catch (const Error &error) {
        const qint64 column = error.metadata()["column"].toInt();
        return wrong(column > 0 ? argTr("Not JSON, at character %1").arg(column) : argTr("Not JSON"));
    }
    if (parameter.type == QLatin1String("list") && !out.value->isArray())
        return wrong(argTr("Needs a list, for example [1, 2]"));
    if (parameter.type == QLatin1String("map") && !out.value->isMap())
        return wrong(argTr("Needs a map, for example {\"a\": 1}"));
    return out;
}

QString argumentText(const wire::ParameterInfo &parameter, const Value &value)
{
    if (value.isUndefined())
        return {};
    if (parameter.type == QLatin1String("text") && value.isText())
        return value.toText();
    if (parameter.type == QLatin1String("bytes") && value.isBytes())
        return QString::fromLatin1(value.toBytes().toHex());
    return QString::fromUtf8(json::write(value));
}

ParsedArgument parseArguments(const QString &text)
{
    ParsedArgument out;
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty()) {
        out.value = Value::array();
        return out;
    }
    try {
        out.value = json::parse(trimmed.toUtf8());
    } catch (const Error &error) {
        const qint64 line = error.metadata()["line"].toInt();
        const qint64 column = error.metadata()["column"].toInt();
        return wrong(line > 0 ? argTr("Not JSON, at line %1, character %2").arg(line).arg(column) : argTr("Not JSON"));
    }
    if (!out.value->isArray())
        return wrong(argTr("Needs a list of arguments, for example [118, 64]"));
    return out;
}

QString signatureText(const wire::ActionInfo &action)
{
    QStringList parts;
    for (const wire::ParameterInfo &parameter : action.parameters)
        parts.append(parameter.name + (parameter.optional ? QLatin1String("?: ") : QLatin1String(": "))
                     + parameter.type);
    return QLatin1Char('(') + parts.join(QLatin1String(", ")) + QLatin1Char(')');
}

} // namespace terrarium::ui
