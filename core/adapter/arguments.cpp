#include <terrarium/actor_type.h>

namespace terrarium::detail {

namespace {

Error argumentError(const ArgumentNames &names, const QString &parameter, const QString &text)
{
    return Error(
        QStringLiteral("actor"), QStringLiteral("invalid_request"),
        QStringLiteral("action \"%1\": %2").arg(names.action, text),
        Value::map({{QStringLiteral("action"), Value(names.action)}, {QStringLiteral("parameter"), Value(parameter)}}));
}

} // namespace

void refuseArguments(const ArgumentNames &names, const Value &args)
{
    if (!args.isArray())
        throw argumentError(names, {}, QStringLiteral("its arguments must be a list"));
    throw argumentError(names, {},
                        QStringLiteral("takes %1 arguments (%2), got %3")
                            .arg(names.names.size())
                            .arg(names.names.join(QStringLiteral(", ")))
                            .arg(args.size()));
}

void refuseMissing(const ArgumentNames &names, qsizetype index, QLatin1String type)
{
    const QString &name = names.names.at(index);
    throw argumentError(names, name, QStringLiteral("argument \"%1\" (%2) is missing").arg(name, QString(type)));
}

void refuseArgument(const ArgumentNames &names, qsizetype index)
{
    const Error error = Error::fromException(std::current_exception());
    throw argumentError(names, names.names.at(index), error.message());
}

void refuseInput(const QString &type)
{
    const Error error = Error::fromException(std::current_exception());
    throw Error(QStringLiteral("actor"), QStringLiteral("validation_error"),
                QStringLiteral("the input of \"%1\" does not fit: %2").arg(type, error.message()));
}

void refuseMissingInput(const QString &type)
{
    throw Error(QStringLiteral("actor"), QStringLiteral("missing_input"),
                QStringLiteral("\"%1\" needs an input to be created").arg(type));
}

} // namespace terrarium::detail
