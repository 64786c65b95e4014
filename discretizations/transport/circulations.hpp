// A one-form on the triangles, given by its integrals along edges, and its integrals along the traced edges: the pull-back by
// the traces of the vertices (one_form.md; Nabizadeh, Wang, Ramamoorthi & Chern 2022, doi:10.1145/3528223.3530120, who pull
// back at points instead).
//
// Within a triangle it is the Whitney form of the circulations C_ij along the three edges,
//
//     w = Σ C_ij (λᵢ dλⱼ − λⱼ dλᵢ),    ∫ w along a straight part from a to b = Σ C_ij (aᵢ bⱼ − aⱼ bᵢ),
//
// where a, b are barycentric coordinates. Its integral along edge ij is C_ij, from both sides. It equals dφ for
// C_ij = φⱼ − φᵢ and is exact for a uniform vector and for solid rotation in a plane.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/transport/back_trace.hpp"
#include "discretizations/transport/flattening.hpp"

namespace shoal {

/// The end of the trace of a vertex relative to the vertex, with the triangles of the trace unfolded into a plane.
struct VertexTrace {
  Index corner = 0;       ///< 3·face + c of the triangle that the trace begins in
  double distance = 0;    ///< m
  double angle = 0;       ///< from the beginning of the vertex's fan, rad
  Tangent direction = 1;  ///< unit, in the frame of that triangle
};

/// The trace of a displacement given in the frame of the triangle with this corner.
VertexTrace vertex_trace(const TangentFrames& frames, const Flattening& fans, Index corner,
                         Tangent displacement);

class Circulations {
 public:
  Circulations(const Mesh& mesh, const TangentFrames& frames, const Flattening& fans)
      : mesh_(mesh), frames_(frames), fans_(fans) {}

  /// C_e [nE], m²/s, from vectors per triangle, given as rates in the layout of fefv [2·nF]. They are interpolated between the
  /// barycentres of both triangles to the edge; on a wall, the vorticity of the neighbouring triangles enters. Exact for a
  /// uniform vector, for solid rotation in a plane and for gradients of functions linear on triangles.
  void from_vectors(const VectorIn& rates, Vector& circulation) const;

  /// The vectors of the Whitney form at the barycentres: v·(x₁−x₀) = C₀₁ − ⅓ΣC, v·(x₂−x₀) = C₀₂ + ⅓ΣC.
  void to_vectors(const Vector& circulation, VectorOut rates) const;

  /// traced [nE]: the integrals along paths between the ends of the traces of both vertices of an edge. Each path is straight
  /// on the unfolded surface and ends exactly at the end of the trace, so that on any surface dφ becomes the difference of φ
  /// between those ends. Walls reflect the path. A path that misses its end by far continues there over the midpoints of
  /// edges, through at most 256 triangles.
  void along_traced_edges(const Array<TracedPoint>& ends, const Array<VertexTrace>& traces,
                          const Vector& circulation, Vector& traced) const;

  /// Limits the vector of each triangle to the range of the vectors of `before` in the triangles at the ends of the traces of
  /// its corners and their three neighbours, transformed like the pull-back of a uniform vector.
  void limit(const Array<TracedPoint>& ends, const Array<VertexTrace>& traces, const VectorIn& before,
             VectorOut rates) const;

 private:
  double signed_circulation(const Vector& circulation, Index face, Index corner) const;
  double around(const Vector& circulation, Index face) const;
  double vorticity_behind_wall(const Vector& circulation, Index face) const;
  Tangent direction_in(const VertexTrace& trace, Index face, int corner, double side) const;
  double along_traced_edge(Index edge, const Array<TracedPoint>& ends, const Array<VertexTrace>& traces,
                           const Vector& circulation) const;
  double to_the_end(const TracedPoint& reached, const TracedPoint& end, const Vector& circulation) const;
  double through_triangles(const TracedPoint& reached, const TracedPoint& end,
                           const Vector& circulation) const;
  double straight(Index face, const std::array<double, 3>& a, const std::array<double, 3>& b,
                  const Vector& circulation) const;

  const Mesh& mesh_;
  const TangentFrames& frames_;
  const Flattening& fans_;
};

}  // namespace shoal
