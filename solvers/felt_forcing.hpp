// What the water feels besides the sum of terms: that its surface accelerates, that it flows over it, and friction.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/inertia.hpp"
#include "solvers/moving_surface.hpp"

#include <optional>

namespace shoal {

struct FeltOptions {
  double friction = 0;        ///< 1/s
  bool flow_inertia = false;  ///< aₙ is less by 2 vᵅ n·∂_αẋ + II(v, v), of the water as it flows
  InertiaOptions inertia;
};

/// aₙ + what is felt normal to the surface, smoothed in time if asked for; the tangential part of the inertia of a surface
/// where velocities do not carry it themselves.
class FeltForcing {
 public:
  /// The surface is at x [3, nV].
  FeltForcing(const FeltOptions& options, const Points& x) { configure(options, x); }
  /// Sets the options; the history that still counts is kept.
  void configure(const FeltOptions& options, const Points& x);

  /// `acting` and what is felt at the instant `time` of a step of dt, or `acting` itself where nothing is. `in_circulation`:
  /// the velocity carries the tangential part of the inertia itself.
  const Forcing& with_felt(const Forcing& acting, MovingSurface& surface, double time, double dt,
                           bool in_circulation);
  /// Adds to aₙ [nV] what is felt of the surface and the flow, as of the last step.
  void add_to(const MovingSurface& surface, Vector& normal_acceleration) const;

  /// The surface moves to x in a step of dt.
  void move_to(const Points& x, double dt);
  /// It was at `before` the time dt earlier.
  void set_past(const Points& before, double dt);
  /// The flow over the surface is this at `time`; it is felt as the last two such states lead to.
  void record_flow(double time, const State& state, const Forces& forces,
                   const Discretization& discretization, const MovingSurface& surface, Scratch& scratch);
  void end_step() { normal_before_ = normal_; }

  bool feels_surface() const { return inertia_.has_value(); }
  bool feels_flow() const { return options_.flow_inertia; }
  bool smooths() const { return options_.inertia.normal_smoothing > 0; }
  Index limited() const { return inertia_ ? inertia_->limited() : 0; }  ///< vertices where inertia was cut

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void smooth(const MovingSurface& surface);

  FeltOptions options_;
  std::optional<Inertia> inertia_;
  Forcing total_;
  Vector normal_,
      normal_before_;  // [nV] m/s², with normal_smoothing: aₙ as it is felt, and in the step before
  // With flow_inertia: what is felt of the flow, [nV] m/s², at the beginning of this step and of the one before.
  FlowAcceleration of_flow_;
  Vector flow_, flow_before_, flow_now_;
  double flow_time_ = 0, flow_time_before_ = 0;
  Points acceleration_, normals_;
  Values velocity_;
};

}  // namespace shoal
