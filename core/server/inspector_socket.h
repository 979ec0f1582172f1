#pragma once
// One inspector's link to the host: Terrarium's own protocol over any Transport.
//
// Pushes leave in the order things happened. A link that cannot keep up costs the host a bounded amount of memory:
// above a high mark of bytes not taken, records are counted instead of sent, and once the link has drained each
// actor's feed starts again with one Dropped notice and a fresh snapshot. Requests wait their turn meanwhile. Who
// takes nothing for minutes is cut off.
//
// Watching wakes, delays and keeps awake nothing.

#include "host/host_core.h"
#include "wire/transport.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <deque>
#include <memory>

namespace terrarium {

struct InspectorOptions {
    QString token;                 ///< asked for in the Hello
    bool isTrusted = false;        ///< in process: no token needed
    bool readOnly = false;         ///< whatever the Hello says
    qint64 highMark = 1024 * 1024; ///< bytes not taken from which records are dropped
    int waitingRequests = 1000;    ///< more end the link
    Duration helloWithin = std::chrono::seconds(10);
    Duration cutAfter = std::chrono::seconds(120); ///< congested without any progress
};

class InspectorSocket final : public QObject, private HostWatcher {
    Q_OBJECT
public:
    InspectorSocket(HostCore &host, std::unique_ptr<Transport> transport, InspectorOptions options);
    ~InspectorSocket() override;

    /// Says goodbye; the link stays open until close().
    void sayGoodbye(const QString &reason);
    void close(quint16 code, const QString &reason);

    /// True between a good Hello and the end.
    bool isAccepted() const { return m_isAccepted; }

Q_SIGNALS:
    /// The link is closed: delete this object later.
    void gone();

private:
    struct Feed {
        quint64 sentPosition = 0; ///< of the last record that was sent or is in a sent snapshot
        bool isDropping = false;
        quint64 droppedDeltas = 0;
        quint64 firstPosition = 0;
        quint64 lastPosition = 0;
        qint64 from = 0;
        qint64 to = 0;
    };

    /// A list on its way, page by page: all lines, or those that went stale.
    struct ListPages {
        HostCore::SummaryCursor cursor;
        bool isFull = false;  ///< the next page is the first of all lines
        bool isPicky = false; ///< only `wanted`
        QSet<QString> wanted; ///< those not found by the last page are gone
    };

    void actorsChanged(const QList<wire::ActorSummary> &upserts, const QStringList &removed) override;
    void recordsAppended(const QString &actorId, const QList<wire::Record> &records) override;
    void awakeChanged(const QString &actorId, const QList<wire::Blocker> &blockers,
                      const wire::SleepForecast &forecast) override;

    void received(const QByteArray &bytes);
    void pump();
    void drained();
    void recover();
    void sendListPage();
    void watch();
    bool isCongested();
    void checkProgress();

    void handle(const wire::RequestFrame &frame);
    void hello(quint32 id, const wire::Hello &hello);
    void subscribe(quint32 id, const wire::Subscribe &request);
    void callAction(quint32 id, const wire::CallAction &request);
    void cancelCall(quint32 id, const wire::CancelCall &request);
    void createActor(quint32 id, const wire::CreateActor &request);
    /// For requests that end with Done or an error.
    DoneReply doneReply(quint32 id, const QString &actor);

    void reply(quint32 id, wire::ReplyBody body);
    void fail(quint32 id, const Error &error, const std::optional<QString> &actor = {});
    /// False when it holds a value that no frame can hold.
    bool push(wire::Push push);
    Cause cause() const;

    HostCore &m_host;
    std::unique_ptr<Transport> m_transport;
    const InspectorOptions m_options;
    bool m_isAccepted = false;
    bool m_isOver = false;
    bool m_isReadOnly = false;
    bool m_isWatchingList = false;
    bool m_isWatcher = false;
    bool m_isPumping = false;
    QString m_name;
    std::deque<wire::RequestFrame> m_requests;
    QHash<QString, Feed> m_feeds;
    QSet<quint32> m_calls;       ///< CallAction requests without an answer
    QSet<QString> m_staleActors; ///< list lines that changed while the link was congested
    std::unique_ptr<ListPages> m_pages;
    Timer m_pageTimer;
    Timer m_helloTimer;
    Timer m_cutTimer;
    qint64 m_pendingWhenChecked = 0;
};

} // namespace terrarium
