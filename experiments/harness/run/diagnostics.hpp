// The numbers recorded along a run, and the rule by which a run counts as unstable.
#pragma once

#include "experiments/harness/run/simulation.hpp"

namespace shoal {

/// One column of the diagnostics.
struct Quantity {
  std::string name;
  std::string unit;
  std::string meaning;
  int components = 1;
};

/// Evaluates diagnostics of a simulation as it goes. Sums run over the scheme's own cells.
///
///     mass = ρ Σ V,    potential = ½ρg Σ A(h−h̄)²,    momentum = ρ Σ Aₖ η̄ₖ vₖ,    enstrophy = ½ Σ Aᵢ ωᵢ²,
///     l1, l2, linf = ‖η−ηₑ‖/‖ηₑ‖ weighted with cell areas, with _elevation ‖h−hₑ‖/‖hₑ‖ (NaN where hₑ = 0).
class Diagnostics {
 public:
  explicit Diagnostics(const Simulation& simulation);

  const std::vector<Quantity>& quantities() const { return quantities_; }
  Energy energy() const { return simulation_.water().energy(); }
  /// What a step without a row is watched by: energy(), but without the kinetic part, a lower bound, where
  /// that costs a linear solve (integrators that carry a depth rate; it is that of the potential flow behind
  /// it). With diagnostics = every:N such a run may thus be found unstable at the next row, N − 1 steps later
  /// at most. timing/ leaves all of this out.
  Energy energy_between_rows() const;
  /// The values of all quantities now, components in a row. `work` is that since the row before.
  std::vector<double> evaluate(const Energy& energy, const SolverWork& work) const;

  /// Empty while the run is stable. Else what broke and where: a value that is not finite, or
  /// E > 10·(E(0) + W + 1e-6·ρgH²·area), W the most that forces and surface have worked so far, as far
  /// as ρgH²·area + ½ρV·(largest speed of the surface)²; and which thresholds take effect. Elements are named
  /// in the input's order.
  std::string instability(const Energy& energy) const;

 private:
  std::string what_broke(const Energy& energy) const;
  void declare();
  void append_shape(std::vector<double>& row) const;
  void append_mode(std::vector<double>& row) const;
  double mode_amplitude() const;
  void append_errors(std::vector<double>& row) const;
  bool compares_velocity(const Reference& reference) const;
  void append_velocity_errors(const Reference& reference, std::vector<double>& row) const;
  void append_velocity(std::vector<double>& row) const;
  std::string describe_cell(Index cell) const;
  std::string describe_element(const std::string& kind, Index element) const;

  const Simulation& simulation_;
  std::vector<Quantity> quantities_;
  bool has_velocity_, solves_;
  double start_energy_;         // J
  Vector start_area_;           // [nF] of the surface at t = 0 if it moves, else empty
  double start_amplitude_ = 0;  // of the scene's mode, m
};

}  // namespace shoal
