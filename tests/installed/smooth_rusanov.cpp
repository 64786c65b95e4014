// smooth-rusanov: Rusanov's flux with a smooth bound s of the wave speeds, so that integrators keep their order:
//
//     F = ½(f(L) + f(R)) − ½ s (U_R − U_L),    s⁴ = s_L⁴ + s_R⁴,    s_L² = 5u_L² + 5/4 gη_L ≥ (|u_L| + √(gη_L))².
#include "discretizations/finite_volume.hpp"

#include <cmath>

namespace shoal {
namespace {

struct SmoothRusanov {
  EdgeFlux operator()(const EdgeState& left, const EdgeState& right, double gravity) const {
    const double s = speed(left, right, gravity), from = left.volume_flux(), to = right.volume_flux();
    return {0.5 * (from + to - s * (right.depth - left.depth)),
            0.5 * (left.momentum_flux(gravity) + right.momentum_flux(gravity) - s * (to - from)),
            0.5 * (from * left.tangential + to * right.tangential -
                   s * (right.depth * right.tangential - left.depth * left.tangential))};
  }

  double speed(const EdgeState& own, const EdgeState& other, double gravity) const {
    const double a = square(own, gravity), b = square(other, gravity);
    return std::sqrt(std::sqrt(a * a + b * b));
  }

 private:
  static double square(const EdgeState& state, double gravity) {
    return 5 * state.normal * state.normal + 1.25 * gravity * state.depth;
  }
};

}  // namespace

DiscretizationEntry smooth_rusanov() {
  DiscretizationEntry entry = describe_finite_volume<SmoothRusanov>(
      "smooth-rusanov",
      "depth and momentum on triangles; finite volumes with a smooth form of Rusanov's flux");
  entry.positive = true;
  return entry;
}

}  // namespace shoal
