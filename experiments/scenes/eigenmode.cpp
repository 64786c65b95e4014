// Scene `eigenmode`: a standing wave of the scheme's own wave operator, so that a single frequency is excited
// and the amplification by a time step can be measured, from the lowest frequency of a mesh to the highest.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/scheme_mode.hpp"

#include <cmath>

namespace shoal {
namespace {

struct EigenmodeOptions {
  StillWaterOptions water;
  double amplitude = 1e-6;  ///< m
  ModeOptions mode;
  static Options<EigenmodeOptions> describe() {
    using O = EigenmodeOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("amplitude", "m", &O::amplitude, -unlimited, unlimited,
                "largest elevation a; nonlinear terms enter at about a/depth")
        .part(&O::mode, ModeOptions::describe());
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const EigenmodeOptions& options) {
  const double depth = options.water.depth, amplitude = options.amplitude;
  require_wet(-std::abs(amplitude), depth);
  SceneInstance instance = still_water(surface, options.water);
  instance.end = 2;
  instance.sample_times = {0.5, 1.0, 1.5, 2.0};
  instance.discrete_initial_state = [=, mode = options.mode.mode](const Discretization& discretization,
                                                                  const Forces& forces) {
    return start_in_mode(discretization, forces, mode, depth, amplitude);
  };
  return instance;
}

}  // namespace

SceneEntry eigenmode_scene() {
  return describe_scene(
      {.name = "eigenmode",
       .summary =
           "standing wave η = H + a·z of the scheme's own wave operator, K(s η̄) z = ω² (A/r) z, max |z| = 1",
       .source = "linear theory: the solution of the scheme's linear equations is H + a·z·cos ωt with the "
                 "discrete ω, recorded as mode_angular_frequency",
       .default_mesh = "icosphere:3"},
      make);
}

}  // namespace shoal
