// Friction at the bed that is quadratic in the velocity: Manning's and Chézy's laws, as an exact flow and as an implicit step
// at fixed depth.
#pragma once

#include "discretizations/common/parallel.hpp"
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
  /// v/v* after the implicit Euler step v + Δt c(v) v = v*: 2/(1 + √(1 + 4 c(v*) Δt)), between 0 and 1. Computed without 1/η.
  double kept(double depth, double speed, double dt) const {
    if (speed == 0) return 1;
    const double power = depth > 0 ? power_of(depth) : 0, root = std::sqrt(power);
    return power > 0 ? 2 * root / (root + std::sqrt(power + 4 * strength_ * speed * dt)) : 0;
  }
  /// c, but at most 10⁸/Δt, so that it is finite at any depth.
  double rate(double depth, double speed, double dt) const {
    if (speed == 0) return 0;
    const double power = depth > 0 ? power_of(depth) : 0;
    return strength_ * speed / (power + 1e-8 * strength_ * speed * dt);
  }

 private:
  FrictionLaw(double strength, bool is_manning) : strength_(strength), is_manning_(is_manning) {}
  double power_of(double depth) const { return is_manning_ ? depth * std::cbrt(depth) : depth; }

  double strength_ = 0;  // k
  bool is_manning_ = false;
};

/// Capability: friction quadratic in the velocity, v_t = −c v.
class BedFriction {
 public:
  static constexpr const char* name = "friction at the bed";
  virtual ~BedFriction() = default;
  /// Arrays of the work space: η and |v| of the whole vector at the sites of the velocity; both zero where the velocity is.
  struct SiteFlow {
    const Vector &depth, &speed;
  };
  virtual SiteFlow site_flow(const State& state, const Forces& forces, Scratch& scratch) const = 0;
  /// [components × sites] the velocity, or the momentum.
  virtual Block slowed(State& state) const = 0;

  /// Advances the velocity over dt at fixed depth by the exact flow.
  void apply_bed_friction(const FrictionLaw& law, double dt, const Forces& forces, State& state,
                          Scratch& scratch) const {
    scale(forces, state, scratch,
          [&](double depth, double speed) { return law.remaining(depth, speed, dt); });
  }
  /// The same by an implicit Euler step.
  void apply_implicitly(const FrictionLaw& law, double dt, const Forces& forces, State& state,
                        Scratch& scratch) const {
    scale(forces, state, scratch, [&](double depth, double speed) { return law.kept(depth, speed, dt); });
  }

 private:
  template <class Factor>
  void scale(const Forces& forces, State& state, Scratch& scratch, const Factor& factor) const {
    const SiteFlow at = site_flow(state, forces, scratch);
    const double *depth = at.depth.data(), *speed = at.speed.data();
    Block velocity = slowed(state);
    double* v = velocity.data();
    const Index sites = at.speed.size(), components = velocity.size() / sites;
    parallel_for(sites, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const double part = factor(depth[i], speed[i]);
        for (Index c = 0; c < components; ++c) v[c * sites + i] *= part;
      }
    });
  }
};

}  // namespace shoal
