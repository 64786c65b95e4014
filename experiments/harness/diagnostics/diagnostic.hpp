// One list of diagnostics: what is recorded in every row, each with its name, unit, meaning and value in one
// place.
#pragma once

#include "experiments/harness/run/simulation.hpp"

#include <map>

namespace shoal {

/// One column of the diagnostics.
struct Quantity {
  std::string name;
  std::string unit;
  std::string meaning;
  int components = 1;
};

/// A run at one instant: what several diagnostics need is computed once, when the first of them asks.
class Instant {
 public:
  /// `work`: of the linear solver since the row before.
  Instant(const Simulation& simulation, const Energy& energy, const SolverWork& work)
      : simulation_(simulation), energy_(energy), work_(work) {}

  const Simulation& simulation() const { return simulation_; }
  const ShallowWater& water() const { return simulation_.water(); }
  const Discretization& discretization() const { return simulation_.discretization(); }
  const Energy& energy() const { return energy_; }
  const SolverWork& solver_work() const { return work_; }

  const Vector& depth();                          ///< [cells] η
  const Values& output(const std::string& name);  ///< of the scheme
  const std::vector<ClampCount>& clamp_counts();

 private:
  const Simulation& simulation_;
  const Energy& energy_;
  const SolverWork& work_;
  Vector depth_;
  std::map<std::string, Values> outputs_;
  std::vector<ClampCount> clamp_counts_;
};

/// A quantity and its value: quantity.components numbers are written to `values`.
struct DiagnosticColumn {
  Quantity quantity;
  std::function<void(Instant& now, double* values)> evaluate;
};

/// One row of the list: columns that belong together, for the runs they apply to. Called once at t = 0; what
/// they compare with is captured then.
struct DiagnosticEntry {
  std::string name;
  std::function<std::vector<DiagnosticColumn>(const Simulation&)> columns;
};

DiagnosticEntry time_diagnostic();
DiagnosticEntry mass_diagnostic();
DiagnosticEntry energy_diagnostic();
DiagnosticEntry depth_diagnostic();
DiagnosticEntry flow_diagnostic();
DiagnosticEntry solver_diagnostic();
DiagnosticEntry shape_diagnostic();
DiagnosticEntry clamps_diagnostic();
DiagnosticEntry mode_diagnostic();
DiagnosticEntry errors_diagnostic();

/// All diagnostics, in the order of the columns; the first is the time.
const std::vector<DiagnosticEntry>& diagnostics();

}  // namespace shoal
