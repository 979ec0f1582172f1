#include "inspect_command.h"

#include "find_host.h"
#include "output.h"

#include "async/qt_environment.h"
#include "client/inspector_client.h"
#include "value/json.h"

#include <terrarium/error.h>

#include <QDateTime>
#include <QEventLoop>

namespace terrarium::app {

namespace {

Value summaryValue(const wire::ActorSummary &summary)
{
    Value value = Value::map({{QStringLiteral("id"), summary.id},
                              {QStringLiteral("type"), summary.type},
                              {QStringLiteral("key"), summary.key.toText()},
                              {QStringLiteral("status"), wire::statusName(summary.status)},
                              {QStringLiteral("since"), summary.since},
                              {QStringLiteral("generation"), summary.generation},
                              {QStringLiteral("createdAt"), summary.createdAt},
                              {QStringLiteral("stateBytes"), summary.stateBytes},
                              {QStringLiteral("sequence"), summary.sequence},
                              {QStringLiteral("savedSequence"), summary.savedSequence},
                              {QStringLiteral("connections"), summary.connections},
                              {QStringLiteral("schedules"), summary.schedules}});
    if (summary.nextAlarmAt)
        value.set(QStringLiteral("nextAlarmAt"), summary.nextAlarmAt);
    Value awake = Value::array();
    for (const wire::Blocker &blocker : summary.blockers)
        awake.append(Value::map({{QStringLiteral("kind"), blocker.kind},
                                 {QStringLiteral("count"), blocker.count},
                                 {QStringLiteral("label"), blocker.label}}));
    value.set(QStringLiteral("awakeBecause"), awake);
    if (summary.lastError) {
        value.set(QStringLiteral("lastError"), Value::map({{QStringLiteral("group"), summary.lastError->group},
                                                           {QStringLiteral("code"), summary.lastError->code},
                                                           {QStringLiteral("message"), summary.lastError->message}}));
    }
    return value;
}

QString timeText(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

void printList(const HostStore &store, bool asJson)
{
    QList<wire::ActorSummary> actors = store.actors().values();
    std::sort(actors.begin(), actors.end(), [](const auto &a, const auto &b) {
        return std::pair(a.type, a.key.toText()) < std::pair(b.type, b.key.toText());
    });
    if (asJson) {
        Value list = Value::array();
        for (const wire::ActorSummary &actor : actors)
            list.append(summaryValue(actor));
        printLine(json::writePretty(list));
        return;
    }
    for (const wire::ActorSummary &actor : actors) {
        printLine(QStringLiteral("%1  %2  since %3")
                      .arg(actor.type + u'/' + actor.key.toText(), -32)
                      .arg(wire::statusName(actor.status), -13)
                      .arg(timeText(actor.since))
                      .toUtf8());
    }
}

void printActor(const ActorFeed &feed, bool asJson)
{
    const wire::ActorSummary &summary = feed.summary();
    if (asJson) {
        Value value = summaryValue(summary);
        value.set(QStringLiteral("live"), feed.isIncarnationLive());
        value.set(QStringLiteral("state"), feed.state().isUndefined() ? Value() : feed.state());
        printLine(json::writePretty(value));
        return;
    }
    printLine(QStringLiteral("%1/%2  %3 since %4, generation %5")
                  .arg(summary.type, summary.key.toText(), wire::statusName(summary.status), timeText(summary.since))
                  .arg(summary.generation)
                  .toUtf8());
    for (const wire::Blocker &blocker : summary.blockers)
        printLine(QStringLiteral("awake because of %1 %2 %3")
                      .arg(blocker.count)
                      .arg(blocker.kind, blocker.label)
                      .trimmed()
                      .toUtf8());
    if (!feed.isIncarnationLive())
        printLine(QStringLiteral("read from disk, saved %1").arg(timeText(feed.savedAt())).toUtf8());
    if (const auto error = feed.stateError())
        printLine("state cannot be decoded: " + error->text().toUtf8());
    else
        printLine(feed.state().isUndefined() ? QByteArray("no state") : json::writePretty(feed.state()));
}

QString problemText(const InspectorClient &client, const FoundHost &host)
{
    const QString where = host.url.toString();
    switch (client.problem()) {
    case LinkProblem::NothingListens: return QStringLiteral("nothing listens at %1").arg(where);
    case LinkProblem::NotAHost: return QStringLiteral("%1 answers, but is no actor host").arg(where);
    case LinkProblem::TokenWrong: return QStringLiteral("%1 does not accept this token").arg(where);
    case LinkProblem::TokenMissing: return QStringLiteral("%1 needs a token (--token)").arg(where);
    case LinkProblem::VersionTooNew: return QStringLiteral("%1 is newer than this program").arg(where);
    case LinkProblem::VersionTooOld: return QStringLiteral("%1 is older than this program").arg(where);
    case LinkProblem::NameNotFound: return QStringLiteral("there is no computer called %1").arg(host.url.host());
    default: return QStringLiteral("could not reach %1: %2").arg(where, client.problemText());
    }
}

} // namespace

int runInspect(const InspectCommand &command)
{
    FoundHost host;
    try {
        host = findHost(command.url, command.token);
    } catch (const Error &error) {
        printError(error, command.json);
        return ExitNoHost;
    }

    QtEnvironment environment;
    HostAddress address;
    address.url = host.url;
    address.token = host.token;
    address.label = host.name;
    address.readOnly = true;
    InspectorClient client(environment, address, QStringLiteral("terrarium inspect"));

    QEventLoop loop;
    int exitCode = ExitFailed;
    std::shared_ptr<ActorFeed> feed;
    const auto finish = [&](int code) {
        exitCode = code;
        loop.quit();
    };
    const auto step = [&] {
        client.beat();
        if (client.state() == LinkState::Lost || client.state() == LinkState::Refused) {
            printError(Error(QStringLiteral("client"), QStringLiteral("not_connected"), problemText(client, host)),
                       command.json);
            finish(ExitNoHost);
            return;
        }
        if (!client.store().isLoaded())
            return;
        if (command.type.isEmpty()) {
            printList(client.store(), command.json);
            finish(ExitOk);
            return;
        }
        if (!feed) {
            const wire::ActorSummary *actor = client.store().find(command.type, *ActorKey::fromText(command.key));
            if (!actor) {
                printError(
                    Error(QStringLiteral("actor"), QStringLiteral("not_found"),
                          QStringLiteral("there is no actor %1/%2 on %3").arg(command.type, command.key, host.name)),
                    command.json);
                finish(ExitNotFound);
                return;
            }
            feed = client.feed(actor->id);
        }
        if (feed->isLoaded()) {
            printActor(*feed, command.json);
            finish(ExitOk);
        }
    };
    // Queued: a beat must not run inside the client's own signal.
    QObject::connect(&client, &InspectorClient::pending, &loop, step, Qt::QueuedConnection);
    client.open();
    loop.exec();
    feed.reset();
    client.close();
    return exitCode;
}

} // namespace terrarium::app
