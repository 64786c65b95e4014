// What the fluid feels of a surface that accelerates under it (Angst 2007, §6.4.3).
#pragma once

#include "discretizations/common/parameters.hpp"
#include "discretizations/common/types.hpp"

namespace shoal {

/// `inertia` = off|on, which decides whether there is an Inertia, and those that it takes.
ParameterInfos inertia_parameters();

/// The body acceleration −aⁿ of the surface's own points, from their last three positions,
///
///     aⁿ = (1−σ) (xⁿ⁺¹ − 2xⁿ + xⁿ⁻¹)/Δt² + σ aⁿ⁻¹                                            (6.3), (6.4)
///
/// cut to a largest length where one is given. It acts over the step from tⁿ to tⁿ⁺¹, half a step late. As in
/// the thesis this is all that is felt of the motion: where the surface turns or stretches while water flows
/// over it, the terms with the velocity of both (Coriolis's among them) are left out.
class Inertia {
 public:
  explicit Inertia(const Parameters& parameters);

  /// The positions [3, nV] now, and one step earlier; empty where the surface has been at rest.
  void start(const Points& x, const Points& before);
  /// The surface goes on to x, in a step of dt.
  void move_to(const Points& x, double dt);

  const Points& acceleration() const { return acceleration_; }  ///< [3, nV] m/s²
  Index limited() const { return limited_; }  ///< vertices whose acceleration was cut in the last step

 private:
  double smoothing_, limit_;
  Points now_, before_, surface_acceleration_, acceleration_;
  Index limited_ = 0;
};

}  // namespace shoal
