// The input of diagnostics.
#pragma once

#include "experiments/harness/diagnostics/entry.hpp"
#include "experiments/harness/run/simulation.hpp"

#include <map>

namespace shoal {

/// A run at one instant. Quantities that several diagnostics need are computed once, on first use.
class Instant {
 public:
  /// `work`: of the linear solver since the previous row.
  Instant(const Simulation& simulation, const Energy& energy, const SolverWork& work)
      : simulation_(simulation), energy_(energy), work_(work) {}

  const Simulation& simulation() const { return simulation_; }
  const ShallowWater& water() const { return simulation_.water(); }
  const Discretization& discretization() const { return simulation_.discretization(); }
  const Energy& energy() const { return energy_; }
  const SolverWork& solver_work() const { return work_; }

  const Vector& depth();                          ///< [cells] η
  const Values& output(const std::string& name);  ///< an output of the scheme
  const std::vector<ClampCount>& clamp_counts();

 private:
  const Simulation& simulation_;
  const Energy& energy_;
  const SolverWork& work_;
  Vector depth_;
  std::map<std::string, Values> outputs_;
  std::vector<ClampCount> clamp_counts_;
};

}  // namespace shoal
