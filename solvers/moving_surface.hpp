// A moving surface under the water: its positions, its velocity and the frame of reference of that velocity.
#pragma once

#include "discretizations/mesh/geometry.hpp"
#include "solvers/archive.hpp"
#include "solvers/surface_motion.hpp"

namespace shoal {

/// The kinematics of the surface alone; the caller updates quantities that depend on its geometry.
///
/// Velocities of water are relative to ẋ. Within a step, ẋ is relative to the mean translation of the surface (a Galilean
/// frame). The result does not depend on the frame; the frame removes the round-off of a large common velocity.
class MovingSurface {
 public:
  /// A surface at rest at x [3, nV]. `mesh` must outlive it.
  MovingSurface(const Mesh& mesh, const Points& x) : mesh_(mesh), geometry_(make_geometry(mesh, x)) {}

  const Mesh& mesh() const { return mesh_; }
  const Geometry& geometry() const { return geometry_; }
  /// [3, nV] the initial positions, at which beds are sampled and cells are chosen.
  const Points& rest() const { return rest_.size() ? rest_ : geometry_.x; }

  // Positions.
  /// Moves it to x [3, nV]. Throws Error if a triangle has no area; the caller must then call go_back().
  void place(const Points& x);
  /// Moves it to the positions before the last place().
  void go_back() { compute_geometry(mesh_, before_, geometry_); }
  /// Calls `make` with the geometry of the initial positions.
  template <class Make>
  auto at_rest(const Make& make);

  // A known motion.
  /// Sets x(t) from `time` on, for steps of about dt. Stages have their own geometry only if the motion is `smooth`.
  void follow(Motion motion, double time, double dt, bool smooth);
  bool has_motion() const { return static_cast<bool>(motion_); }
  bool moves_smoothly() const { return motion_ && smooth_; }
  void positions_at(double time, Points& x) const { motion_(time, x); }
  /// The positions dt before the motion began: those of the motion, or extrapolated from its later positions if its velocity
  /// jumps at the start.
  void positions_before(double dt, Points& x);
  /// Says that derivatives of the motion may jump at `time`, which lies in the future.
  void add_corner(double time) { corners_.push_back(time); }
  /// Begins a step. Within it, derivatives of the motion are those between the corners around it, so that they have one value at
  /// its beginning and its end where they jump there.
  void begin_step(double begin, double end);
  /// −1, 0, 1: whether differences over ±reach about `time` must be one-sided backward, central, or one-sided forward.
  int side_of(double time, double reach) const {
    return time - reach < after_ ? 1 : time + reach > before_next_ ? -1 : 0;
  }
  /// ẋ and ẍ by finite differences whose spacing fits a step of dt, one-sided beside corners.
  void velocity_at(double time, double dt, Points& velocity);
  void acceleration_at(double time, double dt, Points& acceleration);
  /// [3, nV] what the surface, which is now at `time`, gains over its present velocity within a step of dt: the mean over the part
  /// of the step in which the gain is largest.
  const Points& gain_within(double time, double dt);

  // The velocity of the surface, to which velocities of water are relative.
  /// [3, nV] ẋ, m/s; empty: at rest.
  const Points& velocity() const { return velocity_; }
  void set_velocity(const Points& velocity) { velocity_ = velocity; }
  void set_velocity_of_motion(double time, double dt) { velocity_at(time, dt, velocity_); }
  void rest_here() { velocity_.resize(3, 0); }
  /// Sets the frame of a step in which the surface moves with `velocity`: its mean translation.
  void choose_frame(const Points& velocity);
  const Vector3& frame() const { return frame_; }  ///< m/s
  /// ẋ in that frame, as of the last update_seen_velocity(); empty if both are at rest.
  const Points& seen_velocity() const { return seen_velocity_; }
  void update_seen_velocity();

  // Half moves, for integrators that use the geometry at the middle of the step.
  /// Begins a step of dt that ends at x. Throws Error if a triangle has no area there, and then changes nothing.
  void aim(const Points& x, double dt);
  bool has_target() const { return has_target_; }
  const Points& target() const { return target_; }
  const Points& middle() const { return middle_; }
  const Points& mean_velocity() const { return mean_velocity_; }
  /// ẋ at the end of the step: from the motion if known, otherwise extrapolated from the last two steps. Completes the step.
  const Points& arrive(double time, double dt);
  void clear_target() { has_target_ = false; }
  void forget_steps() { dt_before_ = 0; }

  double largest_speed() const { return largest_speed_; }  ///< m/s, of any vertex so far
  void record_speed(const Points& velocity);
  /// Records the speed of the move made by the last place() in a time of dt.
  void record_speed_of_move(double dt);

  void save(Archive& archive) const;
  /// Restores everything except the positions.
  void restore(const Archive& archive);

 private:
  const Mesh& mesh_;
  Geometry geometry_, ahead_;
  Points rest_;    // empty until the first move
  Points before_;  // positions before the last place()
  Motion motion_;
  bool smooth_ = true;
  double begin_ = 0;             // start of the motion, s
  bool jumps_ = false;           // whether the velocity jumps there
  std::vector<double> corners_;  // s, of the motion
  // the corners around the step
  double after_ = -std::numeric_limits<double>::infinity(),
         before_next_ = std::numeric_limits<double>::infinity();
  Points velocity_, mean_velocity_, velocity_before_,
      end_velocity_;  // now; mean of this step; of the previous one; at the end of the step
  Points target_, middle_;
  bool has_target_ = false;
  double dt_before_ = 0;
  Vector3 frame_ = Vector3::Zero();
  Points seen_velocity_, work_;
  Points ahead_of_part_, gain_of_part_, gain_;  // of gain_within()
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
