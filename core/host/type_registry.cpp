#include "host/type_registry.h"

#include "host/type_info.h"

namespace terrarium {

namespace {

Value typeMetadata(const QString &type)
{
    Value metadata;
    metadata.set(QStringLiteral("type"), type);
    return metadata;
}

bool isAddressableType(const QString &name)
{
    if (name.isEmpty() || name.size() > 64)
        return false;
    for (const QChar c : name) {
        if (c.isSpace() || c.category() == QChar::Other_Control || QStringView(u"/?#@%,").contains(c))
            return false;
    }
    return true;
}

} // namespace

HostedType::HostedType(TypeDefinition type)
    : definition(std::make_shared<const TypeDefinition>(std::move(type))),
      config(std::make_shared<const ActorConfig>(definition->options)),
      info(describeType(*definition))
{}

void TypeRegistry::add(TypeDefinition type)
{
    const QString name = type.name;
    if (!isAddressableType(name)) {
        throw Error(
            QStringLiteral("host"), QStringLiteral("invalid_type"),
            QStringLiteral(
                "\"%1\" cannot be the name of an actor type: 1 to 64 characters, no spaces, none of / ? # @ % ,")
                .arg(name),
            typeMetadata(name));
    }
    if (m_types.contains(name)) {
        throw Error(QStringLiteral("host"), QStringLiteral("duplicate_type"),
                    QStringLiteral("an actor type named \"%1\" was added before").arg(name), typeMetadata(name));
    }
    m_types.insert(name, std::make_shared<const HostedType>(std::move(type)));
    m_names.append(name);
}

const HostedType *TypeRegistry::find(const QString &type) const
{
    const auto at = m_types.constFind(type);
    return at == m_types.constEnd() ? nullptr : at->get();
}

const HostedType &TypeRegistry::get(const QString &type) const
{
    if (const HostedType *found = find(type))
        return *found;
    throw Error(QStringLiteral("actor"), QStringLiteral("not_registered"),
                QStringLiteral("no actor type named \"%1\" is registered with this host").arg(type),
                typeMetadata(type));
}

wire::TypeInfo TypeRegistry::info(const QString &type) const
{
    if (const HostedType *found = find(type))
        return found->info;
    wire::TypeInfo unknown;
    unknown.name = type;
    return unknown;
}

} // namespace terrarium
