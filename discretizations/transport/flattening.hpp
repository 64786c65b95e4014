// From a vector per triangle to vectors at the vertices and back into the triangles around them: the fan of a
// vertex is flattened by a linear map for each triangle that keeps the ratios of the angles (Shi & Yu 2004;
// Angst 2007, §5.2.2).
//
//   θ̂ᵢ = 2π θᵢ/Σθ,    ũᵢ = |uᵢ| (cos α̂ᵢ, sin α̂ᵢ),  α̂ᵢ = Σ_{j<i} θ̂ⱼ                              (5.1), (5.4)
//   v̂ = Σᵢ wᵢ (aᵢ ũᵢ + bᵢ ũᵢ₊₁)/Σ w,   v = a u + b u' in the wedge of its triangle                    (5.3)
//   (a, b) of triangle k at the vertex: [ũₖ ũₖ₊₁]⁻¹ v̂                                                 (5.5)
//
// The fan of a vertex on a wall is not closed: its angles are not rescaled, and the missing part is the
// mirror image beyond the wall, so that only the component of the mean along the wall remains. Where the wall
// turns by φ, that component is multiplied by 2 cos φ − 1, and by zero from 60° on.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/transport/tangent_frames.hpp"

namespace shoal {

/// The weight of a triangle at a vertex: its (flattened) angle there, or its area.
enum class FanWeight { angle, area };

class Flattening {
 public:
  Flattening(const Mesh& mesh, FanWeight weight);
  /// For new positions; allocates nothing.
  void refresh(const Geometry& geometry);

  /// The interpolated vectors at the corners of each face, in that face's rates: corner c of face k at 3·k +
  /// c. `flow` in the layout of fefv: β₁ of all faces, then β₂.
  void interpolate(const VectorIn& flow, Array<BarycentricRates>& at_corners) const;

  /// Puts on walls, in place of the mean of the triangles there, the circulations of the two edges of the wall over
  /// their lengths, times k (2 − k) with k = 2 cos φ − 1; circulation [nE], m²/s.
  void set_along_walls(const Vector& circulation, Array<BarycentricRates>& at_corners) const;

  /// The angle at a corner, 3·face + c; and from where the fan of its vertex begins to the first edge of the
  /// triangle there, c to c + 1, as they are before they are flattened. Fans begin anywhere, at a wall if there is one.
  double angle(Index corner) const { return angle_[corner]; }
  double angle_before(Index corner) const { return angle_before_[corner]; }
  /// Of all triangles around a vertex; infinite on a wall, where nothing comes around.
  double fan_angle(Index vertex) const { return fan_angle_[vertex]; }

 private:
  void place_wedges(const Geometry& geometry, Index vertex);
  Index first_edge(Index vertex) const;
  Index last_edge(Index vertex) const;

  /// One triangle in the fan of a vertex, flattened: the map takes β₁ (x₁−x₀) + β₂ (x₂−x₀) to β₁ p + β₂ q.
  struct Wedge {
    double px = 0, py = 0, qx = 0, qy = 0;
    double weight = 0;               ///< of all wedges at the vertex 1 together
    double inverse_determinant = 0;  ///< of [p q]
  };

  const Mesh& mesh_;
  FanWeight weight_;
  Array<Index> corner_;  ///< [3·nF] 3·face + corner, counterclockwise about each vertex: mesh.ring_start
  Array<char> on_wall_;  ///< [nV]
  Array<Wedge> wedge_;   ///< [3·nF] in the same order
  Vector angle_, stretch_, cosine_, sine_;  ///< [3·nF] θ; [nV] 2π/Σθ; [3·nF] of θ̂
  Vector angle_before_, fan_angle_;         ///< [3·nF], [nV]
  Vector wall_length_;                      ///< [nV] of the two edges of the wall, 0 elsewhere
  Array<Tangent> along_wall_;               ///< [nV] of length √(2 cos φ − 1); of walls alone
};

}  // namespace shoal
