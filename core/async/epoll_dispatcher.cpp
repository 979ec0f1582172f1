#include "async/epoll_dispatcher.h"

#ifdef Q_OS_LINUX

#include <QCoreApplication>
#include <QEvent>
#include <QHash>
#include <QSocketNotifier>

#include <spdlog/spdlog.h>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <vector>

namespace terrarium {
namespace {

constexpr int epollBatch = 128;
constexpr std::array<quint32, 3> epollBits{EPOLLIN, EPOLLOUT, EPOLLPRI}; // by QSocketNotifier::Type

qint64 epollNowNs()
{
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

} // namespace

struct EpollDispatcher::Private {
    /// What is watched of one descriptor.
    struct Descriptor {
        std::array<QSocketNotifier *, 3> notifiers{};
        quint32 generation = 0; // tells a reused descriptor number from the one an event was reported for
        quint32 wanted = 0;
        quint32 installed = 0;
        bool isChanged = false;
    };

    struct QtTimer {
        int id = 0;
        qint64 intervalMs = 0;
        Qt::TimerType type = Qt::CoarseTimer;
        QObject *object = nullptr;
        qint64 deadline = 0;
        quint64 order = 0;
        quint64 round = 0; // the last one in which it fired
        bool isActive = false;
    };
    struct ByDeadline {
        bool operator()(const QtTimer *a, const QtTimer *b) const noexcept
        {
            return a->deadline != b->deadline ? a->deadline < b->deadline : a->order < b->order;
        }
    };

    int epoll = -1;
    int event = -1;
    std::vector<Descriptor> descriptors; // by number
    std::vector<int> changed;

    QHash<int, QtTimer *> timers;
    std::set<QtTimer *, ByDeadline> byDeadline;
    quint64 timerOrder = 0;
    quint64 timerRound = 0;

    std::atomic<bool> wakePending = false; // somebody called wakeUp() since the last pass began
    std::atomic<bool> isBlocked = false;   // in epoll_wait, or about to
    std::atomic<bool> isInterrupted = false;
    std::atomic<bool> interruptPending = false; // survives into the next pass, so that an early quit is not lost

    Descriptor &descriptor(int fd)
    {
        if (size_t(fd) >= descriptors.size())
            descriptors.resize(size_t(fd) + 64);
        return descriptors[size_t(fd)];
    }

    void control(int operation, int fd, const Descriptor &entry) const
    {
        epoll_event request{};
        request.events = entry.wanted;
        request.data.u64 = quint64(entry.generation) << 32 | quint32(fd);
        if (epoll_ctl(epoll, operation, fd, &request) != 0 && operation != EPOLL_CTL_DEL)
            spdlog::error("cannot watch descriptor {}: {}", fd, std::strerror(errno));
    }

    void install(int fd)
    {
        Descriptor &entry = descriptor(fd);
        if (entry.wanted == entry.installed)
            return;
        if (entry.wanted == 0) {
            // At once: after this the number may be closed and come back as another socket.
            control(EPOLL_CTL_DEL, fd, entry);
            ++entry.generation;
        } else {
            control(entry.installed == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, entry);
        }
        entry.installed = entry.wanted;
    }

    void installChanged()
    {
        for (const int fd : changed) {
            descriptor(fd).isChanged = false;
            install(fd);
        }
        changed.clear();
    }

