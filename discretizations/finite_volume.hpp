// Finite volumes of depth and momentum on triangles, of first order, with any numerical flux (fluxes/flux.hpp). Per triangle
// the volume V and the momentum M = V v in its own frame: axis 1 along its first edge, axis 2 = normal × axis 1. Across an edge
// flows F(L, R) of the states in the edge's frame, cut at the higher bed (hydrostatic reconstruction, Audusse et al. 2004,
// doi:10.1137/S1064827503431090), and the bed pushes with a source that is centred on the edge:
//
//     V_t = −Σ_e l_e F_η,    M_t = −Σ_e l_e (F_u + a b) n + F_w n⊥,    η* = max(0, η − d),
//     b = ½(η + η') min(d, η) − η max(0, d' − η'),    d = max(0, H − H'), d' = max(0, H' − H),
//
// primed: the other side. Water at rest over any bed stays at rest, and a uniform film runs down a slope with the whole of its
// weight, however high the steps of the bed. Stable under forward Euler for Δt ≤ min Aₖ / Σ_e l_e s, s the flux's bound of the
// wave speed; depths do not become negative where the flux is positive. Derivation: discretizations/finite_volume.md.
#pragma once

#include "discretizations/discretization.hpp"
#include "discretizations/fluxes/flux.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/gather_sum.hpp"

#include <algorithm>

namespace shoal {

/// Options of every finite-volume scheme.
struct FiniteVolumeOptions {
  double dry_depth = 1e-12;  ///< m
  static Options<FiniteVolumeOptions> describe();
};

/// All of a finite-volume scheme but its flux.
class FiniteVolume : public Discretization {
 public:
  State project(const Fields& fields) const override;
  void refresh(State* carried) override;
  void lower(State& state) const override;
  void raise(State& state) const override;
  void add_surface_velocity(const Points& surface_velocity, double scale, State& state) const override;
  void add_rates(const State& state, const Forces& forces, Terms terms, double scale,
                 State& rate) const override;
  void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate) const override;
  double stable_dt(const State& state, const Forces& forces, Terms terms) const override;
  std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces) const override;
  void turn_velocity(double dt, const Forces& forces, State& state) const override;
  void add_velocity(const Points& velocity, State& state) const override;
  double kinetic_energy(const State& state) const override;

  /// The scheme's flux and its bound of the speed for a single pair of states, for tests: the scheme itself calls
  /// neither once per edge.
  virtual EdgeFlux edge_flux(const EdgeState& left, const EdgeState& right, double gravity) const = 0;
  virtual double edge_speed(const EdgeState& own, const EdgeState& other, double gravity) const = 0;

 protected:
  FiniteVolume(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
               const Parameters& parameters, const FiniteVolumeOptions& options);

  /// What the faces lose through all edges, walls included, from the primitive variables.
  virtual void compute_fluxes(const Forces& forces) const = 0;
  /// speed_ = Σ_e l_e s of every face.
  virtual void compute_speeds(const Forces& forces) const = 0;

  EdgeState state_left(Index e) const { return state_at(left_[e], normal_left_1_[e], normal_left_2_[e]); }
  EdgeState state_right(Index e) const { return state_at(right_[e], normal_right_1_[e], normal_right_2_[e]); }

  // Edges with faces on both sides first, then walls. Per edge: mesh edge, faces, length, and the unit normal
  // from left to right in the frame of either side; the tangent is that normal turned by 90° to the left.
  Index inner_edges_ = 0;
  Array<Index> edge_, left_, right_;
  Vector length_, normal_left_1_, normal_left_2_, normal_right_1_, normal_right_2_;

  mutable Vector depth_, velocity_1_, velocity_2_;  // [nF] in the faces' frames
  mutable Vector speed_;                            // [nF] m²/s
  // [2·nE + 1] what the left faces lose through each edge, then what the right ones do; a zero.
  mutable Vector volume_loss_, momentum_loss_1_, momentum_loss_2_;

 private:
  void derive_forces(const Vector& normal_acceleration, const Forcing& forcing,
                     Forces& forces) const override;
  void add_open_edge(Index edge, Index set, BoundaryKind kind,
                     Array<OpenBoundary::Place>& places) const override;
  bool discharge_is_source() const override { return false; }
  void declare_outputs();
  void number_edges();
  void place_cells();
  void measure_edges();
  void compute_primitive(const State& state) const;
  void compute_open_fluxes(const Forces& forces) const;
  void split_body_acceleration(const Points& body_acceleration, Vector& body_force) const;
  void compute_source_velocity(const Forces& forces) const;
  void compute_face_velocity(const State& state) const;
  Vector3 axis(int which, Index face) const;
  EdgeState state_at(Index face, double n1, double n2) const {
    return {std::max(0.0, depth_[face]), velocity_1_[face] * n1 + velocity_2_[face] * n2,
            velocity_2_[face] * n1 - velocity_1_[face] * n2};
  }

  const FiniteVolumeOptions options_;
  mutable double lacking_ = 0;       // m³/s, of discharges outwards
  Vector inverse_area_;              // [nF]
  Array<FaceFrame> frame_, before_;  // the frames of the momentum
  Array<Index> place_of_edge_;       // [nE] in our order of edges
  GatherSum<3> face_sum_;            // of the losses of each face through its edges

  mutable Vector upstream_1_, upstream_2_,
      through_;                   // [nF] of the water that sources bring, less its own; Σ l |u| on one side
  mutable Vector speed_excess_;   // [nE] m²/s, of water at open edges over that before them
  mutable Vector body_rates_;     // [2·nF] tangential body acceleration as rates
  mutable Points face_velocity_;  // [3, nF]
  mutable Vector surface_vorticity_;  // [nF] of the mesh's own motion, 1/s
  mutable Points mesh_acceleration_;  // [3, nV] where mesh and frame move
  mutable Vector mesh_force_;
};

