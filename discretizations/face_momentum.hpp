// Base class of schemes with depth and momentum per triangle: geometry, frames, forces, motion, open
// boundaries and outputs, for any flux across the edges.
//
// The unknowns per triangle are the volume V and the momentum M = V v in a local frame: axis 1 along the
// first edge, axis 2 = normal × axis 1.
//
//     V_t = −Σ_e l_e F_η,    M_t = −Σ_e l_e (F_u n + F_w n⊥) + V f/ρ − f_c n×M − c M + sources.
//
// A derived scheme computes l_e F for all edges and a bound of the wave speeds.
#pragma once

#include "discretizations/bed_friction.hpp"
#include "discretizations/entry.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/gather_sum.hpp"
#include "discretizations/reconstructions/reconstruction.hpp"

#include <algorithm>

namespace shoal {

struct FaceMomentumOptions {
  double dry_depth = 1e-6;  ///< m
  static Options<FaceMomentumOptions> describe();
};

/// The data that the scheme derives from aₙ.
struct FaceForces final : SchemeForces {
  Vector edge_acceleration;  ///< [edges] a = |aₙ| at edge midpoints
  std::unique_ptr<SchemeForces> clone() const override { return std::make_unique<FaceForces>(*this); }
};

/// Depth and velocity of the faces, in their local frames.
struct FaceWater {
  Vector depth, velocity_1, velocity_2;  ///< [nF]
  Traces traces;                         ///< empty if the scheme uses the means at edges
};

/// Losses of the left faces through all edges, then of the right faces, and a final zero: [2·nE + 1].
struct EdgeLosses {
  Vector volume, momentum_1, momentum_2;
};

struct FaceScratch final : Scratch {
  FaceWater water;
  EdgeLosses losses;
  Vector speed;  // [nF] m²/s
  Vector upstream_1, upstream_2,
      through;               // [nF] velocity of source water minus v; Σ l |u| over the edges with inflow
  Vector speed_excess;       // [nE] m²/s, excess of the wave speed at open edges over that in the cell
  Vector body_rates;         // [2·nF] tangential body acceleration as rates
  Points face_velocity;      // [3, nF]
  Vector surface_vorticity;  // [nF] vorticity of the mesh velocity, 1/s
  Points mesh_acceleration;  // [3, nV] if the mesh moves in a rotating frame
  Vector mesh_force;
};

/// All parts of such a scheme except the fluxes across its edges.
class FaceMomentum : public Discretization,
                     public MovesWithSurface,
                     public OpensBoundaries,
                     public TurnsVelocity,
                     public DryLand,
                     public BedFriction {
 public:
  std::unique_ptr<Scratch> make_scratch() const override;
  State project(const Fields& fields) const override;
  void refresh(State* carried) override;
  void lower(State& state) const override;
  void raise(State& state) const override;
  void add_surface_velocity(const Points& surface_velocity, double scale, State& state,
                            Scratch& scratch) const override;
  void add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                 Scratch& scratch) const override;
  void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                          Scratch& scratch) const override;
  double opening_power(const State& state, const Forces& forces, Terms terms,
                       Scratch& scratch) const override;
  double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const override;
  std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces,
                                       Scratch& scratch) const override;
  void apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const override;
  void stop_on_dry_land(State& state, const Forces& forces, Scratch& scratch) const override;
  SiteFlow site_flow(const State& state, const Forces& forces, Scratch& scratch) const override;
  Block slowed(State& state) const override { return state[velocity()]; }
  void add_velocity(const Points& velocity, State& state) const override;
  double kinetic_energy(const State& state, Scratch& scratch) const override;

 protected:
  FaceMomentum(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
               const Parameters& parameters, const FaceMomentumOptions& options);

  /// Sets water.traces of a scheme with slopes.
  virtual void reconstruct(const Forces& /*forces*/, FaceWater& /*water*/) const {}
  /// losses = fluxes out of the faces through all edges, walls included.
  virtual void compute_fluxes(const FaceWater& water, const Forces& forces, EdgeLosses& losses) const = 0;
  /// speed = Σ_e l_e s for every face, m²/s, with s the bound of the wave speed.
  virtual void compute_speeds(const FaceWater& water, const Forces& forces, Vector& speed) const = 0;

  void compute_primitive(const State& state, FaceWater& water) const;
  /// rate[boundary_volume] += scale · what enters through open edges by these losses.
  void add_through_places(const OpenBoundary& open, const EdgeLosses& losses, double scale,
                          State& rate) const;

  static const Vector& edge_acceleration(const Forces& forces) {
    return forces.own.as<FaceForces>().edge_acceleration;
  }

  CellsAndEdges cells_and_edges(const FaceWater& water) const {
    return {left_.data(),
            right_.data(),
            water.depth.data(),
            water.velocity_1.data(),
            water.velocity_2.data(),
            cells_.bed.data(),
            normal_left_1_.data(),
            normal_left_2_.data(),
            normal_right_1_.data(),
            normal_right_2_.data()};
  }
  EdgeState state_left(const FaceWater& water, Index e) const {
    if (!water.traces.empty()) return water.traces.state(e);
    return state_at(water, left_[e], normal_left_1_[e], normal_left_2_[e]);
  }
  /// The force of the bed between the centroid of the left face and the edge, divided by l g, m².
  static double weight_left(const FaceWater& water, Index e) {
    return water.traces.empty() ? 0 : water.traces.weight[e];
  }
  /// l a (½η² + w): the pressure of the left face's own water on edge e, m⁴/s².
  double pressed_left(const FaceWater& water, const Forces& forces, Index e) const {
    const double depth = water.traces.empty() ? water.depth[left_[e]] : water.traces.depth[e];
    return length_[e] * edge_acceleration(forces)[e] * (0.5 * depth * depth + weight_left(water, e));
  }
  double bed_left(const FaceWater& water, Index e) const {
    return water.traces.empty() ? cells_.bed[left_[e]] : water.traces.bed[e];
  }
  EdgeState state_right(const FaceWater& water, Index e) const {
    if (!water.traces.empty()) return water.traces.state(mesh_.edge_count() + e);
    return state_at(water, right_[e], normal_right_1_[e], normal_right_2_[e]);
  }

  /// Sets the losses of both faces of edge e: `volume` and `tangential` are antisymmetric; each side has its
  /// own normal momentum flux (`pressed_…`).
  void set_losses(Index e, double volume, double pressed_left, double pressed_right, double tangential,
                  EdgeLosses& losses) const;
  /// Sets the loss of the face at a wall; no mass crosses it.
  void set_wall_loss(Index e, double momentum, EdgeLosses& losses) const;

  // Interior edges first, then walls. Per edge: mesh edge, faces, length, and the unit normal from left to
  // right in the frame of either side; the tangent is that normal rotated by 90° to the left.
  Index inner_edges_ = 0;
  Array<Index> edge_, left_, right_;
  Vector length_, normal_left_1_, normal_left_2_, normal_right_1_, normal_right_2_;
  Array<Index> place_of_edge_;  // [nE] in this scheme's order of edges
  Array<FaceFrame> frame_;      // of the momentum
  Vector inverse_area_;         // [nF]
  GatherSum<3> face_sum_;       // sums the losses of each face over its edges
  const FaceMomentumOptions options_;

 private:
  void derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                     Scratch& scratch) const override;
  std::unique_ptr<SchemeForces> make_forces() const override { return std::make_unique<FaceForces>(); }
  void separate_motion(const Forces& forces, const Forces& under_gravity, Forces& of_motion) const override;
  void add_open_edge(Index edge, Index set, BoundaryKind kind,
                     Array<OpenBoundary::Place>& places) const override;
  bool discharge_is_source() const override { return false; }
  void declare_outputs();
  void number_edges();
  void place_cells();
  void measure_edges();
  double compute_open_fluxes(const FaceWater& water, const Forces& forces, EdgeLosses& losses,
                             Vector& speed_excess) const;
  void split_body_acceleration(const Points& body_acceleration, Vector& body_force, FaceScratch& s) const;
  void compute_source_velocity(const FaceWater& water, const Forces& forces, FaceScratch& s) const;
  void add_source_momentum(const FaceWater& water, const Vector& inflow, const ConstBlock& volumes,
                           const Forces& forces, double scale, Block& momentum_rate) const;
  void compute_face_velocity(const FaceWater& water, Points& velocity) const;
  Vector3 axis(int which, Index face) const;
  static EdgeState state_at(const FaceWater& water, Index face, double n1, double n2) {
    return {std::max(0.0, water.depth[face]), water.velocity_1[face] * n1 + water.velocity_2[face] * n2,
            water.velocity_2[face] * n1 - water.velocity_1[face] * n2};
  }

  Array<FaceFrame> before_;  // frames of the momentum before the last refresh
};

