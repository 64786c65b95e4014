// Finite volumes for depth and momentum on triangles, of first order or, with linear reconstruction
// (reconstructions/linear.hpp), of second, with any numerical flux (fluxes/flux.hpp). The unknowns per triangle are the volume V and the momentum M = V v in a local frame:
// axis 1 along the first edge, axis 2 = normal × axis 1. The flux across an edge is F(L, R) of the two states
// in the edge's frame, cut at the higher bed (hydrostatic reconstruction, Audusse et al. 2004,
// doi:10.1137/S1064827503431090); the force of the bed is a source centred on the edge:
//
//     V_t = −Σ_e l_e F_η,    M_t = −Σ_e l_e (F_u + a b) n + F_w n⊥,    η* = max(0, η − d),
//     b = ½(η + η') min(d, η) − η max(0, d' − η'),    d = max(0, H − H'), d' = max(0, H' − H),
//
// where primes denote the other side. Well balanced over any bed; a uniform film runs down a slope with its
// full weight, however high the steps of the bed. Stable under forward Euler for Δt ≤ min Aₖ / Σ_e l_e s,
// with slopes Δt ≤ min Aₖ / (3 max_e l_e s), with s the flux's bound of the wave speed; depths stay nonnegative if the flux is positive. Derivation:
// discretizations/finite_volume.md.
#pragma once

#include "discretizations/face_momentum.hpp"
#include "discretizations/limiters/limiter.hpp"
#include "discretizations/reconstructions/linear.hpp"

namespace shoal {

enum class ReconstructionKind { constant, linear };

struct FiniteVolumeOptions {
  FaceMomentumOptions scheme;
  ReconstructionKind reconstruction = ReconstructionKind::constant;
  std::string limiter = limiters().front().name;
  static Options<FiniteVolumeOptions> describe();
};

/// The layers of triangles on which a flux depends.
inline double finite_volume_reach(const Parameters& parameters) {
  // slopes: with the neighbours of both faces, and at open boundaries with the neighbours of these
  return read_options<FiniteVolumeOptions>(parameters).reconstruction == ReconstructionKind::linear ? 1.5
                                                                                                    : 0.5;
}

/// An edge under hydrostatic reconstruction with a centred bed source: both sides are cut at the higher bed. The side
/// whose bed is lower (by `drop`) exerts pressure with the mean depth on the part of the step that it covers; over
/// the rest of the step, the water of the upper side falls.
struct CutEdge {
  EdgeState from, to;            ///< the water above the higher bed
  double step_left, step_right;  ///< force of the step of the bed on either side, divided by l a, m²

  explicit CutEdge(const Sides& sides) {
    const double bed =
        sides.bed_left < sides.bed_right ? sides.bed_left : sides.bed_right;  // H is positive downwards
    const double drop_left = sides.bed_left - bed, drop_right = sides.bed_right - bed;  // one of the two is 0
    const double depth_left = sides.left.depth, depth_right = sides.right.depth;
    const double cut_left = depth_left - drop_left, cut_right = depth_right - drop_right;
    from = {cut_left > 0 ? cut_left : 0, sides.left.normal, sides.left.tangential};
    to = {cut_right > 0 ? cut_right : 0, sides.right.normal, sides.right.tangential};
    const double mean = 0.5 * (depth_left + depth_right);
    const double fall_left = cut_right < 0 ? -cut_right : 0, fall_right = cut_left < 0 ? -cut_left : 0;
    step_left = mean * (drop_left - fall_right) - depth_left * fall_left;
    step_right = mean * (drop_right - fall_left) - depth_right * fall_right;
  }
};

/// All parts of a finite-volume scheme except its loops over edges, compute_fluxes() and compute_speeds().
class FiniteVolume : public FaceMomentum, public Linearises {
 public:
  /// The scheme's flux, and its bound of the speed, for pairs of states. The loops over edges do not use
  /// these virtual functions.
  virtual EdgeFlux edge_flux(const EdgeState& left, const EdgeState& right, double gravity) const = 0;
  virtual double edge_speed(const EdgeState& own, const EdgeState& other, double gravity) const = 0;
  /// The same for many pairs.
  virtual void edge_fluxes(const Array<EdgeState>& left, const Array<EdgeState>& right, double gravity,
                           Array<EdgeFlux>& flux) const {
    flux.resize(left.size());
    for (Index i = 0; i < left.size(); ++i) flux[i] = edge_flux(left[i], right[i], gravity);
  }
  virtual void edge_speeds(const Array<EdgeState>& own, const Array<EdgeState>& other, double gravity,
                           Array<double>& speed) const {
    speed.resize(own.size());
    for (Index i = 0; i < own.size(); ++i) speed[i] = edge_speed(own[i], other[i], gravity);
  }
  void refresh(State* carried) override;
  std::unique_ptr<Jacobian> make_jacobian() const override;

 protected:
  FiniteVolume(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
               const Parameters& parameters, const FiniteVolumeOptions& options);
  /// The loss of the face at wall e by the momentum flux between its water and the reflected one.
  void set_reflection(const FaceWater& water, Index e, double momentum, double acceleration,
                      EdgeLosses& losses) const {
    set_wall_loss(e, length_[e] * (momentum + acceleration * weight_left(water, e)), losses);
  }
  /// visit(sides_of), where sides_of(e) are the Sides of edge e.
  template <class Visit>
  void visit_sides(const FaceWater& water, const Visit& visit) const {
    const Traces& traces = water.traces;
    if (traces.empty())
      visit(ConstantReconstruction{cells_and_edges(water)});
    else
      visit(TracedSides{traces.depth.data(), traces.normal.data(), traces.tangential.data(),
                        traces.bed.data(), traces.weight.data(), mesh_.edge_count()});
  }
  /// Σ l s, or with slopes 3 max l s: the mean of a cell is that of the values at the midpoints of its edges, so that a third of
  /// the cell supplies each edge.
  void add_speed(const FaceWater& water, double of_edge, double& speed) const {
    speed = water.traces.empty() ? speed + of_edge : std::max(speed, 3 * of_edge);
  }

