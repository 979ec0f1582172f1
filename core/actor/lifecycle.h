#pragma once
// The states of one live actor and the moves between them.
//
//   Loading -> Starting -> Started -> SleepGrace  -> SleepFinalize -> Terminated
//                             |-----> DestroyGrace -> Destroying ---> Terminated
//
// Starting is Started while the author's start hooks run: work for clients waits, everything else is as in Started.
// A failed start goes from Loading or Starting to Terminated. There is no way back from grace, and a sleep under
// way is not turned into a destroy: the host remembers that it wanted one.

#include <QString>

namespace terrarium {

enum class LifecycleState : quint8 {
    Loading,
    Starting,
    Started,
    SleepGrace,
    SleepFinalize,
    DestroyGrace,
    Destroying,
    Terminated,
};

enum class StopReason : quint8 { Sleep, Destroy };

/// "loading", "starting", "started", "sleepGrace", ...
QString lifecycleName(LifecycleState state);
/// "sleep", "destroy".
QString stopReasonName(StopReason reason);

/// The transition table: true when an actor may go from `from` to `to`.
bool mayTransition(LifecycleState from, LifecycleState to) noexcept;

/// What an actor does with a command in a state.
enum class StartAnswer : quint8 { Run, AlreadyStarted, Stopping };
enum class StopAnswer : quint8 { NotReady, Begin, Acknowledge };
enum class DispatchAnswer : quint8 { Accept, Stopping, Destroying, NotReady };

StartAnswer answerStart(LifecycleState state) noexcept;
StopAnswer answerStop(LifecycleState state) noexcept;
DispatchAnswer answerDispatch(LifecycleState state, bool destroyRequested) noexcept;
/// True in Starting, Started and SleepGrace: saves run and the actor may stop itself.
bool isStartedState(LifecycleState state) noexcept;
bool isGraceState(LifecycleState state) noexcept;

} // namespace terrarium
