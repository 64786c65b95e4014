// The program's commands.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "experiments/harness/catalog/catalog.hpp"

namespace shoal {

/// Executes the command given by the arguments with the entries of the catalogue. Returns the exit code: 0 success, 1 a single
/// run did not finish, 2 a mistake of the user, 3 a failure of the machine, 128 + signal if stopped. Errors are one sentence
/// on stderr. A launcher such as mpirun may start several processes, which execute the command together.
int run_command_line(Catalog catalog, int argc, const char* const* argv);

/// The same, but throws the errors. `ranks` execute the command together.
int execute_command_line(Catalog catalog, int argc, const char* const* argv,
                         std::shared_ptr<const Ranks> ranks = std::make_shared<Ranks>());

}  // namespace shoal
