// kinetic: first-order kinetic finite volumes (Audusse & Bristeau 2005; Angst 2007, §4.3.3) with hydrostatic
// reconstruction of the bed (Audusse et al. 2004, doi:10.1137/S1064827503431090).
//
// Per triangle the volume V and the momentum M = V v, a 3-vector in the triangle's plane. Across an edge the
// neighbour's velocity is rotated about that edge: both sides speak of (normal, tangent) components. The
// Gibbs equilibrium is uniform, χ(w) = 1/(2√3) for |w| ≤ √3 per direction, c̃ = √(|aₙ|η/2), which gives the
// half fluxes
//
//     F⁺(η,u) = η/(2√3 c̃) · ( ½(b²−a²), ⅓(b³−a³) ),   a = max(0, u−√3c̃), b = max(0, u+√3c̃),
//
// tangential momentum travelling with the mass. Depths never become negative under
// Δt ≤ min Aₖ / Σ_e l_e (|vₙ|+√3 c̃), and water at rest over any bed stays at rest.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

class Kinetic final : public Discretization, public Dissipative {
 public:
  Kinetic(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
          const Parameters& parameters);

  State project(const Fields& fields) const override;
  void add_rates(const State& state, double scale, State& target) const override;
  double stable_dt(const State& state) const override;
  std::vector<ClampCount> clamp_counts(const State& state) const override;
  void require(Use /*use*/) const override {}

  double kinetic_energy(const State& state) const override;
  void face_velocity(const State& state, Points& velocity) const override;
  void vertex_vorticity(const State& state, Vector& vorticity) const override;
  void vertex_depth(const State& state, Vector& depth) const override;
  void face_depth(const State& state, Vector& depth) const override;
  Index flow_size() const override { return 3 * mesh_.face_count(); }
  std::pair<const char*, Index> flow_element(Index index) const override { return {"face", index / 3}; }

 private:
  /// The edge's frame on one side: unit normal from left to right in that side's plane. The tangent is
  /// common.
  struct EdgeFrame {
    Vector3 tangent, normal_left, normal_right;
    double length;
  };
  /// What crosses an edge from left to right per second and unit length, and the momentum each side sees.
  struct EdgeFlux {
    double mass, normal_left, normal_right, tangential;
  };

  void forcing_changed() override;
  EdgeFlux edge_flux(Index edge) const;

  double dry_depth_;
  std::vector<EdgeFrame> frame_;
  Vector edge_acceleration_;  // [nE] |aₙ| at the edge's midpoint

  mutable Vector depth_;                // [nF]
  mutable Points velocity_;             // [3, nF]
  mutable std::vector<EdgeFlux> flux_;  // [nE]
};

DiscretizationEntry kinetic();

}  // namespace shoal
