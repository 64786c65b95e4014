// Completion of command lines in a shell.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace shoal {

/// A bash script that completes commands, options, and names and files where an argument or option takes them. It is written from
/// the declarations of the commands and does not call the program.
std::string bash_completion(const CLI::App& program, const Catalog& catalog);

}  // namespace shoal
