#pragma once
// Where a link's worker leaves what the window takes at its next beat. The only thing both threads touch.
//
// Bounded by construction: updates of one actor merge, summaries of one actor replace each other.

#include "client/feed_update.h"
#include "client/inspector_client.h"
#include "wire/inspector_messages.h"

#include <QHash>

#include <functional>
#include <mutex>
#include <variant>
#include <vector>

namespace terrarium {

/// A link as the worker sees it.
struct LinkStatus {
    LinkState state = LinkState::Connecting;
    LinkProblem problem = LinkProblem::None;
    QString problemText;
    int attempt = 0;
    qint64 retryAt = 0; ///< wall ms of this computer; 0: no try is planned
    qint64 liveAt = 0;  ///< wall ms of this computer when it was live last; 0: never
    qint64 clockOffsetMs = 0;
    int epoch = 0;
    wire::Welcome welcome;

    friend bool operator==(const LinkStatus &, const LinkStatus &) = default;
};

/// The link was lost before the answer came.
struct AnswerLost {};
/// The link was not live when the request reached it: never sent.
struct NeverSent {};
using LinkAnswer = std::variant<wire::ReplyBody, AnswerLost, NeverSent>;

struct LinkBatch {
    std::optional<LinkStatus> status;
    QList<wire::ActorsChanged> actors;
    std::vector<std::pair<QString, ActorFeed::Update>> feeds; ///< in order of first mention
    std::vector<std::pair<quint32, LinkAnswer>> answers;
    std::vector<std::function<void()>> results; ///< run on the window's thread
    qint64 newestAt = 0;                        ///< host time up to which this is complete; 0: no records came

    bool isEmpty() const
    {
        return !status && actors.isEmpty() && newestAt == 0 && feeds.empty() && answers.empty() && results.empty();
    }
};

class LinkInbox final {
public:
    /// `wake` is called, outside the lock and on the putting thread, when the inbox stops being empty.
    explicit LinkInbox(std::function<void()> wake) : m_wake(std::move(wake)) {}

    void putStatus(const LinkStatus &status);
    void putActors(const wire::ActorsChanged &change);
    void putFeed(const QString &actorId, ActorFeed::Update update, qint64 newestAt);
    /// Everything up to this host time has come.
    void putConfirmed(qint64 newestAt);
    void putAnswer(quint32 id, LinkAnswer answer);
    void putResult(std::function<void()> result);

    /// Everything that waits.
    LinkBatch take();
    bool isEmpty() const;

private:
    template <typename Change>
    void put(Change change);

    mutable std::mutex m_mutex;
    LinkBatch m_batch;
    /// Place of each actor in the merged list of summaries, so that merging stays cheap.
    QHash<QString, qsizetype> m_summaryPlaces;
    QHash<QString, size_t> m_feedPlaces;
    const std::function<void()> m_wake;
};

} // namespace terrarium
