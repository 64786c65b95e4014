// Finite volumes for depth and momentum on triangles, of first order, with any numerical flux
// (fluxes/flux.hpp). The unknowns per triangle are the volume V and the momentum M = V v in a local frame:
// axis 1 along the first edge, axis 2 = normal × axis 1. The flux across an edge is F(L, R) of the two states
// in the edge's frame, cut at the higher bed (hydrostatic reconstruction, Audusse et al. 2004,
// doi:10.1137/S1064827503431090); the force of the bed is a source centred on the edge:
//
//     V_t = −Σ_e l_e F_η,    M_t = −Σ_e l_e (F_u + a b) n + F_w n⊥,    η* = max(0, η − d),
//     b = ½(η + η') min(d, η) − η max(0, d' − η'),    d = max(0, H − H'), d' = max(0, H' − H),
//
// where primes denote the other side. Well balanced over any bed; a uniform film runs down a slope with its
// full weight, however high the steps of the bed. Stable under forward Euler for Δt ≤ min Aₖ / Σ_e l_e s,
// with s the flux's bound of the wave speed; depths stay nonnegative if the flux is positive. Derivation:
// discretizations/finite_volume.md.
#pragma once

#include "discretizations/face_momentum.hpp"
#include "discretizations/reconstructions/constant.hpp"

namespace shoal {

/// All parts of a finite-volume scheme except its loops over edges.
class FiniteVolume : public FaceMomentum {
 public:
  /// The scheme's flux, and its bound of the speed, for a single pair of states. The loops over edges do not
  /// use these virtual functions.
  virtual EdgeFlux edge_flux(const EdgeState& left, const EdgeState& right, double gravity) const = 0;
  virtual double edge_speed(const EdgeState& own, const EdgeState& other, double gravity) const = 0;

 protected:
  using FaceMomentum::FaceMomentum;
  /// Fluxes through the edges between two faces.
  virtual void compute_inner_fluxes(const FaceWater& water, const Vector& edge_acceleration,
                                    EdgeLosses& losses) const = 0;
  virtual void compute_inner_speeds(const FaceWater& water, const Vector& edge_acceleration,
                                    Vector& speed) const = 0;

 private:
  /// Walls are treated by reflection.
  void compute_fluxes(const FaceWater& water, const Forces& forces, EdgeLosses& losses) const final;
  void compute_speeds(const FaceWater& water, const Forces& forces, Vector& speed) const final;
};

/// The scheme of one flux, evaluated at the states of a reconstruction with limited slopes. Its loops over
/// edges contain all three inline, without function calls.
template <NumericalFlux Flux, class Reconstruction = ConstantReconstruction, class Limiter = Unlimited>
class FluxScheme final : public FiniteVolume {
 public:
  struct SchemeOptions {
    FaceMomentumOptions scheme;
    Flux flux;
    Limiter limiter;
    static Options<SchemeOptions> describe() {
      Options<SchemeOptions> options;
      options.part(&SchemeOptions::scheme, FaceMomentumOptions::describe());
      if constexpr (requires { Flux::describe(); }) options.part(&SchemeOptions::flux, Flux::describe());
      if constexpr (requires { Limiter::describe(); })
        options.part(&SchemeOptions::limiter, Limiter::describe());
      return options;
    }
  };

  FluxScheme(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
             const Parameters& parameters)
      : FluxScheme(mesh, geometry, bed_depth, parameters, read_options<SchemeOptions>(parameters)) {}

  EdgeFlux edge_flux(const EdgeState& left, const EdgeState& right, double gravity) const override {
    return flux_(left, right, gravity);
  }
  double edge_speed(const EdgeState& own, const EdgeState& other, double gravity) const override {
    return flux_.speed(own, other, gravity);
  }

 private:
  FluxScheme(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
             const Parameters& parameters, const SchemeOptions& options)
      : FiniteVolume(mesh, geometry, bed_depth, parameters, options.scheme),
        flux_(options.flux),
        limiter_(options.limiter) {}

  void compute_inner_fluxes(const FaceWater& water, const Vector& edge_acceleration,
                            EdgeLosses& losses) const override;
  void compute_inner_speeds(const FaceWater& water, const Vector& edge_acceleration,
                            Vector& speed) const override;

