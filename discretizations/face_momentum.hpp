// Schemes with a depth and a momentum per triangle: places, frames, forces, motion, open boundaries and outputs, for any flux
// across the edges.
//
// Per triangle the volume V and the momentum M = V v in its own frame: axis 1 along its first edge, axis 2 = normal × axis 1.
//
//     V_t = −Σ_e l_e F_η,    M_t = −Σ_e l_e (F_u n + F_w n⊥) + V f/ρ − f_c n×M − c M + sources.
//
// A scheme gives l_e F of all edges and a bound of the wave speeds.
#pragma once

#include "discretizations/entry.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/gather_sum.hpp"
#include "discretizations/reconstructions/reconstruction.hpp"

#include <algorithm>

namespace shoal {

struct FaceMomentumOptions {
  double dry_depth = 1e-12;  ///< m
  static Options<FaceMomentumOptions> describe();
};

/// All of such a scheme but what flows across its edges.
class FaceMomentum : public Discretization,
                     public MovesWithSurface,
                     public OpensBoundaries,
                     public TurnsVelocity {
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
  void apply_coriolis(double dt, const Forces& forces, State& state) const override;
  void add_velocity(const Points& velocity, State& state) const override;
  double kinetic_energy(const State& state) const override;

 protected:
  FaceMomentum(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
               const Parameters& parameters, const FaceMomentumOptions& options);

  /// volume_loss_, momentum_loss_…: what the faces lose through all edges, walls included, from depth_ and velocity_….
  virtual void compute_fluxes(const Forces& forces) const = 0;
  /// speed_ = Σ_e l_e s of every face.
  virtual void compute_speeds(const Forces& forces) const = 0;

  CellsAndEdges cells_and_edges() const {
    return {left_.data(),           right_.data(),         depth_.data(),         velocity_1_.data(),
            velocity_2_.data(),     cells_.bed.data(),     normal_left_1_.data(), normal_left_2_.data(),
            normal_right_1_.data(), normal_right_2_.data()};
  }
  EdgeState state_left(Index e) const { return state_at(left_[e], normal_left_1_[e], normal_left_2_[e]); }
  EdgeState state_right(Index e) const { return state_at(right_[e], normal_right_1_[e], normal_right_2_[e]); }

  /// Both faces lose to each other what flows across the edge e; each is pressed by its own momentum flux.
  void set_losses(Index e, double volume, double pressed_left, double pressed_right, double tangential) const;
  /// The face on the left alone, at a wall: no mass.
  void set_wall_loss(Index e, double momentum) const;

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
  void add_through_places(const OpenBoundary& open, double scale, State& rate) const;
  void compute_open_fluxes(const Forces& forces) const;
  void split_body_acceleration(const Points& body_acceleration, Vector& body_force) const;
  void compute_source_velocity(const Forces& forces) const;
  void add_source_momentum(const Vector& inflow, const ConstBlock& volumes, const Forces& forces,
                           double scale, Block& momentum_rate) const;
  void compute_face_velocity(const State& state) const;
  Vector3 axis(int which, Index face) const;
  EdgeState state_at(Index face, double n1, double n2) const {
    return {std::max(0.0, depth_[face]), velocity_1_[face] * n1 + velocity_2_[face] * n2,
            velocity_2_[face] * n1 - velocity_1_[face] * n2};
  }

  const FaceMomentumOptions options_;
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

inline void FaceMomentum::set_losses(Index e, double volume, double pressed_left, double pressed_right,
                                     double tangential) const {
  const Index right = mesh_.edge_count() + e;
  volume_loss_[e] = volume;
  momentum_loss_1_[e] = pressed_left * normal_left_1_[e] - tangential * normal_left_2_[e];
  momentum_loss_2_[e] = pressed_left * normal_left_2_[e] + tangential * normal_left_1_[e];
  volume_loss_[right] = -volume;
  momentum_loss_1_[right] = -(pressed_right * normal_right_1_[e] - tangential * normal_right_2_[e]);
  momentum_loss_2_[right] = -(pressed_right * normal_right_2_[e] + tangential * normal_right_1_[e]);
}

inline void FaceMomentum::set_wall_loss(Index e, double momentum) const {
  volume_loss_[e] = 0;
  momentum_loss_1_[e] = momentum * normal_left_1_[e];
  momentum_loss_2_[e] = momentum * normal_left_2_[e];
}

/// The entry of such a scheme, as describe_scheme(). To be set by the caller where it applies: `positive`, `order_limit`.
template <class Scheme>
DiscretizationEntry describe_face_momentum(std::string name, std::string summary) {
  DiscretizationEntry entry = describe_scheme<Scheme>(std::move(name), std::move(summary));
  entry.reach = 0.5;  // across edges alone
  entry.rim = 0;
  entry.terms = Terms::all();
  entry.inseparable = Term::gravity | Term::advection;
  entry.dissipative = true;
  return entry;
}

}  // namespace shoal
