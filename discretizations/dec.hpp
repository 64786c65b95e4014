// dec: C-grid from discrete exterior calculus with the circumcentric dual (Angst 2007, §4.2.2; Desbrun et al.
// 2006). Depth per triangle at its circumcentre, the velocity's normal component u_e per edge (from left to
// right).
//
//   dual edge     d_e = d_L + d_R, d_T = ½ l_e cot(angle of T opposite to e), intrinsic and signed
//   gradient      (G p)_e = (p_R − p_L)/d_e
//   mass flux     V_T_t = ∓ Σ l_e h_e u_e,   h_e = (d_L η_L + d_R η_R)/d_e, zero if negative
//
// so that D(η) = −Gᵀ W diag(h), W = diag(l_e d_e), for any positive h_e: where a triangle is obtuse the
// shares d_L/d_e and d_R/d_e leave [0, 1], without bound as d_e → 0, and are cut (edge_depth = convex) lest
// h_e be an extrapolation. Where d_e < degenerate_dual · l_e (the diagonals of squares) the two triangles
// share their circumcentre and become one cell without an unknown on that edge. Where d_e is negative the
// circumcentric scheme does not exist (the edge is not Delaunay): dual = circumcentric refuses the mesh, dual
// = intrinsic flips edges on the surface until all are Delaunay and lives on that triangulation
// (own_triangulation). On a wall u = 0.
#pragma once

#include "discretizations/mesh/intrinsic.hpp"
#include "discretizations/operators/edge_laplacian.hpp"
#include "discretizations/operators/gather_sum.hpp"
#include "discretizations/wave_scheme.hpp"

namespace shoal {

class Dec final : public WaveScheme {
 public:
  /// Throws Refusal naming the first edge whose dual length is negative.
  Dec(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth, const Parameters& parameters);

  State project(const Fields& fields) const override;
  /// Keeps cells and sites; dual edges that become shorter than degenerate_dual · l_e are taken that long,
  /// and counted (clamped_duals).
  void refresh(State& state) override;
  double stable_dt(const State& state) const override;
  std::vector<ClampCount> clamp_counts(const State& state) const override;

  double kinetic_energy(const State& state) const override;
  void face_velocity(const State& state, Points& velocity) const override;
  void vertex_vorticity(const State& state, Vector& vorticity) const override;
  void vertex_depth(const State& state, Vector& depth) const override;
  void face_depth(const State& state, Vector& depth) const override;
  bool edge_velocity(const State& state, Vector& velocity) const override;
  const Mesh* own_triangulation() const override {
    return triangulation_.flips.empty() ? nullptr : &triangulation_.mesh;
  }
  const Vector& face_area() const override { return triangulation_.face_area; }
  const Vector& vorticity_area() const override { return voronoi_area_; }
  void require(Use /*use*/) const override {}
  Index flow_size() const override { return sites(); }
  std::pair<const char*, Index> flow_element(Index index) const override {
    return {"edge", site_edge_[static_cast<std::size_t>(index)]};
  }

  void add_depth_rate(const State& state, double scale, Vector& volume) const override;

  Index sites() const override { return static_cast<Index>(site_edge_.size()); }
  void add_gradient(const Vector& p, double scale, const Vector& weight, Vector& flow) const override;
  void add_outflow(const Vector& flow, double scale, const Vector& weight, Vector& out) const override;
  void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out) const override;
  SymmetricMatrix stiffness_pattern() const override { return laplacian_.pattern(); }
  void assemble(const Vector& diagonal, double scale, const Vector& weight,
                SymmetricMatrix& matrix) const override;

 private:
  void split_body_acceleration(Vector& body_force) const override;
  void cell_acceleration(const Vector& at_vertices, Vector& at_cells) const override;
  void site_mean(const Vector& at_cells, Vector& at_sites) const override;
  void merge_cocircular_faces();
  void place_cells();
  void collect_sites();
  void measure_sites();
  template <class Depth>
  void add_transport(const Vector& flow, double scale, const Depth& depth, Vector& out) const;
  Index cell_of(Index face) const { return cells_.of_element[static_cast<std::size_t>(face)]; }
  double dual_length(Index edge) const;
  Vector3 circumcentre(Index face) const;
  Vector3 chord_normal(Index face) const;
  Vector3 outward_normal(Index edge, Index face) const;

  IntrinsicTriangulation triangulation_;
  EdgeLaplacian laplacian_;

  // Velocity sites: the interior edges with a positive dual length, compact.
  std::vector<Index> site_edge_;               // [sites] edge
  Edges site_cells_;                           // [2, sites] left, right cell
  Vector site_length_;                         // [sites] l_e
  Vector site_dual_;                           // [sites] d_e
  Vector inverse_dual_;                        // [sites] 1/d_e
  Vector left_share_;                          // [sites] d_L/d_e
  std::vector<Index> left_cell_, right_cell_;  // [sites] rows of site_cells_
  GatherSum<3> cell_sum_;                      // of site_flux_ around each cell

  Vector voronoi_area_;  // [nV]
  bool convex_edge_depth_ = true;
  double degenerate_dual_ = 0;
  Index clamped_shares_ = 0, clamped_duals_ = 0;
  Vector site_area_,
      stretch_;  // [sites] of the two triangles together, m²; l A'/(l' A), where velocities follow

  mutable Vector site_flux_;  // [2·sites + 1] what leaves the left cells, then the right ones, m³/s; a zero
  mutable Vector site_weight_;
  mutable Vector face_value_, body_rates_;  // [nF], [2·nF]
  mutable Points velocity_;
};

DiscretizationEntry dec();

}  // namespace shoal
