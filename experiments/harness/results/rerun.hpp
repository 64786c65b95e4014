// `shoal rerun`: the experiment that repeats recorded runs.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/results/results.hpp"

namespace shoal {

struct Rerun {
  /// Hashes of the mesh and files of a run; "" if not recorded.
  struct Meshes {
    std::string mesh, files;
    std::string where;  ///< for messages: "results 'a.h5': run 0001"
  };
  Experiment experiment;           ///< a case for each run, with all settings explicit
  std::vector<Meshes> meshes;      ///< of each case
  std::vector<std::string> notes;  ///< on settings that the file does not record
};

/// Every run of the results, or only `id`, with all parameters and the chosen step as recorded. Throws Error if the run does
/// not exist, or if this version lacks a name or a parameter.
Rerun make_rerun(const Catalog& catalog, const Results& results, const std::string& file,
                 const std::string& id);

/// Throws Error if a mesh differs from the recorded one.
void check_meshes(const Catalog& catalog, const Rerun& rerun);

}  // namespace shoal
