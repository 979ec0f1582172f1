#pragma once
// An actor's life as spans and points, made from a feed's records: what the lanes draw.
//
// Times are host wall ms. Spans are in order of begin; an open span has end 0.

#include "client/actor_feed.h"

namespace terrarium::ui {

struct StatusSpan {
    wire::ActorStatus status = wire::ActorStatus::unknown;
    qint64 begin = 0;
    qint64 end = 0;
    quint32 generation = 0;
};
struct AwakeSpan {
    QString id;
    QString kind;
    QString label;
    qint64 begin = 0;
    qint64 end = 0;
};
struct CallTick {
    qint64 at = 0;
    bool ok = true;
};
struct CountStep {
    qint64 at = 0;
    int count = 0;
};
struct AlarmMark {
    qint64 at = 0;
    bool fired = true; ///< false: planned
    QString name;
};
struct GenerationMark {
    qint64 at = 0;
    quint32 generation = 0;
};

class LifecycleData final {
public:
    void clear();
    /// Reads records from index `from` on.
    void add(const std::vector<FeedRecord> &records, size_t from);
    /// Closes what cannot be known from records: the present status and its time.
    void setNow(const wire::ActorSummary &summary, bool complete);

    QList<StatusSpan> spans;
    QList<AwakeSpan> awake;
    QList<CallTick> calls;
    QList<CountStep> connections;
    QList<CountStep> queue;
    QList<AlarmMark> alarms;
    QList<GenerationMark> generations;

private:
    QHash<QString, int> m_open; ///< span id -> index in awake
};

} // namespace terrarium::ui
