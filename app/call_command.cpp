#include "call_command.h"

#include "find_host.h"
#include "output.h"

#include "value/json.h"

#include <terrarium/actor_key.h>
#include <terrarium/error.h>

#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QUrlQuery>

namespace terrarium::app {

namespace {

/// JSON when it is JSON, else the text itself: `terrarium call counter/a increment 1 me`.
Value argumentValue(const QString &text)
{
    try {
        return json::parse(text.toUtf8(), json::Form::Extended);
    } catch (const Error &) {
        return text;
    }
}

QUrl actionUrl(const QUrl &host, const CallCommand &command)
{
    QUrl url = httpUrl(host);
    url.setPath(QStringLiteral("/gateway/%1/action/%2")
                    .arg(QString::fromLatin1(QUrl::toPercentEncoding(command.type)),
                         QString::fromLatin1(QUrl::toPercentEncoding(command.action))),
                QUrl::TolerantMode);
    return url;
}

} // namespace

int runCall(const CallCommand &command)
{
    FoundHost host;
    try {
        host = findHost(command.url, command.token);
    } catch (const Error &error) {
        printError(error, command.json);
        return ExitNoHost;
    }

    Value args = Value::array();
    for (const QString &argument : command.args)
        args.append(argumentValue(argument));

    QNetworkAccessManager network;
    const auto exchange = [&](const QByteArray &method, const QUrl &url, const QByteArray &body) {
        QNetworkRequest request(url);
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        request.setTransferTimeout(int(qMin<qint64>(command.timeoutMs, 86'400'000)));
        if (!command.token.isEmpty()) {
            request.setRawHeader("x-rivet-token", command.token.toUtf8());
            request.setRawHeader("Authorization", "Bearer " + command.token.toUtf8());
        }
        QNetworkReply *reply = network.sendCustomRequest(request, method, body);
        QEventLoop loop;
        QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
        loop.exec();
        return reply;
    };

    // The key goes through the management API, whose form is exact for every key; then the call goes by id.
    QUrl actors = httpUrl(host.url);
    actors.setPath(QStringLiteral("/actors"));
    actors.setQuery(QStringLiteral("namespace=default"));
    const Value create = Value::map({{QStringLiteral("name"), command.type},
                                     {QStringLiteral("key"), command.key},
                                     {QStringLiteral("runner_name_selector"), "default"},
                                     {QStringLiteral("crash_policy"), "sleep"}});
    QNetworkReply *reply = exchange("PUT", actors, json::write(create));
    Value answer;
    const auto readAnswer = [&] {
        answer = Value();
        try {
            answer = json::parse(reply->readAll(), json::Form::Extended);
        } catch (const Error &) {
            // No JSON: not a host, or nothing at all. Said below.
        }
        return reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    };
    const auto fail = [&](int status) {
        if (answer.isMap() && answer["code"].isText()) {
            printError(Error(answer["group"].toText(), answer["code"].toText(), answer["message"].toText(),
                             answer["metadata"]),
                       command.json);
            return int(ExitFailed);
        }
        const QString where = httpUrl(host.url).toString();
        printError(Error(QStringLiteral("client"),
                         status ? QStringLiteral("not_a_host") : QStringLiteral("not_connected"),
                         status ? QStringLiteral("%1 answers with HTTP %2, but is no actor host").arg(where).arg(status)
                                : QStringLiteral("could not reach %1: %2").arg(where, reply->errorString())),
                   command.json);
        return int(ExitNoHost);
    };
    int status = readAnswer();
    const QString id = answer["actor"]["actor_id"].toText();
    if (status != 200 || id.isEmpty())
        return fail(status);

    CallCommand byId = command;
    byId.type = id;
    reply = exchange("POST", actionUrl(host.url, byId),
                     json::write(Value::map({{QStringLiteral("args"), args}}), json::Form::Extended));
    status = readAnswer();
    if (status != 200 || !answer.isMap())
        return fail(status);
    const Value output = answer["output"];
    if (!output.isUndefined())
        printLine(json::write(output));
    return ExitOk;
}

} // namespace terrarium::app
