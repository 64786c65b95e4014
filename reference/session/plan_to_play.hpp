// An experiment with the defaults of interactive use.
#pragma once

#include "experiments/harness/plan/experiment.hpp"

#include <variant>

namespace shoal {

/// A run of a results file.
struct Recording {
  std::string file, id;  ///< "": the first run with snapshots
};

/// The first run of an experiment with the defaults of the window. If `advection` is not given, it is semi-lagrangian, as in Angst
/// 2007, where the scheme supports it: without advection, water that is hit by bodies becomes unstable within half a minute. The run
/// accepts inputs, and the inertia of a dragged surface is smoothed and limited as in Angst 2007.
PlannedRun plan_to_play(const Catalog& catalog, const Experiment& experiment);

/// The scene of a mesh without one: it runs on any mesh.
constexpr const char* model_scene = "bump";
/// Adds the defaults of a model: water and hump in proportion to the longest side of its bounding box, whatever its unit, and automatic
/// substeps.
void fit_to_model(const Catalog& catalog, Experiment& experiment);

/// The run `id` of an experiment ("": the first), as it is written. Throws Error.
PlannedRun run_of_experiment(const Catalog& catalog, const std::string& file, const std::string& id);

/// What the window shows of a file: the runs of results; the first run of an experiment, as it is written; model_scene on a mesh. Throws
/// Error, also if the name ends like none of them.
std::variant<RunConfiguration, Recording> subject_of_file(const Catalog& catalog, const std::string& file);

/// The folders, each with a slash, and the files in `folder` ("": the present one) that subject_of_file() takes by their names; in
/// alphabetical order, none if the folder cannot be read.
std::vector<std::string> files_to_show(const std::string& folder);

}  // namespace shoal
