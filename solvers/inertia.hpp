// What the fluid feels of a surface that accelerates under it (Angst 2007, §6.4.3).
#pragma once

#include "discretizations/common/options.hpp"
#include "solvers/archive.hpp"

namespace shoal {

struct InertiaOptions {
  bool inertia = false;   ///< decides whether there is an Inertia
  double smoothing = 0;   ///< σ
  double limit = 0;       ///< m/s²; 0: none
  bool continued = true;  ///< before t = 0 the surface was moving as its formula says; otherwise at rest
  static Options<InertiaOptions> describe();
};

/// The body acceleration −aⁿ of the surface's own points, from their last three positions,
///
///     aⁿ = (1−σ) (xⁿ⁺¹ − 2xⁿ + xⁿ⁻¹)/Δt² + σ aⁿ⁻¹                                            (6.3), (6.4)
///
/// cut to a largest length where one is given; where Δt changes, the difference of the two mean velocities
/// over half of both steps. It acts over the step from tⁿ to tⁿ⁺¹, half a step late. As in the thesis this is
/// all that is felt of the motion: where the surface turns or stretches while water flows over it, the terms
/// with the velocity of both (Coriolis's among them) are left out.
class Inertia {
 public:
  /// The surface at x [3, nV] has been at rest.
  Inertia(const InertiaOptions& options, const Points& x);

  /// Other options from the next move on; what is known of the motion stays.
  void configure(const InertiaOptions& options) { options_ = options; }
  /// It was at `before` the time dt earlier.
  void set_past(const Points& before, double dt);
  /// The surface goes on to x, in a step of dt.
  void move_to(const Points& x, double dt);

  const Points& acceleration() const { return acceleration_; }  ///< [3, nV] m/s²; empty before the first move
  Index limited() const { return limited_; }  ///< vertices whose acceleration was cut in the last step

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  InertiaOptions options_;
  double dt_before_ = 0;  // of the last step; 0: there was none
  Points now_, before_, surface_acceleration_, acceleration_;
  Index limited_ = 0;
};

}  // namespace shoal
