#pragma once
// The actor types a host runs, by name. Filled before the host opens, then only read.

#include "actor/actor_options.h"
#include "wire/inspector_messages.h"

#include <terrarium/type_definition.h>

#include <QHash>
#include <QStringList>

#include <memory>

namespace terrarium {

/// A type and what is made of it once for all its actors.
struct HostedType {
    explicit HostedType(TypeDefinition type);

    std::shared_ptr<const TypeDefinition> definition;
    std::shared_ptr<const ActorConfig> config;
    wire::TypeInfo info;
};

class TypeRegistry final {
public:
    /// Throws `host/duplicate_type` {type}, `host/invalid_type` {type} for a name that cannot be addressed.
    void add(TypeDefinition type);
    /// Null when there is none.
    const HostedType *find(const QString &type) const;
    /// Throws `actor/not_registered` {type}.
    const HostedType &get(const QString &type) const;
    /// In the order in which they were added.
    const QStringList &names() const noexcept { return m_names; }
    /// Of a type that is not registered (any more), as far as can be said: its name.
    wire::TypeInfo info(const QString &type) const;

private:
    QHash<QString, std::shared_ptr<const HostedType>> m_types;
    QStringList m_names;
};

} // namespace terrarium
