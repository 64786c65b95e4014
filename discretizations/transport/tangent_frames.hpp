// Tangent vectors of a triangle surface without an embedding: a frame for each triangle, and the turn that
// carries a vector over an edge.
#pragma once

#include "discretizations/mesh/geometry.hpp"

#include <array>
#include <complex>

namespace shoal {

/// A tangent vector in the frame of a triangle: x along the edge from corner 0 to corner 1, y at a right
/// angle to it towards corner 2.
using Tangent = std::complex<double>;

/// v = β₁ (x₁−x₀) + β₂ (x₂−x₀), β₀ = −β₁−β₂: the rates at which v changes the barycentric coordinates, 1/s.
struct BarycentricRates {
  double first = 0, second = 0;
  double operator[](int corner) const { return corner == 0 ? -first - second : corner == 1 ? first : second; }
};

/// Where an edge leads to.
struct Crossing {
  Index face = Mesh::none;  ///< none on a wall
  int corner = 0;           ///< of that face, opposite to the edge
  /// Unit. A vector z of the face that is left is turn · z in the frame of the one that is entered, as if
  /// both were unfolded into one plane. On a wall the direction of the wall, squared: a vector z is mirrored
  /// to turn · conj(z).
  Tangent turn;
};

/// The frames and crossings of all triangles of a surface at one instant.
class TangentFrames {
 public:
  /// One triangle: its corners 1 and 2, seen from corner 0, and its crossings by the corner opposite.
  struct Face {
    double first = 0;
    Tangent second;
    std::array<Crossing, 3> crossing;

    Tangent tangent(BarycentricRates rates) const { return rates.first * first + rates.second * second; }
    BarycentricRates rates(Tangent z) const {
      const double two = z.imag() / second.imag();
      return {(z.real() - two * second.real()) / first, two};
    }
    /// The edge from corner c to corner c + 1.
    Tangent edge(int corner) const {
      return corner == 0 ? Tangent(first) : corner == 1 ? second - first : -second;
    }
  };

  explicit TangentFrames(const Mesh& mesh);
  /// For new positions; allocates nothing.
  void refresh(const Geometry& geometry);
  const Face& operator[](Index face) const { return faces_[static_cast<std::size_t>(face)]; }

 private:
  const Mesh& mesh_;
  std::vector<Face> faces_;
};

}  // namespace shoal
