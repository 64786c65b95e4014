// Scene `character`: water on the skin of a body moved by its skeleton.
#include "experiments/scenes/common.hpp"

namespace shoal {
namespace {

/// The friction, 1/s, of a thin layer on a skin: limbs accelerate by more than g, and only friction stops the water that flows off
/// them. With Newton's law (circulation) the limbs throw the layer off in fragments; with the momentum of Angst 2007 it stays on.
const std::map<std::string, Value> where_ground_falls_dry = {
    {"friction", 2.0}, {"rayleigh", 2.0}, {"dry_outflow", "closed"}, {"carried_velocity", "barycentric"}};

struct CharacterOptions {
  FluidOptions fluid;
  double relative_depth = 0.02;
  static Options<CharacterOptions> describe() {
    using O = CharacterOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("relative_depth", "1", &O::relative_depth, min_positive, unlimited,
                "uniform initial depth H / longest side of the body's bounding box: 0.2 m on 10 m");
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
                         .summary = "an initially uniform layer of water on the skin of a walking body; "
                                    "default carried_velocity = barycentric: with circulation, swinging "
                                    "limbs throw the water off",
                         .source = "Angst 2007, tables 2 and 7.1: animated characters",
                         .default_mesh = "figure",
                         .default_motion = "skin",
                         .default_dt = 1.0 / 60,
                         .defaults = where_ground_falls_dry},
                        make);
}

}  // namespace shoal
