#include "actor/lifecycle.h"

namespace terrarium {

QString lifecycleName(LifecycleState state)
{
    switch (state) {
    case LifecycleState::Loading: return QStringLiteral("loading");
    case LifecycleState::Starting: return QStringLiteral("starting");
    case LifecycleState::Started: return QStringLiteral("started");
    case LifecycleState::SleepGrace: return QStringLiteral("sleepGrace");
    case LifecycleState::SleepFinalize: return QStringLiteral("sleepFinalize");
    case LifecycleState::DestroyGrace: return QStringLiteral("destroyGrace");
    case LifecycleState::Destroying: return QStringLiteral("destroying");
    case LifecycleState::Terminated: return QStringLiteral("terminated");
    }
    return {};
}

QString stopReasonName(StopReason reason)
{
    return reason == StopReason::Sleep ? QStringLiteral("sleep") : QStringLiteral("destroy");
}

bool mayTransition(LifecycleState from, LifecycleState to) noexcept
{
    using S = LifecycleState;
    switch (from) {
    case S::Loading: return to == S::Starting || to == S::Terminated;
    case S::Starting: return to == S::Started || to == S::Terminated;
    case S::Started: return to == S::SleepGrace || to == S::DestroyGrace || to == S::Terminated;
    case S::SleepGrace: return to == S::SleepFinalize;
    case S::DestroyGrace: return to == S::Destroying;
    case S::SleepFinalize:
    case S::Destroying: return to == S::Terminated;
    case S::Terminated: return false;
    }
    return false;
}

StartAnswer answerStart(LifecycleState state) noexcept
{
    switch (state) {
    case LifecycleState::Loading: return StartAnswer::Run;
    case LifecycleState::Starting:
    case LifecycleState::Started: return StartAnswer::AlreadyStarted;
    default: return StartAnswer::Stopping;
    }
}

StopAnswer answerStop(LifecycleState state) noexcept
{
    switch (state) {
    case LifecycleState::Loading: return StopAnswer::NotReady;
    case LifecycleState::Starting:
    case LifecycleState::Started: return StopAnswer::Begin;
    default: return StopAnswer::Acknowledge;
    }
}

DispatchAnswer answerDispatch(LifecycleState state, bool destroyRequested) noexcept
{
    if (destroyRequested)
        return DispatchAnswer::Destroying;
    switch (state) {
    case LifecycleState::Loading:
    case LifecycleState::Starting: return DispatchAnswer::NotReady;
    case LifecycleState::Started:
    case LifecycleState::SleepGrace: return DispatchAnswer::Accept;
    case LifecycleState::SleepFinalize:
    case LifecycleState::DestroyGrace: return DispatchAnswer::Stopping;
    case LifecycleState::Destroying:
    case LifecycleState::Terminated: return DispatchAnswer::Destroying;
    }
    return DispatchAnswer::Destroying;
}

bool isStartedState(LifecycleState state) noexcept
{
    return state == LifecycleState::Starting || state == LifecycleState::Started || state == LifecycleState::SleepGrace;
}

bool isGraceState(LifecycleState state) noexcept
{
    return state == LifecycleState::SleepGrace || state == LifecycleState::DestroyGrace;
}

} // namespace terrarium
