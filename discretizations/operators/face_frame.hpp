// A triangle in its own plane, without an embedding. Vectors are given by barycentric rates or by two Cartesian components.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/mesh/geometry.hpp"

#include <complex>

namespace shoal {

/// A tangent vector in the frame of a triangle: x points from corner 0 to corner 1, y is perpendicular to it, toward
/// corner 2.
using Tangent = std::complex<double>;

/// v = β₁ (x₁−x₀) + β₂ (x₂−x₀), β₀ = −β₁−β₂: the rates of change of the barycentric coordinates along v, 1/s.
struct BarycentricRates {
  double first = 0, second = 0;
  double operator[](int corner) const { return corner == 0 ? -first - second : corner == 1 ? first : second; }
};

/// The positions of corners 1 and 2 relative to corner 0.
struct FaceFrame {
  double first = 0;
  Tangent second;

  Tangent tangent(BarycentricRates rates) const { return rates.first * first + rates.second * second; }
  BarycentricRates rates(Tangent z) const {
    const double two = z.imag() / second.imag();
    return {(z.real() - two * second.real()) / first, two};
  }
  /// The pair v·(x₁−x₀), v·(x₂−x₀) of a vector v, and the vector of a given pair.
  Tangent lowered(Tangent v) const { return {v.real() * first, (std::conj(second) * v).real()}; }
  Tangent raised(Tangent pair) const {
    const double x = pair.real() / first;
    return {x, (pair.imag() - x * second.real()) / second.imag()};
  }
  double area() const { return 0.5 * first * second.imag(); }
  /// The edge from corner c to corner c + 1.
  Tangent edge(int corner) const {
    return corner == 0 ? Tangent(first) : corner == 1 ? second - first : -second;
  }
};

/// The frame from the length of the edge 01, the area and the cotangent at corner 0. The foot of corner 2 divides that edge
/// in the ratio of the cotangents of its ends.
inline FaceFrame face_frame(double first, double area, double cotangent) {
  const double height = 2 * area / first;
  return {first, {height * cotangent, height}};
}

inline FaceFrame face_frame(const Mesh& mesh, const Geometry& geometry, Index face) {
  return face_frame(geometry.edge_length[mesh.face_edges(2, face)], geometry.face_area[face],
                    geometry.cotangent(0, face));
}

/// The frames of all faces; allocates only if the number of faces changes.
inline void face_frames(const Mesh& mesh, const Geometry& geometry, Array<FaceFrame>& frames) {
  frames.resize(mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) frames[k] = face_frame(mesh, geometry, k);
}

}  // namespace shoal
