// Friction at the bed that is quadratic in the velocity: Manning's and Chézy's laws, as an exact flow at fixed depth.
#pragma once

#include "discretizations/discretization.hpp"

#include <cmath>

namespace shoal {

/// v_t = −c v with c = k |v|/ηᵖ, 1/s (Delestre et al. 2013, doi:10.1002/fld.3741, section 2):
///
///     Manning   c = g n² |v|/η^(4/3)    n in s/m^(1/3)
///     Chézy     c = g |v|/(C² η)        C in m^(1/2)/s; the factor f of Darcy and Weisbach, c = f |v|/(8η), is C = √(8g/f)
///
/// The default is no friction.
class FrictionLaw {
 public:
  FrictionLaw() = default;
  static FrictionLaw manning(double n, double gravity) { return {gravity * n * n, true}; }
  static FrictionLaw chezy(double c, double gravity) { return {gravity / (c * c), false}; }

  bool acts() const { return strength_ > 0; }
  /// |v_t|/|v|² = k/ηᵖ, 1/m.
  double per_length(double depth) const { return strength_ / power_of(depth); }
  /// v(t + Δt)/v(t) = 1/(1 + c Δt) at fixed depth, between 0 and 1. Computed without 1/η, so that flowing water comes to rest
  /// as its depth tends to zero.
  double remaining(double depth, double speed, double dt) const {
    if (speed == 0) return 1;
    const double power = depth > 0 ? power_of(depth) : 0;
    return power > 0 ? power / (power + strength_ * speed * dt) : 0;
  }

 private:
  FrictionLaw(double strength, bool is_manning) : strength_(strength), is_manning_(is_manning) {}
  double power_of(double depth) const { return is_manning_ ? depth * std::cbrt(depth) : depth; }

  double strength_ = 0;  // k
  bool is_manning_ = false;
};

/// Capability: friction quadratic in the velocity.
class BedFriction {
 public:
  static constexpr const char* name = "friction at the bed";
  virtual ~BedFriction() = default;
  /// Advances the velocity by v_t = −c v over dt at fixed depth: by the factor `remaining` of the depth and the speed at its
  /// sites.
  virtual void apply_bed_friction(const FrictionLaw& law, double dt, const Forces& forces, State& state,
                                  Scratch& scratch) const = 0;
};

}  // namespace shoal
