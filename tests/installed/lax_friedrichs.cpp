// lax-friedrichs: finite volumes of first order on triangles, with the local Lax–Friedrichs flux (Rusanov 1962,
// doi:10.1016/0041-5553(62)90062-9), as a whole scheme of its own; a flux alone is a smaller file, as
// smooth_rusanov.cpp. Over a bed this scheme dissipates jumps of the elevation h = η − H instead of the depth
// (Xing & Shu 2005, doi:10.1016/j.jcp.2005.02.006), so that water at rest stays at rest.
//
// Depth η and velocity (u, w) normal and tangential to an edge of length l; from the left triangle L to the right one R flow
//
//     volume              l [ ½(η_L u_L + η_R u_R) − ½c (h_R − h_L) ],
//     normal momentum     l [ ½(η_L u_L² + η_R u_R²) − ½c (η_R u_R − η_L u_L) + p ],
//     tangential          l [ ½(η_L u_L w_L + η_R u_R w_R) − ½c (η_R w_R − η_L w_L) ],
//     p = |aₙ| (½η² + ¼(η_L + η_R)(h_other − h)),
//
// where p is the pressure that either side feels: over a level bed the mean of both ½|aₙ|η², at rest its own,
// and that adds up to zero around a triangle. A wall is a mirror.
//
// Rusanov's c is the larger |u| + √(|aₙ|η) of both sides. Its kinks would hold every method in time at second
// order, so we take a smooth bound on it: c⁴ = s_L⁴ + s_R⁴, s² = 5u² + 5/4 |aₙ|η ≥ (|u| + √(|aₙ|η))².
// Stable under forward Euler for Δt ≤ min A / Σ l c. For wet beds: a depth below zero ends a run as unstable.
#include "discretizations/face_momentum.hpp"

#include <cmath>

namespace shoal {
namespace {

/// s⁴
double speed_4(const EdgeState& side, double acceleration) {
  const double squared = 5 * side.normal * side.normal + 1.25 * acceleration * side.depth;
  return squared * squared;
}

double wave_speed(const EdgeState& left, const EdgeState& right, double acceleration) {
  return std::sqrt(std::sqrt(speed_4(left, acceleration) + speed_4(right, acceleration)));
}

/// `step`: h_other − h
double pressure(const EdgeState& own, const EdgeState& other, double step, double acceleration) {
  return acceleration * (0.5 * own.depth * own.depth + 0.25 * (own.depth + other.depth) * step);
}

class LaxFriedrichs final : public FaceMomentum {
 public:
  using SchemeOptions = FaceMomentumOptions;

  LaxFriedrichs(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                const Parameters& parameters)
      : FaceMomentum(mesh, geometry, bed_depth, parameters, read_options<SchemeOptions>(parameters)) {}

 private:
  void compute_fluxes(const FaceWater& water, const Forces& forces, EdgeLosses& losses) const override {
    for_each_edge(water, [&](Index e, const EdgeState& left, const EdgeState& right, double step) {
      const double a = edge_acceleration(forces)[e], c = wave_speed(left, right, a), l = length_[e];
      const auto flux = [&](double carried_left, double carried_right) {
        return 0.5 * (left.volume_flux() * carried_left + right.volume_flux() * carried_right) -
               0.5 * c * (right.depth * carried_right - left.depth * carried_left);
      };
      const double volume = 0.5 * (left.volume_flux() + right.volume_flux()) - 0.5 * c * step;
      const double momentum = flux(left.normal, right.normal);
      const double pressed_left = l * (momentum + pressure(left, right, step, a));
      if (e >= inner_edges_) return set_wall_loss(e, pressed_left, losses);
      set_losses(e, l * volume, pressed_left, l * (momentum + pressure(right, left, -step, a)),
                 l * flux(left.tangential, right.tangential), losses);
    });
  }

  void compute_speeds(const FaceWater& water, const Forces& forces, Vector& speed) const override {
    speed.setZero(cells_.count());
    for_each_edge(water, [&](Index e, const EdgeState& left, const EdgeState& right, double) {
      const double of_edge = length_[e] * wave_speed(left, right, edge_acceleration(forces)[e]);
      speed[left_[e]] += of_edge;
      if (e < inner_edges_) speed[right_[e]] += of_edge;
    });
  }

  /// visit(edge, water on the left, water on the right or the mirror image, h_right − h_left)
  template <class Visit>
  void for_each_edge(const FaceWater& water, const Visit& visit) const {
    for (Index e = 0; e < mesh_.edge_count(); ++e) {
      const EdgeState left = state_left(water, e);
      if (e >= inner_edges_)
        visit(e, left, left.mirrored(), 0.0);
      else
        visit(
            e, left, state_right(water, e),
            water.depth[right_[e]] - cells_.bed[right_[e]] - (water.depth[left_[e]] - cells_.bed[left_[e]]));
    }
  }
};

}  // namespace

DiscretizationEntry lax_friedrichs() {
  return describe_face_momentum<LaxFriedrichs>("lax-friedrichs",
                                               "depth and momentum on triangles; the local Lax–Friedrichs "
                                               "flux of elevation and momentum, first order, "
                                               "well balanced");
}

}  // namespace shoal
