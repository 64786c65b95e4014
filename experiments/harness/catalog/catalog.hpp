// All that runs can be put together from.
#pragma once

#include "discretizations/common/list.hpp"
#include "discretizations/discretization.hpp"
#include "experiments/harness/diagnostics/entry.hpp"
#include "experiments/motions/motion.hpp"
#include "experiments/scenes/scene.hpp"
#include "solvers/advection/advection.hpp"
#include "solvers/integrators/integrator.hpp"
#include "solvers/splitting.hpp"

namespace shoal {

/// A value: main() makes one, adds what plugins bring, and passes it down.
struct Catalog {
  List<DiscretizationEntry> discretizations;
  List<IntegratorEntry> integrators;
  List<LinearSolverEntry> linear_solvers;
  List<AdvectionEntry> advections;
  List<SplittingEntry> splittings;
  List<SceneEntry> scenes;
  List<MotionEntry> motions;
  List<DiagnosticEntry> diagnostics;
  std::vector<std::string> plugins = {};  ///< files that have added to it
};

/// What Shoal brings.
Catalog builtin();

}  // namespace shoal
