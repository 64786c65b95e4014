// Additions to the forcing: inertia of a surface that accelerates, inertia of the flow over it, and friction.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/inertia.hpp"
#include "solvers/moving_surface.hpp"

#include <optional>

namespace shoal {

struct InertialForcingOptions {
  double friction = 0;  ///< 1/s
  bool flow_inertia = false;  ///< subtract 2 vᵅ n·∂_αẋ + II(v, v) from aₙ, with v the velocity of the water
  double acceleration_limit = 0;  ///< m/s², of body accelerations and inertia together; 0: none
  InertiaOptions inertia;
};

/// Adds to a forcing: the normal part of the inertia to aₙ, with optional smoothing in time; its tangential
/// part if the velocity does not include it already; and friction. Cuts the sum of inertia and body accelerations to the
/// limit before the smoothing.
class InertialForcing {
 public:
  /// For a surface at x [3, nV].
  InertialForcing(const InertialForcingOptions& options, const Points& x) { configure(options, x); }
  /// Sets the options and keeps the history where it still applies.
  void configure(const InertialForcingOptions& options, const Points& x);

  /// The forcing of a step of dt, evaluated at `time`: `acting` with all additions, or `acting` itself if
  /// there are none. `in_circulation`: the velocity is converted through circulations, which include the
  /// tangential part of the inertia. `beside_land`: water stands beside dry land, where that part matters too.
  const Forcing& with_inertia(const Forcing& acting, MovingSurface& surface, double time, double dt,
                              bool in_circulation, bool beside_land);
  /// Adds the inertia of surface and flow, as of the last step, to aₙ [nV].
  void add_to(const MovingSurface& surface, Vector& normal_acceleration) const;

  /// Records the move of the surface to x in a step of dt.
  void move_to(const Points& x, double dt);
  /// Sets the position of the surface at the time dt earlier.
  void set_past(const Points& before, double dt);
  /// Records the flow over the surface at `time`; its inertia is extrapolated from the last two records.
  void record_flow(double time, const State& state, const Forces& forces,
                   const Discretization& discretization, const MovingSurface& surface, Scratch& scratch);
  void end_step() { normal_before_ = normal_; }

  bool has_surface_inertia() const { return inertia_.has_value(); }
  bool has_flow_inertia() const { return options_.flow_inertia; }
  bool smooths() const { return options_.inertia.normal_smoothing > 0; }
  /// The number of these vertices at which the inertia was limited.
  Index limited(const Range& vertices) const { return inertia_ ? inertia_->limited(vertices) : 0; }
  /// The number of these vertices at which acceleration_limit was active in the last evaluation.
  Index limited_accelerations(const Range& vertices) const {
    if (limited_accelerations_ == 0) return 0;
    return static_cast<Index>((factor_.segment(vertices.begin, vertices.count).array() < 1).count());
  }

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void smooth(const MovingSurface& surface);
  void find_factors(const Points& body_acceleration, bool accelerates);

  InertialForcingOptions options_;
  std::optional<Inertia> inertia_;
  Forcing total_;
  Vector factor_;  // [nV] of the limit; empty: it does not act
  Index limited_accelerations_ = 0;
  Vector normal_,
      normal_before_;  // [nV] m/s², with normal_smoothing: smoothed aₙ, in this step and the previous one
  // With flow_inertia: the inertia of the flow, [nV] m/s², at the beginning of this step and of the previous
  // one.
  FlowAcceleration of_flow_;
  Vector flow_, flow_before_, flow_now_;
  double flow_time_ = 0, flow_time_before_ = 0;
  Points acceleration_, normals_;
  Values velocity_;
  // Of a part, because vertices at its rim lack triangles; null: the mesh is the whole surface.
  std::shared_ptr<const Renewal> renewal_;
};

}  // namespace shoal
