// Shallow water on a sphere or a plane, symmetric about an axis: a fine one-dimensional computation as the reference for nonlinear
// waves and dam breaks.
#pragma once

#include "discretizations/common/types.hpp"

#include <deque>
#include <functional>
#include <mutex>

namespace shoal {

/// The problem: rest at t = 0 on a flat bed, on a sphere or in a circular basin with a wall.
struct AxisymmetricSetting {
  double radius = 1;        ///< R of the sphere, m; the plane is described by plane_radius
  double plane_radius = 0;  ///< of the wall of a plane basin, m; 0: a sphere
  double gravity = 9.81;    ///< g, m/s²
  std::function<double(double)>
      depth;  ///< η(θ) at t = 0, m; θ is the angle from the axis, rad; in the plane η(r), r in m
  double length = 0.5;  ///< smallest scale of η, rad; in the plane m
  double amplitude =
      0.1;  ///< scale of the variation of η, m; 0 limits every extremum, as a dam break requires
  bool advection = true;    ///< false omits u·∂u/∂θ
  Index cells = 1000;       ///< between the poles, or the axis and the wall
  double memory = 1 << 26;  ///< bytes

  bool plane() const { return plane_radius > 0; }
};

/// Solves, with u the velocity along the meridians, by second-order finite volumes on rings
///
///     η_t + 1/(R sin θ) ∂θ(sin θ η u) = 0,
///     (ηu)_t + 1/(R sin θ) ∂θ(sin θ (ηu² + ½gη²)) = ½gη² cos θ/(R sin θ)        with advection,
///     u_t + (g/R) ∂θη = 0                                                       without.
///
/// In the plane r stands for Rθ and r/R for sin θ:
///
///     η_t + ∂r(r η u)/r = 0,    (ηu)_t + ∂r(r (ηu² + ½gη²))/r = ½gη²/r.
///
/// Any thread may evaluate any times in any order. A time far before the last one restarts the computation, because only its
/// latest `memory` bytes are kept. Method: experiments/scenes/axisymmetric.md.
class AxisymmetricFlow {
 public:
  explicit AxisymmetricFlow(AxisymmetricSetting setting);

  /// η [n] at angles θ [n] in [0, π], or distances r in m up to the wall, and time t ≥ 0, by cubic interpolation in time and
  /// space, whose error is below that of the finite volumes. NaN from the time at which the computation runs dry or its flow is
  /// much faster than waves. Must not be called if work_rate() is not finite.
  void evaluate(const Vector& angle, double time, Vector& depth);

  /// Number of ring updates per second of the flow, as long as it is slower than waves.
  double work_rate() const;

 private:
  using Array = Eigen::ArrayXd;

  /// Depth and transported quantity (ηu with advection, u without), one value per ring.
  struct Rings {
    Array depth, motion;
  };
  /// Values of one quantity at the faces, from the previous ring (left) and the next ring (right).
  struct Traces {
    Array left, right;
  };

  void begin();
  void advance_one_frame();
  void step(double dt);
  void rates(const Rings& rings, Rings& rate);
  static void reconstruct(const Array& values, double parity, double smooth, Array& extended, Traces& traces);
  template <bool advection>
  void fluxes();
  Vector profile(double time);

  AxisymmetricSetting setting_;
  double radius_;          // R; 1 m in the plane
  double spacing_;         // Δθ; Δr
  double celerity_;        // of the deepest ring at t = 0, m/s
  double frame_interval_;  // s
  double smooth_depth_jump_, smooth_velocity_jump_;
  Array face_sine_;  // [cells+1] sin θ, exactly 0 at the poles; r
  Array ring_area_;  // [cells] ∫ sin θ dθ; ∫ r dr

  std::mutex mutex_;  // guards the following members
  Rings now_;
  std::deque<Array> frames_;  // η from time first_frame_·Δ on, with Δ = frame_interval_
  std::size_t first_frame_ = 0;
  // Work space of one stage.
  Rings stage_, rate_;
  Array velocity_, extended_, depth_flux_, motion_flux_;
  Traces depth_trace_, velocity_trace_;
};

}  // namespace shoal
