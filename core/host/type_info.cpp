#include "host/type_info.h"

namespace terrarium {

namespace {

QString typeDurationText(std::chrono::milliseconds duration)
{
    const qint64 ms = duration.count();
    if (ms == 0 || ms % 1'000 != 0)
        return QStringLiteral("%1 ms").arg(ms);
    if (ms % 3'600'000 == 0)
        return QStringLiteral("%1 h").arg(ms / 3'600'000);
    if (ms % 60'000 == 0)
        return QStringLiteral("%1 min").arg(ms / 60'000);
    return QStringLiteral("%1 s").arg(ms / 1'000);
}

QString typeBytesText(qint64 bytes)
{
    if (bytes != 0 && bytes % (1024 * 1024) == 0)
        return QStringLiteral("%1 MiB").arg(bytes / (1024 * 1024));
    if (bytes != 0 && bytes % 1024 == 0)
        return QStringLiteral("%1 KiB").arg(bytes / 1024);
    return QStringLiteral("%1 B").arg(bytes);
}

QList<wire::OptionInfo> describeOptions(const ActorOptions &options)
{
    const ActorOptions usual;
    QList<wire::OptionInfo> described;
    const auto add = [&described](const QString &name, const QString &value, bool isDefault) {
        wire::OptionInfo option;
        option.name = name;
        option.value = value;
        option.isDefault = isDefault;
        described.append(option);
    };
    const auto duration = [&](const QString &name, std::chrono::milliseconds ActorOptions::*member) {
        add(name, typeDurationText(options.*member), options.*member == usual.*member);
    };
    const auto bytes = [&](const QString &name, qint64 ActorOptions::*member) {
        add(name, typeBytesText(options.*member), options.*member == usual.*member);
    };
    add(QStringLiteral("replies"),
        options.replies == Replies::Durable ? QStringLiteral("after the change is durable") : QStringLiteral("at once"),
        options.replies == usual.replies);
    duration(QStringLiteral("sleepTimeout"), &ActorOptions::sleepTimeout);
    add(QStringLiteral("noSleep"), options.noSleep ? QStringLiteral("on") : QStringLiteral("off"),
        options.noSleep == usual.noSleep);
    duration(QStringLiteral("gracePeriod"), &ActorOptions::gracePeriod);
    duration(QStringLiteral("stateSaveInterval"), &ActorOptions::stateSaveInterval);
    duration(QStringLiteral("actionTimeout"), &ActorOptions::actionTimeout);
    duration(QStringLiteral("onCreateTimeout"), &ActorOptions::onCreateTimeout);
    duration(QStringLiteral("onWakeTimeout"), &ActorOptions::onWakeTimeout);
    duration(QStringLiteral("onConnectTimeout"), &ActorOptions::onConnectTimeout);
    duration(QStringLiteral("onDisconnectTimeout"), &ActorOptions::onDisconnectTimeout);
    add(QStringLiteral("maxSchedules"), QString::number(options.maxSchedules),
        options.maxSchedules == usual.maxSchedules);
    bytes(QStringLiteral("maxMessageSize"), &ActorOptions::maxMessageSize);
    bytes(QStringLiteral("maxReplySize"), &ActorOptions::maxReplySize);
    return described;
}

} // namespace

wire::TypeInfo describeType(const TypeDefinition &type)
{
    wire::TypeInfo info;
    info.name = type.name;
    info.hasState = type.hasState;
    for (const ActionDefinition &action : type.actions) {
        wire::ActionInfo described;
        described.name = action.name;
        described.result = action.result;
        described.help = action.help;
        described.query = action.query;
        for (const ParameterDefinition &parameter : action.parameters) {
            wire::ParameterInfo field;
            field.name = parameter.name;
            field.type = parameter.type;
            field.optional = parameter.optional;
            described.parameters.append(field);
        }
        info.actions.append(described);
    }
    for (const EventDefinition &event : type.events)
        info.events.append(event.name);
    info.options = describeOptions(type.options);
    return info;
}

} // namespace terrarium
