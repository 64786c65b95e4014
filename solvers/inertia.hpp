// The inertial force on the fluid on an accelerating surface (Angst 2007, §6.4.3).
#pragma once

#include "discretizations/common/options.hpp"
#include "discretizations/mesh/mesh.hpp"
#include "solvers/archive.hpp"

namespace shoal {

struct InertiaOptions {
  bool inertia = false;         ///< whether the model has an Inertia
  double smoothing = 0;         ///< σ
  double limit = 0;             ///< m/s²; 0: none
  double normal_smoothing = 0;  ///< σ of aₙ; applies without inertia too
  bool continued = true;        ///< before t = 0 the surface moved by its formula; otherwise it was at rest
  static Options<InertiaOptions> describe();
};

/// The body acceleration −aⁿ, where aⁿ is the acceleration of the material points of the surface, from their last three
/// positions,
///
///     aⁿ = (1−σ) (xⁿ⁺¹ − 2xⁿ + xⁿ⁻¹)/Δt² + σ aⁿ⁻¹                                            (6.3), (6.4)
///
/// cut to `limit`. If Δt changes, the difference of the two mean velocities is divided by half the sum of both steps.
/// It acts over the step from tⁿ to tⁿ⁺¹, half a step late. As in Angst 2007, this is the only inertial force: the
/// terms that contain both the velocity of the surface and that of the water, such as the Coriolis term, are neglected.
class Inertia {
 public:
  /// Starts with the surface at x [3, nV] and at rest.
  Inertia(const InertiaOptions& options, const Points& x);

  /// Sets the options of later moves; the history of the motion is kept.
  void configure(const InertiaOptions& options) { options_ = options; }
  /// Sets the position of the surface at the time dt earlier.
  void set_past(const Points& before, double dt);
  /// Records the move of the surface to x in a step of dt.
  void move_to(const Points& x, double dt);

  /// Sets the acceleration of the surface if it is known.
  void set(const Points& surface_acceleration);

  const Points& acceleration() const { return acceleration_; }  ///< [3, nV] m/s²; empty before the first move
  /// The number of these vertices whose acceleration was cut in the last step.
  Index limited(const Range& vertices) const;

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void cut();

  InertiaOptions options_;
  double dt_before_ = 0;  // of the last step; 0 before the first
  Points now_, before_, surface_acceleration_, acceleration_;
};

/// The normal acceleration of water that flows over the surface with relative velocity v, in addition to that of the
/// surface's material points: 2 vᵅ n·∂_αẋ + II(v, v), m/s². II(v, v) = −v·∂_v n is −v²/R on the outside of a sphere.
class FlowAcceleration {
 public:
  /// Sets `at_vertices` [nV] to the area-weighted mean over the triangles around each vertex. x [3, nV] are the positions,
  /// n [3, nV] the normals, ẋ [3, nV] the velocity of the surface (empty: at rest) and v [3, nF] that of the water; n and ẋ
  /// are linear on each triangle.
  void measure(const Mesh& mesh, const Points& x, const Points& normals, const Points& surface_velocity,
               const Eigen::MatrixXd& velocity, Vector& at_vertices);

 private:
  Vector area_;
};

}  // namespace shoal
