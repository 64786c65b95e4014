// Piecewise linear potential vorticity q and the rotation q n×F of a mass flux F in RT0 (Cotter & Shipton
// 2012; McRae & Cotter 2014), which conserves energy and potential enstrophy (dec.md).
#pragma once

#include "discretizations/dec/dual_mesh.hpp"
#include "discretizations/operators/gather_sum.hpp"

namespace shoal {

struct LinearVorticityScratch {
  Vector volume;          // [nF] D_T, m³
  Vector edge_depth;      // [nE] h_e, m
  Vector edge_flux;       // [nE] l_e F_e, m³/s
  Vector circulation, q;  // [nV] m²/s, 1/(m s)
  Vector torque;          // [3·nF + 1] (S(q) F) at the edges of each triangle, outward; a final zero
  Vector of_cell;         // [cells]
  Vector diagonal, inverse, residual, direction, face_sum;  // of the iteration
};

class LinearVorticity {
 public:
  /// `mesh` is that of the surface. Collective.
  LinearVorticity(const Mesh& mesh, const DualMesh& dual, const Cells& cells);
  void resize(LinearVorticityScratch& s) const;

  /// s.volume from the depths of the cells and s.edge_depth. A triangle counts at least a tenth of the depth
  /// at its edges, so that q h_e is bounded beside dry land.
  void set_volumes(const Vector& cell_depth, LinearVorticityScratch& s) const;
  /// s.q with Σ_b q_b ∫ φ_a φ_b η = s.circulation_a.
  void solve(double tolerance, LinearVorticityScratch& s) const;
  /// s.torque = S(q) F, after extending s.edge_flux to the edges inside merged cells.
  void rotate(LinearVorticityScratch& s) const;
  /// The place in s.torque of an edge in its left or right triangle.
  Index slot(Index edge, int side) const { return slot_[side][edge]; }

 private:
  void extend_flux(LinearVorticityScratch& s) const;
  void distribute_torque(LinearVorticityScratch& s) const;

  const DualMesh& dual_;
  const Mesh& mesh_;  // that of the triangulation
  const Cells& cells_;
  GatherSum<6> ring_sum_;             // sums a value of the triangles around each vertex
  Array<Index> slot_[2];              // [nE]
  std::unique_ptr<Renewal> renewal_;  // of vertices of a part; null: the mesh is the whole surface
};

}  // namespace shoal
