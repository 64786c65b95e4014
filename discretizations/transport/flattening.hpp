// Interpolates vectors from triangles to vertices and back into the triangles around them. The fan of a vertex is flattened
// by one linear map per triangle, which preserves the ratios of the angles (Shi & Yu 2004; Angst 2007, §5.2.2).
//
//   θ̂ᵢ = 2π θᵢ/Σθ,    ũᵢ = |uᵢ| (cos α̂ᵢ, sin α̂ᵢ),  α̂ᵢ = Σ_{j<i} θ̂ⱼ                              (5.1), (5.4)
//   v̂ = Σᵢ wᵢ (aᵢ ũᵢ + bᵢ ũᵢ₊₁)/Σ w,   v = a u + b u' in the wedge of its triangle                    (5.3)
//   (a, b) of triangle k at the vertex: [ũₖ ũₖ₊₁]⁻¹ v̂                                                 (5.5)
//
// The fan of a vertex on a wall is not closed. Its angles are not rescaled, and its mirror image replaces the missing part, so
// that only the component of the mean along the wall remains. If the wall turns by φ, that component is multiplied by
// 2 cos φ − 1, or by zero for φ ≥ 60°.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/transport/tangent_frames.hpp"

#include <limits>

namespace shoal {

/// The weight of a triangle at a vertex: its (flattened) angle there, or its area.
enum class FanWeight { angle, area };

/// A vector at a corner of a face, given by the rates of the next two corners counterclockwise: (a, b) of (5.5).
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
  /// Updates it for new positions; allocates nothing.
  void refresh(const Geometry& geometry);

  /// The interpolated vectors at the corners of each face: corner c of face k at 3·k + c. `flow` has the layout of fefv:
  /// β₁ of all faces, then β₂.
  void interpolate(const VectorIn& flow, Array<CornerRates>& at_corners);

  /// Replaces the mean at vertices on walls by the circulation of the two wall edges divided by their length, times
  /// k (2 − k) with k = 2 cos φ − 1; circulation [nE], m²/s.
  void set_along_walls(const Vector& circulation, Array<CornerRates>& at_corners) const;

  /// The angle at a corner, 3·face + c, and the angle from the beginning of its vertex's fan to the first edge of the
  /// triangle, c to c + 1; both before flattening. A fan begins at a wall if there is one, otherwise anywhere.
  double angle(Index corner) const { return angle_[place_[corner]]; }
  double angle_before(Index corner) const {
    const Index vertex = mesh_.faces(corner % 3, corner / 3);
    double angle = 0;
    for (Index j = mesh_.ring_start[vertex]; j < place_[corner]; ++j) angle += angle_[j];
    return angle;
  }
  /// The sum of the angles around a vertex; infinite on a wall, where the fan is not closed.
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

  // Wedges: the triangles counterclockwise around each vertex, from mesh.ring_start[i] on for vertex i.
  Array<Index> corner_;     ///< [3·nF] 3·face + corner
  Array<Index> place_;      ///< [3·nF] the wedge of a corner
  Vector angle_;            ///< [3·nF] θ
  Vector weight_of_wedge_;  ///< [3·nF] unless it is the angle
  Vector inverse_weight_;   ///< [nV] 1 over the sum of the weights at the vertex
  Vector fan_angle_;        ///< [nV] Σθ

  // Spokes: the edges before and after each wedge, one more per vertex than wedges. Wedge j of vertex i lies between
  // spokes j + i and j + i + 1.
  Array<Index> edge_;           ///< [3·nF + nV]
  Vector direction_;            ///< [3·nF + nV] α̂
  Vector x_, y_;                ///< [3·nF + nV] ũ
  Vector inverse_determinant_;  ///< [3·nF + nV] of [ũ ũ'], where ũ' belongs to the next spoke

  Vector wall_length_;         ///< [nV] of the two wall edges, 0 elsewhere
  Array<Tangent> along_wall_;  ///< [nV] of length √(2 cos φ − 1); on walls only
  Vector rates_;               ///< [4·nF] β₁, β₂, β₀, β₁ of each face
};

}  // namespace shoal
