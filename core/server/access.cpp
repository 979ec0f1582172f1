#include "server/access.h"

namespace terrarium {

namespace {

struct AccessHostPort {
    QString host;  ///< lower case, without brackets
    int port = -1; ///< -1: none given
};

/// Strict: one host, at most one port, nothing else.
std::optional<AccessHostPort> accessSplit(QByteArrayView text)
{
    const QString all = QString::fromLatin1(text.data(), text.size()).toLower();
    AccessHostPort result;
    QString rest;
    if (all.startsWith(QLatin1Char('['))) {
        const qsizetype end = all.indexOf(QLatin1Char(']'));
        if (end < 0)
            return std::nullopt;
        result.host = all.mid(1, end - 1);
        rest = all.mid(end + 1);
        if (QHostAddress(result.host).protocol() != QAbstractSocket::IPv6Protocol)
            return std::nullopt;
    } else {
        const qsizetype colon = all.indexOf(QLatin1Char(':'));
        result.host = colon < 0 ? all : all.left(colon);
        rest = colon < 0 ? QString() : all.mid(colon);
    }
    if (result.host.isEmpty())
        return std::nullopt;
    if (rest.isEmpty())
        return result;
    const QString digits = rest.mid(1);
    if (!rest.startsWith(QLatin1Char(':')) || digits.isEmpty() || digits.size() > 5)
        return std::nullopt;
    for (const QChar c : digits) {
        if (c < QLatin1Char('0') || c > QLatin1Char('9'))
            return std::nullopt;
    }
    result.port = digits.toInt();
    return result;
}

/// An address written in full, as people and programs do: "127.1" and "0x7f000001" are not taken.
std::optional<QHostAddress> accessAddress(const QString &host)
{
    const QHostAddress address(host);
    if (address.isNull())
        return std::nullopt;
    if (address.protocol() == QAbstractSocket::IPv4Protocol && address.toString() != host)
        return std::nullopt;
    return address;
}

bool accessIsLoopbackHost(const QString &host)
{
    if (host == u"localhost")
        return true;
    const auto address = accessAddress(host);
    return address && isLoopback(*address);
}

} // namespace

bool isLoopback(const QHostAddress &address)
{
    return address.isLoopback() || address == QHostAddress::LocalHost || address == QHostAddress::LocalHostIPv6;
}

bool isSameSecret(QByteArrayView a, QByteArrayView b)
{
    // `b` is the secret; the time depends on the length of `a` only.
    unsigned difference = a.size() == b.size() ? 0u : 1u;
    for (qsizetype i = 0; i < a.size(); ++i) {
        const auto other = b.isEmpty() ? uchar(0) : uchar(b[i % b.size()]);
        difference |= unsigned(uchar(a[i]) ^ other);
    }
    return difference == 0;
}

Access::Verdict Access::check(const HttpRequest &request) const
{
    if (request.hasHeader("host")) {
        if (!isHostAllowed(request.header("host")))
            return Verdict::WrongHost;
    } else if (request.minorVersion != 0) {
        return Verdict::WrongHost;
    }
    if (request.hasHeader("origin") && !isOriginAllowed(request.header("origin")))
        return Verdict::WrongOrigin;
    return Verdict::Allowed;
}

bool Access::isHostAllowed(QByteArrayView host) const
{
    const auto name = accessSplit(host);
    if (!name)
        return false;
    if (name->port != m_rules.port && !(name->port == -1 && m_rules.port == 80))
        return false;
    if (accessIsLoopbackHost(name->host))
        return true;
    if (m_rules.allowedHosts.contains(name->host, Qt::CaseInsensitive))
        return true;
    const auto address = accessAddress(name->host);
    if (!address)
        return false;
    // A page can make a name point here, but not an address.
    if (m_rules.address == QHostAddress::Any || m_rules.address == QHostAddress::AnyIPv4
        || m_rules.address == QHostAddress::AnyIPv6)
        return true;
    return *address == m_rules.address;
}

bool Access::isOriginAllowed(QByteArrayView origin) const
{
    const QString text = QString::fromLatin1(origin.data(), origin.size());
    if (m_rules.allowedOrigins.contains(text, Qt::CaseInsensitive))
        return true;
    for (const QLatin1String scheme : {QLatin1String("http://"), QLatin1String("https://")}) {
        if (!text.startsWith(scheme, Qt::CaseInsensitive))
            continue;
        const auto name = accessSplit(origin.sliced(scheme.size()));
        return name && accessIsLoopbackHost(name->host);
    }
    return false;
}

bool Access::isTokenRight(QByteArrayView token) const
{
    return m_rules.token.isEmpty() || isSameSecret(token, m_rules.token.toUtf8());
}

bool Access::hasToken(const HttpRequest &request, const QString &further) const
{
    if (m_rules.token.isEmpty())
        return true;
    bool isRight = isTokenRight(further.toUtf8());
    isRight |= isTokenRight(request.header("x-rivet-token"));
    const QByteArray authorization = request.header("authorization");
    if (authorization.size() > 7 && qstrnicmp(authorization.constData(), 7, "Bearer ", 7) == 0)
        isRight |= isTokenRight(authorization.mid(7).trimmed());
    const auto offered = request.header("sec-websocket-protocol").split(',');
    for (const QByteArray &one : offered) {
        const QByteArray protocol = one.trimmed();
        if (protocol.startsWith("rivet_token."))
            isRight |= isTokenRight(QByteArray::fromPercentEncoding(protocol.mid(12)));
    }
    return isRight;
}

} // namespace terrarium
