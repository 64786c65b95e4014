// A checkpoint of a run after one of its steps, in a separate file, from which the run continues after the program was ended.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"
#include "solvers/archive.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace shoal {

/// Identifies everything that must agree for a run to continue with the same bits: the program and its plugins, to the last
/// byte, and `work`, all input of the run.
std::string identity_of_run(const Catalog& catalog, const std::string& work);

/// Replaces the file atomically. Throws MachineError.
void write_saved_run(const std::filesystem::path& path, const std::string& identity, const Archive& archive);

/// Nothing if the file does not exist, is incomplete, or was written with another identity.
std::optional<Archive> read_saved_run(const std::filesystem::path& path, const std::string& identity);

}  // namespace shoal
