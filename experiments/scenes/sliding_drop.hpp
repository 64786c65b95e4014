// The exact flow of a parabolic drop of water that spreads while it slides down a plane.
#pragma once

namespace shoal {

/// A drop with the depth h₀(1 − r²/a²), at rest at t = 0 on a dry plane bed z = −S x, without friction. In the frame that
/// falls with the acceleration gS along x, the bed is level, and the drop is a case of Thacker's flows with velocities linear in
/// the coordinates (1981, doi:10.1017/S0022112081001882): with r the distance from its centre at x = ½gSt²,
///
///     η = (h₀/λ²)(1 − (r/λa)²),    v = gSt x̂ + (λ'/λ) r,    λ = √(1 + kt²),    k = 2gh₀/a².
///
/// Mass: η_t = −2(λ'/λ)η − r ∂η/∂r (λ'/λ) = −∇·(ηv). Momentum in this frame: (λ''/λ) r = −g∂η/∂r requires λ'' = k/λ³; λ is its
/// solution from rest.
struct SlidingDrop {
  double depth = 0.1, radius = 1;  ///< h₀, a, m
  double slope = 0.1;              ///< S, fall along x
  double gravity = 9.81;           ///< g, m/s²

  double rate() const { return 2 * gravity * depth / (radius * radius); }  ///< k, 1/s²
  double spread(double time) const;                                        ///< λ
  double centre(double time) const { return 0.5 * gravity * slope * time * time; }
  /// Depth, m, and velocity, m/s, at x and y from the initial centre; outside of the drop 0.
  double depth_at(double x, double y, double time) const;
  struct Velocity {
    double x, y;
  };
  Velocity velocity_at(double x, double y, double time) const;
  /// The least x that the drop has reached up to a time: it spreads uphill first, then slides down.
  double least_x(double time) const;
};

}  // namespace shoal
