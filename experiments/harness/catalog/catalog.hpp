// The entries from which runs are composed.
#pragma once

#include "discretizations/common/list.hpp"
#include "discretizations/entry.hpp"
#include "experiments/harness/diagnostics/entry.hpp"
#include "experiments/motions/motion.hpp"
#include "experiments/scenes/scene.hpp"
#include "solvers/advection/advection.hpp"
#include "solvers/integrators/integrator.hpp"
#include "solvers/splitting.hpp"

namespace shoal {

/// A value: main() creates one, adds the entries of plugins and passes it on.
struct Catalog {
  List<DiscretizationEntry> discretizations;
  List<IntegratorEntry> integrators;
  List<LinearSolverEntry> linear_solvers;
  List<AdvectionEntry> advections;
  List<SplittingEntry> splittings;
  List<SceneEntry> scenes;
  List<MotionEntry> motions;
  List<DiagnosticEntry> diagnostics;
  std::vector<std::string> plugins = {};  ///< files that added entries
};

/// The built-in entries.
Catalog builtin();

}  // namespace shoal
