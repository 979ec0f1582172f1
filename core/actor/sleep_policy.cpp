#include "actor/sleep_policy.h"

namespace terrarium {

CanSleep canSleep(const SleepFacts &facts) noexcept
{
    if (!facts.started)
        return CanSleep::NotReady;
    if (facts.noSleep)
        return CanSleep::NoSleep;
    if (facts.httpRequests > 0)
        return CanSleep::ActiveHttpRequests;
    if (facts.keepAwake > 0)
        return CanSleep::ActiveKeepAwake;
    if (facts.internalKeepAwake > 0 || facts.actions > 0 || facts.scheduledHandlers > 0)
        return CanSleep::ActiveInternalKeepAwake;
    if (facts.runHandler && !facts.runHandlerParked)
        return CanSleep::ActiveRunHandler;
    if (facts.disconnectCallbacks > 0)
        return CanSleep::ActiveDisconnectCallbacks;
    if (facts.connections > 0)
        return CanSleep::ActiveConnections;
    if (facts.socketCallbacks > 0)
        return CanSleep::ActiveSocketCallbacks;
    return CanSleep::Yes;
}

QString canSleepText(CanSleep answer)
{
    switch (answer) {
    case CanSleep::Yes: return QStringLiteral("nothing keeps it awake");
    case CanSleep::NotReady: return QStringLiteral("not started");
    case CanSleep::NoSleep: return QStringLiteral("its type never sleeps");
    case CanSleep::ActiveHttpRequests: return QStringLiteral("active HTTP requests");
    case CanSleep::ActiveKeepAwake: return QStringLiteral("kept awake by its code");
    case CanSleep::ActiveInternalKeepAwake: return QStringLiteral("active handlers");
    case CanSleep::ActiveRunHandler: return QStringLiteral("its run function is working");
    case CanSleep::ActiveDisconnectCallbacks: return QStringLiteral("active disconnect hooks");
    case CanSleep::ActiveConnections: return QStringLiteral("open connections");
    case CanSleep::ActiveSocketCallbacks: return QStringLiteral("active socket callbacks");
    }
    return {};
}

} // namespace terrarium
