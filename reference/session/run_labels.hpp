// Names of the runs of one file, by which they can be told apart.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

#include <map>
#include <string>
#include <vector>

namespace shoal {

class RecordedRun;

/// One run: its id and its settings as words.
struct NamedRun {
  std::string id;
  std::map<std::string, std::string> settings;
};

/// "0002 fefv, semi-implicit, mesh = icosphere:4": of each run its id, discretization and integrator, and at most four of the settings
/// that distinguish runs of the same discretization and integrator.
std::vector<std::string> run_labels(const std::vector<NamedRun>& runs);

NamedRun named_run(const RecordedRun& run);

/// The runs of an experiment file. Throws Error.
std::vector<NamedRun> named_runs(const Catalog& catalog, const std::string& file);

}  // namespace shoal