    /// Milliseconds until the next timer, rounded up; -1 when there is none.
    int timerTimeout() const
    {
        for (const QtTimer *timer : byDeadline) {
            if (timer->isActive)
                continue;
            const qint64 left = timer->deadline - epollNowNs();
            return left <= 0 ? 0 : int(std::min<qint64>((left + 999'999) / 1'000'000, 24 * 3600 * 1000));
        }
        return -1;
    }

    QtTimer *nextDue(qint64 now) const
    {
        for (QtTimer *timer : byDeadline) {
            if (timer->deadline > now)
                return nullptr;
            if (!timer->isActive && timer->round != timerRound)
                return timer;
        }
        return nullptr;
    }

    int activateTimers()
    {
        if (byDeadline.empty())
            return 0;
        const qint64 now = epollNowNs();
        ++timerRound;
        const quint64 round = timerRound;
        int fired = 0;
        while (timerRound == round) { // a nested event loop has served the rest
            QtTimer *timer = nextDue(now);
            if (timer == nullptr)
                break;
            byDeadline.erase(timer);
            timer->deadline = std::max(timer->deadline + timer->intervalMs * 1'000'000, now);
            timer->order = ++timerOrder;
            timer->round = round;
            timer->isActive = true;
            byDeadline.insert(timer);
            const int id = timer->id;
            QTimerEvent event(id);
            QCoreApplication::sendEvent(timer->object, &event);
            ++fired;
            if (QtTimer *still = timers.value(id))
                still->isActive = false;
        }
        return fired;
    }

    int activateSockets(const epoll_event *events, int count)
    {
        int handled = 0;
        for (int i = 0; i < count; ++i) {
            const int fd = int(quint32(events[i].data.u64));
            const quint32 generation = quint32(events[i].data.u64 >> 32);
            if (fd == event) {
                quint64 ignored = 0;
                [[maybe_unused]] const auto size = ::read(event, &ignored, sizeof ignored);
                ++handled;
                continue;
            }
            for (size_t type = 0; type < epollBits.size(); ++type) {
                // Looked up anew each time: a handler may close or replace the descriptor.
                const Descriptor &entry = descriptor(fd);
                QSocketNotifier *notifier = entry.notifiers[type];
                if (entry.generation != generation)
                    break;
                if (notifier == nullptr || (events[i].events & (epollBits[type] | EPOLLHUP | EPOLLERR)) == 0)
                    continue;
                QEvent event(QEvent::SockAct);
                QCoreApplication::sendEvent(notifier, &event);
                ++handled;
            }
        }
        return handled;
    }
};

EpollDispatcher::EpollDispatcher(QObject *parent) : QAbstractEventDispatcher(parent), d(std::make_unique<Private>())
{
    d->epoll = epoll_create1(EPOLL_CLOEXEC);
    d->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (d->epoll < 0 || d->event < 0)
        qFatal("cannot create an event dispatcher: %s", std::strerror(errno));
    epoll_event request{};
    request.events = EPOLLIN;
    request.data.u64 = quint32(d->event);
    epoll_ctl(d->epoll, EPOLL_CTL_ADD, d->event, &request);
}

EpollDispatcher::~EpollDispatcher()
{
    qDeleteAll(d->timers);
    ::close(d->event);
    ::close(d->epoll);
}

bool EpollDispatcher::processEvents(QEventLoop::ProcessEventsFlags flags)
{
    d->isInterrupted = false;
    Q_EMIT awake();

    // What is posted from here on keeps this pass from blocking.
    int handled = d->wakePending.exchange(false) ? 1 : 0;
    QCoreApplication::sendPostedEvents();

    const bool mayWait = flags.testFlag(QEventLoop::WaitForMoreEvents) && !d->isInterrupted;
    if (mayWait && !d->wakePending)
        Q_EMIT aboutToBlock();
    if (d->isInterrupted)
        return false;

    d->installChanged();
    const bool withTimers = !flags.testFlag(QEventLoop::X11ExcludeTimers);
    const bool withSockets = !flags.testFlag(QEventLoop::ExcludeSocketNotifiers);
    int timeout = mayWait ? (withTimers ? d->timerTimeout() : -1) : 0;

    // First announce, then look: whoever sets wakePending later sees isBlocked and writes to the event descriptor.
    d->isBlocked = true;
    if (d->wakePending || d->interruptPending.exchange(false))
        timeout = 0;
    std::array<epoll_event, epollBatch> events; // filled by the kernel
    int count = 0;
    if (withSockets) {
        count = epoll_wait(d->epoll, events.data(), epollBatch, timeout);
    } else {
        pollfd only{d->event, POLLIN, 0};
        if (poll(&only, 1, timeout) > 0) {
            events[0].events = EPOLLIN;
            events[0].data.u64 = quint32(d->event);
            count = 1;
        }
    }
    d->isBlocked = false;

    if (count > 0)
        handled += d->activateSockets(events.data(), count);
    if (withTimers)
        handled += d->activateTimers();
    return handled > 0;
}

void EpollDispatcher::registerSocketNotifier(QSocketNotifier *notifier)
{
    const int fd = int(notifier->socket());
    Private::Descriptor &entry = d->descriptor(fd);
    const auto type = size_t(notifier->type());
    if (entry.notifiers[type] != nullptr && entry.notifiers[type] != notifier)
        spdlog::warn("two notifiers of the same kind on descriptor {}", fd);
    entry.notifiers[type] = notifier;
    entry.wanted |= epollBits[type];
    if (entry.installed == 0) {
        d->install(fd);
    } else if (!entry.isChanged) {
        entry.isChanged = true;
        d->changed.push_back(fd);
    }
}

void EpollDispatcher::unregisterSocketNotifier(QSocketNotifier *notifier)
{
    const int fd = int(notifier->socket());
    if (fd < 0)
        return;
    Private::Descriptor &entry = d->descriptor(fd);
    const auto type = size_t(notifier->type());
    if (entry.notifiers[type] != notifier)
        return;
    entry.notifiers[type] = nullptr;
    entry.wanted &= ~epollBits[type];
    if (entry.wanted == 0) {
        d->install(fd);
    } else if (!entry.isChanged) {
        entry.isChanged = true;
        d->changed.push_back(fd);
    }
}

void EpollDispatcher::registerTimer(int timerId, qint64 interval, Qt::TimerType timerType, QObject *object)
{
    auto *timer = new Private::QtTimer;
    timer->id = timerId;
    timer->intervalMs = std::max<qint64>(interval, 0);
    timer->type = timerType;
    timer->object = object;
    timer->deadline = epollNowNs() + timer->intervalMs * 1'000'000;
    timer->order = ++d->timerOrder;
    timer->round = d->timerRound; // one started by another's handler waits for the next round
    d->timers.insert(timerId, timer);
    d->byDeadline.insert(timer);
}

bool EpollDispatcher::unregisterTimer(int timerId)
{
    Private::QtTimer *timer = d->timers.take(timerId);
    if (timer == nullptr)
        return false;
    d->byDeadline.erase(timer);
    delete timer;
    return true;
}

bool EpollDispatcher::unregisterTimers(QObject *object)
{
    QList<int> ids;
    for (const Private::QtTimer *timer : std::as_const(d->timers)) {
        if (timer->object == object)
            ids.append(timer->id);
    }
    for (const int id : std::as_const(ids))
        unregisterTimer(id);
    return !ids.isEmpty();
}

QList<QAbstractEventDispatcher::TimerInfo> EpollDispatcher::registeredTimers(QObject *object) const
{
    QList<TimerInfo> result;
    for (const Private::QtTimer *timer : std::as_const(d->timers)) {
        if (timer->object == object)
            result.append(TimerInfo(timer->id, int(timer->intervalMs), timer->type));
    }
    return result;
}

int EpollDispatcher::remainingTime(int timerId)
{
    const Private::QtTimer *timer = d->timers.value(timerId);
    if (timer == nullptr)
        return -1;
    return int(std::max<qint64>(0, (timer->deadline - epollNowNs() + 999'999) / 1'000'000));
}

void EpollDispatcher::wakeUp()
{
    if (d->wakePending.exchange(true))
        return;
    if (d->isBlocked) {
        const quint64 one = 1;
        [[maybe_unused]] const auto size = ::write(d->event, &one, sizeof one);
    }
}

void EpollDispatcher::interrupt()
{
    d->isInterrupted = true;
    d->interruptPending = true;
    wakeUp();
}

} // namespace terrarium

#endif

namespace terrarium {

std::unique_ptr<QAbstractEventDispatcher> makeHostDispatcher()
{
#ifdef Q_OS_LINUX
    return std::make_unique<EpollDispatcher>();
#else
    return nullptr;
#endif
}

} // namespace terrarium
