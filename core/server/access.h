#pragma once
// Who may talk to this host at all: looked at before any handler, so that no web page and no rebound name
// reaches an actor.
//
// The Host header must name this machine and our port, the Origin header must be absent or one that is
// allowed, and a token, when one is set, must be right. Tokens are compared in constant time.

#include "server/http_message.h"

#include <QHostAddress>
#include <QStringList>

#include <optional>

namespace terrarium {

/// Equal secrets. Takes the same time wherever they differ.
bool isSameSecret(QByteArrayView a, QByteArrayView b);

class Access final {
public:
    struct Rules {
        QHostAddress address = QHostAddress::LocalHost; ///< listened on
        quint16 port = 0;
        QStringList allowedOrigins; ///< "https://app.example", besides loopback ones
        QStringList allowedHosts;   ///< further names this machine is called by
        QString token;              ///< empty: none is asked for
    };
    enum class Verdict { Allowed, WrongHost, WrongOrigin };

    explicit Access(Rules rules) : m_rules(std::move(rules)) {}

    Verdict check(const HttpRequest &request) const;
    /// True when no token is set or one of those the request carries is right: `authorization: Bearer`,
    /// `x-rivet-token`, subprotocol `rivet_token.T`, or `further` (from the URL).
    bool hasToken(const HttpRequest &request, const QString &further = {}) const;
    bool isTokenRight(QByteArrayView token) const;
    bool isOriginAllowed(QByteArrayView origin) const;

private:
    bool isHostAllowed(QByteArrayView host) const;

    Rules m_rules;
};

/// True for addresses that only this machine can reach.
bool isLoopback(const QHostAddress &address);

} // namespace terrarium
