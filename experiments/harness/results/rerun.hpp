// `shoal rerun`: the experiment that computes recorded runs once more.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/results/results.hpp"

namespace shoal {

struct Rerun {
  /// What a run was computed on, as hashes; "" where none is recorded.
  struct Meshes {
    std::string mesh, files;
    std::string where;  ///< for messages: "results 'a.h5': run 0001"
  };
  Experiment experiment;           ///< a case for each run, in which everything is given
  std::vector<Meshes> meshes;      ///< of each case
  std::vector<std::string> notes;  ///< what the file does not record
};

/// Every run of the results, or the one named `id`, as it was: all parameters as recorded, the step as it was
/// chosen. Throws Error where there is no such run, and where this version does not know a name or a parameter.
Rerun make_rerun(const Catalog& catalog, const Results& results, const std::string& file,
                 const std::string& id);

/// Throws Error where a mesh is not the one recorded.
void check_meshes(const Catalog& catalog, const Rerun& rerun);

}  // namespace shoal
