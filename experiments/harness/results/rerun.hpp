// `shoal rerun`: the experiment that computes recorded runs once more.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/results/results.hpp"

namespace shoal {

struct Rerun {
  Experiment experiment;           ///< a case for each run, in which everything is given
  std::vector<std::string> notes;  ///< what the file does not record
};

/// Every run of the results, or the one named `id`, as it was: all parameters as recorded, the step as it was
/// chosen. Throws Error where there is no such run, where this version does not know a name or a parameter,
/// and where a mesh is not the one recorded.
Rerun make_rerun(const Catalog& catalog, const Results& results, const std::string& file,
                 const std::string& id);

}  // namespace shoal
