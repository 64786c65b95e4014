// Scene `character`: water on the skin of a body that its skeleton moves.
#include "experiments/scenes/common.hpp"

namespace shoal {
namespace {

/// Friction, 1/s, of a thin layer on a skin: limbs accelerate by more than g, and what flows off them would only come to rest
/// by it. By Newton's law (circulation) they throw the layer off, into shards; with the momentum of Angst 2007 it stays.
const std::map<std::string, Value> where_ground_falls_dry = {
    {"friction", 2.0}, {"rayleigh", 2.0}, {"dry_outflow", "closed"}, {"carried_velocity", "barycentric"}};

struct CharacterOptions {
  FluidOptions fluid;
  double relative_depth = 0.02;
  static Options<CharacterOptions> describe() {
    using O = CharacterOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number(
            "relative_depth", "1", &O::relative_depth, min_positive, unlimited,
            "depth H at t = 0, the same everywhere, over the longest side of the body's box: 0.2 m on 10 m");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const CharacterOptions& options) {
  const double size = (surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff()).maxCoeff();
  SceneInstance instance = still_water(surface, options.fluid, options.relative_depth * size);
  instance.end = 60;
  instance.sample_times = {10, 20, 30, 40, 50, 60};
  return instance;
}

}  // namespace

SceneEntry character_scene() {
  return describe_scene({.name = "character",
                         .summary = "water, everywhere as deep at first, on the skin of a body that walks; "
                                    "carried_velocity = barycentric by default: with circulation limbs that "
                                    "swing throw the water off",
                         .source = "Angst 2007, tables 2 and 7.1: animated characters",
                         .default_mesh = "figure",
                         .default_motion = "skin",
                         .default_dt = 1.0 / 60,
                         .defaults = where_ground_falls_dry},
                        make);
}

}  // namespace shoal