 private:
  friend class UpwindJacobian;
  void reconstruct(const Forces& forces, FaceWater& water) const final;
  void measure_slopes();

  const LimiterEntry* limiter_ = nullptr;  // null without slopes
  LinearReconstruction linear_;
};

/// The scheme of one flux. Its loops over edges contain flux and reconstruction inline, without function calls.
template <NumericalFlux Flux>
class FluxScheme final : public FiniteVolume {
 public:
  struct SchemeOptions {
    FiniteVolumeOptions scheme;
    Flux flux;
    static Options<SchemeOptions> describe() {
      Options<SchemeOptions> options;
      options.part(&SchemeOptions::scheme, FiniteVolumeOptions::describe());
      if constexpr (requires { Flux::describe(); }) options.part(&SchemeOptions::flux, Flux::describe());
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
      : FiniteVolume(mesh, geometry, bed_depth, parameters, options.scheme), flux_(options.flux) {}

  /// Walls are treated by reflection.
  void compute_fluxes(const FaceWater& water, const Forces& forces, EdgeLosses& losses) const override;
  void compute_speeds(const FaceWater& water, const Forces& forces, Vector& speed) const override;
  template <class SidesOf>
  void add_fluxes(const SidesOf& sides_of, const Vector& edge_acceleration, EdgeLosses& losses) const;

  const Flux flux_;
};

template <NumericalFlux Flux>
template <class SidesOf>
void FluxScheme<Flux>::add_fluxes(const SidesOf& sides_of, const Vector& edge_acceleration,
                                  EdgeLosses& losses) const {
  const Index edges = mesh_.edge_count();
  const double *length = length_.data(), *acceleration = edge_acceleration.data();
  const double *nl1 = normal_left_1_.data(), *nl2 = normal_left_2_.data();
  const double *nr1 = normal_right_1_.data(), *nr2 = normal_right_2_.data();
  double *volume_loss = losses.volume.data(), *loss_1 = losses.momentum_1.data(),
         *loss_2 = losses.momentum_2.data();
  // flatten: inlines reconstruction and flux into the loop, so that it is vectorised.
  parallel_for(
      inner_edges_, [ =, flux = flux_ ](Index begin, Index end) __attribute__((flatten)) {
#pragma omp simd
        for (Index e = begin; e < end; ++e) {
          const Sides sides = sides_of(e);
          const double a = acceleration[e];
          const CutEdge edge(sides);
          const EdgeFlux through = flux(edge.from, edge.to, a);
          const double volume = length[e] * through.volume, tangential = length[e] * through.tangential;
          double step_left = edge.step_left, step_right = edge.step_right;
          if constexpr (SidesOf::has_slopes) {
            step_left += sides_of.weight[e];
            step_right += sides_of.weight[edges + e];
          }
          const double pressed_left = length[e] * (through.momentum + a * step_left);
          const double pressed_right = length[e] * (through.momentum + a * step_right);
          volume_loss[e] = volume;
          loss_1[e] = pressed_left * nl1[e] - tangential * nl2[e];
          loss_2[e] = pressed_left * nl2[e] + tangential * nl1[e];
          volume_loss[edges + e] = -volume;
          loss_1[edges + e] = -(pressed_right * nr1[e] - tangential * nr2[e]);
          loss_2[edges + e] = -(pressed_right * nr2[e] + tangential * nr1[e]);
        }
      });
}

template <NumericalFlux Flux>
void FluxScheme<Flux>::compute_fluxes(const FaceWater& water, const Forces& forces,
                                      EdgeLosses& losses) const {
  const Vector& a = edge_acceleration(forces);
  visit_sides(water, [&](const auto& sides_of) { add_fluxes(sides_of, a, losses); });
  for (Index e = inner_edges_; e < mesh_.edge_count(); ++e) {
    const EdgeState inside = state_left(water, e);
    set_reflection(water, e, flux_(inside, inside.mirrored(), a[e]).momentum, a[e], losses);
  }
}

template <NumericalFlux Flux>
void FluxScheme<Flux>::compute_speeds(const FaceWater& water, const Forces& forces, Vector& speed) const {
  const Vector& a = edge_acceleration(forces);
  speed.setZero(cells_.count());
  visit_sides(water, [&](const auto& sides_of) {
    for (Index e = 0; e < inner_edges_; ++e) {
      const Sides sides = sides_of(e);
      add_speed(water, length_[e] * flux_.speed(sides.left, sides.right, a[e]), speed[left_[e]]);
      add_speed(water, length_[e] * flux_.speed(sides.right.mirrored(), sides.left.mirrored(), a[e]),
                speed[right_[e]]);
    }
  });
  for (Index e = inner_edges_; e < mesh_.edge_count(); ++e) {
    const EdgeState inside = state_left(water, e);
    add_speed(water, length_[e] * flux_.speed(inside, inside.mirrored(), a[e]), speed[left_[e]]);
  }
}

/// The entry of the finite-volume scheme with this flux; its parameters are those of every such scheme and of
/// the flux. The caller sets `positive` and `order_limit` where they apply.
template <NumericalFlux Flux>
DiscretizationEntry describe_finite_volume(std::string name, std::string summary) {
  DiscretizationEntry entry = describe_face_momentum<FluxScheme<Flux>>(std::move(name), std::move(summary));
  entry.reach = finite_volume_reach;
  return entry;
}

}  // namespace shoal
