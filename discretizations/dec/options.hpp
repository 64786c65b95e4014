// The options of dec.
#pragma once

#include "discretizations/mesh/quality.hpp"
#include "discretizations/wave_scheme/wave_scheme.hpp"

namespace shoal {

enum class Dual { circumcentric, intrinsic, barycentric };

enum class VorticityForm { cell, linear };

enum class EdgeDepth { automatic, plain, convex };

struct DecOptions {
  Dual dual = Dual::circumcentric;
  bool momentum = false;
  EdgeDepth edge_depth = EdgeDepth::automatic;
  VorticityForm vorticity = VorticityForm::cell;
  double vorticity_tolerance = 1e-8;
  double degenerate_dual = shoal::degenerate_dual;
  double max_froude = 0.5;
  double min_dual = 0.1;
  DryOptions dry{};
  static Options<DecOptions> describe();
};

}  // namespace shoal
