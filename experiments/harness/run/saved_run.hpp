// A run under way as it was after one of its steps, in a file of its own, from which it goes on where the program was ended.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"
#include "solvers/archive.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace shoal {

/// What has to be the same for a run to come to the same bits when it goes on: the program and its plugins, to the last byte,
/// and `work`, all that the run is computed from.
std::string identity_of_run(const Catalog& catalog, const std::string& work);

/// Replaces the file in one step. Throws MachineError.
void write_saved_run(const std::filesystem::path& path, const std::string& identity, const Archive& archive);

/// Nothing where there is no such file, where it is not whole, or where it was written under another identity.
std::optional<Archive> read_saved_run(const std::filesystem::path& path, const std::string& identity);

}  // namespace shoal
