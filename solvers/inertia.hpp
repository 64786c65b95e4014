// The inertial force on the fluid of a surface that accelerates (Angst 2007, §6.4.3).
#pragma once

#include "discretizations/common/options.hpp"
#include "discretizations/mesh/mesh.hpp"
#include "solvers/archive.hpp"

namespace shoal {

struct InertiaOptions {
  bool inertia = false;         ///< decides whether there is an Inertia
  double smoothing = 0;         ///< σ
  double limit = 0;             ///< m/s²; 0: none
  double normal_smoothing = 0;  ///< σ of aₙ; also without inertia
  bool continued = true;  ///< before t = 0 the surface was moving as its formula says; otherwise at rest
  static Options<InertiaOptions> describe();
};

/// The body acceleration −aⁿ of the surface's own points, from their last three positions,
///
///     aⁿ = (1−σ) (xⁿ⁺¹ − 2xⁿ + xⁿ⁻¹)/Δt² + σ aⁿ⁻¹                                            (6.3), (6.4)
///
/// cut to a largest length where one is given; where Δt changes, the difference of the two mean velocities
/// over half of both steps. It acts over the step from tⁿ to tⁿ⁺¹, half a step late. As in Angst 2007 this is
/// the only inertial force: where the surface turns or stretches while water flows over it, the terms with
/// both velocities (the Coriolis term among them) are neglected.
class Inertia {
 public:
  /// Starts with the surface at x [3, nV], at rest before.
  Inertia(const InertiaOptions& options, const Points& x);

  /// Sets the options from the next move on; the history of the motion is kept.
  void configure(const InertiaOptions& options) { options_ = options; }
  /// The surface was at `before` the time dt earlier.
  void set_past(const Points& before, double dt);
  /// The surface moves to x in a step of dt.
  void move_to(const Points& x, double dt);

  /// The surface's acceleration where it is known.
  void set(const Points& surface_acceleration);

  const Points& acceleration() const { return acceleration_; }  ///< [3, nV] m/s²; empty before the first move
  Index limited() const { return limited_; }  ///< vertices whose acceleration was cut in the last step

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void cut();

  InertiaOptions options_;
  double dt_before_ = 0;  // of the last step; 0: there was none
  Points now_, before_, surface_acceleration_, acceleration_;
  Index limited_ = 0;
};

/// What water feels, normal to the surface, of flowing over it with v, besides the acceleration of the surface's own
/// points: 2 vᵅ n·∂_αẋ + II(v, v), m/s². II(v, v) = −v·∂_v n is −v²/R on the outside of a sphere.
class FlowAcceleration {
 public:
  /// Of the triangles of `mesh` with their vertices at x [3, nV], n [3, nV] there and v [3, nF] on them; ẋ [3, nV]
  /// (empty: at rest) and n are linear on each. [nV] the means over the triangles around each vertex, weighted with areas.
  void measure(const Mesh& mesh, const Points& x, const Points& normals, const Points& surface_velocity,
               const Eigen::MatrixXd& velocity, Vector& at_vertices);

 private:
  Vector area_;
};

}  // namespace shoal
