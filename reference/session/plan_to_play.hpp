// An experiment with the defaults of interactive use.
#pragma once

#include "experiments/harness/plan/experiment.hpp"

namespace shoal {

/// The first run of an experiment with the defaults of the window. If `advection` is not given, it is semi-lagrangian, as in Angst
/// 2007, where the scheme supports it: without advection, water that is hit by bodies becomes unstable within half a minute. The run
/// accepts inputs, and the inertia of a dragged surface is smoothed and limited as in Angst 2007.
PlannedRun plan_to_play(const Catalog& catalog, const Experiment& experiment);

}  // namespace shoal
