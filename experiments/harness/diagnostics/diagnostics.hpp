// The diagnostics recorded during a run, and the criterion by which a run counts as unstable.
#pragma once

#include "experiments/harness/diagnostics/diagnostic.hpp"
#include "experiments/harness/diagnostics/growth.hpp"
#include "solvers/archive.hpp"

namespace shoal {

/// Evaluates the list of diagnostics of a simulation. Sums are over the scheme's own cells.
class Diagnostics {
 public:
  explicit Diagnostics(const Simulation& simulation);

  /// The quantities that the run had at its start. Those that a change of scheme removed may be blank.
  const std::vector<Quantity>& quantities() const { return quantities_; }
  Energy energy() const { return simulation_.water().energy(); }
  /// The energy monitored in steps without a row: energy(), but only the potential part, a lower bound, if the kinetic part
  /// requires a linear solve (integrators that carry a depth rate; it is that of the corresponding potential flow). With
  /// diagnostics = every:N such a run may be found unstable up to N − 1 steps late, at the next row. timing/ excludes all this.
  Energy energy_between_rows() const;
  /// E/E(0); NaN if E(0) is round-off, below 1e-14·ρgH²·area.
  double energy_ratio(const Energy& energy) const;
  /// The present values of all quantities, with components in sequence; NaN for quantities that a change of scheme removed.
  /// `work` is that since the previous row.
  std::vector<double> evaluate(const Energy& energy, const SolverWork& work);

  /// Call it at the start and after every step. Empty while the run is stable. Otherwise the reason and the place: a value of
  /// the state, an energy, a mass, a work or ρgH²·area that is not finite, or an energy that exceeds the initial energy plus
  /// work and sources (growth.hpp), with the terms that grew; and the active limits. Elements are numbered as in the input.
  std::string instability(const Energy& energy);
  /// The state on which the next row depends, apart from the simulation. Restore it at t = 0.
  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void follow_changes();
  std::string broken_unknown() const;
  std::string instability_reason(const Energy& energy);
  std::string where_it_grew(const Energy& energy) const;
  std::string broken_sum(const Energy& energy) const;
  std::string unresolved_body() const;
  std::string describe_cell(Index cell) const;
  std::string describe_element(Location location, Index element) const;

  const Simulation& simulation_;
  std::vector<DiagnosticColumn> columns_;
  std::vector<Quantity> quantities_;  // of the columns
  std::vector<bool> absent_;          // columns without a meaning since a change
  int changes_ = 0;                   // changes of the scheme that are taken into account
  Growth growth_;
  double start_energy_;  // J; 0 if it is round-off
};

}  // namespace shoal
