// A one-form on the triangles by its integrals along edges, and its integrals along the edges traced back: the
// pull-back by the traces of the vertices (one_form.md; Nabizadeh, Wang, Ramamoorthi & Chern 2022,
// doi:10.1145/3528223.3530120, whose pull-back is by points instead).
//
// Within a triangle it is Whitney's form of its circulations C_ij along the three edges,
//
//     w = Σ C_ij (λᵢ dλⱼ − λⱼ dλᵢ),    ∫ w along a straight part from a to b = Σ C_ij (aᵢ bⱼ − aⱼ bᵢ),
//
// a, b barycentric coordinates: C_ij along its own edge, dφ for C_ij = φⱼ − φᵢ, the same along an edge from both
// sides, and exact for a uniform vector and for solid rotation in a plane.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/transport/back_trace.hpp"
#include "discretizations/transport/flattening.hpp"

namespace shoal {

/// Where the trace of a vertex ends as seen from the vertex, in the triangles of the trace unfolded into a plane.
struct VertexTrace {
  Index corner = 0;       ///< 3·face + c of the triangle that the trace begins in
  double distance = 0;    ///< m
  double angle = 0;       ///< from where the fan of the vertex begins, rad
  Tangent direction = 1;  ///< unit, in the frame of that triangle
};

/// From a displacement in the frame of the triangle with this corner.
VertexTrace vertex_trace(const TangentFrames& frames, const Flattening& fans, Index corner,
                         Tangent displacement);

class Circulations {
 public:
  Circulations(const Mesh& mesh, const TangentFrames& frames, const Flattening& fans)
      : mesh_(mesh), frames_(frames), fans_(fans) {}

  /// C_e [nE], m²/s, of vectors per triangle, rates in the layout of fefv [2·nF]: between the barycentres of both
  /// triangles, at the line of the edge; on a wall with the vorticity of the triangles behind. Exact for a uniform
  /// vector, for solid rotation in a plane and for gradients of functions linear on triangles.
  void from_vectors(const VectorIn& rates, Vector& circulation) const;

  /// The vectors of Whitney's form at the barycentres: v·(x₁−x₀) = C₀₁ − ⅓ΣC, v·(x₂−x₀) = C₀₂ + ⅓ΣC.
  void to_vectors(const Vector& circulation, VectorOut rates) const;

  /// traced [nE]: the integrals along paths between the ends of the traces of both vertices. Each path is straight on
  /// the unfolded surface and ends where the trace does, so that dφ becomes d of φ at those ends, whatever the
  /// surface. Walls reflect it. What misses its end by far is led there over the middles of edges, not further than 256
  /// triangles.
  void along_traced_edges(const Array<TracedPoint>& ends, const Array<VertexTrace>& traces,
                          const Vector& circulation, Vector& traced) const;

  /// Cuts the vector of each triangle to the range of the vectors of `before` around the ends of the traces of its
  /// corners, each triangle with its three neighbours, as the pull-back of a uniform vector changes them.
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
