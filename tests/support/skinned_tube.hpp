// A closed tube of two bones for tests of skins: along z from 0 to 2 m, radius ¼ m, with its second joint at z = 1 m.
#pragma once

#include "discretizations/mesh/characters/character.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal::test {

struct SkinnedTube {
  Faces faces;
  Points x;
  Character character;
};

/// The second joint's weight at height z: 0 below ½ m, 1 above 1½ m. In between a multiple of 1/8, exact in single precision.
inline double upper_weight(double z) {
  return std::clamp(z - 0.5, 0.0, 1.0);
}

inline SkinnedTube skinned_tube() {
  constexpr Index around = 8, rings = 17;
  SkinnedTube tube;
  tube.x.resize(3, around * rings + 2);
  tube.faces.resize(3, 2 * around * rings);
  Index face = 0;
  const Index bottom = around * rings, top = bottom + 1;
  for (Index r = 0; r < rings; ++r)
    for (Index k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * k / around;
      tube.x.col(r * around + k) << 0.25 * std::cos(angle), 0.25 * std::sin(angle), 0.125 * r;
      const Index a = r * around + k, b = r * around + (k + 1) % around;
      if (r == 0) tube.faces.col(face++) << bottom, b, a;
      if (r + 1 == rings) {
        tube.faces.col(face++) << top, a, b;
        continue;
      }
      tube.faces.col(face++) << a, b, a + around;
      tube.faces.col(face++) << b, b + around, a + around;
    }
  tube.x.col(bottom) << 0, 0, 0;
  tube.x.col(top) << 0, 0, 2;
  tube.x = tube.x.cast<float>().cast<double>().eval();  // single precision, as in files

  Joint lower{"lower", -1, {}}, upper{"upper", 0, {}};
  upper.rest.translation = Vector3::UnitZ();
  tube.character.skeleton.joints = {lower, upper};
  for (Eigen::Index i = 0; i < tube.x.cols(); ++i) {
    const double w = upper_weight(tube.x(2, i));
    tube.character.weights.append({{0, 1 - w}, {1, w}}, 0);
  }
  // A clip that bends the tube about x by half a right angle in one second.
  Clip bend;
  bend.name = "bend";
  bend.base = {lower.rest, upper.rest};
  const double half = std::numbers::pi / 8;
  Eigen::MatrixXd rotations(4, 2);
  rotations << 0, std::sin(half), 0, 0, 0, 0, 1, std::cos(half);
  bend.channels = {{1, Channel::rotation, Channel::linear, {0.0, 1.0}, rotations}};
  tube.character.clips = {bend};
  return tube;
}

}  // namespace shoal::test
