// The surface of the water on a mesh as a closed triangle mesh (Angst 2007, appendix A). solvers/coupling/fluid_surface.md
// shows why it is closed, how it depends continuously on the depth, and what the printed formulas leave open.
#pragma once

#include "discretizations/common/options.hpp"
#include "discretizations/mesh/mesh.hpp"

namespace shoal {

struct FluidSurfaceOptions {
  double iso_level = 0.01;    ///< η_iso, m: deeper vertices are wet
  double thickness = 0.001;   ///< ε, m: the sheets lie 2ε apart
  double line_margin = 1e-3;  ///< δ < ½: least distance of the line from vertices, per edge length
  bool back = true;           ///< adds a back sheet; without it the front sheet ends at the line
  static Options<FluidSurfaceOptions> describe();
};

/// The part of the surface that a vertex lies on: one of the sheets, or the line where they meet.
enum class Sheet { front, back, line };

/// The surface drawn for the water: a front sheet over the wet part of the mesh and a back sheet 2ε below it. Both end at the
/// line η = η_iso of the linearly interpolated depth; along the walls of an open mesh, triangles join them.
///
/// A vertex is wet if η > η_iso. An edge from a wet vertex 0 to a dry vertex 1 has one vertex of the line, and a triangle
/// with two wet vertices has two triangles in each sheet. The displacements d along the normals n of the mesh, and the
/// positions x on the line, are
///
///     front   d = ((1−w)(η − H) − w (H + ε)) n,      back   d = ((1−w)(η − H − 2ε) − w (H + ε)) n,
///     line    x = α (x₀ − (H₀ + ε) n₀) + (1−α) (x₁ − (H₁ + ε) n₁),      α = (η_iso − η₁)/(η₀ − η₁).
///
/// w = max(α over the edges of the vertex that the line crosses, w_pit) ≤ 1−δ lowers a wet vertex to the line as the line
/// approaches it; α is limited to [δ, 1−δ]. If all neighbours are deeper, w_pit = min(1 − s/r, 1 − s/(η_iso + ε)) with
/// s = η − η_iso and r the smallest rise to a neighbour; otherwise w_pit = 0.
///
/// For any finite depth, every edge of the result has two faces in opposite directions, and the faces around every vertex
/// form one cycle. Without walls, a wet component without a dry vertex gives two closed surfaces, one inside the other.
class FluidSurface {
 public:
  /// Keeps a reference to the mesh and allocates memory for the largest possible surface. Throws Error if the mesh is
  /// periodic or two of its faces have the same three vertices.
  explicit FluidSurface(const Mesh& mesh, const FluidSurfaceOptions& options = {});

  /// Sets the options of later updates.
  void configure(const FluidSurfaceOptions& options);

  /// The surface for positions x [3, nV] and outward unit normals n [3, nV] of the mesh (`vertex_normals`), depth η [nV], which
  /// may be negative, and bed depth H [nV], m. Takes linear time and allocates nothing. If a value is not finite, throws Error
  /// naming the vertex and keeps the previous surface.
  void update(const Points& x, const Points& normals, const VectorIn& depth, const VectorIn& bed_depth);

  Index vertex_count() const { return vertex_count_; }
  Index face_count() const { return face_count_; }
  Eigen::Ref<const Points> points() const { return points_.leftCols(vertex_count_); }  ///< [3, n] m
  Eigen::Ref<const Faces> faces() const { return faces_.leftCols(face_count_); }       ///< [3, m]
  /// [3, n] unit normals out of the water: the area-weighted mean over the faces around each vertex, on the line over the faces
  /// of both sheets. Where this mean vanishes, the normal of the mesh.
  Eigen::Ref<const Points> normals() const { return normals_.leftCols(vertex_count_); }

  /// The vertices of the front sheet come first, those of the back sheet in the same order, then those of the line.
  Sheet sheet(Index vertex) const {
    return vertex < wet_count_ ? Sheet::front : vertex < line_begin() ? Sheet::back : Sheet::line;
  }
  /// [2, n] the mesh vertices between which each vertex lies: the wet and the dry end of an edge; on a sheet, one vertex twice.
  Eigen::Ref<const Edges> ends() const { return ends_.leftCols(vertex_count_); }
  VectorIn alpha() const {
    return alpha_.head(vertex_count_);
  }  ///< [n] α, weight of the first end; 1 on a sheet
  /// Interpolates a field [nV] of the mesh to the vertices [n] of the surface: α f₀ + (1−α) f₁.
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
  Array<Index> front_, line_;    // [nV] and [nE] numbers of surface vertices, or none
  Vector largest_alpha_, rise_;  // [nV] largest α of a wet vertex's edges; smallest rise to a neighbour
  Index wet_count_ = 0, vertex_count_ = 0, face_count_ = 0;
  Points points_, normals_;  // these and the following members have their maximum sizes
  Faces faces_;
  Edges ends_;
  Vector alpha_;
};

}  // namespace shoal
