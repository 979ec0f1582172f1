#pragma once
// What an asynchronous handler returns.
//
// Task<T> is QCoro::Task<T>, so a handler can await anything QCoro can. A task starts at once; dropping
// it does not stop it. When an actor stops, each wait of ours ends by throwing ActorStopped: destructors
// run and the handler unwinds. Do not catch ActorStopped; catch `terrarium::Error` or `std::exception`.
//
// GCC 12 miscompiles some forms inside a co_await expression. Do not write: co_await inside `?:`; a
// capturing lambda, a braced aggregate or a braced list as an argument of an awaited call; co_await inside
// braces or `new`. Name the object first.

#include <qcoro/qcorotask.h>

namespace terrarium {

template <typename T = void>
using Task = QCoro::Task<T>;

/// Thrown out of every wait of an actor that is being cut off. Deliberately no std::exception.
struct ActorStopped final {};

} // namespace terrarium
