// Each triangle in a plane of its own: axis 1 along the edge from corner 0 to corner 1, axis 2 at a right
// angle to it towards corner 2.
#pragma once

#include "discretizations/mesh/geometry.hpp"

namespace shoal {

struct FaceAxes {
  Vector first;               ///< [nF] corner 1 lies at (first, 0), m
  Vector second_1, second_2;  ///< [nF] corner 2 lies at (second_1, second_2), m

  /// For new positions; allocates only when the size changes.
  void refresh(const Mesh& mesh, const Geometry& geometry);

  /// A vector by its barycentric rates, v = β₁ (x₁−x₀) + β₂ (x₂−x₀), along the axes, and back.
  Eigen::Vector2d along_axes(Index face, const Eigen::Vector2d& rates) const {
    return {rates[0] * first[face] + rates[1] * second_1[face], rates[1] * second_2[face]};
  }
  Eigen::Vector2d rates(Index face, const Eigen::Vector2d& along_axes) const {
    const double two = along_axes[1] / second_2[face];
    return {(along_axes[0] - two * second_1[face]) / first[face], two};
  }
};

}  // namespace shoal
