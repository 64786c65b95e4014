// The program's commands.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

namespace shoal {

/// Carries out the command of the arguments with the entries of the catalogue. Returns the exit code: 0 done,
/// 1 a single run did not finish, 2 the user's mistake, 3 the machine's; 128 + signal when it was stopped.
/// Errors are one sentence on stderr.
int run_command_line(Catalog catalog, int argc, const char* const* argv);

}  // namespace shoal