  const Flux flux_;
  const Limiter limiter_;
};

/// Hydrostatic reconstruction with a centred bed source: both sides are cut at the higher bed. The side whose
/// bed is lower (by `drop`) exerts pressure with the mean depth on the part of the step that it covers; over
/// the rest of the step, the water of the upper side falls.
template <NumericalFlux Flux, class Reconstruction, class Limiter>
void FluxScheme<Flux, Reconstruction, Limiter>::compute_inner_fluxes(const FaceWater& water,
                                                                     const Vector& edge_acceleration,
                                                                     EdgeLosses& losses) const {
  const Index edges = mesh_.edge_count();
  const double *length = length_.data(), *acceleration = edge_acceleration.data();
  const double *nl1 = normal_left_1_.data(), *nl2 = normal_left_2_.data();
  const double *nr1 = normal_right_1_.data(), *nr2 = normal_right_2_.data();
  double *volume_loss = losses.volume.data(), *loss_1 = losses.momentum_1.data(),
         *loss_2 = losses.momentum_2.data();
  const auto sides_of = Reconstruction().prepare(cells_and_edges(water), limiter_);
  // flatten: inlines reconstruction and flux into the loop, so that it is vectorised.
  parallel_for(
      inner_edges_, [ =, flux = flux_ ](Index begin, Index end) __attribute__((flatten)) {
#pragma omp simd
        for (Index e = begin; e < end; ++e) {
          const Sides sides = sides_of(e);
          const double a = acceleration[e];
          const double bed =
              sides.bed_left < sides.bed_right ? sides.bed_left : sides.bed_right;  // H is positive downwards
          const double drop_left = sides.bed_left - bed,
                       drop_right = sides.bed_right - bed;  // one of the two is 0
          const double depth_left = sides.left.depth, depth_right = sides.right.depth;
          const double cut_left = depth_left - drop_left, cut_right = depth_right - drop_right;
          const EdgeState from = {cut_left > 0 ? cut_left : 0, sides.left.normal, sides.left.tangential};
          const EdgeState to = {cut_right > 0 ? cut_right : 0, sides.right.normal, sides.right.tangential};
          const EdgeFlux through = flux(from, to, a);

          const double volume = length[e] * through.volume, tangential = length[e] * through.tangential;
          const double mean = 0.5 * (depth_left + depth_right);
          const double fall_left = cut_right < 0 ? -cut_right : 0, fall_right = cut_left < 0 ? -cut_left : 0;
          const double pressed_left =
              length[e] * (through.momentum + a * (mean * (drop_left - fall_right) - depth_left * fall_left));
          const double pressed_right =
              length[e] *
              (through.momentum + a * (mean * (drop_right - fall_left) - depth_right * fall_right));
          volume_loss[e] = volume;
          loss_1[e] = pressed_left * nl1[e] - tangential * nl2[e];
          loss_2[e] = pressed_left * nl2[e] + tangential * nl1[e];
          volume_loss[edges + e] = -volume;
          loss_1[edges + e] = -(pressed_right * nr1[e] - tangential * nr2[e]);
          loss_2[edges + e] = -(pressed_right * nr2[e] + tangential * nr1[e]);
        }
      });
}

template <NumericalFlux Flux, class Reconstruction, class Limiter>
void FluxScheme<Flux, Reconstruction, Limiter>::compute_inner_speeds(const FaceWater& water,
                                                                     const Vector& edge_acceleration,
                                                                     Vector& speed) const {
  const auto sides_of = Reconstruction().prepare(cells_and_edges(water), limiter_);
  for (Index e = 0; e < inner_edges_; ++e) {
    const double a = edge_acceleration[e];
    const Sides sides = sides_of(e);
    speed[left_[e]] += length_[e] * flux_.speed(sides.left, sides.right, a);
    speed[right_[e]] += length_[e] * flux_.speed(sides.right.mirrored(), sides.left.mirrored(), a);
  }
}

/// The entry of the finite-volume scheme with this flux; its parameters are those of every such scheme, of
/// the flux and of the limiter. The caller sets `positive` and `order_limit` where they apply.
template <NumericalFlux Flux, class Reconstruction = ConstantReconstruction, class Limiter = Unlimited>
DiscretizationEntry describe_finite_volume(std::string name, std::string summary) {
  return describe_face_momentum<FluxScheme<Flux, Reconstruction, Limiter>>(std::move(name),
                                                                           std::move(summary));
}

}  // namespace shoal
