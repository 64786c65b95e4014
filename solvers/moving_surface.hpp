// A surface that moves under the water: where it is, how fast, and the frame in which its velocity is taken.
#pragma once

#include "discretizations/mesh/geometry.hpp"
#include "solvers/archive.hpp"
#include "solvers/surface_motion.hpp"

namespace shoal {

/// Kinematics of the surface alone; what depends on its geometry follows by whoever moves it.
///
/// Velocities of water are relative to ẋ. Within a step ẋ is taken relative to the mean translation of the surface (a
/// Galilean frame). The result does not depend on the frame; it removes the round-off of a large common velocity.
class MovingSurface {
 public:
  /// At x [3, nV], at rest. `mesh` must outlive this.
  MovingSurface(const Mesh& mesh, const Points& x) : mesh_(mesh), geometry_(make_geometry(mesh, x)) {}

  const Mesh& mesh() const { return mesh_; }
  const Geometry& geometry() const { return geometry_; }
  /// [3, nV] where it was at first: there beds are sampled and cells are chosen.
  const Points& rest() const { return rest_.size() ? rest_ : geometry_.x; }

  // Positions.
  /// To x [3, nV]. Throws Error where a triangle has no area; go_back() is then due.
  void place(const Points& x);
  /// To where it was before the last place().
  void go_back() { compute_geometry(mesh_, before_, geometry_); }
  /// Its own geometry becomes that of the rest positions while `make` is called.
  template <class Make>
  auto at_rest(const Make& make);

  // A motion that is known.
  /// x(t) from now on. Stages have their own geometry only where it is `smooth`.
  void follow(Motion motion, bool smooth);
  bool has_motion() const { return static_cast<bool>(motion_); }
  bool moves_smoothly() const { return motion_ && smooth_; }
  void positions_at(double time, Points& x) const { motion_(time, x); }
  /// ẋ and ẍ by differences that belong to a step of dt.
  void velocity_at(double time, double dt, Points& velocity);
  void acceleration_at(double time, double dt, Points& acceleration);

  // The velocity that velocities of water are relative to.
  /// [3, nV] ẋ, m/s; empty: at rest.
  const Points& velocity() const { return velocity_; }
  void set_velocity(const Points& velocity) { velocity_ = velocity; }
  void set_velocity_of_motion(double time, double dt) { velocity_at(time, dt, velocity_); }
  void rest_here() { velocity_.resize(3, 0); }
  /// The frame of a step in which the surface moves with `velocity`: that of its mean translation.
  void choose_frame(const Points& velocity);
  const Vector3& frame() const { return frame_; }  ///< m/s
  /// ẋ in that frame, as of the last see_from_frame(); empty where both are at rest.
  const Points& seen_velocity() const { return seen_velocity_; }
  void see_from_frame();

  // Half moves, for integrators that hold the geometry of a step at its middle.
  /// A step of dt begins that leads to x. Throws Error where a triangle has no area there, and changes nothing.
  void aim(const Points& x, double dt);
  bool has_target() const { return has_target_; }
  const Points& target() const { return target_; }
  const Points& middle() const { return middle_; }
  const Points& mean_velocity() const { return mean_velocity_; }
  /// ẋ at the end of the step: that of the motion, or what the last two steps lead to. The step counts as done.
  const Points& arrive(double time, double dt);
  void clear_target() { has_target_ = false; }
  void forget_steps() { dt_before_ = 0; }

  double largest_speed() const { return largest_speed_; }  ///< m/s, that a vertex has moved with
  void record_speed(const Points& velocity);
  /// Of a whole move from before the last place(), in dt.
  void record_speed_of_move(double dt);

  void save(Archive& archive) const;
  /// All but the positions.
  void restore(const Archive& archive);

 private:
  const Mesh& mesh_;
  Geometry geometry_, ahead_;
  Points rest_;    // empty while the surface has not moved
  Points before_;  // the last place()
  Motion motion_;
  bool smooth_ = true;
  Points velocity_, mean_velocity_, velocity_before_,
      end_velocity_;  // now; of this step; of the one before; at its end
  Points target_, middle_;
  bool has_target_ = false;
  double dt_before_ = 0;
  Vector3 frame_ = Vector3::Zero();
  Points seen_velocity_, work_;
  double largest_speed_ = 0;
};

template <class Make>
auto MovingSurface::at_rest(const Make& make) {
  const Points here = geometry_.x;
  const auto go_there = [&] { compute_geometry(mesh_, here, geometry_); };
  try {
    compute_geometry(mesh_, rest(), geometry_);
    auto made = make();
    go_there();
    return made;
  } catch (...) {
    go_there();
    throw;
  }
}

}  // namespace shoal
