// Checks whether the energy grows by more than work and sources. The criterion, its cases and its blind spots:
// results/findings/instability-criterion.md.
#pragma once

#include "experiments/harness/run/simulation.hpp"
#include "solvers/archive.hpp"

#include <array>

namespace shoal {

/// With the energy E and its budget X, the initial energy plus all work and energy of sources since the start:
///
///     unstable  ⇔  E − X > 9 S,    S = max(largest X − E_rest so far, G/10, S₀, ε) + energy lost by bodies
///
/// If work may be exchanged, E − X must exceed 9 S after three successive steps, or after the last one. E_rest: the potential
/// energy of the same water at rest at one level. G: the sum of |work| over all steps and kinds. S₀: 1e-6·ρg Σ A η² if the run
/// starts at rest, otherwise 0. ε: round-off on dry land, ρg Σ A (1e-14 H)². Work done while E − E_rest > 3 S counts in X and G only
/// in the proportion 3 S/(E − E_rest).
class Growth {
 public:
  /// `start`: the initial energy.
  Growth(const Simulation& simulation, const Energy& start);
  const Energy& start() const { return start_; }

  /// Call it after each step with the energy or a lower bound of it. Returns whether the criterion is satisfied.
  bool explains(const Energy& energy);
  /// A message with the terms that grew, if it is not.
  std::string reason(const Energy& energy) const;

  Vector saved() const;
  void restore(const Vector& saved);

 private:
  static constexpr int kinds = 5;
  using Works = std::array<double, kinds>;
  Works works() const;
  double scale() const;
  double energy_at_rest(double volume);
  double energy_of_depth() const;

  const Simulation& simulation_;
  Energy start_;
  bool from_rest_ = false;
  double level_;  // m, of the water at rest
  // J: X; the largest X − E_rest; G; the largest ρg Σ A η²; ε.
  double explained_, largest_ = 0, exchanged_ = 0, depth_scale_ = 0, rounding_ = 0;
  Works before_;       // J
  int exceeding_ = 0;  // successive steps with E − X > 9 S
};

}  // namespace shoal