inline void FaceMomentum::set_losses(Index e, double volume, double pressed_left, double pressed_right,
                                     double tangential, EdgeLosses& losses) const {
  const Index right = mesh_.edge_count() + e;
  losses.volume[e] = volume;
  losses.momentum_1[e] = pressed_left * normal_left_1_[e] - tangential * normal_left_2_[e];
  losses.momentum_2[e] = pressed_left * normal_left_2_[e] + tangential * normal_left_1_[e];
  losses.volume[right] = -volume;
  losses.momentum_1[right] = -(pressed_right * normal_right_1_[e] - tangential * normal_right_2_[e]);
  losses.momentum_2[right] = -(pressed_right * normal_right_2_[e] + tangential * normal_right_1_[e]);
}

inline void FaceMomentum::set_wall_loss(Index e, double momentum, EdgeLosses& losses) const {
  losses.volume[e] = 0;
  losses.momentum_1[e] = momentum * normal_left_1_[e];
  losses.momentum_2[e] = momentum * normal_left_2_[e];
}

/// The entry of such a scheme, see describe_scheme(). The caller sets `positive` and `order_limit` where they
/// apply.
template <class Scheme>
DiscretizationEntry describe_face_momentum(std::string name, std::string summary) {
  DiscretizationEntry entry = describe_scheme<Scheme>(std::move(name), std::move(summary));
  entry.reach = [](const Parameters&) { return 0.5; };  // fluxes depend only on the two faces of an edge
  entry.rim = 0;
  entry.terms = Terms::all();
  entry.inseparable = Term::gravity | Term::advection;
  entry.dissipative = true;
  return entry;
}

}  // namespace shoal
