// Splittings: combine the integrator's steps with the flows of terms that the integrator does not include.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/integrators/integrator.hpp"

namespace shoal {

/// The flows of one step, each called with its time; empty if the term is absent or included in the
/// integrator.
struct SplitFlows {
  std::function<StepReport(double dt)> transport;  ///< v_t = −v·∇v, a map
  std::function<void(double dt)> coriolis;         ///< v_t = −f_c n×v, exact at fixed depth
  std::function<void(double dt)> friction;  ///< v_t = −c v, c may depend on |v|: exact at fixed depth
  std::function<void(double dt)> source;    ///< V_t = inflow
  std::function<StepReport(double dt)> integrate;  ///< the integrator's terms
};

/// One row of the list of splittings.
struct SplittingEntry {
  std::string name;
  std::string summary;
  int order = 0;       ///< in Δt, of the splitting alone; 0: no splitting
  bool splits = true;  ///< false: an integrator includes all terms
  /// A step of dt; transport and integrator act in `parts` equal parts of it.
  std::function<StepReport(const SplitFlows& flows, double dt, int parts)> step;
};

/// The built-in splittings.
List<SplittingEntry> builtin_splittings();

struct AdvectionEntry;

/// The default for terms besides waves and forces (rotation and friction may always be present, advection if
/// given): `none` if the integrator includes all of them and the advection is a rate, otherwise `lie`.
SplittingEntry default_splitting(const IntegratorEntry& integrator, const AdvectionEntry* advection);
/// "" or the reason why the splitting does not support them.
std::string splitting_incompatibility(const SplittingEntry& splitting, const IntegratorEntry& integrator,
                                      const AdvectionEntry* advection);
/// The terms of f(q) included in the integrator's own steps.
Terms integrated_terms(const SplittingEntry& splitting, const DiscretizationEntry& scheme,
                       const IntegratorEntry& integrator, const AdvectionEntry* advection);

}  // namespace shoal
