// The command line of `shoal-app`.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

namespace shoal {

/// Makes the clip that the arguments ask for. Returns the exit code: 0 done; 1 the run became unstable, and the clip ends there;
/// 2 the user's mistake, 3 the machine's; 128 + signal when it was stopped. Errors are one sentence on stderr.
int run_application(Catalog catalog, int argc, const char* const* argv);

}  // namespace shoal
