// The duration of the runs of a sweep, from a few steps of some of them.
#pragma once

#include "experiments/harness/sweep/preparation.hpp"

namespace shoal {

/// Runs of one kind have the same parts; their steps take times in proportion to their cells or nearly so.
std::string kind_of(const RunConfiguration& configuration);

/// s, for each run; 0 if it need not be computed, and for all runs if they are short or no step could be timed. Of each kind, the runs
/// on the coarsest and the finest mesh are set up again and take at most `max_share` of their steps. Failures are ignored.
std::vector<double> predicted_seconds(const Catalog& catalog, const std::vector<Work>& works,
                                      Surfaces& surfaces, int jobs, double max_share);

}  // namespace shoal
