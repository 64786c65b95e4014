// The command line of `shoal-app`.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

namespace shoal {

/// Opens the window or writes the clip that the arguments request. Returns the exit code: 0 done; 1 the run became unstable, and
/// the clip ends there; 2 a mistake of the user; 3 a failure of the machine; 128 + signal if stopped. Errors are one sentence on
/// stderr.
int run_application(Catalog catalog, int argc, const char* const* argv);

}  // namespace shoal