/// The scheme of one flux: its loops over edges, which hold the flux itself and no call.
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

  void compute_fluxes(const Forces& forces) const override {
    compute_inner_fluxes(forces);
    compute_wall_fluxes(forces);
  }
  void compute_inner_fluxes(const Forces& forces) const;
  void compute_wall_fluxes(const Forces& forces) const;
  void compute_speeds(const Forces& forces) const override;

  const Flux flux_;
};

/// Hydrostatic reconstruction with a centred source of the bed: both sides are cut at the higher bed. The lower side, by `drop`,
/// leans with the mean depth against as much of the step as it covers; the rest of the step the water of the upper side falls.
template <NumericalFlux Flux>
void FluxScheme<Flux>::compute_inner_fluxes(const Forces& forces) const {
  const Index edges = mesh_.edge_count();
  const Index *left = left_.data(), *right = right_.data();
  const double *length = length_.data(), *acceleration = forces.edge_acceleration.data();
  const double *nl1 = normal_left_1_.data(), *nl2 = normal_left_2_.data();
  const double *nr1 = normal_right_1_.data(), *nr2 = normal_right_2_.data();
  const double *depth = depth_.data(), *v1 = velocity_1_.data(), *v2 = velocity_2_.data();
  const double* cell_bed = cells_.bed.data();
  double *volume_loss = volume_loss_.data(), *loss_1 = momentum_loss_1_.data(),
         *loss_2 = momentum_loss_2_.data();
  // flatten: the flux becomes a part of the loop, which is vectorised.
  parallel_for(
      inner_edges_, [ =, flux = flux_ ](Index begin, Index end) __attribute__((flatten)) {
#pragma omp simd
        for (Index e = begin; e < end; ++e) {
          const Index l = left[e], r = right[e];
          const double a = acceleration[e];
          const double bed_left = cell_bed[l], bed_right = cell_bed[r];
          const double bed = bed_left < bed_right ? bed_left : bed_right;         // H counts downwards
          const double drop_left = bed_left - bed, drop_right = bed_right - bed;  // of which one is 0
          const double depth_left = depth[l] > 0 ? depth[l] : 0, depth_right = depth[r] > 0 ? depth[r] : 0;
          const double cut_left = depth_left - drop_left, cut_right = depth_right - drop_right;
          const EdgeState from = {cut_left > 0 ? cut_left : 0, v1[l] * nl1[e] + v2[l] * nl2[e],
                                  v2[l] * nl1[e] - v1[l] * nl2[e]};
          const EdgeState to = {cut_right > 0 ? cut_right : 0, v1[r] * nr1[e] + v2[r] * nr2[e],
                                v2[r] * nr1[e] - v1[r] * nr2[e]};
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

/// The mirror image across the wall: no mass.
template <NumericalFlux Flux>
void FluxScheme<Flux>::compute_wall_fluxes(const Forces& forces) const {
  for (Index e = inner_edges_; e < mesh_.edge_count(); ++e) {
    const EdgeState water = state_left(e);
    const double momentum = flux_(water, water.mirrored(), forces.edge_acceleration[e]).momentum;
    volume_loss_[e] = 0;
    momentum_loss_1_[e] = length_[e] * momentum * normal_left_1_[e];
    momentum_loss_2_[e] = length_[e] * momentum * normal_left_2_[e];
  }
}

template <NumericalFlux Flux>
void FluxScheme<Flux>::compute_speeds(const Forces& forces) const {
  speed_.setZero(cells_.count());
  for (Index e = 0; e < mesh_.edge_count(); ++e) {
    const double a = forces.edge_acceleration[e];
    const EdgeState left = state_left(e), right = e < inner_edges_ ? state_right(e) : left.mirrored();
    speed_[left_[e]] += length_[e] * flux_.speed(left, right, a);
    if (e < inner_edges_) speed_[right_[e]] += length_[e] * flux_.speed(right.mirrored(), left.mirrored(), a);
  }
}

/// The entry of the finite-volume scheme with this flux; its parameters are those of every such scheme and the
/// flux's own. To be set by the caller where it applies: `positive`, `order_limit`.
template <NumericalFlux Flux>
DiscretizationEntry describe_finite_volume(std::string name, std::string summary) {
  DiscretizationEntry entry = describe_scheme<FluxScheme<Flux>>(std::move(name), std::move(summary));
  entry.terms = Terms::all();
  entry.inseparable = Term::gravity | Term::advection;
  entry.dissipative = true;
  return entry;
}

}  // namespace shoal
