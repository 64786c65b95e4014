// The work that forces other than gravity g do on the fluid, for schemes of any kind.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

/// Accumulates, per density and over steps,
///
///     Δt ⟨v̄, F⟩,   F = [(aₙ+g)∇h + ½η∇aₙ + f/ρ](q̄),   q̄ = ½(qⁿ + qⁿ⁺¹),   ⟨v, F⟩ = ½ (K(v+F) − K(v−F)),
///
/// with the scheme's own kinetic energy K, a quadratic form of the flow, and F as the difference of its rates
/// to those under aₙ = −g alone. m⁵/s². For integrators that carry a velocity.
class ForceWork {
 public:
  ForceWork(const DiscretizationEntry& scheme, const Mesh& mesh, const Geometry& geometry,
            const ScalarField& bed_depth, const Parameters& parameters, double gravity);

  /// The geometry has changed.
  void refresh();
  void begin_step(const State& state) { before_ = state; }
  void end_step(const Discretization& discretization, const State& state, double dt);
  double total() const { return total_; }

 private:
  std::unique_ptr<Discretization> under_gravity_;
  Forcing gravity_;
  State before_, mean_, rates_, none_;
  Vector flow_;
  double total_ = 0;
};

}  // namespace shoal
