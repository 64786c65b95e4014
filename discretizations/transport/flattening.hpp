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

#include <limits>

namespace shoal {

/// The weight of a triangle at a vertex: its (flattened) angle there, or its area.
enum class FanWeight { angle, area };

/// A vector at a corner of a face by its rates of the next two corners, counterclockwise: (a, b) of (5.5).
struct CornerRates {
  double next = 0, last = 0;
  BarycentricRates rates(Index corner) const {
    return corner == 0   ? BarycentricRates{next, last}
           : corner == 1 ? BarycentricRates{-(next + last), next}
                         : BarycentricRates{last, -(next + last)};
  }
};

class Flattening {
 public:
  Flattening(const Mesh& mesh, FanWeight weight);
  /// For new positions; allocates nothing.
  void refresh(const Geometry& geometry);

  /// The interpolated vectors at the corners of each face: corner c of face k at 3·k + c. `flow` in the layout of
  /// fefv: β₁ of all faces, then β₂.
  void interpolate(const VectorIn& flow, Array<CornerRates>& at_corners) const;

  /// Puts on walls, in place of the mean of the triangles there, the circulations of the two edges of the wall over
  /// their lengths, times k (2 − k) with k = 2 cos φ − 1; circulation [nE], m²/s.
  void set_along_walls(const Vector& circulation, Array<CornerRates>& at_corners) const;

  /// The angle at a corner, 3·face + c; and from where the fan of its vertex begins to the first edge of the
  /// triangle there, c to c + 1, as they are before they are flattened. Fans begin anywhere, at a wall if there is one.
  double angle(Index corner) const { return angle_[place_[corner]]; }
  double angle_before(Index corner) const {
    const Index vertex = mesh_.faces(corner % 3, corner / 3);
    double angle = 0;
    for (Index j = mesh_.ring_start[vertex]; j < place_[corner]; ++j) angle += angle_[j];
    return angle;
  }
  /// Of all triangles around a vertex; infinite on a wall, where nothing comes around.
  double fan_angle(Index vertex) const {
    return on_wall_[vertex] ? std::numeric_limits<double>::infinity() : fan_angle_[vertex];
  }

 private:
  void place_spokes(const Geometry& geometry);
  void measure_wall(const Geometry& geometry, Index vertex);
  CornerRates in_wedge(Index spoke, double x, double y) const;

  const Mesh& mesh_;
  FanWeight weight_;
  Array<char> on_wall_;  ///< [nV]
  Array<Index> walls_;   ///< vertices on walls

  // Wedges: the triangles counterclockwise about each vertex, those of vertex i from mesh.ring_start[i] on.
  Array<Index> corner_;     ///< [3·nF] 3·face + corner
  Array<Index> place_;      ///< [3·nF] the wedge of a corner
  Vector angle_;            ///< [3·nF] θ
  Vector weight_of_wedge_;  ///< [3·nF] where it is not the angle
  Vector inverse_weight_;   ///< [nV] of 1 over the sum of all at the vertex
  Vector fan_angle_;        ///< [nV] Σθ

  // Spokes: the edges before and after each wedge, one more than wedges at each vertex: wedge j of vertex i is between
  // the spokes j + i and j + i + 1.
  Array<Index> edge_;           ///< [3·nF + nV]
  Vector direction_;            ///< [3·nF + nV] α̂
  Vector x_, y_;                ///< [3·nF + nV] ũ
  Vector inverse_determinant_;  ///< [3·nF + nV] of [ũ ũ'], ũ' the next one

  Vector wall_length_;         ///< [nV] of the two edges of the wall, 0 elsewhere
  Array<Tangent> along_wall_;  ///< [nV] of length √(2 cos φ − 1); of walls alone
  mutable Vector rates_;       ///< [4·nF] β₁, β₂, β₀, β₁ of each face
};

}  // namespace shoal
