// Splittings: how the flows of terms that an integrator does not take are joined to its steps.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/integrators/integrator.hpp"

namespace shoal {

/// The flows of one step, each over the time that it is called with; empty where a term does not act.
/// Integrators that take a term themselves leave its flow out.
struct SplitFlows {
  std::function<StepReport(double dt)> transport;  ///< v_t = −v·∇v, a map
  std::function<void(double dt)> coriolis;         ///< v_t = −f_c n×v, exact at fixed depth
  std::function<void(double dt)> friction;         ///< v_t = −c v, exact
  std::function<void(double dt)> source;           ///< V_t = inflow
  std::function<StepReport(double dt)> integrate;  ///< the integrator's terms
};

/// One row of the list of splittings.
struct SplittingEntry {
  std::string name;
  std::string summary;
  int order = 0;       ///< in Δt, of the splitting alone; 0: nothing is split
  bool splits = true;  ///< otherwise an integrator takes all terms at once
  /// A step of dt; transport and integrator go in `parts` equal parts of it.
  std::function<StepReport(const SplitFlows& flows, double dt, int parts)> step;
};

/// The built-in splittings.
List<SplittingEntry> builtin_splittings();

struct AdvectionEntry;

/// The terms that act in addition to waves and forces: rotation and friction always may, advection where
/// there is one. `none` where the integrator takes all of them and the advection is a rate, else `lie`.
SplittingEntry default_splitting(const IntegratorEntry& integrator, const AdvectionEntry* advection);
/// "" or the reason why the splitting does not go with them.
std::string splitting_incompatibility(const SplittingEntry& splitting, const IntegratorEntry& integrator,
                                      const AdvectionEntry* advection);
/// The terms of f(q) that the integrator's own steps take.
Terms integrated_terms(const SplittingEntry& splitting, const DiscretizationEntry& scheme,
                       const IntegratorEntry& integrator, const AdvectionEntry* advection);

}  // namespace shoal
