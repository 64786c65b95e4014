// The standing waves of the continuous linear equations, known on spheres and on rectangles with walls.
#pragma once

#include "discretizations/mesh/surface.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shoal {

/// Waves of one wavenumber k: ω = √(gH) k.
struct ContinuousLevel {
  std::string name;       ///< "3", or "1,0 0,1"
  double wavenumber = 0;  ///< 1/m
  Index multiplicity = 1;
  std::function<Eigen::MatrixXd(const Points&)>
      sample;  ///< a basis at points: [n, multiplicity], max |shape| = 1 in space
};

struct ContinuousModes {
  std::string surface;                  ///< "sphere of radius 1 m"
  std::string index_name;               ///< "l" or "m,n"
  std::vector<ContinuousLevel> levels;  ///< ascending; the first is the constant
};

/// The lowest levels, which together contain at least `count` shapes:
///
///     sphere about the origin   k = √(l(l+1))/R, shapes Y_lm, multiplicity 2l+1
///     rectangle with walls      k = π √((m/a)² + (n/b)²), shapes cos(mπx/a) cos(nπy/b)
///
/// Empty for other surfaces. Listing levels is cheap, sampling them is not.
std::optional<ContinuousModes> continuous_modes(const Surface& surface, Index count);

}  // namespace shoal
