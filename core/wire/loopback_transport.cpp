#include "wire/loopback_transport.h"

#include <QMetaMethod>
#include <QPointer>

#include <deque>
#include <mutex>

namespace terrarium {

namespace {
/// Frames handed over in one turn before other work of the thread gets its chance.
constexpr int loopbackFramesPerTurn = 256;
} // namespace

struct LoopbackTransport::Link {
    struct Side {
        LoopbackTransport *end = nullptr;
        Executor *executor = nullptr;
        bool isWoken = false; ///< a turn is on its way
        std::deque<QByteArray> incoming;
        qint64 incomingBytes = 0;
        bool isTakenFrom = false; ///< the other side took something of ours since we looked
    };

    std::mutex mutex;
    Side sides[2];
    bool isClosed = false;
    quint16 closeCode = 0;
    QString closeReason;
    int closedBy = -1;

    /// Asks for a turn of `side`. With the lock held.
    static void wake(const std::shared_ptr<Link> &link, int side)
    {
        Side &s = link->sides[side];
        if (!s.end || s.isWoken)
            return;
        s.isWoken = true;
        if (s.executor) {
            s.executor->postFromAnyThread([link, side] {
                LoopbackTransport *end = nullptr;
                {
                    const std::lock_guard lock(link->mutex);
                    end = link->sides[side].end;
                }
                if (end)
                    end->takeTurn();
            });
        } else {
            // The end deletes itself from the link under the lock, so it is alive here; Qt drops the call when the
            // object goes before its turn.
            QMetaObject::invokeMethod(
                s.end, [end = s.end] { end->takeTurn(); }, Qt::QueuedConnection);
        }
    }
};

LoopbackTransport::Pair LoopbackTransport::pair(Executor *first, Executor *second)
{
    auto link = std::make_shared<Link>();
    Pair ends(std::unique_ptr<LoopbackTransport>(new LoopbackTransport(link, 0, first)),
              std::unique_ptr<LoopbackTransport>(new LoopbackTransport(link, 1, second)));
    const std::lock_guard lock(link->mutex);
    Link::wake(link, 0);
    Link::wake(link, 1);
    return ends;
}

LoopbackTransport::LoopbackTransport(std::shared_ptr<Link> link, int side, Executor *executor)
    : m_link(std::move(link)),
      m_side(side)
{
    m_link->sides[side].end = this;
    m_link->sides[side].executor = executor;
}

LoopbackTransport::~LoopbackTransport()
{
    const std::lock_guard lock(m_link->mutex);
    m_link->sides[m_side].end = nullptr;
    m_link->sides[m_side].incoming.clear();
    if (!m_link->isClosed) {
        m_link->isClosed = true;
        m_link->closedBy = m_side;
        m_link->closeReason = QStringLiteral("the other end went away");
    }
    Link::wake(m_link, 1 - m_side);
}

void LoopbackTransport::send(const QByteArray &frame)
{
    const std::lock_guard lock(m_link->mutex);
    if (m_link->isClosed)
        return;
    Link::Side &peer = m_link->sides[1 - m_side];
    peer.incoming.push_back(frame);
    peer.incomingBytes += frame.size();
    if (peer.incomingBytes > lowMark)
        m_wasAboveLowMark = true;
    if (peer.incomingBytes > maxPendingBytes) {
        m_link->isClosed = true;
        m_link->closeCode = 1011;
        m_link->closeReason = QStringLiteral("the other end does not read: %1 bytes wait").arg(peer.incomingBytes);
        peer.incoming.clear();
        peer.incomingBytes = 0;
        Link::wake(m_link, m_side);
    }
    Link::wake(m_link, 1 - m_side);
}

qint64 LoopbackTransport::pendingBytes() const
{
    const std::lock_guard lock(m_link->mutex);
    return m_link->sides[1 - m_side].incomingBytes;
}

void LoopbackTransport::close(quint16 code, const QString &reason)
{
    const std::lock_guard lock(m_link->mutex);
    if (m_link->isClosed)
        return;
    m_link->isClosed = true;
    m_link->closedBy = m_side;
    m_link->closeCode = code;
    m_link->closeReason = reason;
    Link::wake(m_link, m_side);
    Link::wake(m_link, 1 - m_side);
}

bool LoopbackTransport::isOpen() const
{
    const std::lock_guard lock(m_link->mutex);
    return m_saidOpened && !m_link->isClosed;
}

void LoopbackTransport::setPaused(bool paused)
{
    m_isPaused = paused;
    const std::lock_guard lock(m_link->mutex);
    if (!paused)
        Link::wake(m_link, m_side);
}

void LoopbackTransport::connectNotify(const QMetaMethod &signal)
{
    if (m_hasReceiver || signal != QMetaMethod::fromSignal(&Transport::received))
        return;
    m_hasReceiver = true;
    const std::lock_guard lock(m_link->mutex);
    Link::wake(m_link, m_side);
}

void LoopbackTransport::takeTurn()
{
    const QPointer<LoopbackTransport> alive(this);
    const std::shared_ptr<Link> link = m_link;
    const int side = m_side;
    bool isDrained = false;
    {
        const std::lock_guard lock(link->mutex);
        link->sides[side].isWoken = false;
        if (link->sides[side].isTakenFrom) {
            link->sides[side].isTakenFrom = false;
            const qint64 pending = link->sides[1 - side].incomingBytes;
            isDrained = pending == 0 || (m_wasAboveLowMark && pending <= lowMark);
            if (pending <= lowMark)
                m_wasAboveLowMark = false;
        }
    }
    if (!m_saidOpened && !m_saidClosed) {
        m_saidOpened = true;
        Q_EMIT opened();
        if (!alive)
            return;
    }
    if (isDrained) {
        Q_EMIT drained();
        if (!alive)
            return;
    }
    for (int i = 0; !m_isPaused && m_hasReceiver; ++i) {
        QByteArray frame;
        {
            const std::lock_guard lock(link->mutex);
            Link::Side &mine = link->sides[side];
            if (mine.incoming.empty() || (link->isClosed && link->closedBy == side))
                break;
            if (i == loopbackFramesPerTurn) {
                Link::wake(link, side);
                return;
            }
            frame = std::move(mine.incoming.front());
            mine.incoming.pop_front();
            const qint64 before = mine.incomingBytes;
            mine.incomingBytes -= frame.size();
            if (mine.incomingBytes == 0 || (before > lowMark && mine.incomingBytes <= lowMark)) {
                link->sides[1 - side].isTakenFrom = true;
                Link::wake(link, 1 - side);
            }
        }
        Q_EMIT received(frame);
        if (!alive)
            return;
    }
    quint16 code = 0;
    QString reason;
    {
        const std::lock_guard lock(link->mutex);
        // What was sent before the close arrives before it, also at a peer that is slow.
        if (!link->isClosed || m_saidClosed
            || ((m_isPaused || !m_hasReceiver) && !link->sides[side].incoming.empty() && link->closedBy != side))
            return;
        code = link->closeCode;
        reason = link->closeReason;
        m_saidClosed = true;
    }
    Q_EMIT closed(code, reason);
}

} // namespace terrarium
