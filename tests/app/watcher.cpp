// An inspector without a window: attaches to a host, watches one actor and prints one JSON line per beat that
// changed something. The test stops it with SIGSTOP to play a window that hangs.
//
//   watcher URL TOKEN TYPE KEY

#include "async/qt_environment.h"
#include "client/inspector_client.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include <cstdio>

using namespace terrarium;

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 5)
        return 2;

    QtEnvironment environment;
    HostAddress address;
    address.url = QUrl(arguments.at(1));
    address.token = arguments.at(2);
    InspectorClient client(environment, address, QStringLiteral("watcher"));
    std::shared_ptr<ActorFeed> feed;
    quint64 outOfOrder = 0;
    quint64 withoutCause = 0;
    quint64 seen = 0;

    const auto report = [&] {
        const QJsonObject line{{"link", linkStateName(client.state())},
                               {"current", feed && feed->isCurrent()},
                               {"sequence", feed ? qint64(feed->newestSequence()) : 0},
                               {"count", feed ? feed->state()["count"].toInt(-1) : -1},
                               {"gaps", feed ? qint64(feed->gaps().size()) : 0},
                               {"lost", feed && !feed->gaps().isEmpty() ? qint64(feed->gaps().last().count) : 0},
                               {"outOfOrder", qint64(outOfOrder)},
                               {"withoutCause", qint64(withoutCause)}};
        const QByteArray text = QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
        std::fwrite(text.constData(), 1, size_t(text.size()), stdout);
        std::fflush(stdout);
    };
    const auto look = [&] {
        const auto &deltas = feed->deltas();
        for (const FeedDelta &delta : deltas) {
            if (delta.delta.sequence <= seen)
                continue;
            // In order, and each on the one before it; a hole must be a gap.
            const bool follows = delta.delta.sequence == seen + 1 || seen == 0;
            bool afterGap = false;
            for (const FeedGap &gap : feed->gaps())
                afterGap = afterGap || gap.resyncSequence + 1 == delta.delta.sequence;
            if (!follows && !afterGap)
                ++outOfOrder;
            if (delta.delta.causes.isEmpty() || delta.delta.causes.first().kind.isEmpty()
                || delta.delta.causes.first().kind == u"unknown")
                ++withoutCause;
            seen = delta.delta.sequence;
        }
    };
    QTimer beat; // the window's beat; a program, not a test
    QObject::connect(&beat, &QTimer::timeout, [&] {
        client.beat();
        if (!feed && client.store().isLoaded()) {
            if (const auto *actor = client.store().find(arguments.at(3), ActorKey(arguments.at(4))))
                feed = client.feed(actor->id);
        }
        if (feed && feed->isLoaded())
            look();
        report();
    });
    beat.start(50);
    client.open();
    return QCoreApplication::exec();
}
