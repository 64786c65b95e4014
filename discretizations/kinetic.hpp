// kinetic: first-order kinetic finite volumes (Audusse & Bristeau 2005; Angst 2007, §4.3.3) with hydrostatic
// reconstruction of the bed (Audusse et al. 2004, doi:10.1137/S1064827503431090). Per triangle the volume V
// and the momentum M = V v in its own frame: axis 1 along its first edge, axis 2 = normal × axis 1. Across an
// edge the flux is F⁺(left) + F⁻(right), c̃ = √(|aₙ|η/2):
//
//     F⁺(η,u) = η/(2√3 c̃) · ( ½(b²−a²), ⅓(b³−a³) ),   a = max(0, u−√3c̃), b = max(0, u+√3c̃).
//
// Depths never become negative under Δt ≤ min Aₖ / Σ_e l_e (|vₙ|+√3 c̃), and water at rest over any bed stays
// at rest. Derivation: discretizations/kinetic.md.
#pragma once

#include "discretizations/discretization.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/gather_sum.hpp"

namespace shoal {

struct KineticOptions {
  double dry_depth = 1e-12;  ///< m
  static Options<KineticOptions> describe();
};

class Kinetic final : public Discretization {
 public:
  using SchemeOptions = KineticOptions;
  static std::string unavailable(std::string_view /*capability*/, const KineticOptions& /*options*/) {
    return "";
  }

  Kinetic(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
          const Parameters& parameters);

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
  void compute_inner_fluxes(const Forces& forces) const;
  void compute_wall_fluxes(const Forces& forces) const;
  void compute_open_fluxes(const Forces& forces) const;
  void split_body_acceleration(const Points& body_acceleration, Vector& body_force) const;
  void compute_face_velocity(const State& state) const;
  Vector3 axis(int which, Index face) const;

  const KineticOptions options_;
  Vector inverse_area_;              // [nF]
  Array<FaceFrame> frame_, before_;  // the frames of the momentum

  // Edges with faces on both sides first, then walls. Per edge: mesh edge, faces, length, and the unit normal
  // from left to right in the frame of either side; the tangent is that normal turned by 90° to the left.
  Index inner_edges_ = 0;
  Array<Index> edge_, left_, right_;
  Array<Index> place_of_edge_;  // [nE] in that order
  Vector length_, normal_left_1_, normal_left_2_, normal_right_1_, normal_right_2_;
  GatherSum<3> face_sum_;  // of the losses of each face through its edges

  mutable Vector body_rates_;                       // [2·nF] tangential body acceleration as rates
  mutable Vector depth_, velocity_1_, velocity_2_;  // [nF] in the faces' frames
  // [2·nE + 1] what the left faces lose through each edge, then what the right ones do; a zero.
  mutable Vector volume_loss_, momentum_loss_1_, momentum_loss_2_;
  mutable Points face_velocity_;      // [3, nF]
  mutable Vector surface_vorticity_;  // [nF] of the mesh's own motion, 1/s
  mutable Points mesh_acceleration_;  // [3, nV] where mesh and frame move
  mutable Vector mesh_force_;
};

DiscretizationEntry kinetic();

}  // namespace shoal
