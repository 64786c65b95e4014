// Scenes `rest` and `lake-at-rest`: still water on any surface or in a channel, with or without islands. A well-balanced scheme
// keeps it still.
#include "experiments/scenes/bump_flow.hpp"
#include "experiments/scenes/common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

/// Still water over the scene's bed up to h = 0; where H < 0, there is land.
void fill_lake(SceneInstance& instance) {
  const auto depth = [bed = instance.bed_depth](const Vector3& x) { return std::max(0.0, bed(x)); };
  instance.end = 1;
  instance.sample_times = {1};
  instance.initial.depth = depth;
  instance.references = {solution_at_points([depth](const Vector3& x, double) { return depth(x); }, {})};
  instance.references.front().still = true;
}

/// H(x) = depth·(1 + ½ sin(7ξ+1) sin(5υ+2) cos(6ζ+3)), with (ξ, υ, ζ) the position in the surface's bounding
/// box in units of the box's diagonal: a few hills on any surface, H between depth/2 and 3·depth/2.
ScalarField hilly_bed(const Surface& surface, double depth) {
  const Vector3 low = surface.x.rowwise().minCoeff();
  const double size = (surface.x.rowwise().maxCoeff() - low).norm();
  return [=](const Vector3& x) {
    const Vector3 p = (x - low) / size;
    return depth * (1 + 0.5 * std::sin(7 * p.x() + 1) * std::sin(5 * p.y() + 2) * std::cos(6 * p.z() + 3));
  };
}

struct RestOptions {
  StillWaterOptions water;
  bool hilly = false;
  double level = 0;  ///< m
  static Options<RestOptions> describe() {
    return Options<RestOptions>()
        .part(&RestOptions::water, StillWaterOptions::describe())
        .choice("bed", &RestOptions::hilly, {{"flat", false}, {"bumps", true}},
                "flat: H = depth + level; bumps: smooth hills, H between 0.5 and 1.5 depth, plus level")
        .number("level", "m", &RestOptions::level, -unlimited, unlimited,
                "height by which the water is raised, or lowered if negative; greater than -depth with bed = "
                "flat. "
                "With bed = bumps, the highest hills are islands from about -depth/2 down");
  }
};

SceneInstance rest(const Surface& surface, const Geometry&, const RestOptions& options) {
  const double depth = options.water.depth, level = options.level;
  if (!(level > -(options.hilly ? 1.5 : 1.0) * depth))
    throw parameter_error("level",
                          fmt::format("{} leaves no water over a bed at the depth {}", level, depth));
  SceneInstance instance = still_water(surface, options.water);
  instance.bed_depth = [level, bed = options.hilly ? hilly_bed(surface, depth) : instance.bed_depth](
                           const Vector3& x) { return bed(x) + level; };
  fill_lake(instance);
  return instance;
}

struct LakeOptions {
  FluidOptions fluid;
  double level = 0.5;  ///< m
  static Options<LakeOptions> describe() {
    return Options<LakeOptions>()
        .part(&LakeOptions::fluid, FluidOptions::describe())
        .number("level", "m", &LakeOptions::level, min_positive, unlimited,
                "level of the water above the flat bed; below 0.2 the bump is an island");
  }
};

SceneInstance lake(const Surface& surface, const Geometry&, const LakeOptions& options) {
  SceneInstance instance = still_water(surface, options.fluid, options.level);
  instance.bed_depth = [level = options.level, bump = ParabolicBump()](const Vector3& x) {
    return level - bump.bed(x.x());
  };
  fill_lake(instance);
  return instance;
}

}  // namespace

SceneEntry rest_scene() {
  return describe_scene(
      {.name = "rest",
       .summary = "still water on any surface over a flat or hilly bed: a test that it stays still",
       .source = "lake at rest, h = 0 and v = 0, under uniform aₙ",
       .default_mesh = "icosphere:4"},
      rest);
}

SceneEntry lake_at_rest_scene() {
  return describe_scene({.name = "lake-at-rest",
                         .summary = "still water in a channel with a bump, which is an island with level = "
                                    "0.1: a test that it stays still",
                         .source = "Delestre et al. 2013, 3.1.1 and 3.1.2, doi:10.1002/fld.3741",
                         .default_mesh = "rectangle:100x4:25x1",
                         .default_advection = "vector-invariant"},
                        lake);
}

}  // namespace shoal
