// The surface of the water on a mesh as closed triangles (Angst 2007, appendix A). Why they are closed, in what they depend
// continuously on the depth, and what the printed formulas leave open: solvers/coupling/fluid_surface.md.
#pragma once

#include "discretizations/common/options.hpp"
#include "discretizations/mesh/mesh.hpp"

namespace shoal {

struct FluidSurfaceOptions {
  double iso_level = 0.01;    ///< η_iso, m: deeper is wet
  double thickness = 0.001;   ///< ε, m: the sheets lie 2ε apart
  double line_margin = 1e-3;  ///< δ < ½, a part of the edge: the line keeps away from vertices
  bool back = true;           ///< whether there is a back sheet; without it the front sheet ends at the line
  static Options<FluidSurfaceOptions> describe();
};

/// Where a vertex of the surface lies: on one of the sheets, or on the line where they meet.
enum class Sheet { front, back, line };

/// The surface that shows the water: a front sheet over the wet part of the mesh, a back sheet 2ε below it, both ending in the
/// line η = η_iso of the linearly interpolated depth, and between them along the walls of an open mesh.
///
/// A vertex is wet where η > η_iso; one on the level is dry. An edge from a wet vertex 0 to a dry vertex 1 has one vertex of
/// the line, a triangle with two wet vertices two triangles in each sheet. Displaced from the mesh along its normals by
///
///     front   d = ((1−w)(η − H) − w (H + ε)) n,      back   d = ((1−w)(η − H − 2ε) − w (H + ε)) n,
///     line    x = α (x₀ − (H₀ + ε) n₀) + (1−α) (x₁ − (H₁ + ε) n₁),      α = (η_iso − η₁)/(η₀ − η₁).
///
/// w = max(α over the edges of the vertex that the line crosses, w_pit) ≤ 1−δ lets wet vertices sink to the line as it comes
/// near, and α is kept within [δ, 1−δ]. Where all neighbours are deeper, w_pit = min(1 − s/r, 1 − s/(η_iso + ε)), s = η − η_iso,
/// r the smallest rise to a neighbour; elsewhere 0.
///
/// Every edge of the result has two faces, in opposite directions, and the faces around every vertex are one cycle, for any
/// finite depth. Without walls, wet parts without a dry vertex give two closed surfaces, one in the other.
class FluidSurface {
 public:
  /// Keeps a reference to the mesh, and allocates for the largest surface on it. Throws Error if the mesh is periodic, or if
  /// two of its faces have the same three vertices.
  explicit FluidSurface(const Mesh& mesh, const FluidSurfaceOptions& options = {});

  /// Sets the options from the next update on.
  void configure(const FluidSurfaceOptions& options);

  /// The surface for positions x [3, nV] and outward unit normals n [3, nV] of the mesh (`vertex_normals`), depth η [nV], which
  /// may be negative, and bed depth H [nV], m. Linear in the size of the mesh; allocates nothing. Throws Error naming the
  /// vertex at which one of them is not finite, and keeps the surface it had.
  void update(const Points& x, const Points& normals, const VectorIn& depth, const VectorIn& bed_depth);

  Index vertex_count() const { return vertex_count_; }
  Index face_count() const { return face_count_; }
  Eigen::Ref<const Points> points() const { return points_.leftCols(vertex_count_); }  ///< [3, n] m
  Eigen::Ref<const Faces> faces() const { return faces_.leftCols(face_count_); }       ///< [3, m]
  /// [3, n] unit, out of the water: the mean over the faces around each vertex, weighted with areas, so that faces which
  /// shrink to nothing count for nothing. On the line over both sheets; the mesh's own where that is no direction.
  Eigen::Ref<const Points> normals() const { return normals_.leftCols(vertex_count_); }

  /// The vertices of the front sheet come first, those of the back sheet in the same order, then those of the line.
  Sheet sheet(Index vertex) const {
    return vertex < wet_count_ ? Sheet::front : vertex < line_begin() ? Sheet::back : Sheet::line;
  }
  /// [2, n] the vertices of the mesh between which each vertex lies: the wet and the dry end of an edge; on a sheet one, twice.
  Eigen::Ref<const Edges> ends() const { return ends_.leftCols(vertex_count_); }
  VectorIn alpha() const {
    return alpha_.head(vertex_count_);
  }  ///< [n] α, weight of the first end; on a sheet 1
  /// A field [nV] of the mesh at the vertices of the surface [n]: α f₀ + (1−α) f₁.
  void interpolate(const VectorIn& field, VectorOut on_surface) const;

 private:
  bool is_wet(Index vertex) const { return front_[vertex] != Mesh::none; }
  Index line_begin() const { return options_.back ? 2 * wet_count_ : wet_count_; }
  Index back_of(Index vertex) const { return vertex < wet_count_ ? vertex + wet_count_ : vertex; }
  void check(const Points& x, const Points& normals, const VectorIn& depth, const VectorIn& bed_depth) const;
  void number_wet(const VectorIn& depth);
  void cut_edges(const VectorIn& depth);
  double line_weight(Index vertex, double depth) const;
  void place_sheets(const Points& x, const Points& normals, const VectorIn& depth, const VectorIn& bed_depth);
  void place_line(const Points& x, const Points& normals, const VectorIn& bed_depth);
  void add_face(Index a, Index b, Index c) { faces_.col(face_count_++) << a, b, c; }
  void add_front(Index face);
  void add_back();
  void add_wall(Index edge);
  void set_normals(const Points& mesh_normals);

  const Mesh& mesh_;
  FluidSurfaceOptions options_;
  Array<Index> walls_;           // edges
  Array<Index> front_, line_;    // [nV] and [nE], vertices of the surface or none
  Vector largest_alpha_, rise_;  // [nV] over the edges of each wet vertex; the smallest rise
  Index wet_count_ = 0, vertex_count_ = 0, face_count_ = 0;
  Points points_, normals_;  // these and the following in their largest sizes
  Faces faces_;
  Edges ends_;
  Vector alpha_;
};

}  // namespace shoal
