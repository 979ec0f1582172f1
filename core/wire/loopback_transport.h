#pragma once
// Two ends of one link inside one process: what goes in here comes out there, as the same bytes.
//
// Each end lives in its own thread and hands over frames in turns of that thread: through an Executor when it was
// given one (simulated tests), else through Qt's event queue. An end that is not being served lets frames pile up on
// the sender's side, where pendingBytes() shows them; beyond `maxPendingBytes` the link is closed with 1011. An end to
// whose received() nobody has connected yet keeps its frames, so that it can be handed to another thread first.

#include "async/executor.h"
#include "wire/transport.h"

#include <memory>
#include <utility>

namespace terrarium {

class LoopbackTransport final : public Transport {
    Q_OBJECT
public:
    /// A link nobody reads for longer than this many bytes is cut.
    static constexpr qint64 maxPendingBytes = 256 * 1024 * 1024;
    /// drained() is emitted when pendingBytes() falls to this or below after having been above it, and at zero.
    static constexpr qint64 lowMark = 64 * 1024;

    using Pair = std::pair<std::unique_ptr<LoopbackTransport>, std::unique_ptr<LoopbackTransport>>;
    /// Both ends, made in the calling thread; move one with moveToThread() before its thread uses it. Both emit
    /// opened() in their next turn. An executor must belong to the thread of its end and outlive it.
    static Pair pair(Executor *first = nullptr, Executor *second = nullptr);

    ~LoopbackTransport() override; ///< the other end closes with code 0

    void send(const QByteArray &frame) override;
    qint64 pendingBytes() const override;
    void close(quint16 code, const QString &reason) override;
    bool isOpen() const override;

    /// A peer that has stopped reading: nothing is received while true. For tests.
    void setPaused(bool paused);

protected:
    void connectNotify(const QMetaMethod &signal) override;

private:
    struct Link;
    LoopbackTransport(std::shared_ptr<Link> link, int side, Executor *executor);
    void takeTurn();

    std::shared_ptr<Link> m_link;
    const int m_side;
    bool m_saidOpened = false;
    bool m_saidClosed = false;
    bool m_isPaused = false;
    bool m_hasReceiver = false;
    bool m_wasAboveLowMark = false;
};

} // namespace terrarium
