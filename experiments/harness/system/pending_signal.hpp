// Signals that arrived before StopSignals: a program that embeds Shoal may have taken them to handle them later.
#pragma once

#include <functional>

namespace shoal {

/// Called when a StopSignals begins: returns and forgets a stopping signal received before, or 0.
using PendingSignal = std::function<int()>;
/// Replaces the function, which may be empty, and returns the previous one.
PendingSignal ask_for_signals(PendingSignal pending);

}  // namespace shoal
