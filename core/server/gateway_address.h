#pragma once
// Which actor a URL means, and what is asked of it.
//
//   /gateway/{actorId}[@{token}]{rest}                       form 1: by id
//   /gateway/{name}{rest}?rvt-namespace=..&rvt-method=..      form 2: by name and key, found or created
//   /call/{name}/{key..}/{action}                             short form, for people with curl
//
// Forms 1 and 2 are RivetKit's gateway, with its refusals word for word in group and code. The short form is
// ours: namespace and pool are the default ones, the actor is created when there is none, and the key's
// segments are path segments. It is told apart by its first segment.

#include <terrarium/actor_key.h>
#include <terrarium/error.h>
#include <terrarium/value.h>

#include <QByteArray>
#include <QString>

#include <optional>
#include <variant>

namespace terrarium {

struct GatewayAddress {
    struct ById {
        QString id;
    };
    struct ByKey {
        QString name;
        ActorKey key;
        bool create = false;
        std::optional<Value> input;
    };

    std::variant<ById, ByKey> target;
    QByteArray rest;  ///< path behind the gateway, still encoded: "/action/get"
    QByteArray query; ///< what the actor may see of the query, byte for byte
    QString token;    ///< from the URL, or empty

    /// nullopt when the path is no address of an actor. Throws the refusals of the gateway: group `guard`.
    static std::optional<GatewayAddress> parse(const QByteArray &path, const QByteArray &query);
};

} // namespace terrarium
