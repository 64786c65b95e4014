// The small scenes with which Krog 2003 tries the advection and the shore of height maps: `krog-dam`, `lake-outlet`, `waterfall`. The source
// gives no lengths; they are ours.
#include "experiments/scenes/common.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace shoal {
namespace {

// ---- krog-dam: the breaking dam of figures 3.5 and 4.3, with or without the bump of figure 4.4. ----

struct KrogDamOptions {
  FluidOptions fluid;
  double depth_left = 10, dam = 100, bump_height = 1, bump_at = 300, bump_width = 10;  ///< m
  static Options<KrogDamOptions> describe() {
    using O = KrogDamOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth_left", "m", &O::depth_left, min_positive, unlimited,
                "depth left of the dam, also the zero level above the bed")
        .number("dam", "m", &O::dam, -unlimited, unlimited, "position x of the dam")
        .number("bump_height", "m", &O::bump_height, 0, unlimited,
                "height of the parabolic bump of the bed; 0: none")
        .number("bump_at", "m", &O::bump_at, -unlimited, unlimited, "position x of its crest")
        .number("bump_width", "m", &O::bump_width, min_positive, unlimited,
                "distance from the crest to its foot");
  }
};

SceneInstance krog_dam(const Surface& surface, const Geometry&, const KrogDamOptions& options) {
  require_flat_basin(surface);
  const double begin = surface.x.row(0).minCoeff(), end = surface.x.row(0).maxCoeff();
  if (options.dam <= begin || options.dam >= end)
    throw parameter_error("dam", fmt::format("{} is outside the mesh '{}', which spans x in ({}, {})",
                                             options.dam, surface.name, begin, end));
  const auto bump = [=](const Vector3& x) {
    const double from_crest = (x.x() - options.bump_at) / options.bump_width;
    return options.bump_height * std::max(0.0, 1 - from_crest * from_crest);
  };
  SceneInstance instance = still_water(surface, options.fluid, options.depth_left);
  instance.bed_depth = [=](const Vector3& x) { return options.depth_left - bump(x); };
  instance.initial.depth = [=](const Vector3& x) {
    return x.x() <= options.dam ? std::max(0.0, options.depth_left - bump(x)) : 0.0;
  };
  instance.end = 180;
  instance.sample_times = {2.5, 7.5, 15, 30, 75, 180};
  return instance;
}

// ---- lake-outlet: a lake at rest whose bed rises so gently that its last cell is shallower than the threshold of a shore rule
// (figure 5.3). ----

struct LakeOutletOptions {
  FluidOptions fluid;
  double depth = 1, slope = 0.05;
  static Options<LakeOutletOptions> describe() {
    using O = LakeOutletOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited,
                "depth of the lake at the left end of the mesh")
        .number("slope", "1", &O::slope, min_positive, unlimited, "rise of the bed per metre along x");
  }
};

SceneInstance lake_outlet(const Surface& surface, const Geometry&, const LakeOutletOptions& options) {
  require_flat_basin(surface);
  const double begin = surface.x.row(0).minCoeff();
  SceneInstance instance = still_water(surface, options.fluid, options.depth);
  instance.bed_depth = [=](const Vector3& x) { return options.depth - options.slope * (x.x() - begin); };
  const auto rest = [bed = instance.bed_depth](const Vector3& x, double) { return std::max(0.0, bed(x)); };
  instance.initial.depth = [=](const Vector3& x) { return rest(x, 0); };
  instance.references = {
      solution_at_points(rest, [](const Vector3&, double) -> Vector3 { return Vector3::Zero(); })};
  instance.references.front().still = true;
  instance.end = 60;
  instance.sample_times = {10, 30, 60};
  return instance;
}

// ---- waterfall: water is added above a step of the bed and removed below it (figure 3.6). ----

struct WaterfallOptions {
  FluidOptions fluid;
  double depth = 0.5, fall = 1, discharge = 0.2;
  static Options<WaterfallOptions> describe() {
    using O = WaterfallOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited, "depth above and below the fall at t = 0")
        .number("fall", "m", &O::fall, 0, unlimited,
                "height of the step of the bed, in the middle of the mesh")
        .number("discharge", "m^2/s", &O::discharge, 0, unlimited,
                "of the source and the sink, per width, in the first and last tenth of the mesh");
  }
};

SceneInstance waterfall(const Surface& surface, const Geometry&, const WaterfallOptions& options) {
  require_flat_basin(surface);
  const Vector3 low = surface.x.rowwise().minCoeff(), size = surface.x.rowwise().maxCoeff() - low;
  const double middle = low.x() + 0.5 * size.x();
  SceneInstance instance = still_water(surface, options.fluid, options.depth);
  instance.bed_depth = [=](const Vector3& x) { return options.depth + (x.x() < middle ? 0 : options.fall); };
  instance.initial.depth = [depth = options.depth](const Vector3&) { return depth; };
  const double first = low.x() + 0.1 * size.x(), last = low.x() + 0.9 * size.x(),
               total = options.discharge * size.y();
  instance.forcing.distributed_inflows = {
      {[=](const Vector3& x) { return x.x() < first ? 1.0 : 0.0; }, total},
      {[=](const Vector3& x) { return x.x() > last ? 1.0 : 0.0; }, -total}};
  instance.end = 60;
  instance.sample_times = {5, 20, 60};
  return instance;
}

}  // namespace

SceneEntry krog_dam_scene() {
  return describe_scene({.name = "krog-dam",
                         .summary = "a dam breaks onto dry land, and the water meets a bump of the bed",
                         .source = "Krog 2003, chapters 3 and 4; lengths ours",
                         .default_mesh = "rectangle:300x2:400x2.6666666666666667:structured",
                         .default_advection = "vector-invariant",
                         .defaults = {{"dry_outflow", "closed"}}},
                        krog_dam);
}

SceneEntry lake_outlet_scene() {
  return describe_scene(
      {.name = "lake-outlet",
       .summary =
           "a lake at rest on a gently rising bed: water that a shore rule removes from its edge empties it",
       .source = "Krog 2003, figure 5.3; lengths ours",
       .default_mesh = "rectangle:40x4:40x4:structured",
       .defaults = {{"dry_outflow", "closed"}}},
      lake_outlet);
}

SceneEntry waterfall_scene() {
  return describe_scene({.name = "waterfall",
                         .summary = "water runs over a step of the bed, from a source to a sink",
                         .source = "Krog 2003, figure 3.6; lengths ours",
                         .default_mesh = "rectangle:40x4:40x4:structured"},
                        waterfall);
}

}  // namespace shoal
