// The rows of the diagnostics recorded along a run, and the rule by which a run counts as unstable.
#pragma once

#include "experiments/harness/diagnostics/diagnostic.hpp"
#include "experiments/harness/diagnostics/growth.hpp"
#include "solvers/archive.hpp"

namespace shoal {

/// Evaluates the list of diagnostics for a simulation as it goes. Sums run over the scheme's own cells.
class Diagnostics {
 public:
  explicit Diagnostics(const Simulation& simulation);

  /// Those that the run has no more, since it was changed to another scheme, may be blank.
  const std::vector<Quantity>& quantities() const { return quantities_; }
  Energy energy() const { return simulation_.water().energy(); }
  /// The energy that is monitored in steps without a row: energy(), but without the kinetic part, a lower
  /// bound, where that costs a linear solve (integrators that carry a depth rate; it is that of the potential
  /// flow behind it). With diagnostics = every:N such a run may thus be found unstable at the next row, N − 1
  /// steps later at most. timing/ leaves all of this out.
  Energy energy_between_rows() const;
  /// E/E(0); NaN where E(0) is of rounding, below 1e-14·ρgH²·area.
  double energy_ratio(const Energy& energy) const;
  /// The values of all quantities now, components in a row; NaN of those that the run does not have any more, since it was
  /// changed to another scheme. `work` is that since the row before.
  std::vector<double> evaluate(const Energy& energy, const SolverWork& work);

  /// To be called at the start and after every step. Empty while the run is stable. Else what broke and where: a value of
  /// the state, an energy, a mass or a work that is not finite, ρgH²·area that is not, or an energy that grows by more
  /// than start, work and sources explain (growth.hpp), with the terms that grew; and which thresholds take effect.
  /// Elements are named in the input's order.
  std::string instability(const Energy& energy);
  /// What the next row depends on besides the simulation. To be restored at t = 0.
  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void follow_changes();
  std::string instability_reason(const Energy& energy);
  std::string where_it_grew(const Energy& energy) const;
  std::string broken_sum(const Energy& energy) const;
  std::string unresolved_body() const;
  std::string describe_cell(Index cell) const;
  std::string describe_element(Location location, Index element) const;

  const Simulation& simulation_;
  std::vector<DiagnosticColumn> columns_;
  std::vector<Quantity> quantities_;  // of the columns
  std::vector<bool> absent_;          // columns that a change has taken the meaning of
  int changes_ = 0;                   // of the scheme, that are taken into account
  Growth growth_;
  double start_energy_;  // J; 0 where it is of rounding
};

}  // namespace shoal
